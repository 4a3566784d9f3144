// SPDX-License-Identifier: Apache-2.0
// Stream engines at work: bytes against a byte-by-byte reference, times against the published
// rates.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/models/npu/dataflow_bench.h"

using namespace n6vp::models::npu;
using namespace n6vp::test;

namespace {

class Random {
  public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(engine_() % bound);
    }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

    /// A shape with `depth`, `width` and `height` given and everything else drawn.
    ReferenceEngine shape(std::uint32_t address, const ReferenceEngine& like) {
        ReferenceEngine e = like;
        e.address = address + below(100);
        e.bytes = 1 + below(3);
        const std::uint32_t pixel = e.depth * e.bytes;
        e.raw = one_in(3);
        e.elements = e.width * e.height * e.depth;
        e.pixel_pitch = one_in(2) ? pixel : pixel + below(40);
        e.line_pitch = one_in(2) ? pixel * e.width : below(3000);
        e.frame_offset = static_cast<std::int32_t>(below(4000)) - 2000;
        e.loop_offset = static_cast<std::int32_t>(below(40000)) - 20000;
        e.repeat = below(4);
        e.cont = e.raw && one_in(4);
        return e;
    }

  private:
    std::mt19937 engine_;
};

/// Fills `memory` with what a copy writes: bytes of the words, low ones first.
void reference_copy(const ReferenceEngine& from, bool extend, const ReferenceEngine& to,
                    std::uint32_t frames, std::vector<std::uint8_t>& memory) {
    const auto byte = [&memory](std::uint32_t address) -> std::uint8_t& {
        return memory[address % memory.size()];
    };
    for (std::uint32_t n = 0; n < frames; ++n) {
        const std::vector<std::uint32_t> source = from.touched(n), target = to.touched(n);
        for (std::size_t e = 0; e < source.size() / from.bytes; ++e) {
            const std::uint8_t top = byte(source[(e + 1) * from.bytes - 1]);
            for (std::size_t k = 0; k < to.bytes; ++k) {
                const std::uint8_t filled = extend && top >= 0x80 ? 0xFF : 0;
                byte(target[e * to.bytes + k]) =
                    k < from.bytes ? byte(source[e * from.bytes + k]) : filled;
            }
        }
    }
}

}  // namespace

TEST_CASE("copies of any shape move the bytes of the reference") {
    Random random(21);
    for (int i = 0; i < 600; ++i) {
        CAPTURE(i);
        Bench bench;
        ReferenceEngine like;
        like.width = 1 + random.below(random.one_in(5) ? 60 : 7);
        like.height = 1 + random.below(7);
        like.depth = 1 + random.below(random.one_in(5) ? 150 : 12);
        const ReferenceEngine from = random.shape(kSource, like), to = random.shape(kTarget, like);
        const std::uint32_t frames = 1 + random.below(6);
        const bool extend = random.one_in(2);
        EngineSetup source = setup_of(from, false, frames);
        source.config.lsbmode = source.config.signext = extend;
        source.cacheable = random.one_in(4);
        REQUIRE(judge(source.config).computable());
        const InputEngine& in = bench.input(source);
        const OutputEngine& out = bench.output(setup_of(to, true, frames, 1), permanent());
        std::vector<std::uint8_t> expected = bench.bus.memory;
        reference_copy(from, extend, to, frames, expected);
        run(bench.network);
        REQUIRE(bench.network.busy().empty());
        REQUIRE(bench.bus.in_order);
        REQUIRE((bench.bus.memory == expected));
        const std::uint64_t words = std::uint64_t{like.width} * like.height * like.depth * frames;
        REQUIRE(in.counters().words == words);
        REQUIRE(out.counters().words == words);
        REQUIRE(out.counters().bytes == words * to.bytes);
        BurstCounts reads, writes;
        for (std::uint32_t n = 0; n < frames; ++n) {
            reads.add(count_bursts(frame_runs(source.config, n)));
            writes.add(count_bursts(frame_runs(out.config(), n)));
        }
        REQUIRE(in.counters().bursts == reads.of);
        REQUIRE(out.counters().bursts == writes.of);
    }
}

TEST_CASE("frames of the reader and of the writer may be cut differently") {
    Bench bench;
    bench.input(setup_of(raw(kSource, 60), false, 6));
    bench.output(setup_of(raw(kTarget, 90, 90), true, 4, 1), permanent());
    std::vector<std::uint8_t> expected(360);
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] = bench.bus.at_address(kSource, i % 60);
    run(bench.network);
    CHECK(bench.network.busy().empty());
    for (std::size_t i = 0; i < expected.size(); ++i)
        REQUIRE(bench.bus.at_address(kTarget, i) == expected[i]);
}

TEST_CASE("a copy takes a cycle a word and a restart a frame") {
    for (const std::uint32_t elements : {1000u, 24576u, 110592u}) {
        for (const std::uint32_t frames : {1u, 3u, 8u}) {
            CAPTURE(elements);
            CAPTURE(frames);
            Bench bench;
            bench.input(setup_of(raw(kSource, elements), false, frames));
            const OutputEngine& out =
                bench.output(setup_of(raw(kTarget, elements), true, frames, 1), permanent());
            run(bench.network);
            // 35 between frames; then the way of the first and the last burst through memory.
            const double stream = static_cast<double>(frames) * elements + 35.0 * (frames - 1);
            CHECK(cycles(out.counters().finished) >= stream);
            CHECK(cycles(out.counters().finished) <= stream + 2 * 15 + 2 * 9 + 2);
        }
    }
}

TEST_CASE("single beats move at the rate of the bank") {
    constexpr std::uint32_t kElements = 20000;
    Bench bench;
    SUBCASE("writes") {
        bench.input(setup_of(raw(kSource, kElements), false, 1));
        const OutputEngine& out =
            bench.output(setup_of(strided(kTarget, kElements), true, 1, 1), permanent());
        run(bench.network);
        CHECK(cycles(out.counters().finished) == doctest::Approx(1.16 * kElements).epsilon(0.005));
        CHECK(out.counters().bursts[0] == kElements);
        // The reader has waited for the writer.
        CHECK(cycles(bench.inputs[0]->counters().finished) > 1.15 * (kElements - 200));
        CHECK(cycles(out.counters().stalled) == doctest::Approx(0.16 * kElements).epsilon(0.05));
        CHECK(cycles(bench.inputs[0]->counters().stalled) ==
              doctest::Approx(0.16 * kElements).epsilon(0.05));
    }
    SUBCASE("reads") {
        bench.input(setup_of(strided(kSource, kElements), false, 1));
        const OutputEngine& out =
            bench.output(setup_of(raw(kTarget, kElements), true, 1, 1), permanent());
        run(bench.network);
        CHECK(cycles(out.counters().finished) == doctest::Approx(1.40 * kElements).epsilon(0.005));
    }
}

TEST_CASE("two engines share what a bank serves") {
    constexpr std::uint32_t kElements = 5000;
    Bench bench;
    bench.input(setup_of(strided(kSource, kElements), false, 1));
    bench.input(setup_of(strided(kSource + 0x20000, kElements), false, 1, 2));
    const OutputEngine& first =
        bench.output(setup_of(raw(kTarget, kElements), true, 1, 1), permanent(0));
    const OutputEngine& second =
        bench.output(setup_of(raw(kTarget + 0x20000, kElements), true, 1, 3), permanent(1));
    run(bench.network);
    CHECK(bench.bus.in_order);
    const double both = 1.40 * 2 * kElements;
    CHECK(cycles(first.counters().finished) == doctest::Approx(both).epsilon(0.02));
    CHECK(cycles(second.counters().finished) == doctest::Approx(both).epsilon(0.02));
}

TEST_CASE("slow memory is read at the rate of the bursts that may be under way") {
    constexpr std::uint32_t kElements = 4000, kLatency = 100;
    Bench bench;
    bench.bus.latency = n6vp::models::Picoseconds{kLatency} * 1000;
    double each = 0;  // cycles of an element: latency and service, shared by what is under way
    SUBCASE("one") {
        bench.parameters.outstanding.value = 1;
        each = kLatency + 1.40;
    }
    SUBCASE("four") {
        bench.parameters.outstanding.value = 4;
        each = (kLatency + 1.40) / 4;
    }
    SUBCASE("as many as the FIFO takes") {
        bench.parameters.outstanding.value = 64;
        each = (kLatency + 1.40) / 64;
    }
    bench.input(setup_of(strided(kSource, kElements), false, 1));
    const OutputEngine& out =
        bench.output(setup_of(raw(kTarget, kElements), true, 1, 1), permanent());
    run(bench.network);
    CHECK(cycles(out.counters().finished) == doctest::Approx(each * kElements).epsilon(0.06));
}

TEST_CASE("a frame that is read through the cache has one burst under way") {
    Bench bench;
    EngineSetup setup = setup_of(raw(BenchBus::kFlash, 64 * 40), false, 1);
    setup.cacheable = true;
    bench.input(setup);
    const OutputEngine& out =
        bench.output(setup_of(raw(kTarget, 64 * 40), true, 1, 1), permanent());
    run(bench.network);
    CHECK(cycles(out.counters().finished) == doctest::Approx(161 * 40).epsilon(0.02));
}

TEST_CASE("a fixed address fills a frame with its element") {
    Bench bench;
    EngineSetup setup = setup_of(raw(kSource, 1000), false, 2);
    setup.config.noinc = true;
    const InputEngine& in = bench.input(setup);
    const OutputEngine& out =
        bench.output(setup_of(raw(kTarget, 1000, 1000), true, 2, 1), permanent());
    const std::uint8_t byte = bench.bus.at_address(kSource);
    run(bench.network);
    CHECK(bench.network.busy().empty());
    for (std::size_t i = 0; i < 2000; ++i) REQUIRE(bench.bus.at_address(kTarget, i) == byte);
    CHECK(in.counters().bursts[0] == 2);
    CHECK(cycles(out.counters().finished) == doctest::Approx(2035).epsilon(0.03));
}

TEST_CASE("all destinations of a link get its words, at the pace of the slowest") {
    Bench bench;
    const InputEngine& in = bench.input(setup_of(raw(kSource, 4000), false, 1));
    const OutputEngine& fast = bench.output(setup_of(raw(kTarget, 4000), true, 1, 1), permanent());
    const OutputEngine& slow =
        bench.output(setup_of(strided(kTarget + 0x20000, 4000), true, 1, 2), permanent());
    bench.bus.write_one_beat = 3000;
    run(bench.network);
    CHECK(bench.network.busy().empty());
    for (std::size_t i = 0; i < 4000; ++i) {
        REQUIRE(bench.bus.at_address(kTarget, i) == bench.bus.at_address(kSource, i));
        REQUIRE(bench.bus.at_address(kTarget + 0x20000, 8 * i) == bench.bus.at_address(kSource, i));
    }
    CHECK(cycles(slow.counters().finished) > 3.0 * 4000);
    CHECK(cycles(fast.counters().finished) > 3.0 * (4000 - 400));
    CHECK(cycles(in.counters().finished) > 3.0 * (4000 - 400));
}

TEST_CASE("contexts drop frames and take turns between links") {
    constexpr std::uint32_t kElements = 300;
    Bench bench;
    bench.input(setup_of(raw(kSource, kElements, 300), false, 6));
    SwitchConfig config = permanent();
    config.fnr0 = config.fnr1 = 1;
    SUBCASE("the second of every two") {
        config.en0 = false;
        config.en1 = true;
        bench.output(setup_of(raw(kTarget, kElements, 300), true, 3, 1), config);
        run(bench.network);
        CHECK(bench.network.busy().empty());
        for (std::size_t i = 0; i < 900; ++i) {
            const std::size_t frame = 2 * (i / 300) + 1;
            REQUIRE(bench.bus.at_address(kTarget, i) ==
                    bench.bus.at_address(kSource, 300 * frame + i % 300));
        }
    }
    SUBCASE("one of each link") {
        config.en1 = true;
        config.link1 = 1;
        bench.input(setup_of(raw(kSource + 0x10000, kElements, 300), false, 6, 2));
        bench.output(setup_of(raw(kTarget, kElements, 300), true, 12, 1), config);
        run(bench.network);
        CHECK(bench.network.busy().empty());
        for (std::size_t i = 0; i < 3600; ++i) {
            const std::size_t frame = i / 600, from = (i / 300) % 2 * 0x10000;
            REQUIRE(bench.bus.at_address(kTarget, i) ==
                    bench.bus.at_address(kSource, from + 300 * frame + i % 300));
        }
    }
    SUBCASE("only the first") {
        config.fnr1 = 255;
        bench.output(setup_of(raw(kTarget, kElements), true, 1, 1), config);
        run(bench.network);
        CHECK(bench.network.busy().empty());
        for (std::size_t i = 0; i < 300; ++i)
            REQUIRE(bench.bus.at_address(kTarget, i) == bench.bus.at_address(kSource, i));
    }
}

TEST_CASE("a reader follows the buffer that a writer fills frame by frame") {
    constexpr std::uint32_t kElements = 700, kFrames = 5, kBuffer = 0x34180000;
    for (const bool whole_frames : {false, true}) {
        CAPTURE(whole_frames);
        Bench bench;
        // The source of the writer is so slow that the reader has to wait.
        EngineSetup source = setup_of(raw(BenchBus::kFlash, kElements, kElements), false, kFrames);
        source.cacheable = true;
        bench.input(source);
        OutputEngine& writer =
            bench.output(setup_of(raw(kBuffer, kElements), true, kFrames, 1), permanent(0));
        InputEngine& reader = bench.input(setup_of(raw(kBuffer, kElements), false, kFrames, 2));
        reader.follow(writer, whole_frames);
        const OutputEngine& sink = bench.output(
            setup_of(raw(kTarget, kElements, kElements), true, kFrames, 3), permanent(1));
        run(bench.network);
        CHECK(bench.network.busy().empty());
        CHECK(bench.bus.in_order);
        // Frame 0 is read at once: its bytes are those of no frame in particular.
        for (std::size_t i = kElements; i < std::size_t{kElements} * kFrames; ++i) {
            REQUIRE(bench.bus.at_address(kTarget, i) ==
                    bench.bus.at_address(BenchBus::kFlash, i - kElements));
        }
        const double written = 161.0 / 64 * kElements * (kFrames - 1);
        const double last = whole_frames ? written + kElements : written;
        // After that a burst of words, and memory's latency on three ways.
        CHECK(cycles(sink.counters().finished) >= last);
        CHECK(cycles(sink.counters().finished) <= last + 200);
    }
}

TEST_CASE("an epoch that cannot go on names what it waits for") {
    Bench bench;
    SUBCASE("a destination that is off") {
        bench.input(setup_of(raw(kSource, 100), false, 1));
        bench.output(setup_of(raw(kTarget, 100), true, 1, 1), SwitchConfig{});
        run(bench.network);
        REQUIRE(bench.network.busy().size() == 2);
        CHECK(bench.inputs[0]->waits_for() == "its link to take word 63");
        CHECK(bench.outputs[0]->waits_for() == "a link: its switch entry is off");
    }
    SUBCASE("a source that ends early") {
        bench.input(setup_of(raw(kSource, 100), false, 1));
        bench.output(setup_of(raw(kTarget, 101), true, 1, 1), permanent());
        run(bench.network);
        REQUIRE(bench.network.busy().size() == 1);
        CHECK(bench.outputs[0]->waits_for() == "word 100 from its link");
    }
    SUBCASE("a frame that the other engine never writes") {
        bench.input(setup_of(raw(kSource, 100), false, 2));
        OutputEngine& writer = bench.output(setup_of(raw(kTarget, 100), true, 3, 1), permanent(0));
        InputEngine& reader = bench.input(setup_of(raw(kTarget, 100), false, 4, 2));
        reader.follow(writer, true);
        bench.output(setup_of(raw(kTarget + 0x10000, 100), true, 4, 3), permanent(1));
        run(bench.network);
        CHECK(bench.network.busy().size() == 3);
        CHECK(reader.waits_for() == "frame 2 of the engine it follows");
    }
    SUBCASE("an address limit") {
        EngineSetup setup = setup_of(raw(kSource, 100), false, 1);
        setup.config.addrlimit = true;
        setup.config.limitaddr = kSource + 71;
        const InputEngine& in = bench.input(setup);
        EngineSetup target = setup_of(raw(kTarget, 100), true, 1, 1);
        target.config.addrlimit = true;
        target.config.limitaddr = kTarget + 7;
        const OutputEngine& out = bench.output(target, permanent());
        run(bench.network);
        CHECK(bench.network.busy().size() == 2);
        CHECK(in.counters().bytes == 72);
        CHECK(out.counters().bytes == 8);
        CHECK(in.counters().beyond_limit);
        CHECK(out.counters().beyond_limit);
        CHECK(in.waits_for() == "nothing: it has reached its address limit");
        CHECK(out.waits_for() == "nothing: it has reached its address limit");
    }
}

TEST_CASE("a burst holds its engine's port for a cycle a beat") {
    constexpr unsigned kBeats = 8;  // of 64 bytes
    SUBCASE("reads, while the FIFO has room") {
        Bench bench;
        bench.input(setup_of(raw(kSource, 128), false, 1));
        bench.output(setup_of(raw(kTarget, 128), true, 1, 1), permanent());
        run(bench.network);
        REQUIRE(bench.bus.read_at.size() == 2);
        CHECK(bench.bus.read_at[1] - bench.bus.read_at[0] == kBeats * kCycle);
    }
    SUBCASE("writes, of which the second is complete a word after the first") {
        Bench bench;
        bench.input(setup_of(raw(kSource, 65), false, 1));
        bench.output(setup_of(raw(kTarget, 65), true, 1, 1), permanent());
        run(bench.network);
        REQUIRE(bench.bus.written_at.size() == 2);
        CHECK(bench.bus.written_at[1] - bench.bus.written_at[0] == kBeats * kCycle);
    }
}

TEST_CASE("accesses that memory answers with an error are counted, reads and writes") {
    Bench bench;
    bench.bus.ok = false;
    const InputEngine& in = bench.input(setup_of(raw(kSource, 64 * 3), false, 1));
    const OutputEngine& out = bench.output(setup_of(raw(kTarget, 64 * 2), true, 1, 1), permanent());
    run(bench.network);
    CHECK(in.counters().bus_errors == 3);
    CHECK(out.counters().bus_errors == 2);
}

TEST_CASE("a fixed address fills any number of frames") {
    constexpr std::uint32_t kFrames = 2000, kElements = 5;
    Bench bench;
    EngineSetup setup = setup_of(raw(kSource, kElements), false, kFrames);
    setup.config.noinc = true;
    bench.input(setup);
    const OutputEngine& out =
        bench.output(setup_of(raw(kTarget, kElements, kElements), true, kFrames, 1), permanent());
    run(bench.network);
    CHECK(bench.network.busy().empty());
    CHECK(out.counters().bytes == std::uint64_t{kFrames} * kElements);
}

TEST_CASE("an output that has reached its address limit writes no further frame") {
    Bench bench;
    bench.input(setup_of(raw(kSource, 100), false, 3));
    // Every frame at the same place; the limit cuts the first one.
    EngineSetup target = setup_of(raw(kTarget, 100), true, 3, 1);
    target.config.addrlimit = true;
    target.config.limitaddr = kTarget + 71;
    const OutputEngine& out = bench.output(target, permanent());
    run(bench.network);
    CHECK(out.counters().beyond_limit);
    CHECK(out.counters().bytes == 72);
    CHECK(out.busy());
}

TEST_CASE("engines survive sizes that no epoch has") {
    Bench bench;
    SUBCASE("no frame") {
        bench.input(setup_of(raw(kSource, 100), false, 0));
        bench.output(setup_of(raw(kTarget, 100), true, 0, 1), permanent());
        run(bench.network);
        CHECK(bench.network.busy().empty());
    }
    SUBCASE("no element") {
        bench.input(setup_of(raw(kSource, 0), false, 2));
        bench.output(setup_of(raw(kTarget, 0), true, 2, 1), permanent());
        run(bench.network);
        CHECK(bench.network.busy().size() == 2);
    }
    SUBCASE("words that do not end") {
        EngineSetup source = setup_of(raw(0xFFFFFF00, 0xFFFFFFFF), false, 1);
        source.config.size1 = source.config.size2 = 8;
        const InputEngine& in = bench.input(source);
        EngineSetup target = setup_of(raw(0xFFFFFFF1, 0xFFFFFFFF), true, 1, 1);
        const OutputEngine& out = bench.output(target, permanent());
        for (int i = 0; i < 5000; ++i) {
            REQUIRE(bench.network.next() != n6vp::models::kNever);
            bench.network.advance();
        }
        CHECK(in.counters().bytes > 2 * out.counters().bytes);
        CHECK(out.busy());
    }
    SUBCASE("frames that do not end") {
        EngineSetup source = setup_of(raw(kSource, 3), false, 0);
        source.config.framelimit = false;
        EngineSetup target = setup_of(raw(kTarget, 1), true, 0, 1);
        target.config.framelimit = false;
        bench.input(source);
        const OutputEngine& out = bench.output(target, permanent());
        for (int i = 0; i < 5000; ++i) {
            REQUIRE(bench.network.next() != n6vp::models::kNever);
            bench.network.advance();
        }
        CHECK(out.frames_done() > 1000);
    }
    SUBCASE("a fixed address for the longest frame") {
        EngineSetup source = setup_of(raw(kSource, 0xFFFFFFFF), false, 1);
        source.config.noinc = true;
        bench.input(source);
        const OutputEngine& out =
            bench.output(setup_of(raw(kTarget, 100), true, 9, 1), permanent());
        run(bench.network);
        CHECK(out.frames_done() == 9);
        CHECK(bench.inputs[0]->busy());
    }
}

TEST_CASE("a walk gives the bursts of the runs it goes through") {
    Random random(22);
    for (int i = 0; i < 2000; ++i) {
        CAPTURE(i);
        ReferenceEngine like;
        like.width = 1 + random.below(9);
        like.height = 1 + random.below(7);
        like.depth = 1 + random.below(random.one_in(5) ? 200 : 12);
        const std::uint32_t base = random.one_in(10) ? 0u - random.below(400) : kSource;
        const ReferenceEngine engine = random.shape(base, like);
        StreamConfig config = config_of(engine);
        if (random.one_in(3)) {
            config.addrlimit = true;
            config.limitaddr = base + random.below(2000);
        }
        const std::uint32_t frame = random.below(6);
        std::vector<Burst> expected, got;
        std::uint64_t expected_bytes = 0, got_bytes = 0;
        bool beyond = false;
        frame_runs(config, frame).for_each([&](const Run& run) {
            if (beyond) return;
            const LimitedRun limited = limit_run(config, run);
            beyond = limited.beyond;
            expected_bytes += limited.run.bytes;
            for_each_burst(limited.run, [&](const Burst& b) { expected.push_back(b); });
        });
        bool ended = false;
        BurstWalk walk(config, frame);
        for (; !walk.done(); walk.advance()) {
            const BurstWalk::Step& step = walk.peek();
            REQUIRE_FALSE(ended);
            REQUIRE(step.address - step.burst.address + step.bytes <= 8 * step.burst.beats);
            got.push_back(step.burst);
            got_bytes += step.bytes;
            ended = step.ends_frame;
        }
        REQUIRE(got == expected);
        REQUIRE(got_bytes == expected_bytes);
        REQUIRE(walk.limited() == beyond);
        REQUIRE(ended == !beyond);
    }
}
