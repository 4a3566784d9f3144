// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/core/isa/directives.h"
#include "models/core/isa/row.h"

namespace n6vp::models::core::isa {

namespace {

constexpr std::array kRegisters = {"r0", "r1", "r2",  "r3",  "r4",  "r5", "r6", "r7",
                                   "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"};
constexpr std::array kConditions = {"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc",
                                    "hi", "ls", "ge", "lt", "gt", "le", "",   ""};

void print_unsigned(std::string& out, std::uint32_t value) {
    out += '#';
    out += std::to_string(value);
}

void print_hexadecimal(std::string& out, std::uint32_t value) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    do {
        digits.insert(digits.begin(), kDigits[value & 15]);
        value >>= 4;
    } while (value != 0);
    out += "#0x" + digits;
}

void print_list(std::string& out, std::uint32_t registers) {
    out += '{';
    bool first = true;
    for (unsigned number = 0; number < 16; ++number) {
        if ((registers >> number & 1) == 0) continue;
        if (!first) out += ", ";
        first = false;
        out += register_name(number);
    }
    out += '}';
}

void print_it_condition(std::string& out, const TextContext& context) {
    if (context.in_it) out += condition_name(context.condition);
}

using F = const Fields&;
using C = const TextContext&;
using V = std::uint32_t;
using S = std::string&;

constexpr Directive kCommon[] = {
    {"r", [](S out, V value, F, C) { out += register_name(value); }},
    {"rz", [](S out, V value, F, C) { out += value == 15 ? "zr" : register_name(value); }},
    {"s", [](S out, V value, F, C) { out += 's' + std::to_string(value); }},
    {"d", [](S out, V value, F, C) { out += 'd' + std::to_string(value); }},
    {"q", [](S out, V value, F, C) { out += 'q' + std::to_string(value); }},
    {"u", [](S out, V value, F, C) { print_unsigned(out, value); }},
    {"u2", [](S out, V value, F, C) { print_unsigned(out, value * 2); }},
    {"u4", [](S out, V value, F, C) { print_unsigned(out, value * 4); }},
    {"u8", [](S out, V value, F, C) { print_unsigned(out, value * 8); }},
    {"p1", [](S out, V value, F, C) { print_unsigned(out, value + 1); }},
    {"x", [](S out, V value, F, C) { print_hexadecimal(out, value); }},
    {"mod", [](S out, V value, F, C) { print_unsigned(out, expand_modified_immediate(value)); }},
    {"c", [](S out, V value, F, C) { out += condition_name(value); }},
    {"it", [](S out, V, F, C context) { print_it_condition(out, context); }},
    {"s16",
     [](S out, V, F, C context) {
         if (!context.in_it) out += 's';
         print_it_condition(out, context);
     }},
    {"S", [](S out, V value, F, C) { out += value != 0 ? "s" : ""; }},
    {"list", [](S out, V value, F, C) { print_list(out, value); }},
    {"v",
     [](S out, V, F, C context) {
         if (context.vector_predicate != 0) out += context.vector_predicate;
     }},
};

const Directive* find_directive(std::string_view name, std::span<const Directive> directives) {
    for (const Directive& directive : directives) {
        if (directive.name == name) return &directive;
    }
    return nullptr;
}

/// Directives of the family that owns `row`.
std::span<const Directive> family_directives(const Row& row) {
    for (const Family& family : families()) {
        if (&row >= family.rows.data() && &row < family.rows.data() + family.rows.size())
            return family.directives;
    }
    return {};
}

}  // namespace

std::span<const Directive> common_directives() {
    return kCommon;
}

const char* register_name(unsigned number) {
    return kRegisters[number & 15];
}

const char* condition_name(unsigned code) {
    return kConditions[code & 15];
}

std::uint32_t expand_modified_immediate(std::uint32_t imm12) {
    const std::uint32_t byte = imm12 & 0xFF;
    switch (imm12 >> 8 & 15) {
        case 0:
            return byte;
        case 1:
            return byte << 16 | byte;
        case 2:
            return byte << 24 | byte << 8;
        case 3:
            return byte * 0x01010101u;
        default:
            break;
    }
    const std::uint32_t value = 0x80 | (imm12 & 0x7F);
    const unsigned rotation = imm12 >> 7 & 31;  // 8 to 31
    return value >> rotation | value << (32 - rotation);
}

std::string print(const Row& row, std::uint32_t encoding, const TextContext& context) {
    const Fields fields(row.pattern, encoding);
    const std::span<const Directive> own = family_directives(row);
    std::string out;
    std::string_view rest = row.text;
    while (!rest.empty()) {
        const std::size_t open = rest.find('{');
        out += rest.substr(0, open);
        if (open == std::string_view::npos) break;
        const std::size_t close = rest.find('}', open);
        const std::string_view body = rest.substr(open + 1, close - open - 1);
        const std::size_t colon = body.find(':');
        const std::uint32_t value = colon == 0 ? 0 : fields[body[0]];
        const std::string_view name = body.substr(colon + 1);
        const Directive* directive = find_directive(name, own);
        if (directive == nullptr) directive = find_directive(name, kCommon);
        // An unknown name shows itself; a test prints every row.
        if (directive == nullptr) {
            out += "{?" + std::string(name) + "}";
        } else {
            directive->print(out, value, fields, context);
        }
        rest.remove_prefix(close + 1);
    }
    return out;
}

}  // namespace n6vp::models::core::isa
