// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crypto/sha.h"

#include <algorithm>
#include <bit>

namespace n6vp::models {
namespace {

// Source of the algorithms and constants: FIPS 180-4.
constexpr std::array<std::uint64_t, 80> kRounds512{
    0x428A2F98D728AE22, 0x7137449123EF65CD, 0xB5C0FBCFEC4D3B2F, 0xE9B5DBA58189DBBC,
    0x3956C25BF348B538, 0x59F111F1B605D019, 0x923F82A4AF194F9B, 0xAB1C5ED5DA6D8118,
    0xD807AA98A3030242, 0x12835B0145706FBE, 0x243185BE4EE4B28C, 0x550C7DC3D5FFB4E2,
    0x72BE5D74F27B896F, 0x80DEB1FE3B1696B1, 0x9BDC06A725C71235, 0xC19BF174CF692694,
    0xE49B69C19EF14AD2, 0xEFBE4786384F25E3, 0x0FC19DC68B8CD5B5, 0x240CA1CC77AC9C65,
    0x2DE92C6F592B0275, 0x4A7484AA6EA6E483, 0x5CB0A9DCBD41FBD4, 0x76F988DA831153B5,
    0x983E5152EE66DFAB, 0xA831C66D2DB43210, 0xB00327C898FB213F, 0xBF597FC7BEEF0EE4,
    0xC6E00BF33DA88FC2, 0xD5A79147930AA725, 0x06CA6351E003826F, 0x142929670A0E6E70,
    0x27B70A8546D22FFC, 0x2E1B21385C26C926, 0x4D2C6DFC5AC42AED, 0x53380D139D95B3DF,
    0x650A73548BAF63DE, 0x766A0ABB3C77B2A8, 0x81C2C92E47EDAEE6, 0x92722C851482353B,
    0xA2BFE8A14CF10364, 0xA81A664BBC423001, 0xC24B8B70D0F89791, 0xC76C51A30654BE30,
    0xD192E819D6EF5218, 0xD69906245565A910, 0xF40E35855771202A, 0x106AA07032BBD1B8,
    0x19A4C116B8D2D0C8, 0x1E376C085141AB53, 0x2748774CDF8EEB99, 0x34B0BCB5E19B48A8,
    0x391C0CB3C5C95A63, 0x4ED8AA4AE3418ACB, 0x5B9CCA4F7763E373, 0x682E6FF3D6B2B8A3,
    0x748F82EE5DEFB2FC, 0x78A5636F43172F60, 0x84C87814A1F0AB72, 0x8CC702081A6439EC,
    0x90BEFFFA23631E28, 0xA4506CEBDE82BDE9, 0xBEF9A3F7B2C67915, 0xC67178F2E372532B,
    0xCA273ECEEA26619C, 0xD186B8C721C0C207, 0xEADA7DD6CDE0EB1E, 0xF57D4F7FEE6ED178,
    0x06F067AA72176FBA, 0x0A637DC5A2C898A6, 0x113F9804BEF90DAE, 0x1B710B35131C471B,
    0x28DB77F523047D84, 0x32CAAB7B40C72493, 0x3C9EBE0A15C9BEBC, 0x431D67C49C100D4C,
    0x4CC5D4BECB3E42B6, 0x597F299CFC657E2A, 0x5FCB6FAB3AD6FAEC, 0x6C44198C4A475817,
};
constexpr std::array<std::uint64_t, 8> kStart512{
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
};
constexpr std::array<std::uint64_t, 8> kStart384{
    0xCBBB9D5DC1059ED8, 0x629A292A367CD507, 0x9159015A3070DD17, 0x152FECD8F70E5939,
    0x67332667FFC00B31, 0x8EB44A8768581511, 0xDB0C2E0D64F98FA7, 0x47B5481DBEFA4FA4,
};
constexpr std::array<std::uint64_t, 8> kStart512Of224{
    0x8C3D37C819544DA2, 0x73E1996689DCD4D6, 0x1DFAB7AE32FF9C82, 0x679DD514582F9FCF,
    0x0F6D2B697BD44DA8, 0x77E36F7304C48942, 0x3F9D85A86A1D36C8, 0x1112E6AD91D692A1,
};
constexpr std::array<std::uint64_t, 8> kStart512Of256{
    0x22312194FC2BF72C, 0x9F555FA3C84C64C2, 0x2393B86B6F53B151, 0x963877195940EABD,
    0x96283EE2A88EFFE3, 0xBE5E1E2553863992, 0x2B0199FC2C85B8AA, 0x0EB72DDC81C52CA2,
};
constexpr std::array<std::uint64_t, 8> kStart256{
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
};
constexpr std::array<std::uint64_t, 8> kStart224{
    0xC1059ED8, 0x367CD507, 0x3070DD17, 0xF70E5939, 0xFFC00B31, 0x68581511, 0x64F98FA7, 0xBEFA4FA4,
};
constexpr std::array<std::uint64_t, 8> kStart1{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476,
                                               0xC3D2E1F0};
constexpr unsigned kByte = 8;

/// Rotations and shifts of the two widths of SHA-2.
struct Word32 {
    using Type = std::uint32_t;
    static constexpr unsigned kRounds = 64;
    static constexpr std::array<int, 3> kSum0{2, 13, 22}, kSum1{6, 11, 25};
    static constexpr std::array<int, 3> kSmall0{7, 18, 3}, kSmall1{17, 19, 10};
    static Type constant(unsigned round) { return static_cast<Type>(kRounds512[round] >> 32); }
};
struct Word64 {
    using Type = std::uint64_t;
    static constexpr unsigned kRounds = 80;
    static constexpr std::array<int, 3> kSum0{28, 34, 39}, kSum1{14, 18, 41};
    static constexpr std::array<int, 3> kSmall0{1, 8, 7}, kSmall1{19, 61, 6};
    static Type constant(unsigned round) { return kRounds512[round]; }
};

template <class Type>
[[nodiscard]] Type big_endian(const std::uint8_t* bytes) {
    Type value = 0;
    for (std::size_t i = 0; i < sizeof(Type); ++i)
        value = static_cast<Type>(value << kByte | bytes[i]);
    return value;
}
template <class Type>
[[nodiscard]] Type sum(Type x, const std::array<int, 3>& by) {
    return std::rotr(x, by[0]) ^ std::rotr(x, by[1]) ^ std::rotr(x, by[2]);
}
template <class Type>
[[nodiscard]] Type small(Type x, const std::array<int, 3>& by) {
    return std::rotr(x, by[0]) ^ std::rotr(x, by[1]) ^ (x >> by[2]);
}

template <class Width>
void compress_2(std::array<std::uint64_t, 8>& state, const std::uint8_t* block) {
    using Type = typename Width::Type;
    std::array<Type, Width::kRounds> w{};
    for (unsigned i = 0; i < 16; ++i) w[i] = big_endian<Type>(block + i * sizeof(Type));
    for (unsigned i = 16; i < Width::kRounds; ++i) {
        w[i] = w[i - 16] + small(w[i - 15], Width::kSmall0) + w[i - 7] +
               small(w[i - 2], Width::kSmall1);
    }
    std::array<Type, 8> v{};
    for (unsigned i = 0; i < 8; ++i) v[i] = static_cast<Type>(state[i]);
    for (unsigned i = 0; i < Width::kRounds; ++i) {
        const Type choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        const Type first = v[7] + sum(v[4], Width::kSum1) + choice + Width::constant(i) + w[i];
        const Type majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        const Type second = sum(v[0], Width::kSum0) + majority;
        std::rotate(v.begin(), v.end() - 1, v.end());
        v[4] += first;
        v[0] = first + second;
    }
    for (unsigned i = 0; i < 8; ++i) state[i] = static_cast<Type>(state[i] + v[i]);
}

void compress_1(std::array<std::uint64_t, 8>& state, const std::uint8_t* block) {
    constexpr unsigned kRounds = 80, kPart = 20;
    constexpr std::array<std::uint32_t, 4> kAdded{0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
    std::array<std::uint32_t, kRounds> w{};
    for (unsigned i = 0; i < 16; ++i) w[i] = big_endian<std::uint32_t>(block + std::size_t{4} * i);
    for (unsigned i = 16; i < kRounds; ++i)
        w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    std::array<std::uint32_t, 5> v{};
    for (unsigned i = 0; i < 5; ++i) v[i] = static_cast<std::uint32_t>(state[i]);
    for (unsigned i = 0; i < kRounds; ++i) {
        std::uint32_t mixed = v[1] ^ v[2] ^ v[3];
        if (i / kPart == 0) mixed = (v[1] & v[2]) | (~v[1] & v[3]);
        if (i / kPart == 2) mixed = (v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3]);
        const std::uint32_t next = std::rotl(v[0], 5) + mixed + v[4] + kAdded[i / kPart] + w[i];
        std::rotate(v.begin(), v.end() - 1, v.end());
        v[2] = std::rotl(v[2], 30);
        v[0] = next;
    }
    for (unsigned i = 0; i < 5; ++i) state[i] = static_cast<std::uint32_t>(state[i] + v[i]);
}

}  // namespace

Sha::Sha(Algorithm algorithm) : algorithm_(algorithm) {
    switch (algorithm) {
        case Algorithm::Sha1:
            state_ = kStart1;
            break;
        case Algorithm::Sha224:
            state_ = kStart224;
            break;
        case Algorithm::Sha256:
            state_ = kStart256;
            break;
        case Algorithm::Sha384:
            state_ = kStart384;
            break;
        case Algorithm::Sha512Of224:
            state_ = kStart512Of224;
            break;
        case Algorithm::Sha512Of256:
            state_ = kStart512Of256;
            break;
        case Algorithm::Sha512:
            state_ = kStart512;
            break;
    }
}

void Sha::compress() {
    if (algorithm_ == Algorithm::Sha1) {
        compress_1(state_, block_.data());
    } else if (wide()) {
        compress_2<Word64>(state_, block_.data());
    } else {
        compress_2<Word32>(state_, block_.data());
    }
    used_ = 0;
}

void Sha::add(std::uint8_t byte) {
    block_[used_++] = byte;
    if (used_ == block_bytes()) compress();
}

void Sha::finish(std::uint8_t last, unsigned bits) {
    const std::uint64_t length = length_bits_ + bits;
    // A one behind the last bit, zeros, the length at the end of a block.
    const auto end = static_cast<std::uint8_t>(0x80u >> bits);
    add(static_cast<std::uint8_t>((last & ~(0xFFu >> bits)) | end));
    const unsigned length_bytes = wide() ? 16 : 8;
    while (used_ != block_bytes() - length_bytes) add(0);
    for (unsigned i = length_bytes; i-- > 0;)
        add(i < 8 ? static_cast<std::uint8_t>(length >> kByte * i) : std::uint8_t{0});
}

unsigned Sha::digest_bytes() const {
    constexpr std::array<unsigned, 7> kBytes{20, 28, 32, 48, 28, 32, 64};
    return kBytes[static_cast<std::size_t>(algorithm_)];
}

std::uint32_t Sha::word(unsigned index) const {
    if (!wide()) return static_cast<std::uint32_t>(state_[index % 8]);
    return static_cast<std::uint32_t>(state_[index / 2 % 8] >> (index % 2 == 0 ? 32 : 0));
}

}  // namespace n6vp::models
