// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diff/roles.h"

#include "tests/core/diff/branches.h"
#include "tests/core/diff/exclusions.h"

namespace n6vp::test::diff {

namespace {

using models::core::isa::Fields;
using models::core::isa::Row;

constexpr unsigned kSp = 13, kPc = 15;

bool starts(const Row& row, std::string_view prefix) {
    return std::string_view(row.title).starts_with(prefix);
}
bool says(const Row& row, std::string_view part) {
    return std::string_view(row.title).find(part) != std::string_view::npos;
}
bool text_says(const Row& row, std::string_view part) {
    return std::string_view(row.text).find(part) != std::string_view::npos;
}

std::uint16_t bit(unsigned number) {
    return static_cast<std::uint16_t>(1u << number);
}

bool integer_roles(const Row& row, const Fields& fields, Entry& entry) {
    // MOV and ADD to PC: a pad, or a little further on.
    if (starts(row, "MOV (register) T1") || starts(row, "ADD (register) T2")) {
        const unsigned destination = (fields.bits() >> 4 & 8) | (fields.bits() & 7);
        const unsigned source = fields.bits() >> 3 & 15;
        if (destination != kPc) return true;
        const bool adds = starts(row, "ADD");
        (adds ? entry.small_registers : entry.target_registers) = bit(source);
        entry.small_bits = 6;
        return source < kSp;
    }
    // QEMU returns 0 for rounding shifts right by 48 and more, although the source has 64 bits.
    if (says(row, "(register, 48)")) {
        entry.small_registers = bit(fields['m']);
        entry.flags |= kSignedSmall;
    }
    for (const char letter : {'d', 'D', 'e', 'l', 'h'}) {
        if (row.pattern.has(letter) && fields[letter] == kPc) return false;
    }
    return true;
}

/// Literals must stand in the slot.
bool literal_in_slot(const Row& row, const Fields& fields) {
    const unsigned scale = row.pattern.bytes == 4 && text_says(row, "ldrd") ? 4
                           : row.pattern.bytes == 2                         ? 4
                           : starts(row, "VLDR")                            ? 4
                                                                            : 1;
    return fields['i'] * scale <= 96 && fields['t'] != kPc;
}

unsigned access_log2(const Row& row) {
    const std::string_view title = row.title;
    if (title.starts_with("LDM") || title.starts_with("STM") || title.starts_with("PUSH") ||
        title.starts_with("POP") || title.starts_with("LDRD") || title.starts_with("STRD"))
        return 2;
    const bool exclusive = title.find("EX") != std::string_view::npos || title.starts_with("LDA") ||
                           title.starts_with("STL");
    if (!exclusive) return 0;
    const std::string_view name = title.substr(0, title.find(' '));
    return name.ends_with('B') ? 0 : name.ends_with('H') ? 1 : 2;
}

/// Loads and stores that the architecture leaves open although decoders accept them.
bool open_operands(const Row& row, const Fields& fields) {
    const bool writeback = fields['W'] != 0 || says(row, "indexed");
    const bool list = row.pattern.has('l');
    if (list && (fields['l'] >> kSp & 1) != 0 && row.pattern.bytes == 4) return true;
    if (list && starts(row, "STM") && row.pattern.bytes == 2) {
        // The base in the list, and not the lowest of it.
        const unsigned below = fields['l'] & ((1u << fields['n']) - 1);
        return (fields['l'] >> fields['n'] & 1) != 0 && below != 0;
    }
    if (!writeback) return false;
    return (row.pattern.has('t') && fields['t'] == fields['n']) ||
           (row.pattern.has('u') && fields['u'] == fields['n']) ||
           (list && row.pattern.bytes == 4 && (fields['l'] >> fields['n'] & 1) != 0);
}

bool memory_roles(const Row& row, const Fields& fields, Entry& entry) {
    if (starts(row, "CLRM") || starts(row, "CLREX")) return true;
    if (says(row, "(literal)")) return literal_in_slot(row, fields);
    const unsigned base = row.pattern.has('n') ? fields['n'] : kSp;
    if (base == kPc || open_operands(row, fields)) return false;
    entry.base_registers = bit(base);
    entry.align_log2 = static_cast<std::uint8_t>(access_log2(row));
    // QEMU fails a store exclusive without reservation before it looks at the alignment.
    const bool store_exclusive = starts(row, "STREX") || starts(row, "STLEX");
    if (entry.align_log2 != 0 && !store_exclusive) entry.flags |= kUnaligned;
    // The stack pointer stands up to 1,032 bytes below the window's end: what is beyond is not made
    // anew for each entry, and not compared.
    if (base == kSp && (fields['i'] > 1020 || row.pattern.has('m'))) return false;
    if (base == kSp && (entry.seed & 1) != 0) entry.flags |= kStackLimit;
    if (row.pattern.has('m')) {
        if (fields['m'] == base || fields['m'] >= kSp) return false;
        entry.small_registers = bit(fields['m']);
    }
    const bool single = row.pattern.has('t') && fields['t'] == kPc;
    // Bytes and halfwords cannot be loaded to sp and pc.
    const bool word = starts(row, "LDR (") || starts(row, "STR (");
    if (row.pattern.has('t') && fields['t'] >= kSp && fields['t'] != 14 && !word &&
        row.pattern.bytes == 4 && !starts(row, "PL"))
        return false;
    const bool list = (fields['l'] >> 15 & 1) != 0 || (starts(row, "POP") && fields['L'] != 0);
    if (single || list) {
        // What stands below the stack pointer are frames, not targets.
        if (base == kSp && !starts(row, "POP") && !starts(row, "LDM T2")) return false;
        entry.window_fill = WindowFill::Targets;
        entry.flags = (entry.flags & ~kUnaligned) | kClearTargetBit;
        entry.align_log2 = 2;
        if (single && (fields['i'] % 4 != 0 || fields['i'] > 2047)) return false;
        if (row.pattern.has('m')) entry.small_bits = 0;
    }
    return true;
}

unsigned element_log2(const Row& row, const Fields& fields) {
    if (text_says(row, "rb")) return 0;
    if (text_says(row, "rh")) return 1;
    if (text_says(row, "rw") || text_says(row, "rd")) return 2;
    return fields['s'];
}

bool vector_memory_roles(const Row& row, const Fields& fields, Entry& entry) {
    if (!starts(row, "VLD") && !starts(row, "VST")) return true;
    entry.align_log2 = static_cast<std::uint8_t>(element_log2(row, fields));
    if (row.pattern.has('n')) entry.base_registers = bit(fields['n']);
    if (fields['n'] == 14) entry.flags &= ~kTail;  // LR cannot be address and count
    if (!says(row, "(vector)")) return fields['n'] != kPc;
    entry.vector_register = fields.reg('m');
    const bool doubles = text_says(row, "rd");
    if (!row.pattern.has('n')) {
        entry.vector_role = VectorRole::Addresses;
        entry.element_log2 = doubles ? 3 : 2;
        return true;
    }
    entry.vector_role = VectorRole::Offsets;
    entry.element_log2 = doubles                ? std::uint8_t{3}
                         : text_says(row, "rw") ? std::uint8_t{2}
                                                : fields.reg('s');
    return fields['n'] != kPc;
}

bool float_roles(const Row& row, const Fields& fields, Entry& entry) {
    const bool memory = starts(row, "VLD") || starts(row, "VST") || starts(row, "VPUSH") ||
                        starts(row, "VPOP") || starts(row, "FLDM") || starts(row, "FSTM");
    if (!memory) return true;
    if (says(row, "(literal)") || fields['n'] == kPc) return literal_in_slot(row, fields);
    entry.base_registers = bit(row.pattern.has('n') ? fields['n'] : kSp);
    entry.align_log2 = says(row, "half") || says(row, ".16") ? 1 : 2;
    // QEMU skips the load while the FP context is inactive.
    if (!says(row, "FPCXTNS")) entry.flags |= kUnaligned;
    return true;
}

}  // namespace

const char* exclusion(const Row& row) {
    for (const Exclusion& entry : kExclusions) {
        if (starts(row, entry.title)) return entry.reason;
    }
    return nullptr;
}

bool assign_roles(std::string_view family, const Row& row, std::uint32_t encoding, Draw& draw,
                  Entry& entry) {
    const Fields fields(row.pattern, encoding);
    if (row.unit == models::core::isa::Unit::Vector) entry.flags |= kVprMasks | kTail;
    if (family == "control") return control_roles(row, encoding, draw, entry);
    if (family == "integer") return integer_roles(row, fields, entry);
    if (family == "memory") return memory_roles(row, fields, entry);
    if (family == "vector_memory") return vector_memory_roles(row, fields, entry);
    if (family == "float") return float_roles(row, fields, entry);
    return true;
}

}  // namespace n6vp::test::diff
