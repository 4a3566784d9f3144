// SPDX-License-Identifier: Apache-2.0
// Boot headers against their layout, which tests/support/records.h writes a second time.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "models/soc/system/boot_image.h"
#include "tests/support/records.h"

using namespace n6vp::models;
using n6vp::test::boot_image;
using n6vp::test::put_word;

namespace {

constexpr std::uint32_t kBootEntry = 0x34180401;
const std::vector<std::uint8_t> kBootProgram = {1, 2, 3, 0xFF};

}  // namespace

TEST_CASE("boot image: each field of the header, in both versions") {
    for (const bool newer : {true, false}) {
        CAPTURE(newer);
        const std::size_t checksum = newer ? 0x64 : 0x44, end = newer ? 0x240 : 0x200;
        std::vector<std::uint8_t> image = boot_image(kBootProgram, kBootEntry, 0x10, newer);
        put_word(image, checksum, 0x1234);
        put_word(image, checksum + 0x14, 0x34180000);
        put_word(image, checksum + 0x20, 0x80000001);
        image.push_back(0x77);  // behind the image
        REQUIRE(is_boot_image(image));
        const BootHeaderResult result = read_boot_header(image);
        CHECK(result.error.empty());
        REQUIRE(result.header);
        const BootHeader& header = *result.header;
        CHECK(header.version == (newer ? 0x00020300 : 0x00020100));
        CHECK(header.bytes == end);
        CHECK(header.length == 0x404 - end);
        CHECK(header.image_bytes() == 0x404);
        CHECK(header.entry == kBootEntry);
        CHECK(header.load_address == 0x34180000);
        CHECK(header.extension_flags == 0x80000001);
        CHECK(header.extension_bytes == (newer ? 0x1A0 : 0x180));
        CHECK(header.type == BootHeader::kFirstStage);
        CHECK(header.checksum == 0x1234);
        CHECK(header.actual_checksum == 1 + 2 + 3 + 0xFF);
        CHECK_FALSE(header.has_signature);
        put_word(image, checksum + 0x28, 0);
        REQUIRE(read_boot_header(image).header);
        CHECK(read_boot_header(image).header->type == BootHeader::kApplication);
        image[3] = 0x33;
        CHECK_FALSE(is_boot_image(image));
    }
}

TEST_CASE("boot image: any byte between magic and checksum is a signature") {
    for (const bool newer : {true, false}) {
        const std::size_t checksum = newer ? 0x64 : 0x44;
        const std::vector<std::uint8_t> plain = boot_image(kBootProgram, kBootEntry, 0x10, newer);
        REQUIRE(plain[checksum] != 0);
        REQUIRE(read_boot_header(plain).header);
        CHECK_FALSE(read_boot_header(plain).header->has_signature);
        for (const std::size_t at : {std::size_t{4}, std::size_t{5}, checksum / 2, checksum - 1}) {
            CAPTURE(at);
            std::vector<std::uint8_t> image = plain;
            image[at] = 0x80;
            REQUIRE(read_boot_header(image).header);
            CHECK(read_boot_header(image).header->has_signature);
        }
    }
}

TEST_CASE("boot image: the stack is the code's first word if it lies in RAM, else AXISRAM2's end") {
    struct Case {
        std::uint32_t word, stack;
    };
    for (const Case& one :
         {Case{0x34060000, 0x34060000}, Case{0x34180100, 0x34180100}, Case{0x34200000, 0x34200000},
          Case{0x34180102, 0x34200000}, Case{0, 0x34200000}, Case{2, 0x34200000},
          Case{0x70001000, 0x34200000}, Case{0xFFFFFFFC, 0x34200000}}) {
        CAPTURE(one.word);
        std::vector<std::uint8_t> code(8);
        put_word(code, 0, one.word);
        const std::vector<std::uint8_t> image = boot_image(code, kBootEntry);
        const BootHeaderResult result = read_boot_header(image);
        REQUIRE(result.header);
        const BootStart start = boot_start(*result.header, image);
        CHECK(start.stack == one.stack);
        CHECK(start.entry == kBootEntry);
    }
}
