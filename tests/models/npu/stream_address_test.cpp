// SPDX-License-Identifier: Apache-2.0
// Addresses, runs and bursts of stream engines against byte-by-byte references.
#include <doctest/doctest.h>

#include <array>
#include <random>

#include "models/npu/stream/address.h"
#include "tests/models/npu/reference/stream_reference.h"
#include "tests/models/npu/stream_case.h"

using namespace n6vp::models::npu;
using n6vp::test::config_of;
using n6vp::test::reference_bursts;
using n6vp::test::ReferenceEngine;

namespace {

constexpr std::uint32_t kBase = 0x342E0000;

std::vector<Run> runs_of(const StreamConfig& config, std::uint32_t frame) {
    std::vector<Run> runs;
    const FrameRuns all = frame_runs(config, frame);
    all.for_each([&runs](const Run& run) { runs.push_back(run); });
    CHECK(runs.size() == all.count());
    return runs;
}

/// Cuts the reference's bytes into its runs.
std::vector<Run> reference_runs(const ReferenceEngine& engine, std::uint32_t frame) {
    std::vector<Run> runs;
    const std::vector<std::uint32_t> bytes = engine.touched(frame);
    const std::size_t length = engine.run_length();
    for (std::size_t i = 0; i < bytes.size(); i += length) {
        runs.push_back({bytes[i], length});
        for (std::size_t k = 0; k < length; ++k) {
            REQUIRE(bytes[i + k] - bytes[i] == static_cast<std::uint32_t>(k));
        }
    }
    return runs;
}

class Random {
  public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(engine_() % bound);
    }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

    ReferenceEngine engine() {
        ReferenceEngine e;
        e.raw = one_in(3);
        e.bytes = 1 + below(3);
        e.address = one_in(20) ? 0u - below(500) : 0x34100000 + below(0x10000);
        e.elements = 1 + below(400);
        e.width = 1 + (one_in(4) ? 0 : below(12));
        e.height = 1 + below(9);
        e.depth = 1 + below(20);
        const std::uint32_t pixel = e.depth * e.bytes;
        e.pixel_pitch = one_in(2) ? pixel : below(200);
        if (one_in(30)) e.pixel_pitch = 0x10000 + below(0x30000);
        e.line_pitch = one_in(2) ? pixel * e.width : below(3000);
        if (one_in(30)) e.line_pitch = 0x20000 + below(0x30000);
        e.cont = one_in(6) && (e.raw || e.run_length() == std::size_t{pixel} * e.width * e.height);
        e.frame_offset = static_cast<std::int32_t>(below(4000)) - 2000;
        e.loop_offset = static_cast<std::int32_t>(below(100000)) - 50000;
        e.repeat = below(4);
        return e;
    }

  private:
    std::mt19937 engine_;
};

BurstCounts counted(const std::vector<Run>& runs) {
    BurstCounts counts;
    for (const Run& run : runs) {
        for (const auto& [first, beats] : reference_bursts(run.address, run.bytes)) {
            ++counts.of[beats == 1 ? 0 : beats == 2 ? 1 : beats == 4 ? 2 : 3];
        }
    }
    return counts;
}

}  // namespace

TEST_CASE("runs are the bytes of the reference in its order") {
    Random random(5);
    for (int i = 0; i < 3000; ++i) {
        const ReferenceEngine engine = random.engine();
        const StreamConfig config = config_of(engine);
        CAPTURE(i);
        REQUIRE(judge(config).computable());
        const std::uint32_t frame = random.below(9);
        REQUIRE(runs_of(config, frame) == reference_runs(engine, frame));
    }
}

TEST_CASE("bursts are the aligned blocks that a run covers") {
    Random random(6);
    for (int i = 0; i < 3000; ++i) {
        const Run run{random.below(0x1000), 1 + random.below(random.one_in(3) ? 600 : 20)};
        std::vector<Burst> expected, got;
        for (const auto& [first, beats] : reference_bursts(run.address, run.bytes)) {
            expected.push_back(
                {static_cast<std::uint32_t>(8 * first), static_cast<std::uint32_t>(beats)});
        }
        for_each_burst(run, [&got](const Burst& burst) { got.push_back(burst); });
        CAPTURE(run.address);
        CAPTURE(run.bytes);
        REQUIRE(got == expected);
        REQUIRE(count_bursts(run) == counted({run}));
    }
}

TEST_CASE("burst counts of frames are those of their runs") {
    Random random(7);
    for (int i = 0; i < 1500; ++i) {
        ReferenceEngine engine = random.engine();
        engine.width = 1 + random.below(100);
        const std::uint32_t frame = random.below(5);
        CAPTURE(i);
        REQUIRE(count_bursts(frame_runs(config_of(engine), frame)) ==
                counted(reference_runs(engine, frame)));
    }
}

TEST_CASE("bursts by hand") {
    const auto bursts = [](std::uint32_t address, std::uint64_t bytes) {
        std::vector<Burst> all;
        for_each_burst(Run{address, bytes}, [&all](const Burst& burst) { all.push_back(burst); });
        return all;
    };
    using Bursts = std::vector<Burst>;
    CHECK(bursts(0x1007, 0) == Bursts{});
    CHECK(bursts(0x1007, 1) == Bursts{{0x1000, 1}});
    CHECK(bursts(0x1007, 2) == Bursts{{0x1000, 2}});
    CHECK(bursts(0x100F, 2) == Bursts{{0x1008, 1}, {0x1010, 1}});
    CHECK(bursts(0x1000, 64) == Bursts{{0x1000, 8}});
    CHECK(bursts(0x1000, 129) == Bursts{{0x1000, 8}, {0x1040, 8}, {0x1080, 1}});
    CHECK(bursts(0x1008, 64) == Bursts{{0x1008, 1}, {0x1010, 2}, {0x1020, 4}, {0x1040, 1}});
    // at the end of the address space
    CHECK(bursts(0xFFFFFFF8, 16) == Bursts{{0xFFFFFFF8, 1}, {0, 1}});
}

TEST_CASE("worked address examples") {
    ReferenceEngine e;
    e.address = kBase;
    SUBCASE("contiguous raw bytes are one run") {
        e.elements = 0x1B000;
        CHECK(runs_of(config_of(e), 0) == std::vector<Run>{{kBase, 110592}});
    }
    SUBCASE("replay of a frame") {
        e.elements = 110592;
        e.repeat = 1;
        e.frame_offset = 110592;
        for (std::uint32_t n = 0; n < 8; ++n) CHECK(frame_start(config_of(e), n) == kBase);
    }
    SUBCASE("slices of four channels") {
        e.raw = false;
        e.width = e.height = 96;
        e.depth = 4;
        e.pixel_pitch = 32;
        e.line_pitch = 3072;
        e.frame_offset = 4;
        e.repeat = 8;
        e.loop_offset = 294912;
        const FrameRuns runs = frame_runs(config_of(e), 3);
        CHECK(runs.at(1, 2) == Run{kBase + 3149 - 1, 4});
        CHECK(runs.count() == 9216);
        CHECK(count_bursts(runs).of == std::array<std::uint64_t, 4>{9216, 0, 0, 0});
    }
    SUBCASE("groups of eight channels") {
        e.raw = false;
        e.width = e.height = 96;
        e.depth = 8;
        e.pixel_pitch = 32;
        e.line_pitch = 3072;
        e.repeat = 1;
        e.loop_offset = 8;
        for (std::uint32_t n = 0; n < 4; ++n) {
            CHECK(frame_runs(config_of(e), n).first == Run{kBase + 8 * n, 8});
        }
    }
    SUBCASE("three-byte words are contiguous") {
        e.bytes = 3;
        e.elements = 98304;
        CHECK(runs_of(config_of(e), 0) == std::vector<Run>{{kBase, 294912}});
    }
    SUBCASE("a raster of three-byte words") {
        e.raw = false;
        e.bytes = 3;
        e.width = e.height = 48;
        e.depth = 24;
        e.pixel_pitch = 144;
        e.line_pitch = 6912;
        CHECK(frame_runs(config_of(e), 0).at(5, 7) == Run{kBase + 6912 * 5 + 144 * 7, 72});
    }
    SUBCASE("ragged depth reaches into the next group") {
        e.raw = false;
        e.bytes = 3;
        e.depth = 33;
        e.width = 5;
        e.height = 2;
        e.pixel_pitch = 196;
        e.line_pitch = 980;
        e.frame_offset = 98;
        CHECK(frame_runs(config_of(e), 1).at(1, 1) == Run{kBase + 98 + 980 + 196, 99});
    }
    SUBCASE("two bytes in a word") {
        e.raw = false;
        e.bytes = 2;
        e.width = e.height = 240;
        e.depth = 2;
        e.pixel_pitch = 16;
        e.line_pitch = 3840;
        e.repeat = 1;
        e.loop_offset = 4;
        CHECK(frame_runs(config_of(e), 3).at(2, 1) == Run{kBase + 12 + 7680 + 16, 4});
    }
}

TEST_CASE("worked frame loops") {
    const auto starts = [](const ReferenceEngine& e, std::uint32_t frames) {
        std::vector<std::uint32_t> all;
        for (std::uint32_t n = 0; n < frames; ++n) {
            all.push_back(frame_start(config_of(e), n) - kBase);
        }
        return all;
    };
    using Starts = std::vector<std::uint32_t>;
    ReferenceEngine e;
    e.address = kBase;
    e.elements = 288;
    SUBCASE("two frames in turn") {
        e.frame_offset = 288;
        e.repeat = 2;
        CHECK(starts(e, 5) == Starts{0, 288, 0, 288, 0});
    }
    SUBCASE("each frame twice") {
        e.repeat = 2;
        e.loop_offset = 18432;
        CHECK(starts(e, 6) == Starts{0, 0, 18432, 18432, 36864, 36864});
    }
    SUBCASE("coefficients twelve times") {
        e.bytes = 2;
        e.repeat = 12;
        e.loop_offset = 576;
        CHECK(starts(e, 26) == Starts{0,   0,   0,   0,   0,   0,   0,    0,   0,
                                      0,   0,   0,   576, 576, 576, 576,  576, 576,
                                      576, 576, 576, 576, 576, 576, 1152, 1152});
    }
    SUBCASE("continuous frames ignore the offsets") {
        e.cont = true;
        e.bytes = 3;
        e.frame_offset = 7;
        e.repeat = 2;
        CHECK(starts(e, 3) == Starts{0, 864, 1728});
    }
    SUBCASE("always the same buffer") {
        e.bytes = 2;
        e.elements = 3456;
        CHECK(starts(e, 8) == Starts(8, 0));
        CHECK(runs_of(config_of(e), 7) == std::vector<Run>{{kBase, 6912}});
    }
    SUBCASE("planes out of interleaved channels") {
        e.raw = false;
        e.width = 10;
        e.height = 49;
        e.pixel_pitch = 140;
        e.line_pitch = 1400;
        e.frame_offset = 1;
        e.repeat = 140;
        e.loop_offset = 68600;
        CHECK(frame_runs(config_of(e), 17).at(48, 9) == Run{kBase + 17 + 1400 * 48 + 140 * 9, 1});
    }
    SUBCASE("a store into planes") {
        e.raw = false;
        e.width = 3;
        e.height = 48;
        e.depth = 8;
        e.pixel_pitch = 18432;
        e.line_pitch = 8;
        e.frame_offset = 384;
        e.repeat = 48;
        e.loop_offset = 55296;
        CHECK(frame_runs(config_of(e), 5).at(7, 2) == Run{kBase + 384 * 5 + 8 * 7 + 18432 * 2, 8});
        CHECK(count_bursts(frame_runs(config_of(e), 5)).of ==
              std::array<std::uint64_t, 4>{144, 0, 0, 0});
    }
}

TEST_CASE("runs of a raster by its gaps") {
    ReferenceEngine e;
    e.raw = false;
    e.address = kBase;
    e.width = 5;
    e.height = 3;
    e.depth = 4;
    e.pixel_pitch = 4;
    e.line_pitch = 20;
    CHECK(runs_of(config_of(e), 0) == std::vector<Run>{{kBase, 60}});
    e.line_pitch = 24;
    CHECK(runs_of(config_of(e), 0) ==
          std::vector<Run>{{kBase, 20}, {kBase + 24, 20}, {kBase + 48, 20}});
    e.pixel_pitch = 8;
    CHECK(runs_of(config_of(e), 0).size() == 15);
    e.width = 1;
    CHECK(runs_of(config_of(e), 0) ==
          std::vector<Run>{{kBase, 4}, {kBase + 24, 4}, {kBase + 48, 4}});
}

TEST_CASE("the address limit is the last byte") {
    ReferenceEngine e;
    e.address = kBase;
    e.elements = 12;
    StreamConfig config = config_of(e);
    const Run run{kBase, 100};
    CHECK_FALSE(limit_run(config, run).beyond);
    config.addrlimit = true;
    config.limitaddr = kBase + 0x4F;
    CHECK(limit_run(config, {kBase, 80}).run == Run{kBase, 80});
    CHECK_FALSE(limit_run(config, {kBase, 80}).beyond);
    CHECK(limit_run(config, {kBase, 81}).beyond);
    CHECK(limit_run(config, run).run == Run{kBase, 80});
    CHECK(limit_run(config, {kBase + 0x50, 1}).run.bytes == 0);
    config.limitaddr = 0xFFFFFFFF;
    CHECK(limit_run(config, {0xFFFFFFF0, 17}).run == Run{0xFFFFFFF0, 16});
}

TEST_CASE("a fixed address fetches one element") {
    ReferenceEngine e;
    e.address = kBase;
    e.bytes = 3;
    e.elements = 1000;
    StreamConfig config = config_of(e);
    config.noinc = true;
    REQUIRE(judge(config).computable());
    CHECK(judge(config).assumptions.size() == 1);
    CHECK(runs_of(config, 2) == std::vector<Run>{{kBase, 3}});
    config.dir = true;
    CHECK_FALSE(judge(config).computable());
}

TEST_CASE("frames until the limit, or for ever") {
    StreamConfig config;
    config.limit = 3;
    CHECK_FALSE(config.frames().has_value());
    config.framelimit = true;
    CHECK(config.frames() == 3u);
}

TEST_CASE("what an engine refuses and what it says is assumed") {
    ReferenceEngine e;
    e.address = kBase;
    e.elements = 12;
    const StreamConfig good = config_of(e);
    REQUIRE(judge(good).computable());
    REQUIRE(judge(good).assumptions.empty());
    struct Change {
        const char* feature;
        void (*apply)(StreamConfig&);
    };
    const Change refused[] = {
        {"SIZE", [](StreamConfig& c) { c.size0 = 4; }},
        {"SIZE", [](StreamConfig& c) { c.size0 = 0, c.size1 = 8; }},
        {"POS", [](StreamConfig& c) { c.pos0 = 2, c.pos2 = 0; }},
        {"STRD.FGAP, BGAP", [](StreamConfig& c) { c.bgap = 8; }},
        {"CTRL.SERDES", [](StreamConfig& c) { c.serdes = 1; }},
        {"CTRL.BEFORCE", [](StreamConfig& c) { c.beforce = true; }},
        {"CTRL.ROUND", [](StreamConfig& c) { c.round = true; }},
        {"CTRL.SUBSAMPLE", [](StreamConfig& c) { c.subsample = true; }},
        {"ENCR", [](StreamConfig& c) { c.cipher_en = true; }},
        {"CTRL.NOINC", [](StreamConfig& c) { c.noinc = c.dir = true; }},
        {"CTRL.CONT",
         [](StreamConfig& c) { c.raw = false, c.cont = true, c.fsize = 0x20003, c.loff = 9; }},
        {"POS.WSWAP, HSWAP, BSWAP", [](StreamConfig& c) { c.hswap = true; }},
        {"CTRL.ISTART", [](StreamConfig& c) { c.istart = true; }},
        {"CTRL.NOBLK", [](StreamConfig& c) { c.noblk = true; }},
        {"CTRL.DESCR", [](StreamConfig& c) { c.descr = true; }},
        {"FSIZE, DEPTH", [](StreamConfig& c) { c.fsize = 0; }},
        {"LIMIT", [](StreamConfig& c) { c.limit = 0; }},
        {"STOPTAG", [](StreamConfig& c) { c.stoptag_en = true; }},
        {"EXTSYNC", [](StreamConfig& c) { c.extsync_en = true; }},
    };
    for (const Change& change : refused) {
        StreamConfig config = good;
        change.apply(config);
        const Verdict verdict = judge(config);
        CAPTURE(change.feature);
        REQUIRE(verdict.limits.size() == 1);
        CHECK(std::string(verdict.limits[0].feature) == change.feature);
        CHECK(std::string(verdict.limits[0].unit) == "STRENG");
    }
    const Change assumed[] = {
        {"CTRL.SINGLE", [](StreamConfig& c) { c.single = true; }},
        {"CTRL.SINGLE", [](StreamConfig& c) { c.limit = 1; }},
        {"POS.GAPCYCLES, THROTTLE", [](StreamConfig& c) { c.gapcycles = 8; }},
        {"EVENT.FRMTRG", [](StreamConfig& c) { c.frmtrg_en = true; }},
        {"LIMITEN.AUTOCLR", [](StreamConfig& c) { c.autoclr = true; }},
    };
    for (const Change& change : assumed) {
        StreamConfig config = good;
        change.apply(config);
        const Verdict verdict = judge(config);
        CAPTURE(change.feature);
        CHECK(verdict.computable());
        REQUIRE(verdict.assumptions.size() == 1);
        CHECK(std::string(verdict.assumptions[0].feature) == change.feature);
    }
    StreamConfig config = good;
    config.size1 = 9;
    CHECK(judge(config).illegal != nullptr);
    config.size0 = config.size1 = 0;
    CHECK(std::string(judge(config).illegal) == "an element has no bits");
}

TEST_CASE("an accumulator buffer is one that an output writes every frame") {
    ReferenceEngine e;
    e.address = kBase;
    e.bytes = 2;
    e.elements = 3456;
    StreamConfig output = config_of(e), input = config_of(e);
    CHECK_FALSE(feeds_back(output, input));
    output.dir = true;
    CHECK(feeds_back(output, input));
    CHECK_FALSE(feeds_back(input, output));
    input.limit = 5;
    CHECK_FALSE(feeds_back(output, input));
    output.limit = input.limit = 1;
    CHECK_FALSE(feeds_back(output, input));
    output.limit = input.limit = 8;
    input.foffset = 6912;
    CHECK_FALSE(feeds_back(output, input));
    input.foffset = 0;
    input.addr += 2;
    CHECK_FALSE(feeds_back(output, input));
}
