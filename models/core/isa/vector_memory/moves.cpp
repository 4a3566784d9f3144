// SPDX-License-Identifier: Apache-2.0
// VMOV between lanes and general registers. Not predicated, but done beat by beat.
#include <type_traits>

#include "models/core/isa/vector_memory/build.h"
#include "models/core/isa/vector_memory/lanes.h"

namespace n6vp::models::core::isa::vector_memory {

namespace {

// Operands: rd general register (ra the second one), imm lane counted from Q0.

/// Returns true if the beat of a lane is still to be done.
template <class Lane>
bool to_do(const CpuState& cpu, unsigned lane) {
    return cpu.eci == kEciNone || (beats_to_do(cpu.eci) >> (lane * sizeof(Lane)) % 16 & 1) != 0;
}

void finish_beats(CpuState& cpu) {
    cpu.eci = cpu.eci == kEciA0A1A2B0 ? kEciA0 : kEciNone;
}

template <class Lane>
void lane_to_core(CpuState& cpu, const MicroOp& op) {
    using Wide = std::conditional_t<std::is_signed_v<Lane>, std::int32_t, std::uint32_t>;
    if (to_do<Lane>(cpu, op.imm))
        cpu.r[op.rd] = static_cast<std::uint32_t>(Wide{vector_lane<Lane>(cpu, op.imm)});
    finish_beats(cpu);
}

template <class Lane>
void lane_from_core(CpuState& cpu, const MicroOp& op) {
    if (to_do<Lane>(cpu, op.imm)) set_vector_lane(cpu, op.imm, static_cast<Lane>(cpu.r[op.rd]));
    finish_beats(cpu);
}

using Word = std::uint32_t;

// The lanes of a pair are two apart. The first register belongs to the lower one, although the text
// names the upper lane first.
void two_lanes_to_core(CpuState& cpu, const MicroOp& op) {
    if (to_do<Word>(cpu, op.imm)) cpu.r[op.rd] = vector_lane<Word>(cpu, op.imm);
    if (to_do<Word>(cpu, op.imm + 2)) cpu.r[op.ra] = vector_lane<Word>(cpu, op.imm + 2);
    finish_beats(cpu);
}
void two_lanes_from_core(CpuState& cpu, const MicroOp& op) {
    if (to_do<Word>(cpu, op.imm)) set_vector_lane(cpu, op.imm, cpu.r[op.rd]);
    if (to_do<Word>(cpu, op.imm + 2)) set_vector_lane(cpu, op.imm + 2, cpu.r[op.ra]);
    finish_beats(cpu);
}

void emit_pair(Builder& builder, const Fields& fields, Handler handler, char vector) {
    MicroOp& op = builder.emit(handler);
    op.rd = fields.reg('t');
    op.ra = fields.reg('u');
    op.imm = fields[vector] * 4 + fields['i'];
}

template <unsigned kBytes>
using Unsigned = std::conditional_t<kBytes == 1, std::uint8_t,
                                    std::conditional_t<kBytes == 2, std::uint16_t, Word>>;

/// Field `vector` is a D register.
template <unsigned kBytes>
void emit_lane(Builder& builder, const Fields& fields, Handler handler, char vector) {
    MicroOp& op = builder.emit(handler);
    op.rd = fields.reg('t');
    op.imm = fields[vector] * (8 / kBytes) + fields['i'];
}

}  // namespace

void build_two_lanes_to_core(Builder& builder, const Fields& fields) {
    emit_pair(builder, fields, handler<two_lanes_to_core>, 'n');
}
void build_two_lanes_from_core(Builder& builder, const Fields& fields) {
    emit_pair(builder, fields, handler<two_lanes_from_core>, 'd');
}

template <unsigned kBytes>
void build_lane_to_core(Builder& builder, const Fields& fields) {
    using Lane = Unsigned<kBytes>;
    const bool zero_extend = kBytes == 4 || fields['U'] != 0;
    emit_lane<kBytes>(
        builder, fields,
        zero_extend ? handler<lane_to_core<Lane>> : handler<lane_to_core<std::make_signed_t<Lane>>>,
        'n');
}
template void build_lane_to_core<1>(Builder&, const Fields&);
template void build_lane_to_core<2>(Builder&, const Fields&);
template void build_lane_to_core<4>(Builder&, const Fields&);

template <unsigned kBytes>
void build_lane_from_core(Builder& builder, const Fields& fields) {
    emit_lane<kBytes>(builder, fields, handler<lane_from_core<Unsigned<kBytes>>>, 'd');
}
template void build_lane_from_core<1>(Builder&, const Fields&);
template void build_lane_from_core<2>(Builder&, const Fields&);
template void build_lane_from_core<4>(Builder&, const Fields&);

}  // namespace n6vp::models::core::isa::vector_memory
