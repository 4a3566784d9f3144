// SPDX-License-Identifier: Apache-2.0
// Each term of an epoch's time alone: costs are zero but for one, words and bursts are counted by
// hand.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/generate/lower/estimate.h"
#include "sim/generate/lower/streams.h"

using namespace n6vp::sim::generate;
namespace npu = n6vp::memmap::npu;

namespace {

// npuRAM4 and npuRAM5, at multiples of 64.
constexpr std::uint32_t kRam = 0x34270000, kOtherRam = 0x342E0000;

npu::Unit engine(std::uint32_t index) {
    return {&npu::kStreng, index};
}

UnitSettings row(std::uint32_t index, Direction direction, Address at, std::uint32_t bytes,
                 Frames frames = {}) {
    return row_engine(engine(index), direction, {at, at, bytes}, {bytes, 1, false}, frames);
}

UnitSettings raster(std::uint32_t index, Direction direction, Address at, const Raster& pattern,
                    Frames frames = {}) {
    return raster_engine(engine(index), direction, {at, at, 4096}, pattern, frames);
}

using Counted = std::vector<std::uint64_t>;

/// Returns the beats of a unit's pattern, those alone and those of longer bursts: 1000 cycles each,
/// and nothing else takes any but words.
Counted beats(const UnitSettings& unit) {
    NpuEpoch epoch;
    epoch.units = {unit};
    Counted list;
    for (const bool longer : {false, true}) {
        CostParameters cost;
        (longer                    ? cost.long_beat
         : unit.is_output_stream() ? cost.write_beat
                                   : cost.read_beat) = 1000;
        const EpochEstimate estimate = estimate_epoch(epoch, cost);
        const bool memory =
            estimate.bound == EpochBound::MemoryRead || estimate.bound == EpochBound::MemoryWrite;
        if (memory) CHECK((estimate.bound == EpochBound::MemoryWrite) == unit.is_output_stream());
        list.push_back(memory ? static_cast<std::uint64_t>(estimate.cycles) / 1000 : 0);
    }
    return list;
}

/// 3x3 kernels over 6x5 pixels of 2 channels, 3 kernels; each side with a pixel more.
UnitSettings convolution(std::uint32_t index, std::uint32_t stride = 1, std::uint32_t pad = 1) {
    UnitSettings unit({&npu::kConvacc, index});
    unit.set("CTRL.SIMD", 1);
    unit.set("KFORMAT.WIDTH", 3).set("KFORMAT.HEIGHT", 3);
    unit.set("KFORMAT.BTCDEPTH", 2).set("KFORMAT.NR", 3);
    unit.set("FHCROP.RIGHT", 11).set("FVCROP.BOTTOM", 4);
    unit.set("SAMPLE.HSTRD", stride).set("SAMPLE.VSTRD", stride);
    for (const char* field : {"SAMPLE.LPAD", "SAMPLE.RPAD", "SAMPLE.TPAD", "SAMPLE.BPAD"})
        unit.set(field, pad);
    return unit;
}

/// Features from engine 0 and `kernels` words of kernels from engine 1, `frames` times.
NpuEpoch convolved(const UnitSettings& unit, std::uint32_t kernels, std::uint32_t frames = 1,
                   Base weights = Base::Absolute) {
    NpuEpoch epoch;
    Raster picture;
    picture.width = 6;
    picture.height = 5;
    picture.size = 2;
    picture.pitch = 2;
    picture.line_pitch = 12;
    const std::uint32_t from = weights == Base::Absolute ? kOtherRam : 0;
    epoch.units = {raster(0, Direction::Input, {Base::Absolute, kRam}, picture, {frames, 64}),
                   row(1, Direction::Input, {weights, from}, kernels * frames), unit};
    epoch.link(engine(0), unit.unit(), 0);
    epoch.link(engine(1), unit.unit(), 1);
    return epoch;
}

double cycles(const NpuEpoch& epoch, const CostParameters& cost) {
    return estimate_epoch(epoch, cost).cycles;
}

CostParameters plain() {
    CostParameters cost;
    cost.multipliers = 100;
    return cost;
}

}  // namespace

TEST_CASE("estimate: beats of rows, of lines with gaps and of scattered pixels") {
    const Address ram{Base::Absolute, kRam};
    CHECK(beats(row(0, Direction::Input, ram, 96)) == Counted{0, 12});
    CHECK(beats(row(0, Direction::Output, ram, 72)) == Counted{1, 8});
    Raster pattern;
    pattern.width = 4;
    pattern.height = 3;
    pattern.size = 8;
    pattern.pitch = 8;
    pattern.line_pitch = 32;
    CHECK(beats(raster(0, Direction::Input, ram, pattern)) == Counted{0, 12});
    // Beyond 16 bits: 448 KiB further begins the next bank, which works beside this one.
    pattern.line_pitch = 0x38000;
    CHECK(beats(raster(0, Direction::Input, ram, pattern)) == Counted{0, 8});
    Raster apart;
    apart.width = 3;
    apart.size = 8;
    apart.pitch = 0x38000;
    CHECK(beats(raster(0, Direction::Input, ram, apart)) == Counted{2, 0});
    pattern.line_pitch = 40;  // lines begin at beats 0, 5 and 10
    CHECK(beats(raster(0, Direction::Input, ram, pattern)) == Counted{2, 10});
    pattern.pitch = 16;
    CHECK(beats(raster(0, Direction::Output, ram, pattern)) == Counted{12, 0});
    // One line: its pitch does not matter; one pixel a line: that of pixels does not.
    pattern.pitch = 8;
    pattern.height = 1;
    CHECK(beats(raster(0, Direction::Input, ram, pattern)) == Counted{0, 4});
    pattern.height = 4;
    pattern.width = 1;
    pattern.line_pitch = 8;
    pattern.pitch = 100;
    CHECK(beats(raster(0, Direction::Input, ram, pattern)) == Counted{0, 4});
    // Elements of three bytes.
    pattern = {};
    pattern.width = 8;
    pattern.pitch = 3;
    pattern.line_pitch = 24;
    pattern.element_bytes = 3;
    CHECK(beats(raster(0, Direction::Input, ram, pattern)) == Counted{1, 2});
    const UnitSettings packed =
        row_engine(engine(0), Direction::Input, {ram, ram, 24}, {8, 3, false}, {});
    CHECK(beats(packed) == Counted{1, 2});
}

TEST_CASE("estimate: beats of frames that follow each other, and of rounds of them") {
    const Address ram{Base::Absolute, kRam};
    // Bytes 0 to 7, 12 to 19 (beats 1 and 2) and 24 to 31.
    CHECK(beats(row(0, Direction::Input, ram, 8, {3, 12})) == Counted{4, 0});
    // At 0, 8, 100 (beats 12 and 13 together) and 108 (13 and 14).
    CHECK(beats(row(0, Direction::Input, ram, 8, {4, 8, 2, 100})) == Counted{4, 2});
    // At 0, 0, 12 and 12.
    CHECK(beats(row(0, Direction::Input, ram, 8, {4, 0, 2, 12})) == Counted{6, 0});
}

TEST_CASE("estimate: words, restarts, bytes and what is behind them") {
    NpuEpoch epoch;
    epoch.units = {row(0, Direction::Output, {Base::Absolute, kRam}, 40),
                   row(1, Direction::Input, {Base::Absolute, kRam}, 100, {3, 100}),
                   row(2, Direction::Input, {Base::Weights, 0}, 50)};
    epoch.multiplications = 1200;
    epoch.weight_bytes = 64;
    CostParameters cost = plain();
    cost.frame_restart = 7;
    EpochEstimate estimate = estimate_epoch(epoch, cost);
    CHECK(estimate.cycles == 3 * (100 + 7));
    CHECK(estimate.bound == EpochBound::Features);
    CHECK(estimate.written_bytes == 40);
    CHECK(estimate.read_bytes == 300);
    CHECK(estimate.flash_bytes == 50);
    // 1200 products on 400 multipliers; 64 bytes of weights at the rate of the flash.
    CHECK(estimate.least_cycles == 3);
    cost.flash_byte = 2;
    estimate = estimate_epoch(epoch, cost);
    CHECK(estimate.least_cycles == 128);
    // The first byte and all others.
    cost.flash_first = 300;
    estimate = estimate_epoch(epoch, cost);
    CHECK(estimate.cycles == 300 + 50 * 2);
    CHECK(estimate.bound == EpochBound::Flash);
    // A second reader: the first access again for every line of 64 bytes.
    epoch.units.push_back(row(3, Direction::Input, {Base::Weights, 64}, 10));
    cost.cache_line = 64;
    CHECK(cycles(epoch, cost) == 300 + 60 * (2 + 300.0 / 64));
    // Without flash weights come at the rate of long bursts.
    NpuEpoch inside;
    inside.units = {row(0, Direction::Output, {Base::Absolute, kRam}, 40)};
    inside.weight_bytes = 64;
    cost.long_beat = 4;
    CHECK(estimate_epoch(inside, cost).least_cycles == 32);
    CHECK(estimate_epoch(NpuEpoch{}, cost).cycles == 0);
}

TEST_CASE("estimate: engines of one bank add up, banks and directions do not") {
    NpuEpoch epoch;
    epoch.units = {row(0, Direction::Input, {Base::Absolute, kRam}, 64),
                   row(1, Direction::Input, {Base::Absolute, kRam + 128}, 64),
                   row(2, Direction::Input, {Base::Absolute, kOtherRam}, 64),
                   row(3, Direction::Output, {Base::Absolute, kRam + 256}, 64)};
    CostParameters cost = plain();
    cost.long_beat = 100;
    CHECK(cycles(epoch, cost) == 16 * 100);
    epoch.units.pop_back();
    epoch.units.erase(epoch.units.begin());
    CHECK(cycles(epoch, cost) == 8 * 100);
}

TEST_CASE("estimate: external RAM takes bursts, beats and lines of the cache, no bank") {
    NpuEpoch epoch;
    // Beats 0 to 8: a burst of eight and one of one.
    epoch.units = {row(0, Direction::Input, {Base::External, 0}, 72)};
    CostParameters cost = plain();
    cost.read_beat = cost.long_beat = 1000;
    CHECK(cycles(epoch, cost) == 72);
    cost.cache_line = 32;
    cost.cache_access = 100;
    cost.cache_beat = 10;
    EpochEstimate estimate = estimate_epoch(epoch, cost);
    CHECK(estimate.cycles == 2 * 100 + 9 * 10);
    CHECK(estimate.bound == EpochBound::Cache);
    epoch.units.push_back(row(1, Direction::Input, {Base::Weights, 0}, 64));
    cost.cache_miss = 50;
    CHECK(cycles(epoch, cost) == 2 * 100 + 9 * 10 + 64.0 / 32 * 50);
    // Nothing in external RAM: the cache alone is no term.
    epoch.units.erase(epoch.units.begin());
    CHECK(cycles(epoch, cost) == 64);
}

TEST_CASE("estimate: a convolution fills its lines first and ends with those below") {
    // 60 words in, 5 * 6 * 3 = 90 out; a line and a pixel of 2 channels ahead: (6 + 1) * 2 = 14.
    // 27 * 2 words of kernels come before.
    CostParameters cost = plain();
    const NpuEpoch epoch = convolved(convolution(0), 54);
    EpochEstimate estimate = estimate_epoch(epoch, cost);
    CHECK(estimate.cycles == 54 + 90 + 14);
    CHECK(estimate.bound == EpochBound::Outputs);
    cost.ram_first = 7;
    cost.frame_restart = 3;
    CHECK(cycles(epoch, cost) == 54 + 7 + 90 + 14 + 3);
    cost = plain();
    // All of 29 multipliers: 2 words more in each of the five lines, in and out.
    cost.multipliers = 29;
    CHECK(cycles(epoch, cost) == 54 + 90 + 14 + 5 * 2);
    // 27 are not more than 90 % of 30.
    cost.multipliers = 30;
    CHECK(cycles(epoch, cost) == 54 + 90 + 14);
    cost = plain();
    // Four frames: each as long as the longer of its kernels and its words.
    CHECK(cycles(convolved(convolution(0), 54, 4), cost) == 54 + 4 * 104);
    estimate = estimate_epoch(convolved(convolution(0), 200, 4), cost);
    CHECK(estimate.cycles == 4 * 200 + 104);
    CHECK(estimate.bound == EpochBound::Kernels);
    // A single frame waits for its kernels if they take longer than it.
    CHECK(estimate_epoch(convolved(convolution(0), 104), cost).bound == EpochBound::Outputs);
    CHECK(estimate_epoch(convolved(convolution(0), 105), cost).bound == EpochBound::Kernels);
}

TEST_CASE("estimate: strides, frames of zeros and cut features") {
    const CostParameters cost = plain();
    // Stride 2 without padding: 2 * 2 * 3 out, two lines and two pixels ahead: 28; 60 in.
    EpochEstimate estimate = estimate_epoch(convolved(convolution(0, 2, 0), 54), cost);
    CHECK(estimate.cycles == 54 + 60);
    CHECK(estimate.bound == EpochBound::Features);
    // A frame of zeros counts in elements: two for a pixel.
    UnitSettings framed = convolution(0, 1, 0);
    framed.set("ZFRAME.TOP", 1)
        .set("ZFRAME.BOTTOM", 1)
        .set("ZFRAME.LEFT", 2)
        .set("ZFRAME.RIGHT", 2);
    CHECK(cycles(convolved(framed, 54), cost) == 54 + 104);
    UnitSettings cut = convolution(0);
    cut.set("FHCROP.LEFT", 4).set("FHCROP.RIGHT", 15).set("FVCROP.TOP", 2).set("FVCROP.BOTTOM", 6);
    CHECK(cycles(convolved(cut, 54), cost) == 54 + 104);
    // One kernel: 30 out, 60 in. Two lines of results need the last line of features; but for one
    // of them, six words are late.
    UnitSettings few = convolution(0);
    few.set("KFORMAT.NR", 1);
    CHECK(cycles(convolved(few, 18), cost) == 18 + 60 + 6);
    // Two lines of padding below: another line of six.
    few.set("SAMPLE.BPAD", 2);
    CHECK(cycles(convolved(few, 18), cost) == 18 + 60 + 12);
    // Deep, or 1x1: nothing is ahead, nothing is late.
    UnitSettings deep = convolution(0);
    deep.set("CTRL.DEEPMODE", 1);
    CHECK(cycles(convolved(deep, 54), cost) == 54 + 90);
    UnitSettings single = convolution(0, 1, 0);
    single.set("KFORMAT.WIDTH", 1).set("KFORMAT.HEIGHT", 1);
    CHECK(cycles(convolved(single, 6), cost) == 6 + 90);
}

TEST_CASE("estimate: kernels from flash, links that skip frames, and units without an engine") {
    CostParameters cost = plain();
    cost.flash_byte = 2;
    cost.flash_first = 9;
    // 54 bytes take 108 cycles, more than the frame of 104.
    EpochEstimate estimate = estimate_epoch(convolved(convolution(0), 54, 1, Base::Weights), cost);
    CHECK(estimate.cycles == 108 + 9 + 104);
    CHECK(estimate.bound == EpochBound::Flash);
    estimate = estimate_epoch(convolved(convolution(0), 54, 4, Base::Weights), cost);
    CHECK(estimate.cycles == 108 + 9 + 3 * 108 + 104);
    cost.flash_byte = 0.5;
    CHECK(cycles(convolved(convolution(0), 54, 4, Base::Weights), cost) == 54 + 9 + 4 * 104);
    // The same over a link that passes on every third frame.
    NpuEpoch epoch = convolved(convolution(0), 54);
    epoch.link(engine(1), {&npu::kConvacc, 0}, 1, 2);
    CHECK(cycles(epoch, plain()) == 54 + 104);
    // Kernels from another unit: only the engines are known.
    epoch.link({&npu::kArith, 0}, {&npu::kConvacc, 0}, 1);
    CHECK(cycles(epoch, plain()) == 60);
    epoch = convolved(convolution(0), 54);
    epoch.link(engine(8), {&npu::kConvacc, 0}, 0);
    CHECK(cycles(epoch, plain()) == 60);
}

TEST_CASE("estimate: features are read after the first unit has its kernels") {
    NpuEpoch epoch = convolved(convolution(0), 54);
    const UnitSettings other = convolution(1);
    epoch.units.push_back(row(2, Direction::Input, {Base::Absolute, kOtherRam + 256}, 20));
    epoch.units.push_back(other);
    epoch.link(engine(0), other.unit(), 0);
    epoch.link(engine(2), other.unit(), 1);
    CostParameters cost = plain();
    cost.ram_first = 5;
    cost.long_beat = 1000;
    // 60 bytes of features are eight beats, 54 and 20 of kernels seven (one alone, which costs
    // nothing here) and three: six and two of longer bursts, in the other bank.
    CHECK(cycles(epoch, cost) == 20 + 5 + 8 * 1000);
}
