// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/control/coprocessor.h"

#include "models/core/ir/builder.h"

namespace n6vp::models::core::isa::control {

namespace {

void build_no_coprocessor(Builder& builder, const Fields& /*fields*/) {
    builder.no_coprocessor();
}

bool is_generic(const Fields& fields) {
    const std::uint32_t number = fields['p'];
    return number < 8 || number == 12 || number == 13;
}

constexpr Row kRows[] = {
    {"CDP T1", "1110 1110 oooo nnnn dddd pppp qqq 0 mmmm",
     "cdp{:it} {p:cp}, {o:u}, {d:cr}, {n:cr}, {m:cr}, {q:u}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"CDP2 T2", "1111 1110 oooo nnnn dddd pppp qqq 0 mmmm",
     "cdp2{:it} {p:cp}, {o:u}, {d:cr}, {n:cr}, {m:cr}, {q:u}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"MCR T1", "1110 1110 ooo 0 nnnn tttt pppp qqq 1 mmmm",
     "mcr{:it} {p:cp}, {o:u}, {t:r}, {n:cr}, {m:cr}, {q:u}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"MCR2 T2", "1111 1110 ooo 0 nnnn tttt pppp qqq 1 mmmm",
     "mcr2{:it} {p:cp}, {o:u}, {t:r}, {n:cr}, {m:cr}, {q:u}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"MRC T1", "1110 1110 ooo 1 nnnn tttt pppp qqq 1 mmmm",
     "mrc{:it} {p:cp}, {o:u}, {t:crt}, {n:cr}, {m:cr}, {q:u}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"MRC2 T2", "1111 1110 ooo 1 nnnn tttt pppp qqq 1 mmmm",
     "mrc2{:it} {p:cp}, {o:u}, {t:crt}, {n:cr}, {m:cr}, {q:u}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"MCRR T1", "1110 1100 0100 uuuu tttt pppp oooo mmmm",
     "mcrr{:it} {p:cp}, {o:u}, {t:r}, {u:r}, {m:cr}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"MCRR2 T2", "1111 1100 0100 uuuu tttt pppp oooo mmmm",
     "mcrr2{:it} {p:cp}, {o:u}, {t:r}, {u:r}, {m:cr}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"MRRC T1", "1110 1100 0101 uuuu tttt pppp oooo mmmm",
     "mrrc{:it} {p:cp}, {o:u}, {t:r}, {u:r}, {m:cr}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"MRRC2 T2", "1111 1100 0101 uuuu tttt pppp oooo mmmm",
     "mrrc2{:it} {p:cp}, {o:u}, {t:r}, {u:r}, {m:cr}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"LDC (immediate) T1, offset", "1110 1101 UD01 nnnn dddd pppp iiiiiiii",
     "ldc{D:long}{:it} {p:cp}, {d:cr}, [{n:r}{i:offset4}]", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"LDC (immediate) T1, pre-indexed", "1110 1101 UD11 nnnn dddd pppp iiiiiiii",
     "ldc{D:long}{:it} {p:cp}, {d:cr}, [{n:r}{i:move4}]!", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"LDC (immediate) T1, post-indexed", "1110 1100 UD11 nnnn dddd pppp iiiiiiii",
     "ldc{D:long}{:it} {p:cp}, {d:cr}, [{n:r}]{i:move4}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"LDC (immediate) T1, unindexed", "1110 1100 1D01 nnnn dddd pppp iiiiiiii",
     "ldc{D:long}{:it} {p:cp}, {d:cr}, [{n:r}], {i:option}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"STC (immediate) T1, offset", "1110 1101 UD00 nnnn dddd pppp iiiiiiii",
     "stc{D:long}{:it} {p:cp}, {d:cr}, [{n:r}{i:offset4}]", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"STC (immediate) T1, pre-indexed", "1110 1101 UD10 nnnn dddd pppp iiiiiiii",
     "stc{D:long}{:it} {p:cp}, {d:cr}, [{n:r}{i:move4}]!", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"STC (immediate) T1, post-indexed", "1110 1100 UD10 nnnn dddd pppp iiiiiiii",
     "stc{D:long}{:it} {p:cp}, {d:cr}, [{n:r}]{i:move4}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"STC (immediate) T1, unindexed", "1110 1100 1D00 nnnn dddd pppp iiiiiiii",
     "stc{D:long}{:it} {p:cp}, {d:cr}, [{n:r}], {i:option}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"LDC2 (immediate) T2, offset", "1111 1101 UD01 nnnn dddd pppp iiiiiiii",
     "ldc2{D:long}{:it} {p:cp}, {d:cr}, [{n:r}{i:offset4}]", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"LDC2 (immediate) T2, pre-indexed", "1111 1101 UD11 nnnn dddd pppp iiiiiiii",
     "ldc2{D:long}{:it} {p:cp}, {d:cr}, [{n:r}{i:move4}]!", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"LDC2 (immediate) T2, post-indexed", "1111 1100 UD11 nnnn dddd pppp iiiiiiii",
     "ldc2{D:long}{:it} {p:cp}, {d:cr}, [{n:r}]{i:move4}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"LDC2 (immediate) T2, unindexed", "1111 1100 1D01 nnnn dddd pppp iiiiiiii",
     "ldc2{D:long}{:it} {p:cp}, {d:cr}, [{n:r}], {i:option}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"STC2 (immediate) T2, offset", "1111 1101 UD00 nnnn dddd pppp iiiiiiii",
     "stc2{D:long}{:it} {p:cp}, {d:cr}, [{n:r}{i:offset4}]", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"STC2 (immediate) T2, pre-indexed", "1111 1101 UD10 nnnn dddd pppp iiiiiiii",
     "stc2{D:long}{:it} {p:cp}, {d:cr}, [{n:r}{i:move4}]!", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"STC2 (immediate) T2, post-indexed", "1111 1100 UD10 nnnn dddd pppp iiiiiiii",
     "stc2{D:long}{:it} {p:cp}, {d:cr}, [{n:r}]{i:move4}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
    {"STC2 (immediate) T2, unindexed", "1111 1100 1D00 nnnn dddd pppp iiiiiiii",
     "stc2{D:long}{:it} {p:cp}, {d:cr}, [{n:r}], {i:option}", build_no_coprocessor, Issue::System,
     Unit::Integer, is_generic},
};

}  // namespace

std::span<const Row> coprocessor_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::control
