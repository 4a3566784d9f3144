// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "memmap/mailbox.h"

/// The program's side of the simulator's mailbox. A board has no such page: `present` would be a
/// bus fault there. A program for both calls these functions only in builds for the simulator.
namespace n6vp::firmware::mailbox {

using memmap::mailbox::Error;
using memmap::mailbox::OpenMode;

inline constexpr std::uint32_t kNoHandle = 0;

/// Returns true if the page holds a mailbox of the version this program was built for.
[[nodiscard]] bool present();

/// A phase of the run that reports show by itself; phases may lie within each other.
/// The name must be in memory, not only in the D-cache: a literal is.
void begin_phase(std::uint32_t id, const char* name);
void end_phase(std::uint32_t id);

/// Puts text out without time passing; a console on the UART takes its time.
void print(const char* text);
/// Ends the run with this exit code.
[[noreturn]] void exit(std::uint32_t code);

[[nodiscard]] std::uint64_t cycles();
[[nodiscard]] std::uint64_t nanoseconds();
[[nodiscard]] std::uint32_t seed();

/// Files below the folder that the user granted. Returns a handle, or kNoHandle.
[[nodiscard]] std::uint32_t open(const char* name, OpenMode mode);
void close(std::uint32_t handle);
/// Returns the number of bytes read; fewer than asked for means end of file or an error.
[[nodiscard]] std::uint32_t read(std::uint32_t handle, void* to, std::uint32_t bytes);
/// Returns false if not every byte was written.
[[nodiscard]] bool write(std::uint32_t handle, const void* from, std::uint32_t bytes);
[[nodiscard]] bool seek(std::uint32_t handle, std::uint32_t position);
/// Returns the length of the file, or -1.
[[nodiscard]] std::int32_t length(std::uint32_t handle);
/// Copies the run's arguments, terminated. Fails if they do not fit.
[[nodiscard]] bool arguments(char* text, std::uint32_t capacity);

/// What went wrong in the last command.
[[nodiscard]] Error last_error();

}  // namespace n6vp::firmware::mailbox
