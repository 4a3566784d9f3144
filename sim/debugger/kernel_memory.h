// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "sim/debugger/saved_registers.h"
#include "sim/host/elf.h"

namespace n6vp::sim::debugger {

/// What an operating system left in memory, as a debugger looks for it: by symbol and by address.
/// Nothing in it is trusted; what is not there is no value.
class KernelMemory {
  public:
    using Read = std::function<bool(std::uint32_t address, std::span<std::uint8_t> bytes)>;

    /// `armv8`: the core is of Armv8-M, whose ports of kernels save other words. Both arguments
    /// must outlive the object.
    KernelMemory(const ElfFile& symbols, Read read, bool armv8)
        : symbols_(symbols), read_(std::move(read)), armv8_(armv8) {}

    [[nodiscard]] bool armv8() const { return armv8_; }
    [[nodiscard]] const ElfSymbol* symbol(const char* name) const {
        return symbols_.find_symbol(name);
    }
    [[nodiscard]] std::optional<std::uint32_t> word(std::uint32_t address) const;
    [[nodiscard]] std::optional<std::uint8_t> byte(std::uint32_t address) const;
    /// Returns the word at a symbol.
    [[nodiscard]] std::optional<std::uint32_t> word_of(const char* name) const;
    /// Returns the characters before a zero, at most as many.
    [[nodiscard]] std::string text(std::uint32_t address, std::uint32_t most) const;

    /// Fills r0 to r3, r12, lr, pc, xPSR, sp, and with `extended` s0 to s15, FPSCR and VPR, from
    /// the frame that the exception entry left at `frame` (Armv8-M manual, B3.19: 8 words, or 26).
    /// FPCCR.TS, which lengthens the frame, is taken to be 0, its value of the reset. Returns false
    /// if there is no memory.
    [[nodiscard]] bool unstack(std::uint32_t frame, bool extended, SavedRegisters& registers) const;
    /// Fills r4 to r11 from eight words.
    [[nodiscard]] bool take_high(std::uint32_t at, SavedRegisters& registers) const;
    /// Fills s16 to s31 from sixteen words.
    [[nodiscard]] bool take_high_float(std::uint32_t at, SavedRegisters& registers) const;

    static constexpr std::uint32_t kWord = 4, kHighBytes = 8 * kWord, kHighFloatBytes = 16 * kWord;

  private:
    const ElfFile& symbols_;
    Read read_;
    bool armv8_;
};

/// Returns true for EXC_RETURN to a thread on the process stack, Secure or Non-secure.
[[nodiscard]] constexpr bool is_thread_return(std::uint32_t value) {
    // Bits 31 to 7 are ones; 3 and 2: thread, process stack; 1 is zero.
    return value >> 7 == 0xFFFFFFFF >> 7 && (value & 0xE) == 0xC;
}
/// Returns true if that return takes a frame with floating-point registers.
[[nodiscard]] constexpr bool is_extended(std::uint32_t exc_return) {
    constexpr std::uint32_t kStandardFrame = 1u << 4;
    return (exc_return & kStandardFrame) == 0;
}

}  // namespace n6vp::sim::debugger
