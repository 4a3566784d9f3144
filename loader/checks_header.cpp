// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"

namespace n6vp::loader::checks {

namespace {

using format::link_offset;

/// The linker script gives FLASH and RAM 16 MiB each.
constexpr std::uint32_t kSectionLimit = 16u << 20;

using Field = std::uint32_t Header::*;

void check_flags(Run& run) {
    const format::Flags flags = run.header().flags;
    const Place place{format::kOffFlags};
    if (flags.major() != 8) run.report.add(Rule::FlagsMajor, place, 8, flags.major());
    if (flags.minor() != 0) run.report.add(Rule::FlagsMinor, place, 0, flags.minor());
    if (flags.reserved() != 0) run.report.add(Rule::FlagsReserved, place, 0, flags.reserved());
    if (flags.float_abi() != 2) run.report.add(Rule::FlagsFloatAbi, place, 2, flags.float_abi());
    if (!flags.fpu()) run.report.add(Rule::FlagsFpu, place, 1, 0);
    if (flags.toolchain() < format::kToolchainGcc ||
        flags.toolchain() > format::kToolchainStClang) {
        run.report.add(Rule::FlagsToolchain, place, format::kToolchainGcc, flags.toolchain());
    }
}

/// Reports every word of a group whose top nibble is not what the format says. Rows stand in the
/// order of the rules from DataLoadSpace on.
void check_spaces(Run& run, std::uint32_t first, std::uint32_t last) {
    struct Row {
        Field field;
        std::uint8_t offset, nibble;
    };
    static constexpr Row kRows[] = {
        {&Header::data_data, format::kOffDataData, 2},
        {&Header::data_end, format::kOffDataEnd, 4},
        {&Header::bss_start, format::kOffBssStart, 4},
        {&Header::bss_end, format::kOffBssEnd, 4},
        {&Header::got_start, format::kOffGotStart, 4},
        {&Header::got_end, format::kOffGotEnd, 4},
        {&Header::rel_start, format::kOffRelStart, 2},
        {&Header::rel_end, format::kOffRelEnd, 2},
        {&Header::params_start, format::kOffParamsStart, 4},
        {&Header::params_offset, format::kOffParamsOffset, 0},
    };
    static_assert(rule_after(Rule::DataLoadSpace, 9) == Rule::ParamsOffsetSpace);
    for (std::uint32_t i = first; i < last; ++i) {
        const std::uint32_t value = run.header().*kRows[i].field;
        if (format::space_nibble(value) == kRows[i].nibble) continue;
        run.report.add(rule_after(Rule::DataLoadSpace, i), {kRows[i].offset},
                       std::uint32_t{kRows[i].nibble} << 28 | link_offset(value), value);
    }
}

/// Reports the rule if `value` is below `least`.
void require_least(Run& run, Rule rule, std::uint32_t offset, std::uint32_t least,
                   std::uint32_t value) {
    if (value < least) run.report.add(rule, {offset}, least, value);
}

void require_most(Run& run, Rule rule, std::uint32_t offset, std::uint32_t most,
                  std::uint32_t value) {
    if (value > most) run.report.add(rule, {offset}, most, value);
}

void require_multiple(Run& run, Rule rule, std::uint32_t offset, std::uint32_t of,
                      std::uint32_t value) {
    if (value % of != 0) run.report.add(rule, {offset}, of, value % of);
}

/// Reports bounds of RO, data, GOT and bss that run backwards, are misaligned, too large, or
/// outside the file.
void check_data_bounds(Run& run) {
    const Header& header = run.header();
    const std::uint32_t ro = header.ro_bytes();
    if (header.data_start != 0x40000000u) {
        run.report.add(Rule::DataStart, {format::kOffDataStart}, 0x40000000u, header.data_start);
    }
    check_spaces(run, 0, 6);
    const std::uint32_t data_end = link_offset(header.data_end);
    const std::uint32_t got_start = link_offset(header.got_start);
    const std::uint32_t got_end = link_offset(header.got_end);
    const std::uint32_t bss_start = header.copied_bytes();
    require_least(run, Rule::DataEndOrder, format::kOffDataEnd, link_offset(header.data_start),
                  data_end);
    require_least(run, Rule::GotStartOrder, format::kOffGotStart, data_end, got_start);
    require_least(run, Rule::GotEndOrder, format::kOffGotEnd, got_start, got_end);
    require_least(run, Rule::BssStartOrder, format::kOffBssStart, got_end, bss_start);
    require_least(run, Rule::BssEndOrder, format::kOffBssEnd, bss_start, header.rw_bytes());
    require_least(run, Rule::RoTooSmall, format::kOffDataData, header.header_bytes, ro);
    require_most(run, Rule::RoLimit, format::kOffDataData, kSectionLimit, ro);
    require_most(run, Rule::BssEndLimit, format::kOffBssEnd, kSectionLimit, header.rw_bytes());
    require_multiple(run, Rule::RoAlignment, format::kOffDataData, 4, ro);
    if (ro % 4 == 0) require_multiple(run, Rule::RoAlignment8, format::kOffDataData, 8, ro);
    require_multiple(run, Rule::GotAlignment, format::kOffGotStart, 4, got_start);
    require_multiple(run, Rule::GotEntrySize, format::kOffGotEnd, 4, got_end - got_start);
    require_multiple(run, Rule::BssAlignment, format::kOffBssStart, 4, bss_start);
    const std::uint32_t bytes = run.file.bytes();
    // Only the first part that sticks out of the file: the others follow from it.
    require_most(run, Rule::RoBeyondFile, format::kOffDataData, bytes, ro);
    if (ro <= bytes)
        require_most(run, Rule::DataBeyondFile, format::kOffGotEnd, bytes, ro + got_end);
    if (ro + got_end <= bytes)
        require_most(run, Rule::GapBeyondFile, format::kOffBssStart, bytes, ro + bss_start);
}

void check_relocation_bounds(Run& run) {
    const Header& header = run.header();
    const std::uint32_t start = link_offset(header.rel_start);
    const std::uint32_t end = link_offset(header.rel_end);
    check_spaces(run, 6, 8);
    require_least(run, Rule::RelOrder, format::kOffRelEnd, start, end);
    require_multiple(run, Rule::RelAlignment, format::kOffRelStart, 4, start);
    require_multiple(run, Rule::RelEntrySize, format::kOffRelEnd, 4, end - start);
    require_most(run, Rule::RelBeyondFile, format::kOffRelEnd, run.file.bytes(), end);
    if (end > start) {
        require_least(run, Rule::RelInsideImage, format::kOffRelStart,
                      header.ro_bytes() + link_offset(header.got_end), start);
    }
}

void check_params_offset(Run& run) {
    const std::uint32_t at = link_offset(run.header().params_offset);
    const std::uint32_t image_end = format::align8(link_offset(run.header().rel_end));
    const std::uint32_t bytes = run.file.bytes();
    check_spaces(run, 8, 10);
    if (at == 0) {
        if (bytes != kUnknownBytes) {
            require_most(run, Rule::FileTrailingBytes, image_end, image_end, bytes);
        }
        return;
    }
    require_multiple(run, Rule::ParamsOffsetAlignment, format::kOffParamsOffset, 8, at);
    require_least(run, Rule::ParamsOffsetInsideImage, format::kOffParamsOffset,
                  link_offset(run.header().rel_end), at);
    require_most(run, Rule::ParamsOffsetBeyondFile, format::kOffParamsOffset, bytes - 1, at);
}

/// Legal oddities that users ask about.
void check_notes(Run& run) {
    const Header& header = run.header();
    if (header.got_start > header.data_end) {
        run.report.add(Rule::InitArrayIgnored, {format::kOffDataEnd}, 0,
                       header.got_start - header.data_end);
    }
    const std::uint32_t copied_end = header.ro_bytes() + header.copied_bytes();
    const std::uint32_t rel_start = link_offset(header.rel_start);
    if (header.rel_bytes() != 0 && copied_end > rel_start) {
        run.report.add(Rule::BssGapHoldsRelocations, {format::kOffBssStart}, rel_start, copied_end);
    }
}

void check_vector(Run& run) {
    const Header& header = run.header();
    for (std::uint32_t i = 0; i < header.entry_count(); ++i) {
        const std::uint32_t entry = header.vector[i];
        const std::uint32_t code = link_offset(entry) & ~1u;
        const Place place{format::kVectorOffset + 4 * i, i};
        if (!format::in_space(entry, format::Space::Flash)) {
            run.report.add(Rule::VectorSpace, place, 0x20000000u | link_offset(entry), entry);
        } else if (code < header.header_bytes) {
            run.report.add(Rule::VectorInHeader, place, header.header_bytes, code);
        } else if (code >= header.ro_bytes()) {
            run.report.add(Rule::VectorOutside, place, header.ro_bytes(), code);
        } else if ((entry & 1) == 0) {
            run.report.add(Rule::VectorThumb, place, entry | 1, entry);
        }
    }
}

}  // namespace

void check_header(Run& run) {
    check_flags(run);
    const std::uint32_t before = run.report.errors();
    check_data_bounds(run);
    run.bounds_ok = run.report.errors() == before;
    check_relocation_bounds(run);
    run.relocations_ok = run.report.errors() == before;
    check_params_offset(run);
    if (run.relocations_ok) check_notes(run);
    check_vector(run);
}

}  // namespace n6vp::loader::checks
