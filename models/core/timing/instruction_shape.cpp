// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/instruction_shape.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

namespace n6vp::models::core {

using isa::Issue;

namespace {

struct Mnemonic {
    std::string_view name;
    Kind kind;
};

/// Instructions by the first word of their row's title. What is not here is found by its issue
/// class.
constexpr Mnemonic kMnemonics[] = {
    {"ADC", Kind::Arithmetic},
    {"ADD", Kind::Arithmetic},
    {"ADR", Kind::Arithmetic},
    {"AND", Kind::Logic},
    {"ASR", Kind::Shift},
    {"BFC", Kind::BitInsert},
    {"BFI", Kind::BitInsert},
    {"BIC", Kind::Logic},
    {"BLX", Kind::BranchIndirect},
    {"BLXNS", Kind::BranchIndirect},
    {"BX", Kind::BranchIndirect},
    {"BXNS", Kind::BranchIndirect},
    {"CBNZ", Kind::BranchCompare},
    {"CBZ", Kind::BranchCompare},
    {"CLZ", Kind::CountZeros},
    {"CMN", Kind::Arithmetic},
    {"CMP", Kind::Arithmetic},
    {"EOR", Kind::Logic},
    {"LDAEX", Kind::LoadExclusive},
    {"LDAEXB", Kind::LoadExclusive},
    {"LDAEXH", Kind::LoadExclusive},
    {"LDREX", Kind::LoadExclusive},
    {"LDREXB", Kind::LoadExclusive},
    {"LDREXH", Kind::LoadExclusive},
    {"LSL", Kind::Shift},
    {"LSR", Kind::Shift},
    {"MLA", Kind::MultiplyAdd},
    {"MLS", Kind::MultiplyAdd},
    {"MOV", Kind::Arithmetic},
    {"MOVT", Kind::Arithmetic},
    {"MUL", Kind::Multiply},
    {"MVN", Kind::Logic},
    {"ORN", Kind::Logic},
    {"ORR", Kind::Logic},
    {"PKHBT", Kind::Pack},
    {"PKHTB", Kind::Pack},
    {"QADD", Kind::Saturate},
    {"QADD16", Kind::Saturate},
    {"QADD8", Kind::Saturate},
    {"QASX", Kind::Saturate},
    {"QDADD", Kind::Saturate},
    {"QDSUB", Kind::Saturate},
    {"QSAX", Kind::Saturate},
    {"QSUB", Kind::Saturate},
    {"QSUB16", Kind::Saturate},
    {"QSUB8", Kind::Saturate},
    {"RBIT", Kind::Reverse},
    {"REV", Kind::Reverse},
    {"REV16", Kind::Reverse},
    {"REVSH", Kind::Reverse},
    {"ROR", Kind::Shift},
    {"RRX", Kind::Shift},
    {"RSB", Kind::Arithmetic},
    {"SBC", Kind::Arithmetic},
    {"SBFX", Kind::BitExtract},
    {"SMLABB", Kind::MultiplyAdd},
    {"SMLABT", Kind::MultiplyAdd},
    {"SMLAD", Kind::MultiplyAdd},
    {"SMLADX", Kind::MultiplyAdd},
    {"SMLAL", Kind::MultiplyLongAdd},
    {"SMLALBB", Kind::MultiplyLongAdd},
    {"SMLALBT", Kind::MultiplyLongAdd},
    {"SMLALD", Kind::MultiplyLongAdd},
    {"SMLALDX", Kind::MultiplyLongAdd},
    {"SMLALTB", Kind::MultiplyLongAdd},
    {"SMLALTT", Kind::MultiplyLongAdd},
    {"SMLATB", Kind::MultiplyAdd},
    {"SMLATT", Kind::MultiplyAdd},
    {"SMLAWB", Kind::MultiplyAdd},
    {"SMLAWT", Kind::MultiplyAdd},
    {"SMLSD", Kind::MultiplyAdd},
    {"SMLSDX", Kind::MultiplyAdd},
    {"SMLSLD", Kind::MultiplyLongAdd},
    {"SMLSLDX", Kind::MultiplyLongAdd},
    {"SMMLA", Kind::MultiplyAdd},
    {"SMMLAR", Kind::MultiplyAdd},
    {"SMMLS", Kind::MultiplyAdd},
    {"SMMLSR", Kind::MultiplyAdd},
    {"SMULL", Kind::MultiplyLong},
    {"SSAT", Kind::Saturate},
    {"SSAT16", Kind::Saturate},
    {"STLEX", Kind::StoreExclusive},
    {"STLEXB", Kind::StoreExclusive},
    {"STLEXH", Kind::StoreExclusive},
    {"STRB", Kind::StoreNarrow},
    {"STRBT", Kind::StoreNarrow},
    {"STREX", Kind::StoreExclusive},
    {"STREXB", Kind::StoreExclusive},
    {"STREXH", Kind::StoreExclusive},
    {"STRH", Kind::StoreNarrow},
    {"STRHT", Kind::StoreNarrow},
    {"SUB", Kind::Arithmetic},
    {"SXTAB", Kind::ExtendAdd},
    {"SXTAB16", Kind::ExtendAdd},
    {"SXTAH", Kind::ExtendAdd},
    {"SXTB", Kind::Extend},
    {"SXTB16", Kind::Extend},
    {"SXTH", Kind::Extend},
    {"TBB", Kind::BranchTable},
    {"TBH", Kind::BranchTable},
    {"TEQ", Kind::Logic},
    {"TST", Kind::Logic},
    {"UBFX", Kind::BitExtract},
    {"UMAAL", Kind::MultiplyLongAdd},
    {"UMLAL", Kind::MultiplyLongAdd},
    {"UMULL", Kind::MultiplyLong},
    {"UQADD16", Kind::Saturate},
    {"UQADD8", Kind::Saturate},
    {"UQASX", Kind::Saturate},
    {"UQSAX", Kind::Saturate},
    {"UQSUB16", Kind::Saturate},
    {"UQSUB8", Kind::Saturate},
    {"USAD8", Kind::Difference},
    {"USADA8", Kind::Difference},
    {"USAT", Kind::Saturate},
    {"USAT16", Kind::Saturate},
    {"UXTAB", Kind::ExtendAdd},
    {"UXTAB16", Kind::ExtendAdd},
    {"UXTAH", Kind::ExtendAdd},
    {"UXTB", Kind::Extend},
    {"UXTB16", Kind::Extend},
    {"UXTH", Kind::Extend},
    {"VADD", Kind::FpAdd},
    {"VCMP", Kind::FpCompare},
    {"VCMPE", Kind::FpCompare},
    {"VDIV", Kind::FpDivide},
    {"VFMA", Kind::FpFusedAdd},
    {"VFMS", Kind::FpFusedAdd},
    {"VFNMA", Kind::FpFusedAdd},
    {"VFNMS", Kind::FpFusedAdd},
    {"VMAXNM", Kind::FpAdd},
    {"VMINNM", Kind::FpAdd},
    {"VMLA", Kind::FpMultiplyAdd},
    {"VMLS", Kind::FpMultiplyAdd},
    {"VMRS", Kind::FpStatus},
    {"VMSR", Kind::FpStatus},
    {"VMUL", Kind::FpMultiply},
    {"VNMLA", Kind::FpMultiplyAdd},
    {"VNMLS", Kind::FpMultiplyAdd},
    {"VNMUL", Kind::FpMultiply},
    {"VSQRT", Kind::FpRoot},
    {"VSUB", Kind::FpAdd},
};
static_assert(std::ranges::is_sorted(kMnemonics, {}, &Mnemonic::name));

/// VMOV between the register files, by title.
constexpr Mnemonic kTransfers[] = {
    {"VMOV (double to two generals) T1", Kind::FpPairToCore},
    {"VMOV (general to half) T1", Kind::FpFromCore},
    {"VMOV (general to single) T1", Kind::FpFromCore},
    {"VMOV (half to general) T1", Kind::FpToCore},
    {"VMOV (single to general) T1", Kind::FpToCore},
    {"VMOV (two generals to double) T1", Kind::FpPairFromCore},
    {"VMOV (two generals to two singles) T1", Kind::FpPairFromCore},
    {"VMOV (two singles to two generals) T1", Kind::FpPairToCore},
};
static_assert(std::ranges::is_sorted(kTransfers, {}, &Mnemonic::name));

Kind kind_by_issue(const isa::Row& row) {
    const bool floats = row.unit == isa::Unit::Fp;
    switch (row.issue) {
        case Issue::Shifted:
            return Kind::Parallel;
        case Issue::Mul16:
            return Kind::MultiplyNarrow;
        case Issue::Mul:
            return Kind::Multiply;
        case Issue::Div:
            return Kind::Divide;
        case Issue::Load:
            return Kind::Load;
        case Issue::LoadNarrow:
            return Kind::LoadNarrow;
        case Issue::LoadDouble:
            return Kind::LoadDouble;
        case Issue::LoadMultiple:
            return floats ? Kind::FpLoadMultiple : Kind::LoadMultiple;
        case Issue::Store:
            return Kind::Store;
        case Issue::StoreDouble:
            return Kind::StoreDouble;
        case Issue::StoreMultiple:
            return floats ? Kind::FpStoreMultiple : Kind::StoreMultiple;
        case Issue::Branch:
        case Issue::LoopStart:
        case Issue::LoopEnd:
            return Kind::Branch;
        case Issue::It:
            return Kind::It;
        case Issue::Nop:
            return Kind::Nop;
        case Issue::System:
            return Kind::System;
        case Issue::Barrier:
            return Kind::Barrier;
        case Issue::FpLoad:
            return Kind::FpLoad;
        case Issue::FpStore:
            return Kind::FpStore;
        case Issue::FpArithmetic:
        case Issue::FpDoubleAdd:
            return Kind::FpConvert;
        default:
            return floats ? Kind::FpMove : Kind::Arithmetic;
    }
}

Kind kind_of(const isa::Row& row) {
    const std::string_view title = row.title;
    const std::string_view word = title.substr(0, title.find(' '));
    if (title == "MUL T1") return Kind::MultiplyNarrow;
    const auto* const transfer = std::ranges::lower_bound(kTransfers, title, {}, &Mnemonic::name);
    if (transfer != std::end(kTransfers) && transfer->name == title) return transfer->kind;
    const auto* const found = std::ranges::lower_bound(kMnemonics, word, {}, &Mnemonic::name);
    if (found != std::end(kMnemonics) && found->name == word) return found->kind;
    return kind_by_issue(row);
}

/// Their operand goes through a shifter or an extracting unit first.
bool extracts(Kind kind) {
    switch (kind) {
        case Kind::BitExtract:
        case Kind::Reverse:
            return true;
        default:
            return false;
    }
}

/// These add to what their first register operand holds.
bool accumulates_float(Kind kind) {
    return kind == Kind::FpMultiplyAdd || kind == Kind::FpFusedAdd;
}

bool transfers_memory(Kind kind) {
    return is_load(kind) || is_store(kind) || kind == Kind::BranchTable;
}

/// Bits 14:12 and 7:6 of a shifted register, 13:12 the kind of shift: returns the row's kind with
/// its operand as it is.
Kind with_operand(Kind kind, const isa::Row& row, const isa::Fields& fields) {
    const std::string_view text = row.text;
    if (kind != Kind::Arithmetic && kind != Kind::Logic) return kind;
    if (text.find("{:shift}") != std::string_view::npos) {
        if (fields['k'] != 0) return Kind::ShiftedOther;
        return fields['i'] != 0 ? Kind::ShiftedLeft : kind;
    }
    // A modified constant: from 4 on in its upper bits it is eight bits rotated.
    const bool rotated = text.find("{i:mod}") != std::string_view::npos && fields['i'] >> 8 >= 4;
    return rotated ? Kind::ShiftedConstant : kind;
}

std::int32_t offset_of(const isa::Row& row, const isa::Fields& fields) {
    const std::string_view text = row.text;
    const std::size_t close = text.find(']');
    const std::size_t at = text.find("{i:");
    if (at == std::string_view::npos || at > close) return 0;  // none, or post-indexed
    const std::string_view how = text.substr(at + 3, text.find('}', at) - at - 3);
    const char last = how.back();
    auto offset = static_cast<std::int32_t>(fields['i']);
    if (last == '4' || last == '2') offset *= last - '0';
    const bool down = how == "down" || (!how.starts_with("up") && fields['U'] == 0);
    return down && how != "pc4" ? -offset : offset;
}

}  // namespace

bool is_float(Kind kind) {
    return kind >= Kind::FpMove;
}

bool is_load(Kind kind) {
    switch (kind) {
        case Kind::Load:
        case Kind::LoadNarrow:
        case Kind::LoadDouble:
        case Kind::LoadMultiple:
        case Kind::LoadExclusive:
        case Kind::FpLoad:
        case Kind::FpLoadMultiple:
            return true;
        default:
            return false;
    }
}

bool is_store(Kind kind) {
    switch (kind) {
        case Kind::Store:
        case Kind::StoreNarrow:
        case Kind::StoreDouble:
        case Kind::StoreMultiple:
        case Kind::StoreExclusive:
        case Kind::FpStore:
        case Kind::FpStoreMultiple:
            return true;
        default:
            return false;
    }
}

bool is_branch(Kind kind) {
    return kind == Kind::Branch || kind == Kind::BranchCompare || kind == Kind::BranchIndirect ||
           kind == Kind::BranchTable;
}

Registers InstructionShapes::Operand::registers(const isa::Fields& fields) const {
    const std::uint32_t number = fields[letter];
    switch (file) {
        case File::Core:
            return one_register(number & 15);
        case File::Single:
            return one_register(kFirstFloat + (number & 31));
        case File::SingleSplit:
            return one_register(kFirstFloat + ((number << 1 & 31) | number >> 4));
        default:
            return Registers{3} << (kFirstFloat + 2 * (number & 15));
    }
}

const InstructionShapes::Known& InstructionShapes::known(const isa::Row& row) {
    const auto [found, fresh] = known_.try_emplace(&row);
    Known& result = found->second;
    if (!fresh) return result;
    using Use = Operand::Use;
    result.kind = kind_of(row);
    const std::string_view text = row.text, title = row.title;
    result.twice = title.find("(double)") != std::string_view::npos ||
                   text.find(".f64") != std::string_view::npos;
    result.writes_back = text.find("]!") != std::string_view::npos ||
                         text.find("]{i:move") != std::string_view::npos;
    result.moves_stack = text.find("} sp,") != std::string_view::npos;
    const Kind kind = result.kind;
    for (std::size_t at = text.find('{'); at != std::string_view::npos;
         at = text.find('{', at + 1)) {
        const std::string_view body = text.substr(at + 1, text.find('}', at) - at - 1);
        if (body.size() < 3 || body[1] != ':') continue;
        Operand operand{.letter = body[0]};
        const std::string_view file = body.substr(2);
        if (file == "s") {
            operand.file = Operand::File::Single;
        } else if (file == "sf" || file == "sf1") {
            operand.file = Operand::File::SingleSplit;
        } else if (file == "d") {
            operand.file = Operand::File::Double;
        } else if (file != "r" && file != "rz" && file != "base" && file != "crt") {
            continue;
        }
        const char letter = operand.letter;
        const bool transferred = letter == 't' || letter == 'u';
        const bool to_core = kind == Kind::FpToCore || kind == Kind::FpPairToCore;
        const bool from_core = kind == Kind::FpFromCore || kind == Kind::FpPairFromCore;
        const bool in_place = letter == 'D' || letter == 'L';
        operand.written = letter == 'd' || letter == 'l' || in_place;
        if (transferred) operand.written = is_load(kind) || to_core;
        if (from_core) operand.written = !transferred;
        if (kind == Kind::FpCompare) operand.written = false;
        operand.read = !operand.written || in_place;
        if (operand.written && accumulates_float(kind)) {
            operand.read = true;
            operand.use = Use::Accumulator;
        }
        if (letter == 'a' || (in_place && kind == Kind::MultiplyLongAdd) ||
            (letter == 'n' && kind == Kind::ExtendAdd))
            operand.use = Use::Accumulator;
        if (transfers_memory(kind) && (letter == 'n' || letter == 'm')) operand.use = Use::Address;
        if (is_store(kind) && transferred) operand.use = Use::Data;
        if (operand.read && operand.use == Use::Source &&
            (extracts(kind) || (letter == 'm' && (kind == Kind::ExtendAdd || kind == Kind::Pack)) ||
             (letter == 'n' && kind == Kind::BitInsert)))
            operand.use = Use::Shifted;
        result.operands.push_back(operand);
    }
    return result;
}

void InstructionShapes::add_operands(InstructionShape& shape, const Known& known,
                                     const isa::Fields& fields) {
    using Use = Operand::Use;
    const bool shifts = shape.kind == Kind::ShiftedLeft || shape.kind == Kind::ShiftedOther;
    if (known.moves_stack) shape.results |= one_register(13);
    for (const Operand& operand : known.operands) {
        Registers registers = operand.registers(fields);
        // Two singles stand next to each other.
        const bool pair = shape.kind == Kind::FpPairToCore || shape.kind == Kind::FpPairFromCore;
        if (pair && operand.file == Operand::File::SingleSplit) registers |= registers << 1;
        if (operand.written) shape.results |= registers;
        if (!operand.read) continue;
        switch (shifts && operand.letter == 'm' ? Use::Shifted : operand.use) {
            case Use::Shifted:
                shape.shifted |= registers;
                break;
            case Use::Address:
                shape.address |= registers;
                break;
            case Use::Accumulator:
                shape.accumulator |= registers;
                break;
            case Use::Data:
                shape.data |= registers;
                break;
            default:
                shape.sources |= registers;
        }
    }
}

void InstructionShapes::add_lists(InstructionShape& shape, const isa::Row& row,
                                  const isa::Fields& fields) {
    const std::string_view text = row.text, title = row.title;
    const bool loads = is_load(shape.kind);
    const auto transfer = [&](Registers registers) {
        (loads ? shape.results : shape.data) |= registers;
    };
    if (shape.kind == Kind::LoadMultiple || shape.kind == Kind::StoreMultiple) {
        std::uint32_t list = fields.bytes() == 2 ? fields['l'] : fields.bits() & 0xFFFF;
        if (fields['L'] != 0) list |= title.starts_with("PUSH") ? 1u << 14 : 1u << 15;
        shape.words = static_cast<unsigned>(std::popcount(list));
        transfer(list);
        const bool stack = title.starts_with("PUSH") || title.starts_with("POP");
        shape.base = stack ? 13 : fields.reg('n');
        shape.writes_back = stack || fields.bytes() == 2 || fields['W'] != 0;
        shape.loads_pc = loads && (list >> 15 & 1) != 0;
    } else if (shape.kind == Kind::FpLoadMultiple || shape.kind == Kind::FpStoreMultiple) {
        shape.words = std::max(1u, fields.bits() & 0xFFu);
        const std::uint32_t d = fields['d'];
        const unsigned first = shape.twice ? 2 * (d & 15) : (d << 1 & 31) | d >> 4;
        for (unsigned i = 0; i < shape.words && first + i < 32; ++i)
            transfer(one_register(kFirstFloat + first + i));
        shape.base = static_cast<std::uint8_t>(fields.bits() >> 16 & 15);
        shape.writes_back = (fields.bits() >> 21 & 1) != 0;
    } else {
        shape.base = text.find("[sp") != std::string_view::npos   ? 13
                     : text.find("[pc") != std::string_view::npos ? 15
                                                                  : fields.reg('n');
        shape.offset = offset_of(row, fields);
        shape.index_register = text.find("{m:r}") != std::string_view::npos;
        shape.loads_pc = loads && !is_float(shape.kind) && fields['t'] == 15;
        if (shape.kind == Kind::LoadDouble || shape.kind == Kind::StoreDouble) shape.words = 2;
        if (shape.twice) shape.words = 2;
    }
    if (shape.base != 15) shape.address |= one_register(shape.base);
    if (shape.writes_back) shape.new_base = one_register(shape.base);
}

void InstructionShapes::add_flags(InstructionShape& shape, const isa::Row& row,
                                  const isa::Fields& fields, bool in_it) {
    const std::string_view text = row.text, title = row.title;
    const std::string_view word = title.substr(0, title.find(' '));
    const bool compares = word == "CMP" || word == "CMN" || word == "TST" || word == "TEQ";
    const bool narrow = text.find("{:s16}") != std::string_view::npos || text.starts_with("movs ");
    const bool wide = text.find("{S:S}") != std::string_view::npos && fields['S'] != 0;
    const bool status = title == "VMRS T1 (APSR)";
    shape.sets_flags = compares || (narrow && !in_it) || wide || status;
    if (shape.sets_flags) shape.results |= one_register(kFlags);
    const bool branches_if = text.find("{c:cond}") != std::string_view::npos;
    shape.conditional = in_it || branches_if || shape.kind == Kind::BranchCompare;
    const bool carries =
        word == "ADC" || word == "SBC" || word == "RRX" || word.starts_with("VSEL");
    if (in_it || branches_if || carries) shape.sources |= one_register(kFlags);
}

InstructionShape InstructionShapes::of(const isa::Row& row, const isa::Fields& fields, bool in_it) {
    const Known& what = known(row);
    InstructionShape shape;
    shape.kind = with_operand(what.kind, row, fields);
    shape.narrow = fields.bytes() == 2;
    shape.twice = what.twice;
    shape.writes_back = what.writes_back;
    add_operands(shape, what, fields);
    if (is_load(shape.kind) || is_store(shape.kind)) add_lists(shape, row, fields);
    add_flags(shape, row, fields, in_it);
    shape.writes_pc = is_branch(shape.kind) || shape.loads_pc ||
                      (!is_float(shape.kind) && (shape.results & one_register(15)) != 0);
    return shape;
}

}  // namespace n6vp::models::core
