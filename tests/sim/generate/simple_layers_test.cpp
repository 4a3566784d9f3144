// SPDX-License-Identifier: Apache-2.0
// How elements and pooled feature maps are dealt out to ARITH and POOL, and what these refuse.
#include "sim/generate/lower/simple_layers.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace n6vp::sim::generate;
namespace npu = n6vp::memmap::npu;

namespace {

PoolLayer pool_of(PoolKind kind, PictureShape in, const Window& window) {
    PoolLayer layer;
    layer.kind = kind;
    layer.in = in;
    layer.window = window;
    layer.out = {(in.height - window.height) / window.stride_height + 1,
                 (in.width - window.width) / window.stride_width + 1, in.channels};
    return layer;
}

std::string refusal(PictureShape in, const Window& window, PoolKind kind = PoolKind::Max) {
    return pool_refusal(pool_of(kind, in, window));
}

const Address kFrom{Base::Absolute, 0x34200000}, kTo{Base::Absolute, 0x34270000};

std::string pool_choice(PictureShape in) {
    return lower_pool(pool_of(PoolKind::Max, in, {2, 2, 2, 2, {}}), kFrom, kTo).choice;
}

/// Multiplier and shift of the first POOL.
struct Scaled {
    std::uint32_t multiplier = 0, shift = 0;
    bool operator==(const Scaled& other) const {
        return multiplier == other.multiplier && shift == other.shift;
    }
};
Scaled mean_of(const PoolLayer& layer) {
    constexpr npu::Field kMultiplier = npu::field(npu::kPool, "MULVAL.MULVAL");
    constexpr npu::Field kShift = npu::field(npu::kPool, "CTRL.OUTSHIFT");
    constexpr npu::Register kAt = npu::reg(npu::kPool, "MULVAL");
    for (const UnitSettings& unit : lower_pool(layer, kFrom, kTo).units) {
        if (unit.unit().type != &npu::kPool) continue;
        return {npu::extract(unit.words().at(kAt.offset).value, kMultiplier),
                npu::extract(unit.control(), kShift)};
    }
    return {};
}

NpuEpoch elementwise(std::uint32_t elements, bool pair = false) {
    ElementwiseLayer layer;
    layer.elements = elements;
    layer.x_scale = pair ? 0.5 : 1;
    layer.y_scale = pair ? 0.25 : 0;
    layer.two_inputs = pair;
    return lower_elementwise(layer, kFrom, kFrom.plus(0x10000), kTo);
}

/// Address and elements of the engines of one direction.
struct Part {
    std::uint32_t at = 0, elements = 0;
    bool operator==(const Part& other) const {
        return at == other.at && elements == other.elements;
    }
};
std::vector<Part> parts(const NpuEpoch& epoch, bool written) {
    std::vector<Part> list;
    for (const UnitSettings& unit : epoch.units) {
        if (!unit.is_stream() || unit.is_output_stream() != written) continue;
        list.push_back({unit.words().at(0x08).value, unit.words().at(0x0C).value});
    }
    return list;
}

}  // namespace

TEST_CASE("pools: windows, strides and feature maps that the units take") {
    const Window two = {2, 2, 1, 1, {}};
    const std::string windows = "windows of more than 7 pixels a side";
    const std::string strides = "strides of more than 15 pixels";
    CHECK(refusal({20, 20, 4}, two) == "");
    CHECK(refusal({20, 20, 4}, {2, 2, 1, 1, {0, 0, 0, 1}}) == "padding");
    CHECK(refusal({20, 20, 4}, {7, 7, 1, 1, {}}) == "");
    CHECK(refusal({20, 20, 4}, {8, 7, 1, 1, {}}) == windows);
    CHECK(refusal({20, 20, 4}, {7, 8, 1, 1, {}}) == windows);
    CHECK(refusal({20, 20, 4}, {20, 20, 1, 1, {}}, PoolKind::GlobalAverage) == "");
    CHECK(refusal({20, 20, 4}, {2, 2, 15, 15, {}}) == "");
    CHECK(refusal({20, 20, 4}, {2, 2, 16, 15, {}}) == strides);
    CHECK(refusal({20, 20, 4}, {2, 2, 15, 16, {}}) == strides);
    CHECK(refusal({4095, 20, 4}, two) == "");
    CHECK(refusal({4096, 20, 4}, two) == "feature maps of more than 4095 lines");
    CHECK(refusal({20, 1024, 7}, two) == "");
    CHECK(refusal({20, 1025, 7}, two) == "lines of more than 1024 elements");
}

TEST_CASE("pools: groups of up to 15 channels whose lines have up to 1024 elements") {
    CHECK(pool_choice({8, 10, 15}) == "pool, 1 unit, 15 channels, 1 passes");
    CHECK(pool_choice({8, 10, 16}) == "pool, 2 units, 8 channels, 2 passes");
    CHECK(pool_choice({8, 10, 24}) == "pool, 2 units, 12 channels, 2 passes");
    CHECK(pool_choice({8, 10, 17}) == "pool, 2 units, 1 channels, 17 passes");
    CHECK(pool_choice({8, 128, 8}) == "pool, 1 unit, 8 channels, 1 passes");
    CHECK(pool_choice({8, 129, 8}) == "pool, 2 units, 4 channels, 2 passes");
}

TEST_CASE("pools: a mean multiplies by the reciprocal in 15 bits") {
    const auto window = [](std::uint32_t height, std::uint32_t width) {
        return mean_of(pool_of(PoolKind::Average, {20, 20, 4}, {height, width, 1, 1, {}}));
    };
    // 2^16 / 3 and 2^20 / 49; of even counts a little more.
    CHECK(window(1, 3) == Scaled{21845, 16});
    CHECK(window(7, 7) == Scaled{21400, 20});
    CHECK(window(2, 2) == Scaled{16384 + 1, 16});
    const auto whole = [](std::uint32_t height, std::uint32_t width, double scale) {
        PoolLayer layer =
            pool_of(PoolKind::GlobalAverage, {height, width, 4}, {height, width, 1, 1, {}});
        layer.scale = scale;
        return mean_of(layer);
    };
    // 2^21 / 120 = 17476.3 and 2^21 / 122 = 17189.8: above 120 the nearest.
    CHECK(whole(10, 12, 1) == Scaled{17476 + 1, 21});
    CHECK(whole(2, 61, 1) == Scaled{17190, 21});
    // An ARITH that changes the scale gets seven bits more.
    CHECK(whole(10, 12, 0.5) == Scaled{17476 + 1, 14});
}

TEST_CASE("elementwise: parts of 64 elements for up to three units") {
    CHECK(elementwise(1).choice == "elementwise, 1 unit");
    CHECK(elementwise(64).choice == "elementwise, 1 unit");
    CHECK(elementwise(65).choice == "elementwise, 2 units");
    CHECK(elementwise(128).choice == "elementwise, 2 units");
    CHECK(elementwise(129).choice == "elementwise, 3 units");
    CHECK(elementwise(5000).choice == "elementwise, 3 units");
    const NpuEpoch epoch = elementwise(200);
    CHECK(parts(epoch, false) ==
          std::vector<Part>{{0x34200000, 128}, {0x34200080, 64}, {0x342000C0, 8}});
    CHECK(parts(epoch, true) ==
          std::vector<Part>{{0x34270000, 128}, {0x34270080, 64}, {0x342700C0, 8}});
    // A sum takes three units: two parts of the factors, and one that adds them.
    const NpuEpoch sum = elementwise(200, true);
    CHECK(sum.choice == "elementwise, 3 units");
    CHECK(parts(sum, false) == std::vector<Part>{{0x34200000, 200}, {0x34210000, 200}});
    CHECK(parts(sum, true) == std::vector<Part>{{0x34270000, 200}});
}
