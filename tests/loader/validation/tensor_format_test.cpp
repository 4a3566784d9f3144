// SPDX-License-Identifier: Apache-2.0
#include "loader/validation/tensor_format.h"

#include <doctest/doctest.h>

/// Words of a published client's protocol; numbers of types from the runtime's public headers.

namespace n6vp::tests {

namespace {

struct Case {
    const char* name;
    std::uint32_t type, older;  ///< number from Core 2.2 on, and of 2.1
    std::uint32_t bits, word;
};
constexpr Case kCases[] = {{"float32", 1, 1, 32, 0x00821040}, {"uint8", 6, 2, 8, 0x00040440},
                           {"int8", 7, 3, 8, 0x00840440},     {"uint16", 8, 4, 16, 0x00040840},
                           {"int16", 9, 5, 16, 0x00840840},   {"int32", 10, 6, 32, 0x00841040},
                           {"int64", 11, 7, 64, 0x00842040},  {"bool", 13, 9, 8, 0x00060440},
                           {"uint32", 16, 12, 32, 0x00041040}};

}  // namespace

TEST_CASE("validation: formats of every type, by the numbers of both releases") {
    for (const Case& each : kCases) {
        CAPTURE(each.name);
        validation::Element element;
        element.bits = each.bits;
        element.type = each.type;
        CHECK(validation::format_word(element) == each.word);
        element.type = each.older;
        element.before_2_2 = true;
        CHECK(validation::format_word(element) == each.word);
    }
}

TEST_CASE("validation: fixed point has a fraction unless it has a scale") {
    validation::Element element;
    element.type = 100;
    element.bits = 16;
    element.fraction = -5;
    CHECK(validation::format_word(element) == 0x009E083B);
    element.is_unsigned = true;
    CHECK(validation::format_word(element) == 0x001E083B);
    element.is_quantised = true;
    CHECK(validation::format_word(element) == 0x00040840);
    element.is_unsigned = false;
    element.bits = 8;
    CHECK(validation::format_word(element) == 0x00840440);
}

}  // namespace n6vp::tests
