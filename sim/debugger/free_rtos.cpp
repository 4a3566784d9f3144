// SPDX-License-Identifier: Apache-2.0
// By the kernel's public headers and ports, V10 and V11.
#include <fmt/format.h>

#include <algorithm>

#include "sim/debugger/kernel_threads.h"

namespace n6vp::sim::debugger {

namespace {

constexpr std::uint32_t kWord = KernelMemory::kWord;

/// Of List_t: number of items, index, and the end marker with its value, next and previous.
constexpr std::uint32_t kListBytes = 20, kListEnd = 8;
/// Kernels have no more priorities; a symbol's size may be anything.
constexpr std::uint32_t kMostPriorities = 256;
/// Of ListItem_t: value, next, previous, owner.
constexpr std::uint32_t kItemNext = 4, kItemOwner = 12;
/// Of the control block: top of stack, two list items of 20 bytes, priority, stack, name.
constexpr std::uint32_t kPriority = 44, kName = 52, kNameBytes = 16;

/// Where a port saved what, in bytes from the top of the stack.
struct Layout {
    std::uint32_t high = 0;  ///< r4 to r11
    std::uint32_t behind = KernelMemory::kHighBytes;
    std::uint32_t exc_return = 0xFFFFFFFD;
};

[[nodiscard]] Layout layout_of(const KernelMemory& memory, std::uint32_t stack) {
    const auto returns = [&](unsigned index) -> std::optional<std::uint32_t> {
        const auto value = memory.word(stack + kWord * index);
        return value && is_thread_return(*value) ? value : std::nullopt;
    };
    constexpr std::uint32_t kHigh = KernelMemory::kHighBytes;
    if (memory.armv8()) {
        // PSPLIM, EXC_RETURN, r4 to r11; a secure context comes before.
        if (const auto code = returns(1)) return {2 * kWord, 2 * kWord + kHigh, *code};
        if (const auto code = returns(2)) return {3 * kWord, 3 * kWord + kHigh, *code};
    }
    // Cortex-M4F and M7: r4 to r11, EXC_RETURN.
    if (const auto code = returns(8)) return {0, kHigh + kWord, *code};
    return {};  // Cortex-M3: r4 to r11
}

[[nodiscard]] std::optional<SavedRegisters> saved(const KernelMemory& memory, std::uint32_t stack) {
    const Layout layout = layout_of(memory, stack);
    const bool extended = is_extended(layout.exc_return);
    const std::uint32_t floats = extended ? KernelMemory::kHighFloatBytes : 0;
    SavedRegisters registers;
    if (!memory.take_high(stack + layout.high, registers) ||
        (extended && !memory.take_high_float(stack + layout.behind, registers)) ||
        !memory.unstack(stack + layout.behind + floats, extended, registers))
        return std::nullopt;
    return registers;
}

[[nodiscard]] ThreadInfo task(const KernelMemory& memory, std::uint32_t block, const char* state) {
    const std::string name = memory.text(block + kName, kNameBytes);
    const std::uint32_t priority = memory.word(block + kPriority).value_or(0);
    ThreadInfo info;
    info.id = block;
    info.text = fmt::format("{} ({}, priority {})", name.empty() ? "task" : name, state, priority);
    if (const auto stack = memory.word(block)) info.saved = saved(memory, *stack);
    return info;
}

void add_list(const KernelMemory& memory, std::uint32_t list, const char* state,
              std::vector<ThreadInfo>& tasks) {
    const std::uint32_t end = list + kListEnd;
    auto item = memory.word(end + kItemNext);
    // A damaged list may lead back into itself.
    for (std::size_t seen = 0; seen < kMostThreads && tasks.size() < kMostThreads; ++seen) {
        if (!item || *item == end || *item == 0) return;
        const auto owner = memory.word(*item + kItemOwner);
        if (!owner || *owner == 0 || *owner == 0xFFFFFFFF) return;
        const bool known = std::any_of(tasks.begin(), tasks.end(),
                                       [&owner](const auto& each) { return each.id == *owner; });
        if (!known) tasks.push_back(task(memory, *owner, state));
        item = memory.word(*item + kItemNext);
    }
}

}  // namespace

std::vector<ThreadInfo> free_rtos_threads(const KernelMemory& memory) {
    std::vector<ThreadInfo> tasks;
    const auto current = memory.word_of("pxCurrentTCB");
    const auto count = memory.word_of("uxCurrentNumberOfTasks");
    const ElfSymbol* const ready = memory.symbol("pxReadyTasksLists");
    if (!current || *current == 0 || *current == 0xFFFFFFFF || !count || *count == 0 ||
        ready == nullptr || ready->bytes % kListBytes != 0)
        return tasks;
    tasks.push_back(task(memory, *current, "running"));
    tasks.front().saved.reset();
    const std::uint32_t lists = std::min(ready->bytes, kMostPriorities * kListBytes);
    for (std::uint32_t at = 0; at < lists && tasks.size() < kMostThreads; at += kListBytes)
        add_list(memory, ready->value + at, "ready", tasks);
    struct List {
        const char* symbol;
        const char* state;
    };
    for (const List& each :
         {List{"xDelayedTaskList1", "blocked"}, List{"xDelayedTaskList2", "blocked"},
          List{"xPendingReadyList", "ready"}, List{"xSuspendedTaskList", "suspended"},
          List{"xTasksWaitingTermination", "deleted"}}) {
        const ElfSymbol* const list = memory.symbol(each.symbol);
        if (list != nullptr && list->bytes == kListBytes)
            add_list(memory, list->value, each.state, tasks);
    }
    return tasks;
}

}  // namespace n6vp::sim::debugger
