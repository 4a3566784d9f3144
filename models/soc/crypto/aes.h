// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace n6vp::models::crypto {

using Block = std::array<std::uint8_t, 16>;

[[nodiscard]] Block operator^(const Block& a, const Block& b);

/// AES with a key of 16, 24 or 32 bytes. Source: FIPS 197. Not hardened against side channels: the
/// keys are those of a simulated program.
class Aes {
  public:
    explicit Aes(std::span<const std::uint8_t> key);
    [[nodiscard]] Block encrypt(Block block) const;
    [[nodiscard]] Block decrypt(Block block) const;

  private:
    std::vector<Block> round_keys_;
};

/// What a message is chained by. Blocks are those of a whole message, one after the other; padding
/// is zero. Sources: NIST SP 800-38A, 38C, 38D.
class Chain {
  public:
    enum class Mode : std::uint8_t { Ecb, Cbc, Ctr, Gcm, Ccm };

    /// `start`: initialisation vector; the first counter block of CTR, GCM and CCM.
    void begin(Mode mode, bool decrypts, std::span<const std::uint8_t> key, const Block& start);
    /// Returns true after `begin`; what follows needs it.
    [[nodiscard]] bool begun() const { return !aes_.empty(); }
    /// CCM: the first block of the authentication.
    void first(const Block& block);
    /// GCM and CCM: associated data.
    void header(const Block& block);
    /// Returns the block of the message, of which `padding` bytes at the end are none.
    [[nodiscard]] Block process(const Block& block, unsigned padding = 0);
    /// GCM: `block` has both lengths. CCM: it is counter block 0. Returns the tag.
    [[nodiscard]] Block finish(const Block& block);

    /// The initialisation vector or counter of the next block.
    [[nodiscard]] const Block& vector() const { return vector_; }
    void set_vector(const Block& vector) { vector_ = vector; }
    /// The vector that `begin` was given.
    [[nodiscard]] const Block& start() const { return start_; }

  private:
    void authenticate(const Block& block);
    [[nodiscard]] Block counter();

    Mode mode_ = Mode::Ecb;
    bool decrypts_ = false;
    std::vector<Aes> aes_;  ///< one, or none before `begin`
    Block vector_{}, start_{}, hash_key_{}, sum_{};
};

}  // namespace n6vp::models::crypto
