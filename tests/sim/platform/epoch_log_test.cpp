// SPDX-License-Identifier: Apache-2.0
// What is kept of the NPU's epochs, by what the NPU tells.
#include "sim/platform/epoch_log.h"

#include <set>
#include <vector>

#include "tests/sim/platform/platform_bench.h"

using namespace n6vp;
using namespace n6vp::test;

namespace {

/// Engines that begin and end as the NPU would tell it.
class Engines {
  public:
    explicit Engines(sim::Platform& platform) : npu_(platform.npu()) {}
    Engines& at(models::Picoseconds time) {
        now_ = time;
        return *this;
    }
    void label(std::uint32_t label, models::Picoseconds at) { npu_.on_label(label, at); }
    void multiplied(std::uint64_t products) {
        models::npu::ConvolutionNode::Counters done;
        done.products = products;
        npu_.on_convolution(0, done, now_);
    }
    void begin(unsigned engine, bool write, std::uint32_t address) {
        npu_.on_engine(engine, stream_of(write, address), nullptr, now_);
    }
    /// The engine ends with its last frame.
    void end(unsigned engine, bool write, std::uint32_t address, std::uint64_t bytes) {
        models::npu::EngineCounters counters;
        counters.bytes = bytes;
        counters.started = counters.finished = now_;
        npu_.on_engine(engine, stream_of(write, address), &counters, now_);
    }
    /// It is switched off.
    void stop(unsigned engine, bool write, std::uint32_t address, std::uint64_t bytes) {
        models::npu::EngineCounters counters;
        counters.bytes = bytes;
        npu_.on_engine(engine, stream_of(write, address), &counters, now_);
    }
    /// An output engine with a path to its end, spent on the first cause.
    void path(unsigned engine, models::Picoseconds started, models::Picoseconds finished,
              models::Picoseconds spent) {
        npu_.on_engine(engine, stream_of(true, 0), nullptr, started);
        models::npu::EngineCounters counters;
        counters.started = started;
        counters.finished = finished;
        counters.spent[0] = spent;
        npu_.on_engine(engine, stream_of(true, 0), &counters, finished);
    }
    void run(unsigned engine, bool write, std::uint32_t address, std::uint64_t bytes) {
        const models::npu::StreamConfig stream = stream_of(write, address);
        models::npu::EngineCounters counters;
        counters.bytes = bytes;
        npu_.on_engine(engine, stream, nullptr, ++now_);
        counters.started = now_;
        counters.finished = ++now_;
        npu_.on_engine(engine, stream, &counters, now_);
    }

  private:
    static models::npu::StreamConfig stream_of(bool write, std::uint32_t address) {
        models::npu::StreamConfig stream;
        stream.dir = write;
        stream.addr = address;
        return stream;
    }

    models::NpuModule& npu_;
    models::Picoseconds now_ = 0;
};

std::uint64_t bytes_of(const sim::LoggedEpoch& epoch, bool write) {
    std::uint64_t sum = 0;
    for (const sim::LoggedEpoch::Moved& one : epoch.moved)
        sum += one.write == write ? one.bytes : 0;
    return sum;
}

constexpr std::uint32_t kStart = 0x34200000;

}  // namespace

// Every run of an engine was kept by itself.
TEST_CASE("an input engine that begins anew for ever takes the memory of one stream") {
    Chip chip;
    sim::EpochLog log(chip.platform);
    Engines engines(chip.platform);
    constexpr std::uint64_t kTimes = 100'000;
    for (std::uint64_t i = 0; i < kTimes; ++i) engines.run(3, false, kStart, 64);
    engines.run(4, true, kStart, 32);
    REQUIRE(log.epochs().size() == 1);
    const sim::LoggedEpoch& epoch = log.epochs().front();
    CHECK(epoch.engines == kTimes + 1);
    CHECK(epoch.moved.size() == 2);
    CHECK(bytes_of(epoch, false) == 64 * kTimes);
    CHECK(bytes_of(epoch, true) == 32);
}

TEST_CASE("streams at addresses without end are bounded, their bytes are not lost") {
    Chip chip;
    sim::EpochLog log(chip.platform);
    Engines engines(chip.platform);
    constexpr std::uint32_t kTimes = 20'000;
    for (std::uint32_t i = 0; i < kTimes; ++i) engines.run(3, false, kStart + 8 * i, 8);
    engines.run(4, true, kStart, 24);
    REQUIRE(log.epochs().size() == 1);
    const sim::LoggedEpoch& epoch = log.epochs().front();
    CHECK(epoch.moved.size() < 5000);
    CHECK(bytes_of(epoch, false) == 8 * kTimes);
    CHECK(bytes_of(epoch, true) == 24);
    // The first ones have places of their own.
    CHECK(epoch.moved[100].address == kStart + 800);
    CHECK(epoch.moved[100].bytes == 8);
}

TEST_CASE("a label begins an epoch, ends the one before, and is told") {
    Chip chip;
    sim::EpochLog log(chip.platform);
    Engines engines(chip.platform);
    std::vector<std::uint32_t> told;
    log.on_next = [&told](std::uint32_t label) { told.push_back(label); };
    CHECK_FALSE(log.label());
    engines.label(5, 1000);
    CHECK(log.label() == 5);
    engines.at(2000).run(4, true, kStart, 32);
    CHECK(log.epochs().empty());  // until the next label
    engines.label(6, 5000);
    engines.label(7, 6000);
    REQUIRE(log.epochs().size() == 2);
    const sim::LoggedEpoch& first = log.epochs()[0];
    CHECK(first.label == 5);
    CHECK(first.start == 1000);
    CHECK(first.begun == 2001);
    CHECK(first.done == 2002);
    CHECK(first.end == 5000);
    CHECK(first.readers.empty());
    CHECK(first.writers == std::set<unsigned>{4});
    CHECK(first.engines == 1);
    CHECK(first.worked());
    CHECK(first.output_ended);
    CHECK(first.ended);
    CHECK(first.hz == chip.platform.clocks().hz(memmap::ClockDomain::Npu));
    const sim::LoggedEpoch& second = log.epochs()[1];
    CHECK(second.label == 6);
    CHECK(second.start == 5000);
    CHECK(second.end == 6000);
    CHECK(second.begun == second.done);
    CHECK_FALSE(second.worked());
    CHECK_FALSE(second.ended);
    log.finish();
    CHECK(log.epochs().size() == 3);
    CHECK_FALSE(log.label());
    CHECK(told == std::vector<std::uint32_t>{5, 6, 7});
}

TEST_CASE("an epoch that software starts ends with its last engine, one of which writes") {
    Chip chip;
    sim::EpochLog log(chip.platform);
    Engines engines(chip.platform);
    engines.at(1000).begin(1, false, kStart);
    engines.at(1100).begin(2, true, kStart);
    engines.at(1200).end(2, true, kStart, 16);
    CHECK(log.epochs().empty());
    engines.at(1500).end(1, false, kStart, 16);
    REQUIRE(log.epochs().size() == 1);
    CHECK_FALSE(log.epochs()[0].label);
    CHECK(log.epochs()[0].start == 1000);
    CHECK(log.epochs()[0].begun == 1000);
    CHECK(log.epochs()[0].done == 1200);
    CHECK(log.epochs()[0].readers == std::set<unsigned>{1});
    CHECK(log.epochs()[0].writers == std::set<unsigned>{2});
    CHECK(log.epochs()[0].end == 1500);
    // An output engine that has not finished a frame leaves the epoch open.
    engines.at(2000).begin(2, true, kStart);
    engines.at(2100).stop(2, true, kStart, 8);
    CHECK(log.epochs().size() == 1);
    engines.at(2200).begin(1, false, kStart);
    log.finish();
    REQUIRE(log.epochs().size() == 2);
    CHECK_FALSE(log.epochs()[1].output_ended);
    CHECK_FALSE(log.epochs()[1].ended);
    CHECK(log.epochs()[1].engines == 2);
    // Nothing is open any more.
    log.finish();
    engines.at(2300).end(1, false, kStart, 8);
    CHECK(log.epochs().size() == 2);
}

TEST_CASE("paths of an epoch: overlapping ones are one, later ones are added") {
    Chip chip;
    sim::EpochLog log(chip.platform);
    Engines engines(chip.platform);
    engines.at(100).begin(1, false, kStart);
    // Times on the path to the end, as the engine tells them, all of one cause.
    engines.path(4, 1000, 2000, 1000);
    engines.path(5, 1500, 1900, 400);   // within the first one
    engines.path(6, 1500, 2500, 1100);  // ends later: it takes the place of the first one
    engines.path(4, 2500, 3000, 500);   // begins when that has ended
    engines.path(5, 2999, 3100, 600);   // overlaps the second one
    engines.at(5000).end(1, false, kStart, 8);
    REQUIRE(log.epochs().size() == 1);
    const sim::LoggedEpoch& epoch = log.epochs()[0];
    CHECK(epoch.earlier_paths[0] == 1100);
    CHECK(epoch.last_path[0] == 600);
    CHECK(epoch.done == 3100);
}

TEST_CASE(
    "multiply-accumulates count for the epoch that runs, and after its end for the last epoch") {
    Chip chip;
    sim::EpochLog log(chip.platform);
    Engines engines(chip.platform);
    engines.multiplied(7);  // of no epoch
    engines.begin(1, true, kStart);
    engines.multiplied(10);
    engines.end(1, true, kStart, 8);
    engines.multiplied(200);
    engines.label(1, 1000);
    engines.multiplied(3000);
    engines.label(2, 2000);
    REQUIRE(log.epochs().size() == 2);
    CHECK(log.epochs()[0].products == 210);
    CHECK(log.epochs()[1].products == 3000);
}

TEST_CASE("epochs beyond the limit are counted if they worked") {
    Chip chip;
    sim::EpochLog log(chip.platform);
    Engines engines(chip.platform);
    for (std::size_t i = 0; i < sim::EpochLog::kMost; ++i)
        engines.label(static_cast<std::uint32_t>(i), i);
    CHECK(log.epochs().size() == sim::EpochLog::kMost - 1);
    engines.label(1, 1'000'000);
    CHECK(log.epochs().size() == sim::EpochLog::kMost);
    engines.label(2, 2'000'000);
    CHECK(log.not_kept() == 0);
    engines.at(2'100'000).run(4, true, kStart, 32);
    engines.label(3, 3'000'000);
    CHECK(log.not_kept() == 1);
    log.finish();
    CHECK(log.epochs().size() == sim::EpochLog::kMost);
    CHECK(log.not_kept() == 1);
}
