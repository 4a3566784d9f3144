// SPDX-License-Identifier: Apache-2.0
// By the table that the kernel has for debuggers (subsys/debug/thread_info.c) and the registers
// that its port for Cortex-M saves in the thread.
#include <fmt/format.h>

#include <algorithm>

#include "sim/debugger/kernel_threads.h"

namespace n6vp::sim::debugger {

namespace {

constexpr std::uint32_t kWord = KernelMemory::kWord;
constexpr std::uint32_t kNone = 0xFFFFFFFF;  ///< an offset that the kernel does not have
/// Names end after CONFIG_THREAD_MAX_NAME_LEN, 32 unless a program says otherwise.
constexpr std::uint32_t kMostName = 32;

/// Indices of the table; those behind kStackPointer came with version 1.
enum Offset : std::uint32_t {
    kVersion,
    kCurrent,  ///< of the kernel, as kThreads
    kThreads,
    kEntry,
    kNext,
    kState,
    kOptions,
    kPriority,
    kStackPointer,
    kName,
    kArch,
    kPreemptFloat,  ///< of the part for the architecture, as kExcReturn
    kCoopFloat,
    kExcReturn,
};

class Zephyr {
  public:
    explicit Zephyr(const KernelMemory& memory)
        : memory_(memory),
          table_(either("_kernel_thread_info_offsets", "_kernel_openocd_offsets")),
          count_(either("_kernel_thread_info_num_offsets", "_kernel_openocd_num_offsets")),
          kernel_(memory.symbol("_kernel")) {}

    [[nodiscard]] std::vector<ThreadInfo> threads() const;

  private:
    [[nodiscard]] const ElfSymbol* either(const char* name, const char* older) const {
        const ElfSymbol* const found = memory_.symbol(name);
        return found != nullptr ? found : memory_.symbol(older);
    }
    /// Returns the offset, none if this kernel lacks it.
    [[nodiscard]] std::optional<std::uint32_t> offset(Offset index) const;
    [[nodiscard]] std::string describe(std::uint32_t thread, bool runs) const;
    [[nodiscard]] std::optional<SavedRegisters> saved(std::uint32_t thread) const;

    const KernelMemory& memory_;
    const ElfSymbol* table_;
    const ElfSymbol* count_;
    const ElfSymbol* kernel_;
};

std::optional<std::uint32_t> Zephyr::offset(Offset index) const {
    const auto count = memory_.word(count_->value);
    if (!count || index >= *count) return std::nullopt;
    const auto value = memory_.word(table_->value + kWord * index);
    return value == kNone ? std::nullopt : value;
}

[[nodiscard]] const char* state_text(std::uint8_t state) {
    struct Bit {
        unsigned bit;
        const char* text;
    };
    // 2 means another thing in either of two generations of the kernel.
    for (const Bit& each :
         {Bit{3, "dead"}, Bit{5, "aborting"}, Bit{4, "suspended"}, Bit{6, "suspended"},
          Bit{1, "pending"}, Bit{2, "asleep or not started"}, Bit{7, "ready"}}) {
        if ((state >> each.bit & 1) != 0) return each.text;
    }
    return "not queued";
}

std::string Zephyr::describe(std::uint32_t thread, bool runs) const {
    const auto name = offset(kName), state = offset(kState), priority = offset(kPriority);
    const std::string text = name ? memory_.text(thread + *name, kMostName) : std::string();
    std::string result = text.empty() ? "thread" : text;
    const auto bits = state ? memory_.byte(thread + *state) : std::nullopt;
    result += fmt::format(" ({}", runs ? "running" : bits ? state_text(*bits) : "state not known");
    const auto number = priority ? memory_.byte(thread + *priority) : std::nullopt;
    if (number) result += fmt::format(", priority {}", static_cast<std::int8_t>(*number));
    return result + ")";
}

/// r4 to r11 stand before the stack pointer in the thread; the frame is on the stack.
std::optional<SavedRegisters> Zephyr::saved(std::uint32_t thread) const {
    const auto pointer = offset(kStackPointer), arch = offset(kArch),
               floats = offset(kPreemptFloat), code = offset(kExcReturn);
    if (!pointer || *pointer < KernelMemory::kHighBytes) return std::nullopt;
    const auto stack = memory_.word(thread + *pointer);
    if (!stack) return std::nullopt;
    // The low byte of EXC_RETURN; a kernel that does not save it does not share the FPU.
    const auto low = arch && code ? memory_.byte(thread + *arch + *code) : std::nullopt;
    const bool extended = low && is_extended(*low);
    SavedRegisters registers;
    if (!memory_.take_high(thread + *pointer - KernelMemory::kHighBytes, registers) ||
        !memory_.unstack(*stack, extended, registers))
        return std::nullopt;
    if (extended && floats && !memory_.take_high_float(thread + *arch + *floats, registers))
        return std::nullopt;
    return registers;
}

std::vector<ThreadInfo> Zephyr::threads() const {
    if (table_ == nullptr || count_ == nullptr || kernel_ == nullptr) return {};
    const auto current = offset(kCurrent), list = offset(kThreads), next = offset(kNext);
    if (!current || !list || !next) return {};
    const auto running = memory_.word(kernel_->value + *current);
    if (!running || *running == 0 || *running == kNone) return {};
    std::vector<ThreadInfo> threads{{*running, describe(*running, true), {}}};
    auto thread = memory_.word(kernel_->value + *list);
    bool running_listed = false;
    while (threads.size() < kMostThreads && thread && *thread != 0 && *thread != kNone) {
        // A damaged list may lead back into itself.
        const bool known =
            std::any_of(threads.begin() + 1, threads.end(),
                        [&thread](const ThreadInfo& each) { return each.id == *thread; });
        const bool runs = *thread == *running;
        if (known || (runs && running_listed)) break;
        running_listed = running_listed || runs;
        if (!runs) threads.push_back({*thread, describe(*thread, false), saved(*thread)});
        thread = memory_.word(*thread + *next);
    }
    // Memory before its initialisation looks like anything.
    if (!running_listed) threads.clear();
    return threads;
}

}  // namespace

std::vector<ThreadInfo> zephyr_threads(const KernelMemory& memory) {
    return Zephyr(memory).threads();
}

}  // namespace n6vp::sim::debugger
