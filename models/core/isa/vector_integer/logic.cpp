// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cstdint>

#include "models/core/isa/vector_integer/immediate.h"
#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/operations.h"
#include "models/core/isa/vector_integer/simd.h"

namespace n6vp::models::core::isa::vector_integer {

namespace {

using Halves = Types<std::uint64_t>;  ///< bitwise instructions see two lanes of 64 bits

struct Copy {
    template <class T>
    static T lane(T, T, T m) {
        return m;
    }
};

struct Invert {
    template <class T>
    static T lane(T, T, T m) {
        return wrap<T>(~m);
    }
};

struct OrInto {
    template <class T>
    static T lane(T d, T, T m) {
        return d | m;
    }
};

struct ClearIn {
    template <class T>
    static T lane(T d, T, T m) {
        return d & ~m;
    }
};

template <class Op>
void by_immediate(Builder& builder, const Fields& fields) {
    MicroOp& op = builder.emit(kLanewise<Op, Source::Wired, Halves>[0]);
    op.rd = vector_offset(fields, 'd');
    op.extra = expand_vector_immediate(fields['o'] != 0, fields['c'], fields['i']);
}

void by_inverted_immediate(Builder& builder, const Fields& fields) {
    MicroOp& op = builder.emit(kLanewise<Copy, Source::Wired, Halves>[0]);
    op.rd = vector_offset(fields, 'd');
    op.extra = ~expand_vector_immediate(false, fields['c'], fields['i']);
}

struct CountLeadingZeros {
    template <class T>
    static T lane(T, T, T m) {
        return wrap<T>(std::countl_zero(m));
    }
};

struct CountLeadingSignBits {
    template <class T>
    static T lane(T, T, T m) {
        // Equal bits below the sign: leading zeros after the sign is made zero, without itself.
        const T folded = wrap<T>(m ^ (m >> (kBits<T> - 1) != 0 ? ~T{0} : T{0}));
        return wrap<T>(std::countl_zero(folded) - 1);
    }
};

/// Reverses the low bits of a lane, as many as the scalar says, and clears the others.
struct BitReverse {
    template <class T>
    static T lane(T, T n, T m) {
        std::uint32_t bits = n;
        bits = (bits >> 1 & 0x55555555u) | (bits & 0x55555555u) << 1;
        bits = (bits >> 2 & 0x33333333u) | (bits & 0x33333333u) << 2;
        bits = (bits >> 4 & 0x0F0F0F0Fu) | (bits & 0x0F0F0F0Fu) << 4;
        bits = (bits >> 8 & 0x00FF00FFu) | (bits & 0x00FF00FFu) << 8;
        bits = bits >> 16 | bits << 16;
        const unsigned count = m & 0xFF;
        if (count == 0) return 0;
        const T reversed = wrap<T>(bits >> (32 - kBits<T>));
        return count >= kBits<T> ? reversed : wrap<T>(reversed >> (kBits<T> - count));
    }
};

/// VREV: byte i comes from byte i ^ kDistance. Bit by bit of the distance, neighbours change
/// places.
template <unsigned kDistance>
struct Reverse {
    template <class T>
    static T lane(T, T, T m) {
        if (kDistance & 1) m = (m >> 8 & 0x00FF00FF00FF00FFu) | (m & 0x00FF00FF00FF00FFu) << 8;
        if (kDistance & 2) m = (m >> 16 & 0x0000FFFF0000FFFFu) | (m & 0x0000FFFF0000FFFFu) << 16;
        return kDistance & 4 ? m >> 32 | m << 32 : m;
    }
};

template <unsigned kDistance>
constexpr Handler kReverse = kLanewise<Reverse<kDistance>, Source::Vector, Halves>[0];

/// `kGroupBytes` are reversed in units of the size field.
template <unsigned kGroupBytes>
void build_reverse(Builder& builder, const Fields& fields) {
    constexpr std::array kHandlers = {kReverse<kGroupBytes - 1>, kReverse<(kGroupBytes - 1) & ~1u>,
                                      kReverse<(kGroupBytes - 1) & ~3u>};
    emit_vectors(builder, fields, kHandlers[fields['s']]);
}

template <unsigned kGroupBytes>
bool reversible(const Fields& fields) {
    return 1u << fields['s'] < kGroupBytes;
}

/// VDUP: field B is 2 for bytes, 1 for halfwords, 0 for words.
void build_duplicate(Builder& builder, const Fields& fields) {
    MicroOp& op = builder.emit(kLanewise<Copy, Source::Scalar, Modular>[2 - fields['B']]);
    op.rd = vector_offset(fields, 'd');
    op.rm = fields.reg('t');
}

bool duplicable(const Fields& fields) {
    return fields['B'] != 3 && fields['t'] != 13 && fields['t'] != 15;
}

bool is_copy(const Fields& fields) {
    return fields['n'] == fields['m'];
}
bool is_or(const Fields& fields) {
    return !is_copy(fields);
}

/// Cmode 0xx1 and 10x1 combine the immediate with the destination; the others replace it.
bool combines(const Fields& fields) {
    return (fields['c'] & 1) != 0 && fields['c'] < 12;
}
bool replaces(const Fields& fields) {
    return fields['o'] == 0 ? !combines(fields) : fields['c'] == 14;
}
bool replaces_inverted(const Fields& fields) {
    return !combines(fields) && fields['c'] < 14;
}

constexpr Row kRows[] = {
    // Two vectors.
    {"VAND T1", "1110 1111 0000 nnn0 ddd0 0001 0101 mmm0", "vand{:v} {d:q}, {n:q}, {m:q}",
     simd_bitwise<&SimdHandlers::bit_and>, Issue::VectorSimple, Unit::Vector},
    {"VBIC (register) T1", "1110 1111 0001 nnn0 ddd0 0001 0101 mmm0",
     "vbic{:v} {d:q}, {n:q}, {m:q}", simd_bitwise<&SimdHandlers::bit_clear>, Issue::VectorSimple,
     Unit::Vector},
    {"VORR (register) T1", "1110 1111 0010 nnn0 ddd0 0001 0101 mmm0",
     "vorr{:v} {d:q}, {n:q}, {m:q}", simd_bitwise<&SimdHandlers::bit_or>, Issue::VectorSimple,
     Unit::Vector, is_or},
    {"VMOV (register) (vector) T1", "1110 1111 0010 nnn0 ddd0 0001 0101 mmm0",
     "vmov{:v} {d:q}, {m:q}", by_vector<Copy, Halves>, Issue::VectorSimple, Unit::Vector, is_copy},
    {"VORN T1", "1110 1111 0011 nnn0 ddd0 0001 0101 mmm0", "vorn{:v} {d:q}, {n:q}, {m:q}",
     simd_bitwise<&SimdHandlers::bit_or_not>, Issue::VectorSimple, Unit::Vector},
    {"VEOR T1", "1111 1111 0000 nnn0 ddd0 0001 0101 mmm0", "veor{:v} {d:q}, {n:q}, {m:q}",
     simd_bitwise<&SimdHandlers::bit_exclusive_or>, Issue::VectorSimple, Unit::Vector},

    // Immediates: o inverts or selects, c is cmode.
    {"VMOV (immediate) (vector) T1", "111i 1111 1000 0iii ddd0 cccc 01o1 iiii",
     "vmov{:v}.{c:movtype} {d:q}, {i:vimm}", by_immediate<Copy>, Issue::VectorSimple, Unit::Vector,
     replaces},
    {"VMVN (immediate) T1", "111i 1111 1000 0iii ddd0 cccc 0111 iiii",
     "vmvn{:v}.{c:movtype} {d:q}, {i:vimm}", by_inverted_immediate, Issue::VectorSimple,
     Unit::Vector, replaces_inverted},
    {"VORR (immediate) T1", "111i 1111 1000 0iii ddd0 cccc 0101 iiii",
     "vorr{:v}.{c:movtype} {d:q}, {i:vimm}", by_immediate<OrInto>, Issue::VectorSimple,
     Unit::Vector, combines},
    {"VBIC (immediate) T1", "111i 1111 1000 0iii ddd0 cccc 0111 iiii",
     "vbic{:v}.{c:movtype} {d:q}, {i:vimm}", by_immediate<ClearIn>, Issue::VectorSimple,
     Unit::Vector, combines},

    // One vector.
    {"VMVN (register) T1", "1111 1111 1011 0000 ddd0 0101 1100 mmm0", "vmvn{:v} {d:q}, {m:q}",
     by_vector<Invert, Halves>, Issue::VectorSimple, Unit::Vector},
    {"VCLS T1", "1111 1111 1011 ss00 ddd0 0100 0100 mmm0", "vcls{:v}.s{s:size} {d:q}, {m:q}",
     by_vector<CountLeadingSignBits, Modular>, Issue::VectorSimple, Unit::Vector, sized},
    {"VCLZ T1", "1111 1111 1011 ss00 ddd0 0100 1100 mmm0", "vclz{:v}.i{s:size} {d:q}, {m:q}",
     by_vector<CountLeadingZeros, Modular>, Issue::VectorSimple, Unit::Vector, sized},
    {"VREV16 T1", "1111 1111 1011 ss00 ddd0 0001 0100 mmm0", "vrev16{:v}.{s:size} {d:q}, {m:q}",
     build_reverse<2>, Issue::VectorSimple, Unit::Vector, reversible<2>},
    {"VREV32 T1", "1111 1111 1011 ss00 ddd0 0000 1100 mmm0", "vrev32{:v}.{s:size} {d:q}, {m:q}",
     build_reverse<4>, Issue::VectorSimple, Unit::Vector, reversible<4>},
    {"VREV64 T1", "1111 1111 1011 ss00 ddd0 0000 0100 mmm0", "vrev64{:v}.{s:size} {d:q}, {m:q}",
     build_reverse<8>, Issue::VectorSimple, Unit::Vector, reversible<8>},
    {"VBRSR T1", "1111 1110 00ss nnn1 ddd1 1110 0110 mmmm",
     "vbrsr{:v}.{s:size} {d:q}, {n:q}, {m:r}", by_scalar<BitReverse, Modular>, Issue::VectorSimple,
     Unit::Vector, sized_plain_m},

    // From a general register.
    {"VDUP T1", "1110 1110 1B10 ddd0 tttt 1011 00B1 0000", "vdup{:v}.{B:dupsize} {d:q}, {t:r}",
     build_duplicate, Issue::VectorMove, Unit::Vector, duplicable},
};

}  // namespace

std::span<const Row> logic_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::vector_integer
