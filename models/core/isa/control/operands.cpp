// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/control/operands.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "models/core/isa/directives.h"

namespace n6vp::models::core::isa::control {

namespace {

using F = const Fields&;
using C = const TextContext&;
using V = std::uint32_t;
using S = std::string&;

std::int32_t sign_extend(std::uint32_t value, unsigned bits) {
    const std::uint32_t sign = 1u << (bits - 1);
    return static_cast<std::int32_t>((value ^ sign) - sign);
}

void print_number(S out, std::int32_t value) {
    out += '#';
    out += std::to_string(value);
}

struct Special {
    std::uint32_t sysm;
    const char* name;
};

constexpr std::array kSpecials = std::to_array<Special>({
    {0, "apsr"},         {1, "iapsr"},        {2, "eapsr"},          {3, "xpsr"},
    {5, "ipsr"},         {6, "epsr"},         {7, "iepsr"},          {8, "msp"},
    {9, "psp"},          {10, "msplim"},      {11, "psplim"},        {16, "primask"},
    {17, "basepri"},     {18, "basepri_max"}, {19, "faultmask"},     {20, "control"},
    {136, "msp_ns"},     {137, "psp_ns"},     {138, "msplim_ns"},    {139, "psplim_ns"},
    {144, "primask_ns"}, {145, "basepri_ns"}, {147, "faultmask_ns"}, {148, "control_ns"},
    {152, "sp_ns"},
});

void print_special(S out, V sysm) {
    const auto* const found = std::ranges::find(kSpecials, sysm, &Special::sysm);
    out += found != kSpecials.end() ? found->name : std::to_string(sysm);
}

/// APSR by itself or with others is written in the parts that the mask selects; 0 reads as 2.
void print_masked_special(S out, V sysm, F fields) {
    constexpr std::array kParts = {"_nzcvq", "_g", "_nzcvq", "_nzcvqg"};
    print_special(out, sysm);
    if (sysm < 4) out += kParts[fields['k']];
}

/// The part of IT's mnemonic after "it": one letter for each instruction but the first. Condition
/// 15 is unpredictable and taken as 14.
void print_it_pattern(S out, F fields) {
    const std::uint32_t mask = fields['k'], then = fields['c'] == 15 ? 0 : fields['c'] & 1;
    for (unsigned bit = 3; (mask & ((1u << bit) - 1)) != 0; --bit)
        out += (mask >> bit & 1) == then ? 't' : 'e';
}

void print_barrier(S out, V option, bool instruction) {
    constexpr std::array<const char*, 16> kData = {"", "", "oshst", "osh", "", "", "nshst", "nsh",
                                                   "", "", "ishst", "ish", "", "", "st",    "sy"};
    const char* name = instruction ? (option == 15 ? "sy" : "") : kData[option];
    if (*name != 0) {
        out += name;
    } else {
        constexpr char kDigits[] = "0123456789abcdef";
        out += std::string("#0x") + kDigits[option];
    }
}

void print_flags(S out, F fields) {
    if (fields['A'] != 0) out += 'a';
    if (fields['I'] != 0) out += 'i';
    if (fields['F'] != 0) out += 'f';
    if ((fields['A'] | fields['I'] | fields['F']) == 0) out += "none";
}

/// Branch future: i, k and j from the left, halfwords. k follows j in the encoding.
std::int32_t branch_future_offset(F fields, unsigned bits) {
    return sign_extend(fields['i'] << 12 | fields['k'] << 2 | fields['j'] << 1, bits);
}

void print_coprocessor_offset(S out, V value, F fields) {
    out += fields['U'] != 0 ? ", #" : ", #-";
    out += std::to_string(value * 4);
}

constexpr Directive kDirectives[] = {
    {"to_8", [](S out, V, F f, C) { print_number(out, offset_of_conditional_narrow(f)); }},
    {"to_11", [](S out, V, F f, C) { print_number(out, offset_of_branch_narrow(f)); }},
    {"to_20", [](S out, V, F f, C) { print_number(out, offset_of_conditional_wide(f)); }},
    {"to_24", [](S out, V, F f, C) { print_number(out, offset_of_branch_wide(f)); }},
    {"to_compare",
     [](S out, V value, F, C) { print_number(out, static_cast<std::int32_t>(value * 2)); }},
    {"to_loop", [](S out, V, F f, C) { print_number(out, offset_of_loop(f)); }},
    {"to_start", [](S out, V, F f, C) { print_number(out, -offset_of_loop(f)); }},
    {"to_bf", [](S out, V, F f, C) { print_number(out, branch_future_offset(f, 17)); }},
    {"to_bfl", [](S out, V, F f, C) { print_number(out, branch_future_offset(f, 19)); }},
    {"to_bfcsel", [](S out, V, F f, C) { print_number(out, branch_future_offset(f, 13)); }},
    {"else",
     [](S out, V wide, F f, C) {
         print_number(out, static_cast<std::int32_t>(f['b'] * 2 + (wide != 0 ? 4 : 2)));
     }},
    {"cond", [](S out, V value, F,
                C context) { out += condition_name(context.in_it ? context.condition : value); }},
    {"it_pattern", [](S out, V, F f, C) { print_it_pattern(out, f); }},
    {"it_cond", [](S out, V value, F, C) { out += value >= 14 ? "al" : condition_name(value); }},
    {"size", [](S out, V value, F, C) { out += '.' + std::to_string(8u << value); }},
    {"cps", [](S out, V value, F, C) { out += value != 0 ? "id" : "ie"; }},
    {"flags", [](S out, V, F f, C) { print_flags(out, f); }},
    {"special", [](S out, V value, F, C) { print_special(out, value); }},
    {"masked", [](S out, V value, F f, C) { print_masked_special(out, value, f); }},
    {"barrier", [](S out, V value, F, C) { print_barrier(out, value, false); }},
    {"isb", [](S out, V value, F, C) { print_barrier(out, value, true); }},
    {"cp", [](S out, V value, F, C) { out += 'p' + std::to_string(value); }},
    {"cr", [](S out, V value, F, C) { out += 'c' + std::to_string(value); }},
    {"crt", [](S out, V value, F, C) { out += value == 15 ? "apsr_nzcv" : register_name(value); }},
    {"offset4",
     [](S out, V value, F f, C) {
         if (value != 0 || f['U'] == 0) print_coprocessor_offset(out, value, f);
     }},
    {"move4", [](S out, V value, F f, C) { print_coprocessor_offset(out, value, f); }},
    {"long", [](S out, V value, F, C) { out += value != 0 ? "l" : ""; }},
    {"option", [](S out, V value, F, C) { out += '{' + std::to_string(value) + '}'; }},
};

}  // namespace

std::int32_t offset_of_conditional_narrow(const Fields& fields) {
    return sign_extend(fields['i'] << 1, 9);
}

std::int32_t offset_of_branch_narrow(const Fields& fields) {
    return sign_extend(fields['i'] << 1, 12);
}

std::int32_t offset_of_conditional_wide(const Fields& fields) {
    return sign_extend(fields['S'] << 20 | fields['K'] << 19 | fields['J'] << 18 | fields['i'] << 1,
                       21);
}

std::int32_t offset_of_branch_wide(const Fields& fields) {
    const std::uint32_t sign = fields['S'];
    const std::uint32_t j = fields['J'] ^ sign ^ 1, k = fields['K'] ^ sign ^ 1;
    return sign_extend(sign << 24 | j << 23 | k << 22 | fields['i'] << 1, 25);
}

std::int32_t offset_of_loop(const Fields& fields) {
    return static_cast<std::int32_t>(fields['i'] << 2 | fields['j'] << 1);
}

std::span<const Directive> control_directives() {
    return kDirectives;
}

}  // namespace n6vp::models::core::isa::control
