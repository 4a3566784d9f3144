// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <span>
#include <type_traits>

#include "models/core/ir/access.h"
#include "models/core/ir/system.h"
#include "models/core/isa/float/operands.h"

// System registers of the unit, with general registers and with memory, and what Secure code does
// to the registers of the unit as a whole.
namespace n6vp::models::core::isa {

namespace {

/// Numbers of the encodings.
enum class StatusRegister : std::uint8_t {
    Fpscr = 1,
    FpscrNzcvqc = 2,
    Vpr = 12,
    P0 = 13,
    ContextNonSecure = 14,
    ContextSecure = 15,
};

constexpr std::uint32_t kNzcvqc = 0xFu << 28 | fpscr::kQc;
constexpr std::uint32_t kVprBits = vpr::kP0 | vpr::kMasks;

constexpr bool is_context(StatusRegister which) {
    return which == StatusRegister::ContextNonSecure || which == StatusRegister::ContextSecure;
}

/// VPR is for privileged code; instructions of others leave it and its place alone.
template <StatusRegister Which>
bool out_of_reach(const CpuState& cpu) {
    return Which == StatusRegister::Vpr && !cpu.privileged;
}

/// Reads. Returns false after a fault.
template <StatusRegister Which>
bool read(CpuState& cpu, std::uint32_t& value) {
    switch (Which) {
        case StatusRegister::Fpscr:
            value = whole_fpscr(cpu);
            return true;
        case StatusRegister::FpscrNzcvqc:
            value = cpu.fpscr & kNzcvqc;
            return true;
        case StatusRegister::Vpr:
            value = cpu.vpr & kVprBits;
            return true;
        case StatusRegister::P0:
            value = cpu.vpr & vpr::kP0;
            return true;
        default:
            value = cpu.system->read_fp_context(cpu, Which == StatusRegister::ContextNonSecure);
            return cpu.exit != Exit::Fault;
    }
}

/// Writes. Returns false after a fault.
template <StatusRegister Which>
bool write(CpuState& cpu, std::uint32_t value) {
    switch (Which) {
        case StatusRegister::Fpscr:
            set_whole_fpscr(cpu, value);
            return true;
        case StatusRegister::FpscrNzcvqc:
            cpu.fpscr = (cpu.fpscr & ~kNzcvqc) | (value & kNzcvqc);
            return true;
        case StatusRegister::Vpr:
            cpu.vpr = value & kVprBits;
            return true;
        case StatusRegister::P0:
            cpu.vpr = (cpu.vpr & ~vpr::kP0) | (value & vpr::kP0);
            return true;
        default:
            cpu.system->write_fp_context(cpu, Which == StatusRegister::ContextNonSecure, value);
            return cpu.exit != Exit::Fault;
    }
}

// VMRS and VMSR: rd.

template <StatusRegister Which>
N6VP_FAR bool move_to_general(CpuState& cpu, const MicroOp& op) {
    if (out_of_reach<Which>(cpu)) return true;
    std::uint32_t value = 0;
    if (!read<Which>(cpu, value)) return false;
    cpu.r[op.rd] = value;
    return true;
}
void move_to_apsr(CpuState& cpu, const MicroOp& /*op*/) {
    cpu.n = cpu.fpscr;
    cpu.z = (cpu.fpscr & fpscr::kZ) != 0 ? 0 : 1;
    cpu.c = cpu.fpscr >> 29 & 1;
    cpu.v = cpu.fpscr << 3;
}
template <StatusRegister Which>
bool move_from_general(CpuState& cpu, const MicroOp& op) {
    return out_of_reach<Which>(cpu) || write<Which>(cpu, cpu.r[op.rd]);
}

/// The context registers belong to Secure code.
template <StatusRegister Which>
bool refuse(Builder& builder) {
    if (!is_context(Which) || builder.secure()) return false;
    builder.undefined();
    return true;
}
/// Predication and the FP context are what later instructions are decoded for.
template <StatusRegister Which>
void end_block_after_write(Builder& builder) {
    if (Which != StatusRegister::FpscrNzcvqc) builder.end_block();
}

template <StatusRegister Which>
void build_vmrs(Builder& builder, const Fields& fields) {
    if (refuse<Which>(builder)) return;
    builder.emit(handler<move_to_general<Which>>).rd = fields.reg('t');
    if (is_context(Which)) builder.end_block();
}
template <StatusRegister Which>
void build_vmsr(Builder& builder, const Fields& fields) {
    if (refuse<Which>(builder)) return;
    builder.emit(handler<move_from_general<Which>>).rd = fields.reg('t');
    end_block_after_write<Which>(builder);
}
void build_vmrs_apsr(Builder& builder, const Fields& /*fields*/) {
    builder.emit(handler<move_to_apsr>);
}

// VLDR and VSTR: rn base, imm distance.

enum class Indexing : std::uint8_t { Offset, Before, After };

/// Returns false after a fault, with the base as it was.
template <StatusRegister Which, Indexing How, class Access>
bool transfer(CpuState& cpu, const MicroOp& op, Access access) {
    const std::uint32_t base = cpu.r[op.rn], moved = base + op.imm;
    const bool writeback = How != Indexing::Offset;
    if (writeback && op.rn == 13 && !check_stack_limit(cpu, moved)) return false;
    if (!out_of_reach<Which>(cpu) && !access(How == Indexing::After ? base : moved)) return false;
    if (writeback) cpu.r[op.rn] = moved;
    return true;
}

template <StatusRegister Which, Indexing How>
N6VP_FAR bool load_status(CpuState& cpu, const MicroOp& op) {
    return transfer<Which, How>(cpu, op, [&](std::uint32_t address) {
        if (Which == StatusRegister::ContextNonSecure && cpu.system->fp_inactive(cpu)) return true;
        std::uint32_t value = 0;
        return load(cpu, op, address, value, AccessKind::Aligned) && write<Which>(cpu, value);
    });
}
template <StatusRegister Which, Indexing How>
N6VP_FAR bool store_status(CpuState& cpu, const MicroOp& op) {
    return transfer<Which, How>(cpu, op, [&](std::uint32_t address) {
        // Reading a context register changes what it was read from; a store that fails must not.
        const std::uint32_t old_fpscr = cpu.fpscr, old_ltpsize = cpu.ltpsize;
        const bool old_sfpa = cpu.sfpa, old_ready = cpu.fp_ready;
        std::uint32_t value = 0;
        if (!read<Which>(cpu, value)) return false;
        if (store(cpu, op, address, value, AccessKind::Aligned)) return true;
        cpu.fpscr = old_fpscr;
        cpu.ltpsize = old_ltpsize;
        cpu.sfpa = old_sfpa;
        cpu.fp_ready = old_ready;
        return false;
    });
}

template <StatusRegister Which>
void emit_transfer(Builder& builder, const Fields& fields, Handler handler) {
    MicroOp& op = builder.emit(handler);
    op.rn = fields.reg('n');
    const std::uint32_t distance = fields['i'] * 4;
    op.imm = fields['U'] != 0 ? distance : ~distance + 1;
}
template <StatusRegister Which, Indexing How>
void build_load_status(Builder& builder, const Fields& fields) {
    if (refuse<Which>(builder)) return;
    emit_transfer<Which>(builder, fields, handler<load_status<Which, How>>);
    if (How != Indexing::Offset && fields['n'] == 13) builder.align_sp();
    end_block_after_write<Which>(builder);
}
template <StatusRegister Which, Indexing How>
void build_store_status(Builder& builder, const Fields& fields) {
    if (refuse<Which>(builder)) return;
    emit_transfer<Which>(builder, fields, handler<store_status<Which, How>>);
    if (is_context(Which)) builder.end_block();
}

bool base_usable(const Fields& fields) {
    return fields['n'] != 15;
}
bool general_usable(const Fields& fields) {
    return fields['t'] != 13 && fields['t'] != 15;
}

// Secure code: VSCCLRM clears rd, imm S registers, and VPR. VLSTM, VLLDM: rn.

/// Registers above S31 may be named and do not exist.
N6VP_FAR bool clear_registers(CpuState& cpu, const MicroOp& op) {
    if (!cpu.system->clears_fp_context(cpu)) return true;
    if (!cpu.fp_ready && !cpu.system->prepare_fp(cpu, op.pc, false)) return false;
    for (unsigned i = op.rd; i < op.rd + op.imm && i < 32; ++i) put<Single>(cpu, i, 0);
    cpu.vpr = 0;
    return true;
}
template <class T>
void build_vscclrm(Builder& builder, const Fields& fields) {
    if (!builder.secure()) return builder.undefined();
    const unsigned per_register = std::is_same_v<T, Double> ? 2 : 1;
    MicroOp& op = builder.emit(handler<clear_registers>);
    op.rd = static_cast<std::uint8_t>(float_reg<T>(fields, 'd') * per_register);
    op.imm = fields['l'] * per_register;
    builder.end_block();
}
/// A list that reaches beyond S31 counts in whole D registers there.
bool singles_clearable(const Fields& fields) {
    const std::uint32_t end = low_bit_first(fields['d']) + fields['l'];
    return end <= 32 || (end <= 64 && end % 2 == 0);
}
bool doubles_clearable(const Fields& fields) {
    return fields['d'] + fields['l'] <= 32;
}

bool store_lazily(CpuState& cpu, const MicroOp& op) {
    return cpu.system->lazy_store_multiple(cpu, op);
}
bool load_lazily(CpuState& cpu, const MicroOp& op) {
    return cpu.system->lazy_load_multiple(cpu, op);
}
template <bool Load>
void build_lazy(Builder& builder, const Fields& fields) {
    if (!builder.secure()) return builder.undefined();
    builder.emit(Load ? handler<load_lazily> : handler<store_lazily>).rn = fields.reg('n');
    builder.end_block();
}

// clang-format off
#define N6VP_STATUS(name, number, text, which, unit, needs)                                        \
    needing(needs, {"VMRS T1 (" name ")", "1110 1110 1111 " number " tttt 1010 ---1 ----",         \
     "vmrs{:it} {t:r}, " text, build_vmrs<which>, Issue::FpMove, unit, general_usable}),           \
    needing(needs, {"VMSR T1 (" name ")", "1110 1110 1110 " number " tttt 1010 ---1 ----",         \
     "vmsr{:it} " text ", {t:r}", build_vmsr<which>, Issue::FpMove, unit, general_usable})
#define N6VP_STATUS_ONE(title, op, load, name, r, rrr, text, build, which, issue, unit)            \
    needing(Feature::V81, {title " (System Register) T1 (" name ", offset)",                       \
     "1110 1101 U" r "0" load " nnnn " rrr "0 1111 1iiiiiii",                                      \
     op "{:it} " text ", [{n:r}{i:off4}]", build<which, Indexing::Offset>, issue, unit,            \
     base_usable}),                                                                                \
    needing(Feature::V81, {title " (System Register) T1 (" name ", pre-indexed)",                  \
     "1110 1101 U" r "1" load " nnnn " rrr "0 1111 1iiiiiii",                                      \
     op "{:it} " text ", [{n:r}{i:move4}]!", build<which, Indexing::Before>, issue, unit,          \
     base_usable}),                                                                                \
    needing(Feature::V81, {title " (System Register) T1 (" name ", post-indexed)",                 \
     "1110 1100 U" r "1" load " nnnn " rrr "0 1111 1iiiiiii",                                      \
     op "{:it} " text ", [{n:r}]{i:move4}", build<which, Indexing::After>, issue, unit,            \
     base_usable})
/// `r` is the highest bit of the register's number, `rrr` the others.
#define N6VP_STATUS_MEMORY(name, r, rrr, text, which, unit)                                        \
    N6VP_STATUS_ONE("VLDR", "vldr", "1", name, r, rrr, text, build_load_status, which,             \
                    Issue::FpLoad, unit),                                                          \
    N6VP_STATUS_ONE("VSTR", "vstr", "0", name, r, rrr, text, build_store_status, which,            \
                    Issue::FpStore, unit)

using enum StatusRegister;
constexpr Row kRows[] = {
    {"VMRS T1 (APSR)", "1110 1110 1111 0001 1111 1010 ---1 ----", "vmrs{:it} APSR_nzcv, fpscr", build_vmrs_apsr, Issue::FpMove, Unit::Fp},
    N6VP_STATUS("FPSCR", "0001", "fpscr", Fpscr, Unit::Fp, Feature::Base),
    N6VP_STATUS("FPSCR_nzcvqc", "0010", "fpscr_nzcvqc", FpscrNzcvqc, Unit::Fp, Feature::V81),
    N6VP_STATUS("VPR", "1100", "vpr", Vpr, Unit::Fp, Feature::Vector),
    N6VP_STATUS("P0", "1101", "p0", P0, Unit::Fp, Feature::Vector),
    N6VP_STATUS("FPCXTNS", "1110", "fpcxtns", ContextNonSecure, Unit::Integer, Feature::V81),
    N6VP_STATUS("FPCXTS", "1111", "fpcxts", ContextSecure, Unit::Fp, Feature::V81),
    N6VP_STATUS_MEMORY("FPSCR", "0", "001", "fpscr", Fpscr, Unit::Fp),
    N6VP_STATUS_MEMORY("FPSCR_nzcvqc", "0", "010", "fpscr_nzcvqc", FpscrNzcvqc, Unit::Fp),
    N6VP_STATUS_MEMORY("VPR", "1", "100", "vpr", Vpr, Unit::Fp),
    N6VP_STATUS_MEMORY("P0", "1", "101", "p0", P0, Unit::Fp),
    N6VP_STATUS_MEMORY("FPCXTNS", "1", "110", "fpcxtns", ContextNonSecure, Unit::Integer),
    N6VP_STATUS_MEMORY("FPCXTS", "1", "111", "fpcxts", ContextSecure, Unit::Fp),

    needing(Feature::V81, {"VSCCLRM T1", "1110 1100 1d01 1111 dddd 1011 llllll l0", "vscclrm{:it} {l:dclear}", build_vscclrm<Double>, Issue::System, Unit::Integer, doubles_clearable}),
    needing(Feature::V81, {"VSCCLRM T2", "1110 1100 1d01 1111 dddd 1010 llllllll", "vscclrm{:it} {l:sclear}", build_vscclrm<Single>, Issue::System, Unit::Integer, singles_clearable}),
    needing(Feature::Security, {"VLSTM T1", "1110 1100 0010 nnnn 0000 1010 0000 0000", "vlstm{:it} {n:r}", build_lazy<false>, Issue::StoreMultiple, Unit::Integer, base_usable}),
    needing(Feature::V81, {"VLSTM T2", "1110 1100 0010 nnnn 0000 1010 1000 0000", "vlstm{:it} {n:r}, {:all}", build_lazy<false>, Issue::StoreMultiple, Unit::Integer, base_usable}),
    needing(Feature::Security, {"VLLDM T1", "1110 1100 0011 nnnn 0000 1010 0000 0000", "vlldm{:it} {n:r}", build_lazy<true>, Issue::LoadMultiple, Unit::Integer, base_usable}),
    needing(Feature::V81, {"VLLDM T2", "1110 1100 0011 nnnn 0000 1010 1000 0000", "vlldm{:it} {n:r}, {:all}", build_lazy<true>, Issue::LoadMultiple, Unit::Integer, base_usable}),
};
// clang-format on

}  // namespace

std::span<const Row> float_status_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa
