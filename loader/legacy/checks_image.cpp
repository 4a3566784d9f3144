// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "loader/legacy/checks.h"

namespace n6vp::loader::legacy::checks {

namespace {

using format::link_offset;
namespace field = context_offset;

/// The rules of a value to resolve, of a GOT word and of a relocated word.
struct ValueRules {
    Rule null, space, ram_range, inside_got, flash_range;
};
constexpr ValueRules kGotRules{Rule::GotValueNull, Rule::GotValueSpace, Rule::GotValueRamRange,
                               Rule::GotValueRamInsideGot, Rule::GotValueFlashRange};
constexpr ValueRules kRelocationRules{
    Rule::RelocationValueNull, Rule::RelocationValueSpace, Rule::RelocationValueRamRange,
    Rule::RelocationValueRamInsideGot, Rule::RelocationValueFlashRange};

/// Reports what is wrong with a link address, not 0. One past the end of a region is a legal
/// pointer.
void check_value(Run& run, const ValueRules& rules, std::uint32_t value) {
    const std::uint32_t offset = link_offset(value);
    if (in_flash(value)) {
        if (offset > run.ro) run.fault(rules.flash_range, run.ro, value);
    } else if (in_ram(value)) {
        if (offset > run.rw) {
            run.fault(rules.ram_range, run.rw, value);
        } else if (offset > run.data_end && offset < run.copied) {
            run.fault(rules.inside_got, run.data_end, value);
        }
    } else {
        run.fault(format::space_nibble(value) == 0 ? rules.null : rules.space, kNotApplicable,
                  value);
    }
}

void check_got(Run& run) {
    constexpr std::uint32_t kReservedWords = 3;  // of the dynamic linker, at the end
    const std::uint32_t words = run.header().got_bytes() / 4;
    if (words == 0) return;
    run.require_least(Rule::GotShort, format::kOffGotEnd, kReservedWords, words);
    for (std::uint32_t i = 0; i < words && !run.stopped(); ++i) {
        std::uint32_t value = 0;
        run.go(run.ro + run.got_start + 4 * i, i);
        if (!run.file.got(i, value)) return run.fault(Rule::SectionUnreadable);
        const bool reserved = i + kReservedWords >= words;
        if (reserved && value != 0) run.fault(Rule::GotReserved, 0, value);
        if (!reserved && value == 0) run.fault(Rule::LegacyGotZero, kNotApplicable, 0);
        if (value != 0) check_value(run, kGotRules, value);
    }
}

/// Words of rt_ctx have a meaning of their own: a relocation there must fit it.
void check_context_target(Run& run, std::uint32_t entry, bool& has_name) {
    const std::uint32_t inside = entry - run.header().context;
    const std::uint32_t bytes = run.context.has_crc ? kLongContextBytes : kShortContextBytes;
    if (!run.context_ok || inside >= bytes) return;
    if (inside == field::kName) {
        has_name = true;
    } else if (inside == field::kActivationsSize || inside == field::kWeightsSize) {
        run.fault(Rule::RelocationContextNumber, kNotApplicable, entry);
    } else {
        run.fault(Rule::RelocationContextRuntime, kNotApplicable, entry);
    }
}

/// Judges the word that an entry names.
void check_entry(Run& run, std::uint32_t entry, bool& has_name) {
    const std::uint32_t offset = link_offset(entry);
    if (in_flash(entry)) return run.fault(Rule::LegacyRelocationInFlash, kRamBase | offset, entry);
    if (!in_ram(entry)) return run.fault(Rule::LegacyRelocationSpace, kRamBase | offset, entry);
    if (offset % 4 != 0) return run.fault(Rule::RelocationAlignment, 4, offset % 4);
    const struct {
        Rule rule;
        std::uint32_t bound;
    } rows[] = {{Rule::RelocationOutsideRam, run.rw},
                {Rule::RelocationInBss, run.copied},
                {Rule::RelocationInGap, run.got_end},
                {Rule::RelocationInGot, run.got_start}};
    for (const auto& row : rows) {
        if (offset + 4 > row.bound) return run.fault(row.rule, row.bound, offset);
    }
    check_context_target(run, entry, has_name);
    std::uint32_t value = 0;
    run.go(run.ro + offset, run.index(), entry);
    if (!run.file.word(run.ro + offset, value)) return run.fault(Rule::SectionUnreadable);
    if (value == 0) return run.fault(Rule::RelocationValueZero, kNotApplicable, 0);
    check_value(run, kRelocationRules, value);
}

/// Finds equal entries, near or far apart, without memory for the table: it is read
/// once for every window of the image. RAM has at most 128 KiB, hence at most 8 windows.
void find_duplicates(Run& run, std::uint32_t count) {
    constexpr std::uint32_t kWindowWords = 32 * 128;
    std::uint32_t seen[kWindowWords / 32];
    for (std::uint32_t start = 0; start < run.copied; start += 4 * kWindowWords) {
        std::memset(seen, 0, sizeof seen);
        for (std::uint32_t i = 0; i < count && !run.stopped(); ++i) {
            std::uint32_t entry = 0;
            if (!run.file.relocation(i, entry) || !in_ram(entry) || entry % 4 != 0) continue;
            const std::uint32_t word = (link_offset(entry) - start) / 4;
            if (link_offset(entry) < start || word >= kWindowWords) continue;
            const std::uint32_t bit = 1u << (word & 31);
            run.go(run.rel_start + 4 * i, i);
            if ((seen[word >> 5] & bit) != 0)
                run.fault(Rule::RelocationTwice, kNotApplicable, entry);
            seen[word >> 5] |= bit;
        }
    }
}

void check_relocations(Run& run) {
    const std::uint32_t count = run.header().rel_bytes() / 4;
    std::uint32_t previous = 0;
    std::uint32_t disorder = kNotApplicable;
    bool repeats = false;
    bool has_name = false;
    for (std::uint32_t i = 0; i < count && !run.stopped(); ++i) {
        std::uint32_t entry = 0;
        run.go(run.rel_start + 4 * i, i);
        if (!run.file.relocation(i, entry)) return run.fault(Rule::SectionUnreadable);
        if (i != 0 && entry < previous && disorder == kNotApplicable) disorder = i;
        repeats = repeats || (i != 0 && entry == previous);
        previous = entry;
        check_entry(run, entry, has_name);
    }
    if (disorder != kNotApplicable) {
        run.go(run.rel_start + 4 * disorder, disorder);
        run.fault(Rule::RelocationOrder);
    }
    // An ascending table can only repeat neighbours.
    if (repeats || disorder != kNotApplicable) find_duplicates(run, count);
    run.go(run.context_at + field::kName);
    if (run.context_ok && !has_name) run.fault(Rule::ContextNameNotRelocated);
}

}  // namespace

void check_image(Run& run) {
    if (run.bounds_ok) check_got(run);
    if (run.relocations_ok) check_relocations(run);
}

}  // namespace n6vp::loader::legacy::checks
