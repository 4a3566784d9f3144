// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/isa_disassembler.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "models/core/isa/control/target.h"
#include "models/core/isa/row.h"

namespace n6vp::sim {

namespace {

namespace isa = models::core::isa;
using traces::Instruction;

std::uint32_t halfword(std::span<const std::uint8_t> code, std::size_t at) {
    return code[at] | std::uint32_t{code[at + 1]} << 8;
}

void name(Instruction& instruction, const isa::Row& row, const isa::TextContext& context) {
    instruction.named = true;
    instruction.text = isa::print(row, instruction.encoding, context);
    const auto target = isa::find_target(row, instruction.encoding, instruction.address);
    if (!target) return;
    instruction.target = target->address;
    instruction.branches = target->branches;
    if (!target->branches) return;
    // The destination is the last operand, counted from the PC.
    instruction.text.resize(instruction.text.rfind('#'));
    instruction.text += fmt::format("#0x{:x}", target->address);
}

/// Returns the row of an encoding of `bytes` bytes, or null. A first half without its second is no
/// instruction.
const isa::Row* find_row(std::uint32_t encoding, unsigned bytes, isa::Feature features) {
    const isa::InstructionSet& set = isa::InstructionSet::of(features);
    if (bytes == 4) return set.find_32(encoding);
    return isa::is_wide(encoding) ? nullptr : set.find_16(encoding);
}

class IsaDisassembler : public traces::Disassembler {
  public:
    explicit IsaDisassembler(isa::Feature features) : features_(features) {}
    [[nodiscard]] std::vector<Instruction> decode(std::span<const std::uint8_t> code,
                                                  std::uint32_t address) const override {
        std::vector<Instruction> list;
        list.reserve(code.size() / 2 + 1);
        InstructionBlocks blocks;
        for (std::size_t at = 0; at < code.size(); at += list.back().bytes) {
            list.push_back(next(code, at, address, blocks));
        }
        return list;
    }

  private:
    [[nodiscard]] Instruction next(std::span<const std::uint8_t> code, std::size_t at,
                                   std::uint32_t address, InstructionBlocks& blocks) const {
        const std::uint32_t here = address + static_cast<std::uint32_t>(at);
        if (at + 1 == code.size()) {
            Instruction odd;
            odd.address = here;
            odd.encoding = code[at];
            odd.bytes = 1;
            odd.text = fmt::format(".byte 0x{:02x}", odd.encoding);
            return odd;
        }
        const std::uint32_t first = halfword(code, at);
        const bool wide = isa::is_wide(first) && at + 4 <= code.size();
        const std::uint32_t encoding = wide ? first << 16 | halfword(code, at + 2) : first;
        return describe_instruction(encoding, wide ? 4 : 2, here, blocks, features_);
    }

    isa::Feature features_;
};

}  // namespace

isa::TextContext InstructionBlocks::context(std::uint32_t pc) const {
    isa::TextContext context;
    context.pc = pc;
    context.in_it = itstate_ != 0;
    if (context.in_it) context.condition = itstate_ >> 4;
    if (mask_ != 0) context.vector_predicate = inverted_ ? 'e' : 't';
    return context;
}

void InstructionBlocks::pass(const isa::Row* row, std::uint32_t encoding) {
    itstate_ = (itstate_ & 7) == 0 ? 0 : (itstate_ & 0xE0) | (itstate_ << 1 & 0x1F);
    // A mask bit above the last one inverts the predicate of the instruction after it.
    if (mask_ > 8) inverted_ = !inverted_;
    mask_ = mask_ << 1 & 15;
    if (row == nullptr) return;
    const std::string_view title = row->title;
    const isa::Fields fields(row->pattern, encoding);
    if (title.starts_with("IT ")) itstate_ = encoding & 0xFF;
    if (title.starts_with("VPT ") || title.starts_with("VPST ")) {
        mask_ = fields['k'];
        inverted_ = false;
    }
}

Instruction describe_instruction(std::uint32_t encoding, unsigned bytes, std::uint32_t address,
                                 InstructionBlocks& blocks, isa::Feature features) {
    Instruction instruction;
    instruction.address = address;
    instruction.encoding = encoding;
    instruction.bytes = bytes;
    instruction.text = bytes == 4 ? fmt::format(".inst.w 0x{:08x}", encoding)
                                  : fmt::format(".inst.n 0x{:04x}", encoding);
    const isa::Row* const row = find_row(encoding, bytes, features);
    if (row != nullptr) name(instruction, *row, blocks.context(address));
    blocks.pass(row, encoding);
    return instruction;
}

std::unique_ptr<traces::Disassembler> make_disassembler(isa::Feature features) {
    return std::make_unique<IsaDisassembler>(features);
}

}  // namespace n6vp::sim
