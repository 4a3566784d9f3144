// SPDX-License-Identifier: Apache-2.0
// The core in memory that a running epoch works on: straight-line code, so that many accesses lie
// in one block and only what the bus says of the pages can bring them to their own times.
#include <algorithm>
#include <cstring>
#include <systemc>

#include "tests/models/traffic/bus_master.h"
#include "tests/sim/platform/platform_bench.h"

using namespace n6vp;
using namespace n6vp::test;
using models::Picoseconds;
using models::core::Coherence;
using models::core::Timing;

namespace {

constexpr std::uint32_t kBuffer = 0x34200000;  // AXISRAM3
constexpr unsigned kRounds = 96;
constexpr Picoseconds kMicrosecond = 1'000'000;
constexpr std::uint32_t kInvalidateLine = 0xE000EF5C;  // DCIMVAC

sim::PlatformOptions options_with(Timing timing, Picoseconds quantum,
                                  Coherence coherence = Coherence::Ideal) {
    sim::PlatformOptions options;
    options.timing = timing;
    options.quantum = quantum;
    options.coherence = coherence;
    return options;
}

class Bench {
  public:
    explicit Bench(const sim::PlatformOptions& options) : chip(options), npu("npu") {
        chip.platform.bind_master(sim::Initiator::Npu0, npu.port);
        chip.platform.events().buffer_in_use.listen(
            sim::kReportPlace, [this](const models::BufferInUse&) { ++in_use; });
        target_ = static_cast<unsigned>(chip.platform.target_of("AXISRAM3"));
    }
    /// Runs the program from power-on; returns r0. Times count from there.
    std::uint32_t run() {
        chip.platform.reset();
        in_use = 0;
        epoch();
        const std::uint32_t result = chip.run();
        end = chip.platform.time();
        return result;
    }
    void claim(bool write) {
        claim_ = chip.platform.bus().claim(sim::number(sim::Initiator::Npu0), target_, 0, 64, write,
                                           "epoch 1");
    }
    void release() { chip.platform.bus().release(claim_); }
    void write_at(Picoseconds at, std::uint32_t address, std::uint32_t word) {
        std::vector<std::uint8_t> bytes(4);
        std::memcpy(bytes.data(), &word, sizeof word);
        npu.write_at(sc_core::sc_time_stamp().value() + at, address, bytes);
    }
    /// The action comes from a process at that time.
    static void act_at(Picoseconds at, const std::function<void()>& action) {
        sc_core::sc_spawn([at, action] {
            sc_core::wait(models::to_sc_time(at));
            action();
        });
    }

    Chip chip;
    BusMaster npu;
    std::function<void()> epoch = [] {};  ///< after the reset, before the core starts
    unsigned in_use = 0;
    Picoseconds end = 0;

  private:
    unsigned target_ = 0;
    models::Bus::Claim claim_ = 0;
};

/// r0 becomes the sum of `rounds` loads of the buffer's first word, which is 0 at first. Branches
/// to what comes next anyway make every load a block of its own.
Thumb sum_of_loads(unsigned rounds, bool caches, bool branches = false) {
    Thumb program;
    if (caches) program.caches();
    program.write(kBuffer, 0);
    if (caches) program.set(1, 0xE000EF70).set(2, kBuffer).store(2, 1).barrier();  // DCCIMVAC
    program.set(4, kBuffer).set(5, kInvalidateLine).set(0, 0);
    for (unsigned i = 0; i < rounds; ++i) {
        if (caches) program.store(4, 5);
        program.load(1, 4).raw({0x1840});  // adds r0, r0, r1
        if (branches) program.raw({0xE7FF});
    }
    return program.end();
}

/// The master writes 1 at some times of the run: the loads from there on, and no others, see it.
void check_loads(Bench& bench, bool caches) {
    bench.epoch = [&bench] { bench.claim(true); };
    bench.chip.load(sum_of_loads(kRounds / 2, caches));
    bench.run();
    const Picoseconds half = bench.end;
    bench.chip.load(sum_of_loads(kRounds, caches));
    bench.run();
    const Picoseconds whole = bench.end;
    const unsigned rounds = kRounds - kRounds / 2;
    const double period = static_cast<double>(whole - half) / rounds;
    REQUIRE(period > 5'000);  // over the bus every time
    CHECK(bench.in_use >= kRounds);
    for (unsigned rounds_left = 5; rounds_left < kRounds - 5; rounds_left += 9) {
        const auto at = whole - static_cast<Picoseconds>(rounds_left * period);
        bench.epoch = [&bench, at] {
            bench.claim(true);
            bench.write_at(at, kBuffer, 1);
        };
        const std::uint32_t seen = bench.run();
        CAPTURE(rounds_left);
        // On its way at that time; and the last load is not the program's end.
        CHECK(seen + 2 >= rounds_left);
        CHECK(seen <= rounds_left + 2);
    }
}

}  // namespace

TEST_CASE("claims: loads over the bus see what was written before their own time, approx") {
    Bench bench(options_with(Timing::Approx, 10 * kMicrosecond));
    check_loads(bench, false);
}
TEST_CASE("claims: loads over the bus see what was written before their own time, precise") {
    Bench bench(options_with(Timing::Precise, kMicrosecond));
    check_loads(bench, false);
}
TEST_CASE("claims: line fills of really incoherent caches see what was written before them") {
    Bench bench(options_with(Timing::Approx, 10 * kMicrosecond, Coherence::Real));
    check_loads(bench, true);
}

TEST_CASE("claims: the end of an epoch in the middle of a block is the end of the collisions") {
    Bench bench(options_with(Timing::Approx, 10 * kMicrosecond));
    bench.chip.load(sum_of_loads(kRounds, false));
    bench.epoch = [&bench] { bench.claim(true); };
    bench.run();
    const unsigned accesses = bench.in_use;  // the program clears the word first
    const double period = static_cast<double>(bench.end) / (accesses + 1);
    for (const unsigned before : {20u, 45u, 70u}) {
        const auto at = static_cast<Picoseconds>(before * period);
        bench.epoch = [&bench, at] {
            bench.claim(true);
            Bench::act_at(at, [&bench] { bench.release(); });
        };
        bench.run();
        CAPTURE(before);
        CHECK(bench.in_use >= before - 4);
        CHECK(bench.in_use <= before + 4);
    }
}

TEST_CASE("claims: an epoch that begins while the core uses the page") {
    Bench bench(options_with(Timing::Approx, 10 * kMicrosecond));
    bench.chip.load(sum_of_loads(kRounds, false, true));
    bench.run();
    const Picoseconds whole = bench.end;
    CHECK(bench.in_use == 0);
    // The page was direct memory until then.
    bench.epoch = [&bench, whole] {
        Bench::act_at(whole / 3, [&bench] { bench.claim(true); });
        bench.write_at(whole * 2 / 3, kBuffer, 1);
    };
    const std::uint32_t seen = bench.run();
    CHECK(bench.in_use >= kRounds * 2 / 3 - 4);
    CHECK(bench.in_use <= kRounds * 2 / 3 + 4);
    CHECK(seen >= kRounds / 3 - 4);
    CHECK(seen <= kRounds / 3 + 4);
}

TEST_CASE("claims: stores over the bus do not come before what others did before them") {
    Bench bench(options_with(Timing::Approx, 10 * kMicrosecond));
    Thumb program;
    program.set(4, kBuffer).set(0, 0);
    for (unsigned i = 0; i < 48; ++i) program.add(0, 1).store(0, 4);
    bench.chip.load(program.end());
    bench.epoch = [&bench] { bench.claim(false); };
    bench.run();
    const double period = static_cast<double>(bench.end) / 50;
    std::size_t job = 0;
    bench.epoch = [&bench, &job, period] {
        bench.claim(false);
        const Picoseconds now = sc_core::sc_time_stamp().value();
        job = bench.npu.read_at(now + static_cast<Picoseconds>(20 * period), kBuffer, 4);
    };
    bench.run();
    REQUIRE(bench.npu.job(job).done);
    CHECK(bench.npu.job(job).bytes[0] >= 16);
    CHECK(bench.npu.job(job).bytes[0] <= 22);
}

TEST_CASE("claims: who goes first may make the core ask for memory in the midst of its access") {
    Bench bench(options_with(Timing::Approx, 10 * kMicrosecond));
    constexpr std::uint32_t kOther = kBuffer + 0x4000;  // in the D-cache, in nobody's use
    Thumb program;
    program.caches().write(kOther, 7).write(kOther, 7).set(4, kBuffer).set(3, 0).set(0, 0);
    for (unsigned i = 0; i < kRounds; ++i) {
        // subs r1, r1, r0; adds r3, r3, r1: not 0 in the end if something else than what was stored
        // is loaded, for the core alone stores there.
        program.add(0, 1).store(0, 4).load(1, 4).raw({0x1A09, 0x185B});
    }
    bench.chip.load(program.end());
    bench.epoch = [&bench] { bench.claim(true); };
    REQUIRE(bench.run() == kRounds);
    const Picoseconds whole = bench.end;
    for (unsigned percent = 50; percent < 100; percent += 2) {
        bench.epoch = [&bench, whole, percent] {
            bench.claim(true);
            Bench::act_at(whole * percent / 100, [&bench] {
                // The core must ask again where the line is that the master writes.
                const int target = bench.chip.platform.target_of("AXISRAM3");
                bench.chip.platform.bus().filter_changed(static_cast<unsigned>(target));
                REQUIRE(bench.npu.write(kOther, std::vector<std::uint8_t>(4, 9)).ok());
            });
        };
        CAPTURE(percent);
        CHECK(bench.run() == kRounds);
        CHECK(bench.chip.platform.core().core().reg(3) == 0);
        CHECK(bench.chip.word(kBuffer) == kRounds);
        CHECK(bench.chip.faults.empty());
        CHECK(bench.chip.word(kOther) == 0x09090909);
    }
}

TEST_CASE("a stale line of memory that was claimed while others wrote it is noticed afterwards") {
    Bench bench(options_with(Timing::Approx, kMicrosecond));
    std::vector<models::core::CoherenceEvent> events;
    bench.chip.platform.events().core_coherence.listen(
        sim::kReportPlace,
        [&events](const models::core::CoherenceEvent& event) { events.push_back(event); });
    Thumb program;
    program.caches().set(4, kBuffer).load(1, 4);
    program.set(3, 40'000).raw({0x3B01, 0xD1FD});  // subs r3, #1; bne: 50 us and more
    bench.chip.load(program.load(1, 4).end());
    bench.run();
    REQUIRE(bench.end > 40 * kMicrosecond);
    CHECK(events.empty());
    bench.epoch = [&bench] {
        Bench::act_at(5 * kMicrosecond, [&bench] { bench.claim(true); });
        bench.write_at(10 * kMicrosecond, kBuffer, 0x12345678);
        Bench::act_at(20 * kMicrosecond, [&bench] { bench.release(); });
    };
    bench.run();
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == models::core::CoherenceEvent::Kind::CoreReadStale);
    CHECK(events[0].address == kBuffer);
}
