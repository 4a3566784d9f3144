// SPDX-License-Identifier: Apache-2.0
// By tx_api.h and the ports for Cortex-M, version 6.
#include <fmt/format.h>

#include <array>

#include "sim/debugger/kernel_threads.h"

namespace n6vp::sim::debugger {

namespace {

constexpr std::uint32_t kWord = KernelMemory::kWord;

/// Of TX_THREAD: the identifier, which spells THRD, and members that ports do not move.
constexpr std::uint32_t kIdentifier = 0x54485244;
constexpr std::uint32_t kStackPointer = 8, kName = 40, kPriority = 44, kState = 48;
/// Where the link to the next thread may be: at 136 without extensions of the control block.
constexpr std::uint32_t kFirstLink = 136, kLastLink = 256;
constexpr std::uint32_t kMostName = 64;

[[nodiscard]] std::string state_text(std::uint32_t state) {
    constexpr std::array<const char*, 15> kStates = {"ready",
                                                     "completed",
                                                     "terminated",
                                                     "suspended",
                                                     "asleep",
                                                     "waits for a queue",
                                                     "waits for a semaphore",
                                                     "waits for event flags",
                                                     "waits for a block of memory",
                                                     "waits for bytes of memory",
                                                     "waits for a driver",
                                                     "waits for a file",
                                                     "waits for the network",
                                                     "waits for a mutex",
                                                     "changes its priority"};
    return state < kStates.size() ? kStates[state] : fmt::format("state {}", state);
}

[[nodiscard]] bool is_thread(const KernelMemory& memory, std::uint32_t block) {
    return memory.word(block) == kIdentifier;
}

/// Returns the threads from the first one on, if the links at that offset are a ring of so many.
[[nodiscard]] std::vector<std::uint32_t> ring(const KernelMemory& memory, std::uint32_t first,
                                              std::uint32_t count, std::uint32_t link) {
    std::vector<std::uint32_t> blocks;
    std::uint32_t block = first;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto next = memory.word(block + link);
        if (!next || !is_thread(memory, *next) || memory.word(*next + link + kWord) != block)
            return {};
        blocks.push_back(block);
        block = *next;
        if (block == first && i + 1 < count) return {};
    }
    return block == first ? blocks : std::vector<std::uint32_t>();
}

[[nodiscard]] std::vector<std::uint32_t> created(const KernelMemory& memory) {
    const auto first = memory.word_of("_tx_thread_created_ptr");
    const auto count = memory.word_of("_tx_thread_created_count");
    if (!first || !count || *count == 0 || *count > kMostThreads || !is_thread(memory, *first))
        return {};
    for (std::uint32_t link = kFirstLink; link < kLastLink; link += kWord) {
        std::vector<std::uint32_t> blocks = ring(memory, *first, *count, link);
        if (!blocks.empty()) return blocks;
    }
    return {*first};
}

/// The stack holds EXC_RETURN, s16 to s31 if that says so, r4 to r11, the frame.
[[nodiscard]] std::optional<SavedRegisters> saved(const KernelMemory& memory, std::uint32_t stack) {
    const auto code = memory.word(stack);
    if (!code || !is_thread_return(*code)) return std::nullopt;
    const bool extended = is_extended(*code);
    std::uint32_t at = stack + kWord;
    SavedRegisters registers;
    if (extended) {
        if (!memory.take_high_float(at, registers)) return std::nullopt;
        at += KernelMemory::kHighFloatBytes;
    }
    if (!memory.take_high(at, registers) ||
        !memory.unstack(at + KernelMemory::kHighBytes, extended, registers))
        return std::nullopt;
    return registers;
}

}  // namespace

std::vector<ThreadInfo> thread_x_threads(const KernelMemory& memory) {
    const std::vector<std::uint32_t> blocks = created(memory);
    if (blocks.empty()) return {};
    const auto describe = [&memory](std::uint32_t block, const std::string& state) {
        const std::uint32_t name = memory.word(block + kName).value_or(0);
        const std::string text = name == 0 ? std::string() : memory.text(name, kMostName);
        return fmt::format("{} ({}, priority {})", text.empty() ? "thread" : text, state,
                           memory.word(block + kPriority).value_or(0));
    };
    const std::uint32_t current = memory.word_of("_tx_thread_current_ptr").value_or(0);
    std::vector<ThreadInfo> threads;
    if (is_thread(memory, current)) {
        threads.push_back({current, describe(current, "running"), {}});
    } else {
        threads.push_back({1, "core (no thread)", {}});
    }
    for (const std::uint32_t block : blocks) {
        if (block == current) continue;
        const std::uint32_t state = memory.word(block + kState).value_or(0xFFFFFFFF);
        threads.push_back({block, describe(block, state_text(state)),
                           saved(memory, memory.word(block + kStackPointer).value_or(0))});
    }
    return threads;
}

}  // namespace n6vp::sim::debugger
