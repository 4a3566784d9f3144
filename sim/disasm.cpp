// SPDX-License-Identifier: Apache-2.0
#include "sim/disasm.h"

#include <capstone/capstone.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace n6vp::sim {

namespace {

using traces::Instruction;

constexpr std::uint32_t kNopNarrow = 0xBF00;
constexpr std::uint32_t kNopWide = 0xF3AF8000;

std::uint32_t halfword(std::span<const std::uint8_t> code, std::size_t at) {
    return static_cast<std::uint32_t>(code[at]) | static_cast<std::uint32_t>(code[at + 1]) << 8;
}

void store_halfword(std::span<std::uint8_t> code, std::size_t at, std::uint32_t value) {
    code[at] = static_cast<std::uint8_t>(value);
    code[at + 1] = static_cast<std::uint8_t>(value >> 8);
}

std::uint32_t field(std::uint32_t value, unsigned low, unsigned width) {
    return value >> low & ((1u << width) - 1u);
}

std::uint32_t sign_extend(std::uint32_t value, unsigned width) {
    const std::uint32_t sign = 1u << (width - 1);
    return (value ^ sign) - sign;
}

/// Returns true for a special register number that MRS and MSR know in every Armv8-M core without
/// limits and banking.
bool is_classic_special(std::uint32_t number) {
    return number <= 3 || (number >= 5 && number <= 9) || (number >= 16 && number <= 20);
}

/// Returns true for the scalar floating-point forms of coprocessor space: VLDR, VSTR, VLDM, VSTM,
/// register moves and data processing of cp10 and cp11.
bool is_scalar_float(std::uint32_t encoding) {
    const std::uint32_t top = encoding >> 24;
    const std::uint32_t coprocessor = field(encoding, 8, 4);
    if (coprocessor != 10 && coprocessor != 11) return false;
    switch (top) {
        case 0xEC:
        case 0xED: {
            const bool clears_registers = (encoding & 0xFFBF0000) == 0xEC9F0000;  // VSCCLRM
            const bool lazy_state = (encoding & 0xFFE00000) == 0xEC200000;        // VLLDM, VLSTM
            return !clears_registers && !lazy_state;
        }
        case 0xEE: {
            const bool moves = field(encoding, 4, 1) != 0;
            if (!moves) return true;
            const bool status = (encoding & 0xFFEF0FFF) == 0xEEE10A10;  // VMRS, VMSR of FPSCR
            const bool core_single = (encoding & 0xFFE00F7F) == 0xEE000A10;
            return status || core_single;
        }
        case 0xFE:
            return field(encoding, 4, 1) == 0;
        default:
            return false;
    }
}

/// Returns the destination of a 32-bit branch or BL, or nothing.
std::optional<std::uint32_t> wide_branch(std::uint32_t encoding, std::uint32_t address) {
    if ((encoding & 0xF8008000) != 0xF0008000) return std::nullopt;
    const std::uint32_t sign = field(encoding, 26, 1);
    const std::uint32_t j1 = field(encoding, 13, 1);
    const std::uint32_t j2 = field(encoding, 11, 1);
    const std::uint32_t low = field(encoding, 0, 11) << 1;
    if ((encoding & 0x00001000) != 0) {  // B T4, BL T1
        const std::uint32_t i1 = 1u ^ j1 ^ sign;
        const std::uint32_t i2 = 1u ^ j2 ^ sign;
        const std::uint32_t high = sign << 24 | i1 << 23 | i2 << 22 | field(encoding, 16, 10) << 12;
        return address + 4 + sign_extend(high | low, 25);
    }
    if ((encoding & 0x00004000) != 0 || field(encoding, 22, 4) >= 14) return std::nullopt;
    const std::uint32_t high = sign << 20 | j2 << 19 | j1 << 18 | field(encoding, 16, 6) << 12;
    return address + 4 + sign_extend(high | low, 21);  // B T3
}

std::optional<std::uint32_t> narrow_branch(std::uint32_t encoding, std::uint32_t address) {
    if ((encoding & 0xF800) == 0xE000)
        return address + 4 + sign_extend(field(encoding, 0, 11) << 1, 12);
    if ((encoding & 0xF000) == 0xD000 && field(encoding, 8, 4) < 14) {
        return address + 4 + sign_extend(field(encoding, 0, 8) << 1, 9);
    }
    if ((encoding & 0xF500) == 0xB100) {  // CBZ, CBNZ
        return address + 4 + (field(encoding, 9, 1) << 6 | field(encoding, 3, 5) << 1);
    }
    return std::nullopt;
}

/// Returns the address that a literal load reads, or nothing.
std::optional<std::uint32_t> literal(std::uint32_t encoding, bool wide, std::uint32_t address) {
    const std::uint32_t base = (address + 4) & ~3u;
    if (!wide && (encoding & 0xF800) == 0x4800) return base + (field(encoding, 0, 8) << 2);
    if (wide && (encoding & 0xFF7F0000) == 0xF85F0000) {
        const std::uint32_t offset = field(encoding, 0, 12);
        return (encoding & 0x00800000) != 0 ? base + offset : base - offset;
    }
    return std::nullopt;
}

void find_target(Instruction& instruction) {
    const bool wide = instruction.bytes == 4;
    const auto branch = wide ? wide_branch(instruction.encoding, instruction.address)
                             : narrow_branch(instruction.encoding, instruction.address);
    instruction.branches = branch.has_value();
    instruction.target = branch ? branch : literal(instruction.encoding, wide, instruction.address);
}

/// Data processing with a shifted register: the CSEL family and the long shifts live where ORRS
/// would have bit 15 set or SP or PC as a register. Bit 15 is reserved in the whole group.
bool is_fenced_register_form(std::uint32_t encoding) {
    const std::uint32_t first = encoding >> 16;
    if ((first & 0xFE00) != 0xEA00) return false;
    if ((encoding & 0x8000) != 0) return true;
    const std::uint32_t rm = field(encoding, 0, 4);
    const std::uint32_t rd = field(encoding, 8, 4);
    return (first & 0xFFF0) == 0xEA50 && (rm == 13 || rm == 15 || rd == 13 || rd == 15);
}

/// Branches, system registers and saturation.
bool is_fenced_control(std::uint32_t encoding) {
    const std::uint32_t first = encoding >> 16;
    const std::uint32_t second = encoding & 0xFFFF;
    // The room of BLX (immediate), which an M-profile core lacks: DLS, WLS, LE, BF.
    if ((first & 0xF800) == 0xF000 && (second & 0xD000) == 0xC000) return true;
    const bool reads_special = (first & 0xFFE0) == 0xF3E0 && (second & 0xD000) == 0x8000;
    if (reads_special && first != 0xF3EF) return true;  // banked registers of other profiles
    const bool moves_special = first == 0xF3EF || (first & 0xFFE0) == 0xF380;
    if (moves_special && (second & 0xD000) == 0x8000) return !is_classic_special(second & 0xFF);
    // SMC and HVC belong to other profiles.
    if ((first & 0xFFE0) == 0xF7E0 && (second & 0xD000) == 0x8000) return (second & 0x2000) == 0;
    // SSAT, USAT and bit fields have neither immediate bit 26 nor bit 5; Capstone does not look at
    // them.
    const bool plain_immediate = (first & 0xFB00) == 0xF300 && (second & 0x8000) == 0;
    return plain_immediate && ((first & 0x0400) != 0 || (second & 0x0020) != 0);
}

/// Loads, stores and the data processing that this profile lacks.
bool is_fenced_other(std::uint32_t encoding) {
    const std::uint32_t first = encoding >> 16;
    const std::uint32_t second = encoding & 0xFFFF;
    if (first == 0xE89F) return true;             // CLRM
    if ((first & 0xFFE0) == 0xFAC0) return true;  // CRC32, absent here
    if ((first & 0xFF10) == 0xF900) return true;  // Neon structures, absent here
    if ((first & 0xFFF0) == 0xE840) return (second & 0xF000) == 0xF000;  // TT, TTA, TTT, TTAT
    if ((first & 0xFFE0) == 0xE8C0)
        return (second & 0x0070) == 0x0070;  // LDREXD and family, absent here
    const bool preload_write = (first & 0xFFF0) == 0xF8B0 || (first & 0xFFF0) == 0xF830;
    return preload_write && (second & 0xF000) == 0xF000;  // PLDW, absent here
}

/// Returns true for text that names what this core does not have: registers d16 to d31, Q registers
/// as Neon uses them, the FLDMX forms, vector names outside floating-point space.
bool is_foreign(std::string_view text, std::uint32_t encoding, std::uint32_t bytes) {
    if (text.starts_with("fldm") || text.starts_with("fstm")) return true;
    if (text.front() == 'v' && (bytes == 2 || (encoding >> 24 & 0xEC) != 0xEC)) return true;
    for (std::size_t at = text.find_first_of("dq", 1); at != std::string_view::npos;
         at = text.find_first_of("dq", at + 1)) {
        const bool starts_name = text[at - 1] == ' ' || text[at - 1] == '{' || text[at - 1] == '-';
        if (!starts_name || at + 1 >= text.size()) continue;
        const std::string_view number = text.substr(at + 1, 2);
        if (number[0] < '0' || number[0] > '9') continue;
        if (text[at] == 'q') return true;
        const bool two_digits = number.size() == 2 && number[1] >= '0' && number[1] <= '9';
        if (two_digits && (number[0] > '1' || number[1] > '5')) return true;
    }
    return false;
}

class CapstoneDisassembler : public traces::Disassembler {
  public:
    CapstoneDisassembler() {
        const auto mode = static_cast<cs_mode>(CS_MODE_THUMB | CS_MODE_MCLASS | CS_MODE_V8);
        if (cs_open(CS_ARCH_ARM, mode, &handle_) != CS_ERR_OK) {
            throw std::runtime_error("Capstone was built without the Arm architecture");
        }
        // r9 instead of sb: in a model r9 is the RAM base, and that is the name users know.
        cs_option(handle_, CS_OPT_SYNTAX, CS_OPT_SYNTAX_NOREGNAME);
        instruction_ = cs_malloc(handle_);
    }
    ~CapstoneDisassembler() override {
        cs_free(instruction_, 1);
        cs_close(&handle_);
    }
    CapstoneDisassembler(const CapstoneDisassembler&) = delete;
    CapstoneDisassembler& operator=(const CapstoneDisassembler&) = delete;

    [[nodiscard]] std::vector<Instruction> decode(std::span<const std::uint8_t> code,
                                                  std::uint32_t address) const override;

  private:
    void name_block(std::span<Instruction> block) const;

    csh handle_ = 0;
    cs_insn* instruction_ = nullptr;
};

/// Cuts code into instructions by the halfword rule alone; every text is `.inst`.
std::vector<Instruction> cut(std::span<const std::uint8_t> code, std::uint32_t address) {
    std::vector<Instruction> list;
    list.reserve(code.size() / 2 + 1);
    std::size_t at = 0;
    while (at < code.size()) {
        Instruction next;
        next.address = address + static_cast<std::uint32_t>(at);
        if (at + 1 == code.size()) {
            next.encoding = code[at];
            next.bytes = 1;
            next.text = fmt::format(".byte 0x{:02x}", next.encoding);
        } else {
            next.encoding = halfword(code, at);
            const bool wide = is_wide(next.encoding) && at + 4 <= code.size();
            if (wide) next.encoding = next.encoding << 16 | halfword(code, at + 2);
            next.bytes = wide ? 4 : 2;
            next.text = wide ? fmt::format(".inst.w 0x{:08x}", next.encoding)
                             : fmt::format(".inst.n 0x{:04x}", next.encoding);
        }
        at += next.bytes;
        list.push_back(std::move(next));
    }
    return list;
}

bool is_fenced(const Instruction& instruction) {
    if (instruction.bytes == 1) return true;
    if (instruction.bytes == 4) return is_fenced_32(instruction.encoding);
    return is_wide(instruction.encoding) || is_fenced_16(instruction.encoding);
}

/// Returns how many instructions an IT instruction governs, or 0 if this is none.
std::size_t it_length(const Instruction& instruction) {
    if (instruction.bytes != 2 || (instruction.encoding & 0xFF00) != 0xBF00) return 0;
    const std::uint32_t mask = instruction.encoding & 0xF;
    if (mask == 0) return 0;
    return (mask & 1) != 0 ? 4 : (mask & 2) != 0 ? 3 : (mask & 4) != 0 ? 2 : 1;
}

void put(std::array<std::uint8_t, 20>& buffer, std::size_t& used, std::uint32_t encoding,
         std::uint32_t bytes) {
    if (bytes == 4) {
        store_halfword(buffer, used, encoding >> 16);
        used += 2;
    }
    store_halfword(buffer, used, encoding & 0xFFFF);
    used += 2;
}

std::vector<Instruction> CapstoneDisassembler::decode(std::span<const std::uint8_t> code,
                                                      std::uint32_t address) const {
    std::vector<Instruction> list = cut(code, address);
    std::size_t at = 0;
    while (at < list.size()) {
        const bool is_it = it_length(list[at]) != 0 && !is_fenced(list[at]);
        const std::size_t length = is_it ? std::min(1 + it_length(list[at]), list.size() - at) : 1;
        name_block(std::span(list).subspan(at, length));
        at += length;
    }
    return list;
}

/// Names one instruction, or an IT with the instructions it governs. Capstone follows an IT only
/// within one call, so what it may not see, and what it refuses, is given to it as a NOP of the
/// same width.
void CapstoneDisassembler::name_block(std::span<Instruction> block) const {
    std::array<std::uint8_t, 20> buffer{};
    std::size_t used = 0;
    std::array<bool, 5> hidden{};
    for (std::size_t index = 0; index < block.size(); ++index) {
        hidden[index] = is_fenced(block[index]);
        if (!hidden[index] &&
            index != 0) {  // alone first: what is refused alone would end the block
            Instruction alone = block[index];
            std::array<std::uint8_t, 20> single{};
            std::size_t bytes = 0;
            put(single, bytes, alone.encoding, alone.bytes);
            const std::uint8_t* from = single.data();
            std::uint64_t where = alone.address;
            hidden[index] = !cs_disasm_iter(handle_, &from, &bytes, &where, instruction_);
        }
        const std::uint32_t nop = block[index].bytes == 4 ? kNopWide : kNopNarrow;
        put(buffer, used, hidden[index] ? nop : block[index].encoding, block[index].bytes);
    }
    cs_insn* named = nullptr;
    const std::size_t count =
        cs_disasm(handle_, buffer.data(), used, block.front().address, block.size(), &named);
    for (std::size_t index = 0; index < count; ++index) {
        Instruction& to = block[index];
        if (hidden[index] || named[index].size != to.bytes) continue;
        std::string text = named[index].mnemonic;
        if (named[index].op_str[0] != '\0') text += fmt::format(" {}", named[index].op_str);
        if (is_foreign(text, to.encoding, to.bytes)) continue;
        to.named = true;
        to.text = std::move(text);
        find_target(to);
    }
    if (count != 0) cs_free(named, count);
}

}  // namespace

bool is_fenced_16(std::uint32_t encoding) {
    // BX and BLX with any of bits 2..0 set: BXNS, BLXNS, or reserved. HLT is no instruction of an
    // M-profile core.
    return (encoding & 0xFFC0) == 0xBA80 || ((encoding & 0xFF00) == 0x4700 && (encoding & 7) != 0);
}

bool is_fenced_32(std::uint32_t encoding) {
    const std::uint32_t top = encoding >> 24;
    if ((top & 0xEC) == 0xEC) return !is_scalar_float(encoding);
    return is_fenced_register_form(encoding) || is_fenced_control(encoding) ||
           is_fenced_other(encoding);
}

std::unique_ptr<traces::Disassembler> make_disassembler() {
    return std::make_unique<CapstoneDisassembler>();
}

}  // namespace n6vp::sim
