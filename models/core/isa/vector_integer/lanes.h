// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "models/core/ir/predication.h"

namespace n6vp::models::core::isa::vector_integer {

/// The lanes of one vector register.
template <class T>
using Lanes = std::array<T, 16 / sizeof(T)>;

template <class T>
inline constexpr unsigned kLanes = 16 / sizeof(T);

template <class T>
inline constexpr unsigned kBits = 8 * sizeof(T);

/// Integer of `bytes` bytes.
template <unsigned kBytes, bool kSigned>
struct Integer;
template <bool kSigned>
struct Integer<2, kSigned> {
    using Type = std::conditional_t<kSigned, std::int16_t, std::uint16_t>;
};
template <bool kSigned>
struct Integer<4, kSigned> {
    using Type = std::conditional_t<kSigned, std::int32_t, std::uint32_t>;
};
template <bool kSigned>
struct Integer<8, kSigned> {
    using Type = std::conditional_t<kSigned, std::int64_t, std::uint64_t>;
};

/// Twice as wide as T, with its sign.
template <class T>
using Wide = typename Integer<2 * sizeof(T), std::is_signed_v<T>>::Type;

/// Twice as wide as T and signed: holds sums and differences of any two T, and products of two
/// signed T.
template <class T>
using Exact = typename Integer<2 * sizeof(T), true>::Type;

/// Keeps the low bits.
template <class T, class X>
[[nodiscard]] constexpr T wrap(X value) {
    return static_cast<T>(value);
}

/// A result with what it does not hold of the exact value: `lost` is 0 if that is nothing. Its bits
/// are of no interest beyond that, but make the test cheap for all lanes together.
template <class T, class X = Exact<T>>
struct Saturated {
    T value;
    X lost;
};

/// Returns the T nearest to `value`.
template <class T, class X>
[[nodiscard]] constexpr Saturated<T, X> saturate(X value) {
    static_assert(std::is_signed_v<X> || !std::is_signed_v<T>);
    constexpr X kLow = std::is_signed_v<X> ? static_cast<X>(std::numeric_limits<T>::min()) : X{0};
    constexpr X kHigh = static_cast<X>(std::numeric_limits<T>::max());
    const X low = value < kLow ? kLow : value;
    const X clamped = low > kHigh ? kHigh : low;
    return {static_cast<T>(clamped), static_cast<X>(clamped ^ value)};
}

/// Reads a vector register. Micro-ops of this family hold vector registers as byte offsets.
template <class T>
[[nodiscard]] inline Lanes<T> read(const CpuState& cpu, unsigned offset) {
    Lanes<T> lanes;
    std::memcpy(lanes.data(), cpu.vector.data() + offset, sizeof(lanes));
    return lanes;
}

/// Turns eight bits into eight bytes of all zeros or all ones.
[[nodiscard]] constexpr std::uint64_t expand_bits(std::uint32_t bits) {
    // One copy of the bits per byte, one bit kept in each, spread downwards from the top bit.
    const std::uint64_t single = (bits & 0xFF) * 0x0101010101010101u & 0x8040201008040201u;
    const std::uint64_t top = (single + 0x7F7F7F7F7F7F7F7Fu) & 0x8080808080808080u;
    return (top >> 7) * 0xFF;
}

/// Writes the bytes of `lanes` that `active` selects.
template <bool kFull, class T>
inline void write(CpuState& cpu, unsigned offset, const Lanes<T>& lanes, std::uint32_t active) {
    std::uint8_t* target = cpu.vector.data() + offset;
    if constexpr (kFull) {
        std::memcpy(target, lanes.data(), sizeof(lanes));
        return;
    }
    std::array<std::uint64_t, 2> after{}, before{};
    std::memcpy(after.data(), lanes.data(), sizeof(after));
    std::memcpy(before.data(), target, sizeof(before));
    for (unsigned half = 0; half < 2; ++half) {
        const std::uint64_t mask = expand_bits(active >> (8 * half));
        after[half] = (after[half] & mask) | (before[half] & ~mask);
    }
    std::memcpy(target, after.data(), sizeof(after));
}

/// Returns true if lane `index` of T counts: its lowest byte decides.
template <class T>
[[nodiscard]] constexpr bool lane_active(std::uint32_t active, unsigned index) {
    return (active >> (index * sizeof(T)) & 1) != 0;
}

/// Returns `bits` if lane `index` of T is active, 0 otherwise.
template <class T, class X>
[[nodiscard]] constexpr X if_active(std::uint32_t active, unsigned index, X bits) {
    return static_cast<X>(bits & (X{0} - static_cast<X>(lane_active<T>(active, index))));
}

/// Returns the bytes that an instruction may change; all when it is known that they are.
template <bool kFull>
[[nodiscard]] inline std::uint32_t active_of(const CpuState& cpu) {
    return kFull ? 0xFFFFu : active_bytes(cpu);
}

template <class X>
inline void set_saturated(CpuState& cpu, X lost) {
    cpu.fpscr |= lost != 0 ? fpscr::kQc : 0;
}

}  // namespace n6vp::models::core::isa::vector_integer
