// SPDX-License-Identifier: Apache-2.0
#include "loader/crc32.h"

#include <doctest/doctest.h>

#include "tests/support/image_builder.h"

TEST_CASE("CRC-32 of the standard check input and of nothing") {
    CHECK(n6vp::loader::crc32(0, "123456789", 9) == 0xCBF43926);
    CHECK(n6vp::loader::crc32(0, nullptr, 0) == 0);
}

TEST_CASE("CRC-32 equals the bitwise definition at every length, alignment and split") {
    const auto bytes = n6vp::test::pattern(400, 77);
    for (std::uint32_t start = 0; start < 16; ++start) {
        for (std::uint32_t count = 0; count < 300; ++count) {
            const std::uint32_t split = count * 5 / 13;
            const std::uint32_t first = n6vp::loader::crc32(0, bytes.data() + start, split);
            const std::uint32_t whole =
                n6vp::loader::crc32(first, bytes.data() + start + split, count - split);
            CAPTURE(start);
            CAPTURE(count);
            REQUIRE(whole == n6vp::test::crc32(bytes.data() + start, count));
        }
    }
}
