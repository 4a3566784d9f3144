// SPDX-License-Identifier: Apache-2.0
// Expansion of code words; the unit is known from its registers only.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "models/npu/units/decun.h"
#include "models/npu/units/recbuf.h"
#include "tests/models/npu/vector_random.h"

using namespace n6vp::models::npu;
using n6vp::test::Integer;
using n6vp::test::Random;

TEST_CASE("indices become the words of their vectors") {
    Random random(51);
    for (int i = 0; i < 800; ++i) {
        CAPTURE(i);
        const bool one_byte = random.one_in(2);
        const unsigned words = 1 + random.below(8);
        const unsigned vectors = 1 + random.below(words > 4 ? 128 : 256);
        const unsigned page = random.below(4);
        // bytes[vector][...]: the codebook as the documents pack it, eight bytes an entry
        std::vector<std::vector<Integer>> code(vectors);
        DecunMemory memory;
        for (unsigned v = 0; v < vectors; ++v) {
            for (unsigned w = 0; w < words; ++w) {
                const Integer value = one_byte ? random.in(-128, 127) : random.in(-32768, 32767);
                code[v].push_back(value);
                const unsigned entry = 256 * page + (words > 4 ? 2 * v + w / 4 : v);
                const unsigned at = w % 4;
                auto& half =
                    one_byte || at < 2 ? memory.entries[entry].low : memory.entries[entry].high;
                const Integer size = one_byte ? 256 : 65536;
                const Integer place = n6vp::test::power(one_byte ? 8 * at : 16 * (at % 2));
                half += static_cast<std::uint32_t>((value + size) % size * place);
            }
        }
        DecunConfig config;
        config.dualin = true;
        config.cv8 = one_byte;
        config.pageaddr = static_cast<std::uint8_t>(page);
        config.cvs = static_cast<std::uint8_t>(vectors - 1);
        config.cws = static_cast<std::uint8_t>(words - 1);
        config.osam = static_cast<std::uint8_t>(random.below(std::min(words, 7u) + 1));
        REQUIRE(judge(config).computable());
        const Decun unit(config, memory);
        std::vector<Word> indices(random.below(40)), expected;
        for (Word& index : indices) index = static_cast<Word>(random.below(vectors));
        for (const Word index : indices) {
            for (const Integer value : code[static_cast<std::size_t>(index)]) {
                expected.push_back(static_cast<Word>(value));
            }
        }
        if (config.osam != 0 && !indices.empty()) {
            expected.resize(expected.size() - (words - config.osam));
        }
        REQUIRE(unit.words_out(indices.size()) == expected.size());
        std::vector<Word> out(expected.size());
        REQUIRE(unit.compute(indices, out));
        REQUIRE(out == expected);
    }
}

TEST_CASE("an index without a vector is said") {
    DecunConfig config;
    config.dualin = true;
    config.cv8 = true;
    config.cvs = 1;
    DecunMemory memory;
    memory.entries[0].low = 0x85;
    memory.entries[1].low = 0x07;
    memory.entries[2].low = 0x66;
    std::vector<Word> out(3);
    CHECK_FALSE(Decun(config, memory).compute(std::vector<Word>{1, 2, 0}, out));
    CHECK(out == std::vector<Word>{7, 0, 0x85 - 256});
    CHECK(Decun(config, memory).compute(std::vector<Word>{1, 0, 1}, out));
}

TEST_CASE("what a DECUN refuses and what it says is assumed") {
    DecunConfig good;
    good.dualin = true;
    good.cws = 3;
    good.osam = 4;
    REQUIRE(judge(good).computable());
    CHECK(judge(good).assumptions.size() == 1);
    const auto refusal = [&good](auto change) -> std::string {
        DecunConfig config = good;
        change(config);
        const Verdict verdict = judge(config);
        REQUIRE_FALSE(verdict.computable());
        return verdict.illegal != nullptr ? verdict.illegal : verdict.limits[0].feature;
    };
    CHECK(refusal([](DecunConfig& c) { c.dualin = false; }) == "CTRL.DUALIN");
    CHECK(refusal([](DecunConfig& c) { c.rawline = true; }) == "DFORMAT.RAWLINE");
    CHECK(refusal([](DecunConfig& c) { c.bn = 2; }) == "FFORMAT.BN");
    CHECK(refusal([](DecunConfig& c) { c.cws = 4, c.cvs = 128; }) == "BFORMAT.CVS");
    CHECK(refusal([](DecunConfig& c) { c.osam = 5; }) == "OSAM is more than the words of a vector");
    good.osam = 0;
    CHECK(judge(good).assumptions.size() == 2);
    CHECK(std::string(kRecbuf.unit) == "RECBUF");
}
