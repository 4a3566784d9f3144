// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diff/branches.h"

#include <string_view>

#include "tests/core/diff/generator.h"

namespace n6vp::test::diff {

using models::core::isa::Fields;
using models::core::isa::Row;

namespace {

/// Pads: 4 to 59 before the code, 80 to 119 behind it.
int forward_pad(Draw& draw) {
    return 80 + static_cast<int>(draw.below(40));
}
int any_pad(Draw& draw) {
    return draw.below(2) == 0 ? forward_pad(draw) : 4 + static_cast<int>(draw.below(56));
}
/// Bytes from the code's start plus four to a pad.
int distance(int pad) {
    return 2 * (pad - static_cast<int>(kCodeStart)) - 4;
}

std::uint32_t replace(std::uint32_t encoding, std::uint32_t mask, std::uint32_t bits) {
    return (encoding & ~mask) | (bits & mask);
}

void append_table(Draw& draw, bool halfwords, Entry& entry) {
    for (unsigned i = 0; i < (halfwords ? 4u : 2u); ++i) {
        // In halfwords from behind the instruction, beyond table and jump.
        const std::uint32_t one = 16 + draw.below(32), other = 16 + draw.below(32);
        append(entry, halfwords ? one : one << 8 | other, 2);
    }
}

}  // namespace

std::uint32_t loop_displacement(std::uint32_t bytes) {
    return (bytes >> 1 & 1) << 11 | (bytes >> 2 & 0x3FF) << 1;
}

void aim_branch(const Row& row, Draw& draw, std::uint32_t& encoding) {
    const std::string_view title = row.title;
    const auto wide = [](int bytes) { return static_cast<std::uint32_t>(bytes / 2) & 0x7FF; };
    if (title == "B T1") {
        encoding = replace(encoding, 0xFF, static_cast<std::uint32_t>(distance(any_pad(draw)) / 2));
    } else if (title == "B T2") {
        encoding =
            replace(encoding, 0x7FF, static_cast<std::uint32_t>(distance(any_pad(draw)) / 2));
    } else if (title == "B T3") {
        const int bytes = distance(any_pad(draw));
        const std::uint32_t high = bytes < 0 ? 0x043F2800u : 0;
        encoding = replace(encoding, 0x043F2FFF, high | wide(bytes));
    } else if (title == "B T4" || title == "BL T1") {
        const int bytes = distance(any_pad(draw));
        const std::uint32_t high = bytes < 0 ? 0x07FF2800u : 0x00002800u;
        encoding = replace(encoding, 0x07FF2FFF, high | wide(bytes));
    } else if (title == "CBZ T1" || title == "CBNZ T1") {
        const auto bytes = static_cast<std::uint32_t>(distance(forward_pad(draw)));
        encoding = replace(encoding, 0x2F8, (bytes >> 6 & 1) << 9 | (bytes >> 1 & 31) << 3);
    } else if (title == "WLS T1" || title == "WLSTP T1") {
        const auto bytes = static_cast<std::uint32_t>(distance(forward_pad(draw)));
        encoding = replace(encoding, 0xFFE, loop_displacement(bytes));
    } else if (title == "LE T1" || title == "LE T2" || title == "LETP T1") {
        const int pad = 4 + static_cast<int>(draw.below(56));
        encoding =
            replace(encoding, 0xFFE, loop_displacement(static_cast<std::uint32_t>(-distance(pad))));
    }
}

bool control_roles(const Row& row, std::uint32_t encoding, Draw& draw, Entry& entry) {
    const Fields fields(row.pattern, encoding);
    const std::string_view title = row.title;
    const auto bit = [](unsigned number) { return static_cast<std::uint16_t>(1u << number); };
    if (title == "BX T1" || title == "BLX (register) T1") {
        if (fields['m'] == 13 || fields['m'] == 15) return false;
        entry.target_registers = bit(fields['m']);
        entry.flags |= kClearTargetBit;
    } else if (title.starts_with("LE")) {
        entry.small_registers = bit(14);
        entry.small_bits = 4;
    } else if (title.starts_with("WLS") || title.starts_with("DLS")) {
        if (fields['n'] == 13) return false;
        entry.small_registers = bit(fields['n']);
        entry.small_bits = 2;
    } else if (title == "CBZ T1" || title == "CBNZ T1") {
        entry.small_registers = bit(fields['n']);
        entry.small_bits = 1;
    } else if (title == "TBB T1" || title == "TBH T1") {
        const bool halfwords = title == "TBH T1";
        if (fields['m'] >= 13 || fields['n'] == fields['m'] || fields['n'] == 13) return false;
        entry.small_registers = bit(fields['m']);
        entry.small_bits = fields['n'] == 15 ? 2 : 8;
        if (fields['n'] != 15) entry.base_registers = bit(fields['n']);
        entry.window_fill = halfwords ? WindowFill::SmallHalfwords : WindowFill::SmallBytes;
        entry.align_log2 = halfwords ? 1 : 0;
        append(entry, encoding, 4);
        if (fields['n'] == 15) append_table(draw, halfwords, entry);
    }
    return true;
}

}  // namespace n6vp::test::diff
