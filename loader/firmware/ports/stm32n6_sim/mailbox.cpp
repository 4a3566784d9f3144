// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/ports/stm32n6_sim/mailbox.h"

#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/caches.h"

namespace n6vp::firmware::mailbox {

namespace {

namespace mb = memmap::mailbox;

/// A whole line of the D-cache, so that emptying it touches nothing else.
struct alignas(32) Request {
    std::uint32_t words[8] = {};
};
static_assert(mb::kFileWords <= 8);

std::uint32_t get(std::uint32_t offset) {
    return read_register(to_word(mb::kSecurePage.start) + offset);
}

void set(std::uint32_t offset, std::uint32_t value) {
    write_register(to_word(mb::kSecurePage.start) + offset, value);
}

std::uint32_t address_of(const void* pointer) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

std::uint32_t length_of(const char* text) {
    std::uint32_t length = 0;
    while (text[length] != '\0') ++length;
    return length;
}

/// The mailbox sees memory and not the D-cache, as every device.
void hand_over(std::uint32_t start, std::uint32_t bytes) {
    caches::maintain(loader::CacheOp::McuCleanInvalidate, GuestAddr{start}, bytes);
}

/// What the request points to must be in memory before, and may be read only after.
bool perform(Request& request, mb::FileOperation operation) {
    request.words[mb::kFileOperation] = static_cast<std::uint32_t>(operation);
    hand_over(request.words[mb::kFileAddress], request.words[mb::kFileBytes]);
    hand_over(address_of(&request), sizeof request);
    set(mb::kFile, address_of(&request));
    barrier();
    return last_error() == Error::None;
}

}  // namespace

bool present() {
    return get(mb::kId) == mb::kMagic && get(mb::kVersionRegister) == mb::kVersion;
}

Error last_error() {
    return static_cast<Error>(get(mb::kResult));
}

void begin_phase(std::uint32_t id, const char* name) {
    set(mb::kPhaseName, address_of(name));
    barrier();
    set(mb::kPhaseBegin, id);
}

void end_phase(std::uint32_t id) {
    barrier();
    set(mb::kPhaseEnd, id);
}

void print(const char* text) {
    std::uint32_t left = length_of(text);
    while (left != 0) {
        const std::uint32_t part = left < mb::kMaxText ? left : mb::kMaxText;
        hand_over(address_of(text), part);
        set(mb::kTextAddress, address_of(text));
        set(mb::kTextPut, part);
        text += part;
        left -= part;
    }
}

void exit(std::uint32_t code) {
    barrier();
    set(mb::kExit, code);
    for (;;) barrier();
}

std::uint64_t cycles() {
    const std::uint32_t low = get(mb::kCyclesLow);
    return (std::uint64_t{get(mb::kCyclesHigh)} << 32) | low;
}

std::uint64_t nanoseconds() {
    const std::uint32_t low = get(mb::kTimeLow);
    return (std::uint64_t{get(mb::kTimeHigh)} << 32) | low;
}

std::uint32_t seed() {
    return get(mb::kSeed);
}

std::uint32_t open(const char* name, OpenMode mode) {
    Request request;
    request.words[mb::kFileAddress] = address_of(name);
    request.words[mb::kFileBytes] = length_of(name);
    request.words[mb::kFileArgument] = static_cast<std::uint32_t>(mode);
    return perform(request, mb::FileOperation::Open) ? request.words[mb::kFileValue] : kNoHandle;
}

void close(std::uint32_t handle) {
    Request request;
    request.words[mb::kFileHandle] = handle;
    static_cast<void>(perform(request, mb::FileOperation::Close));
}

std::uint32_t read(std::uint32_t handle, void* to, std::uint32_t bytes) {
    Request request;
    request.words[mb::kFileHandle] = handle;
    request.words[mb::kFileAddress] = address_of(to);
    request.words[mb::kFileBytes] = bytes;
    static_cast<void>(perform(request, mb::FileOperation::Read));
    return request.words[mb::kFileValue];
}

bool write(std::uint32_t handle, const void* from, std::uint32_t bytes) {
    Request request;
    request.words[mb::kFileHandle] = handle;
    request.words[mb::kFileAddress] = address_of(from);
    request.words[mb::kFileBytes] = bytes;
    return perform(request, mb::FileOperation::Write) && request.words[mb::kFileValue] == bytes;
}

bool seek(std::uint32_t handle, std::uint32_t position) {
    Request request;
    request.words[mb::kFileHandle] = handle;
    request.words[mb::kFileArgument] = position;
    return perform(request, mb::FileOperation::Seek);
}

std::int32_t length(std::uint32_t handle) {
    Request request;
    request.words[mb::kFileHandle] = handle;
    if (!perform(request, mb::FileOperation::Size)) return -1;
    return static_cast<std::int32_t>(request.words[mb::kFileValue]);
}

bool arguments(char* text, std::uint32_t capacity) {
    if (capacity == 0) return false;
    Request request;
    request.words[mb::kFileAddress] = address_of(text);
    request.words[mb::kFileBytes] = capacity - 1;
    if (!perform(request, mb::FileOperation::Arguments)) return false;
    text[request.words[mb::kFileValue]] = '\0';
    return true;
}

}  // namespace n6vp::firmware::mailbox
