// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/convolution_rules.h"

#include <algorithm>

#include "models/npu/units/convolution_shape.h"

namespace n6vp::models::npu {
namespace {

using Rule = ConvolutionRule;

constexpr std::uint32_t kNoInputShift = 16;  // FSHIFT is biased
constexpr std::uint32_t kMaxInShift = 36;  // sums stay below 2^62 with 24-bit words and any kernels

std::uint32_t divide_up(std::uint32_t value, std::uint32_t by) {
    return (value + by - 1) / by;
}

/// Returns the 8x8, 16x8 or 16x16 multipliers that one cycle may use; the last is inferred.
std::uint32_t multipliers(std::uint32_t simd) {
    return simd == 1 ? kMultipliers8x8 : simd == 2 ? kMultipliers8x8 / 2 : kMultipliers8x8 / 4;
}

bool breaks_kernel_rules(const ConvolutionConfig& c, std::optional<Rule>& broken) {
    const auto& k = c.kformat;
    if (k.width == 0 || k.height == 0 || k.btcdepth == 0 || k.nr == 0)
        broken = Rule::EmptyKernel;
    else if (k.nr > kMaxKernels)
        broken = Rule::TooManyKernels;
    else if (c.sample.hstrd == 0 || c.sample.vstrd == 0)
        broken = Rule::NoStride;
    else if (c.dformat.obytes == 0 || c.dformat.fbytes == 0)
        broken = Rule::NoBytes;
    return broken.has_value();
}

bool breaks_mode_rules(const ConvolutionConfig& c, std::optional<Rule>& broken) {
    const auto& k = c.kformat;
    if (c.ctrl.deepmode && c.ctrl.dss2mode)
        broken = Rule::DeepAndPairs;
    else if (c.ctrl.fstat && (c.ctrl.deepmode || c.ctrl.dss2mode))
        broken = Rule::StoredPacked;
    else if (c.ctrl.fstat && c.sample.fstatcnt == 0)
        broken = Rule::StoredCount;
    else if (c.ctrl.deepmode && (k.width != 1 || k.height != 1))
        broken = Rule::DeepKernel;
    else if (c.ctrl.dss2mode && k.btcdepth % 2 != 0)
        broken = Rule::OddPairs;
    return broken.has_value();
}

bool breaks_picture_rules(const ConvolutionConfig& c, std::optional<Rule>& broken) {
    const std::uint32_t depth = c.kformat.btcdepth;
    const ConvolutionShape shape(c);
    const bool whole_end = c.fhcrop.right >= c.fformat.width || (c.fhcrop.right + 1) % depth == 0;
    if (c.fformat.width % depth != 0)
        broken = Rule::LineNotPixels;
    else if (c.fhcrop.left % depth != 0 || !whole_end || shape.crop_width == 0 ||
             shape.crop_height == 0)
        broken = Rule::Crop;
    else if (c.zframe.left % depth != 0 || c.zframe.right % depth != 0)
        broken = Rule::FrameNotPixels;
    else if (shape.out_width == 0 || shape.out_height == 0)
        broken = Rule::WindowTooLarge;
    return broken.has_value();
}

bool breaks_resource_rules(const ConvolutionConfig& c, std::optional<Rule>& broken) {
    const auto& k = c.kformat;
    const std::uint32_t per_kernel =
        c.ctrl.deepmode ? 3 : k.height * divide_up(k.width, c.sample.hstrd);
    const auto bad = [](const ConvolutionConfig::Filter& filter) {
        return filter.first > filter.last || filter.last >= filter.tot;
    };
    if (per_kernel * k.nr > multipliers(c.ctrl.simd))
        broken = Rule::Multipliers;
    else if (bad(c.kfilt))
        broken = Rule::KernelFilter;
    else if (c.ctrl.afiltmode != 0 && bad(c.afilt))
        broken = Rule::AccumulatorFilter;
    return broken.has_value();
}

/// Collects limits; the unit's name is the same for all.
class Collector {
  public:
    explicit Collector(std::vector<Limit>& limits) : limits_(limits) {}
    void when(bool used, const char* feature, const char* unknown) {
        if (used) limits_.push_back({"CONVACC", feature, unknown});
    }

  private:
    std::vector<Limit>& limits_;
};

void find_mode_limits(const ConvolutionConfig& c, Collector limits) {
    const auto& ctrl = c.ctrl;
    limits.when(ctrl.kt1, "CTRL.KT1", "what the bit does");
    limits.when(ctrl.fc, "CTRL.FC", "the fully connected mode");
    limits.when(c.iter.period != 0 || c.iter.number != 0 || c.iter.offset != 0, "ITER",
                "what iterates");
    limits.when(ctrl.afiltmode == 1, "CTRL.AFILTMODE=1", "which pixels are dropped");
    limits.when(ctrl.afiltmode == 2, "CTRL.AFILTMODE=2", "which frames are dropped");
    limits.when(ctrl.kseten != (ctrl.deepmode ? 3u : 0u), "CTRL.KSETEN",
                "values other than 3 in deep mode and 0 elsewhere");
    limits.when(ctrl.fstatclear, "CTRL.FSTATCLEAR", "what becomes of the stored frame");
    limits.when(ctrl.simd == 3, "CTRL.SIMD=3", "the width of the operands");
    limits.when(ctrl.deepmode && (ctrl.simd != 1 || c.dformat.fbytes == 2), "CTRL.DEEPMODE",
                "operands other than 8x8 bits");
    // FBYTES 1 and 2 differ in the layout that the engine reads, not in the arithmetic.
    limits.when(ctrl.dss2mode && (ctrl.simd != 1 || c.dformat.fbytes > 2), "CTRL.DSS2MODE",
                "operands other than 8x8 bits");
    limits.when(!ctrl.deepmode && !ctrl.dss2mode && c.dformat.fbytes == 3, "DFORMAT.FBYTES=3",
                "features of three bytes outside deep mode");
}

void find_data_limits(const ConvolutionConfig& c, Collector limits) {
    const auto& s = c.sample;
    const auto& d = c.dformat;
    limits.when(d.fshift != kNoInputShift, "DFORMAT.FSHIFT", "the direction of the input shift");
    limits.when(d.fsat, "DFORMAT.FSAT", "the limits of the input saturation");
    limits.when(d.round && d.outshift > 0 && (d.orndmode & 1) == 0, "DFORMAT.ORNDMODE",
                "rounding with bit 0 clear");
    limits.when(!c.ctrl.nosum && d.inshift > kMaxInShift, "DFORMAT.INSHIFT",
                "the width of the accumulator");
    const bool padded = s.lpad != 0 || s.rpad != 0 || s.tpad != 0 || s.bpad != 0;
    const bool all_frame = c.ctrl.deepmode || c.ctrl.dss2mode || c.zfbias != 0;
    limits.when(padded && all_frame, "SAMPLE pads",
                "pads in deep mode, in DSS2 mode or beside ZFBIAS");
    const bool wide = std::max(s.lpad, s.rpad) > std::min(c.kformat.width - 1, 2u) ||
                      std::max(s.tpad, s.bpad) > std::min(c.kformat.height - 1, 2u);
    limits.when(wide && !all_frame, "SAMPLE pads",
                "pads above 2 or above the kernel's size less one");
}

void find_size_limits(const ConvolutionConfig& c, Collector limits) {
    limits.when((c.fhcrop.right >= c.fformat.width && c.fhcrop.right != 0xFFFF) ||
                    (c.fvcrop.bottom >= c.fformat.height && c.fvcrop.bottom != 0xFFFF),
                "FHCROP, FVCROP", "a window that ends outside the feature map");
    const std::uint32_t taken = c.kfilt.last - c.kfilt.first + 1;
    limits.when(c.kformat.nr % taken != 0, "KFILT",
                "periods that do not end where a kernel set ends");
    const bool blocks = c.kfilt.tot == 1 || (taken == c.kformat.nr && c.kfilt.first % taken == 0 &&
                                             c.kfilt.tot % taken == 0);
    limits.when(c.ctrl.deepmode && !blocks, "KFILT in deep mode",
                "other shares than whole sets of every frame");
    const ConvolutionShape shape(c);
    const auto plane = std::uint64_t{shape.plane_width} * shape.plane_height * shape.depth;
    const auto picture = std::uint64_t{shape.width} * shape.height * shape.depth;
    const auto output = std::uint64_t{shape.out_width} * shape.out_height * shape.kernels;
    limits.when(std::max({plane, picture, output}) > kMaxPlaneElements, "FFORMAT, ZFRAME",
                "frames that no memory of the chip holds");
}

void find_assumptions(const ConvolutionConfig& c, Collector found) {
    found.when((c.dformat.orndmode & 2) != 0, "DFORMAT.ORNDMODE bit 1",
               "taken as: negative results become 0 before saturation or wrapping");
    found.when(c.dformat.raw && c.dformat.obytes != 3, "DFORMAT.RAW",
               "taken as without effect, as seen with OBYTES=3");
    found.when(c.ctrl.simd == 0, "CTRL.SIMD=0", "taken as: one 16-bit weight a kernel word");
    found.when(!c.ctrl.nosum && c.ctrl.no1sum && c.ctrl.afiltmode == 0, "CTRL.NO1SUM",
               "taken as: the first frame is not added, its words are read");
    const ConvolutionShape shape(c);
    found.when(shape.kernel_width * shape.kernel_height > 1 &&
                   shape.crop_width * shape.depth > kMaxLineElements,
               "FFORMAT.WIDTH",
               "lines of more than 1024 elements with kernels above 1x1; computed all the same");
}

}  // namespace

const char* rule_text(ConvolutionRule rule) {
    switch (rule) {
        case Rule::EmptyKernel:
            return "KFORMAT.WIDTH, HEIGHT, BTCDEPTH and NR are at least 1";
        case Rule::TooManyKernels:
            return "KFORMAT.NR is at most 24";
        case Rule::NoStride:
            return "SAMPLE.HSTRD and VSTRD are at least 1";
        case Rule::NoBytes:
            return "DFORMAT.FBYTES and OBYTES are at least 1";
        case Rule::DeepAndPairs:
            return "CTRL.DEEPMODE and DSS2MODE exclude each other";
        case Rule::StoredPacked:
            return "CTRL.FSTAT excludes DEEPMODE and DSS2MODE";
        case Rule::StoredCount:
            return "SAMPLE.FSTATCNT is at least 1 with CTRL.FSTAT";
        case Rule::DeepKernel:
            return "CTRL.DEEPMODE is for kernels of 1x1";
        case Rule::OddPairs:
            return "KFORMAT.BTCDEPTH is even with CTRL.DSS2MODE";
        case Rule::LineNotPixels:
            return "FFORMAT.WIDTH is a multiple of KFORMAT.BTCDEPTH";
        case Rule::Crop:
            return "FHCROP and FVCROP hold whole pixels of the feature map, at least one";
        case Rule::FrameNotPixels:
            return "ZFRAME.LEFT and RIGHT are multiples of KFORMAT.BTCDEPTH";
        case Rule::WindowTooLarge:
            return "the kernel fits into the feature map after crop, frame and pads";
        case Rule::Multipliers:
            return "HEIGHT*ceil(WIDTH/HSTRD)*NR (deep: 3*NR) is at most 72 (16x8: 36, 16x16: 18)";
        case Rule::KernelFilter:
            return "KFILT: FIRST <= LAST < TOT";
        case Rule::AccumulatorFilter:
            return "AFILT: FIRST <= LAST < TOT";
    }
    return "";
}

ConvolutionVerdict judge(const ConvolutionConfig& config) {
    ConvolutionVerdict verdict;
    if (breaks_kernel_rules(config, verdict.broken) || breaks_mode_rules(config, verdict.broken) ||
        breaks_picture_rules(config, verdict.broken) ||
        breaks_resource_rules(config, verdict.broken)) {
        verdict.illegal = rule_text(*verdict.broken);
        return verdict;
    }
    const Collector limits(verdict.limits);
    find_mode_limits(config, limits);
    find_data_limits(config, limits);
    find_size_limits(config, limits);
    find_assumptions(config, Collector(verdict.assumptions));
    return verdict;
}

}  // namespace n6vp::models::npu
