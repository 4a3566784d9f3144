// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/simple_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/generate/cost.h"
#include "sim/generate/streams.h"

namespace n6vp::sim::generate {

namespace npu = memmap::npu;

namespace {

constexpr std::uint32_t kNoInputShift = 16;
constexpr std::uint32_t kMostPoolLine = 1024, kMostPoolDepth = 15;
// Extra bits of an average that an ARITH scales: a mean of int8 times 128 has 16 bits.
constexpr std::uint32_t kMeanBits = 7;

void set_inputs(UnitSettings& arith, std::uint32_t bytes) {
    arith.set("INSHIFTER.FBYTESX", bytes).set("INSHIFTER.FOBYTESX", bytes);
    arith.set("INSHIFTER.FSHIFTX", kNoInputShift).set("INSHIFTER.FSHIFTY", kNoInputShift);
    arith.set("INSHIFTER.FBYTESY", bytes).set("INSHIFTER.FOBYTESY", bytes);
}

void set_range(UnitSettings& arith, const OutputRange& range) {
    arith.set("CTRL.ROUND", 1).set("CTRL.SAT", 1).set("CTRL.ORNDMODE", 1).set("CTRL.OBYTES", 1);
    if (range.low <= -128 && range.high >= 127) return;
    arith.set("CTRL.CLIPOUT", 1).set("CLIPRANGE.CLIPMIN", range.low);
    arith.set("CLIPRANGE.CLIPMAX", range.high);
}

/// A x + constant with the factors in the registers.
UnitSettings one_input(npu::Unit unit, const AffineForm& form, std::uint32_t bytes,
                       const OutputRange& range) {
    UnitSettings arith(unit);
    set_inputs(arith, bytes);
    set_range(arith, range);
    const auto constant = static_cast<std::uint32_t>(form.constant);
    arith.set("CTRL.COMBINEBC", 1).set("SHIFT.RES", form.res).set("COEFFAC.A", form.a);
    arith.set("COEFFB.B", constant >> 16).set("COEFFAC.C", constant & 0xFFFF);
    return arith;
}

UnitSettings two_inputs(npu::Unit unit, const AffineForm& form, const OutputRange& range) {
    UnitSettings arith(unit);
    set_inputs(arith, 1);
    set_range(arith, range);
    arith.set("CTRL.DUALIN", 1).set("SHIFT.RES", form.res).set("SHIFT.C", form.c_shift);
    arith.set("COEFFAC.A", form.a).set("COEFFB.B", form.b).set("COEFFAC.C", form.c);
    return arith;
}

/// Appends outputs, computing units, inputs: the order of enabling.
void assemble_units(NpuEpoch& epoch, std::vector<UnitSettings>& outputs,
                    std::vector<UnitSettings>& computing, std::vector<UnitSettings>& inputs) {
    for (auto* units : {&outputs, &computing, &inputs}) {
        for (UnitSettings& unit : *units) epoch.units.push_back(std::move(unit));
    }
}

std::uint32_t pool_depth(const PoolLayer& layer) {
    for (std::uint32_t depth = std::min(layer.in.channels, kMostPoolDepth); depth > 0; --depth) {
        if (layer.in.channels % depth == 0 && depth * layer.in.width <= kMostPoolLine) return depth;
    }
    return 0;
}

/// The largest reciprocal of `count` that has 15 bits, and its shift.
struct Reciprocal {
    std::uint32_t multiplier = 0, shift = 0;
};
Reciprocal reciprocal(std::uint32_t count) {
    constexpr std::uint32_t kMost = 32767;
    // Of an even count means may end on a half. A multiplier a little too large moves them away
    // from zero, as the networks' own rounding does, whatever the unit does with halves. Up to this
    // count it moves no other mean across a half.
    constexpr std::uint32_t kMostWithHalves = 120;
    const bool above = count % 2 == 0 && count <= kMostWithHalves;
    const auto multiplier = [&](std::uint32_t shift) {
        const std::uint64_t one = std::uint64_t{1} << shift;
        return above ? one / count + 1 : (one + count / 2) / count;
    };
    Reciprocal result;
    while (result.shift < 40 && multiplier(result.shift + 1) <= kMost) ++result.shift;
    result.multiplier = static_cast<std::uint32_t>(multiplier(result.shift));
    return result;
}

/// One POOL of a layer: `passes` groups of `depth` channels.
class PoolLowering {
  public:
    PoolLowering(const PoolLayer& layer, Address input, Address output)
        : layer_(layer), input_(input), output_(output), depth_(pool_depth(layer)) {}

    NpuEpoch run() {
        constexpr std::uint32_t kUnits = 2;
        const std::uint32_t passes = layer_.in.channels / depth_;
        const std::uint32_t units = std::min(passes, kUnits);
        epoch_.name = layer_.name;
        epoch_.choice = fmt::format("pool, {} unit{}, {} channels, {} passes", units,
                                    units == 1 ? "" : "s", depth_, passes);
        std::uint32_t first = 0;
        for (std::uint32_t unit = 0; unit < units; ++unit) {
            const std::uint32_t share = passes / units + (unit < passes % units ? 1 : 0);
            add_unit(unit, first * depth_, share);
            first += share;
        }
        assemble_units(epoch_, outputs_, computing_, inputs_);
        const CostParameters cost;
        const std::uint32_t longest = (passes + units - 1) / units;
        const std::uint32_t pass = layer_.in.height * layer_.in.width * depth_;
        epoch_.estimated_cycles = static_cast<std::uint64_t>(longest * (pass + cost.frame_restart));
        return std::move(epoch_);
    }

  private:
    [[nodiscard]] bool rescales() const {
        return layer_.kind == PoolKind::GlobalAverage &&
               (layer_.scale != 1 || layer_.input_zero != layer_.range.zero_point);
    }

    void add_unit(std::uint32_t index, std::uint32_t channel, std::uint32_t passes) {
        const npu::Unit pool{&npu::kPool, index}, in = engines_.next(), out = engines_.next();
        inputs_.push_back(picture_engine(in, Direction::Input, input_, layer_.in, channel, passes));
        computing_.push_back(pool_unit(pool));
        outputs_.push_back(
            picture_engine(out, Direction::Output, output_, layer_.out, channel, passes));
        epoch_.link(in, pool);
        if (!rescales()) return epoch_.link(pool, out);
        const npu::Unit arith{&npu::kArith, index};
        const double scale = std::ldexp(layer_.scale, -static_cast<int>(kMeanBits));
        AffineForm form =
            affine_form(scale, layer_.input_zero * (1 << kMeanBits), 0, 0, layer_.range.zero_point);
        computing_.push_back(one_input(arith, form, 2, layer_.range));
        epoch_.link(pool, arith);
        epoch_.link(arith, out);
    }

    UnitSettings picture_engine(npu::Unit engine, Direction direction, Address tensor,
                                const PictureShape& shape, std::uint32_t channel,
                                std::uint32_t passes) const {
        Raster raster;
        raster.width = shape.width;
        raster.height = shape.height;
        raster.size = depth_;
        raster.pitch = shape.channels;
        raster.line_pitch = shape.width * shape.channels;
        return raster_engine(engine, direction, {tensor.plus(channel), tensor, shape.elements()},
                             raster, {passes, depth_, passes, 0});
    }

    [[nodiscard]] UnitSettings pool_unit(npu::Unit unit) const {
        UnitSettings pool(unit);
        const std::uint32_t line = layer_.in.width * depth_;
        const bool global = layer_.kind == PoolKind::GlobalAverage;
        constexpr std::uint32_t kMax = 0, kAverage = 2, kGlobalAverage = 10;
        pool.set("CTRL.TYPE", global                         ? kGlobalAverage
                              : layer_.kind == PoolKind::Max ? kMax
                                                             : kAverage);
        pool.set("CTRL.ROUND", 1).set("CTRL.SAT", 1).set("CTRL.DUALLINE", 1).set("CTRL.CROPEN", 1);
        pool.set("CTRL.FBYTES", 1).set("CTRL.FSHIFT", kNoInputShift);
        pool.set("PDIMS.BSIZE", depth_);
        pool.set("PDIMS.STRDX", global ? 1 : layer_.window.stride_width);
        pool.set("PDIMS.STRDY", global ? 1 : layer_.window.stride_height);
        if (!global) {
            pool.set("PDIMS.WINX", layer_.window.width).set("PDIMS.WINY", layer_.window.height);
        }
        pool.set("FDIMS.FEATX", line).set("FDIMS.FEATY", layer_.in.height);
        // Global modes: as compiled networks have it, one more than the picture.
        pool.set("OUTDIMS.FEATX", global ? layer_.in.width + 1 : layer_.out.width);
        pool.set("OUTDIMS.FEATY", global ? layer_.in.height + 1 : layer_.out.height);
        pool.set("XCROP.RCROP", line - 1).set("YCROP.BCROP", layer_.in.height - 1);
        const std::uint32_t bytes = rescales() ? 2 : 1;
        pool.set("RNDCTRL.FOBYTES", 1).set("RNDCTRL.OBYTES", bytes).set("RNDCTRL.ORNDMODE", 1);
        if (layer_.kind == PoolKind::Max) return pool;
        const Reciprocal mean = reciprocal(global ? layer_.in.width * layer_.in.height
                                                  : layer_.window.width * layer_.window.height);
        pool.set("MULVAL.MULVAL", mean.multiplier);
        pool.set("CTRL.OUTSHIFT", mean.shift - (rescales() ? kMeanBits : 0));
        return pool;
    }

    const PoolLayer& layer_;
    Address input_, output_;
    std::uint32_t depth_;
    EnginePool engines_;
    NpuEpoch epoch_;
    std::vector<UnitSettings> outputs_, computing_, inputs_;
};

}  // namespace

NpuEpoch lower_elementwise(const ElementwiseLayer& layer, Address x, Address y, Address output) {
    // Three engines a unit at most, so three units; parts are whole bursts.
    constexpr std::uint32_t kMostUnits = 3, kGrain = 64;
    const std::uint32_t grains = (layer.elements + kGrain - 1) / kGrain;
    const std::uint32_t units = std::min(kMostUnits, grains);
    NpuEpoch epoch;
    epoch.name = layer.name;
    epoch.choice = fmt::format("elementwise, {} unit{}", units, units == 1 ? "" : "s");
    const AffineForm form =
        affine_form(layer.x_scale, layer.x_zero, layer.two_inputs ? layer.y_scale : 0, layer.y_zero,
                    layer.range.zero_point);
    EnginePool engines;
    std::vector<UnitSettings> outputs, computing, inputs;
    std::uint32_t start = 0;
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        const std::uint32_t share = (grains / units + (unit < grains % units ? 1 : 0)) * kGrain;
        const std::uint32_t elements = std::min(share, layer.elements - start);
        const npu::Unit arith{&npu::kArith, unit};
        const auto engine = [&](Direction direction, Address tensor) {
            return row_engine(engines.next(), direction,
                              {tensor.plus(start), tensor, layer.elements}, {elements, 1, false},
                              {});
        };
        inputs.push_back(engine(Direction::Input, x));
        epoch.link(inputs.back().unit(), arith);
        if (layer.two_inputs) {
            inputs.push_back(engine(Direction::Input, y));
            epoch.link(inputs.back().unit(), arith, 1);
            computing.push_back(two_inputs(arith, form, layer.range));
        } else {
            computing.push_back(one_input(arith, form, layer.unsigned_input ? 2 : 1, layer.range));
        }
        outputs.push_back(engine(Direction::Output, output));
        epoch.link(arith, outputs.back().unit());
        start += elements;
    }
    assemble_units(epoch, outputs, computing, inputs);
    epoch.estimated_cycles = (layer.elements + units - 1) / units + 35;
    return epoch;
}

std::string pool_refusal(const PoolLayer& layer) {
    if (layer.window.pads.any()) return "padding";
    if (pool_depth(layer) == 0) return "lines of more than 1024 elements";
    constexpr std::uint32_t kMostWindow = 7, kMostStride = 15, kMostSide = 4095;
    if (layer.in.height > kMostSide) return "pictures of more than 4095 lines";
    if (layer.kind == PoolKind::GlobalAverage) return "";
    if (layer.window.width > kMostWindow || layer.window.height > kMostWindow) {
        return "windows of more than 7 pixels a side";
    }
    if (layer.window.stride_width > kMostStride || layer.window.stride_height > kMostStride) {
        return "strides of more than 15 pixels";
    }
    return "";
}

NpuEpoch lower_pool(const PoolLayer& layer, Address input, Address output) {
    return PoolLowering(layer, input, output).run();
}

}  // namespace n6vp::sim::generate
