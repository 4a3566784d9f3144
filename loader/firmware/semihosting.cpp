// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/semihosting.h"

#include <cstring>

#include "loader/firmware/core.h"

namespace n6vp::firmware::semihosting {

namespace {

/// Operation numbers of the Arm semihosting specification.
enum Operation : std::uint32_t {
    kOpen = 0x01,
    kClose = 0x02,
    kWriteString = 0x04,
    kWrite = 0x05,
    kRead = 0x06,
    kSeek = 0x0A,
    kFileLength = 0x0C,
    kCommandLine = 0x15,
    kExitExtended = 0x20,
};

constexpr std::uint32_t kApplicationExit = 0x20026;

std::uint32_t word_of(const void* pointer) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

std::int32_t call(Operation operation, const std::uint32_t* block) {
    return static_cast<std::int32_t>(semihosting_call(operation, word_of(block)));
}

}  // namespace

std::int32_t open(const char* path, OpenMode mode) {
    const std::uint32_t block[3] = {word_of(path), static_cast<std::uint32_t>(mode),
                                    static_cast<std::uint32_t>(std::strlen(path))};
    return call(kOpen, block);
}

void close(std::int32_t file) {
    const std::uint32_t block[1] = {static_cast<std::uint32_t>(file)};
    call(kClose, block);
}

std::uint32_t read(std::int32_t file, void* to, std::uint32_t bytes) {
    const std::uint32_t block[3] = {static_cast<std::uint32_t>(file), word_of(to), bytes};
    const auto missing = static_cast<std::uint32_t>(call(kRead, block));
    return missing <= bytes ? bytes - missing : 0;
}

bool write(std::int32_t file, const void* from, std::uint32_t bytes) {
    const std::uint32_t block[3] = {static_cast<std::uint32_t>(file), word_of(from), bytes};
    return call(kWrite, block) == 0;
}

bool seek(std::int32_t file, std::uint32_t offset) {
    const std::uint32_t block[2] = {static_cast<std::uint32_t>(file), offset};
    return call(kSeek, block) == 0;
}

std::int32_t length(std::int32_t file) {
    const std::uint32_t block[1] = {static_cast<std::uint32_t>(file)};
    return call(kFileLength, block);
}

void print(const char* text) {
    semihosting_call(kWriteString, word_of(text));
}

bool command_line(char* text, std::uint32_t capacity) {
    const std::uint32_t block[2] = {word_of(text), capacity};
    if (call(kCommandLine, block) != 0) return false;
    text[capacity - 1] = '\0';
    return true;
}

void exit(std::uint32_t code) {
    const std::uint32_t block[2] = {kApplicationExit, code};
    for (;;) call(kExitExtended, block);
}

}  // namespace n6vp::firmware::semihosting
