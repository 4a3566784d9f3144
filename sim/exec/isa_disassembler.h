// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "models/core/isa/row.h"
#include "traces/disassembler.h"

namespace n6vp::sim {

/// What earlier instructions say about the next one: IT and VPT blocks.
class InstructionBlocks {
  public:
    [[nodiscard]] models::core::isa::TextContext context(std::uint32_t pc) const;
    /// Goes past one instruction; `row` is null if it is undefined.
    void pass(const models::core::isa::Row* row, std::uint32_t encoding);
    /// Returns true if the next instruction belongs to a block.
    [[nodiscard]] bool open() const { return itstate_ != 0 || mask_ != 0; }

  private:
    std::uint32_t itstate_ = 0;
    std::uint32_t mask_ = 0;  ///< of a VPT block, as in VPR
    bool inverted_ = false;
};

/// Returns the instruction with `encoding` at `address`, `bytes` 2 or 4, and goes past it in
/// `blocks`.
[[nodiscard]] traces::Instruction describe_instruction(
    std::uint32_t encoding, unsigned bytes, std::uint32_t address, InstructionBlocks& blocks,
    models::core::isa::Feature features = models::core::isa::kEveryFeature);

/// Returns a disassembler that prints what a core of these features would execute, from the core's
/// own decode table; by default all of Armv8.1-M with the vector extension. Branch destinations are
/// absolute. Undefined encodings are `.inst`.
[[nodiscard]] std::unique_ptr<traces::Disassembler> make_disassembler(
    models::core::isa::Feature features = models::core::isa::kEveryFeature);

}  // namespace n6vp::sim
