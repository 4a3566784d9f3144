// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "models/core/isa/families.h"
#include "models/core/isa/memory/build.h"
#include "models/core/isa/memory/operands.h"

namespace n6vp::models::core::isa::memory {

namespace {

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using I8 = std::int8_t;
using I16 = std::int16_t;

/// Base 15 is a literal for loads and undefined for stores.
bool base_is_not_pc(const Fields& fields) {
    return fields['n'] != 15;
}

/// In byte and halfword loads, 15 as the register loaded is a hint.
bool no_pc(const Fields& fields) {
    return fields['n'] != 15 && fields['t'] != 15;
}
bool loads_no_pc(const Fields& fields) {
    return fields['t'] != 15;
}

bool has_list(const Fields& fields) {
    return fields['l'] != 0;
}
bool has_push_list(const Fields& fields) {
    return fields['l'] != 0 || fields['L'] != 0;
}

constexpr Issue kLoad = Issue::Load, kNarrow = Issue::LoadNarrow, kStore = Issue::Store;

constexpr Row kRows[] = {
    // 16 bits: literal, register offset, immediate offset, stack pointer.
    {"LDR (literal) T1", "01001 ttt iiiiiiii", "ldr{:it} {t:r}, [pc{i:pc4}]",
     build_load_literal<U32>, kLoad},
    {"STR (register) T1", "0101 000 mmm nnn ttt", "str{:it} {t:r}, [{n:r}, {m:r}]",
     build_store_register<U32>, kStore},
    {"STRH (register) T1", "0101 001 mmm nnn ttt", "strh{:it} {t:r}, [{n:r}, {m:r}]",
     build_store_register<U16>, kStore},
    {"STRB (register) T1", "0101 010 mmm nnn ttt", "strb{:it} {t:r}, [{n:r}, {m:r}]",
     build_store_register<U8>, kStore},
    {"LDRSB (register) T1", "0101 011 mmm nnn ttt", "ldrsb{:it} {t:r}, [{n:r}, {m:r}]",
     build_load_register<I8>, kNarrow},
    {"LDR (register) T1", "0101 100 mmm nnn ttt", "ldr{:it} {t:r}, [{n:r}, {m:r}]",
     build_load_register<U32>, kLoad},
    {"LDRH (register) T1", "0101 101 mmm nnn ttt", "ldrh{:it} {t:r}, [{n:r}, {m:r}]",
     build_load_register<U16>, kNarrow},
    {"LDRB (register) T1", "0101 110 mmm nnn ttt", "ldrb{:it} {t:r}, [{n:r}, {m:r}]",
     build_load_register<U8>, kNarrow},
    {"LDRSH (register) T1", "0101 111 mmm nnn ttt", "ldrsh{:it} {t:r}, [{n:r}, {m:r}]",
     build_load_register<I16>, kNarrow},
    {"STR (immediate) T1", "0110 0 iiiii nnn ttt", "str{:it} {t:r}, [{n:r}{i:up4}]",
     build_store_up<U32, 4>, kStore},
    {"LDR (immediate) T1", "0110 1 iiiii nnn ttt", "ldr{:it} {t:r}, [{n:r}{i:up4}]",
     build_load_up<U32, 4>, kLoad},
    {"STRB (immediate) T1", "0111 0 iiiii nnn ttt", "strb{:it} {t:r}, [{n:r}{i:up}]",
     build_store_up<U8, 1>, kStore},
    {"LDRB (immediate) T1", "0111 1 iiiii nnn ttt", "ldrb{:it} {t:r}, [{n:r}{i:up}]",
     build_load_up<U8, 1>, kNarrow},
    {"STRH (immediate) T1", "1000 0 iiiii nnn ttt", "strh{:it} {t:r}, [{n:r}{i:up2}]",
     build_store_up<U16, 2>, kStore},
    {"LDRH (immediate) T1", "1000 1 iiiii nnn ttt", "ldrh{:it} {t:r}, [{n:r}{i:up2}]",
     build_load_up<U16, 2>, kNarrow},
    {"STR (immediate) T2", "1001 0 ttt iiiiiiii", "str{:it} {t:r}, [sp{i:up4}]",
     build_store_sp<U32>, kStore},
    {"LDR (immediate) T2", "1001 1 ttt iiiiiiii", "ldr{:it} {t:r}, [sp{i:up4}]", build_load_sp<U32>,
     kLoad},

    // 16 bits: several registers.
    {"STM T1", "1100 0 nnn llllllll", "stm{:it} {n:r}!, {l:list}", build_store_multiple_narrow,
     Issue::StoreMultiple, Unit::Integer, has_list},
    {"LDM T1", "1100 1 nnn llllllll", "ldm{:it} {n:r}{n:!}, {l:list}", build_load_multiple_narrow,
     Issue::LoadMultiple, Unit::Integer, has_list},
    {"PUSH T1", "1011 010 L llllllll", "push{:it} {l:push}", build_push_narrow,
     Issue::StoreMultiple, Unit::Integer, has_push_list},
    {"POP T1", "1011 110 L llllllll", "pop{:it} {l:pop}", build_pop_narrow, Issue::LoadMultiple,
     Unit::Integer, has_push_list},

    // Words.
    {"LDR (literal) T2", "1111 1000 U101 1111 tttt iiii iiii iiii",
     "ldr{:it}.w {t:r}, [pc{i:move}]", build_load_literal<U32>, kLoad},
    {"LDR (immediate) T3", "1111 1000 1101 nnnn tttt iiii iiii iiii",
     "ldr{:it}.w {t:r}, [{n:r}{i:up}]", build_load_up<U32, 1>, kLoad, Unit::Integer,
     base_is_not_pc},
    {"LDR (immediate) T4, offset", "1111 1000 0101 nnnn tttt 1100 iiii iiii",
     "ldr{:it} {t:r}, [{n:r}{i:down}]", build_load_down<U32>, kLoad, Unit::Integer, base_is_not_pc},
    {"LDR (immediate) T4, pre-indexed", "1111 1000 0101 nnnn tttt 11U1 iiii iiii",
     "ldr{:it} {t:r}, [{n:r}{i:move}]!", build_load_indexed<U32, true>, kLoad, Unit::Integer,
     base_is_not_pc},
    {"LDR (immediate) T4, post-indexed", "1111 1000 0101 nnnn tttt 10U1 iiii iiii",
     "ldr{:it} {t:r}, [{n:r}]{i:move}", build_load_indexed<U32, false>, kLoad, Unit::Integer,
     base_is_not_pc},
    {"LDRT T1", "1111 1000 0101 nnnn tttt 1110 iiii iiii", "ldrt{:it} {t:r}, [{n:r}{i:up}]",
     build_load_unprivileged<U32>, kLoad, Unit::Integer, base_is_not_pc},
    {"LDR (register) T2", "1111 1000 0101 nnnn tttt 000000 ii mmmm",
     "ldr{:it}.w {t:r}, [{n:r}, {m:r}{i:lsl}]", build_load_register<U32>, kLoad, Unit::Integer,
     base_is_not_pc},
    {"STR (immediate) T3", "1111 1000 1100 nnnn tttt iiii iiii iiii",
     "str{:it}.w {t:r}, [{n:r}{i:up}]", build_store_up<U32, 1>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STR (immediate) T4, offset", "1111 1000 0100 nnnn tttt 1100 iiii iiii",
     "str{:it} {t:r}, [{n:r}{i:down}]", build_store_down<U32>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STR (immediate) T4, pre-indexed", "1111 1000 0100 nnnn tttt 11U1 iiii iiii",
     "str{:it} {t:r}, [{n:r}{i:move}]!", build_store_indexed<U32, true>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STR (immediate) T4, post-indexed", "1111 1000 0100 nnnn tttt 10U1 iiii iiii",
     "str{:it} {t:r}, [{n:r}]{i:move}", build_store_indexed<U32, false>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STRT T1", "1111 1000 0100 nnnn tttt 1110 iiii iiii", "strt{:it} {t:r}, [{n:r}{i:up}]",
     build_store_unprivileged<U32>, kStore, Unit::Integer, base_is_not_pc},
    {"STR (register) T2", "1111 1000 0100 nnnn tttt 000000 ii mmmm",
     "str{:it}.w {t:r}, [{n:r}, {m:r}{i:lsl}]", build_store_register<U32>, kStore, Unit::Integer,
     base_is_not_pc},

    // Bytes and halfwords.
    {"LDRB (literal) T1", "1111 1000 U001 1111 tttt iiii iiii iiii",
     "ldrb{:it}.w {t:r}, [pc{i:move}]", build_load_literal<U8>, kNarrow, Unit::Integer,
     loads_no_pc},
    {"LDRB (immediate) T2", "1111 1000 1001 nnnn tttt iiii iiii iiii",
     "ldrb{:it}.w {t:r}, [{n:r}{i:up}]", build_load_up<U8, 1>, kNarrow, Unit::Integer, no_pc},
    {"LDRB (immediate) T3, offset", "1111 1000 0001 nnnn tttt 1100 iiii iiii",
     "ldrb{:it} {t:r}, [{n:r}{i:down}]", build_load_down<U8>, kNarrow, Unit::Integer, no_pc},
    {"LDRB (immediate) T3, pre-indexed", "1111 1000 0001 nnnn tttt 11U1 iiii iiii",
     "ldrb{:it} {t:r}, [{n:r}{i:move}]!", build_load_indexed<U8, true>, kNarrow, Unit::Integer,
     base_is_not_pc},
    {"LDRB (immediate) T3, post-indexed", "1111 1000 0001 nnnn tttt 10U1 iiii iiii",
     "ldrb{:it} {t:r}, [{n:r}]{i:move}", build_load_indexed<U8, false>, kNarrow, Unit::Integer,
     base_is_not_pc},
    {"LDRBT T1", "1111 1000 0001 nnnn tttt 1110 iiii iiii", "ldrbt{:it} {t:r}, [{n:r}{i:up}]",
     build_load_unprivileged<U8>, kNarrow, Unit::Integer, base_is_not_pc},
    {"LDRB (register) T2", "1111 1000 0001 nnnn tttt 000000 ii mmmm",
     "ldrb{:it}.w {t:r}, [{n:r}, {m:r}{i:lsl}]", build_load_register<U8>, kNarrow, Unit::Integer,
     no_pc},
    {"LDRH (literal) T1", "1111 1000 U011 1111 tttt iiii iiii iiii",
     "ldrh{:it}.w {t:r}, [pc{i:move}]", build_load_literal<U16>, kNarrow, Unit::Integer,
     loads_no_pc},
    {"LDRH (immediate) T2", "1111 1000 1011 nnnn tttt iiii iiii iiii",
     "ldrh{:it}.w {t:r}, [{n:r}{i:up}]", build_load_up<U16, 1>, kNarrow, Unit::Integer, no_pc},
    {"LDRH (immediate) T3, offset", "1111 1000 0011 nnnn tttt 1100 iiii iiii",
     "ldrh{:it} {t:r}, [{n:r}{i:down}]", build_load_down<U16>, kNarrow, Unit::Integer, no_pc},
    {"LDRH (immediate) T3, pre-indexed", "1111 1000 0011 nnnn tttt 11U1 iiii iiii",
     "ldrh{:it} {t:r}, [{n:r}{i:move}]!", build_load_indexed<U16, true>, kNarrow, Unit::Integer,
     base_is_not_pc},
    {"LDRH (immediate) T3, post-indexed", "1111 1000 0011 nnnn tttt 10U1 iiii iiii",
     "ldrh{:it} {t:r}, [{n:r}]{i:move}", build_load_indexed<U16, false>, kNarrow, Unit::Integer,
     base_is_not_pc},
    {"LDRHT T1", "1111 1000 0011 nnnn tttt 1110 iiii iiii", "ldrht{:it} {t:r}, [{n:r}{i:up}]",
     build_load_unprivileged<U16>, kNarrow, Unit::Integer, base_is_not_pc},
    {"LDRH (register) T2", "1111 1000 0011 nnnn tttt 000000 ii mmmm",
     "ldrh{:it}.w {t:r}, [{n:r}, {m:r}{i:lsl}]", build_load_register<U16>, kNarrow, Unit::Integer,
     no_pc},
    {"LDRSB (literal) T1", "1111 1001 U001 1111 tttt iiii iiii iiii",
     "ldrsb{:it}.w {t:r}, [pc{i:move}]", build_load_literal<I8>, kNarrow, Unit::Integer,
     loads_no_pc},
    {"LDRSB (immediate) T1", "1111 1001 1001 nnnn tttt iiii iiii iiii",
     "ldrsb{:it}.w {t:r}, [{n:r}{i:up}]", build_load_up<I8, 1>, kNarrow, Unit::Integer, no_pc},
    {"LDRSB (immediate) T2, offset", "1111 1001 0001 nnnn tttt 1100 iiii iiii",
     "ldrsb{:it} {t:r}, [{n:r}{i:down}]", build_load_down<I8>, kNarrow, Unit::Integer, no_pc},
    {"LDRSB (immediate) T2, pre-indexed", "1111 1001 0001 nnnn tttt 11U1 iiii iiii",
     "ldrsb{:it} {t:r}, [{n:r}{i:move}]!", build_load_indexed<I8, true>, kNarrow, Unit::Integer,
     base_is_not_pc},
    {"LDRSB (immediate) T2, post-indexed", "1111 1001 0001 nnnn tttt 10U1 iiii iiii",
     "ldrsb{:it} {t:r}, [{n:r}]{i:move}", build_load_indexed<I8, false>, kNarrow, Unit::Integer,
     base_is_not_pc},
    {"LDRSBT T1", "1111 1001 0001 nnnn tttt 1110 iiii iiii", "ldrsbt{:it} {t:r}, [{n:r}{i:up}]",
     build_load_unprivileged<I8>, kNarrow, Unit::Integer, base_is_not_pc},
    {"LDRSB (register) T2", "1111 1001 0001 nnnn tttt 000000 ii mmmm",
     "ldrsb{:it}.w {t:r}, [{n:r}, {m:r}{i:lsl}]", build_load_register<I8>, kNarrow, Unit::Integer,
     no_pc},
    {"LDRSH (literal) T1", "1111 1001 U011 1111 tttt iiii iiii iiii",
     "ldrsh{:it}.w {t:r}, [pc{i:move}]", build_load_literal<I16>, kNarrow, Unit::Integer,
     loads_no_pc},
    {"LDRSH (immediate) T1", "1111 1001 1011 nnnn tttt iiii iiii iiii",
     "ldrsh{:it}.w {t:r}, [{n:r}{i:up}]", build_load_up<I16, 1>, kNarrow, Unit::Integer, no_pc},
    {"LDRSH (immediate) T2, offset", "1111 1001 0011 nnnn tttt 1100 iiii iiii",
     "ldrsh{:it} {t:r}, [{n:r}{i:down}]", build_load_down<I16>, kNarrow, Unit::Integer, no_pc},
    {"LDRSH (immediate) T2, pre-indexed", "1111 1001 0011 nnnn tttt 11U1 iiii iiii",
     "ldrsh{:it} {t:r}, [{n:r}{i:move}]!", build_load_indexed<I16, true>, kNarrow, Unit::Integer,
     base_is_not_pc},
    {"LDRSH (immediate) T2, post-indexed", "1111 1001 0011 nnnn tttt 10U1 iiii iiii",
     "ldrsh{:it} {t:r}, [{n:r}]{i:move}", build_load_indexed<I16, false>, kNarrow, Unit::Integer,
     base_is_not_pc},
    {"LDRSHT T1", "1111 1001 0011 nnnn tttt 1110 iiii iiii", "ldrsht{:it} {t:r}, [{n:r}{i:up}]",
     build_load_unprivileged<I16>, kNarrow, Unit::Integer, base_is_not_pc},
    {"LDRSH (register) T2", "1111 1001 0011 nnnn tttt 000000 ii mmmm",
     "ldrsh{:it}.w {t:r}, [{n:r}, {m:r}{i:lsl}]", build_load_register<I16>, kNarrow, Unit::Integer,
     no_pc},
    {"STRB (immediate) T2", "1111 1000 1000 nnnn tttt iiii iiii iiii",
     "strb{:it}.w {t:r}, [{n:r}{i:up}]", build_store_up<U8, 1>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STRB (immediate) T3, offset", "1111 1000 0000 nnnn tttt 1100 iiii iiii",
     "strb{:it} {t:r}, [{n:r}{i:down}]", build_store_down<U8>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STRB (immediate) T3, pre-indexed", "1111 1000 0000 nnnn tttt 11U1 iiii iiii",
     "strb{:it} {t:r}, [{n:r}{i:move}]!", build_store_indexed<U8, true>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STRB (immediate) T3, post-indexed", "1111 1000 0000 nnnn tttt 10U1 iiii iiii",
     "strb{:it} {t:r}, [{n:r}]{i:move}", build_store_indexed<U8, false>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STRBT T1", "1111 1000 0000 nnnn tttt 1110 iiii iiii", "strbt{:it} {t:r}, [{n:r}{i:up}]",
     build_store_unprivileged<U8>, kStore, Unit::Integer, base_is_not_pc},
    {"STRB (register) T2", "1111 1000 0000 nnnn tttt 000000 ii mmmm",
     "strb{:it}.w {t:r}, [{n:r}, {m:r}{i:lsl}]", build_store_register<U8>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STRH (immediate) T2", "1111 1000 1010 nnnn tttt iiii iiii iiii",
     "strh{:it}.w {t:r}, [{n:r}{i:up}]", build_store_up<U16, 1>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STRH (immediate) T3, offset", "1111 1000 0010 nnnn tttt 1100 iiii iiii",
     "strh{:it} {t:r}, [{n:r}{i:down}]", build_store_down<U16>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STRH (immediate) T3, pre-indexed", "1111 1000 0010 nnnn tttt 11U1 iiii iiii",
     "strh{:it} {t:r}, [{n:r}{i:move}]!", build_store_indexed<U16, true>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STRH (immediate) T3, post-indexed", "1111 1000 0010 nnnn tttt 10U1 iiii iiii",
     "strh{:it} {t:r}, [{n:r}]{i:move}", build_store_indexed<U16, false>, kStore, Unit::Integer,
     base_is_not_pc},
    {"STRHT T1", "1111 1000 0010 nnnn tttt 1110 iiii iiii", "strht{:it} {t:r}, [{n:r}{i:up}]",
     build_store_unprivileged<U16>, kStore, Unit::Integer, base_is_not_pc},
    {"STRH (register) T2", "1111 1000 0010 nnnn tttt 000000 ii mmmm",
     "strh{:it}.w {t:r}, [{n:r}, {m:r}{i:lsl}]", build_store_register<U16>, kStore, Unit::Integer,
     base_is_not_pc},

    // Hints.
    {"PLD (literal) T1", "1111 1000 U0-1 1111 1111 iiii iiii iiii", "pld{:it} [pc{i:move}]",
     build_preload, Issue::Nop},
    {"PLD (immediate) T1", "1111 1000 1001 nnnn 1111 iiii iiii iiii", "pld{:it} [{n:r}{i:up}]",
     build_preload, Issue::Nop, Unit::Integer, base_is_not_pc},
    {"PLD (immediate) T2", "1111 1000 0001 nnnn 1111 1100 iiii iiii", "pld{:it} [{n:r}{i:down}]",
     build_preload, Issue::Nop, Unit::Integer, base_is_not_pc},
    {"PLD (register) T1", "1111 1000 0001 nnnn 1111 000000 ii mmmm",
     "pld{:it} [{n:r}, {m:r}{i:lsl}]", build_preload, Issue::Nop, Unit::Integer, base_is_not_pc},
    {"PLI (literal) T3", "1111 1001 U001 1111 1111 iiii iiii iiii", "pli{:it} [pc{i:move}]",
     build_preload, Issue::Nop},
    {"PLI (immediate) T1", "1111 1001 1001 nnnn 1111 iiii iiii iiii", "pli{:it} [{n:r}{i:up}]",
     build_preload, Issue::Nop, Unit::Integer, base_is_not_pc},
    {"PLI (immediate) T2", "1111 1001 0001 nnnn 1111 1100 iiii iiii", "pli{:it} [{n:r}{i:down}]",
     build_preload, Issue::Nop, Unit::Integer, base_is_not_pc},
    {"PLI (register) T1", "1111 1001 0001 nnnn 1111 000000 ii mmmm",
     "pli{:it} [{n:r}, {m:r}{i:lsl}]", build_preload, Issue::Nop, Unit::Integer, base_is_not_pc},

    // Pairs.
    {"LDRD (literal) T1", "1110 1001 U101 1111 tttt uuuu iiiiiiii",
     "ldrd{:it} {t:r}, {u:r}, [pc{i:offset4}]", build_load_double_literal, Issue::LoadDouble},
    {"LDRD (immediate) T1, offset", "1110 1001 U101 nnnn tttt uuuu iiiiiiii",
     "ldrd{:it} {t:r}, {u:r}, [{n:r}{i:offset4}]", build_load_double<Mode::Offset>,
     Issue::LoadDouble, Unit::Integer, base_is_not_pc},
    {"LDRD (immediate) T1, pre-indexed", "1110 1001 U111 nnnn tttt uuuu iiiiiiii",
     "ldrd{:it} {t:r}, {u:r}, [{n:r}{i:move4}]!", build_load_double<Mode::Before>,
     Issue::LoadDouble},
    {"LDRD (immediate) T1, post-indexed", "1110 1000 U111 nnnn tttt uuuu iiiiiiii",
     "ldrd{:it} {t:r}, {u:r}, [{n:r}]{i:move4}", build_load_double<Mode::After>, Issue::LoadDouble},
    {"STRD (immediate) T1, offset", "1110 1001 U100 nnnn tttt uuuu iiiiiiii",
     "strd{:it} {t:r}, {u:r}, [{n:r}{i:offset4}]", build_store_double<Mode::Offset>,
     Issue::StoreDouble},
    {"STRD (immediate) T1, pre-indexed", "1110 1001 U110 nnnn tttt uuuu iiiiiiii",
     "strd{:it} {t:r}, {u:r}, [{n:r}{i:move4}]!", build_store_double<Mode::Before>,
     Issue::StoreDouble},
    {"STRD (immediate) T1, post-indexed", "1110 1000 U110 nnnn tttt uuuu iiiiiiii",
     "strd{:it} {t:r}, {u:r}, [{n:r}]{i:move4}", build_store_double<Mode::After>,
     Issue::StoreDouble},

    // Several registers.
    {"LDM T2", "1110 1000 10W1 nnnn llllllllllllllll", "{:ldm}{:it}.w {n:base}{l:list}",
     build_load_multiple_up, Issue::LoadMultiple, Unit::Integer, has_list},
    {"LDMDB T1", "1110 1001 00W1 nnnn llllllllllllllll", "ldmdb{:it} {n:r}{W:M}, {l:list}",
     build_load_multiple_down, Issue::LoadMultiple, Unit::Integer, has_list},
    {"STM T2", "1110 1000 10W0 nnnn 0l0lllllllllllll", "stm{:it}.w {n:r}{W:M}, {l:store_list}",
     build_store_multiple_up, Issue::StoreMultiple, Unit::Integer, has_list},
    {"STMDB T1", "1110 1001 00W0 nnnn 0l0lllllllllllll",
     "{:stmdb}{:it}{:wide_push} {n:base}{l:store_list}", build_store_multiple_down,
     Issue::StoreMultiple, Unit::Integer, has_list},
    needing(Feature::V81, {"CLRM T1", "1110 1000 1001 1111 ll0lllllllllllll", "clrm{:it} {l:clrm}",
                           build_clear_multiple, Issue::LoadMultiple, Unit::Integer, has_list}),

    // Exclusives, acquire, release.
    {"LDREX T1", "1110 1000 0101 nnnn tttt 1111 iiiiiiii", "ldrex{:it} {t:r}, [{n:r}{i:up4}]",
     build_load_exclusive<U32>, kLoad},
    {"LDREXB T1", "1110 1000 1101 nnnn tttt 1111 0100 1111", "ldrexb{:it} {t:r}, [{n:r}]",
     build_load_exclusive<U8>, kNarrow},
    {"LDREXH T1", "1110 1000 1101 nnnn tttt 1111 0101 1111", "ldrexh{:it} {t:r}, [{n:r}]",
     build_load_exclusive<U16>, kNarrow},
    {"STREX T1", "1110 1000 0100 nnnn tttt dddd iiiiiiii",
     "strex{:it} {d:r}, {t:r}, [{n:r}{i:up4}]", build_store_exclusive<U32>, kStore},
    {"STREXB T1", "1110 1000 1100 nnnn tttt 1111 0100 dddd", "strexb{:it} {d:r}, {t:r}, [{n:r}]",
     build_store_exclusive<U8>, kStore},
    {"STREXH T1", "1110 1000 1100 nnnn tttt 1111 0101 dddd", "strexh{:it} {d:r}, {t:r}, [{n:r}]",
     build_store_exclusive<U16>, kStore},
    needing(Feature::V8, {"LDAB T1", "1110 1000 1101 nnnn tttt 1111 1000 1111",
                          "ldab{:it} {t:r}, [{n:r}]", build_load_acquire<U8>, kNarrow}),
    needing(Feature::V8, {"LDAH T1", "1110 1000 1101 nnnn tttt 1111 1001 1111",
                          "ldah{:it} {t:r}, [{n:r}]", build_load_acquire<U16>, kNarrow}),
    needing(Feature::V8, {"LDA T1", "1110 1000 1101 nnnn tttt 1111 1010 1111",
                          "lda{:it} {t:r}, [{n:r}]", build_load_acquire<U32>, kLoad}),
    needing(Feature::V8, {"LDAEXB T1", "1110 1000 1101 nnnn tttt 1111 1100 1111",
                          "ldaexb{:it} {t:r}, [{n:r}]", build_load_exclusive<U8>, kNarrow}),
    needing(Feature::V8, {"LDAEXH T1", "1110 1000 1101 nnnn tttt 1111 1101 1111",
                          "ldaexh{:it} {t:r}, [{n:r}]", build_load_exclusive<U16>, kNarrow}),
    needing(Feature::V8, {"LDAEX T1", "1110 1000 1101 nnnn tttt 1111 1110 1111",
                          "ldaex{:it} {t:r}, [{n:r}]", build_load_exclusive<U32>, kLoad}),
    needing(Feature::V8, {"STLB T1", "1110 1000 1100 nnnn tttt 1111 1000 1111",
                          "stlb{:it} {t:r}, [{n:r}]", build_store_release<U8>, kStore}),
    needing(Feature::V8, {"STLH T1", "1110 1000 1100 nnnn tttt 1111 1001 1111",
                          "stlh{:it} {t:r}, [{n:r}]", build_store_release<U16>, kStore}),
    needing(Feature::V8, {"STL T1", "1110 1000 1100 nnnn tttt 1111 1010 1111",
                          "stl{:it} {t:r}, [{n:r}]", build_store_release<U32>, kStore}),
    needing(Feature::V8, {"STLEXB T1", "1110 1000 1100 nnnn tttt 1111 1100 dddd",
                          "stlexb{:it} {d:r}, {t:r}, [{n:r}]", build_store_exclusive<U8>, kStore}),
    needing(Feature::V8, {"STLEXH T1", "1110 1000 1100 nnnn tttt 1111 1101 dddd",
                          "stlexh{:it} {d:r}, {t:r}, [{n:r}]", build_store_exclusive<U16>, kStore}),
    needing(Feature::V8, {"STLEX T1", "1110 1000 1100 nnnn tttt 1111 1110 dddd",
                          "stlex{:it} {d:r}, {t:r}, [{n:r}]", build_store_exclusive<U32>, kStore}),
    {"CLREX T1", "1111 0011 1011 1111 1000 1111 0010 1111", "clrex{:it}", build_clear_exclusive,
     Issue::System},
};

}  // namespace

}  // namespace n6vp::models::core::isa::memory

namespace n6vp::models::core::isa {

Family memory_family() {
    return {"memory", memory::kRows, memory::memory_directives()};
}

}  // namespace n6vp::models::core::isa
