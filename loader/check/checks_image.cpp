// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "loader/checks.h"

namespace n6vp::loader::checks {

namespace {

using format::in_space;
using format::link_offset;
using format::Space;
namespace field = loader::context_offset;

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
};
static_assert(follows(Rule::GotValueNull, kParam1NoPool, Rule::GotValueParam1NoPool));
static_assert(follows(Rule::RelocationValueNull, kParam1NoPool, Rule::RelocationValueParam1NoPool));

/// Reports what is wrong with a link address, not 0, that the installer would resolve. One past the
/// end of a region is a legal pointer.
void check_value(Run& run, Code family, std::uint32_t value) {
    const std::uint32_t offset = link_offset(value);
    std::uint32_t bound = kNotApplicable;
    ValueFault fault = kUnknownSpace;
    switch (format::space_nibble(value)) {
        case 0x0:
            fault = kNull;
            break;
        case 0x2:
            fault = kFlashRange;
            bound = run.ro;
            break;
        case 0x4:
            fault = kRamRange;
            bound = run.rw;
            if (offset > run.data_end && offset < run.copied) {
                return run.fault(after(family, kRamInsideGot), run.data_end, value);
            }
            break;
        case 0x8:
            fault = kParam0Range;
            // Without a known length the bound is beyond every offset.
            bound = run.params_bytes < run.param_foff ? 0 : run.params_bytes - run.param_foff;
            break;
        case 0x9:
            fault = run.has_external ? kParam1Range : kParam1NoPool;
            if (run.has_external) bound = run.external_bytes;
            break;
        case 0xA:
            fault = kParam2;
            break;
        case 0xF:
            fault = kTrash;
            break;
        default:
            break;
    }
    const bool bounded = fault == kFlashRange || fault == kRamRange || fault == kParam0Range ||
                         fault == kParam1Range;
    if (!bounded || offset > bound) run.fault(after(family, fault), bound, value);
}

void check_got(Run& run) {
    const Header& header = run.header();
    constexpr std::uint32_t kReservedWords = 3;
    const std::uint32_t words = header.got_bytes() / 4;
    if (words == 0) return;
    const std::uint32_t start = run.ro + run.got_start;
    run.go(format::kOffGotEnd);
    const std::uint32_t toolchain = header.flags.toolchain();
    if (toolchain == format::kToolchainClang || toolchain == format::kToolchainStClang) {
        run.fault(at(Rule::GotClang), 0, words);
    }
    run.require_least(at(Rule::GotShort), kReservedWords, words);
    WordReader reader(run.file, start + words * 4);
    for (std::uint32_t i = 0; i < words && !run.stopped; ++i) {
        std::uint32_t value = 0;
        run.go(start + 4 * i, i);
        if (!reader.word(run.place, value)) return run.fault(at(Rule::SectionUnreadable));
        const bool reserved = i + kReservedWords >= words;
        if (reserved) run.require_equal(at(Rule::GotReserved), 0, value);
        if (value != 0) {
            check_value(run, at(Rule::GotValueNull), value);
        } else if (!reserved) {
            run.fault(at(Rule::GotZero), kNotApplicable, 0);
        }
    }
}

/// Walks the relocation table; the run's place follows.
class Entries {
  public:
    explicit Entries(Run& run)
        : run_(run), next_(run.rel_start), end_(run.rel_end), reader_(run.file, end_) {}
    /// Returns false at the end, after an unreadable entry (reported), or if the receiver wants no
    /// more.
    bool next(std::uint32_t& entry) {
        if (next_ >= end_ || run_.stopped) return false;
        run_.go(next_, index_);
        if (!reader_.word(next_, entry)) {
            run_.fault(at(Rule::SectionUnreadable));
            complete_ = false;
            next_ = end_;
            return false;
        }
        next_ += 4;
        ++index_;
        return true;
    }
    [[nodiscard]] bool complete() const { return complete_ && !run_.stopped; }

  private:
    Run& run_;
    std::uint32_t next_, end_, index_ = 0;
    bool complete_ = true;
    WordReader reader_;
};

/// Words that must have an entry, and entries that come in bulk and are reported once.
struct RelocationFacts {
    std::uint32_t ro_entries = 0, first_ro = 0;
    std::uint32_t pool_names = 0;     ///< bit i: the name of descriptor i has an entry
    std::uint32_t context_words = 0;  ///< bit i: word i of rt_ctx has one
};

/// Fields of rt_ctx and of the pool table have a meaning of their own: a relocation there must fit
/// it.
void check_special_target(Run& run, RelocationFacts& facts, std::uint32_t entry) {
    const bool sizes = run.context.has_struct_sizes;
    const std::uint32_t in_context = entry - run.header().context();
    if (run.context_ok && in_context < field::bytes(sizes)) {
        facts.context_words |= 1u << in_context / 4;
        const bool pointer = in_context == field::kCName || in_context == field::kVersionDesc ||
                             in_context == field::network(sizes);
        if (pointer) return;
        const bool runtime =
            in_context <= field::kCallbacks || in_context == field::instance(sizes);
        return run.fault(
            runtime ? at(Rule::RelocationContextRuntime) : at(Rule::RelocationContextNumber),
            kNotApplicable, entry);
    }
    const std::uint32_t in_table = entry - run.header().params_start;
    if (in_table >= run.pool_count * format::kPoolBytes) return;
    if (in_table % format::kPoolBytes == 0) {
        facts.pool_names |= 1u << in_table / format::kPoolBytes;
    } else {
        run.fault(at(Rule::RelocationPoolNumber), kNotApplicable, entry);
    }
}

/// Judges the word an entry names; its initial value lies at the same offset in the file's RO part
/// or behind it.
void check_entry(Run& run, RelocationFacts& facts, WordReader& words, std::uint32_t entry) {
    const Header& header = run.header();
    const std::uint32_t offset = link_offset(entry);
    const std::uint32_t end = offset + 4;
    std::uint32_t word = offset;
    if (entry % 4 != 0) return run.fault(at(Rule::RelocationAlignment), 4, entry % 4);
    if (in_space(entry, Space::Flash)) {
        if (facts.ro_entries++ == 0) facts.first_ro = run.index;
        if (offset < header.header_bytes) {
            return run.fault(at(Rule::RelocationInHeader), header.header_bytes, offset);
        }
        if (end > run.ro) {
            return run.fault(at(Rule::RelocationOutsideRo), run.ro, offset);
        }
    } else if (in_space(entry, Space::Ram)) {
        const std::uint32_t bounds[] = {run.rw, run.copied, run.got_end, run.got_start};
        static_assert(follows(Rule::RelocationOutsideRam, 3, Rule::RelocationInGot));
        for (std::uint32_t i = 0; i < 4; ++i) {
            if (end > bounds[i]) {
                return run.fault(after(at(Rule::RelocationOutsideRam), i), bounds[i], offset);
            }
        }
        check_special_target(run, facts, entry);
        word += run.ro;
    } else {
        return run.fault(at(Rule::RelocationSpace), format::kRamBase | offset, entry);
    }
    std::uint32_t value = 0;
    run.place = word;
    run.address = entry;
    if (!words.word(word, value)) return run.fault(at(Rule::SectionUnreadable));
    if (value == 0) return run.fault(at(Rule::RelocationValueZero), kNotApplicable, 0);
    check_value(run, at(Rule::RelocationValueNull), value);
}

/// Reads the whole table and reports entries that were seen before in one window of link addresses.
bool scan_window(Run& run, std::uint32_t start, std::uint32_t (&seen)[128]) {
    std::memset(seen, 0, sizeof seen);
    Entries entries(run);
    for (std::uint32_t entry = 0; entries.next(entry);) {
        const std::uint32_t word = (entry - start) / 4;
        if (word >= 32 * 128 || entry % 4 != 0) continue;
        const std::uint32_t bit = 1u << (word & 31);
        if ((seen[word >> 5] & bit) != 0)
            run.fault(at(Rule::RelocationTwice), kNotApplicable, entry);
        seen[word >> 5] |= bit;
    }
    return entries.complete();
}

/// Finds equal entries of a table that is not ascending, without memory for it: as often as the
/// image has windows of 4096 words, the whole table is read and marked in one of them. Without an
/// entry `in_ro` the read-only part, by far the larger one, needs none.
void find_duplicates(Run& run, bool in_ro) {
    const Header& header = run.header();
    constexpr std::uint32_t kWindowBytes = 4 * 32 * 128;
    constexpr std::uint32_t kMaxSteps =
        1u << 22;  // about 50 ms on a host; a real table needs far fewer
    const std::uint32_t ro_windows = in_ro ? run.ro / kWindowBytes + 1 : 0;
    const std::uint32_t windows = ro_windows + run.copied / kWindowBytes + 1;
    const std::uint32_t most = kMaxSteps / windows;
    if (header.rel_bytes() / 4 > most) {
        return run.fault(at(Rule::RelocationUnsorted), most, header.rel_bytes() / 4);
    }
    std::uint32_t seen[128];
    for (std::uint32_t i = 0; i < windows; ++i) {
        const std::uint32_t start = i < ro_windows
                                        ? format::kFlashBase + i * kWindowBytes
                                        : format::kRamBase + (i - ro_windows) * kWindowBytes;
        if (!scan_window(run, start, seen)) return;
    }
}

/// Judges what only the whole table shows.
void check_totals(Run& run, const RelocationFacts& facts) {
    const Header& header = run.header();
    if (facts.ro_entries != 0) {
        run.go(run.rel_start + 4 * facts.first_ro, facts.first_ro);
        const bool first_generation = run.request != nullptr
                                          ? run.request->profile.generation == Generation::Core21
                                          : run.context_ok && !run.context.has_struct_sizes;
        if (run.request != nullptr && !run.copies()) {
            run.fault(at(Rule::RelocationNeedsCopy), 0, facts.ro_entries);
        }
        if (first_generation) run.fault(at(Rule::RelocationRoGeneration), 0, facts.ro_entries);
        if (header.flags.toolchain() == format::kToolchainGcc) {
            run.fault(at(Rule::RelocationRoGcc), 0, facts.ro_entries);
        }
    }
    if (run.context_ok) {
        struct Row {
            Rule rule;
            std::uint32_t offset;
        };
        const Row rows[] = {
            {Rule::ContextNameNotRelocated, field::kCName},
            {Rule::VersionTextNotRelocated, field::kVersionDesc},
            {Rule::NetworkNotRelocated, field::network(run.context.has_struct_sizes)}};
        for (const Row& row : rows) {
            run.go(run.context_at + row.offset);
            if ((facts.context_words >> row.offset / 4 & 1) == 0) run.fault(at(row.rule));
        }
    }
    for (std::uint32_t i = 0; i < run.pool_count; ++i) {
        run.go(run.table_at + i * format::kPoolBytes, i);
        if ((facts.pool_names >> i & 1) == 0) run.fault(at(Rule::PoolNameNotRelocated));
    }
}

void check_relocations(Run& run) {
    RelocationFacts facts;
    const std::uint32_t image_end = run.ro + run.copied;
    WordReader words(run.file, image_end);
    std::uint32_t previous = 0;
    std::uint32_t entry = 0;
    std::uint32_t disorder = kNotApplicable;
    for (Entries entries(run); entries.next(entry); previous = entry) {
        if (entry < previous && disorder == kNotApplicable) disorder = run.index;
    }
    Entries entries(run);
    for (previous = 0; entries.next(entry); previous = entry) {
        const bool twice = disorder == kNotApplicable && run.index != 0 && entry == previous;
        if (twice) run.fault(at(Rule::RelocationTwice), kNotApplicable, entry);
        check_entry(run, facts, words, entry);
    }
    if (!entries.complete()) return;
    if (disorder != kNotApplicable) {
        run.go(run.rel_start + 4 * disorder, disorder);
        run.fault(at(Rule::RelocationOrder));
        find_duplicates(run, facts.ro_entries != 0);
    }
    check_totals(run, facts);
}

}  // namespace

void check_image(Run& run) {
    if (run.bounds_ok) check_got(run);
    if (run.relocations_ok) check_relocations(run);
}

}  // namespace n6vp::loader::checks
