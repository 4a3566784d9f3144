// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace n6vp::models::crypto {

/// Noekeon in direct key mode. Source: J. Daemen et al., Nessie proposal: NOEKEON, 2000.
class Noekeon {
  public:
    using Words = std::array<std::uint32_t, 4>;

    explicit Noekeon(const Words& key) : key_(key) {}
    [[nodiscard]] Words encrypt(Words block) const;
    [[nodiscard]] Words decrypt(Words block) const;

  private:
    Words key_;
};

}  // namespace n6vp::models::crypto
