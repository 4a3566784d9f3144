// SPDX-License-Identifier: Apache-2.0
#include "sim/ecdump/ec_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace n6vp::sim {

namespace {

namespace ec = loader::ec;
using ec::Instruction;
using ec::Opcode;

/// Returns true if a symbol can stand in the text as it is.
bool is_plain(std::string_view symbol) {
    return !symbol.empty() && std::all_of(symbol.begin(), symbol.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.' || c == '$' || c == '-';
    });
}

std::string field_text(std::uint32_t msb, std::uint32_t lsb) {
    return msb == lsb ? fmt::format("[{}]", lsb) : fmt::format("[{}:{}]", msb, lsb);
}

std::string value_text(const EcInstruction& instruction, std::size_t operand,
                       const EcRelocations& relocations) {
    const std::uint32_t value = instruction.operands[operand];
    const auto index = static_cast<std::uint32_t>(instruction.index + 1 + operand);
    const auto symbol = relocations.find(index);
    if (symbol == relocations.end() || !is_plain(symbol->second)) {
        return fmt::format("0x{:x}", value);
    }
    return fmt::format("{}(0x{:x})", symbol->second, value);
}

/// Returns true if the text forms give this first word back.
bool has_text_form(Instruction head) {
    switch (head.opcode()) {
        case Opcode::Write:
        case Opcode::Poll:
            return head.reserved_bit() == 0;
        case Opcode::WriteField:
            return head.lsb() + head.field_width() <= 32 &&
                   head.field_value() >> head.field_width() == 0;
        case Opcode::Burst:
        case Opcode::BurstIncrement:
        case Opcode::Irq:
        case Opcode::Label:
            return true;
    }
    return false;
}

std::string words_text(const EcInstruction& instruction, const EcRelocations& relocations) {
    std::string text = fmt::format("word 0x{:08x}", instruction.head.word);
    for (std::size_t k = 0; k < instruction.operands.size(); ++k) {
        text += "\nword " + value_text(instruction, k, relocations);
    }
    return text;
}

}  // namespace

std::string EcFault::text() const {
    const Instruction head{word};
    if (needed == 0) {
        return fmt::format("word {} (0x{:08x}) has the unknown opcode 0x{:02x}", index, word,
                           head.code());
    }
    return fmt::format(
        "word {} (0x{:08x}), opcode 0x{:02x}, takes {} operands, but the blob has {} "
        "more words",
        index, word, head.code(), needed, left);
}

std::vector<EcInstruction> decode_stream(std::span<const std::uint32_t> words,
                                         std::optional<EcFault>& fault) {
    std::vector<EcInstruction> instructions;
    fault.reset();
    for (std::size_t at = 0; at < words.size();) {
        const Instruction head{words[at]};
        const std::size_t length = head.words();
        const std::size_t left = words.size() - at - 1;
        if (length == 0 || length - 1 > left) {
            fault = EcFault{static_cast<std::uint32_t>(at), head.word,
                            length == 0 ? 0 : static_cast<std::uint32_t>(length - 1),
                            static_cast<std::uint32_t>(left)};
            break;
        }
        instructions.push_back(
            {static_cast<std::uint32_t>(at), head, words.subspan(at + 1, length - 1)});
        at += length;
    }
    return instructions;
}

std::string instruction_text(const EcInstruction& instruction, const EcRelocations& relocations) {
    const Instruction head = instruction.head;
    if (!has_text_form(head)) return words_text(instruction, relocations);
    const std::string place = fmt::format("{} {}", head.ip(), head.offset() / 4);
    const std::string field = field_text(head.msb(), head.lsb());
    switch (head.opcode()) {
        case Opcode::Write: {
            const bool whole = head.msb() == 31 && head.lsb() == 0;
            return fmt::format("write {} {}{}", place, whole ? "" : field + " ",
                               value_text(instruction, 0, relocations));
        }
        case Opcode::WriteField:
            return fmt::format("writefield {} {} 0x{:x}", place,
                               field_text(head.lsb() + head.field_width() - 1, head.lsb()),
                               head.field_value());
        case Opcode::Poll:
            return fmt::format("poll {} {} 0x{:x} {}", place, field, instruction.operands[1],
                               instruction.operands[0]);
        case Opcode::Burst:
        case Opcode::BurstIncrement: {
            std::string text = head.opcode() == Opcode::Burst ? "burstwrite " : "burstwriteinc ";
            text += place;
            for (std::size_t k = 0; k < instruction.operands.size(); ++k) {
                text += ' ' + value_text(instruction, k, relocations);
            }
            return text;
        }
        case Opcode::Irq:
            return fmt::format("irq 0x{:x}", head.number());
        case Opcode::Label:
            return fmt::format("label 0x{:x}", head.number());
    }
    return words_text(instruction, relocations);
}

}  // namespace n6vp::sim
