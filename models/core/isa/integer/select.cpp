// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <utility>

#include "models/core/isa/integer/integer.h"

// Armv8.1-M conditional select: rd is rn if the condition holds, else something made of rm.
namespace n6vp::models::core::isa::integer {

namespace {

using B = Builder&;
using F = const Fields&;

enum class Otherwise : std::uint8_t { Same, Increment, Invert, Negate };
constexpr unsigned kConditions = 14;

template <Otherwise Kind>
std::uint32_t otherwise(std::uint32_t value) {
    switch (Kind) {
        case Otherwise::Increment:
            return value + 1;
        case Otherwise::Invert:
            return ~value;
        case Otherwise::Negate:
            return 0u - value;
        default:
            return value;
    }
}

template <Otherwise Kind, unsigned Condition>
void select(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t no = otherwise<Kind>(cpu.r[op.rm]);
    cpu.r[op.rd] = condition_holds(cpu, Condition) ? cpu.r[op.rn] : no;
}

/// Both sources are zr.
template <unsigned Condition>
void select_constant(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = condition_holds(cpu, Condition) ? 0 : op.imm;
}

template <Otherwise Kind, std::size_t... Condition>
constexpr std::array<Handler, kConditions> select_table(std::index_sequence<Condition...>) {
    return {handler<select<Kind, Condition>>...};
}
template <std::size_t... Condition>
constexpr std::array<Handler, kConditions> constant_table(std::index_sequence<Condition...>) {
    return {handler<select_constant<Condition>>...};
}
using Conditions = std::make_index_sequence<kConditions>;

/// zr is register number 15, whose place nothing else uses here.
void clear_r15(CpuState& cpu, const MicroOp&) {
    cpu.r[15] = 0;
}

template <Otherwise Kind>
void build_select(B b, F f) {
    static constexpr auto kSelect = select_table<Kind>(Conditions());
    if (f['n'] == 15 || f['m'] == 15) b.emit(handler<clear_r15>);
    MicroOp& op = b.emit(kSelect[f['c'] % kConditions]);
    op.rd = f.reg('d');
    op.rn = f.reg('n');
    op.rm = f.reg('m');
}

template <Otherwise Kind>
void build_constant(B b, F f) {
    static constexpr auto kConstant = constant_table(Conditions());
    MicroOp& op = b.emit(kConstant[f['c'] % kConditions]);
    op.rd = f.reg('d');
    op.imm = otherwise<Kind>(0);
}

/// Not into the PC, and nothing to do with the stack pointer: that is partly the long shifts'
/// place.
bool is_select(F f) {
    return f['c'] < kConditions && f['n'] != 13 && f['m'] != 13 && f['d'] != 13 && f['d'] != 15;
}
bool one_source(F f) {
    return is_select(f) && f['n'] == f['m'];
}

using enum Otherwise;
constexpr Issue kAlu = Issue::Alu;
constexpr Unit kInteger = Unit::Integer;

// Not for IT blocks: their text shows no condition.
constexpr Row kRows[] = {
    {"CSET", "111010100101 1111 1001 dddd cccc 1111", "cset {d:r}, {c:invc}",
     build_constant<Increment>, kAlu, kInteger, is_select},
    {"CSETM", "111010100101 1111 1010 dddd cccc 1111", "csetm {d:r}, {c:invc}",
     build_constant<Invert>, kAlu, kInteger, is_select},
    {"CINC", "111010100101 nnnn 1001 dddd cccc mmmm", "cinc {d:r}, {n:rz}, {c:invc}",
     build_select<Increment>, kAlu, kInteger, one_source},
    {"CINV", "111010100101 nnnn 1010 dddd cccc mmmm", "cinv {d:r}, {n:rz}, {c:invc}",
     build_select<Invert>, kAlu, kInteger, one_source},
    {"CNEG", "111010100101 nnnn 1011 dddd cccc mmmm", "cneg {d:r}, {n:rz}, {c:invc}",
     build_select<Negate>, kAlu, kInteger, one_source},
    {"CSEL", "111010100101 nnnn 1000 dddd cccc mmmm", "csel {d:r}, {n:rz}, {m:rz}, {c:c}",
     build_select<Same>, kAlu, kInteger, is_select},
    {"CSINC", "111010100101 nnnn 1001 dddd cccc mmmm", "csinc {d:r}, {n:rz}, {m:rz}, {c:c}",
     build_select<Increment>, kAlu, kInteger, is_select},
    {"CSINV", "111010100101 nnnn 1010 dddd cccc mmmm", "csinv {d:r}, {n:rz}, {m:rz}, {c:c}",
     build_select<Invert>, kAlu, kInteger, is_select},
    {"CSNEG", "111010100101 nnnn 1011 dddd cccc mmmm", "csneg {d:r}, {n:rz}, {m:rz}, {c:c}",
     build_select<Negate>, kAlu, kInteger, is_select},
};

}  // namespace

std::span<const Row> select_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::integer
