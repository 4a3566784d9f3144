// SPDX-License-Identifier: Apache-2.0
#include "sim/host/numbers.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

using namespace n6vp::sim;

TEST_CASE("numbers: the whole text or nothing") {
    CHECK(parse_digits<std::uint32_t>("4294967295") == 4294967295u);
    CHECK(parse_digits<std::uint8_t>("ff", 16) == 255);
    CHECK(parse_digits<std::int32_t>("-5") == -5);
    for (const char* const text : {"", " 1", "1 ", "+1", "-1", "4294967296", "0x1", "1e3"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_digits<std::uint32_t>(text));
    }
    CHECK(parse_digits<double>("-2.5e3") == -2500.0);
    for (const char* const text : {"", "1e999", "-1e999", "inf", "nan", "1,5", "0x1p3"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_digits<double>(text));
    }
}

TEST_CASE("numbers: digits in front, the rest stays") {
    std::string_view text = "12, 345";
    CHECK(take_digits<std::uint32_t>(text) == 12u);
    CHECK(text == ", 345");
    text = "fFg";
    CHECK(take_digits<std::uint32_t>(text, 16) == 255u);
    CHECK(text == "g");
    for (const std::string_view none :
         {"", "x1", "-1", "+1", " 1", "4294967296", "0099999999999"}) {
        CAPTURE(none);
        text = none;
        CHECK_FALSE(take_digits<std::uint32_t>(text));
        CHECK(text == none);
    }
}

TEST_CASE("numbers: hexadecimal behind 0x") {
    CHECK(parse_integer<std::uint32_t>("0xffffFFFF") == 4294967295u);
    CHECK(parse_integer<std::uint32_t>("0X10") == 16u);
    CHECK(parse_integer<std::uint32_t>("10") == 10u);
    for (const char* const text : {"0x", "0x100000000", "ff", "0x-1", "x10", "0x 1"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_integer<std::uint32_t>(text));
    }
}
