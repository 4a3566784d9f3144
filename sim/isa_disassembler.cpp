// SPDX-License-Identifier: Apache-2.0
#include "sim/isa_disassembler.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "models/core/isa/control/target.h"
#include "models/core/isa/row.h"

namespace n6vp::sim {

namespace {

namespace isa = models::core::isa;
using traces::Instruction;

/// What earlier instructions say about the next one.
class Blocks {
  public:
    [[nodiscard]] isa::TextContext context(std::uint32_t pc) const {
        isa::TextContext context;
        context.pc = pc;
        context.in_it = itstate_ != 0;
        if (context.in_it) context.condition = itstate_ >> 4;
        if (mask_ != 0) context.vector_predicate = inverted_ ? 'e' : 't';
        return context;
    }

    /// Goes past one instruction; `row` is null if it is undefined.
    void pass(const isa::Row* row, std::uint32_t encoding) {
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

  private:
    std::uint32_t itstate_ = 0;
    std::uint32_t mask_ = 0;  ///< of a VPT block, as in VPR
    bool inverted_ = false;
};

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

class IsaDisassembler : public traces::Disassembler {
  public:
    [[nodiscard]] std::vector<Instruction> decode(std::span<const std::uint8_t> code,
                                                  std::uint32_t address) const override {
        std::vector<Instruction> list;
        list.reserve(code.size() / 2 + 1);
        Blocks blocks;
        for (std::size_t at = 0; at < code.size(); at += list.back().bytes) {
            list.push_back(next(code, at, address, blocks));
        }
        return list;
    }

  private:
    static Instruction next(std::span<const std::uint8_t> code, std::size_t at,
                            std::uint32_t address, Blocks& blocks) {
        Instruction instruction;
        instruction.address = address + static_cast<std::uint32_t>(at);
        if (at + 1 == code.size()) {
            instruction.encoding = code[at];
            instruction.bytes = 1;
            instruction.text = fmt::format(".byte 0x{:02x}", instruction.encoding);
            return instruction;
        }
        instruction.encoding = halfword(code, at);
        const bool starts_wide = isa::is_wide(instruction.encoding);
        const bool wide = starts_wide && at + 4 <= code.size();
        if (wide) instruction.encoding = instruction.encoding << 16 | halfword(code, at + 2);
        instruction.bytes = wide ? 4 : 2;
        instruction.text = wide ? fmt::format(".inst.w 0x{:08x}", instruction.encoding)
                                : fmt::format(".inst.n 0x{:04x}", instruction.encoding);
        const isa::Row* row = nullptr;
        if (wide) row = isa::find_row_32(instruction.encoding);
        if (!starts_wide) row = isa::find_row_16(instruction.encoding);
        if (row != nullptr) name(instruction, *row, blocks.context(instruction.address));
        blocks.pass(row, instruction.encoding);
        return instruction;
    }
};

}  // namespace

std::unique_ptr<traces::Disassembler> make_disassembler() {
    return std::make_unique<IsaDisassembler>();
}

}  // namespace n6vp::sim
