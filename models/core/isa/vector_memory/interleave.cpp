// SPDX-License-Identifier: Apache-2.0
// VLD2, VLD4, VST2, VST4: structures of two or four elements. Each instruction of a set moves four
// words of memory; together they move all. Predication does not apply, beats done before do.
#include <array>
#include <cstddef>
#include <type_traits>

#include "models/core/ir/access.h"
#include "models/core/isa/vector_memory/build.h"
#include "models/core/isa/vector_memory/lanes.h"

namespace n6vp::models::core::isa::vector_memory {

namespace {

// Operands: rd first vector, rn base, imm what is added to the base.

/// Returns which word of memory a beat moves: one pair of words from each half of the structures,
/// so that both halves of the vectors fill alike.
template <unsigned kVectors>
constexpr unsigned word_of_beat(unsigned pattern, unsigned beat) {
    constexpr unsigned kHalf = 2 * kVectors;  // words
    if (beat < 2) return 2 * pattern + beat;
    return kHalf + (2 * pattern + 2) % kHalf + beat - 2;
}

/// Returns where behind the first vector an element of memory belongs.
template <class Element, unsigned kVectors>
constexpr unsigned place_of(unsigned element) {
    return element % kVectors * 16 + element / kVectors * static_cast<unsigned>(sizeof(Element));
}

/// Calls `move(place, element)` for each element of a beat until it returns false.
template <class Element, unsigned kVectors, unsigned kPattern, class Move>
bool for_each_element(unsigned beat, const Move& move) {
    constexpr unsigned kPerWord = 4 / sizeof(Element);
    const unsigned first = word_of_beat<kVectors>(kPattern, beat) * kPerWord;
    for (unsigned element = first; element < first + kPerWord; ++element) {
        if (!move(place_of<Element, kVectors>(element), element)) return false;
    }
    return true;
}

/// All beats at once, in memory with a host address.
template <bool kLoad, class Element, unsigned kVectors, unsigned kPattern>
bool move_directly(CpuState& cpu, const MicroOp& op) {
    using Memory = std::conditional_t<kLoad, const std::uint8_t, std::uint8_t>;
    Memory* memory = nullptr;
    if constexpr (kLoad) {
        memory = direct_read(cpu, cpu.r[op.rn], 16 * kVectors, sizeof(Element), &op);
    } else {
        memory = direct_write(cpu, cpu.r[op.rn], 16 * kVectors, sizeof(Element), &op);
    }
    if (memory == nullptr) return false;
    std::uint8_t* vectors = cpu.vector.data() + op.rd * std::size_t{16};
    for (unsigned beat = 0; beat < 4; ++beat) {
        for_each_element<Element, kVectors, kPattern>(beat, [&](unsigned place, unsigned element) {
            if constexpr (kLoad) {
                std::memcpy(vectors + place, memory + element * sizeof(Element), sizeof(Element));
            } else {
                std::memcpy(memory + element * sizeof(Element), vectors + place, sizeof(Element));
            }
            return true;
        });
    }
    return true;
}

template <bool kLoad, class Element, unsigned kVectors, unsigned kPattern>
bool move_by_element(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t beats = beats_to_do(cpu.eci);
    // A load that faults in the middle must not have changed anything.
    const auto before = cpu.vector;
    std::uint8_t* vectors = cpu.vector.data() + op.rd * std::size_t{16};
    for (unsigned beat = 0; beat < 4; ++beat) {
        if (!has_lane<std::uint32_t>(beats, beat)) continue;
        const bool done = for_each_element<Element, kVectors, kPattern>(
            beat, [&](unsigned place, unsigned element) {
                const std::uint32_t address =
                    cpu.r[op.rn] + element * static_cast<std::uint32_t>(sizeof(Element));
                Element value = 0;
                if constexpr (kLoad) {
                    if (!load(cpu, op, address, value, AccessKind::Aligned)) return false;
                    std::memcpy(vectors + place, &value, sizeof value);
                    return true;
                } else {
                    std::memcpy(&value, vectors + place, sizeof value);
                    return store(cpu, op, address, value, AccessKind::Aligned);
                }
            });
        if (!done) {
            cpu.vector = before;
            return false;
        }
    }
    return true;
}

template <bool kLoad, class Element, unsigned kVectors, unsigned kPattern>
N6VP_FAR bool move_structures(CpuState& cpu, const MicroOp& op) {
    const bool whole = cpu.eci == kEciNone;
    if (!(whole && move_directly<kLoad, Element, kVectors, kPattern>(cpu, op)) &&
        !move_by_element<kLoad, Element, kVectors, kPattern>(cpu, op))
        return false;
    cpu.r[op.rn] += op.imm;
    cpu.eci = cpu.eci == kEciA0A1A2B0 ? kEciA0 : kEciNone;
    return true;
}

/// Handlers by size, of one pattern.
template <bool kLoad, unsigned kVectors, unsigned kPattern>
constexpr std::array<Handler, 3> handlers_of_pattern() {
    return {handler<move_structures<kLoad, std::uint8_t, kVectors, kPattern>>,
            handler<move_structures<kLoad, std::uint16_t, kVectors, kPattern>>,
            handler<move_structures<kLoad, std::uint32_t, kVectors, kPattern>>};
}

template <bool kLoad, unsigned kVectors>
void emit(Builder& builder, const Fields& fields) {
    // VLD2 and VST2 have no patterns 2 and 3.
    static constexpr std::array<std::array<Handler, 3>, 4> kHandlers = {
        handlers_of_pattern<kLoad, kVectors, 0>(),
        handlers_of_pattern<kLoad, kVectors, 1>(),
        handlers_of_pattern < kLoad,
        kVectors,
        kVectors == 4 ? 2 : 0 > (),
        handlers_of_pattern < kLoad,
        kVectors,
        kVectors == 4 ? 3 : 0 > (),
    };
    MicroOp& op = builder.emit(kHandlers[fields['p']][fields['s']]);
    op.rd = fields.reg('d');
    op.rn = fields.reg('n');
    op.imm = fields['W'] != 0 ? 16 * kVectors : 0;
}

}  // namespace

template <unsigned kVectors>
void build_deinterleave(Builder& builder, const Fields& fields) {
    emit<true, kVectors>(builder, fields);
}
template void build_deinterleave<2>(Builder&, const Fields&);
template void build_deinterleave<4>(Builder&, const Fields&);

template <unsigned kVectors>
void build_interleave(Builder& builder, const Fields& fields) {
    emit<false, kVectors>(builder, fields);
}
template void build_interleave<2>(Builder&, const Fields&);
template void build_interleave<4>(Builder&, const Fields&);

}  // namespace n6vp::models::core::isa::vector_memory
