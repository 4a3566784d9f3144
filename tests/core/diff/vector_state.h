// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/core/diff/vector_format.h"

// From a seed to slots, states and hashes, the same on both sides. Freestanding.

namespace n6vp::test::diff {

/// Marsaglia's 32-bit xorshift: three instructions per word on the core.
class Random {
  public:
    explicit Random(std::uint32_t seed) : state_(seed != 0 ? seed : 0x6C078965u) {}
    std::uint32_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return state_;
    }

  private:
    std::uint32_t state_;
};

inline constexpr std::uint32_t kHashStart = 0x811C9DC5;

/// Every word passes through an invertible step: a single differing word always shows.
inline std::uint32_t mix(std::uint32_t hash, std::uint32_t word) {
    hash = (hash ^ word) * 0x9E3779B1u;
    return hash ^ hash >> 15;
}

inline constexpr std::uint32_t kEdges[64] = {
    0,
    0,
    1,
    2,
    3,
    4,
    31,
    32,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x10000,
    0x7FFFFFFF,
    0x7FFFFFFE,
    0x80000000,
    0x80000001,
    0xFFFFFFFF,
    0xFFFFFFFE,
    0xFFFF8000,
    0xFFFFFF80,
    0x7FFF7FFF,
    0x80008000,
    0x00010001,
    0xFFFF0000,
    0x7F7F7F7F,
    0x80808080,
    0x01010101,
    0x55AA55AA,
    // single precision: one, least normal, subnormals, infinities, NaNs, limits of conversion
    0x3F800000,
    0xBF800000,
    0x00800000,
    0x80800000,
    0x007FFFFF,
    0x807FFFFF,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0x7F800001,
    0xFFC12345,
    0xFFA00001,
    0x4F000000,
    0xCF000000,
    0x4EFFFFFF,
    0x5F000000,
    0x3F000000,
    0x3FC00000,
    0x40200000,
    0x477FE000,
    0x47800000,
    0x387FC000,
    0x33000000,
    0x7F7FFFFF,
    // half precision, in pairs
    0x3C00BC00,
    0x040003FF,
    0x83FF0001,
    0x7C00FC00,
    0x7E007C01,
    0x7BFF3800,
    0xFD554900,
    0x00008000,
};

inline constexpr std::uint32_t kDoubleEdges[16] = {
    0x00000000, 0x80000000, 0x3FF00000, 0xBFF00000, 0x00100000, 0x000FFFFF, 0x7FF00000, 0xFFF00000,
    0x7FF80000, 0x7FF00001, 0x41E00000, 0xC1E00000, 0x41EFFFFF, 0x43E00000, 0x3FE00000, 0x47EFFFFF,
};

/// Returns a number that finds corners: a quarter edge values, an eighth floats of like size.
inline std::uint32_t corner(std::uint32_t word) {
    const std::uint32_t hash = word * 0x85EBCA6Bu;
    if (hash >> 30 == 0) return kEdges[hash >> 24 & 63];
    if (hash >> 29 == 2) return (word & 0x807FFFFF) | (112 + (hash >> 20 & 31)) << 23;
    return word;
}

inline std::uint32_t window_address(Random& random, const Entry& entry, bool unaligned) {
    const std::uint32_t offset = random.next() >> 7 & 0x1FF;
    const std::uint32_t aligned = offset & ~((1u << entry.align_log2) - 1);
    return places.window() + 2048 + (unaligned ? offset : aligned);
}

/// Returns an address near an end of RAM, one of three times, or far from anything.
inline std::uint32_t wild_address(Random& random, const Entry& entry, bool unaligned) {
    const std::uint32_t choice = random.next(), place = random.next();
    std::uint32_t address = 0;
    if (choice % 3 == 0) {
        const std::uint32_t reach = (choice >> 16 & 1) != 0 ? 32 : 1024;
        address = kRamEnds[(choice >> 17) % kRamEndCount] - reach + place % (2 * reach);
    } else {
        // No offset leads out of the hole.
        constexpr std::uint32_t kMargin = 0x10000;
        const Hole& hole = kHoles[(choice >> 17) % kHoleCount];
        address = hole.start + kMargin + place % (hole.bytes - 2 * kMargin);
        if ((choice >> 8 & 3) != 0) address &= ~7u;
    }
    return unaligned ? address : address & ~((1u << entry.align_log2) - 1);
}

/// Returns the address of one lane of a gather or scatter: mostly RAM, so that some faults have
/// lanes before them that do not.
inline std::uint32_t lane_address(Random& random, const Entry& entry, bool unaligned) {
    if ((entry.flags & kWild) == 0) return window_address(random, entry, unaligned);
    const std::uint32_t choice = random.next();
    if ((choice & 0x70) == 0) return wild_address(random, entry, unaligned);
    return kRamEnds[(choice >> 8) % kRamEndCount] - 1024 + (choice >> 16 & 0x1FC);
}

/// Returns the address of a pad, bit 0 set; pads 4 to 59 are clear of code.
inline std::uint32_t target_address(std::uint32_t word, std::uint32_t slot) {
    return slot + 2 * (4 + (word >> 9) % 56) + 1;
}

inline void make_vectors(Random& random, const Entry& entry, State& state, bool unaligned) {
    for (std::uint32_t& word : state.vector) word = corner(random.next());
    const std::uint32_t choice = random.next();
    // A pair of doubles, as subnormal, tiny or near as they come.
    const unsigned d = choice & 14;
    const std::uint32_t high = random.next();
    state.vector[2 * d + 1] = (choice & 16) != 0
                                  ? kDoubleEdges[high >> 8 & 15]
                                  : (high & 0x800FFFFF) | (1007 + (choice >> 5 & 31)) << 20;
    if ((choice & 0x400) != 0) state.vector[std::size_t{2} * d] = 0;
    state.vector[2 * d + 3] = kDoubleEdges[choice >> 11 & 15];
    if ((choice & 0x8000) != 0) state.vector[2 * d + 2] = 0;
    // Equal lanes of two registers.
    const unsigned from = choice >> 16 & 7, to = choice >> 19 & 7;
    for (unsigned lane = 0; lane < 4; ++lane) {
        if ((choice >> 22 & 1u << lane) != 0)
            state.vector[4 * to + lane] = state.vector[4 * from + lane];
    }
    if (entry.vector_role == VectorRole::Data) return;
    auto* bytes =
        reinterpret_cast<std::uint8_t*>(&state.vector[std::size_t{4} * entry.vector_register]);
    const unsigned size = 1u << entry.element_log2;
    for (unsigned at = 0; at < 16; at += size) {
        std::uint32_t value = random.next() >> 5 & ((1u << entry.offset_bits) - 1);
        value &= ~((1u << entry.align_log2) - 1);
        if (entry.vector_role == VectorRole::Addresses)
            value = lane_address(random, entry, unaligned);
        for (unsigned byte = 0; byte < size && byte < 4; ++byte)
            bytes[at + byte] = static_cast<std::uint8_t>(value >> 8 * byte);
    }
}

inline void make_general(Random& random, const Entry& entry, std::uint32_t slot, State& state,
                         bool unaligned) {
    const std::uint32_t choice = random.next();
    std::uint32_t* const general[15] = {&state.r[0],  &state.r[1], &state.r[2],  &state.r[3],
                                        &state.r[4],  &state.r[5], &state.r[6],  &state.r[7],
                                        &state.r[8],  &state.r[9], &state.r[10], &state.r[11],
                                        &state.r[12], &state.sp,   &state.lr};
    for (std::uint32_t* reg : general) *reg = corner(random.next());
    if ((choice & 3) == 0) state.r[choice >> 2 & 7] = state.r[choice >> 5 & 7];
    if ((choice & 0x300) == 0) state.r[choice >> 10 & 7] = state.vector[choice >> 13 & 31];
    state.sp = places.window() + 0x1800 + (choice >> 20 & 0x3F8);
    for (unsigned number = 0; number < 15; ++number) {
        const unsigned bit = 1u << number;
        if ((entry.small_registers & bit) != 0) {
            const std::uint32_t word = random.next() >> 6;
            *general[number] = (entry.flags & kSignedSmall) != 0
                                   ? word % 95 - 47
                                   : word & ((1u << entry.small_bits) - 1);
        } else if ((entry.target_registers & bit) != 0) {
            const std::uint32_t word = random.next();
            *general[number] = target_address(word, slot);
            if ((entry.flags & kClearTargetBit) != 0 && word >> 29 == 0) *general[number] &= ~3u;
        } else if ((entry.base_registers & bit) != 0 && number != 13) {
            *general[number] = (entry.flags & kWild) != 0
                                   ? wild_address(random, entry, unaligned)
                                   : window_address(random, entry, unaligned);
        }
    }
}

/// Fills the state of the next vector of `entry`, whose code stands in `slot`.
inline void make_state(Random& random, const Entry& entry, std::uint32_t slot, State& state) {
    const std::uint32_t choice = random.next();
    const bool unaligned = (entry.flags & kUnaligned) != 0 && (choice & 7) == 0;
    make_vectors(random, entry, state, unaligned);
    make_general(random, entry, slot, state, unaligned);
    state.entry = slot + 2 * kCodeStart + 1;
    state.apsr = random.next() & 0xF80F0000;
    state.fpscr = 4u << 16;
    const std::uint32_t modes = random.next();
    if ((choice & 8) != 0) state.fpscr |= modes & 0xF7C80000;     // NZCV, AHP, DN, FZ, RMode, FZ16
    if ((choice & 0x30) == 0) state.fpscr |= modes & 0x0800009F;  // QC and the sticky flags
    state.vpr = (choice & 0xC0) == 0 ? 0xFFFF : random.next() & 0xFFFF;
    if ((entry.flags & kVprMasks) != 0 && (choice & 0x100) != 0) {
        const std::uint32_t masks = random.next();
        state.vpr |= (masks & 15) << 16 | ((choice & 0x600) == 0 ? masks >> 4 & 15 : masks & 15)
                                              << 20;
    }
    if ((entry.flags & kTail) != 0 && (choice & 0x1800) == 0) {
        state.fpscr = (state.fpscr & ~(7u << 16)) | (choice >> 13 & 3) << 16;
        state.lr = random.next() % 20;
    }
    state.sp_limit = 0;
    if ((entry.flags & kStackLimit) != 0)
        state.sp_limit = (state.sp - 104 + (choice >> 17 & 0x3F)) & ~7u;
    state.by_return = (entry.flags & kEnterByReturn) != 0 ? 1 : 0;
}

/// Returns the words that stand below sp when the vector starts, as the frame of an exception
/// return if it starts by one: eight words to sp - 32.
inline void make_frame(const Entry& entry, const State& state, std::uint32_t (&frame)[8]) {
    for (unsigned i = 0; i < 4; ++i) frame[i] = state.r[i];
    frame[4] = state.r[12];
    frame[5] = state.lr;
    frame[6] = state.by_return != 0 ? state.entry & ~1u : state.entry;
    frame[7] = (state.apsr & 0xF80F0000) | 1u << 24 | static_cast<std::uint32_t>(entry.epsr) << 12;
}

/// Writes the slot of an entry: pads, its code, the jump to the landing.
inline void make_slot(const Entry& entry, std::uint16_t* slot) {
    for (unsigned i = 0; i < kSlotHalfwords; ++i) slot[i] = static_cast<std::uint16_t>(0xDF00 | i);
    unsigned at = kCodeStart;
    for (unsigned i = 0; i < entry.halfwords; ++i) slot[at++] = entry.code[i];
    // ldr.w pc, [pc, #..] to the slot's last word
    const unsigned pc = (2 * at + 4) & ~3u;
    slot[at] = 0xF8DF;
    slot[at + 1] = static_cast<std::uint16_t>(0xF000 | (kSlotBytes - 4 - pc));
    slot[kSlotHalfwords - 2] = static_cast<std::uint16_t>(places.landing() | 1);
    slot[kSlotHalfwords - 1] = static_cast<std::uint16_t>(places.landing() >> 16);
}

/// Returns true if vectors of the entry may load from the window or change it; it then counts.
inline bool uses_window(const Entry& entry) {
    if ((entry.flags & kWild) != 0) return false;
    return entry.base_registers != 0 || entry.vector_role == VectorRole::Addresses;
}

inline void fill_words(Random& random, const Entry& entry, std::uint32_t slot, std::uint32_t* words,
                       unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t word = random.next();
        switch (entry.window_fill) {
            case WindowFill::Targets:
                words[i] = target_address(word, slot);
                if ((entry.flags & kClearTargetBit) != 0 && word >> 29 == 0) words[i] &= ~3u;
                break;
            case WindowFill::SmallBytes:
                words[i] = (word & 0x0B0B0B0B) | 0x04040404;
                break;
            case WindowFill::SmallHalfwords:
                words[i] = (word & 0x000B000B) | 0x00040004;
                break;
            default:
                words[i] = corner(word);
        }
    }
}

inline void make_window(Random& random, const Entry& entry, std::uint32_t slot,
                        std::uint32_t* window) {
    if (uses_window(entry)) fill_words(random, entry, slot, window, kWindowWords);
}

/// Before each wild vector: the free words before an end of RAM.
inline void fill_edge(const Entry& entry, std::uint32_t slot, unsigned end, std::uint32_t* words) {
    Random random(entry.seed + end);
    fill_words(random, entry, slot, words, kEdgeWords);
}

/// Before each vector: frames of earlier ones must not be taken for targets.
inline void refill_window(const Entry& entry, std::uint32_t slot, std::uint32_t* window) {
    if (entry.window_fill == WindowFill::Random || !uses_window(entry)) return;
    Random random(entry.seed);
    make_window(random, entry, slot, window);
}

inline std::uint32_t hash_window(const std::uint32_t* window) {
    std::uint32_t hash = kHashStart;
    for (unsigned i = 0; i < kWindowWords; ++i) hash = mix(hash, window[i]);
    return hash;
}

inline std::uint32_t hash_edge(std::uint32_t hash, const std::uint32_t* words) {
    for (unsigned i = 0; i < kEdgeWords; ++i) hash = mix(hash, words[i]);
    return hash;
}

inline std::uint32_t hash_record(std::uint32_t hash, const Entry& entry, const Record& record) {
    if ((entry.flags & kWild) != 0) hash = mix(hash, record.window_hash);
    const auto* words = reinterpret_cast<const std::uint32_t*>(&record);
    for (unsigned i = 0; i < 25; ++i) hash = mix(hash, words[i]);
    for (unsigned i = 32; i < 64; ++i) hash = mix(hash, words[i]);
    return hash;
}

}  // namespace n6vp::test::diff
