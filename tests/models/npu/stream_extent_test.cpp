// SPDX-License-Identifier: Apache-2.0
// Extents of stream engines against the bytes of a byte-by-byte reference.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "models/npu/stream/extent.h"
#include "tests/models/npu/reference/stream_reference.h"
#include "tests/models/npu/stream_case.h"

using namespace n6vp::models::npu;
using n6vp::test::config_of;
using n6vp::test::ReferenceEngine;

namespace {

class RandomExtent {
  public:
    explicit RandomExtent(std::uint32_t seed) : engine_(seed) {}
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(engine_() % bound);
    }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

    ReferenceEngine engine() {
        ReferenceEngine e;
        e.raw = one_in(2);
        e.bytes = 1 + below(3);
        e.address = 0x34200000 + below(0x10000);
        e.elements = 1 + below(300);
        e.width = 1 + below(6);
        e.height = 1 + below(6);
        e.depth = 1 + below(9);
        const std::uint32_t pixel = e.depth * e.bytes;
        e.pixel_pitch = one_in(2) ? pixel : below(200);
        e.line_pitch = one_in(2) ? pixel * e.width : below(3000);
        e.cont = one_in(6) && e.raw;
        e.frame_offset = static_cast<std::int32_t>(below(4000)) - 2000;
        e.loop_offset = static_cast<std::int32_t>(below(20000)) - 10000;
        e.repeat = below(5);
        return e;
    }

  private:
    std::mt19937 engine_;
};

/// First and last byte of all frames, up to `limit`.
Extent reference_extent(const ReferenceEngine& engine, std::uint32_t frames,
                        std::uint32_t limit = std::numeric_limits<std::uint32_t>::max()) {
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max(), last = 0;
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        for (const std::uint32_t at : engine.touched(frame)) {
            first = std::min(first, at);
            if (at <= limit) last = std::max(last, at);
        }
    }
    return {first, last < first ? 0 : std::uint64_t{last} - first + 1};
}

StreamConfig raw(std::uint32_t address, std::uint32_t bytes) {
    StreamConfig config;
    config.raw = true;
    config.size0 = 8;
    config.addr = address;
    config.fsize = bytes;
    config.framelimit = true;
    config.limit = 1;
    return config;
}

}  // namespace

TEST_CASE("an extent goes from the first to the last byte of all frames") {
    RandomExtent random(11);
    for (int i = 0; i < 3000; ++i) {
        const ReferenceEngine engine = random.engine();
        StreamConfig config = config_of(engine);
        config.limit = 1 + random.below(14);
        CAPTURE(i);
        REQUIRE(judge(config).computable());
        REQUIRE(extent_of(config) == reference_extent(engine, config.limit));
    }
}

TEST_CASE("an extent ends at the address limit") {
    RandomExtent random(12);
    for (int i = 0; i < 2000; ++i) {
        const ReferenceEngine engine = random.engine();
        StreamConfig config = config_of(engine);
        const Extent free = reference_extent(engine, 4);
        config.addrlimit = true;
        const auto span = static_cast<std::uint32_t>(free.bytes) + 64;
        config.limitaddr = (free.first + random.below(span)) & ~7u;
        const Extent extent = extent_of(config);
        CAPTURE(i);
        REQUIRE(extent.first == free.first);
        REQUIRE(extent.bytes ==
                std::min<std::uint64_t>(free.bytes, config.limitaddr + 8u - free.first));
    }
}

TEST_CASE("an address limit below the engine's address leaves nothing") {
    StreamConfig config = raw(0x34200100, 64);
    config.addrlimit = true;
    config.limitaddr = 0x342000F0;
    CHECK(extent_of(config).bytes == 0);
}

TEST_CASE("an address limit holds for an engine at address 0") {
    StreamConfig config = raw(0, 64);
    config.addrlimit = true;
    config.limitaddr = 0x10;
    CHECK(extent_of(config) == Extent{0, 24});
}

TEST_CASE("an address limit at the engine's first byte leaves that byte") {
    StreamConfig config = raw(0x34200007, 64);
    config.addrlimit = true;
    config.limitaddr = 0x34200000;  // and the seven bytes behind it
    CHECK(extent_of(config) == Extent{0x34200007, 1});
}

TEST_CASE("extents of the published epochs") {
    // Output of the first convolution: slices of four channels, 96 x 96 x 32.
    StreamConfig slices;
    slices.dir = true;
    slices.size0 = 8;
    slices.addr = 0x342E0000;
    slices.fsize = 0x00600060;
    slices.depth_size = 4;
    slices.depth_offset = 32;
    slices.loff = 3072;
    slices.foffset = 4;
    slices.frame_rpt = 8;
    slices.frptoff = 294912;
    slices.framelimit = true;
    slices.limit = 8;
    CHECK(extent_of(slices) == Extent{0x342E0000, 294912});
    // Its input: the whole frame eight times.
    StreamConfig replayed = raw(0x34328000, 110592);
    replayed.foffset = 110592;
    replayed.frame_rpt = 1;
    replayed.limit = 8;
    CHECK(extent_of(replayed) == Extent{0x34328000, 110592});
}

TEST_CASE("an engine without a frame limit") {
    StreamConfig config = raw(0x34200000, 64);
    config.framelimit = false;
    SUBCASE("its frames are in one place") {
        CHECK(extent_of(config) == Extent{0x34200000, 64});
    }
    SUBCASE("its frames are in one place, and so are its rounds of them") {
        config.frame_rpt = 3;
        CHECK(extent_of(config) == Extent{0x34200000, 64});
    }
    SUBCASE("its frames are in one place, and each round of them is further on") {
        config.frame_rpt = 3;
        config.frptoff = 64;
        CHECK(extent_of(config) == Extent{0x34200000, 0x100000000 - 0x34200000});
    }
    SUBCASE("it goes on to the end") {
        config.foffset = 64;
        CHECK(extent_of(config) == Extent{0x34200000, 0x100000000 - 0x34200000});
    }
    SUBCASE("it goes on to the address limit") {
        config.foffset = 64;
        config.addrlimit = true;
        config.limitaddr = 0x342003F8;
        CHECK(extent_of(config) == Extent{0x34200000, 0x400});
    }
    SUBCASE("it goes downwards") {
        config.foffset = 0u - 64;
        CHECK(extent_of(config) == Extent{0, 0x100000000});
    }
}

TEST_CASE("extents that wrap or cover everything") {
    CHECK(extent_of(raw(0xFFFFFFF0, 32)) == Extent{0xFFFFFFF0, 32});
    StreamConfig config = raw(0x1000, 16);
    config.foffset = 0u - 0x2000;
    config.limit = 2;
    CHECK(extent_of(config) == Extent{0xFFFFF000, 0x2010});
    config.foffset = 0x7FFFFFFF;
    config.limit = 0xFFFFFFFF;
    CHECK(extent_of(config) == Extent{0, 0x100000000});
    config = raw(0x1000, 0xFFFFFFFF);
    config.size1 = config.size2 = 8;
    config.cont = true;
    config.limit = 0xFFFFFFFF;
    CHECK(extent_of(config) == Extent{0, 0x100000000});
}
