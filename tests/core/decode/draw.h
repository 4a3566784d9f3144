// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/isa/row.h"

namespace n6vp::test {

/// A generator of 64-bit numbers: splitmix, whose seeds may be consecutive.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : state_(seed) {}
    std::uint32_t next() {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
        return static_cast<std::uint32_t>(mixed >> 32 ^ mixed);
    }
    std::uint32_t below(std::uint32_t bound) { return next() % bound; }

  private:
    std::uint64_t state_;
};

/// Returns true if `encoding` is of `row`.
[[nodiscard]] bool decodes_to(const models::core::isa::Row& row, std::uint32_t encoding);
/// Draws an encoding of `row` that decodes to it. Returns false if none was found.
[[nodiscard]] bool draw_encoding(const models::core::isa::Row& row, Draw& draw,
                                 std::uint32_t& encoding);

}  // namespace n6vp::test
