// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/isa/row.h"
#include "tests/core/diff/vector_format.h"

namespace n6vp::test::diff {

struct Selection {
    std::string family;  ///< empty: all
    std::string row;     ///< part of a title; empty: all
    std::uint32_t seed = 1;
    unsigned encodings = 64;     ///< per row
    unsigned vectors = 32;       ///< per encoding
    std::uint32_t encoding = 0;  ///< this one only, if not 0
};

/// Entries and, beside each, the row it is for; null for blocks.
struct Job {
    std::vector<Entry> entries;
    std::vector<const models::core::isa::Row*> rows;
};

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

/// Returns entries of random encodings of every selected row that QEMU can judge.
[[nodiscard]] Job single_instructions(const Selection& selection);

/// Draws an encoding of `row` that decodes to it. Returns false if none was found.
[[nodiscard]] bool draw_encoding(const models::core::isa::Row& row, Draw& draw,
                                 std::uint32_t& encoding);

/// Appends an encoding to an entry's code.
void append(Entry& entry, std::uint32_t encoding, unsigned bytes);

}  // namespace n6vp::test::diff
