// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "loader/checks.h"

namespace n6vp::loader::checks {

namespace {

using format::in_space;
using format::link_offset;
using format::Space;

/// Distances in the families GotValue… and RelocationValue….
enum ValueFault : std::uint32_t {
    kNull,
    kUnknownSpace,
    kParam2,
    kTrash,
    kRamRange,
    kRamInsideGot,
    kFlashRange,
    kParam0Range,
    kParam1Range,
    kParam1NoPool,
    kFine,
};
static_assert(rule_after(Rule::GotValueNull, kParam1NoPool) == Rule::GotValueParam1NoPool);
static_assert(rule_after(Rule::RelocationValueNull, kParam1NoPool) ==
              Rule::RelocationValueParam1NoPool);

/// Returns what is wrong with a link address that the installer would resolve, and the bound it
/// violates. One past the end of a region is a legal pointer.
ValueFault judge_value(const Run& run, std::uint32_t value, std::uint32_t& bound) {
    const Header& header = run.header();
    const std::uint32_t offset = link_offset(value);
    bound = kNotApplicable;
    if (value == 0) return kFine;
    switch (format::space_nibble(value)) {
        case 0x0:
            return kNull;
        case 0xA:
            return kParam2;
        case 0xF:
            return kTrash;
        case 0x2:
            bound = header.ro_bytes();
            return offset > bound ? kFlashRange : kFine;
        case 0x4:
            bound = header.rw_bytes();
            if (offset > bound) return kRamRange;
            bound = header.copied_bytes();
            return offset > link_offset(header.data_end) && offset < bound ? kRamInsideGot : kFine;
        case 0x8: {
            const std::uint32_t bytes = run.params.known ? run.params.bytes : kUnknownBytes;
            const std::uint32_t shift = run.pools.param_foff < bytes ? run.pools.param_foff : 0;
            bound = bytes - shift;
            return bytes != kUnknownBytes && offset > bound ? kParam0Range : kFine;
        }
        case 0x9:
            bound = run.pools.external_bytes;
            if (!run.pools.has_external) return kParam1NoPool;
            return offset > bound ? kParam1Range : kFine;
        default:
            return kUnknownSpace;
    }
}

void check_value(Run& run, Rule family, std::uint32_t value, Place place) {
    std::uint32_t bound = kNotApplicable;
    const ValueFault fault = judge_value(run, value, bound);
    if (fault != kFine) run.report.add(rule_after(family, fault), place, bound, value);
}

void check_got(Run& run) {
    const Header& header = run.header();
    constexpr std::uint32_t kReservedWords = 3;
    const std::uint32_t words = header.got_bytes() / 4;
    if (words == 0) return;
    const std::uint32_t start = header.ro_bytes() + link_offset(header.got_start);
    const std::uint32_t end = start + words * 4;
    const std::uint32_t toolchain = header.flags.toolchain();
    if (toolchain == format::kToolchainClang || toolchain == format::kToolchainStClang) {
        run.report.add(Rule::GotClang, {format::kOffGotEnd}, 0, words);
    }
    if (words < kReservedWords)
        run.report.add(Rule::GotShort, {format::kOffGotEnd}, kReservedWords, words);
    WordReader reader(run.file);
    for (std::uint32_t i = 0; i < words && !run.report.stopped(); ++i) {
        const Place place{start + 4 * i, i};
        std::uint32_t value = 0;
        if (!reader.word(place.file_offset, end, value)) {
            return run.report.add(Rule::SectionUnreadable, place);
        }
        check_value(run, Rule::GotValueNull, value, place);
        if (value != 0 && i + kReservedWords >= words)
            run.report.add(Rule::GotReserved, place, 0, value);
    }
}

/// Words that must have an entry, and entries that come in bulk and are reported once.
struct RelocationFacts {
    std::uint32_t ro_entries = 0, first_ro = kNotApplicable;
    bool name = false, version_text = false, network = false;
    std::uint32_t pool_names = 0;  ///< bit i: the name of descriptor i
};

/// Fields of rt_ctx and of the pool table have a meaning of their own: a relocation there must fit
/// it.
void check_special_target(Run& run, RelocationFacts& facts, std::uint32_t offset, Place place,
                          std::uint32_t entry) {
    namespace at = loader::context_offset;
    const bool sizes = run.context.has_struct_sizes;
    const std::uint32_t in_context = offset - link_offset(run.header().context());
    if (run.context_ok && in_context < at::bytes(sizes)) {
        if (in_context == at::kCName) {
            facts.name = true;
        } else if (in_context == at::kVersionDesc) {
            facts.version_text = true;
        } else if (in_context == at::network(sizes)) {
            facts.network = true;
        } else if (in_context <= at::kCallbacks || in_context == at::instance(sizes)) {
            run.report.add(Rule::RelocationContextRuntime, place, kNotApplicable, entry);
        } else {
            run.report.add(Rule::RelocationContextNumber, place, kNotApplicable, entry);
        }
        return;
    }
    const std::uint32_t in_table = offset - link_offset(run.header().params_start);
    if (in_table >= run.pools.count * format::kPoolBytes) return;
    if (in_table % format::kPoolBytes == 0) {
        facts.pool_names |= 1u << in_table / format::kPoolBytes;
    } else {
        run.report.add(Rule::RelocationPoolNumber, place, kNotApplicable, entry);
    }
}

/// Returns the file offset of the word a RAM entry patches, or kNotApplicable after reporting why
/// it must not.
std::uint32_t ram_target(Run& run, RelocationFacts& facts, std::uint32_t entry, Place place) {
    const Header& header = run.header();
    const std::uint32_t offset = link_offset(entry);
    const std::uint32_t end = offset + 4;
    struct Bound {
        Rule rule;
        std::uint32_t end;
    };
    const Bound bounds[] = {
        {Rule::RelocationOutsideRam, header.rw_bytes()},
        {Rule::RelocationInBss, header.copied_bytes()},
        {Rule::RelocationInGap, link_offset(header.got_end)},
        {Rule::RelocationInGot, link_offset(header.got_start)},
    };
    for (const Bound& bound : bounds) {
        if (end <= bound.end) continue;
        run.report.add(bound.rule, place, bound.end, offset);
        return kNotApplicable;
    }
    check_special_target(run, facts, offset, place, entry);
    return header.ro_bytes() + offset;
}

/// As ram_target, for an entry that patches RO.
std::uint32_t ro_target(Run& run, RelocationFacts& facts, std::uint32_t entry, Place place) {
    const Header& header = run.header();
    const std::uint32_t offset = link_offset(entry);
    if (facts.ro_entries++ == 0) facts.first_ro = place.index;
    if (offset + 4 > header.ro_bytes()) {
        run.report.add(Rule::RelocationOutsideRo, place, header.ro_bytes(), offset);
        return kNotApplicable;
    }
    if (offset < header.header_bytes) {
        run.report.add(Rule::RelocationInHeader, place, header.header_bytes, offset);
        return kNotApplicable;
    }
    return offset;
}

void check_entry(Run& run, RelocationFacts& facts, WordReader& targets, std::uint32_t entry,
                 Place place) {
    const Header& header = run.header();
    const bool ro = in_space(entry, Space::Flash);
    if (!ro && !in_space(entry, Space::Ram)) {
        return run.report.add(Rule::RelocationSpace, place, 0x40000000u | link_offset(entry),
                              entry);
    }
    if (entry % 4 != 0) return run.report.add(Rule::RelocationAlignment, place, 4, entry % 4);
    const std::uint32_t target =
        ro ? ro_target(run, facts, entry, place) : ram_target(run, facts, entry, place);
    if (target == kNotApplicable) return;
    const std::uint32_t limit = ro ? header.ro_bytes() : header.ro_bytes() + header.copied_bytes();
    std::uint32_t value = 0;
    if (!targets.word(target, limit, value))
        return run.report.add(Rule::SectionUnreadable, {target, place.index});
    const Place word{target, place.index, entry};
    if (value == 0) return run.report.add(Rule::RelocationValueZero, word, kNotApplicable, 0);
    check_value(run, Rule::RelocationValueNull, value, word);
}

/// Walks the table once. Returns false if it could not be read or the receiver wants no more.
template <typename Visit>
bool for_each_entry(const Run& run, Visit visit) {
    const std::uint32_t start = link_offset(run.header().rel_start);
    const std::uint32_t end = link_offset(run.header().rel_end);
    WordReader reader(run.file);
    for (std::uint32_t at = start; at < end; at += 4) {
        std::uint32_t entry = 0;
        if (!reader.word(at, end, entry)) {
            run.report.add(Rule::SectionUnreadable, {at, (at - start) / 4});
            return false;
        }
        visit(entry, Place{at, (at - start) / 4});
        if (run.report.stopped()) return false;
    }
    return true;
}

/// One window of link addresses in which entries are marked.
struct Window {
    static constexpr std::uint32_t kBytes = 4 * 8 * 512;
    std::uint32_t start;
    std::uint32_t seen[128];

    /// Returns true if `entry` lies in the window and was there before.
    bool mark(std::uint32_t entry) {
        const std::uint32_t word = (entry - start) / 4;
        if (entry % 4 != 0 || entry < start || word >= kBytes / 4) return false;
        const std::uint32_t bit = 1u << (word & 31);
        const bool before = (seen[word >> 5] & bit) != 0;
        seen[word >> 5] |= bit;
        return before;
    }
};

/// Finds equal entries of a table that is not ascending, without memory for it: as often as the
/// image has windows, the whole table is read and marked in one of them.
void find_duplicates(Run& run) {
    const Header& header = run.header();
    constexpr std::uint32_t kMaxSteps =
        1u << 22;  // about 50 ms on a host; a real table needs far fewer
    const std::uint32_t entries = header.rel_bytes() / 4;
    const std::uint32_t windows =
        header.ro_bytes() / Window::kBytes + header.copied_bytes() / Window::kBytes + 2;
    if (entries > kMaxSteps / windows) {
        return run.report.add(Rule::RelocationUnsorted, {format::kOffRelStart}, kMaxSteps / windows,
                              entries);
    }
    Window window;
    const auto scan = [&](std::uint32_t base, std::uint32_t bytes) {
        for (std::uint32_t at = 0; at < bytes; at += Window::kBytes) {
            window.start = base + at;
            std::memset(window.seen, 0, sizeof window.seen);
            const bool complete = for_each_entry(run, [&](std::uint32_t entry, Place place) {
                if (window.mark(entry))
                    run.report.add(Rule::RelocationTwice, place, kNotApplicable, entry);
            });
            if (!complete) return false;
        }
        return true;
    };
    if (scan(0x20000000u, header.ro_bytes())) (void)scan(0x40000000u, header.copied_bytes());
}

/// Judges what only the whole table shows.
void check_totals(Run& run, const RelocationFacts& facts) {
    const Header& header = run.header();
    namespace at = loader::context_offset;
    if (facts.ro_entries != 0) {
        const Place place{link_offset(header.rel_start) + 4 * facts.first_ro, facts.first_ro};
        const bool first_generation = run.request != nullptr
                                          ? run.request->profile.generation == Generation::Core21
                                          : run.context_ok && !run.context.has_struct_sizes;
        if (run.request != nullptr && !run.copies()) {
            run.report.add(Rule::RelocationNeedsCopy, place, 0, facts.ro_entries);
        }
        if (first_generation)
            run.report.add(Rule::RelocationRoGeneration, place, 0, facts.ro_entries);
        if (header.flags.toolchain() == format::kToolchainGcc) {
            run.report.add(Rule::RelocationRoGcc, place, 0, facts.ro_entries);
        }
    }
    const std::uint32_t context = run.context_offset();
    if (run.context_ok) {
        const auto require = [&](bool relocated, Rule rule, std::uint32_t offset,
                                 std::uint32_t value) {
            if (!relocated) run.report.add(rule, {context + offset}, kNotApplicable, value);
        };
        const bool sizes = run.context.has_struct_sizes;
        require(facts.name, Rule::ContextNameNotRelocated, at::kCName, run.context.c_name);
        require(facts.version_text, Rule::VersionTextNotRelocated, at::kVersionDesc,
                run.context.rt_version_desc);
        require(facts.network, Rule::NetworkNotRelocated, at::network(sizes),
                run.context.itf_network);
    }
    for (std::uint32_t i = 0; i < run.pools.count; ++i) {
        if ((facts.pool_names >> i & 1) != 0) continue;
        run.report.add(
            Rule::PoolNameNotRelocated,
            {header.ro_bytes() + link_offset(header.params_start) + i * format::kPoolBytes, i});
    }
}

void check_relocations(Run& run) {
    RelocationFacts facts;
    WordReader targets(run.file);
    std::uint32_t previous = 0;
    Place disorder;
    bool ascending = true;
    const bool readable = for_each_entry(run, [&](std::uint32_t entry, Place place) {
        if (ascending && entry < previous) {
            ascending = false;
            disorder = place;
        }
        previous = entry;
    });
    if (!readable) return;
    previous = 0;
    const bool complete = for_each_entry(run, [&](std::uint32_t entry, Place place) {
        if (ascending && place.index != 0 && entry == previous) {
            run.report.add(Rule::RelocationTwice, place, kNotApplicable, entry);
        }
        previous = entry;
        check_entry(run, facts, targets, entry, place);
    });
    if (!complete) return;
    if (!ascending) {
        run.report.add(Rule::RelocationOrder, disorder);
        find_duplicates(run);
    }
    check_totals(run, facts);
}

}  // namespace

void check_image(Run& run) {
    if (run.bounds_ok) check_got(run);
    if (run.relocations_ok) check_relocations(run);
}

}  // namespace n6vp::loader::checks
