// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>

#include "sim/exec/isa_disassembler.h"

namespace n6vp::sim {

/// Prints instructions as they start. Conditions of IT blocks and predicates of VPT blocks come
/// from the instructions that ran before; a block that an exception interrupts goes on where it
/// stopped when the program is back there.
class InstructionTrace {
  public:
    explicit InstructionTrace(std::ostream& out) : out_(&out) {}

    void operator()(std::uint32_t pc, std::uint32_t encoding);

  private:
    /// Makes `blocks_` what holds at `pc`.
    void go_to(std::uint32_t pc);
    void remember(std::uint32_t pc, const InstructionBlocks& blocks);

    std::ostream* out_;
    std::uint32_t last_ = 1, next_ = 1;  ///< odd: none
    InstructionBlocks before_, blocks_;  ///< at `last_` and at `next_`
    std::map<std::uint32_t, InstructionBlocks> interrupted_;
};

}  // namespace n6vp::sim
