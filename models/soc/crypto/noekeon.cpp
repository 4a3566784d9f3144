// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crypto/noekeon.h"

#include <bit>
#include <cstddef>
#include <utility>

namespace n6vp::models::crypto {

namespace {

using Words = Noekeon::Words;
constexpr unsigned kNoekeonRounds = 16;

constexpr std::array<std::uint32_t, kNoekeonRounds + 1> noekeon_constants() {
    std::array<std::uint32_t, kNoekeonRounds + 1> all{0x80};
    for (std::size_t i = 1; i < all.size(); ++i)
        all[i] = (all[i - 1] << 1 ^ ((all[i - 1] & 0x80) != 0 ? 0x11B : 0)) & 0xFF;
    return all;
}
constexpr auto kNoekeonConstants = noekeon_constants();

/// A word added to its rotations by a byte both ways.
std::uint32_t noekeon_mix(std::uint32_t word) {
    return word ^ std::rotl(word, 8) ^ std::rotr(word, 8);
}

void noekeon_theta(const Words& key, Words& a) {
    const std::uint32_t even = noekeon_mix(a[0] ^ a[2]);
    a[1] ^= even;
    a[3] ^= even;
    for (std::size_t i = 0; i < a.size(); ++i) a[i] ^= key[i];
    const std::uint32_t odd = noekeon_mix(a[1] ^ a[3]);
    a[0] ^= odd;
    a[2] ^= odd;
}

void noekeon_gamma(Words& a) {
    a[1] ^= ~a[3] & ~a[2];
    a[0] ^= a[2] & a[1];
    std::swap(a[0], a[3]);
    a[2] ^= a[0] ^ a[1] ^ a[3];
    a[1] ^= ~a[3] & ~a[2];
    a[0] ^= a[2] & a[1];
}

void noekeon_round(const Words& key, Words& a, std::uint32_t before, std::uint32_t behind) {
    a[0] ^= before;
    noekeon_theta(key, a);
    a[0] ^= behind;
    a = {a[0], std::rotl(a[1], 1), std::rotl(a[2], 5), std::rotl(a[3], 2)};
    noekeon_gamma(a);
    a = {a[0], std::rotr(a[1], 1), std::rotr(a[2], 5), std::rotr(a[3], 2)};
}

}  // namespace

Noekeon::Words Noekeon::encrypt(Words block) const {
    for (unsigned i = 0; i < kNoekeonRounds; ++i)
        noekeon_round(key_, block, kNoekeonConstants[i], 0);
    block[0] ^= kNoekeonConstants[kNoekeonRounds];
    noekeon_theta(key_, block);
    return block;
}

Noekeon::Words Noekeon::decrypt(Words block) const {
    Words key = key_;
    noekeon_theta(Words{}, key);
    for (unsigned i = kNoekeonRounds; i > 0; --i)
        noekeon_round(key, block, 0, kNoekeonConstants[i]);
    noekeon_theta(key, block);
    block[0] ^= kNoekeonConstants[0];
    return block;
}

}  // namespace n6vp::models::crypto
