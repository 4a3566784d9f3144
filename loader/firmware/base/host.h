// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The host of the program: the simulator, by its mailbox, or a terminal at a board's serial
/// port. Implemented by a file of the port, which also supplies the job.
namespace n6vp::firmware::chip::host {

/// Copies words that change the job, terminated. Fails if they do not fit.
[[nodiscard]] bool arguments(char* words, std::uint32_t capacity);
/// Switches on what needs the chip's clocks. Called once, after the set-up.
void open();

void say(const char* text);
/// Ends the run.
[[noreturn]] void end(std::uint32_t code);

/// Returns true if phases are recorded.
[[nodiscard]] bool hears_phases();
/// The name must be in memory, not only in the D-cache: a literal is.
void begin_phase(std::uint32_t id, const char* name);
void end_phase(std::uint32_t id);

/// Reads a whole file. Fails if it is missing or too short.
[[nodiscard]] bool read_file(const char* name, void* to, std::uint32_t bytes);
/// Fails if not every byte was written.
[[nodiscard]] bool write_file(const char* name, const void* from, std::uint32_t bytes);

}  // namespace n6vp::firmware::chip::host
