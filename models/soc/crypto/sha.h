// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace n6vp::models {

/// SHA-1 and SHA-2 of a message that comes byte by byte.
class Sha {
  public:
    enum class Algorithm : std::uint8_t {
        Sha1,
        Sha224,
        Sha256,
        Sha384,
        Sha512Of224,
        Sha512Of256,
        Sha512
    };

    explicit Sha(Algorithm algorithm);

    [[nodiscard]] Algorithm algorithm() const { return algorithm_; }
    [[nodiscard]] unsigned block_bytes() const { return wide() ? 128 : 64; }
    [[nodiscard]] unsigned digest_bytes() const;
    /// The next eight bits of the message.
    void put(std::uint8_t byte) {
        length_bits_ += 8;
        add(byte);
    }
    /// The message ends with the `bits` (0 to 7) highest bits of `last`. No `put` afterwards.
    void finish(std::uint8_t last, unsigned bits);
    /// Returns word `index` of the digest, from 0; beyond its length, words of the hash state.
    [[nodiscard]] std::uint32_t word(unsigned index) const;

  private:
    [[nodiscard]] bool wide() const { return algorithm_ >= Algorithm::Sha384; }
    void add(std::uint8_t byte);
    void compress();

    Algorithm algorithm_;
    std::array<std::uint64_t, 8> state_{};
    std::array<std::uint8_t, 128> block_{};
    unsigned used_ = 0;
    std::uint64_t length_bits_ = 0;
};

}  // namespace n6vp::models
