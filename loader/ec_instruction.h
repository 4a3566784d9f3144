// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "memmap/npu/clkctrl.h"
#include "memmap/npu/streng.h"

/// Encodings of the epoch controller's instructions. Widths and positions of the observed subset
/// are certain; the wide form of `writefield` is a guess, marked where it is decoded.
namespace n6vp::loader::ec {

enum class Opcode : std::uint8_t {
    Write = 0x00,           ///< 2 words: field msb..lsb of a register := word 1
    WriteField = 0x01,      ///< 1 word: field of a register := small immediate
    Burst = 0x02,           ///< 1+n words, all written to one register in order
    BurstIncrement = 0x03,  ///< 1+n words, written to consecutive registers
    Poll = 0x04,            ///< 3 words: wait until field msb..lsb == word 2
    Irq = 0x0C,
    Label = 0x1D,
};

/// The only value ever seen in word 1 of `poll`; what it means is not known.
inline constexpr std::uint32_t kPollOperand = 100;

/// Registers that the checks need by name: unit number and byte offset in its page.
inline constexpr std::uint32_t kClockControlIp = memmap::npu::kClkctrl.first_page;
inline constexpr std::uint32_t kBackboneGates =
    memmap::npu::reg(memmap::npu::kClkctrl, "BGATES").offset;
inline constexpr std::uint32_t kFirstStreamIp = memmap::npu::kStreng.first_page;
inline constexpr std::uint32_t kLastStreamIp = kFirstStreamIp + memmap::npu::kStreng.count - 1;
inline constexpr std::uint32_t kStreamAddr = memmap::npu::reg(memmap::npu::kStreng, "ADDR").offset;
inline constexpr std::uint32_t kStreamLimitAddr =
    memmap::npu::reg(memmap::npu::kStreng, "LIMITADDR").offset;
inline constexpr std::uint32_t kStreamEncryptLow =
    memmap::npu::reg(memmap::npu::kStreng, "ENCR_LSB").offset;
inline constexpr std::uint32_t kStreamEncryptHigh =
    memmap::npu::reg(memmap::npu::kStreng, "ENCR_MSB").offset;

/// First word of an instruction, with its fields.
struct Instruction {
    std::uint32_t word = 0;

    [[nodiscard]] constexpr std::uint32_t code() const { return word & 0x1F; }
    [[nodiscard]] constexpr Opcode opcode() const { return static_cast<Opcode>(code()); }
    /// Returns the unit: base offset in the NPU / 0x1000. Above 31 there is none.
    [[nodiscard]] constexpr std::uint32_t ip() const { return word >> 26; }
    /// Returns the byte offset of the (first) register in its unit.
    [[nodiscard]] constexpr std::uint32_t offset() const {
        return opcode() == Opcode::WriteField ? (word >> 21 & 0x1F) * 4 : (word >> 16 & 0x3FF) * 4;
    }
    [[nodiscard]] constexpr std::uint32_t reserved_bit() const {
        return word >> 15 & 1;
    }  ///< write, poll
    [[nodiscard]] constexpr std::uint32_t msb() const {
        return word >> 10 & 0x1F;
    }  ///< write, poll
    [[nodiscard]] constexpr std::uint32_t lsb() const {
        return word >> 5 & 0x1F;
    }  ///< and writefield
    [[nodiscard]] constexpr std::uint32_t burst() const { return word >> 5 & 0x7FF; }
    /// Returns the number of `irq` or `label`.
    [[nodiscard]] constexpr std::uint32_t number() const { return word >> 5; }
    [[nodiscard]] constexpr std::uint32_t field_width() const {
        return (word >> 10 & 7) + 1;
    }  ///< assumed
    [[nodiscard]] constexpr std::uint32_t field_value() const {
        return word >> 13 & 0xFF;
    }  ///< assumed
    [[nodiscard]] constexpr bool field_is_wide() const { return (word & 0x001FDC00u) != 0; }

    /// Returns the most data words of a burst.
    static constexpr std::uint32_t kMaxBurst = 0x7FF;

    /// Returns the length in words, or 0 for an unknown opcode.
    [[nodiscard]] constexpr std::uint32_t words() const {
        switch (opcode()) {
            case Opcode::Write:
                return 2;
            case Opcode::Burst:
            case Opcode::BurstIncrement:
                return 1 + burst();
            case Opcode::Poll:
                return 3;
            case Opcode::WriteField:
            case Opcode::Irq:
            case Opcode::Label:
                return 1;
        }
        return 0;
    }
};

/// First words of instructions, to write streams. `offset` is the byte offset of the register;
/// values are truncated to their fields.
namespace encode {

/// Returns the first word of `write` or `poll`.
[[nodiscard]] constexpr std::uint32_t access(Opcode opcode, std::uint32_t ip, std::uint32_t offset,
                                             std::uint32_t msb, std::uint32_t lsb) {
    return ip << 26 | ((offset / 4) & 0x3FF) << 16 | (msb & 0x1F) << 10 | (lsb & 0x1F) << 5 |
           static_cast<std::uint32_t>(opcode);
}

/// Returns the first word of either burst of `count` values.
[[nodiscard]] constexpr std::uint32_t burst(Opcode opcode, std::uint32_t ip, std::uint32_t offset,
                                            std::uint32_t count) {
    return ip << 26 | ((offset / 4) & 0x3FF) << 16 | (count & 0x7FF) << 5 |
           static_cast<std::uint32_t>(opcode);
}

/// Returns `writefield`. Widths above 1 are assumed (1 … 8).
[[nodiscard]] constexpr std::uint32_t write_field(std::uint32_t ip, std::uint32_t offset,
                                                  std::uint32_t lsb, std::uint32_t width,
                                                  std::uint32_t value) {
    return ip << 26 | ((offset / 4) & 0x1F) << 21 | (value & 0xFF) << 13 | ((width - 1) & 7) << 10 |
           (lsb & 0x1F) << 5 | static_cast<std::uint32_t>(Opcode::WriteField);
}

/// Returns `irq` or `label`.
[[nodiscard]] constexpr std::uint32_t numbered(Opcode opcode, std::uint32_t number) {
    return number << 5 | static_cast<std::uint32_t>(opcode);
}

}  // namespace encode

}  // namespace n6vp::loader::ec
