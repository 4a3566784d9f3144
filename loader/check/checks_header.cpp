// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"

namespace n6vp::loader::checks {

namespace {

using format::link_offset;

/// The linker script gives FLASH and RAM 16 MiB each.
constexpr std::uint32_t kSectionLimit = 16u << 20;

void check_flags(Run& run) {
    const format::Flags flags = run.header().flags;
    run.require_equal(at(Rule::FlagsMajor, format::kOffFlags), 8, flags.major());
    run.require_equal(at(Rule::FlagsMinor, format::kOffFlags), 0, flags.minor());
    run.require_equal(at(Rule::FlagsReserved, format::kOffFlags), 0, flags.reserved());
    run.require_equal(at(Rule::FlagsFloatAbi, format::kOffFlags), 2, flags.float_abi());
    run.require_equal(at(Rule::FlagsFpu, format::kOffFlags), 1, flags.fpu());
    const std::uint32_t toolchain = flags.toolchain() - format::kToolchainGcc;
    if (toolchain > format::kToolchainStClang - format::kToolchainGcc) {
        run.fault(at(Rule::FlagsToolchain, format::kOffFlags), format::kToolchainGcc,
                  flags.toolchain());
    }
}

/// Reports every word of a group whose top nibble is not what the format says. Rows stand in the
/// order of the rules from DataLoadSpace on.
void check_spaces(Run& run, std::uint32_t first, std::uint32_t last) {
    struct Row {
        std::uint8_t offset, nibble;
    };
    static constexpr Row kRows[] = {
        {format::kOffDataData, 2},     {format::kOffDataEnd, 4},  {format::kOffBssStart, 4},
        {format::kOffBssEnd, 4},       {format::kOffGotStart, 4}, {format::kOffGotEnd, 4},
        {format::kOffRelStart, 2},     {format::kOffRelEnd, 2},   {format::kOffParamsStart, 4},
        {format::kOffParamsOffset, 0},
    };
    static_assert(follows(Rule::DataLoadSpace, 9, Rule::ParamsOffsetSpace));
    const Header& header = run.header();
    const std::uint32_t words[] = {header.data_data,    header.data_end,  header.bss_start,
                                   header.bss_end,      header.got_start, header.got_end,
                                   header.rel_start,    header.rel_end,   header.params_start,
                                   header.params_offset};
    for (std::uint32_t i = first; i < last; ++i) {
        if (format::space_nibble(words[i]) == kRows[i].nibble) continue;
        run.fault(after(at(Rule::DataLoadSpace, kRows[i].offset), i),
                  std::uint32_t{kRows[i].nibble} << 28 | link_offset(words[i]), words[i]);
    }
}

/// Reports bounds of RO, data, GOT and bss that run backwards, are misaligned, too large, or
/// outside the file.
void check_data_bounds(Run& run) {
    const Header& header = run.header();
    run.require_equal(at(Rule::DataStart, format::kOffDataStart), format::kRamBase,
                      header.data_start);
    check_spaces(run, 0, 6);
    run.require_least(at(Rule::DataEndOrder, format::kOffDataEnd), link_offset(header.data_start),
                      run.data_end);
    run.require_least(at(Rule::GotStartOrder, format::kOffGotStart), run.data_end, run.got_start);
    run.require_least(at(Rule::GotEndOrder, format::kOffGotEnd), run.got_start, run.got_end);
    run.require_least(at(Rule::BssStartOrder, format::kOffBssStart), run.got_end, run.copied);
    run.require_least(at(Rule::BssEndOrder, format::kOffBssEnd), run.copied, run.rw);
    run.require_least(at(Rule::RoTooSmall, format::kOffDataData), header.header_bytes, run.ro);
    run.require_most(at(Rule::RoLimit, format::kOffDataData), kSectionLimit, run.ro);
    run.require_most(at(Rule::BssEndLimit, format::kOffBssEnd), kSectionLimit, run.rw);
    if (run.ro % 4 != 0) {
        run.require_multiple(at(Rule::RoAlignment, format::kOffDataData), 4, run.ro);
    } else {
        run.require_multiple(at(Rule::RoAlignment8, format::kOffDataData), 8, run.ro);
    }
    run.require_multiple(at(Rule::GotAlignment, format::kOffGotStart), 4, run.got_start);
    run.require_multiple(at(Rule::GotEntrySize, format::kOffGotEnd), 4,
                         run.got_end - run.got_start);
    run.require_multiple(at(Rule::BssAlignment, format::kOffBssStart), 4, run.copied);
    // Only the first part that sticks out of the file: the others follow from it.
    const std::uint32_t bytes = run.file.bytes();
    if (run.ro > bytes) {
        run.fault(at(Rule::RoBeyondFile, format::kOffDataData), bytes, run.ro);
    } else if (run.ro + run.got_end > bytes) {
        run.fault(at(Rule::DataBeyondFile, format::kOffGotEnd), bytes, run.ro + run.got_end);
    } else {
        run.require_most(at(Rule::GapBeyondFile, format::kOffBssStart), bytes, run.ro + run.copied);
    }
}

void check_relocation_bounds(Run& run) {
    const std::uint32_t start = run.rel_start;
    const std::uint32_t end = run.rel_end;
    check_spaces(run, 6, 8);
    run.require_least(at(Rule::RelOrder, format::kOffRelEnd), start, end);
    run.require_multiple(at(Rule::RelAlignment, format::kOffRelStart), 4, start);
    run.require_multiple(at(Rule::RelEntrySize, format::kOffRelEnd), 4, end - start);
    run.require_most(at(Rule::RelBeyondFile, format::kOffRelEnd), run.file.bytes(), end);
    if (end > start) {
        run.require_least(at(Rule::RelInsideImage, format::kOffRelStart), run.ro + run.got_end,
                          start);
    }
}

void check_params_offset(Run& run) {
    const std::uint32_t offset = link_offset(run.header().params_offset);
    const std::uint32_t rel_end = run.rel_end;
    const std::uint32_t bytes = run.file.bytes();
    check_spaces(run, 8, 10);
    if (offset != 0) {
        run.require_multiple(at(Rule::ParamsOffsetAlignment, format::kOffParamsOffset), 8, offset);
        run.require_least(at(Rule::ParamsOffsetInsideImage, format::kOffParamsOffset), rel_end,
                          offset);
        run.require_most(at(Rule::ParamsOffsetBeyondFile, format::kOffParamsOffset), bytes - 1,
                         offset);
    } else if (bytes != kUnknownBytes) {
        run.require_most(at(Rule::FileTrailingBytes, format::kOffParamsOffset),
                         format::align8(rel_end), bytes);
    }
}

/// Legal oddities that users ask about.
void check_notes(Run& run) {
    const Header& header = run.header();
    run.require_equal(at(Rule::InitArrayIgnored, format::kOffDataEnd), 0,
                      header.got_start - header.data_end);
    if (header.rel_bytes() != 0) {
        run.require_most(at(Rule::BssGapHoldsRelocations, format::kOffBssStart), run.rel_start,
                         run.ro + run.copied);
    }
}

void check_vector(Run& run) {
    const Header& header = run.header();
    for (std::uint32_t i = 0; i < header.entry_count(); ++i) {
        const std::uint32_t entry = header.vector[i];
        const std::uint32_t code = link_offset(entry) & ~1u;
        run.go(format::kVectorOffset + 4 * i, i);
        if (!format::in_space(entry, format::Space::Flash)) {
            run.fault(at(Rule::VectorSpace), format::kFlashBase | link_offset(entry), entry);
        } else if (code < header.header_bytes) {
            run.fault(at(Rule::VectorInHeader), header.header_bytes, code);
        } else if (code >= run.ro) {
            run.fault(at(Rule::VectorOutside), run.ro, code);
        } else if ((entry & 1) == 0) {
            run.fault(at(Rule::VectorThumb), entry | 1, entry);
        }
    }
}

}  // namespace

void check_header(Run& run) {
    run.go(0);
    check_flags(run);
    const std::uint32_t before = run.errors;
    check_data_bounds(run);
    run.bounds_ok = run.errors == before;
    check_relocation_bounds(run);
    run.relocations_ok = run.errors == before;
    check_params_offset(run);
    if (run.relocations_ok) check_notes(run);
    check_vector(run);
}

}  // namespace n6vp::loader::checks
