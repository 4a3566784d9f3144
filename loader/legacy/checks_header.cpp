// SPDX-License-Identifier: Apache-2.0
#include "loader/legacy/checks.h"

namespace n6vp::loader::legacy::checks {

namespace {

using format::link_offset;
namespace field = context_offset;

constexpr std::uint32_t kHardFloat = 2;
constexpr std::uint32_t kReservedFlags = 0x00F08000u;

void check_flags(Run& run) {
    const format::Flags flags = run.header().flags;
    const std::uint32_t at = format::kOffFlags;
    run.go(at);
    if (flags.major() == 1) {
        run.fault(Rule::LegacyFlagsOld, 2, flags.major());
    } else {
        run.require_equal(Rule::LegacyFlagsMajor, at, 2, flags.major());
        run.require_equal(Rule::LegacyFlagsMinor, at, 0, flags.minor());
    }
    run.require_equal(Rule::LegacyFlagsReserved, at, 0, flags.raw & kReservedFlags);
    run.require_equal(Rule::LegacyFlagsToolchain, at, format::kToolchainGcc, flags.toolchain());
    run.require_equal(Rule::LegacyFlagsFloatAbi, at, kHardFloat, flags.float_abi());
    run.require_equal(Rule::LegacyFlagsFpu, at, 1, flags.fpu() ? 1 : 0);
    const std::uint32_t part = flags.cpu_part();
    if (part != kCortexM4 && part != kCortexM7 && part != kCortexM33 && part != kCortexM55)
        run.fault(Rule::LegacyFlagsCore, kNotApplicable, part);
}

/// Reports a word whose top nibble is not that of its space.
void require_space(Run& run, Rule rule, std::uint32_t at, std::uint32_t nibble,
                   std::uint32_t word) {
    run.require_equal(rule, at, nibble << 28 | link_offset(word), word);
}

void check_spaces(Run& run) {
    const Header& header = run.header();
    run.require_equal(Rule::LegacyDataStart, format::kOffDataStart, kRamBase, header.data_start);
    require_space(run, Rule::LegacyDataEndSpace, format::kOffDataEnd, kRamNibble, header.data_end);
    require_space(run, Rule::DataLoadSpace, format::kOffDataData, kFlashNibble, header.data_data);
    require_space(run, Rule::BssStartSpace, format::kOffBssStart, kRamNibble, header.bss_start);
    require_space(run, Rule::BssEndSpace, format::kOffBssEnd, kRamNibble, header.bss_end);
    require_space(run, Rule::GotStartSpace, format::kOffGotStart, kRamNibble, header.got_start);
    require_space(run, Rule::GotEndSpace, format::kOffGotEnd, kRamNibble, header.got_end);
}

void check_data_bounds(Run& run) {
    check_spaces(run);
    run.require_least(Rule::GotStartOrder, format::kOffGotStart, run.data_end, run.got_start);
    run.require_least(Rule::GotEndOrder, format::kOffGotEnd, run.got_start, run.got_end);
    run.require_least(Rule::BssStartOrder, format::kOffBssStart, run.got_end, run.copied);
    run.require_least(Rule::BssEndOrder, format::kOffBssEnd, run.copied, run.rw);
    run.require_least(Rule::RoTooSmall, format::kOffDataData, kHeaderBytes, run.ro);
    run.require_most(Rule::LegacyRoLimit, format::kOffDataData, kFlashLimit, run.ro);
    run.require_most(Rule::LegacyRamLimit, format::kOffBssEnd, kRamLimit, run.rw);
    run.require_multiple(Rule::LegacyRoAlignment, format::kOffDataData, 4, run.ro);
    run.require_multiple(Rule::GotAlignment, format::kOffGotStart, 4, run.got_start);
    run.require_multiple(Rule::GotEntrySize, format::kOffGotEnd, 4, run.got_end - run.got_start);
    run.require_multiple(Rule::BssAlignment, format::kOffBssStart, 4, run.copied);
    // Only the first part that sticks out of the file: the others follow from it.
    const std::uint32_t bytes = run.file.bytes();
    if (run.ro > bytes) {
        run.require_most(Rule::RoBeyondFile, format::kOffDataData, bytes, run.ro);
    } else if (run.ro + run.got_end > bytes) {
        run.require_most(Rule::DataBeyondFile, format::kOffGotEnd, bytes, run.ro + run.got_end);
    } else {
        run.require_most(Rule::GapBeyondFile, format::kOffBssStart, bytes, run.ro + run.copied);
    }
}

void check_relocation_bounds(Run& run) {
    const Header& header = run.header();
    const std::uint32_t start = run.rel_start;
    const std::uint32_t end = run.rel_end;
    require_space(run, Rule::RelStartSpace, format::kOffRelStart, kFlashNibble, header.rel_start);
    require_space(run, Rule::RelEndSpace, format::kOffRelEnd, kFlashNibble, header.rel_end);
    run.require_least(Rule::RelOrder, format::kOffRelEnd, start, end);
    run.require_multiple(Rule::RelAlignment, format::kOffRelStart, 4, start);
    run.require_multiple(Rule::RelEntrySize, format::kOffRelEnd, 4, end - start);
    run.require_most(Rule::RelBeyondFile, format::kOffRelEnd, run.file.bytes(), end);
    // Where the length is not known, this alone keeps the loader from reading through all memory.
    if (end <= run.file.bytes())
        run.require_most(Rule::LegacyRelLimit, format::kOffRelEnd, kFlashLimit, end);
    if (end > start)
        run.require_least(Rule::RelInsideImage, format::kOffRelStart, run.ro + run.got_end, start);
}

/// Returns the end of what the header names, weights included.
std::uint32_t check_weights(Run& run) {
    const Header& header = run.header();
    const std::uint32_t data_end = run.ro + run.got_end;
    const std::uint32_t image_end = data_end > run.rel_end ? data_end : run.rel_end;
    if (!header.has_weights()) return image_end;
    const std::uint32_t start = link_offset(header.weights_start);
    const std::uint32_t end = link_offset(header.weights_end);
    // Plain offsets or FLASH link addresses.
    if (format::space_nibble(header.weights_start) != 0) {
        require_space(run, Rule::LegacyWeightsSpace, kOffWeightsStart, kFlashNibble,
                      header.weights_start);
    }
    if (format::space_nibble(header.weights_end) != 0) {
        require_space(run, Rule::LegacyWeightsSpace, kOffWeightsEnd, kFlashNibble,
                      header.weights_end);
    }
    run.require_least(Rule::LegacyWeightsOrder, kOffWeightsEnd, start, end);
    run.require_multiple(Rule::LegacyWeightsAlignment, kOffWeightsStart, 4, start);
    run.require_least(Rule::LegacyWeightsInsideImage, kOffWeightsStart, image_end, start);
    run.require_most(Rule::LegacyWeightsBeyondFile, kOffWeightsEnd, run.file.bytes(), end);
    return end;
}

/// Legal oddities that users ask about.
void check_notes(Run& run, std::uint32_t end) {
    const Header& header = run.header();
    // One zero word ends the arrays of functions.
    constexpr std::uint32_t kEmptyArrays = 4;
    run.require_most(Rule::LegacyInitArrayIgnored, format::kOffDataEnd, kEmptyArrays,
                     header.got_start - header.data_end);
    if (header.rel_bytes() != 0) {
        run.require_most(Rule::BssGapHoldsRelocations, format::kOffBssStart, run.rel_start,
                         run.ro + run.copied);
    }
    if (run.file.bytes() != kUnknownBytes) {
        run.require_most(Rule::LegacyTrailingBytes, format::kOffRelEnd, align4(end),
                         run.file.bytes());
    }
}

void check_vector(Run& run) {
    const Header& header = run.header();
    for (std::uint32_t i = 0; i < kEntryCount; ++i) {
        const std::uint32_t entry = header.vector[i];
        const std::uint32_t code = link_offset(entry) & ~1u;
        run.go(kVectorOffset + 4 * i, i);
        if (!in_flash(entry)) {
            run.fault(Rule::VectorSpace, format::kFlashBase | link_offset(entry), entry);
        } else if (code < kHeaderBytes) {
            run.fault(Rule::VectorInHeader, kHeaderBytes, code);
        } else if (code >= run.ro) {
            run.fault(Rule::VectorOutside, run.ro, code);
        } else if ((entry & 1) == 0) {
            run.fault(Rule::LegacyVectorThumb, entry | 1, entry);
        }
    }
    run.go(kNotApplicable);
}

/// Fields that the installer or a call fills in: a file that brings its own values was dumped from
/// a running system.
void check_runtime_fields(Run& run) {
    const Context& context = run.context;
    const std::uint32_t at = run.context_at;
    run.require_equal(Rule::ContextState, at + field::kState, 0, context.state);
    run.require_equal(Rule::LegacyContextNetwork, at + field::kNetwork, 0, context.network);
    run.require_equal(Rule::ContextRamAddress, at + field::kRamAddress, 0, context.ram_address);
    run.require_equal(Rule::ContextRomAddress, at + field::kRomAddress, 0, context.rom_address);
    run.require_equal(Rule::LegacyContextHeapBlock, at + field::kHeapBlock, 0, context.heap_block);
    for (std::uint32_t i = 0; i < field::kObserverWords; ++i) {
        run.require_equal(Rule::LegacyContextObserver, at + field::kObserver + 4 * i, 0,
                          context.observer[i]);
    }
    run.require_equal(Rule::LegacyContextCrc, at + field::kAcquireCrc, 0, context.acquire_crc);
    run.require_equal(Rule::LegacyContextCrc, at + field::kReleaseCrc, 0, context.release_crc);
}

void check_name(Run& run) {
    const std::uint32_t name = run.context.name;
    const std::uint32_t offset = link_offset(name);
    char text[format::kMaxNameBytes + 1];
    run.go(run.context_at + field::kName);
    if (!in_flash(name))
        return run.fault(Rule::ContextNameSpace, format::kFlashBase | offset, name);
    if (offset >= run.ro)
        return run.fault(Rule::ContextNameOutside, format::kFlashBase | run.ro, name);
    if (!run.file.name(name, text, sizeof text)) {
        const bool at_end = run.ro - offset <= format::kMaxNameBytes;
        return run.fault(at_end ? Rule::ContextNameUnterminated : Rule::ContextNameTooLong,
                         format::kFlashBase | run.ro, name);
    }
    if (text[0] == '\0') return run.fault(Rule::ContextNameEmpty, kNotApplicable, name);
    const char* character = text;
    while (*character >= ' ' && *character <= '~') ++character;
    if (*character != '\0') run.fault(Rule::ContextNameUnprintable, kNotApplicable, name);
}

/// Compares the weights inside the file with what rt_ctx says of them.
void check_weights_size(Run& run) {
    if (!run.header().has_weights()) return;
    const std::uint32_t stated = run.context.weights_bytes;
    const std::uint32_t stored = run.header().weights_bytes();
    constexpr std::uint32_t kPadding = 32;  // the packer may fill up behind them
    if (stored >> 28 != 0) return;          // out of order: reported
    run.require_least(Rule::LegacyWeightsTooShort, kOffWeightsEnd, stated, stored);
    if (stored > stated)
        run.require_most(Rule::LegacyWeightsTooLong, kOffWeightsEnd, kPadding - 1, stored - stated);
}

}  // namespace

void check_header(Run& run) {
    check_flags(run);
    const std::uint32_t before = run.errors();
    check_data_bounds(run);
    run.bounds_ok = run.errors() == before;
    check_relocation_bounds(run);
    run.relocations_ok = run.errors() == before;
    const std::uint32_t end = check_weights(run);
    if (run.errors() == before) check_notes(run, end);
    check_vector(run);
}

void check_context(Run& run) {
    const Header& header = run.header();
    if (!run.bounds_ok) return;
    const std::uint32_t offset = link_offset(header.context);
    require_space(run, Rule::LegacyContextSpace, kContextOffset, kRamNibble, header.context);
    if (!in_ram(header.context)) return;
    run.require_multiple(Rule::ContextAlignment, kContextOffset, 4, offset);
    if (offset + kShortContextBytes > run.data_end) {
        return run.require_most(Rule::ContextOutsideData, kContextOffset, run.data_end,
                                offset + kShortContextBytes);
    }
    // Where rt_ctx is the last of .data its length tells the generation.
    const std::uint32_t room = header.context_room();
    run.go(kContextOffset);
    if (room != kShortContextBytes && room != kLongContextBytes)
        run.fault(Rule::LegacyContextGeneration, kLongContextBytes, room);
    if (!run.file.context(run.context)) return run.fault(Rule::SectionUnreadable);
    run.context_ok = true;
    check_runtime_fields(run);
    check_name(run);
    check_weights_size(run);
}

}  // namespace n6vp::loader::legacy::checks
