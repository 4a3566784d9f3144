// SPDX-License-Identifier: Apache-2.0
#include "tests/models/npu/convolution_case.h"

#include <algorithm>
#include <span>

namespace n6vp::test {

using models::npu::Convolution;
using models::npu::ConvolutionConfig;
using models::npu::Word;
using reference::Tensor;
using reference::Ties;

namespace {

std::uint32_t number(int value) {
    return static_cast<std::uint32_t>(value);
}

std::size_t index(int value) {
    return static_cast<std::size_t>(value);
}

/// Returns a link word with random bits above the low `bits`.
Word littered(std::int64_t value, unsigned bits, Dice& dice) {
    const std::uint64_t low = (std::uint64_t{1} << bits) - 1;
    const std::uint64_t word = (static_cast<std::uint64_t>(value) & low) | (dice.bits() & ~low);
    const auto word24 = static_cast<std::int32_t>(word & 0xFFFFFF);
    return word24 >= 0x800000 ? word24 - 0x1000000 : word24;
}

/// Returns bytes, three a word, the last word filled with random ones.
void append_bytes(const std::vector<int>& bytes, ConvolutionCase::Words& words, Dice& dice) {
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::int64_t word = 0;
        unsigned bits = 0;
        for (std::size_t lane = 0; lane < 3 && i + lane < bytes.size(); ++lane, bits += 8)
            word += std::int64_t{bytes[i + lane] & 0xFF} << bits;
        words.push_back(littered(word, bits, dice));
    }
}

/// Returns a tensor of numbers of `bits`; now and then only the extremes, or small ones.
Tensor random_tensor(std::size_t size, int bits, bool is_unsigned, Dice& dice) {
    const int high = (1 << (is_unsigned ? bits : bits - 1)) - 1, low = is_unsigned ? 0 : -high - 1;
    const int manner = dice.roll(0, 9);
    Tensor tensor(size);
    for (auto& value : tensor) {
        if (manner == 0)
            value = low;
        else if (manner == 1)
            value = dice.once_in(2) ? low : high;
        else if (manner < 6)
            value = dice.roll(std::max(low, -128), std::min(high, 127));
        else
            value = dice.roll(low, high);
    }
    return tensor;
}

}  // namespace

std::uint64_t Dice::bits() {
    // SplitMix64.
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

int Dice::roll(int low, int high) {
    const auto span = static_cast<std::uint64_t>(std::int64_t{high} - low + 1);
    return static_cast<int>(low + static_cast<std::int64_t>(bits() % span));
}

ConvolutionConfig ConvolutionCase::config() const {
    ConvolutionConfig c;
    const auto& l = layer;
    const bool deep = link == Link::DeepContiguous || link == Link::DeepPixels;
    c.ctrl.nosum = !port;
    c.ctrl.no1sum = skip_first;
    c.ctrl.gen1sum = generated;
    c.ctrl.simd = simd;
    c.ctrl.afiltmode = filter_period == 0 ? 0 : 3;
    c.ctrl.funsigned = features_unsigned;
    c.ctrl.kunsigned = kernels_unsigned;
    c.ctrl.kseten = deep ? 3 : 0;
    c.ctrl.fstat = sets_per_frame != 0;
    c.ctrl.deepmode = deep;
    c.ctrl.dss2mode = link == Link::Pairs;
    c.kformat = {number(l.kernel_width), number(l.kernel_height), number(l.depth),
                 number(l.kernels)};
    c.sample = {number(l.pad_left),    number(l.pad_right), number(l.pad_top),
                number(l.pad_bottom),  number(l.stride_x),  number(l.stride_y),
                number(sets_per_frame)};
    c.dformat.inshift = number(l.in_shift);
    c.dformat.outshift = number(l.out_shift);
    c.dformat.orndmode = l.relu ? 3 : 1;
    c.dformat.round = l.ties != Ties::NoRounding;
    c.dformat.sat = l.saturate;
    c.dformat.obytes = number(l.out_bytes);
    c.dformat.fbytes = link == Link::DeepContiguous                ? 3
                       : link == Link::Pairs && pairs_of_two_bytes ? 2
                                                                   : feature_bytes;
    c.fformat = {number(l.width * l.depth), number(l.height)};
    // A whole line may be said with the reset value or with its last element.
    const bool open_right = l.crop_right == l.width - 1 && l.width % 2 == 0;
    const bool open_bottom = l.crop_bottom == l.height - 1 && l.height % 2 == 0;
    c.fhcrop = {number(l.crop_left * l.depth),
                open_right ? 0xFFFF : number((l.crop_right + 1) * l.depth - 1)};
    c.fvcrop = {number(l.crop_top), open_bottom ? 0xFFFF : number(l.crop_bottom)};
    if (units > 1)
        c.kfilt = {number(units * l.kernels), number(unit * l.kernels),
                   number((unit + 1) * l.kernels - 1)};
    if (picked != 0) c.kfilt = {number(period), number(first), number(first + picked - 1)};
    if (filter_period != 0)
        c.afilt = {number(filter_period), number(filter_first), number(filter_last)};
    c.zframe = {number(l.frame_left * l.depth), number(l.frame_right * l.depth),
                number(l.frame_top), number(l.frame_bottom)};
    c.fsub = l.zero_point;
    c.zfbias = l.frame_value;
    return c;
}

models::npu::Rounding ConvolutionCase::rounding() const {
    switch (layer.ties) {
        case Ties::AwayFromZero:
            return models::npu::Rounding::HalfAway;
        case Ties::ToEven:
            return models::npu::Rounding::HalfEven;
        default:
            return models::npu::Rounding::HalfUp;
    }
}

Tensor ConvolutionCase::features(Dice& dice) const {
    const auto size = index(layer.width) * index(layer.height) * index(layer.depth);
    return random_tensor(size, 8 * static_cast<int>(feature_bytes), features_unsigned, dice);
}

Tensor ConvolutionCase::weights(Dice& dice) const {
    const auto& l = layer;
    const int taps = l.kernel_width * l.kernel_height;
    Tensor tensor = random_tensor(index(l.kernels * taps * l.depth), simd == 0 ? 16 : 8,
                                  kernels_unsigned, dice);
    for (std::size_t i = 0; diagonal && i < tensor.size(); ++i) {
        const auto kernel = static_cast<int>(i) / (taps * l.depth);
        if (static_cast<int>(i) % l.depth != kernel + first_channel) tensor[i] = 0;
    }
    return tensor;
}

ConvolutionCase::Words ConvolutionCase::feature_words(const Tensor& features, Dice& dice) const {
    Words words;
    const int pixels = layer.width * layer.height, depth = layer.depth;
    std::vector<int> bytes(features.begin(), features.end());
    if (link == Link::Elements) {
        for (const auto value : features) words.push_back(littered(value, 8 * feature_bytes, dice));
    } else if (link == Link::Pairs) {
        for (std::size_t i = 0; i < bytes.size(); i += 2)
            words.push_back(littered((bytes[i] & 0xFF) + (bytes[i + 1] & 0xFF) * 256, 16, dice));
    } else if (link == Link::DeepContiguous) {
        append_bytes(bytes, words, dice);
    } else {
        for (int pixel = 0; pixel < pixels; ++pixel)
            append_bytes({bytes.begin() + std::ptrdiff_t{pixel} * depth,
                          bytes.begin() + (std::ptrdiff_t{pixel} + 1) * depth},
                         words, dice);
    }
    return words;
}

ConvolutionCase::Words ConvolutionCase::kernel_words(const Tensor& weights, Dice& dice) const {
    const auto& l = layer;
    const int size = l.kernel_width * l.kernel_height * l.depth;
    const int bits = simd == 0 ? 16 : 8;
    Words words;
    if (link == Link::DeepContiguous || link == Link::DeepPixels) {
        for (int u = 0; u < units; ++u) {
            const Tensor& mine =
                u == unit ? weights : random_tensor(weights.size(), 8, false, dice);
            std::vector<int> bytes;
            for (int group = 0; group < l.kernels; group += 8)
                for (int c = 0; c < l.depth; ++c)
                    for (int k = group; k < std::min(group + 8, l.kernels); ++k)
                        bytes.push_back(static_cast<int>(mine[index(k * size + c)]));
            append_bytes(bytes, words, dice);
        }
        return words;
    }
    const int period_kernels = picked != 0 ? period : units * l.kernels;
    const int from = picked != 0 ? first : unit * l.kernels;
    const int taken = picked != 0 ? picked : l.kernels;
    int kernel = 0;
    for (int k = 0; k < l.kernels / taken * period_kernels; ++k) {
        const bool mine = k % period_kernels >= from && k % period_kernels < from + taken;
        for (int i = 0; i < size; ++i)
            words.push_back(littered(
                mine ? weights[index(kernel * size + i)] : static_cast<std::int64_t>(dice.bits()),
                static_cast<unsigned>(bits), dice));
        if (mine) ++kernel;
    }
    return words;
}

bool ConvolutionCase::adds(int frame) const {
    if (!port) return false;
    if (frame == 0 && (skip_first || generated)) return false;
    if (filter_period == 0) return true;
    return frame % filter_period >= filter_first && frame % filter_period <= filter_last;
}

namespace {

void draw_picture(ConvolutionCase& which, Dice& dice) {
    auto& l = which.layer;
    l.width = dice.roll(1, 13);
    l.height = dice.roll(1, 9);
    l.crop_right = l.width - 1;
    l.crop_bottom = l.height - 1;
    if (dice.once_in(3)) {
        l.crop_left = dice.roll(0, l.width - 1);
        l.crop_right = dice.roll(l.crop_left, l.width - 1);
        l.crop_top = dice.roll(0, l.height - 1);
        l.crop_bottom = dice.roll(l.crop_top, l.height - 1);
    }
    if (dice.once_in(3)) {
        l.frame_left = dice.roll(0, 4);
        l.frame_right = dice.roll(0, 4);
        l.frame_top = dice.roll(0, 4);
        l.frame_bottom = dice.roll(0, 4);
        if (dice.once_in(2)) l.frame_value = dice.roll(-128, 127);
        if (dice.once_in(8)) l.frame_value = dice.once_in(2) ? -32768 : 32767;
    }
    if (l.frame_value == 0 && which.link == Link::Elements) {
        l.pad_left = dice.roll(0, std::min(2, l.kernel_width - 1));
        l.pad_right = dice.roll(0, std::min(2, l.kernel_width - 1));
        l.pad_top = dice.roll(0, std::min(2, l.kernel_height - 1));
        l.pad_bottom = dice.roll(0, std::min(2, l.kernel_height - 1));
    }
    // Small pictures are made large enough for the kernel by more frame.
    const int columns =
        l.pad_left + l.frame_left + l.crop_right - l.crop_left + 1 + l.frame_right + l.pad_right;
    const int lines =
        l.pad_top + l.frame_top + l.crop_bottom - l.crop_top + 1 + l.frame_bottom + l.pad_bottom;
    l.frame_right += std::max(0, l.kernel_width - columns);
    l.frame_bottom += std::max(0, l.kernel_height - lines);
}

void draw_output(ConvolutionCase& which, Dice& dice) {
    auto& l = which.layer;
    l.out_shift = dice.once_in(12) ? dice.roll(0, 63) : dice.roll(0, 12);
    l.out_bytes = dice.roll(1, 3);
    l.saturate = !dice.once_in(4);
    l.relu = dice.once_in(8);
    l.ties = dice.once_in(2) ? Ties::Up : static_cast<Ties>(dice.roll(0, 3));
    which.features_unsigned = dice.once_in(3);
    which.kernels_unsigned = dice.once_in(6);
    if (dice.once_in(2)) l.zero_point = dice.roll(-128, 127);
    if (dice.once_in(20)) l.zero_point = dice.roll(-0x800000, 0x7FFFFF);
    if (dice.once_in(3)) {
        which.port = true;
        l.in_shift = dice.once_in(12) ? dice.roll(0, 36) : dice.roll(0, 8);
    }
}

}  // namespace

ConvolutionCase draw_case(Dice& dice, unsigned simd) {
    ConvolutionCase which;
    auto& l = which.layer;
    which.simd = simd;
    which.feature_bytes = simd == 1 ? 1 : 2;
    const int multipliers = simd == 1 ? 72 : simd == 2 ? 36 : 18;
    int at_once = 0;
    do {
        l.kernel_width = dice.roll(1, 5);
        l.kernel_height = dice.roll(1, 5);
        l.stride_x = dice.roll(1, 3);
        l.stride_y = dice.roll(1, 3);
        at_once = l.kernel_height * ((l.kernel_width + l.stride_x - 1) / l.stride_x);
    } while (at_once > multipliers);
    l.kernels = dice.roll(1, std::min(24, multipliers / at_once));
    l.depth = dice.roll(1, 17);
    draw_picture(which, dice);
    draw_output(which, dice);
    return which;
}

ConvolutionCase draw_deep_case(Dice& dice, Link link) {
    ConvolutionCase which;
    auto& l = which.layer;
    which.link = link;
    l.kernels = dice.roll(1, 24);
    l.depth = dice.roll(1, dice.once_in(4) ? 255 : 60);
    l.stride_x = dice.roll(1, 2);
    l.stride_y = dice.roll(1, 2);
    draw_picture(which, dice);
    draw_output(which, dice);
    if (dice.once_in(3)) {
        which.units = dice.roll(2, 4);
        which.unit = dice.roll(0, which.units - 1);
    }
    return which;
}

namespace {

/// Words of one frame on the ports.
struct FrameWords {
    std::uint64_t frame = 0;
    ConvolutionCase::Words features, kernels, sums;
};

/// Computes a frame from features that come in portions, each output some time after it can be.
/// Returns false if the unit contradicts itself about when that is.
bool compute_in_portions(Convolution& unit, const FrameWords& words, Dice& dice,
                         ConvolutionCase::Words& out) {
    unit.begin(words.frame, words.kernels);
    std::size_t came = 0, given = 0;
    const std::size_t pixel = unit.pixel_words();
    while (came < words.features.size() || given < out.size()) {
        const int most = dice.once_in(4) ? 1 : dice.once_in(2) ? 30 : 100000;
        const std::size_t some = std::min(index(dice.roll(0, most)), words.features.size() - came);
        unit.add_features(std::span(words.features).subspan(came, some));
        came += some;
        const std::size_t ready = unit.computable();
        if (ready > out.size() || ready < given) return false;
        if (!words.features.empty()) {
            if (ready > 0 && unit.features_needed(ready - 1) > came) return false;
            if (ready < out.size() && unit.features_needed(ready) <= came) return false;
        }
        const std::size_t pixels = index(dice.roll(0, static_cast<int>((ready - given) / pixel)));
        const std::size_t count =
            came == words.features.size() && dice.once_in(3) ? ready - given : pixels * pixel;
        const auto sums = words.sums.empty() ? std::span<const Word>()
                                             : std::span(words.sums).subspan(given, count);
        unit.compute(sums, std::span(out).subspan(given, count));
        given += count;
    }
    return true;
}

}  // namespace

bool agrees(const ConvolutionCase& which, Dice& dice, bool& computable) {
    const ConvolutionConfig config = which.config();
    computable = models::npu::judge(config).computable();
    if (!computable) return false;
    Convolution unit(config, which.rounding()), other(config, which.rounding());
    Tensor features;
    for (int frame = 0; frame < which.frames; ++frame) {
        const auto at = static_cast<std::uint64_t>(frame);
        const bool fresh = which.sets_per_frame == 0 || frame % which.sets_per_frame == 0;
        if (fresh) features = which.features(dice);
        const Tensor weights = which.weights(dice);
        const auto feature_words =
            fresh ? which.feature_words(features, dice) : ConvolutionCase::Words();
        const auto kernel_words = which.kernel_words(weights, dice);
        const auto size =
            index(which.layer.out_width() * which.layer.out_height()) * index(which.layer.kernels);
        Tensor sums = random_tensor(size, 24, false, dice);
        ConvolutionCase::Words sum_words(sums.begin(), sums.end());
        const bool taken = which.port && !(which.generated && frame == 0);
        if (!taken) sum_words.clear();
        if (!which.adds(frame)) sums.clear();
        const Tensor expected = reference::convolve(which.layer, features, weights, sums);

        if (unit.feature_words(at) != feature_words.size() ||
            unit.kernel_words() != kernel_words.size() ||
            unit.accumulator_words(at) != sum_words.size() ||
            unit.output_words() != expected.size())
            return false;
        ConvolutionCase::Words out(expected.size());
        unit.compute(at, feature_words, kernel_words, sum_words, out);
        if (!std::equal(expected.begin(), expected.end(), out.begin())) return false;
        ConvolutionCase::Words parts(expected.size());
        const FrameWords words{at, feature_words, kernel_words, sum_words};
        if (!compute_in_portions(other, words, dice, parts) || parts != out) return false;
    }
    return true;
}

}  // namespace n6vp::test
