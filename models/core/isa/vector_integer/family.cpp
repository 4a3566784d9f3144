// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "models/core/isa/directives.h"
#include "models/core/isa/families.h"
#include "models/core/isa/vector_integer/immediate.h"
#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/shift.h"

namespace n6vp::models::core::isa {

namespace {

using F = const Fields&;
using C = const TextContext&;
using V = std::uint32_t;
using S = std::string&;

void print_number(std::string& out, std::uint32_t value) {
    out += '#' + std::to_string(value);
}

void print_vector_immediate(std::string& out, std::uint32_t imm8, const Fields& fields) {
    const bool bit_mask = fields['o'] != 0;
    const std::uint32_t cmode = fields['c'];
    std::array<char, 32> text{};
    char* const begin = text.data();
    char* const limit = begin + text.size();
    if (cmode == 15) {
        const auto value = std::bit_cast<float>(vector_integer::expand_float_immediate(imm8));
        const auto number = std::to_chars(begin, limit, static_cast<double>(value),
                                          std::chars_format::scientific, 6);
        out += '#';
        out.append(begin, number.ptr);
    } else {
        const unsigned bytes = vector_integer::vector_immediate_bytes(bit_mask, cmode);
        const std::uint64_t value = vector_integer::expand_vector_immediate(bit_mask, cmode, imm8) &
                                    ~0ull >> (64 - 8 * bytes);
        out += "#0x";
        out.append(begin, std::to_chars(begin, limit, value, 16).ptr);
    }
}

void print_immediate_type(std::string& out, std::uint32_t cmode, const Fields& fields) {
    const unsigned bytes = vector_integer::vector_immediate_bytes(fields['o'] != 0, cmode);
    out += (cmode == 15 ? 'f' : 'i') + std::to_string(8 * bytes);
}

constexpr Directive kDirectives[] = {
    // Element types: of a size field (0 for bytes), of one that starts with halfwords, of VDUP, of
    // an immediate, of the amount of a shift, and of what a narrowing shift starts from.
    {"size", [](S out, V value, F, C) { out += std::to_string(8u << value); }},
    {"halfsize", [](S out, V value, F, C) { out += std::to_string(16u << value); }},
    {"dupsize", [](S out, V value, F, C) { out += std::to_string(32u >> value); }},
    {"movtype", [](S out, V value, F fields, C) { print_immediate_type(out, value, fields); }},
    {"isize", [](S out, V value, F,
                 C) { out += std::to_string(8u << vector_integer::immediate_size(value)); }},
    {"iwide", [](S out, V value, F,
                 C) { out += std::to_string(16u << vector_integer::immediate_size(value)); }},
    {"sign", [](S out, V value, F, C) { out += value != 0 ? 'u' : 's'; }},

    // Letters of the mnemonic.
    {"half", [](S out, V value, F, C) { out += value != 0 ? 't' : 'b'; }},
    {"add", [](S out, V value, F, C) { out += value != 0 ? "a" : ""; }},
    {"cross", [](S out, V value, F, C) { out += value != 0 ? "x" : ""; }},
    {"initial", [](S out, V value, F, C) { out += value != 0 ? "i" : ""; }},

    // Operands: general registers with even and odd numbers, shift amounts, the rest.
    {"even", [](S out, V value, F, C) { out += register_name(value * 2); }},
    {"odd", [](S out, V value, F, C) { out += register_name(value * 2 + 1); }},
    {"left", [](S out, V value, F, C) { print_number(out, vector_integer::left_amount(value)); }},
    {"right", [](S out, V value, F, C) { print_number(out, vector_integer::right_amount(value)); }},
    {"bits", [](S out, V value, F, C) { print_number(out, 8u << value); }},
    {"count32", [](S out, V value, F, C) { print_number(out, value == 0 ? 32 : value); }},
    {"power", [](S out, V value, F, C) { print_number(out, 1u << value); }},
    {"turn", [](S out, V value, F, C) { print_number(out, value != 0 ? 270 : 90); }},
    {"vimm", [](S out, V value, F fields, C) { print_vector_immediate(out, value, fields); }},
};

std::vector<Row> all_rows() {
    namespace v = vector_integer;
    std::vector<Row> all;
    for (const auto& rows : {v::arithmetic_rows(), v::logic_rows(), v::multiply_rows(),
                             v::doubling_rows(), v::shift_rows(), v::narrow_rows(),
                             v::reduce_rows(), v::accumulate_rows(), v::sequence_rows()})
        append_rows(all, rows, Feature::Vector);
    return all;
}

}  // namespace

Family vector_integer_family() {
    static const std::vector<Row> rows = all_rows();
    return {"vector_integer", rows, kDirectives};
}

}  // namespace n6vp::models::core::isa
