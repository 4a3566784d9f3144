// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Arm semihosting: files, console and exit of the machine that runs a simulator. BKPT 0xAB on
/// M-profile cores.
namespace n6vp::firmware::semihosting {

enum class OpenMode : std::uint32_t {
    Read = 1,
    Write = 5,
    Append = 9
};  ///< binary, as C's rb, wb, ab

inline constexpr std::int32_t kNoFile = -1;

/// Returns a handle, or kNoFile.
[[nodiscard]] std::int32_t open(const char* path, OpenMode mode);
void close(std::int32_t file);
/// Returns the number of bytes read; fewer than asked for means end of file or an error.
[[nodiscard]] std::uint32_t read(std::int32_t file, void* to, std::uint32_t bytes);
/// Returns false if not every byte was written.
[[nodiscard]] bool write(std::int32_t file, const void* from, std::uint32_t bytes);
/// Moves to a byte offset. Returns false on failure.
[[nodiscard]] bool seek(std::int32_t file, std::uint32_t offset);
/// Returns the length of the file, or -1.
[[nodiscard]] std::int32_t length(std::int32_t file);
/// Writes a terminated string to the console.
void print(const char* text);
/// Copies the command line, terminated. Fails if it does not fit.
[[nodiscard]] bool command_line(char* text, std::uint32_t capacity);
/// Ends the simulation with this exit code.
[[noreturn]] void exit(std::uint32_t code);

}  // namespace n6vp::firmware::semihosting
