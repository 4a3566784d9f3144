// SPDX-License-Identifier: Apache-2.0
// Contexts of the stream switch and who listens to a source.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "models/npu/stream/switch.h"

using namespace n6vp::models::npu;

namespace {

/// A DST register by the bit positions of the documents.
SwitchConfig decoded(std::uint32_t word) {
    const auto bits = [word](int low, int width) {
        return static_cast<std::uint8_t>(word >> low & ((1u << width) - 1));
    };
    return {bits(0, 1) != 0, bits(1, 6),  bits(8, 8),      bits(16, 1) != 0,
            bits(17, 6),     bits(24, 8), bits(23, 1) != 0};
}

/// Returns a letter for each frame: the source in lower case if it is discarded, in upper if not.
std::string course(const SwitchConfig& config, int frames) {
    SwitchDestination destination(config);
    std::string all;
    for (int i = 0; i < frames; ++i) {
        const Route route = destination.route();
        all += static_cast<char>((route.deliver ? 'A' : 'a') + route.source);
        destination.tick();
    }
    return all;
}

}  // namespace

TEST_CASE("contexts of the documented registers") {
    CHECK(course(decoded(0x25), 300) == std::string(300, 'S'));    // ARITH0, permanent
    CHECK(course(decoded(0x011B011A), 6) == "nNnNnN");             // every second of CONVACC3
    CHECK(course(decoded(0xFF260127), 8) == "Tttttttt");           // the first of ARITH1
    CHECK(course(decoded(0xFF260127), 257).substr(254) == "ttT");  // 255 later again
    CHECK(course(decoded(0x01150314), 8) == "kkkKkkkK");           // the last of four
    CHECK(course(decoded(0x02050103), 6) == "BCCBCC");             // two sources in turn
}

TEST_CASE("every frame goes where its place in the period says") {
    std::mt19937 random(11);
    for (int i = 0; i < 1000; ++i) {
        SwitchConfig config;
        config.en0 = random() % 3 != 0;
        config.en1 = !config.en0 || random() % 2 == 0;
        config.link0 = static_cast<std::uint8_t>(random() % 27);
        config.link1 = static_cast<std::uint8_t>(random() % 27);
        config.fnr0 = static_cast<std::uint8_t>(1 + random() % (i % 2 == 0 ? 5 : 255));
        config.fnr1 = static_cast<std::uint8_t>(1 + random() % (i % 3 == 0 ? 5 : 255));
        config.ticktype = random() % 2 == 0;
        REQUIRE(judge(config).computable());
        SwitchDestination destination(config);
        const int period = config.fnr0 + config.fnr1;
        for (int tick = 0; tick < 3 * period; ++tick, destination.tick()) {
            const bool first = tick % period < config.fnr0;
            const Route route = destination.route();
            REQUIRE(route.used);
            REQUIRE(route.source == (first ? config.link0 : config.link1));
            REQUIRE(route.deliver == (first ? config.en0 : config.en1));
        }
        REQUIRE(destination.counts_pixels() == config.ticktype);
    }
}

TEST_CASE("a source is heard by all destinations that are routed to it") {
    StreamSwitch crossbar;
    crossbar.configure(0, decoded(0x25));
    crossbar.configure(40, decoded(0x25));
    crossbar.configure(7, decoded(0x01250124));  // drops the first frame
    crossbar.configure(8, decoded(0x27));
    CHECK(crossbar.listeners(18).deliver == (DestinationSet{1} << 40 | 1));
    CHECK(crossbar.listeners(18).discard == DestinationSet{1} << 7);
    CHECK(crossbar.listeners(19).deliver == DestinationSet{1} << 8);
    CHECK(crossbar.listeners(0).deliver == 0);  // registers in reset name source 0 and use nothing
    CHECK(crossbar.listeners(0).discard == 0);
    crossbar.tick(7);
    CHECK(crossbar.listeners(18).discard == 0);
    CHECK(crossbar.listeners(18).deliver == (DestinationSet{1} << 40 | DestinationSet{1} << 7 | 1));
    crossbar.configure(7, {});
    CHECK(crossbar.listeners(18).deliver == (DestinationSet{1} << 40 | 1));
    CHECK_FALSE(crossbar.at(7).route().used);
}

TEST_CASE("switch settings that nobody describes") {
    CHECK(judge(SwitchConfig{}).computable());
    CHECK(judge(decoded(0x25)).computable());
    CHECK(judge(decoded(0x37)).illegal != nullptr);        // source 27
    CHECK(judge(decoded(0x01250136)).illegal != nullptr);  // discards from source 27
    CHECK(judge(decoded(0x01250024)).limits.size() == 1);  // no tick in context 0
    CHECK(judge(decoded(0x00000125)).limits.size() == 1);  // no tick in context 1
    const Verdict pixels = judge(decoded(0x01A50124));
    CHECK(pixels.computable());
    CHECK(pixels.assumptions.size() == 1);
}
