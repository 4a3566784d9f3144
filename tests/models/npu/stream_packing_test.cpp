// SPDX-License-Identifier: Apache-2.0
// Elements in memory and words on links.
#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "models/npu/stream/packing.h"

using namespace n6vp::models::npu;

namespace {

StreamConfig lanes(int bytes) {
    StreamConfig config;
    config.size0 = 8;
    config.size1 = bytes > 1 ? 8 : 0;
    config.size2 = bytes > 2 ? 8 : 0;
    return config;
}

/// The value of an element by place-value arithmetic; a word is a 24-bit number with sign.
int reference_word(const std::uint8_t* bytes, int count, bool with_sign) {
    int value = 0, weight = 1;
    for (int k = 0; k < count; ++k, weight *= 256) value += bytes[k] * weight;
    if ((with_sign || count == 3) && value >= weight / 2) value -= weight;
    return value;
}

}  // namespace

TEST_CASE("elements become words and words elements") {
    std::mt19937 random(9);
    for (int bytes = 1; bytes <= 3; ++bytes) {
        for (const bool with_sign : {false, true}) {
            for (int round = 0; round < 400; ++round) {
                const std::size_t count = random() % 50;
                std::vector<std::uint8_t> memory(count * static_cast<std::size_t>(bytes));
                for (std::uint8_t& byte : memory) byte = static_cast<std::uint8_t>(random());
                StreamConfig config = lanes(bytes);
                config.lsbmode = config.signext = with_sign;
                config.raw_out = round % 2 == 1;
                std::vector<Word> words(count);
                unpack(element_format(config), memory, words);
                for (std::size_t i = 0; i < count; ++i) {
                    REQUIRE(words[i] == reference_word(&memory[i * static_cast<std::size_t>(bytes)],
                                                       bytes, with_sign));
                }
                std::vector<std::uint8_t> stored(memory.size(), 0xEE);
                pack(element_format(config), words, stored);
                REQUIRE(stored == memory);
            }
        }
    }
}

TEST_CASE("sign extension needs both of its bits") {
    StreamConfig config = lanes(1);
    const std::vector<std::uint8_t> memory{0x7F, 0x80, 0xFF};
    const auto words = [&] {
        std::vector<Word> out(3);
        unpack(element_format(config), memory, out);
        return out;
    };
    CHECK(words() == std::vector<Word>{127, 128, 255});
    config.lsbmode = true;
    CHECK(words() == std::vector<Word>{127, 128, 255});
    config.signext = true;
    CHECK(words() == std::vector<Word>{127, -128, -1});
    config.lsbmode = false;
    CHECK(words() == std::vector<Word>{127, 128, 255});
}

TEST_CASE("a store keeps the low bytes") {
    const std::vector<Word> words{-2, 0x123456, -0x800000};
    std::vector<std::uint8_t> one(3), two(6), three(9);
    pack(element_format(lanes(1)), words, one);
    pack(element_format(lanes(2)), words, two);
    pack(element_format(lanes(3)), words, three);
    CHECK(one == std::vector<std::uint8_t>{0xFE, 0x56, 0x00});
    CHECK(two == std::vector<std::uint8_t>{0xFE, 0xFF, 0x56, 0x34, 0x00, 0x00});
    CHECK(three == std::vector<std::uint8_t>{0xFE, 0xFF, 0xFF, 0x56, 0x34, 0x12, 0x00, 0x00, 0x80});
}
