// SPDX-License-Identifier: Apache-2.0
// What is kept of the NPU's epochs, by what the NPU tells.
#include "sim/platform/epoch_log.h"

#include "tests/sim/platform/platform_bench.h"

using namespace n6vp;
using namespace n6vp::test;

namespace {

/// Engines that begin and end as the NPU would tell it.
class Engines {
  public:
    explicit Engines(sim::Platform& platform) : npu_(platform.npu()) {}
    void run(unsigned engine, bool write, std::uint32_t address, std::uint64_t bytes) {
        models::npu::StreamConfig stream;
        stream.dir = write;
        stream.addr = address;
        models::npu::EngineCounters counters;
        counters.bytes = bytes;
        npu_.on_engine(engine, stream, nullptr, ++now_);
        counters.started = now_;
        counters.finished = ++now_;
        npu_.on_engine(engine, stream, &counters, now_);
    }

  private:
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
