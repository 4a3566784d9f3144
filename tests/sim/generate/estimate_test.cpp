// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/estimate.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/generate/lower/streams.h"
#include "sim/platform/platform_parameters.h"

using namespace n6vp::sim::generate;
namespace npu = n6vp::memmap::npu;

namespace {

constexpr std::uint32_t kFeatureRam = 0x34270000, kResultRam = 0x342E0000;  // npuRAM4 and 5

/// A layer of one measured network, as its epoch was published: shapes and shares.
struct Layer {
    std::uint32_t width, height, channels, outputs;  ///< of the whole tensors
    std::uint32_t depth, kernels, frames;            ///< of a pass
    std::uint32_t window, pad;
    bool deep = false;
    std::uint32_t units = 1;
    bool planes = false;  ///< features channel by channel, not pixel by pixel
};

npu::Unit engine(std::uint32_t index) {
    return {&npu::kStreng, index};
}

UnitSettings convacc(const Layer& layer, std::uint32_t index) {
    UnitSettings unit({&npu::kConvacc, index});
    const std::uint32_t line = layer.width * layer.depth;
    unit.set("CTRL.SIMD", 1).set("CTRL.DEEPMODE", layer.deep);
    unit.set("KFORMAT.WIDTH", layer.window).set("KFORMAT.HEIGHT", layer.window);
    unit.set("KFORMAT.BTCDEPTH", layer.depth).set("KFORMAT.NR", layer.kernels);
    unit.set("FFORMAT.WIDTH", line).set("FFORMAT.HEIGHT", layer.height);
    unit.set("FHCROP.RIGHT", line - 1).set("FVCROP.BOTTOM", layer.height - 1);
    unit.set("SAMPLE.HSTRD", 1).set("SAMPLE.VSTRD", 1);
    for (const char* pad : {"SAMPLE.LPAD", "SAMPLE.RPAD", "SAMPLE.TPAD", "SAMPLE.BPAD"}) {
        unit.set(pad, layer.pad);
    }
    return unit;
}

Raster raster_of(const Layer& layer, std::uint32_t channels, std::uint32_t size, bool packed) {
    Raster raster;
    raster.width = layer.width;
    raster.height = layer.height;
    raster.size = size;
    raster.pitch = channels;
    raster.line_pitch = layer.width * channels;
    raster.element_bytes = packed ? 3 : 1;
    raster.packed = packed;
    return raster;
}

/// Kernels in flash: of all units over one engine, as compiled networks have it, or over `first`
/// and those before it.
void add_kernels(const Layer& layer, npu::Unit first, bool shared, NpuEpoch& epoch) {
    std::uint32_t set = layer.kernels * layer.window * layer.window * layer.depth;
    if (shared) set *= layer.units;
    if (layer.deep) set = (set + 2) / 3 * 3;
    for (std::uint32_t i = 0; i < layer.units; ++i) {
        const npu::Unit source = engine(shared ? first.index : first.index - i);
        epoch.link(source, {&npu::kConvacc, i}, 1);
        if (shared && i > 0) continue;
        epoch.units.push_back(weight_engine(source, {Base::Weights, i * layer.frames * set},
                                            layer.frames * set, layer.deep ? 3 : 1));
    }
}

/// The epoch with its weights in flash, one result engine behind an ARITH.
NpuEpoch epoch_of(const Layer& layer, bool shared_kernels = true) {
    NpuEpoch epoch;
    const std::uint32_t elements = layer.width * layer.height;
    const Address results{Base::Absolute, kResultRam};
    epoch.units.push_back(raster_engine(
        engine(0), Direction::Output, {results, results, elements * layer.outputs},
        raster_of(layer, layer.outputs, layer.kernels, false), {layer.frames, layer.kernels}));
    const npu::Unit arith{&npu::kArith, 0};
    epoch.units.emplace_back(arith);
    epoch.link(arith, engine(0));
    for (std::uint32_t i = 0; i < layer.units; ++i) {
        const npu::Unit unit{&npu::kConvacc, i};
        epoch.units.push_back(convacc(layer, i));
        const Address features{Base::Absolute, kFeatureRam};
        const std::uint32_t size = layer.deep ? (layer.depth + 2) / 3 : layer.depth;
        const npu::Unit source = engine(1 + i);
        const std::uint32_t next = layer.planes ? elements : layer.depth;
        epoch.units.push_back(raster_engine(
            source, Direction::Input,
            {features.plus(i * layer.depth), features, elements * layer.channels},
            raster_of(layer, layer.planes ? layer.depth : layer.channels, size, layer.deep),
            {layer.frames, layer.deep ? 0 : next}));
        epoch.link(source, unit, 0);
    }
    add_kernels(layer, engine(9), shared_kernels, epoch);
    epoch.link({&npu::kConvacc, layer.units - 1}, arith);
    return epoch;
}

}  // namespace

TEST_CASE("bursts are cut at their natural alignment") {
    const auto count = [](std::uint64_t address, std::uint64_t bytes) {
        BurstCount bursts;
        bursts.add_run(address, bytes);
        return bursts;
    };
    // Published: 129 bytes are two bursts of eight beats and a single one.
    CHECK(count(0, 129).single == 1);
    CHECK(count(0, 129).longer == 16);
    CHECK(count(8, 24).single == 1);  // beat 1, then 2 and 3
    CHECK(count(8, 24).longer == 2);
    CHECK(count(4, 8).single == 0);  // touches beats 0 and 1
    CHECK(count(4, 8).longer == 2);
    CHECK(count(12, 8).single == 2);  // beats 1 and 2
    CHECK(count(16, 0).single == 0);
}

// The three worked examples of the published closed form, rounded to its 35-cycle restarts.
TEST_CASE("a deep 1x1 layer of kws waits for its weights: 52,519 cycles") {
    const Layer layer{5, 25, 140, 140, 70, 20, 7, 1, 0, true, 2};
    const EpochEstimate estimate = estimate_epoch(epoch_of(layer));
    CHECK(estimate.cycles == doctest::Approx(52519).epsilon(1e-4));
    CHECK(estimate.bound == EpochBound::Flash);
    CHECK(estimate.flash_bytes == 7 * 2802);
    // Two engines that take turns: each of their 64-byte lines costs the first access again.
    const EpochEstimate turns = estimate_epoch(epoch_of(layer, false));
    const double set = 2802 * (2.515 + 155.0 / 64);
    CHECK(turns.cycles == doctest::Approx(7 * set + 155 + 3035));
    CHECK(turns.bound == EpochBound::Flash);
}

TEST_CASE("a depthwise layer with all multipliers in use: 89,684 cycles") {
    const Layer layer{14, 14, 384, 384, 8, 8, 48, 3, 1};
    const EpochEstimate estimate = estimate_epoch(epoch_of(layer));
    CHECK(estimate.cycles == doctest::Approx(89684).epsilon(1e-4));
    CHECK(estimate.bound == EpochBound::Outputs);
    CHECK(estimate.read_bytes == 14 * 14 * 384);
    CHECK(estimate.written_bytes == 14 * 14 * 384);
}

TEST_CASE("140 short frames: 23,418 cycles, strided writes hidden") {
    Layer layer{5, 25, 140, 140, 1, 1, 140, 3, 1};
    layer.planes = true;
    const EpochEstimate estimate = estimate_epoch(epoch_of(layer));
    CHECK(estimate.cycles == doctest::Approx(23418).epsilon(1e-4));
    CHECK(estimate.bound == EpochBound::Outputs);
    // Pixel by pixel, 17,500 reads of one beat take longer.
    layer.planes = false;
    const EpochEstimate scattered = estimate_epoch(epoch_of(layer));
    // The first 9 kernels come before any feature is read; a read takes 1.27 cycles at 900 MHz.
    CHECK(scattered.cycles == doctest::Approx(155 + 9 * 2.515 + 17500 * 1.27 / 0.9));
    CHECK(scattered.bound == EpochBound::MemoryRead);
}

TEST_CASE("an epoch without convolution is as long as its longest engine and its restarts") {
    NpuEpoch epoch;
    const Address from{Base::Absolute, kFeatureRam}, to{Base::Absolute, kResultRam};
    epoch.units.push_back(
        row_engine(engine(0), Direction::Output, {to, to, 4096}, {1024, 1, false}, {4, 1024}));
    epoch.units.push_back(
        row_engine(engine(1), Direction::Input, {from, from, 4096}, {1024, 1, false}, {4, 1024}));
    epoch.link(engine(1), engine(0));
    const EpochEstimate estimate = estimate_epoch(epoch);
    CHECK(estimate.cycles == 4 * (1024 + 35));
    CHECK(estimate.read_bytes == 4096);
    CHECK(estimate.written_bytes == 4096);
    CHECK(estimate.flash_bytes == 0);
}

TEST_CASE("single-beat writes bound an epoch that scatters its results") {
    NpuEpoch epoch;
    const Address from{Base::Absolute, kFeatureRam}, to{Base::Absolute, kResultRam};
    Raster scattered;
    scattered.width = 1000;
    scattered.pitch = 16;
    scattered.line_pitch = 16000;
    epoch.units.push_back(
        raster_engine(engine(0), Direction::Output, {to, to, 16000}, scattered, {}));
    epoch.units.push_back(
        row_engine(engine(1), Direction::Input, {from, from, 1000}, {1000, 1, false}, {}));
    epoch.link(engine(1), engine(0));
    const EpochEstimate estimate = estimate_epoch(epoch);
    CHECK(estimate.cycles == doctest::Approx(1000 * 1.05 / 0.9));
    CHECK(estimate.bound == EpochBound::MemoryWrite);
}

TEST_CASE("costs come from the platform's parameters") {
    n6vp::sim::PlatformParameters parameters;
    const CostParameters plain = costs_of(parameters);
    // Published: a byte of xSPI2 2.515 cycles, the first one 155; a strided read 1.41.
    CHECK(plain.flash_byte == doctest::Approx(2.515));
    CHECK(plain.flash_first == doctest::Approx(155));
    CHECK(plain.read_beat == doctest::Approx(1.41).epsilon(1e-3));
    CHECK(plain.per_core_cycle == doctest::Approx(1.25));
    const auto with = [](const char* setting) {
        n6vp::sim::PlatformParameters changed;
        n6vp::sim::apply_settings(changed, std::vector<std::string>{setting});
        return costs_of(changed);
    };
    CHECK(with("nor.lines=4").flash_byte == doctest::Approx(2 * plain.flash_byte));
    CHECK(with("nor.read_dummy_clocks=6").flash_first == doctest::Approx(155 - 14 * 5));
    CHECK(with("clock.xspi2=100").flash_byte == doctest::Approx(2 * plain.flash_byte));
    CHECK(with("clock.nic=450").read_beat == doctest::Approx(2 * plain.read_beat));
    CHECK(with("nic_ram.single_write_cycles=2.1").write_beat ==
          doctest::Approx(2 * plain.write_beat));
    CHECK(with("nic_ram.beat_cycles=2").long_beat == doctest::Approx(2 * plain.long_beat));
    CHECK(with("npu.frame_cycles=70").frame_restart == 70);
    CHECK(with("npu.fetch_cycles=8").controller_fetch == 8);
    CHECK(with("npu.mac_slots=36").multipliers == 36);
    CHECK(with("npu_cache.lookup_cycles=21.6").cache_access == doctest::Approx(24));
    CHECK(with("npu_cache.beat_cycles=4.5").cache_beat == doctest::Approx(5));
    CHECK(with("npu_cache.miss_cycles=243").cache_miss == doctest::Approx(270));
    CHECK(with("fabric.npu_nic_ram=40").ram_first == 40);
    // Half the clock: the same nanoseconds are half the cycles.
    CHECK(with("clock.npu=500").flash_first == doctest::Approx(77.5));
    CHECK(with("clock.npu=500").npu_hz == 500e6);
}
