// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crypto/aes.h"

#include <algorithm>

namespace n6vp::models::crypto {

namespace {

using Bytes = std::array<std::uint8_t, 256>;

/// Product in the field of x^8 + x^4 + x^3 + x + 1.
[[nodiscard]] constexpr std::uint8_t times(unsigned a, unsigned b) {
    constexpr unsigned kPolynomial = 0x11B;
    unsigned product = 0;
    for (; b != 0; b >>= 1) {
        if ((b & 1) != 0) product ^= a;
        a <<= 1;
        if ((a & 0x100) != 0) a ^= kPolynomial;
    }
    return static_cast<std::uint8_t>(product);
}

/// FIPS 197, 5.1.1: the inverse, then the affine transformation.
[[nodiscard]] constexpr Bytes substitution() {
    Bytes table{};
    for (unsigned value = 0; value < table.size(); ++value) {
        // The 254th power: 2 + 4 + ... + 128.
        unsigned inverse = 1, power = value;
        for (unsigned i = 1; i < 8; ++i) {
            power = times(power, power);
            inverse = times(inverse, power);
        }
        constexpr unsigned kConstant = 0x63;
        unsigned result = kConstant;
        for (unsigned turn = 0; turn < 5; ++turn)
            result ^= (inverse << turn | inverse >> (8 - turn)) & 0xFF;
        table[value] = static_cast<std::uint8_t>(result);
    }
    return table;
}
[[nodiscard]] constexpr Bytes inverse_of(const Bytes& table) {
    Bytes inverse{};
    for (unsigned value = 0; value < table.size(); ++value)
        inverse[table[value]] = static_cast<std::uint8_t>(value);
    return inverse;
}
constexpr Bytes kSubstitution = substitution(), kInverseSubstitution = inverse_of(kSubstitution);
static_assert(kSubstitution[0x53] == 0xED, "example of FIPS 197");

void substitute(Block& block, const Bytes& table) {
    for (std::uint8_t& byte : block) byte = table[byte];
}

/// Row r moves by r columns to the left, or back.
void shift_rows(Block& block, bool back) {
    const Block from = block;
    for (unsigned column = 0; column < 4; ++column) {
        for (unsigned row = 1; row < 4; ++row) {
            const unsigned other = (column + (back ? 4 - row : row)) % 4;
            block[4 * column + row] = from[4 * other + row];
        }
    }
}

void mix_columns(Block& block, const std::array<std::uint8_t, 4>& factors) {
    const Block from = block;
    for (unsigned i = 0; i < block.size(); ++i) {
        const unsigned column = i / 4 * 4, row = i % 4;
        std::uint8_t sum = 0;
        for (unsigned k = 0; k < 4; ++k)
            sum = static_cast<std::uint8_t>(sum ^
                                            times(from[column + k], factors[(k + 4 - row) % 4]));
        block[i] = sum;
    }
}
constexpr std::array<std::uint8_t, 4> kMix{2, 3, 1, 1}, kMixBack{14, 11, 13, 9};

/// SP 800-38D, 6.3: product of polynomials whose lowest coefficient is the first bit.
[[nodiscard]] Block hash_times(const Block& a, Block b) {
    constexpr std::uint8_t kReduction = 0xE1;
    Block product{};
    for (unsigned i = 0; i < 128; ++i) {
        if ((a[i / 8] >> (7 - i % 8) & 1) != 0) product = product ^ b;
        const bool carry = (b[15] & 1) != 0;
        for (unsigned k = 15; k > 0; --k)
            b[k] = static_cast<std::uint8_t>(b[k] >> 1 | (b[k - 1] & 1) << 7);
        b[0] = static_cast<std::uint8_t>(b[0] >> 1);
        if (carry) b[0] ^= kReduction;
    }
    return product;
}

[[nodiscard]] std::uint32_t last_word(const Block& block) {
    return static_cast<std::uint32_t>(block[12] << 24 | block[13] << 16 | block[14] << 8 |
                                      block[15]);
}
void set_last_word(Block& block, std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) block[15 - i] = static_cast<std::uint8_t>(word >> 8 * i);
}

[[nodiscard]] Block without_padding(Block block, unsigned padding) {
    std::fill(block.end() - std::min<unsigned>(padding, 16), block.end(), std::uint8_t{0});
    return block;
}

}  // namespace

Block operator^(const Block& a, const Block& b) {
    Block result{};
    for (unsigned i = 0; i < result.size(); ++i) result[i] = static_cast<std::uint8_t>(a[i] ^ b[i]);
    return result;
}

Aes::Aes(std::span<const std::uint8_t> key) {
    using Word = std::array<std::uint8_t, 4>;
    const std::size_t key_words = key.size() / 4, rounds = key_words + 6;
    std::vector<Word> words;
    std::uint8_t constant = 1;
    for (std::size_t i = 0; i < 4 * (rounds + 1); ++i) {
        Word word{};
        if (i < key_words) {
            std::copy_n(key.begin() + static_cast<std::ptrdiff_t>(4 * i), 4, word.begin());
            words.push_back(word);
            continue;
        }
        word = words[i - 1];
        const bool starts = i % key_words == 0;
        if (starts) std::rotate(word.begin(), word.begin() + 1, word.end());
        if (starts || (key_words > 6 && i % key_words == 4)) {
            for (std::uint8_t& byte : word) byte = kSubstitution[byte];
        }
        if (starts) {
            word[0] ^= constant;
            constant = times(constant, 2);
        }
        for (unsigned k = 0; k < 4; ++k)
            word[k] = static_cast<std::uint8_t>(word[k] ^ words[i - key_words][k]);
        words.push_back(word);
    }
    round_keys_.resize(rounds + 1);
    for (std::size_t i = 0; i < words.size(); ++i)
        std::copy(words[i].begin(), words[i].end(), round_keys_[i / 4].begin() + i % 4 * 4);
}

Block Aes::encrypt(Block block) const {
    block = block ^ round_keys_.front();
    for (std::size_t round = 1; round < round_keys_.size(); ++round) {
        substitute(block, kSubstitution);
        shift_rows(block, false);
        if (round + 1 < round_keys_.size()) mix_columns(block, kMix);
        block = block ^ round_keys_[round];
    }
    return block;
}

Block Aes::decrypt(Block block) const {
    block = block ^ round_keys_.back();
    for (std::size_t round = round_keys_.size() - 1; round-- > 0;) {
        shift_rows(block, true);
        substitute(block, kInverseSubstitution);
        block = block ^ round_keys_[round];
        if (round > 0) mix_columns(block, kMixBack);
    }
    return block;
}

void Chain::begin(Mode mode, bool decrypts, std::span<const std::uint8_t> key, const Block& start) {
    mode_ = mode;
    decrypts_ = decrypts;
    aes_.assign(1, Aes(key));
    vector_ = start_ = start;
    sum_ = {};
    if (mode == Mode::Gcm) hash_key_ = aes_[0].encrypt({});
}

void Chain::authenticate(const Block& block) {
    sum_ = mode_ == Mode::Gcm ? hash_times(sum_ ^ block, hash_key_) : aes_[0].encrypt(sum_ ^ block);
}

void Chain::first(const Block& block) {
    sum_ = aes_[0].encrypt(block);
}

void Chain::header(const Block& block) {
    authenticate(block);
}

Block Chain::counter() {
    const Block key = aes_[0].encrypt(vector_);
    set_last_word(vector_, last_word(vector_) + 1);
    return key;
}

Block Chain::process(const Block& block, unsigned padding) {
    switch (mode_) {
        case Mode::Ecb:
            return decrypts_ ? aes_[0].decrypt(block) : aes_[0].encrypt(block);
        case Mode::Cbc: {
            if (!decrypts_) return vector_ = aes_[0].encrypt(block ^ vector_);
            const Block plain = aes_[0].decrypt(block) ^ vector_;
            vector_ = block;
            return plain;
        }
        case Mode::Ctr:
        case Mode::Gcm:
        case Mode::Ccm:
            break;
    }
    const Block result = block ^ counter();
    if (mode_ == Mode::Ctr) return result;
    // GCM authenticates what is encrypted, CCM what is not.
    const bool takes_input = (mode_ == Mode::Gcm) == decrypts_;
    authenticate(without_padding(takes_input ? block : result, padding));
    return result;
}

Block Chain::finish(const Block& block) {
    if (mode_ == Mode::Ccm) return sum_ ^ aes_[0].encrypt(block);
    authenticate(block);
    Block before = start_;
    set_last_word(before, last_word(start_) - 1);
    return sum_ ^ aes_[0].encrypt(before);
}

}  // namespace n6vp::models::crypto
