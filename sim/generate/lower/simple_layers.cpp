// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/simple_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "sim/generate/evaluate/fixed_point.h"
#include "sim/generate/lower/streams.h"

namespace n6vp::sim::generate {

namespace npu = memmap::npu;

namespace {

constexpr std::uint32_t kNoInputShift = 16;
constexpr std::uint32_t kMaxPoolLine = 1024, kMaxPoolDepth = 15;
// Extra bits of an average that an ARITH scales: a mean of int8 times 128 has 16 bits.
constexpr std::uint32_t kMeanBits = 7;

void set_inputs(UnitSettings& arith, std::uint32_t bytes) {
    arith.set("INSHIFTER.FBYTESX", bytes).set("INSHIFTER.FOBYTESX", bytes);
    arith.set("INSHIFTER.FSHIFTX", kNoInputShift).set("INSHIFTER.FSHIFTY", kNoInputShift);
    arith.set("INSHIFTER.FBYTESY", bytes).set("INSHIFTER.FOBYTESY", bytes);
}

/// Limits of a stage whose output has 16 bits.
constexpr OutputRange kWords{0, -32768, 32767};

void set_range(UnitSettings& arith, const OutputRange& range) {
    const bool words = range.low < -128 || range.high > 127;
    arith.set("CTRL.ROUND", 1).set("CTRL.SAT", 1).set("CTRL.ORNDMODE", 1);
    arith.set("CTRL.OBYTES", words ? 2 : 1);
    if (words || (range.low <= -128 && range.high >= 127)) return;
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

/// A part of a sum, with all bits of a link.
UnitSettings part_of_sum(npu::Unit unit, const PartSum& part) {
    UnitSettings arith(unit);
    set_inputs(arith, 1);
    arith.set("CTRL.ROUND", 1).set("CTRL.SAT", 1).set("CTRL.ORNDMODE", 1).set("CTRL.OBYTES", 3);
    arith.set("CTRL.DUALIN", 1).set("SHIFT.RES", part.res).set("SHIFT.C", part.c_shift);
    arith.set("COEFFAC.A", part.a).set("COEFFB.B", part.b).set("COEFFAC.C", part.c);
    return arith;
}

/// Joins the whole part and the fine one.
UnitSettings sum_of_parts(npu::Unit unit, const SumForm& form, const OutputRange& range) {
    UnitSettings arith(unit);
    set_inputs(arith, 3);
    set_range(arith, range);
    arith.set("CTRL.DUALIN", 1).set("SHIFT.RES", form.res);
    arith.set("COEFFAC.A", 1 << kFineBits).set("COEFFB.B", 1);
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
    for (std::uint32_t depth = std::min(layer.in.channels, kMaxPoolDepth); depth > 0; --depth) {
        if (layer.in.channels % depth == 0 && depth * layer.in.width <= kMaxPoolLine) return depth;
    }
    return 0;
}

/// The stages of a layer with one input: one, or two where the network rounds twice.
std::vector<AffineForm> stages_of(const ElementwiseLayer& layer) {
    const FixedMultiplier multiplier = fixed_multiplier(layer.x_scale);
    const std::int32_t low = layer.unsigned_input ? 0 : -128;
    const auto finished = [&](std::int64_t x, std::int32_t stored) {
        // What lies beyond the limits is cut to them.
        constexpr std::int64_t kFar = 1 << 20;
        const std::int32_t value = std::clamp(stored, layer.range.low, layer.range.high);
        return AllowedStep{x, value == layer.range.low ? -kFar : value,
                           value == layer.range.high ? kFar : value};
    };
    std::vector<AllowedStep> whole, first, second;
    for (std::int32_t x = low; x < low + 256; ++x) {
        const std::int32_t moved = x - layer.x_zero;
        whole.push_back(finished(
            x, saturate_word(std::int64_t{multiply(moved, multiplier)} + layer.range.zero_point)));
        const std::int32_t product = doubling_high_product(moved, multiplier.significand);
        first.push_back({x, product, product});
    }
    if (const auto form = exact_form(whole, layer.x_scale)) return {*form};
    const std::int32_t shift = -multiplier.exponent;
    if (shift <= 0 || shift > 31) {
        return {affine_form(layer.x_scale, layer.x_zero, 0, 0, layer.range.zero_point)};
    }
    for (std::int64_t x = first.front().low; x <= first.back().high; ++x) {
        const std::int32_t stored = rounding_shift(static_cast<std::int32_t>(x), shift);
        second.push_back(finished(x, stored + layer.range.zero_point));
    }
    const auto product = exact_form(first, std::ldexp(multiplier.significand, -31));
    const auto shifted = exact_form(second, std::ldexp(1.0, -shift));
    if (product && shifted) return {*product, *shifted};
    return {affine_form(layer.x_scale, layer.x_zero, 0, 0, layer.range.zero_point)};
}

/// Elements dealt out to chains of ARITH.
class ElementwiseLowering {
  public:
    ElementwiseLowering(const ElementwiseLayer& layer, Address x, Address y, Address output)
        : layer_(layer), x_(x), y_(y), output_(output) {
        if (layer.two_inputs) {
            sum_ = sum_form(layer.x_scale, layer.x_zero, layer.y_scale, layer.y_zero,
                            layer.range.zero_point);
        } else {
            stages_ = stages_of(layer);
        }
        if (sum_) length_ = 3;
        if (stages_.size() > 1) length_ = 2;
    }

    NpuEpoch run() {
        // Three engines a unit at most, so three units; parts are whole bursts.
        constexpr std::uint32_t kMaxUnits = 3, kArithUnits = 4, kGrain = 64;
        const std::uint32_t grains = (layer_.elements + kGrain - 1) / kGrain;
        const std::uint32_t chains =
            std::min({kMaxUnits, kArithUnits / length_, std::max(grains, 1u)});
        epoch_.name = layer_.name;
        epoch_.choice = fmt::format("elementwise, {} unit{}", chains * length_,
                                    chains * length_ == 1 ? "" : "s");
        if (length_ > 1 && chains > 1) epoch_.choice += fmt::format(" in {} chains", chains);
        for (std::uint32_t chain = 0; chain < chains; ++chain) {
            const std::uint32_t share =
                (grains / chains + (chain < grains % chains ? 1 : 0)) * kGrain;
            elements_ = std::min(share, layer_.elements - start_);
            add_chain(chain * length_);
            start_ += elements_;
        }
        assemble_units(epoch_, outputs_, computing_, inputs_);
        return std::move(epoch_);
    }

  private:
    UnitSettings engine(Direction direction, Address tensor) {
        return row_engine(engines_.next(), direction,
                          {tensor.plus(start_), tensor, layer_.elements}, {elements_, 1, false},
                          {});
    }
    npu::Unit input(Address tensor) {
        inputs_.push_back(engine(Direction::Input, tensor));
        return inputs_.back().unit();
    }

    void add_chain(std::uint32_t index) {
        const npu::Unit first{&npu::kArith, index}, last{&npu::kArith, index + length_ - 1};
        const npu::Unit x = input(x_);
        if (layer_.two_inputs) {
            add_sum(first, last, x, input(y_));
        } else {
            epoch_.link(x, first);
            if (length_ > 1) {
                epoch_.link(first, last);
                computing_.push_back(
                    one_input(first, stages_[0], layer_.unsigned_input ? 2 : 1, kWords));
                computing_.push_back(one_input(last, stages_[1], 2, layer_.range));
            } else {
                computing_.push_back(
                    one_input(first, stages_[0], layer_.unsigned_input ? 2 : 1, layer_.range));
            }
        }
        outputs_.push_back(engine(Direction::Output, output_));
        epoch_.link(last, outputs_.back().unit());
    }

    void add_sum(npu::Unit first, npu::Unit last, npu::Unit x, npu::Unit y) {
        if (!sum_) {
            epoch_.link(x, first);
            epoch_.link(y, first, 1);
            const AffineForm form = affine_form(layer_.x_scale, layer_.x_zero, layer_.y_scale,
                                                layer_.y_zero, layer_.range.zero_point);
            computing_.push_back(two_inputs(first, form, layer_.range));
            return;
        }
        const npu::Unit fine{&npu::kArith, first.index + 1};
        for (const npu::Unit unit : {first, fine}) {
            epoch_.link(x, unit);
            epoch_.link(y, unit, 1);
        }
        epoch_.link(first, last);
        epoch_.link(fine, last, 1);
        computing_.push_back(part_of_sum(first, sum_->whole));
        computing_.push_back(part_of_sum(fine, sum_->fine));
        computing_.push_back(sum_of_parts(last, *sum_, layer_.range));
    }

    const ElementwiseLayer& layer_;
    Address x_, y_, output_;
    std::optional<SumForm> sum_;      ///< of two inputs
    std::vector<AffineForm> stages_;  ///< of one
    std::uint32_t length_ = 1;        ///< units of a chain
    std::uint32_t start_ = 0, elements_ = 0;
    EnginePool engines_;
    NpuEpoch epoch_;
    std::vector<UnitSettings> outputs_, computing_, inputs_;
};

/// The largest reciprocal of `count` that has 15 bits, and its shift.
struct Reciprocal {
    std::uint32_t multiplier = 0, shift = 0;
};
Reciprocal reciprocal(std::uint32_t count) {
    constexpr std::uint32_t kMost = 32767;
    // Of an even count means may end on a half. A multiplier a little too large moves them away
    // from zero, as the networks' own rounding does, whatever the unit does with halves. Up to this
    // count it moves no other mean across a half.
    constexpr std::uint32_t kMaxWithHalves = 120;
    const bool above = count % 2 == 0 && count <= kMaxWithHalves;
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
        // Global modes: as compiled networks have it, one more than the feature map.
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
    return ElementwiseLowering(layer, x, y, output).run();
}

std::string pool_refusal(const PoolLayer& layer) {
    if (layer.window.pads.any()) return "padding";
    if (pool_depth(layer) == 0) return "lines of more than 1024 elements";
    constexpr std::uint32_t kMaxWindow = 7, kMaxStride = 15, kMaxSide = 4095;
    if (layer.in.height > kMaxSide) return "feature maps of more than 4095 lines";
    if (layer.kind == PoolKind::GlobalAverage) return "";
    if (layer.window.width > kMaxWindow || layer.window.height > kMaxWindow) {
        return "windows of more than 7 pixels a side";
    }
    if (layer.window.stride_width > kMaxStride || layer.window.stride_height > kMaxStride) {
        return "strides of more than 15 pixels";
    }
    return "";
}

NpuEpoch lower_pool(const PoolLayer& layer, Address input, Address output) {
    return PoolLowering(layer, input, output).run();
}

}  // namespace n6vp::sim::generate
