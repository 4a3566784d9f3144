// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/generate/lower/convolution_layer.h"
#include "sim/generate/lower/cost.h"

namespace n6vp::sim::generate {

namespace {

// Limits of a CONVACC: multipliers and kernels are documented, 128 channels and 1024 elements of a
// line are the most that compiled networks and their machine description have.
constexpr std::uint32_t kMultipliers = 72, kMaxKernels = 24, kMaxDepth = 128;
constexpr std::uint32_t kMaxLine = 1024, kMaxFrameElements = 255;
constexpr std::uint32_t kUnits = 4;
// A depthwise group has its own features, kernels and output: three engines of ten.
constexpr std::uint32_t kDepthwiseUnits = 3;

bool is_pointwise(const ConvolutionLayer& layer) {
    return layer.window.height == 1 && layer.window.width == 1 && !layer.window.pads.any();
}

bool is_one_pixel(const ConvolutionLayer& layer) {
    return layer.out.height == 1 && layer.out.width == 1 && is_pointwise(layer);
}

std::uint32_t divide_up(std::uint32_t value, std::uint32_t by) {
    return (value + by - 1) / by;
}

/// Returns true if all sums, and so those of a part, have 24 bits as links have.
bool has_narrow_sums(const std::vector<ChannelScale>& scales) {
    constexpr std::int64_t kMost = (1 << 23) - 1;
    return std::all_of(scales.begin(), scales.end(), [](const ChannelScale& scale) {
        return scale.least >= -kMost && scale.most <= kMost;
    });
}

/// Sides and strides that the fields of CONVACC and of the engines hold.
bool fits_fields(const ConvolutionLayer& layer, const ConvolutionPlan& plan) {
    constexpr std::uint32_t kMaxSide = 65535, kMaxKernelSide = 255, kMaxStride = 7;
    constexpr std::uint64_t kMaxOutputs = std::uint64_t{1} << 27;
    const Window& w = layer.window;
    const bool strides =
        plan.deep || (w.stride_height <= kMaxStride && w.stride_width <= kMaxStride);
    return strides && w.height <= kMaxKernelSide && w.width <= kMaxKernelSide &&
           layer.in.height <= kMaxSide && layer.out.height <= kMaxSide &&
           layer.out.width <= kMaxSide && std::uint64_t{layer.in.width} * plan.depth <= kMaxSide &&
           std::uint64_t{layer.out.height} * layer.out.width * layer.out.channels < kMaxOutputs;
}

bool fits_unit(const ConvolutionLayer& layer, const ConvolutionPlan& plan) {
    if (!fits_fields(layer, plan)) return false;
    const Window& w = layer.window;
    const std::uint32_t per_kernel = plan.deep ? 3 : w.height * divide_up(w.width, w.stride_width);
    const std::uint32_t coefficients = plan.frames * plan.kernels;
    const std::uint32_t columns = std::max(w.pads.left, w.pads.right);
    const std::uint32_t lines = std::max(w.pads.top, w.pads.bottom);
    return per_kernel * plan.kernels <= kMultipliers && plan.kernels <= kMaxKernels &&
           plan.depth <= kMaxDepth && coefficients <= kMaxCoefficients &&
           columns * plan.depth <= kMaxFrameElements && lines <= kMaxFrameElements;
}

/// Words of one pass of the features, as the engine brings them.
std::uint64_t feature_words(const ConvolutionLayer& layer, const ConvolutionPlan& plan) {
    if (!plan.deep) return std::uint64_t{layer.in.height} * layer.in.width * plan.depth;
    const std::uint64_t pixels = std::uint64_t{layer.out.height} * layer.out.width;
    if (plan.pipe == 1 && plan.rounds == 1) return (pixels * plan.depth + 2) / 3;
    return pixels * divide_up(plan.depth, 3);
}

BankWork bank_work(const ConvolutionLayer& layer, const ConvolutionPlan& plan) {
    BankWork work;
    const std::uint64_t passes = std::uint64_t{plan.frames} * plan.rounds;
    const std::uint64_t in_pixels = std::uint64_t{layer.in.height} * layer.in.width;
    const std::uint64_t out_pixels = std::uint64_t{layer.out.height} * layer.out.width;
    const bool whole = plan.depth == layer.in.channels;
    const Beats reads =
        whole ? beats_of(1, in_pixels * plan.depth) : beats_of(in_pixels, plan.depth);
    const std::uint64_t readers =
        passes * plan.pipe * (layer.depthwise ? plan.groups : std::uint64_t{1});
    work.single_reads = reads.single * readers;
    work.long_reads = reads.longer * readers;
    const Beats writes = plan.kernels == layer.out.channels ? beats_of(1, out_pixels * plan.kernels)
                                                            : beats_of(out_pixels, plan.kernels);
    work.single_writes = writes.single * plan.frames * plan.groups;
    work.long_writes = writes.longer * plan.frames * plan.groups;
    return work;
}

double cycles_of(const ConvolutionLayer& layer, const ConvolutionPlan& plan, bool in_place,
                 const CostParameters& costs) {
    const Window& w = layer.window;
    ConvolutionWork work;
    work.in_words = feature_words(layer, plan);
    work.out_words = std::uint64_t{layer.out.height} * layer.out.width * plan.kernels;
    const std::uint64_t set = std::uint64_t{w.height} * w.width * plan.depth * plan.kernels;
    work.set_words = plan.deep ? (set + 2) / 3 : set;
    work.set_bytes = set * plan.groups * plan.pipe;
    work.frames = std::uint64_t{plan.frames} * plan.rounds;
    work.line_words = std::uint64_t{layer.in.width} * plan.depth;
    work.lines_ahead = w.height - 1 - std::min(w.pads.top, w.height - 1);
    work.flash = in_place;
    return std::max(convolution_cycles(work, costs), bank_cycles(bank_work(layer, plan), costs));
}

/// Keeps the cheapest plan. A later one must be cheaper by more than the closed form can tell: it
/// has smaller passes, and more of them.
class Choice {
  public:
    Choice(const ConvolutionLayer& layer, bool in_place, const CostParameters& costs)
        : layer_(layer), in_place_(in_place), costs_(costs) {
        const std::vector<ChannelScale> scales = channel_scales(layer);
        narrow_sums_ = has_narrow_sums(scales);
        whole_sums_ = layer.sums == SumWidth::Bits24 && whole_sums(scales, layer.range);
    }

    void offer(ConvolutionPlan plan) {
        if (!fits_unit(layer_, plan)) return;
        if ((plan.pipe > 1 || plan.rounds > 1) && !narrow_sums_) return;
        // Two of the four ARITH for each group.
        if (whole_sums_ && plan.groups > kUnits / 2) return;
        plan.whole_sums = whole_sums_;
        plan.cycles = cycles_of(layer_, plan, in_place_, costs_);
        const bool long_line = !plan.deep && layer_.window.height * layer_.window.width > 1 &&
                               layer_.in.width * plan.depth > kMaxLine;
        if (best_ && (long_line > best_is_long_ || (long_line == best_is_long_ &&
                                                    plan.cycles >= kClearlyLess * best_->cycles))) {
            return;
        }
        best_ = plan;
        best_is_long_ = long_line;
    }
    [[nodiscard]] const std::optional<ConvolutionPlan>& best() const { return best_; }

  private:
    static constexpr double kClearlyLess = 0.97;
    const ConvolutionLayer& layer_;
    bool in_place_, narrow_sums_ = false, whole_sums_ = false;
    const CostParameters& costs_;
    std::optional<ConvolutionPlan> best_;
    bool best_is_long_ = false;
};

void offer_kernels(const ConvolutionLayer& layer, ConvolutionPlan plan, Choice& choice) {
    // Sums of 24 bits pass two of the four ARITH after rounds.
    plan.groups =
        plan.rounds > 1 && layer.sums == SumWidth::Bits24 ? kUnits / 2 : kUnits / plan.pipe;
    for (; plan.groups > 0; --plan.groups) {
        if (plan.pipe + plan.groups * plan.pipe + plan.groups > EnginePool::kEngines) continue;
        for (plan.kernels = kMaxKernels; plan.kernels > 0; --plan.kernels) {
            if (layer.out.channels % (plan.groups * plan.kernels) != 0) continue;
            plan.frames = layer.out.channels / (plan.groups * plan.kernels);
            choice.offer(plan);
        }
    }
}

void offer_dense(const ConvolutionLayer& layer, Choice& choice) {
    ConvolutionPlan plan;
    plan.deep = is_pointwise(layer);
    for (plan.pipe = 1; plan.pipe <= kUnits; ++plan.pipe) {
        if (layer.in.channels % plan.pipe != 0) continue;
        plan.depth = layer.in.channels / plan.pipe;
        offer_kernels(layer, plan, choice);
    }
    if (!is_one_pixel(layer)) return;
    // The unit's own output is its accumulator: for frames of one pixel only, which need no buffer.
    plan.pipe = 1;
    for (plan.rounds = 2; plan.rounds <= 255; ++plan.rounds) {
        if (layer.in.channels % plan.rounds != 0) continue;
        plan.depth = layer.in.channels / plan.rounds;
        offer_kernels(layer, plan, choice);
    }
}

void offer_depthwise(const ConvolutionLayer& layer, Choice& choice) {
    ConvolutionPlan plan;
    for (plan.groups = 1; plan.groups <= kDepthwiseUnits; ++plan.groups) {
        for (plan.kernels = 8; plan.kernels > 0; plan.kernels /= 2) {
            if (layer.out.channels % plan.kernels != 0) continue;
            const std::uint32_t passes = layer.out.channels / plan.kernels;
            if (passes < plan.groups) continue;
            plan.depth = plan.kernels;
            plan.frames = divide_up(passes, plan.groups);
            choice.offer(plan);
        }
    }
}

}  // namespace

std::string ConvolutionPlan::text() const {
    std::string text = deep ? "deep" : "8x8";
    text += fmt::format(", {} unit{}", groups * pipe, groups * pipe == 1 ? "" : "s");
    if (pipe > 1) text += fmt::format(" in pipes of {}", pipe);
    text += fmt::format(", {} channels to {} kernels, {} pass{}", depth, kernels, frames,
                        frames == 1 ? "" : "es");
    if (rounds > 1) text += fmt::format(" of {} rounds", rounds);
    return text;
}

bool overflows_links(const ConvolutionLayer& layer) {
    return !layer.depthwise && layer.in.channels > kMaxDepth &&
           !has_narrow_sums(channel_scales(layer));
}

std::optional<ConvolutionPlan> plan_convolution(const ConvolutionLayer& layer,
                                                bool weights_in_place,
                                                const CostParameters& costs) {
    Choice choice(layer, weights_in_place, costs);
    if (layer.depthwise)
        offer_depthwise(layer, choice);
    else
        offer_dense(layer, choice);
    return choice.best();
}

}  // namespace n6vp::sim::generate
