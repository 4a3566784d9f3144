// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "models/core/ir/access.h"
#include "models/core/isa/float/operands.h"

// VLDR, VSTR and the multiple ones. Operands: rd first register, rn base.
namespace n6vp::models::core::isa {

namespace {

/// Double precision needs alignment to words only, and goes by words where the quick access asks
/// for more.
N6VP_FAR bool load_words(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    Single low = 0, high = 0;
    if (!load(cpu, op, address, low, AccessKind::Aligned) ||
        !load(cpu, op, address + 4, high, AccessKind::Aligned))
        return false;
    put<Double>(cpu, op.rd, Double{high} << 32 | low);
    return true;
}
N6VP_FAR bool store_words(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    const Double value = get<Double>(cpu, op.rd);
    return store(cpu, op, address, static_cast<Single>(value), AccessKind::Aligned) &&
           store(cpu, op, address + 4, static_cast<Single>(value >> 32), AccessKind::Aligned);
}

template <class T>
inline bool load_at(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    if constexpr (std::is_same_v<T, Double>) {
        const std::uint8_t* from = direct_read(cpu, address, sizeof(T), 4, &op);
        if (from == nullptr) [[unlikely]]
            return load_words(cpu, op, address);
        std::memcpy(cpu.vector.data() + op.rd * sizeof(T), from, sizeof(T));
        return true;
    } else {
        T value = 0;
        if (!load(cpu, op, address, value, AccessKind::Aligned)) return false;
        put<T>(cpu, op.rd, value);
        return true;
    }
}
template <class T>
inline bool store_at(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    if constexpr (std::is_same_v<T, Double>) {
        std::uint8_t* to = direct_write(cpu, address, sizeof(T), 4, &op);
        if (to == nullptr) [[unlikely]]
            return store_words(cpu, op, address);
        std::memcpy(to, cpu.vector.data() + op.rd * sizeof(T), sizeof(T));
        return true;
    } else {
        return store(cpu, op, address, get<T>(cpu, op.rd), AccessKind::Aligned);
    }
}

/// Base rn plus imm, or imm alone where the base is the program counter.
template <class T, bool Load, bool Literal>
bool transfer(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t address = Literal ? op.imm : cpu.r[op.rn] + op.imm;
    return Load ? load_at<T>(cpu, op, address) : store_at<T>(cpu, op, address);
}

template <class T, bool Load>
void build_transfer(Builder& builder, const Fields& fields) {
    const bool literal = fields['n'] == 15;
    const std::uint32_t distance = fields['i'] * (std::is_same_v<T, Half> ? 2 : 4);
    MicroOp& op = builder.emit(literal ? handler<transfer<T, Load, true>>
                                       : handler<transfer<T, Load, false>>);
    op.rd = float_reg<T>(fields, 't');
    op.rn = fields.reg('n');
    op.imm = fields['U'] != 0 ? distance : ~distance + 1;
    if (literal) op.imm += builder.pc_operand() & ~3u;
}
template <class T>
constexpr auto build_vldr = build_transfer<T, true>;
template <class T>
constexpr auto build_vstr = build_transfer<T, false>;

// Several registers: rd the first as an S register, imm bytes transferred, ra bytes the base moves
// by in words.

N6VP_FAR bool load_list_slowly(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    // Into a buffer first: after a fault the instruction starts again from what it had.
    std::array<Single, 32> loaded{};
    for (std::uint32_t i = 0; i < op.imm / 4; ++i) {
        if (!load(cpu, op, address + 4 * i, loaded[i], AccessKind::Aligned)) return false;
    }
    std::memcpy(cpu.vector.data() + op.rd * std::size_t{4}, loaded.data(), op.imm);
    return true;
}
N6VP_FAR bool store_list_slowly(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    for (std::uint32_t i = 0; i < op.imm / 4; ++i) {
        if (!store(cpu, op, address + 4 * i, get<Single>(cpu, op.rd + i), AccessKind::Aligned))
            return false;
    }
    return true;
}

bool load_list(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    const std::uint8_t* from = direct_read(cpu, address, op.imm, 4, &op);
    if (from == nullptr) [[unlikely]]
        return load_list_slowly(cpu, op, address);
    std::memcpy(cpu.vector.data() + op.rd * std::size_t{4}, from, op.imm);
    return true;
}
bool store_list(CpuState& cpu, const MicroOp& op, std::uint32_t address) {
    std::uint8_t* to = direct_write(cpu, address, op.imm, 4, &op);
    if (to == nullptr) [[unlikely]]
        return store_list_slowly(cpu, op, address);
    std::memcpy(to, cpu.vector.data() + op.rd * std::size_t{4}, op.imm);
    return true;
}

/// The stack pointer is checked at the lowest address touched, as with the integer ones.
template <bool Load, bool Down, bool Writeback>
bool transfer_multiple(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t base = cpu.r[op.rn], distance = op.ra * 4u;
    const std::uint32_t start = Down ? base - distance : base;
    if (Writeback && op.rn == 13 && !check_stack_limit(cpu, start)) return false;
    if (!(Load ? load_list(cpu, op, start) : store_list(cpu, op, start))) return false;
    if (Writeback) cpu.r[op.rn] = Down ? start : base + distance;
    return true;
}

template <class T, bool Load, bool Down>
void build_multiple(Builder& builder, const Fields& fields) {
    const bool writeback = (fields.bits() >> 21 & 1) != 0;
    MicroOp& op = builder.emit(writeback ? handler<transfer_multiple<Load, Down, true>>
                                         : handler<transfer_multiple<Load, Down, false>>);
    const std::uint32_t words = fields.bits() & 0xFF;
    const bool twice = std::is_same_v<T, Double>;
    op.rd = static_cast<std::uint8_t>(float_reg<T>(fields, 'd') * (twice ? 2 : 1));
    op.rn = static_cast<std::uint8_t>(fields.bits() >> 16 & 15);
    // FLDMX and FSTMX count a word more than they transfer.
    op.imm = 4 * (twice ? words & ~1u : words);
    op.ra = static_cast<std::uint8_t>(words);
}
template <class T>
constexpr auto build_load_up = build_multiple<T, true, false>;
template <class T>
constexpr auto build_load_down = build_multiple<T, true, true>;
template <class T>
constexpr auto build_store_up = build_multiple<T, false, false>;
template <class T>
constexpr auto build_store_down = build_multiple<T, false, true>;

/// Stores relative to the program counter are unpredictable.
bool base_usable(const Fields& fields) {
    return fields['n'] != 15;
}
bool singles_fit(const Fields& fields) {
    const std::uint32_t count = fields.bits() & 0xFF;
    return count != 0 && low_bit_first(fields['d']) + count <= 32 &&
           (fields.bits() >> 16 & 15) != 15;
}
bool doubles_fit(const Fields& fields) {
    const std::uint32_t count = fields.bits() >> 1 & 0x7F;
    return count != 0 && fields['d'] + count <= 16 && (fields.bits() >> 16 & 15) != 15;
}

// clang-format off
#define N6VP_ONE(title, name, load, build, issue, matches)                                         \
    needing(Feature::Half, {title " (half)", "1110 1101 Ut0" load " nnnn tttt 1001 iiii iiii",     \
     name "{:it}.16 {t:sf}, [{n:r}{i:off2}]", build<Half>, issue, Unit::Fp, matches}),             \
    {title " (single)", "1110 1101 Ut0" load " nnnn tttt 1010 iiii iiii",                          \
     name "{:it} {t:sf}, [{n:r}{i:off4}]", build<Single>, issue, Unit::Fp, matches},               \
    {title " (double)", "1110 1101 U00" load " nnnn tttt 1011 iiii iiii",                          \
     name "{:it} {t:d}, [{n:r}{i:off4}]", build<Double>, issue, Unit::Fp, matches}

/// `p`, `u` and `w` are bits 24, 23 and 21, `n` the base.
#define N6VP_LIST(title, name, name_x, base, p, u, w, load, n, build, issue)                       \
    {title " (single)", "1110 110" p " " u "d" w load " " n " dddd 1010 llll llll",                \
     name base "{l:slist}", build<Single>, issue, Unit::Fp, singles_fit},                          \
    {title " (double)", "1110 110" p " " u "0" w load " " n " dddd 1011 llll lll0",                \
     name base "{l:dlist}", build<Double>, issue, Unit::Fp, doubles_fit},                          \
    {title " (X)", "1110 110" p " " u "0" w load " " n " dddd 1011 llll lll1",                     \
     name_x "{l:dlist}", build<Double>, issue, Unit::Fp, doubles_fit}

constexpr Row kRows[] = {
    N6VP_ONE("VLDR T1", "vldr", "1", build_vldr, Issue::FpLoad, nullptr),
    N6VP_ONE("VSTR T1", "vstr", "0", build_vstr, Issue::FpStore, base_usable),
    N6VP_LIST("VLDM T1, up", "vldmia{:it} ", "fldmiax{:it} {n:r}{W:!}, ", "{n:r}{W:!}, ", "0", "1", "W", "1", "nnnn", build_load_up, Issue::LoadMultiple),
    N6VP_LIST("VLDM T1, down", "vldmdb{:it} ", "fldmdbx{:it} {n:r}!, ", "{n:r}!, ", "1", "0", "1", "1", "nnnn", build_load_down, Issue::LoadMultiple),
    N6VP_LIST("VSTM T1, up", "vstmia{:it} ", "fstmiax{:it} {n:r}{W:!}, ", "{n:r}{W:!}, ", "0", "1", "W", "0", "nnnn", build_store_up, Issue::StoreMultiple),
    N6VP_LIST("VSTM T1, down", "vstmdb{:it} ", "fstmdbx{:it} {n:r}!, ", "{n:r}!, ", "1", "0", "1", "0", "nnnn", build_store_down, Issue::StoreMultiple),
    {"VPOP T1 (single)", "1110 1100 1d11 1101 dddd 1010 llll llll", "vpop{:it} {l:slist}", build_load_up<Single>, Issue::LoadMultiple, Unit::Fp, singles_fit},
    {"VPOP T1 (double)", "1110 1100 1011 1101 dddd 1011 llll lll0", "vpop{:it} {l:dlist}", build_load_up<Double>, Issue::LoadMultiple, Unit::Fp, doubles_fit},
    {"VPUSH T1 (single)", "1110 1101 0d10 1101 dddd 1010 llll llll", "vpush{:it} {l:slist}", build_store_down<Single>, Issue::StoreMultiple, Unit::Fp, singles_fit},
    {"VPUSH T1 (double)", "1110 1101 0010 1101 dddd 1011 llll lll0", "vpush{:it} {l:dlist}", build_store_down<Double>, Issue::StoreMultiple, Unit::Fp, doubles_fit},
};
// clang-format on

}  // namespace

std::span<const Row> float_memory_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa
