// SPDX-License-Identifier: Apache-2.0
// CRC of the STM32N6: reversal of bits and exchange of units, in and out.
#include <doctest/doctest.h>

#include <cstdint>

#include "models/soc/system/crc_unit.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::test::kWord;

namespace {

constexpr std::uint32_t kDr = 0x00, kCr = 0x08;
constexpr std::uint32_t kReset = 1, kTypeIn = 1u << 9, kTypeOut = 1u << 10;
/// CRC-32/MPEG-2 of the bytes 12 34 56 78, by a published calculation of polynomial division.
constexpr std::uint32_t kSum = 0xDF8A8A2B;

struct CrcBench {
    CrcUnit crc{"CRC", 32, {}, true};
    /// Returns DR after one word with these settings.
    std::uint32_t sum(std::uint32_t control, std::uint32_t word) {
        CHECK(crc.write(kCr, control | kReset, kWord, 0).modelled);
        CHECK(crc.write(kDr, word, kWord, 0).modelled);
        return crc.read(kDr, 0).value;
    }
};

}  // namespace

TEST_CASE("crc: input is reversed by bits, or its units change places") {
    CrcBench bench;
    CHECK(bench.sum(0, 0x12345678) == kSum);
    CHECK(bench.sum(1u << 5, 0x482C6A1E) == kSum);            // bits of bytes
    CHECK(bench.sum(2u << 5, 0x2C481E6A) == kSum);            // bits of half-words
    CHECK(bench.sum(3u << 5, 0x1E6A2C48) == kSum);            // bits of the word
    CHECK(bench.sum(kTypeIn | 1u << 5, 0x56781234) == kSum);  // half-words
    CHECK(bench.sum(kTypeIn | 2u << 5, 0x78563412) == kSum);  // bytes
}

TEST_CASE("crc: the result is reversed by bits, or its units change places") {
    CrcBench bench;
    CHECK(bench.sum(1u << 7, 0x12345678) == 0xD45151FB);
    CHECK(bench.sum(kTypeOut | 1u << 7, 0x12345678) == 0x8A2BDF8A);
    CHECK(bench.sum(kTypeOut | 2u << 7, 0x12345678) == 0x2B8A8ADF);
}

TEST_CASE("crc: bytes of a half-word change places, a byte has none") {
    CrcBench bench;
    const auto one = [&](std::uint32_t control, std::uint32_t value, std::uint32_t mask) {
        (void)bench.crc.write(kCr, control | kReset, kWord, 0);
        (void)bench.crc.write(kDr, value, mask, 0);
        return bench.crc.read(kDr, 0).value;
    };
    CHECK(one(kTypeIn | 2u << 5, 0x3412, 0xFFFF) == one(0, 0x1234, 0xFFFF));
    CHECK(one(kTypeIn | 1u << 5, 0x1234, 0xFFFF) == one(0, 0x1234, 0xFFFF));
    CHECK(one(kTypeIn | 2u << 5, 0x12, 0xFF) == one(0, 0x12, 0xFF));
}

TEST_CASE("crc: codes that the driver has no name for are not modelled") {
    CrcBench bench;
    for (const std::uint32_t control :
         {kTypeIn, kTypeIn | 3u << 5, kTypeOut, kTypeOut | 3u << 7, 2u << 7}) {
        CAPTURE(control);
        CHECK_FALSE(bench.crc.write(kCr, control, kWord, 0).modelled);
    }
}
