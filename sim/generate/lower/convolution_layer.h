// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/generate/lower/cost.h"
#include "sim/generate/lower/npu_epoch.h"
#include "sim/generate/lower/requantise.h"
#include "sim/generate/lower/weight_store.h"
#include "sim/generate/tflite/graph.h"

/// Convolutions, depthwise and dense, and fully connected layers: a plan of how the units share the
/// work, then the epoch.
namespace n6vp::sim::generate {

/// A layer in the numbers that the units need; batch 1, pictures [H][W][C].
struct ConvolutionLayer {
    std::string name;
    PictureShape in, out;
    Window window;
    bool depthwise = false;
    std::vector<std::int8_t> weights;  ///< [K][kh][kw][C], depthwise [kh][kw][C]
    std::vector<std::int32_t> bias;    ///< [K]
    std::int32_t input_zero = 0;
    std::vector<double> multipliers;  ///< [K], s_in * s_w / s_out
    OutputRange range;
    SumWidth sums = SumWidth::Bits24;

    [[nodiscard]] std::uint64_t multiplications() const {
        const std::uint64_t per_output =
            std::uint64_t{window.height} * window.width * (depthwise ? 1 : in.channels);
        return per_output * out.elements();
    }
};

/// How a layer is shared.
struct ConvolutionPlan {
    bool deep = false;          ///< three channels in a word; 1x1 only
    std::uint32_t depth = 1;    ///< channels of a pixel in one pass
    std::uint32_t kernels = 1;  ///< of a pass
    std::uint32_t pipe = 1;     ///< units that share the input's channels
    std::uint32_t rounds = 1;   ///< passes that add up in one unit
    std::uint32_t groups = 1;   ///< units, or pipes, that share the output's channels
    std::uint32_t frames = 1;   ///< passes of a group (depthwise: of the first, which has most)
    bool whole_sums = false;    ///< exact: two ARITH a group, see requantise.h
    double cycles = 0;          ///< closed form

    /// Returns "deep 1x1, 4 units, 16 kernels, 2 passes".
    [[nodiscard]] std::string text() const;
};

/// Returns the cheapest plan that the units can do, or nothing.
[[nodiscard]] std::optional<ConvolutionPlan> plan_convolution(
    const ConvolutionLayer& layer, bool weights_in_place,
    const CostParameters& costs = default_costs());

/// Returns true if the layer has too many input channels for one pass of a unit and sums that may
/// have more than the 24 bits of the links over which passes and units add them up.
[[nodiscard]] bool overflows_links(const ConvolutionLayer& layer);

/// Returns the epoch; its kernels go to `weights`. Requires a plan of `plan_convolution`.
[[nodiscard]] NpuEpoch lower_convolution(const ConvolutionLayer& layer, const ConvolutionPlan& plan,
                                         Address input, Address output, WeightStore& weights);

/// Returns scales and bounds of every output channel: what `requantise` works on.
[[nodiscard]] std::vector<ChannelScale> channel_scales(const ConvolutionLayer& layer);

/// Returns the kernel stream of `count` kernels from `first` on, of the channels from `channel` on:
/// in the order of the unit, for one pass.
[[nodiscard]] std::vector<std::uint8_t> kernel_set(const ConvolutionLayer& layer,
                                                   const ConvolutionPlan& plan, std::uint32_t first,
                                                   std::uint32_t channel);

}  // namespace n6vp::sim::generate
