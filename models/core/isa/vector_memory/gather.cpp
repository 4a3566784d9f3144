// SPDX-License-Identifier: Apache-2.0
// VLDRB, VLDRH, VLDRW, VLDRD, VSTRB, VSTRH, VSTRW, VSTRD of elements wherever a vector of addresses
// says. Doublewords are two words each: beats decide about each half.
#include <type_traits>

#include "models/core/ir/access.h"
#include "models/core/isa/vector_memory/build.h"
#include "models/core/isa/vector_memory/lanes.h"

namespace n6vp::models::core::isa::vector_memory {

namespace {

// Operands: rd vector, rn base, rm vector of offsets or addresses, ra left shift of the offsets,
// imm offset of all.

/// Where the elements are.
enum class Base : std::uint8_t {
    Register,         ///< base + lane of Qm
    Vector,           ///< lane of Qm + imm
    VectorWriteback,  ///< the same, and the sum becomes the lane of Qm
};

/// Returns the address of the element in `lane` of Lane-wide lanes.
template <class Lane, Base kBase>
std::uint32_t element_address(const CpuState& cpu, const MicroOp& op, const Vector<Lane>& addresses,
                              unsigned lane) {
    if constexpr (kBase == Base::Register)
        return cpu.r[op.rn] + (std::uint32_t{addresses[lane]} << op.ra);
    return addresses[lane] + op.imm;
}

template <class Memory, class Lane, Base kBase>
bool gather(CpuState& cpu, const MicroOp& op, std::uint32_t bytes) {
    const std::uint32_t beats = beats_to_do(cpu.eci);
    Vector<Lane> addresses = read_vector<Lane>(cpu, op.rm), value = read_vector<Lane>(cpu, op.rd);
    for (unsigned lane = 0; lane < value.size(); ++lane) {
        if (!has_lane<Lane>(beats, lane)) continue;
        const std::uint32_t address = element_address<Lane, kBase>(cpu, op, addresses, lane);
        Memory element = 0;
        if (has_lane<Lane>(bytes, lane) && !load(cpu, op, address, element, AccessKind::Aligned))
            return false;
        value[lane] = extend<Lane>(element);
        if constexpr (kBase == Base::VectorWriteback) addresses[lane] = address;
    }
    if constexpr (kBase == Base::VectorWriteback) write_vector(cpu, op.rm, addresses);
    write_vector(cpu, op.rd, value);
    return true;
}

template <class Memory, class Lane, Base kBase>
bool scatter(CpuState& cpu, const MicroOp& op, std::uint32_t bytes) {
    const std::uint32_t beats = beats_to_do(cpu.eci);
    const Vector<Lane> value = read_vector<Lane>(cpu, op.rd);
    Vector<Lane> addresses = read_vector<Lane>(cpu, op.rm);
    for (unsigned lane = 0; lane < value.size(); ++lane) {
        if (!has_lane<Lane>(beats, lane)) continue;
        const std::uint32_t address = element_address<Lane, kBase>(cpu, op, addresses, lane);
        if (has_lane<Lane>(bytes, lane) &&
            !store(cpu, op, address, static_cast<Memory>(value[lane]), AccessKind::Aligned))
            return false;
        if constexpr (kBase == Base::VectorWriteback) addresses[lane] = address;
    }
    if constexpr (kBase == Base::VectorWriteback) write_vector(cpu, op.rm, addresses);
    return true;
}

using Words = Vector<std::uint32_t>;

template <Base kBase>
bool gather_doublewords(CpuState& cpu, const MicroOp& op, std::uint32_t bytes) {
    const std::uint32_t beats = beats_to_do(cpu.eci);
    Words addresses = read_vector<std::uint32_t>(cpu, op.rm);
    Words value = read_vector<std::uint32_t>(cpu, op.rd);
    for (unsigned beat = 0; beat < 4; ++beat) {
        if (!has_lane<std::uint32_t>(beats, beat)) continue;
        const unsigned low = beat & ~1u;
        const std::uint32_t address =
            element_address<std::uint32_t, kBase>(cpu, op, addresses, low);
        std::uint32_t element = 0;
        if (has_lane<std::uint32_t>(bytes, beat) &&
            !load(cpu, op, address + (beat & 1) * 4, element, AccessKind::Aligned))
            return false;
        value[beat] = element;
        if (kBase == Base::VectorWriteback && beat != low) addresses[low] = address;
    }
    if constexpr (kBase == Base::VectorWriteback) write_vector(cpu, op.rm, addresses);
    write_vector(cpu, op.rd, value);
    return true;
}

template <Base kBase>
bool scatter_doublewords(CpuState& cpu, const MicroOp& op, std::uint32_t bytes) {
    const std::uint32_t beats = beats_to_do(cpu.eci);
    Words addresses = read_vector<std::uint32_t>(cpu, op.rm);
    const Words value = read_vector<std::uint32_t>(cpu, op.rd);
    for (unsigned beat = 0; beat < 4; ++beat) {
        if (!has_lane<std::uint32_t>(beats, beat)) continue;
        const unsigned low = beat & ~1u;
        const std::uint32_t address =
            element_address<std::uint32_t, kBase>(cpu, op, addresses, low);
        if (has_lane<std::uint32_t>(bytes, beat) &&
            !store(cpu, op, address + (beat & 1) * 4, value[beat], AccessKind::Aligned))
            return false;
        if (kBase == Base::VectorWriteback && beat != low) addresses[low] = address;
    }
    if constexpr (kBase == Base::VectorWriteback) write_vector(cpu, op.rm, addresses);
    return true;
}

/// Chooses the access and keeps its locals out of the handler's frame.
template <bool kLoad, class Memory, class Lane, Base kBase>
N6VP_FAR bool access(CpuState& cpu, const MicroOp& op, std::uint32_t bytes) {
    if constexpr (sizeof(Memory) == 8) {
        return kLoad ? gather_doublewords<kBase>(cpu, op, bytes)
                     : scatter_doublewords<kBase>(cpu, op, bytes);
    } else if constexpr (kLoad) {
        return gather<Memory, Lane, kBase>(cpu, op, bytes);
    } else {
        return scatter<Memory, Lane, kBase>(cpu, op, bytes);
    }
}

template <bool kLoad, class Memory, class Lane, Base kBase>
bool full(CpuState& cpu, const MicroOp& op) {
    return access<kLoad, Memory, Lane, kBase>(cpu, op, 0xFFFF);
}
template <bool kLoad, class Memory, class Lane, Base kBase>
bool general(CpuState& cpu, const MicroOp& op) {
    return access<kLoad, Memory, Lane, kBase>(cpu, op, active_bytes(cpu));
}

template <bool kLoad, class Memory, class Lane, Base kBase>
MicroOp& emit(Builder& builder, const Fields& fields) {
    MicroOp& op = builder.emit(
        vector_handler<full<kLoad, Memory, Lane, kBase>, general<kLoad, Memory, Lane, kBase>>);
    op.rd = fields.reg('d');
    op.rm = fields.reg('m');
    return op;
}

template <bool kLoad, class Memory, class Lane>
void emit_offsets(Builder& builder, const Fields& fields) {
    MicroOp& op = emit<kLoad, Memory, Lane, Base::Register>(builder, fields);
    op.rn = fields.reg('n');
    constexpr unsigned kScale = sizeof(Memory) == 8 ? 3 : sizeof(Memory) / 2;
    op.ra = static_cast<std::uint8_t>(fields['o'] * kScale);
}

template <bool kLoad, class Memory, class Lane>
void emit_immediate(Builder& builder, const Fields& fields) {
    const std::uint32_t magnitude = fields['i'] * static_cast<std::uint32_t>(sizeof(Memory));
    MicroOp& op = fields['W'] != 0
                      ? emit<kLoad, Memory, Lane, Base::VectorWriteback>(builder, fields)
                      : emit<kLoad, Memory, Lane, Base::Vector>(builder, fields);
    op.imm = fields['A'] != 0 ? magnitude : 0 - magnitude;
}

/// Chooses the width of lanes by field s.
template <bool kLoad, class Memory>
void emit_by_lane(Builder& builder, const Fields& fields) {
    switch (fields['s']) {
        case 0:
            // Only bytes have lanes that narrow.
            if constexpr (sizeof(Memory) == 1)
                emit_offsets<kLoad, Memory, std::uint8_t>(builder, fields);
            break;
        case 1:
            emit_offsets<kLoad, Memory, std::uint16_t>(builder, fields);
            break;
        default:
            emit_offsets<kLoad, Memory, std::uint32_t>(builder, fields);
            break;
    }
}

template <unsigned kBytes>
using Element = std::conditional_t<
    kBytes == 1, std::uint8_t,
    std::conditional_t<kBytes == 2, std::uint16_t,
                       std::conditional_t<kBytes == 4, std::uint32_t, std::uint64_t>>>;

}  // namespace

template <unsigned kBytes>
void build_gather(Builder& builder, const Fields& fields) {
    using Memory = Element<kBytes>;
    if constexpr (kBytes >= 4) {
        emit_offsets<true, Memory, std::uint32_t>(builder, fields);
    } else if (fields['U'] != 0) {
        emit_by_lane<true, Memory>(builder, fields);
    } else {
        emit_by_lane<true, std::make_signed_t<Memory>>(builder, fields);
    }
}
template void build_gather<1>(Builder&, const Fields&);
template void build_gather<2>(Builder&, const Fields&);
template void build_gather<4>(Builder&, const Fields&);
template void build_gather<8>(Builder&, const Fields&);

template <unsigned kBytes>
void build_scatter(Builder& builder, const Fields& fields) {
    using Memory = Element<kBytes>;
    if constexpr (kBytes >= 4) {
        emit_offsets<false, Memory, std::uint32_t>(builder, fields);
    } else {
        emit_by_lane<false, Memory>(builder, fields);
    }
}
template void build_scatter<1>(Builder&, const Fields&);
template void build_scatter<2>(Builder&, const Fields&);
template void build_scatter<4>(Builder&, const Fields&);
template void build_scatter<8>(Builder&, const Fields&);

template <unsigned kBytes>
void build_gather_immediate(Builder& builder, const Fields& fields) {
    emit_immediate<true, Element<kBytes>, std::uint32_t>(builder, fields);
}
template void build_gather_immediate<4>(Builder&, const Fields&);
template void build_gather_immediate<8>(Builder&, const Fields&);

template <unsigned kBytes>
void build_scatter_immediate(Builder& builder, const Fields& fields) {
    emit_immediate<false, Element<kBytes>, std::uint32_t>(builder, fields);
}
template void build_scatter_immediate<4>(Builder&, const Fields&);
template void build_scatter_immediate<8>(Builder&, const Fields&);

}  // namespace n6vp::models::core::isa::vector_memory
