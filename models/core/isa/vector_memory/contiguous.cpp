// SPDX-License-Identifier: Apache-2.0
// VLDRB, VLDRH, VLDRW, VSTRB, VSTRH, VSTRW of consecutive elements.
#include <type_traits>

#include "models/core/ir/access.h"
#include "models/core/isa/vector_memory/build.h"
#include "models/core/isa/vector_memory/lanes.h"

namespace n6vp::models::core::isa::vector_memory {

namespace {

// Operands: rd vector, rn base, imm offset of the access, extra what is added to the base.

template <bool kWriteback>
void write_back(CpuState& cpu, const MicroOp& op) {
    if constexpr (kWriteback) cpu.r[op.rn] += static_cast<std::uint32_t>(op.extra);
}

/// Returns true if all elements from `address` on lie aligned in a page with a host address and
/// there are no tags of a data cache to look at.
template <class Memory, class Lane>
bool is_quick(const CpuState& cpu, const std::uint8_t* page, std::uint32_t address) {
    constexpr std::uint32_t kBytes = 16 / sizeof(Lane) * sizeof(Memory);
    return page != nullptr && cpu.data_cache == nullptr && address % sizeof(Memory) == 0 &&
           address % kPageBytes <= kPageBytes - kBytes;
}

/// Element by element: lanes not in `bytes` are not accessed; they become zero, but for beats done
/// before.
template <class Memory, class Lane, bool kWriteback>
N6VP_FAR bool load_elements(CpuState& cpu, const MicroOp& op, std::uint32_t bytes) {
    const std::uint32_t address = cpu.r[op.rn] + op.imm;
    const std::uint32_t beats = beats_to_do(cpu.eci);
    Vector<Lane> value = read_vector<Lane>(cpu, op.rd);
    for (unsigned lane = 0; lane < value.size(); ++lane) {
        if (!has_lane<Lane>(beats, lane)) continue;
        Memory element = 0;
        if (has_lane<Lane>(bytes, lane) &&
            !load(cpu, op, address + lane * static_cast<std::uint32_t>(sizeof(Memory)), element,
                  AccessKind::Aligned))
            return false;
        value[lane] = extend<Lane>(element);
    }
    write_vector(cpu, op.rd, value);
    write_back<kWriteback>(cpu, op);
    return true;
}

template <class Memory, class Lane, bool kWriteback>
void load_all(CpuState& cpu, const MicroOp& op, const std::uint8_t* from) {
    constexpr unsigned kLanes = 16 / sizeof(Lane);
    std::array<Memory, kLanes> elements;
    std::memcpy(elements.data(), from, sizeof elements);
    Vector<Lane> value;
    for (unsigned lane = 0; lane < kLanes; ++lane) value[lane] = extend<Lane>(elements[lane]);
    write_vector(cpu, op.rd, value);
    write_back<kWriteback>(cpu, op);
}

/// All lanes, with the data cache's tags or without a host address.
template <class Memory, class Lane, bool kWriteback>
N6VP_FAR bool load_slowly(CpuState& cpu, const MicroOp& op) {
    const std::uint8_t* from = direct_read(cpu, cpu.r[op.rn] + op.imm,
                                           16 / sizeof(Lane) * sizeof(Memory), sizeof(Memory), &op);
    if (from == nullptr) return load_elements<Memory, Lane, kWriteback>(cpu, op, 0xFFFF);
    load_all<Memory, Lane, kWriteback>(cpu, op, from);
    return true;
}

template <class Memory, class Lane, bool kWriteback>
bool load_full(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn] + op.imm;
    const std::uint8_t* page = cpu.read_pages[address / kPageBytes];
    if (!is_quick<Memory, Lane>(cpu, page, address)) [[unlikely]]
        return load_slowly<Memory, Lane, kWriteback>(cpu, op);
    load_all<Memory, Lane, kWriteback>(cpu, op, page + address % kPageBytes);
    return true;
}

template <class Memory, class Lane, bool kWriteback>
bool load_general(CpuState& cpu, const MicroOp& op) {
    return load_elements<Memory, Lane, kWriteback>(cpu, op, active_bytes(cpu));
}

template <class Memory, class Lane, bool kWriteback>
N6VP_FAR bool store_elements(CpuState& cpu, const MicroOp& op, std::uint32_t bytes) {
    const std::uint32_t address = cpu.r[op.rn] + op.imm;
    const Vector<Lane> value = read_vector<Lane>(cpu, op.rd);
    for (unsigned lane = 0; lane < value.size(); ++lane) {
        if (has_lane<Lane>(bytes, lane) &&
            !store(cpu, op, address + lane * static_cast<std::uint32_t>(sizeof(Memory)),
                   static_cast<Memory>(value[lane]), AccessKind::Aligned))
            return false;
    }
    write_back<kWriteback>(cpu, op);
    return true;
}

template <class Memory, class Lane, bool kWriteback>
void store_all(CpuState& cpu, const MicroOp& op, std::uint8_t* to) {
    constexpr unsigned kLanes = 16 / sizeof(Lane);
    const Vector<Lane> value = read_vector<Lane>(cpu, op.rd);
    std::array<Memory, kLanes> elements;
    for (unsigned lane = 0; lane < kLanes; ++lane)
        elements[lane] = static_cast<Memory>(value[lane]);
    std::memcpy(to, elements.data(), sizeof elements);
    write_back<kWriteback>(cpu, op);
}

template <class Memory, class Lane, bool kWriteback>
N6VP_FAR bool store_slowly(CpuState& cpu, const MicroOp& op) {
    std::uint8_t* to = direct_write(cpu, cpu.r[op.rn] + op.imm, 16 / sizeof(Lane) * sizeof(Memory),
                                    sizeof(Memory), &op);
    if (to == nullptr) return store_elements<Memory, Lane, kWriteback>(cpu, op, 0xFFFF);
    store_all<Memory, Lane, kWriteback>(cpu, op, to);
    return true;
}

template <class Memory, class Lane, bool kWriteback>
bool store_full(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = cpu.r[op.rn] + op.imm;
    std::uint8_t* page = cpu.write_pages[address / kPageBytes];
    if (!is_quick<Memory, Lane>(cpu, page, address)) [[unlikely]]
        return store_slowly<Memory, Lane, kWriteback>(cpu, op);
    store_all<Memory, Lane, kWriteback>(cpu, op, page + address % kPageBytes);
    return true;
}

template <class Memory, class Lane, bool kWriteback>
bool store_general(CpuState& cpu, const MicroOp& op) {
    return store_elements<Memory, Lane, kWriteback>(cpu, op, active_bytes(cpu));
}

/// Fills the operands from fields d, n, i, A, P and W.
void set_operands(MicroOp& op, const Fields& fields, unsigned bytes) {
    const std::uint32_t magnitude = fields['i'] * bytes;
    const std::uint32_t offset = fields['A'] != 0 ? magnitude : 0 - magnitude;
    op.rd = fields.reg('d');
    op.rn = fields.reg('n');
    op.imm = fields['P'] != 0 ? offset : 0;
    op.extra = offset;
}

template <class Memory, class Lane>
void emit_load(Builder& builder, const Fields& fields) {
    MicroOp& op = builder.emit(
        fields['W'] != 0
            ? vector_handler<load_full<Memory, Lane, true>, load_general<Memory, Lane, true>>
            : vector_handler<load_full<Memory, Lane, false>, load_general<Memory, Lane, false>>);
    set_operands(op, fields, sizeof(Memory));
}

template <class Memory, class Lane>
void emit_store(Builder& builder, const Fields& fields) {
    MicroOp& op = builder.emit(
        fields['W'] != 0
            ? vector_handler<store_full<Memory, Lane, true>, store_general<Memory, Lane, true>>
            : vector_handler<store_full<Memory, Lane, false>, store_general<Memory, Lane, false>>);
    set_operands(op, fields, sizeof(Memory));
}

template <unsigned kBytes>
using Element = std::conditional_t<kBytes == 1, std::uint8_t,
                                   std::conditional_t<kBytes == 2, std::uint16_t, std::uint32_t>>;

}  // namespace

template <unsigned kBytes>
void build_load(Builder& builder, const Fields& fields) {
    emit_load<Element<kBytes>, Element<kBytes>>(builder, fields);
}
template void build_load<1>(Builder&, const Fields&);
template void build_load<2>(Builder&, const Fields&);
template void build_load<4>(Builder&, const Fields&);

template <unsigned kBytes>
void build_store(Builder& builder, const Fields& fields) {
    emit_store<Element<kBytes>, Element<kBytes>>(builder, fields);
}
template void build_store<1>(Builder&, const Fields&);
template void build_store<2>(Builder&, const Fields&);
template void build_store<4>(Builder&, const Fields&);

template <unsigned kBytes>
void build_load_widening(Builder& builder, const Fields& fields) {
    using Unsigned = Element<kBytes>;
    using Signed = std::make_signed_t<Unsigned>;
    const bool zero_extend = fields['U'] != 0;
    if (kBytes == 1 && fields['s'] == 1) {
        zero_extend ? emit_load<Unsigned, std::uint16_t>(builder, fields)
                    : emit_load<Signed, std::uint16_t>(builder, fields);
    } else {
        zero_extend ? emit_load<Unsigned, std::uint32_t>(builder, fields)
                    : emit_load<Signed, std::uint32_t>(builder, fields);
    }
}
template void build_load_widening<1>(Builder&, const Fields&);
template void build_load_widening<2>(Builder&, const Fields&);

template <unsigned kBytes>
void build_store_narrowing(Builder& builder, const Fields& fields) {
    if (kBytes == 1 && fields['s'] == 1) {
        emit_store<Element<kBytes>, std::uint16_t>(builder, fields);
    } else {
        emit_store<Element<kBytes>, std::uint32_t>(builder, fields);
    }
}
template void build_store_narrowing<1>(Builder&, const Fields&);
template void build_store_narrowing<2>(Builder&, const Fields&);

}  // namespace n6vp::models::core::isa::vector_memory
