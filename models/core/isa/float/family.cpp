// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "models/core/isa/directives.h"
#include "models/core/isa/families.h"
#include "models/core/isa/float/operands.h"

namespace n6vp::models::core::isa {

namespace {

using F = const Fields&;
using C = const TextContext&;
using V = std::uint32_t;
using S = std::string&;

void append_list(S out, char prefix, V first, V count, V limit, const char* last = nullptr) {
    out += '{';
    const char* separator = "";
    for (V number = first; number < first + count && number < limit; ++number) {
        out += separator;
        out += prefix + std::to_string(number);
        separator = ", ";
    }
    if (last != nullptr) {
        out += separator;
        out += last;
    }
    out += '}';
}

/// ", #-4" behind a base: nothing for +0, but the sign of -0 shows.
void append_offset(S out, V distance, F fields) {
    const bool down = fields['U'] == 0;
    if (distance == 0 && !down) return;
    out += down ? ", #-" : ", #";
    out += std::to_string(distance);
}

/// The number that an 8-bit immediate stands for, from its definition in decimal terms.
void append_float_immediate(S out, V imm8) {
    double value = 16 + (imm8 & 15);
    const int exponent = static_cast<int>((imm8 >> 4 & 7) ^ 4) - 3;
    for (int i = 0; i < exponent - 4; ++i) value *= 2;
    for (int i = 0; i > exponent - 4; --i) value /= 2;
    std::array<char, 32> text{};
    const double number = (imm8 & 0x80) != 0 ? -value : value;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                   std::chars_format::scientific, 6);
    out += '#';
    out.append(text.data(), end.ptr);
}

constexpr const char* kModes[] = {"a", "n", "p", "m"};

constexpr Directive kDirectives[] = {
    // S registers whose lowest bit stands first in the encoding, and the one after.
    {"sf", [](S out, V value, F, C) { out += 's' + std::to_string(low_bit_first(value)); }},
    {"sf1", [](S out, V value, F, C) { out += 's' + std::to_string(low_bit_first(value) + 1); }},
    {"fimm", [](S out, V value, F, C) { append_float_immediate(out, value); }},
    {"int", [](S out, V value, F, C) { out += value != 0 ? "s32" : "u32"; }},
    {"mode", [](S out, V value, F, C) { out += kModes[value & 3]; }},
    {"half", [](S out, V value, F, C) { out += value != 0 ? 't' : 'b'; }},
    {"fixed",
     [](S out, V, F fields, C) {
         out += fields['U'] != 0 ? 'u' : 's';
         out += fields['x'] != 0 ? "32" : "16";
     }},
    {"fbits",
     [](S out, V, F fields, C) {
         out += '#' + std::to_string((fields['x'] != 0 ? 32 : 16) - low_bit_first(fields['i']));
     }},
    {"off2", [](S out, V value, F fields, C) { append_offset(out, value * 2, fields); }},
    {"off4", [](S out, V value, F fields, C) { append_offset(out, value * 4, fields); }},
    {"move4", [](S out, V value, F fields,
                 C) { out += (fields['U'] == 0 ? ", #-" : ", #") + std::to_string(value * 4); }},
    {"post4", [](S out, V value, F fields,
                 C) { out += (fields['U'] == 0 ? ", #-" : ", #") + std::to_string(value * 4); }},
    {"!", [](S out, V value, F, C) { out += value != 0 ? "!" : ""; }},
    {"slist",
     [](S out, V, F fields, C) {
         append_list(out, 's', low_bit_first(fields['d']), fields.bits() & 0xFF, 32);
     }},
    {"dlist", [](S out, V, F fields,
                 C) { append_list(out, 'd', fields['d'], fields.bits() >> 1 & 0x7F, 32); }},
    {"all", [](S out, V, F, C) { out += "{d0 - d31}"; }},
    {"sclear", [](S out, V value, F fields,
                  C) { append_list(out, 's', low_bit_first(fields['d']), value, 32, "vpr"); }},
    {"dclear",
     [](S out, V value, F fields, C) { append_list(out, 'd', fields['d'], value, 32, "vpr"); }},
};

std::vector<Row> collect() {
    std::vector<Row> all;
    append_rows(all, float_arithmetic_rows(), Feature::Float);
    append_rows(all, float_compare_rows(), Feature::Float);
    append_rows(all, float_compare_v5_rows(), Feature::Float | Feature::FloatV5);
    append_rows(all, float_convert_rows(), Feature::Float);
    append_rows(all, float_convert_v5_rows(), Feature::Float | Feature::FloatV5);
    append_rows(all, float_move_rows(), Feature::Float);
    append_rows(all, float_memory_rows(), Feature::Float);
    append_rows(all, float_status_rows(), Feature::Float);
    return all;
}

}  // namespace

Family float_family() {
    static const std::vector<Row> rows = collect();
    return {"float", rows, kDirectives};
}

}  // namespace n6vp::models::core::isa
