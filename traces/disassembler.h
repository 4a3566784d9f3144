// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace n6vp::traces {

/// One T32 instruction as text.
struct Instruction {
    std::uint32_t address = 0;
    std::uint32_t encoding = 0;  ///< first halfword in the upper half for a 32-bit encoding
    std::uint32_t bytes = 2;     ///< 2 or 4; 1 for an odd last byte
    bool named = false;          ///< false: the text is `.inst.n` or `.inst.w` and the encoding
    std::string text;            ///< mnemonic, one blank, operands
    /// Branch destination or address of the literal that is loaded.
    std::optional<std::uint32_t> target;
    bool branches = false;  ///< `target` is a branch destination
};

/// Gives names to instructions. An implementation never guesses: what it does not know for certain
/// is `.inst`. There is one per instruction set: sim/exec makes them from the core's own decode
/// table, with the features of each core.
class Disassembler {
  public:
    Disassembler() = default;
    Disassembler(const Disassembler&) = delete;
    Disassembler& operator=(const Disassembler&) = delete;
    virtual ~Disassembler() = default;

    /// Returns the instructions of `code`, which lies at `address` (even), in order and without
    /// gaps. IT blocks are followed if they start inside `code`. An odd last byte is `.byte`, half
    /// of a last instruction `.inst.n`.
    [[nodiscard]] virtual std::vector<Instruction> decode(std::span<const std::uint8_t> code,
                                                          std::uint32_t address) const = 0;
};

}  // namespace n6vp::traces
