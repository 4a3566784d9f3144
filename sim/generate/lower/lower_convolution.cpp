// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "sim/generate/lower/convolution_layer.h"
#include "sim/generate/lower/streams.h"

namespace n6vp::sim::generate {

namespace npu = memmap::npu;

namespace {

constexpr std::uint32_t kDeepGroup = 8;  // kernels whose weights alternate in a deep set
constexpr std::uint32_t kNoInputShift = 16;
constexpr std::uint32_t kFeatures = 0, kKernels = 1, kAccumulator = 2;

std::int32_t weight_of(const ConvolutionLayer& layer, std::uint32_t kernel, std::uint32_t tap,
                       std::uint32_t channel) {
    const std::uint32_t taps = layer.window.height * layer.window.width;
    if (layer.depthwise) {
        return kernel == channel ? layer.weights[std::size_t{tap} * layer.out.channels + kernel]
                                 : 0;
    }
    return layer.weights[(std::size_t{kernel} * taps + tap) * layer.in.channels + channel];
}

/// A layer, its plan, and the epoch that comes of them.
class Lowering {
  public:
    Lowering(const ConvolutionLayer& layer, const ConvolutionPlan& plan, Address input,
             Address output, WeightStore& weights)
        : layer_(layer), plan_(plan), input_(input), output_(output), weights_(weights) {
        const std::vector<ChannelScale> scales = channel_scales(layer);
        if (plan.whole_sums) {
            whole_ = whole_sums(scales, layer.range).value();
        } else {
            scale_ = requantise(scales, layer.range, layer.sums,
                                plan.rounds > 1 && layer.sums == SumWidth::Bits16);
        }
    }

    NpuEpoch run() {
        epoch_.name = layer_.name;
        epoch_.multiplications = layer_.multiplications();
        epoch_.weight_bytes = layer_.weights.size();
        epoch_.choice = plan_.text();
        shares_features_ = !layer_.depthwise;
        shares_kernels_ = can_share_kernels();
        for (std::uint32_t group = 0; group < plan_.groups; ++group) add_group(group);
        // Outputs are enabled first, inputs last.
        epoch_.units = std::move(outputs_);
        for (auto* units : {&computing_, &inputs_}) {
            for (UnitSettings& unit : *units) epoch_.units.push_back(std::move(unit));
        }
        return std::move(epoch_);
    }

  private:
    [[nodiscard]] std::uint32_t first_kernel(std::uint32_t group) const {
        return layer_.depthwise ? first_pass(group) * plan_.kernels
                                : group * plan_.frames * plan_.kernels;
    }
    /// Depthwise passes are dealt out as evenly as they go.
    [[nodiscard]] std::uint32_t first_pass(std::uint32_t group) const {
        const std::uint32_t passes = layer_.out.channels / plan_.kernels;
        return std::min(group * (passes / plan_.groups) + std::min(group, passes % plan_.groups),
                        passes);
    }
    [[nodiscard]] std::uint32_t passes(std::uint32_t group) const {
        return layer_.depthwise ? first_pass(group + 1) - first_pass(group) : plan_.frames;
    }

    void add_group(std::uint32_t group) {
        for (std::uint32_t stage = 0; stage < plan_.pipe; ++stage) add_unit(group, stage);
        const npu::Unit last = unit_of(group, plan_.pipe - 1);
        if (plan_.rounds > 1) epoch_.link(last, last, kAccumulator);
        if (!plan_.whole_sums && !narrows()) {
            const npu::Unit arith{&npu::kArith, group};
            epoch_.link(last, arith, 0, plan_.rounds - 1);
            add_arith(arith, group);
            return add_output(arith, group);
        }
        const npu::Unit first{&npu::kArith, 2 * group}, arith{&npu::kArith, 2 * group + 1};
        epoch_.link(last, first, 0, plan_.rounds - 1);
        epoch_.link(first, arith);
        if (plan_.whole_sums) {
            epoch_.link(first, arith, 1);
            add_offsets(first, group);
            add_product(arith, group);
        } else {
            add_narrowing(first);
            add_arith(arith, group);
        }
        add_output(arith, group);
    }

    /// Partial sums of rounds keep all of 24 bits; an ARITH of its own shifts the last, if any do.
    [[nodiscard]] bool narrows() const {
        return !plan_.whole_sums && plan_.rounds > 1 && layer_.sums == SumWidth::Bits24;
    }

    void add_narrowing(npu::Unit unit) {
        UnitSettings arith(unit);
        arith.set("CTRL.ROUND", 1).set("CTRL.SAT", 1).set("CTRL.ORNDMODE", 1);
        arith.set("CTRL.OBYTES", 3).set("COEFFAC.A", 1).set("SHIFT.RES", scale_.out_shift);
        arith.set("INSHIFTER.FBYTESX", 3).set("INSHIFTER.FOBYTESX", 3);
        computing_.push_back(std::move(arith));
    }

    [[nodiscard]] npu::Unit unit_of(std::uint32_t group, std::uint32_t stage) const {
        return {&npu::kConvacc, group * plan_.pipe + stage};
    }

    void add_unit(std::uint32_t group, std::uint32_t stage) {
        const npu::Unit unit = unit_of(group, stage);
        computing_.push_back(convacc(unit, stage));
        if (stage > 0) epoch_.link(unit_of(group, stage - 1), unit, kAccumulator);
        if (group == 0 || !shares_features_) {
            feature_engines_.at(stage) = engines_.next();
            inputs_.push_back(features(feature_engines_.at(stage), group, stage));
        }
        epoch_.link(feature_engines_.at(stage), unit, kFeatures);
        epoch_.link(kernel_engine(group, stage), unit, kKernels);
    }

    /// Engines that take turns at the flash begin anew with every line. One engine for all units
    /// reads it in one go: the link carries the sets of all units, frame by frame, and each takes
    /// its own (KFILT). Deep sets are padded to whole words, each by itself.
    [[nodiscard]] bool can_share_kernels() const {
        if (!weights_.in_place() || plan_.groups * plan_.pipe == 1) return false;
        for (std::uint32_t group = 1; group < plan_.groups; ++group) {
            if (passes(group) != passes(0)) return false;
        }
        return true;
    }

    /// Returns the engine that brings a unit's kernels: its own, or that of all of them.
    npu::Unit kernel_engine(std::uint32_t group, std::uint32_t stage) {
        if (shares_kernels_ && group + stage > 0) return shared_kernels_;
        const npu::Unit engine = engines_.next();
        shared_kernels_ = engine;
        const std::vector<std::uint8_t> bytes =
            shares_kernels_ ? kernel_stream({0, plan_.groups}, {0, plan_.pipe})
                            : kernel_stream({group, group + 1}, {stage, stage + 1});
        inputs_.push_back(weight_engine(engine, weights_.add(bytes),
                                        static_cast<std::uint32_t>(bytes.size()),
                                        plan_.deep ? 3 : 1));
        return engine;
    }

    struct Range {
        std::uint32_t first, end;
    };
    /// Frame by frame the sets of all these units.
    [[nodiscard]] std::vector<std::uint8_t> kernel_stream(Range groups, Range stages) const {
        std::vector<std::uint8_t> stream;
        const auto add = [&](std::uint32_t group, std::uint32_t stage, std::uint32_t pass,
                             std::uint32_t round) {
            const std::uint32_t first = first_kernel(group) + pass * plan_.kernels;
            const std::uint32_t channel = layer_.depthwise ? first : (stage + round) * plan_.depth;
            const std::vector<std::uint8_t> set = kernel_set(layer_, plan_, first, channel);
            stream.insert(stream.end(), set.begin(), set.end());
        };
        for (std::uint32_t pass = 0; pass < passes(groups.first); ++pass) {
            for (std::uint32_t round = 0; round < plan_.rounds; ++round) {
                for (std::uint32_t group = groups.first; group < groups.end; ++group) {
                    for (std::uint32_t stage = stages.first; stage < stages.end; ++stage) {
                        add(group, stage, pass, round);
                    }
                }
            }
        }
        return stream;
    }

    /// Pixels that the features' engine brings: a strided 1x1 kernel sees only those it needs.
    [[nodiscard]] bool skips_pixels() const {
        return plan_.deep && (layer_.window.stride_height > 1 || layer_.window.stride_width > 1);
    }
    [[nodiscard]] bool contiguous() const {
        return plan_.depth == layer_.in.channels && !skips_pixels();
    }

    UnitSettings features(npu::Unit engine, std::uint32_t group, std::uint32_t stage) const {
        const std::uint32_t first = layer_.depthwise ? first_kernel(group) : stage * plan_.depth;
        const Extent extent{input_.plus(first), input_, layer_.in.elements()};
        const std::uint32_t count = passes(group);
        const std::uint32_t element = plan_.deep ? 3 : 1;
        Frames frames{count * plan_.rounds, 0, 1, layer_.depthwise ? plan_.depth : 0};
        if (plan_.rounds > 1) frames = {count * plan_.rounds, plan_.depth, plan_.rounds, 0};
        if (contiguous()) {
            const std::uint32_t elements = (layer_.in.elements() + element - 1) / element;
            return row_engine(engine, Direction::Input, extent, {elements, element, plan_.deep},
                              frames);
        }
        Raster raster;
        raster.width = skips_pixels() ? layer_.out.width : layer_.in.width;
        raster.height = skips_pixels() ? layer_.out.height : layer_.in.height;
        raster.size = (plan_.depth + element - 1) / element;
        raster.pitch = layer_.in.channels * (skips_pixels() ? layer_.window.stride_width : 1);
        raster.line_pitch = layer_.in.width * layer_.in.channels *
                            (skips_pixels() ? layer_.window.stride_height : 1);
        raster.element_bytes = element;
        raster.packed = plan_.deep;
        return raster_engine(engine, Direction::Input, extent, raster, frames);
    }

    void add_output(npu::Unit arith, std::uint32_t group) {
        const npu::Unit engine = engines_.next();
        const std::uint32_t count = passes(group);
        const Extent extent{output_.plus(first_kernel(group)), output_, layer_.out.elements()};
        const Frames frames{count, plan_.kernels, count, 0};
        if (layer_.out.height * layer_.out.width == 1 || plan_.kernels == layer_.out.channels) {
            const std::uint32_t elements = layer_.out.height * layer_.out.width * plan_.kernels;
            outputs_.push_back(
                row_engine(engine, Direction::Output, extent, {elements, 1, false}, frames));
        } else {
            Raster raster;
            raster.width = layer_.out.width;
            raster.height = layer_.out.height;
            raster.size = plan_.kernels;
            raster.pitch = layer_.out.channels;
            raster.line_pitch = layer_.out.width * layer_.out.channels;
            outputs_.push_back(raster_engine(engine, Direction::Output, extent, raster, frames));
        }
        epoch_.link(arith, engine);
    }

    UnitSettings convacc(npu::Unit unit, std::uint32_t stage) const {
        UnitSettings conv(unit);
        // Partial sums leave the unit as they are: those of a pipe's stages, and those of rounds.
        const bool alone = stage == 0 && plan_.rounds == 1;
        const bool partial = stage + 1 < plan_.pipe || narrows();
        const std::uint32_t shift = partial || plan_.whole_sums ? 0 : scale_.out_shift;
        conv.set("CTRL.SIMD", 1).set("CTRL.NOSUM", alone).set("CTRL.NO1SUM", alone);
        if (plan_.deep) conv.set("CTRL.DEEPMODE", 1).set("CTRL.KSETEN", 3);
        if (plan_.rounds > 1) {
            conv.set("CTRL.AFILTMODE", 3).set("CTRL.GEN1SUM", 1);
            conv.set("AFILT.TOT", plan_.rounds).set("AFILT.FIRST", 1);
            conv.set("AFILT.LAST", plan_.rounds - 1);
        }
        conv.set("KFORMAT.WIDTH", layer_.window.width).set("KFORMAT.HEIGHT", layer_.window.height);
        conv.set("KFORMAT.BTCDEPTH", plan_.depth).set("KFORMAT.NR", plan_.kernels);
        if (shares_kernels_) {
            conv.set("KFILT.TOT", std::int64_t{plan_.groups} * plan_.pipe * plan_.kernels);
            const std::uint32_t first = unit.index * plan_.kernels;
            conv.set("KFILT.FIRST", first).set("KFILT.LAST", first + plan_.kernels - 1);
        }
        conv.set("DFORMAT.FSHIFT", kNoInputShift).set("DFORMAT.ORNDMODE", 1);
        conv.set("DFORMAT.ROUND", 1).set("DFORMAT.SAT", 1).set("DFORMAT.RAW", partial);
        conv.set("DFORMAT.OBYTES", partial ? 3 : static_cast<int>(layer_.sums));
        conv.set("DFORMAT.OUTSHIFT", shift);
        conv.set("DFORMAT.INSHIFT", plan_.rounds > 1 ? shift : 0);
        conv.set("DFORMAT.FBYTES", plan_.deep && contiguous() ? 3 : 1);
        set_picture(conv);
        return conv;
    }

    void set_picture(UnitSettings& conv) const {
        const Window& w = layer_.window;
        const std::uint32_t width = skips_pixels() ? layer_.out.width : layer_.in.width;
        const std::uint32_t height = skips_pixels() ? layer_.out.height : layer_.in.height;
        const std::uint32_t line = width * plan_.depth;
        conv.set("FFORMAT.WIDTH", line).set("FFORMAT.HEIGHT", height);
        conv.set("FHCROP.RIGHT", line - 1).set("FVCROP.BOTTOM", height - 1);
        conv.set("SAMPLE.HSTRD", skips_pixels() ? 1 : w.stride_width);
        conv.set("SAMPLE.VSTRD", skips_pixels() ? 1 : w.stride_height);
        if (!w.pads.any()) return;
        // The zero point is in the constants, so the padding of the feature map has its value. Only
        // a frame of zeros may be made by the pads.
        conv.set("ZFBIAS.ZFBIAS", layer_.input_zero);
        const bool zero = layer_.input_zero == 0;
        const std::uint32_t wide = zero ? std::min(w.width - 1, 2u) : 0;
        const std::uint32_t high = zero ? std::min(w.height - 1, 2u) : 0;
        const auto share = [&](std::uint32_t amount, std::uint32_t most, const char* pad,
                               const char* frame, std::uint32_t unit) {
            const std::uint32_t pads = std::min(amount, most);
            conv.set(pad, pads).set(frame, std::int64_t{amount - pads} * unit);
        };
        share(w.pads.left, wide, "SAMPLE.LPAD", "ZFRAME.LEFT", plan_.depth);
        share(w.pads.right, wide, "SAMPLE.RPAD", "ZFRAME.RIGHT", plan_.depth);
        share(w.pads.top, high, "SAMPLE.TPAD", "ZFRAME.TOP", 1);
        share(w.pads.bottom, high, "SAMPLE.BPAD", "ZFRAME.BOTTOM", 1);
    }

    void add_arith(npu::Unit unit, std::uint32_t group) {
        UnitSettings arith = by_channel(unit, group);
        finish(arith);
        arith.set("CTRL.COMBINEBC", 1).set("SHIFT.RES", scale_.res);
        set_bytes(arith, static_cast<std::uint32_t>(layer_.sums));
        for_each_channel(group, [&](std::uint32_t entry, std::size_t channel) {
            arith.set_coefficient(entry, scale_.factors[channel], scale_.constants[channel]);
        });
        computing_.push_back(std::move(arith));
    }

    /// Sum and offset, as whole numbers of 24 bits.
    void add_offsets(npu::Unit unit, std::uint32_t group) {
        UnitSettings arith = by_channel(unit, group);
        arith.set("CTRL.OBYTES", 3).set("CTRL.COMBINEBC", 1);
        set_bytes(arith, 3);
        for_each_channel(group, [&](std::uint32_t entry, std::size_t channel) {
            arith.set_coefficient(entry, whole_.sums[channel], whole_.offsets[channel]);
        });
        computing_.push_back(std::move(arith));
    }

    /// Both inputs are the sum: it is multiplied by both halves of the channel's factor.
    void add_product(npu::Unit unit, std::uint32_t group) {
        UnitSettings arith = by_channel(unit, group);
        finish(arith);
        set_bytes(arith, 3);
        arith.set("CTRL.DUALIN", 1).set("CTRL.COEFFC", 0);
        arith.set("SHIFT.RES", whole_.res).set("SHIFT.BY", kLowFactorBits);
        arith.set("SHIFT.C", whole_.res).set("COEFFAC.C", layer_.range.zero_point);
        for_each_channel(group, [&](std::uint32_t entry, std::size_t channel) {
            arith.set_coefficient(entry, whole_.high[channel], whole_.low[channel] * (1 << 16));
        });
        computing_.push_back(std::move(arith));
    }

    static void set_bytes(UnitSettings& arith, std::uint32_t bytes) {
        arith.set("INSHIFTER.FBYTESX", bytes).set("INSHIFTER.FOBYTESX", bytes);
        arith.set("INSHIFTER.FBYTESY", bytes).set("INSHIFTER.FOBYTESY", bytes);
    }

    /// The output's 8 bits.
    void finish(UnitSettings& arith) const {
        arith.set("CTRL.OBYTES", 1);
        if (layer_.range.low <= -128 && layer_.range.high >= 127) return;
        arith.set("CTRL.CLIPOUT", 1).set("CLIPRANGE.CLIPMIN", layer_.range.low);
        arith.set("CLIPRANGE.CLIPMAX", layer_.range.high);
    }

    /// An ARITH with coefficients of its own for every channel of a group.
    [[nodiscard]] UnitSettings by_channel(npu::Unit unit, std::uint32_t group) const {
        UnitSettings arith(unit);
        const std::uint32_t channels = passes(group) * plan_.kernels;
        const std::uint32_t pixels = layer_.out.height * layer_.out.width;
        arith.set("CTRL.ROUND", 1).set("CTRL.SAT", 1).set("CTRL.ORNDMODE", 1);
        for (const char* field :
             {"CTRL.COEFFA", "CTRL.COEFFB", "CTRL.COEFFC", "CTRL.CNT1", "CTRL.CNT2", "CTRL.CNT3"}) {
            arith.set(field, 1);
        }
        // Kernel by kernel, again for every pixel; the next kernels for every pass.
        arith.set("INCOFFSET.VAL", 1).set("RSTCNT1.RSTCNT", plan_.kernels - 1);
        arith.set("RSTCNT2.RSTCNT", pixels * plan_.kernels - 1);
        arith.set("RSTCNT3.RSTCNT", pixels * channels - 1);
        const auto back = [](std::uint32_t entries) {  // modulo the 512 entries
            return (512 - static_cast<std::int64_t>(entries)) % 512;
        };
        arith.set("ADDROFFSET.OFFSET1", back(plan_.kernels - 1)).set("ADDROFFSET.OFFSET2", 1);
        arith.set("ADDROFFSET.OFFSET3", back(channels - 1)).set("TRANSLATEADDR.EN", 1);
        return arith;
    }

    template <class Visit>
    void for_each_channel(std::uint32_t group, const Visit& visit) const {
        const std::uint32_t channels = passes(group) * plan_.kernels;
        for (std::uint32_t i = 0; i < channels; ++i) {
            visit(i, std::size_t{first_kernel(group)} + i);
        }
    }

    const ConvolutionLayer& layer_;
    const ConvolutionPlan& plan_;
    Address input_, output_;
    WeightStore& weights_;
    Requantisation scale_;  ///< without whole sums
    WholeSums whole_;       ///< with them
    bool shares_features_ = true, shares_kernels_ = false;
    EnginePool engines_;
    std::array<npu::Unit, 4> feature_engines_{};
    npu::Unit shared_kernels_;
    NpuEpoch epoch_;
    std::vector<UnitSettings> outputs_, computing_, inputs_;
};

}  // namespace

std::vector<std::uint8_t> kernel_set(const ConvolutionLayer& layer, const ConvolutionPlan& plan,
                                     std::uint32_t first, std::uint32_t channel) {
    const std::uint32_t taps = layer.window.height * layer.window.width;
    std::vector<std::uint8_t> set;
    set.reserve(std::size_t{taps} * plan.depth * plan.kernels + 2);
    const auto put = [&](std::uint32_t kernel, std::uint32_t tap, std::uint32_t c) {
        set.push_back(
            static_cast<std::uint8_t>(weight_of(layer, first + kernel, tap, channel + c)));
    };
    if (!plan.deep) {
        for (std::uint32_t k = 0; k < plan.kernels; ++k) {
            for (std::uint32_t tap = 0; tap < taps; ++tap) {
                for (std::uint32_t c = 0; c < plan.depth; ++c) put(k, tap, c);
            }
        }
        return set;
    }
    for (std::uint32_t group = 0; group < plan.kernels; group += kDeepGroup) {
        const std::uint32_t end = std::min(group + kDeepGroup, plan.kernels);
        for (std::uint32_t c = 0; c < plan.depth; ++c) {
            for (std::uint32_t k = group; k < end; ++k) put(k, 0, c);
        }
    }
    set.resize((set.size() + 2) / 3 * 3);
    return set;
}

std::vector<ChannelScale> channel_scales(const ConvolutionLayer& layer) {
    constexpr std::int64_t kLeast = -128, kMost = 127;
    const std::uint32_t taps = layer.window.height * layer.window.width;
    std::vector<ChannelScale> scales(layer.out.channels);
    for (std::uint32_t k = 0; k < layer.out.channels; ++k) {
        ChannelScale& scale = scales[k];
        std::int64_t sum = 0;
        const std::uint32_t first = layer.depthwise ? k : 0;
        const std::uint32_t end = layer.depthwise ? k + 1 : layer.in.channels;
        for (std::uint32_t tap = 0; tap < taps; ++tap) {
            for (std::uint32_t c = first; c < end; ++c) {
                const std::int64_t w = weight_of(layer, k, tap, c);
                sum += w;
                scale.least += w * (w > 0 ? kLeast : kMost);
                scale.most += w * (w > 0 ? kMost : kLeast);
            }
        }
        scale.multiplier = layer.multipliers[k];
        scale.rest = layer.input_zero * sum;
        scale.offset = layer.bias[k] - layer.input_zero * sum;
    }
    return scales;
}

NpuEpoch lower_convolution(const ConvolutionLayer& layer, const ConvolutionPlan& plan,
                           Address input, Address output, WeightStore& weights) {
    return Lowering(layer, plan, input, output, weights).run();
}

}  // namespace n6vp::sim::generate
