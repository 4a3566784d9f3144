// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "loader/diagnosis.h"

/// One damaged word of a file, and what a finding on it must say whatever the rule.
namespace n6vp::test {

struct DamagedWord {
    std::uint32_t offset = 0, before = 0, after = 0;
};

/// Returns the word in which two files of one length differ; nothing if that is not just one.
template <typename Image>
[[nodiscard]] std::optional<DamagedWord> damaged_word(const Image& before, const Image& after) {
    std::optional<DamagedWord> found;
    if (before.file.size() != after.file.size()) return std::nullopt;
    for (std::uint32_t at = 0; at + 4 <= after.file.size(); at += 4) {
        if (before.word(at) == after.word(at)) continue;
        if (found) return std::nullopt;
        found = DamagedWord{at, before.word(at), after.word(at)};
    }
    return found;
}

/// The number that was found is the word itself or its offset, what is odd about it, or, where the
/// nibble is wrong, the word beside the one that it would be in its space.
inline void check_numbers(const loader::Diagnosis& finding, const DamagedWord& word,
                          std::string_view rule) {
    constexpr std::uint32_t kOffset = 0x0FFFFFFF;
    if (rule.ends_with("-space")) {
        CHECK(finding.found == word.after);
        if (finding.expected == loader::kNotApplicable) return;
        CHECK(finding.expected == ((word.before & ~kOffset) | (word.after & kOffset)));
    } else if (rule.ends_with("-alignment") || rule.ends_with("-alignment8") ||
               rule.ends_with("-entry-size")) {
        CHECK((finding.expected == 4 || finding.expected == 8));
        CHECK(finding.found == word.after % finding.expected);
        CHECK(finding.found != 0);
    } else if (rule == "vector-outside" || rule == "vector-in-header") {
        CHECK(finding.found == (word.after & kOffset & ~1u));
    }
}

}  // namespace n6vp::test
