// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/memory/operands.h"

#include <bit>
#include <cstdint>
#include <string>

#include "models/core/isa/directives.h"

namespace n6vp::models::core::isa::memory {

namespace {

using F = const Fields&;
using C = const TextContext&;
using V = std::uint32_t;
using S = std::string&;

void print_offset(S out, bool minus, V value) {
    out += minus ? ", #-" : ", #";
    out += std::to_string(value);
}

void print_up(S out, V value) {
    if (value != 0) print_offset(out, false, value);
}

/// Prints a list whose register 15 has a name of its own.
void print_list(S out, V list, const char* name_of_15) {
    const char* separator = "{";
    for (unsigned number = 0; number < 16; ++number) {
        if ((list >> number & 1) == 0) continue;
        out += separator;
        out += number == 15 ? name_of_15 : register_name(number);
        separator = ", ";
    }
    out += '}';
}

/// LLVM names PUSH and POP from two registers on.
bool is_stack_form(F fields) {
    return fields['n'] == 13 && fields['W'] != 0 && std::popcount(fields['l']) > 1;
}

constexpr Directive kDirectives[] = {
    {"up", [](S out, V value, F, C) { print_up(out, value); }},
    {"up2", [](S out, V value, F, C) { print_up(out, value * 2); }},
    {"up4", [](S out, V value, F, C) { print_up(out, value * 4); }},
    {"pc4", [](S out, V value, F, C) { print_offset(out, false, value * 4); }},
    {"down", [](S out, V value, F, C) { print_offset(out, true, value); }},
    {"move", [](S out, V value, F fields, C) { print_offset(out, fields['U'] == 0, value); }},
    {"move4", [](S out, V value, F fields, C) { print_offset(out, fields['U'] == 0, value * 4); }},
    {"offset4",
     [](S out, V value, F fields, C) {
         if (value != 0 || fields['U'] == 0) print_offset(out, fields['U'] == 0, value * 4);
     }},
    {"lsl",
     [](S out, V value, F, C) {
         if (value != 0) out += ", lsl #" + std::to_string(value);
     }},
    {"push", [](S out, V value, F fields, C) { print_list(out, value | fields['L'] << 14, "pc"); }},
    {"pop", [](S out, V value, F fields, C) { print_list(out, value | fields['L'] << 15, "pc"); }},
    // Lists with bits that must be zero in between: the field would close the gap.
    {"store_list", [](S out, V, F fields, C) { print_list(out, fields.bits() & 0xFFFF, "pc"); }},
    {"clrm", [](S out, V, F fields, C) { print_list(out, fields.bits() & 0xFFFF, "apsr"); }},
    {"!",
     [](S out, V value, F fields, C) {
         if ((fields['l'] >> value & 1) == 0) out += '!';
     }},
    {"M", [](S out, V value, F, C) { out += value != 0 ? "!" : ""; }},
    // The two stack forms have their own mnemonic and no base.
    {"ldm", [](S out, V, F fields, C) { out += is_stack_form(fields) ? "pop" : "ldm"; }},
    {"stmdb", [](S out, V, F fields, C) { out += is_stack_form(fields) ? "push" : "stmdb"; }},
    {"wide_push", [](S out, V, F fields, C) { out += is_stack_form(fields) ? ".w" : ""; }},
    {"base",
     [](S out, V value, F fields, C) {
         if (is_stack_form(fields)) return;
         out += register_name(value);
         out += fields['W'] != 0 ? "!, " : ", ";
     }},
};

}  // namespace

std::span<const Directive> memory_directives() {
    return kDirectives;
}

}  // namespace n6vp::models::core::isa::memory
