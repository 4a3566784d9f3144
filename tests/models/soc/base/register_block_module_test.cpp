// SPDX-License-Identifier: Apache-2.0
// Any peripheral behind a target socket of its own.
#include "models/soc/base/register_block_module.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/models/probe.h"

using namespace n6vp;
using models::Picoseconds;

namespace {

/// Four words that keep what is written.
class Words : public models::RegisterBlock {
  public:
    Words() : RegisterBlock("WORDS") {}
    Answer read(std::uint32_t offset, Picoseconds) override { return {words[offset / 4]}; }
    Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                 Picoseconds) override {
        words[offset / 4] = (words[offset / 4] & ~mask) | (value & mask);
        return {};
    }
    void reset() override { words[0] = 0; }
    std::uint32_t words[4] = {0x11111111, 0x22222222, 0x33333333, 0x44444444};
};

struct Bench {
    Bench() { probe.port.bind(module.port); }
    Words words;
    models::RegisterBlockModule module{"words", words, sizeof words.words};
    test::Probe probe{"probe"};
};

}  // namespace

TEST_CASE("register block module: offsets, bytes and the end of the block") {
    Bench bench;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    CHECK(bench.probe.read(4, 4, 0).ok());
    CHECK(bench.probe.data == std::vector<std::uint8_t>{0x22, 0x22, 0x22, 0x22});
    bench.probe.data = {0xAB, 0xCD};
    CHECK(bench.probe.write(10, 2, 1'000'000).ok());
    CHECK(bench.words.words[2] == 0xCDAB3333);
    CHECK_FALSE(bench.probe.read(16, 4, 2'000'000).ok());
    CHECK_FALSE(bench.probe.write(16, 4, 3'000'000).ok());
}

TEST_CASE("register block module: a read takes the bus clock's cycles") {
    Bench bench;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    CHECK(bench.probe.read(0, 4, 0).last == 70'000);  // 7 cycles of 100 MHz
    bench.module.set_clock_hz(50e6);
    CHECK(bench.probe.read(0, 4, 1'000'000).last == 1'140'000);
}
