// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "models/core/isa/vector_integer/lanewise.h"

// VIDUP, VDDUP and their wrapping forms: lanes count up or down from an even general register,
// which ends up with the next value.

namespace n6vp::models::core::isa::vector_integer {

namespace {

/// `kWrap` counts between 0 and an odd general register.
template <class T, bool kDown, bool kWrap, bool kFull>
void count(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t to_do = beats_to_do(cpu.eci), limit = cpu.r[op.rm];
    std::uint32_t next = cpu.r[op.rn];
    Lanes<T> result{};
    for (unsigned i = 0; i < kLanes<T>; ++i) {
        // Beats done before an exception have counted already.
        if (!kFull && !lane_active<T>(to_do, i)) continue;
        result[i] = wrap<T>(next);
        if (kDown) {
            next = (kWrap && next == 0 ? limit : next) - op.imm;
        } else {
            next += op.imm;
            if (kWrap && next == limit) next = 0;
        }
    }
    write<kFull>(cpu, op.rd, result, active_of<kFull>(cpu));
    cpu.r[op.rn] = next;
}

template <bool kDown, bool kWrap>
struct Count {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<count<T, kDown, kWrap, true>, count<T, kDown, kWrap, false>>;
    };
};

/// Field i is the binary logarithm of the step.
template <bool kDown, bool kWrap>
void build_count(Builder& builder, const Fields& fields) {
    constexpr auto kHandlers = Modular::handlers<Count<kDown, kWrap>::template Entry>();
    MicroOp& op = builder.emit(kHandlers[fields['s']]);
    op.rd = vector_offset(fields, 'd');
    op.rn = static_cast<std::uint8_t>(fields['n'] * 2);
    op.rm = static_cast<std::uint8_t>(fields['m'] * 2 + 1);
    op.imm = 1u << fields['i'];
}

bool wraps(const Fields& fields) {
    // 15 is no limit but VIDUP, 13 is the stack pointer.
    return sized(fields) && fields['m'] < 6;
}

constexpr Row kRows[] = {
    {"VIDUP T1", "1110 1110 00ss nnn1 ddd0 1111 i110 111i",
     "vidup{:v}.u{s:size} {d:q}, {n:even}, {i:power}", build_count<false, false>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VDDUP T1", "1110 1110 00ss nnn1 ddd1 1111 i110 111i",
     "vddup{:v}.u{s:size} {d:q}, {n:even}, {i:power}", build_count<true, false>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VIWDUP T1", "1110 1110 00ss nnn1 ddd0 1111 i110 mmmi",
     "viwdup{:v}.u{s:size} {d:q}, {n:even}, {m:odd}, {i:power}", build_count<false, true>,
     Issue::VectorSimple, Unit::Vector, wraps},
    {"VDWDUP T1", "1110 1110 00ss nnn1 ddd1 1111 i110 mmmi",
     "vdwdup{:v}.u{s:size} {d:q}, {n:even}, {m:odd}, {i:power}", build_count<true, true>,
     Issue::VectorSimple, Unit::Vector, wraps},
};

}  // namespace

std::span<const Row> sequence_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::vector_integer
