// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <string_view>

#include "models/core/isa/directives.h"
#include "models/core/isa/integer/integer.h"

namespace n6vp::models::core::isa::integer {

namespace {

using S = std::string&;
using V = std::uint32_t;
using F = const Fields&;
using C = const TextContext&;

constexpr std::array<std::string_view, 4> kShifts = {"lsl", "lsr", "asr", "ror"};

void print_number(S out, V value) {
    out += '#';
    out += std::to_string(value);
}

void print_shift(S out, unsigned kind, V amount) {
    out += ", ";
    out += kShifts[kind & 3];
    out += ' ';
    print_number(out, amount);
}

/// Fields k and i of a shifted register.
void print_register_shift(S out, F f) {
    const V kind = f['k'], amount = f['i'];
    if (amount != 0) {
        print_shift(out, kind, amount);
    } else if (kind == 3) {
        out += ", rrx";
    } else if (kind != 0) {
        print_shift(out, kind, 32);
    }
}

constexpr Directive kDirectives[] = {
    // Shift by 1 to 32, where the encoding of 32 is zero.
    {"u32", [](S out, V value, F, C) { print_number(out, value == 0 ? 32 : value); }},
    {"minus", [](S out, V value, F, C) { out += "#-" + std::to_string(value); }},
    {"imm16", [](S out, V, F f, C) { print_number(out, f['j'] << 12 | f['i']); }},
    {"shift", [](S out, V, F f, C) { print_register_shift(out, f); }},
    {"lsl",
     [](S out, V value, F, C) {
         if (value != 0) print_shift(out, 0, value);
     }},
    {"ror",
     [](S out, V value, F, C) {
         if (value != 0) print_shift(out, 3, value * 8);
     }},
    {"satshift",
     [](S out, V, F f, C) {
         if (f['i'] != 0) print_shift(out, f['k'] != 0 ? 2 : 0, f['i']);
     }},
    // Width of a bit field of which i is the first bit, b the last.
    {"width", [](S out, V, F f, C) { print_number(out, f['b'] - f['i'] + 1); }},
    // Halves of a register pair, three bits each.
    {"even", [](S out, V value, F, C) { out += register_name(value * 2); }},
    {"odd", [](S out, V value, F, C) { out += register_name(value * 2 + 1); }},
    // Aliases of conditional selects show the opposite condition.
    {"invc", [](S out, V value, F, C) { out += condition_name(value ^ 1); }},
};

}  // namespace

std::span<const Directive> integer_directives() {
    return kDirectives;
}

}  // namespace n6vp::models::core::isa::integer
