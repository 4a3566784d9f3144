// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/isa/row.h"
#include "tests/core/decode/draw.h"
#include "tests/core/diff/vector_format.h"

namespace n6vp::test::diff {

/// What rows are drawn from: those of the core that is compared.
inline models::core::isa::Feature drawn_features = models::core::isa::kEveryFeature;
[[nodiscard]] inline bool is_drawn(const models::core::isa::Row& row) {
    return includes(drawn_features, row.needs);
}

struct Selection {
    std::string family;  ///< empty: all
    std::string row;     ///< part of a title; empty: all
    std::uint32_t seed = 1;
    unsigned encodings = 64;     ///< per row
    unsigned vectors = 32;       ///< per encoding
    std::uint32_t encoding = 0;  ///< this one only, if not 0
    bool wild = false;           ///< bases anywhere: only what has a base other than sp
};

/// Entries and, beside each, the row it is for; null for blocks.
struct Job {
    std::vector<Entry> entries;
    std::vector<const models::core::isa::Row*> rows;
    std::vector<std::string> kinds;  ///< row's title or kind of block
    std::vector<std::string> empty;  ///< rows of which no encoding could be used

    void append(Job&& other);
};

/// Returns entries of random encodings of every selected row that QEMU can judge.
[[nodiscard]] Job single_instructions(const Selection& selection);

/// Returns false for an encoding that the architecture leaves open, alone or as the first under IT
/// or VPST (`block`, 0: alone).
[[nodiscard]] bool is_predictable_under(std::uint32_t block, std::uint32_t encoding,
                                        unsigned bytes);

/// Appends an encoding to an entry's code.
void append(Entry& entry, std::uint32_t encoding, unsigned bytes);

}  // namespace n6vp::test::diff
