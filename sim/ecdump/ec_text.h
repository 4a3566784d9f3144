// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loader/ec_instruction.h"

/// The text form of epoch-controller streams, as the vendor's generator prints it, one instruction
/// a line: `write IP REG VALUE`, `writefield IP REG [BIT] VALUE`, `poll IP REG [BIT] EXPECTED 100`,
/// `burstwrite IP REG VALUE…`, `burstwriteinc IP REG VALUE…`, `label NUMBER`, `irq NUMBER`; REG
/// counts words, `;;` starts a comment, `SYMBOL(OFFSET)` is a word that is relocated. Ours beside
/// it:
/// `[MSB:LSB]` for wider fields, `word VALUE` for a word that no instruction form gives.
namespace n6vp::sim {

/// Symbol of each relocated word, by its number counted from the first instruction.
using EcRelocations = std::map<std::uint32_t, std::string>;

/// One instruction in its stream.
struct EcInstruction {
    std::uint32_t index = 0;  ///< of its first word, counted from the first instruction
    loader::ec::Instruction head;
    std::span<const std::uint32_t> operands;
};

/// Why a stream cannot be decoded any further.
struct EcFault {
    std::uint32_t index = 0;  ///< of the word
    std::uint32_t word = 0;
    std::uint32_t needed = 0;  ///< operands that the instruction has; 0: the opcode is unknown
    std::uint32_t left = 0;    ///< words behind it

    /// Returns one sentence without a full stop, with opcode and word number.
    [[nodiscard]] std::string text() const;
};

/// Cuts a stream into instructions. `fault` says where that ended, if not at the end.
[[nodiscard]] std::vector<EcInstruction> decode_stream(std::span<const std::uint32_t> words,
                                                       std::optional<EcFault>& fault);

/// Returns the instruction as text that assembles to the same words; more than one line if it takes
/// `word`.
[[nodiscard]] std::string instruction_text(const EcInstruction& instruction,
                                           const EcRelocations& relocations);

/// What a text assembles to.
struct EcAssembly {
    std::vector<std::uint32_t> words;  ///< instructions only
    EcRelocations relocations;         ///< their words hold the offsets
};

/// Assembles a text. Fails with UserError, naming the line.
[[nodiscard]] EcAssembly assemble(std::string_view text);

}  // namespace n6vp::sim
