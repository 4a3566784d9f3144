// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/exec_trace.h"

#include <fmt/format.h>

#include <ostream>

namespace n6vp::sim {

namespace {

/// Places remembered inside blocks. A program that leaves more behind starts anew.
constexpr std::size_t kMaxInterrupted = 4096;

}  // namespace

void InstructionTrace::remember(std::uint32_t pc, const InstructionBlocks& blocks) {
    if (!blocks.open()) return;
    if (interrupted_.size() >= kMaxInterrupted) interrupted_.clear();
    interrupted_[pc] = blocks;
}

void InstructionTrace::go_to(std::uint32_t pc) {
    if (pc == next_) return;
    if (pc == last_) {
        // The same instruction again, such as after a fault that its handler repaired at once.
        blocks_ = before_;
        return;
    }
    // Nothing but an exception leaves a block before its last instruction. A fault comes back to
    // the instruction, an interrupt to the next one.
    remember(last_, before_);
    remember(next_, blocks_);
    const auto known = interrupted_.find(pc);
    blocks_ = known != interrupted_.end() ? known->second : InstructionBlocks{};
}

void InstructionTrace::operator()(std::uint32_t pc, std::uint32_t encoding) {
    const bool wide = encoding > 0xFFFF;
    go_to(pc);
    before_ = blocks_;
    const std::string text = describe_instruction(encoding, wide ? 4 : 2, pc, blocks_).text;
    *out_ << (wide ? fmt::format("{:08x}: {:04x} {:04x}  {}\n", pc, encoding >> 16,
                                 encoding & 0xFFFF, text)
                   : fmt::format("{:08x}: {:04x}       {}\n", pc, encoding, text));
    last_ = pc;
    next_ = pc + (wide ? 4 : 2);
}

}  // namespace n6vp::sim
