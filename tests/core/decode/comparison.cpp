// SPDX-License-Identifier: Apache-2.0
#include "tests/core/decode/comparison.h"

#include <string_view>

namespace n6vp::test {

namespace isa = models::core::isa;
using Verdict = DecodeOracle::Verdict;

namespace {

bool is_excused(std::span<const Excuse> excuses, std::uint32_t encoding, std::string_view title,
                const DecodeOracle::Result& theirs) {
    const std::string_view text =
        theirs.verdict == Verdict::Undefined ? std::string_view("undefined") : theirs.text;
    for (const Excuse& excuse : excuses) {
        if (text.starts_with(excuse.theirs) && excuse.applies(encoding) &&
            text.find(excuse.contains) != std::string_view::npos && title.starts_with(excuse.title))
            return true;
    }
    return false;
}

/// Bits that should be 0 or 1 and are not: the encoding may be undefined or what it looks like.
bool breaks_should_be(const isa::Row* row, std::uint32_t encoding) {
    if (row == nullptr) return false;
    const isa::Pattern& pattern = row->pattern;
    return (encoding & pattern.should_be_zero) != 0 ||
           (encoding & pattern.should_be_one) != pattern.should_be_one;
}

}  // namespace

std::uint64_t Comparison::differences() const {
    std::uint64_t count = 0;
    for (const auto& [kind, difference] : kinds_) count += difference.count;
    return count;
}

void Comparison::judge(std::uint32_t encoding, const isa::Row* row, const std::string& ours,
                       const DecodeOracle::Result& theirs) {
    ++compared_;
    const bool known = row != nullptr;
    if (theirs.verdict == Verdict::Unpredictable) ++unpredictable_;
    if (!known && theirs.verdict != Verdict::Defined) return;
    if (known && theirs.verdict != Verdict::Undefined && (existence_only_ || ours == theirs.text))
        return;
    if (theirs.verdict == Verdict::Undefined && breaks_should_be(row, encoding)) {
        ++unpredictable_;
        return;
    }
    if (is_excused(oracle_.excuses(), encoding, known ? row->title : "undefined", theirs)) {
        ++excused_;
        return;
    }
    const std::string mnemonic = theirs.verdict == Verdict::Undefined
                                     ? "undefined"
                                     : theirs.text.substr(0, theirs.text.find_first_of(" ."));
    const std::string kind = (known ? row->title : std::string("undefined")) + " / " + mnemonic;
    Difference& difference = kinds_[kind];
    if (difference.count++ == 0) {
        difference.encoding = encoding;
        difference.ours = known ? ours : "undefined";
        difference.theirs = theirs.verdict == Verdict::Undefined ? "undefined" : theirs.text;
        if (theirs.verdict == Verdict::Unpredictable) difference.theirs += "  (unpredictable)";
    }
}

void Comparison::check(std::uint32_t encoding, unsigned bytes) {
    const isa::Row* row = find_row(encoding, bytes);
    if (!oracle_.judges(row, bytes)) return;
    const std::string ours = row != nullptr ? isa::print(*row, encoding) : std::string();
    judge(encoding, row, ours, oracle_.decode(encoding, bytes));
}

void Comparison::check_under(std::uint32_t block, unsigned block_bytes, std::uint32_t encoding,
                             unsigned bytes) {
    isa::TextContext context;
    if (block_bytes == 2) {
        context.in_it = true;
        context.condition = block >> 4 & 15;
    } else {
        context.vector_predicate = 't';
    }
    const isa::Row* row = find_row(encoding, bytes);
    if (!oracle_.judges(row, bytes)) return;
    const std::string ours = row != nullptr ? isa::print(*row, encoding, context) : std::string();
    judge(encoding, row, ours, oracle_.decode_under(block, block_bytes, encoding, bytes));
}

}  // namespace n6vp::test
