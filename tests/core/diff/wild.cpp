// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diff/wild.h"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "tests/core/diff/report.h"

namespace n6vp::test::diff {

namespace isa = models::core::isa;

namespace {

/// What one vector left on both sides.
struct Outcome {
    const isa::Row& row;
    std::uint32_t encoding;
    const Record& ours;
    const Record& theirs;

    [[nodiscard]] bool is(std::string_view title) const {
        return std::string_view(row.title).starts_with(title);
    }
    [[nodiscard]] bool says(std::string_view part) const {
        return std::string_view(row.title).find(part) != std::string_view::npos;
    }
    [[nodiscard]] unsigned field(char letter) const {
        return row.pattern.extract(letter, encoding);
    }
};

// Words of a Record.
constexpr unsigned kException = 19, kCfsr = 20, kAddress = 23, kVectors = 32;

constexpr std::uint64_t bit(unsigned word) {
    return std::uint64_t{1} << word;
}
constexpr std::uint64_t q_register(unsigned number) {
    return std::uint64_t{15} << (kVectors + 4 * (number & 7));
}

constexpr std::uint32_t kBusFault = 5, kUsageFault = 6;
constexpr std::uint32_t kPreciseWithAddress = 0x8200, kUnalignedStatus = 1u << 24;

bool both_bus_fault(const Outcome& outcome) {
    return outcome.ours.exception == kBusFault && outcome.theirs.exception == kBusFault &&
           outcome.ours.cfsr == kPreciseWithAddress && outcome.theirs.cfsr == kPreciseWithAddress;
}

/// Default memory map without MPU, Armv8-M ARM.
bool is_device(std::uint32_t address) {
    return (address >= 0x40000000 && address < 0x60000000) || address >= 0xA0000000;
}

std::uint64_t unaligned_device(const Outcome& outcome) {
    const bool excused =
        outcome.ours.exception == kUsageFault && outcome.ours.cfsr == kUnalignedStatus &&
        outcome.theirs.exception == kBusFault && outcome.theirs.cfsr == kPreciseWithAddress &&
        is_device(outcome.theirs.address);
    return excused ? bit(kException) | bit(kCfsr) | bit(kAddress) : 0;
}

/// Bytes that QEMU loads at once for what may be aligned to less.
unsigned load_bytes(const Outcome& outcome) {
    if (outcome.is("LDRH") || outcome.is("LDRSH")) return 2;
    if (outcome.is("LDR (") || outcome.is("LDRT") || outcome.is("VLD2") || outcome.is("VLD4"))
        return 4;
    const bool doubles =
        outcome.is("VLDR T1 (double)") || (outcome.is("VLDM") && !outcome.says("(single)"));
    return doubles ? 8 : 0;
}

std::uint64_t rounded_address(const Outcome& outcome) {
    const unsigned bytes = load_bytes(outcome);
    const bool excused = bytes != 0 && both_bus_fault(outcome) &&
                         outcome.theirs.address == (outcome.ours.address & ~(bytes - 1));
    return excused ? bit(kAddress) : 0;
}

/// Registers that a load writes, its base apart.
std::uint64_t destinations(const Outcome& outcome) {
    if (outcome.is("LDM")) return outcome.field('l') & 0x5FFF & ~bit(outcome.field('n'));
    if (outcome.is("LDRD")) return bit(outcome.field('t'));
    if (outcome.is("VLD2"))
        return q_register(outcome.field('d')) | q_register(outcome.field('d') + 1);
    if (outcome.is("VLDM")) {
        const bool single = outcome.says("(single)");
        const unsigned number = outcome.encoding >> 12 & 15, high = outcome.encoding >> 22 & 1;
        const unsigned first = single ? number << 1 | high : (high << 4 | number) << 1;
        std::uint64_t words = 0;
        for (unsigned i = 0; i < (outcome.encoding & 0xFF) && first + i < 32; ++i)
            words |= bit(kVectors + first + i);
        return words;
    }
    std::uint64_t words = 0;
    const unsigned registers = outcome.is("VLD4") ? 4 : outcome.is("VLDR") ? 1 : 0;
    for (unsigned i = 0; i < registers; ++i) words |= q_register(outcome.field('d') + i);
    return words;
}

std::uint64_t loaded_before(const Outcome& outcome) {
    const bool one = outcome.is("VLDR T1");
    return both_bus_fault(outcome) && !one ? destinations(outcome) : 0;
}

std::uint64_t stepped_before(const Outcome& outcome) {
    const bool steps =
        outcome.says("(vector)") && !outcome.row.pattern.has('n') && outcome.field('W') != 0;
    return both_bus_fault(outcome) && steps ? q_register(outcome.field('m')) : 0;
}

struct Excuse {
    const char* reason;
    std::uint64_t (*words)(
        const Outcome& outcome);  ///< that may differ, a bit per word of a Record
};

/// Where QEMU deviates from the architecture or the architecture leaves a choice. See
/// models/core/ACCURACY.md.
constexpr Excuse kExcuses[] = {
    {"unaligned access to Device memory: UNALIGNED comes before the bus", unaligned_device},
    {"BFAR: QEMU loads whole words, or aligned ones in place of an unaligned", rounded_address},
    {"registers that were loaded before the fault: unknown", loaded_before},
    {"addresses of lanes before the fault: QEMU keeps them stepped and would step again",
     stepped_before},
};
constexpr std::size_t kExcuseCount = sizeof(kExcuses) / sizeof(kExcuses[0]);

/// Words that count: reserved ones do not.
constexpr std::uint64_t kAllWords = 0xFFFFFFFF03FFFFFF;

std::uint64_t differences(const Record& one, const Record& two) {
    const auto* a = reinterpret_cast<const std::uint32_t*>(&one);
    const auto* b = reinterpret_cast<const std::uint32_t*>(&two);
    std::uint64_t words = 0;
    for (unsigned i = 0; i < 64; ++i) words |= std::uint64_t{a[i] != b[i]} << i;
    return words & kAllWords;
}

struct Tally {
    std::size_t vectors = 0, faults = 0, differ = 0;
    std::size_t excused[kExcuseCount] = {};
    std::map<std::string, unsigned> by_row;
    std::set<const isa::Row*> rows;
};

std::uint64_t judge(const Outcome& outcome, Tally& tally) {
    std::uint64_t words = differences(outcome.ours, outcome.theirs);
    for (std::size_t i = 0; i < kExcuseCount && words != 0; ++i) {
        const std::uint64_t excused = words & kExcuses[i].words(outcome);
        words &= ~excused;
        tally.excused[i] += excused != 0 ? 1 : 0;
    }
    return words;
}

void print(const Tally& tally) {
    for (const auto& [title, count] : tally.by_row)
        std::cout << "differs: " << title << ": " << count << " vectors\n";
    for (std::size_t i = 0; i < kExcuseCount; ++i)
        std::cout << "excused: " << kExcuses[i].reason << ": " << tally.excused[i] << " vectors\n";
    std::cout << tally.rows.size() << " rows, " << tally.vectors << " vectors, " << tally.faults
              << " fault, " << tally.differ << " differ\n";
}

}  // namespace

Job wild_accesses(const Selection& selection) {
    Job job;
    for (const char* family : {"memory", "float", "vector_memory"}) {
        Selection one = selection;
        one.wild = true;
        if (!one.family.empty() && one.family != family) continue;
        one.family = family;
        job.append(single_instructions(one));
    }
    return job;
}

std::size_t compare_wild(const Job& job, unsigned reports, Side& ours, Side& theirs) {
    Tally tally;
    constexpr std::size_t kPiece = 1024;  // a record per vector: bounds memory
    for (std::size_t first = 0; first < job.entries.size(); first += kPiece) {
        const std::size_t count = std::min(kPiece, job.entries.size() - first);
        const std::vector<Entry> piece(
            job.entries.begin() + static_cast<std::ptrdiff_t>(first),
            job.entries.begin() + static_cast<std::ptrdiff_t>(first + count));
        const Answer our = ours.run(piece, JobMode::Records);
        const Answer their = theirs.run(piece, JobMode::Records);
        std::size_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const isa::Row& row = *job.rows[first + i];
            const std::uint32_t encoding =
                piece[i].halfwords == 2 ? std::uint32_t{piece[i].code[0]} << 16 | piece[i].code[1]
                                        : piece[i].code[0];
            tally.rows.insert(&row);
            for (unsigned vector = 0; vector < piece[i].vectors; ++vector, ++at) {
                ++tally.vectors;
                tally.faults += our.records[at].exception != 0 ? 1 : 0;
                if (judge({row, encoding, our.records[at], their.records[at]}, tally) == 0)
                    continue;
                ++tally.differ;
                if (tally.by_row[row.title]++ != 0 || tally.by_row.size() > reports) continue;
                const std::uint32_t slot =
                    places.slots + static_cast<std::uint32_t>(i % kSlotCount) * kSlotBytes;
                std::cout << "MISMATCH " << row.title << '\n'
                          << code_text(piece[i])
                          << vector_text(piece[i], slot, vector, our.records[at],
                                         their.records[at]);
            }
        }
    }
    print(tally);
    return tally.differ;
}

}  // namespace n6vp::test::diff
