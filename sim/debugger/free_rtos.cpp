// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/free_rtos.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace n6vp::sim::debugger {

namespace {

constexpr std::uint32_t kWord = 4;

/// Of List_t: number of items, index, and the end marker with its value, next and previous.
constexpr std::uint32_t kListBytes = 20, kListEnd = 8;
/// Kernels have no more priorities; a symbol's size may be anything.
constexpr std::uint32_t kMostPriorities = 256;
/// Of ListItem_t: value, next, previous, owner.
constexpr std::uint32_t kItemNext = 4, kItemOwner = 12;
/// Of the control block: top of stack, two list items of 20 bytes, priority, stack, name.
constexpr std::uint32_t kPriority = 44, kName = 52, kNameBytes = 16;

/// Words of the stack that are looked at: registers that software saves, and the frame.
constexpr std::uint32_t kStackWords = 16 + 11 + 8;

[[nodiscard]] bool is_exception_return(std::uint32_t value) {
    return value >> 8 == 0xFFFFFF;
}

/// Where a port saved what.
struct Layout {
    unsigned r4 = 0;     ///< index of the word of r4; r5 to r11 follow
    unsigned frame = 0;  ///< of the exception frame
    bool fp = false;
};

[[nodiscard]] Layout layout_of(const std::array<std::uint32_t, kStackWords>& words) {
    constexpr std::uint32_t kBasicFrame = 1u << 4;
    constexpr unsigned kHigh = 8, kFpWords = 16;
    const auto with = [&words](unsigned r4, unsigned code, unsigned behind) {
        const bool fp = (words[code] & kBasicFrame) == 0;
        return Layout{r4, behind + (fp ? kFpWords : 0), fp};
    };
    // Cortex-M4F and M7: r4 to r11, EXC_RETURN.
    if (is_exception_return(words[8])) return with(0, 8, kHigh + 1);
    // Cortex-M33 and M55: PSPLIM, EXC_RETURN, r4 to r11; a secure context comes before.
    if (is_exception_return(words[1])) return with(2, 1, 2 + kHigh);
    if (is_exception_return(words[2])) return with(3, 2, 3 + kHigh);
    return {0, kHigh, false};  // Cortex-M3: r4 to r11
}

}  // namespace

std::optional<std::uint32_t> FreeRtos::word(std::uint32_t address) const {
    std::array<std::uint8_t, kWord> bytes{};
    if (address > 0xFFFFFFFF - kWord || !read_(address, bytes)) return std::nullopt;
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

std::optional<std::uint32_t> FreeRtos::word_of(const char* symbol) const {
    const ElfSymbol* const found = symbols_.find_symbol(symbol);
    return found == nullptr ? std::nullopt : word(found->value);
}

std::optional<std::array<std::uint32_t, ThreadInfo::kSaved>> FreeRtos::saved(
    std::uint32_t stack) const {
    std::array<std::uint32_t, kStackWords> words{};
    for (std::uint32_t i = 0; i < kStackWords; ++i) {
        // A stack may end before what is looked at does.
        words[i] = word(stack + kWord * i).value_or(0);
    }
    const Layout layout = layout_of(words);
    const std::uint32_t* const frame = &words[layout.frame];
    constexpr std::uint32_t kFrameBytes = 32, kFpFrameBytes = 104, kPadded = 1u << 9;
    std::array<std::uint32_t, ThreadInfo::kSaved> registers{};
    std::copy_n(frame, 4, registers.begin());
    std::copy_n(&words[layout.r4], 8, registers.begin() + 4);
    registers[12] = frame[4];
    registers[14] = frame[5];
    registers[15] = frame[6];
    registers[16] = frame[7];
    registers[13] = stack + kWord * layout.frame + (layout.fp ? kFpFrameBytes : kFrameBytes) +
                    ((frame[7] & kPadded) != 0 ? kWord : 0);
    return registers;
}

ThreadInfo FreeRtos::task(std::uint32_t block, const char* state) const {
    std::array<std::uint8_t, kNameBytes> bytes{};
    std::string name;
    if (block <= 0xFFFFFFFF - kName - kNameBytes && read_(block + kName, bytes)) {
        for (const std::uint8_t byte : bytes) {
            if (byte == 0) break;
            name += static_cast<char>(byte);
        }
    }
    const std::uint32_t priority = word(block + kPriority).value_or(0);
    ThreadInfo info;
    info.id = block;
    info.text = fmt::format("{} ({}, priority {})", name.empty() ? "task" : name, state, priority);
    if (const auto stack = word(block)) info.saved = saved(*stack);
    return info;
}

void FreeRtos::add_list(std::uint32_t list, const char* state,
                        std::vector<ThreadInfo>& tasks) const {
    const std::uint32_t end = list + kListEnd;
    auto item = word(end + kItemNext);
    // A damaged list may lead back into itself.
    for (std::size_t seen = 0; seen < kMost && tasks.size() < kMost; ++seen) {
        if (!item || *item == end || *item == 0) return;
        const auto owner = word(*item + kItemOwner);
        if (!owner || *owner == 0 || *owner == 0xFFFFFFFF) return;
        const bool known = std::any_of(tasks.begin(), tasks.end(),
                                       [&owner](const auto& each) { return each.id == *owner; });
        if (!known) tasks.push_back(task(*owner, state));
        item = word(*item + kItemNext);
    }
}

std::vector<ThreadInfo> FreeRtos::tasks() const {
    std::vector<ThreadInfo> tasks;
    const auto current = word_of("pxCurrentTCB");
    const auto count = word_of("uxCurrentNumberOfTasks");
    const ElfSymbol* const ready = symbols_.find_symbol("pxReadyTasksLists");
    if (!current || *current == 0 || *current == 0xFFFFFFFF || !count || *count == 0 ||
        ready == nullptr || ready->bytes % kListBytes != 0)
        return tasks;
    tasks.push_back(task(*current, "running"));
    tasks.front().saved.reset();
    const std::uint32_t lists = std::min(ready->bytes, kMostPriorities * kListBytes);
    for (std::uint32_t at = 0; at < lists && tasks.size() < kMost; at += kListBytes)
        add_list(ready->value + at, "ready", tasks);
    struct List {
        const char* symbol;
        const char* state;
    };
    for (const List& each :
         {List{"xDelayedTaskList1", "blocked"}, List{"xDelayedTaskList2", "blocked"},
          List{"xPendingReadyList", "ready"}, List{"xSuspendedTaskList", "suspended"},
          List{"xTasksWaitingTermination", "deleted"}}) {
        const ElfSymbol* const list = symbols_.find_symbol(each.symbol);
        if (list != nullptr && list->bytes == kListBytes) add_list(list->value, each.state, tasks);
    }
    return tasks;
}

}  // namespace n6vp::sim::debugger
