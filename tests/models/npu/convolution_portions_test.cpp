// SPDX-License-Identifier: Apache-2.0
// Which features an output waits for: exactly those on which the reference's output depends.
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "tests/models/npu/convolution_case.h"

namespace {

using namespace n6vp::test;
using n6vp::models::npu::Convolution;
using reference::Tensor;

/// Adds one to the features that word `word` of the link carries.
void change_word(const ConvolutionCase& which, std::size_t word, Tensor& features) {
    const auto depth = static_cast<std::size_t>(which.layer.depth);
    std::size_t first = word, count = 1, end = features.size();
    if (which.link == Link::Pairs) {
        first = 2 * word;
        count = 2;
    } else if (which.link == Link::DeepContiguous) {
        first = 3 * word;
        count = 3;
    } else if (which.link == Link::DeepPixels) {
        const std::size_t words = (depth + 2) / 3, pixel = word / words;
        first = pixel * depth + word % words * 3;
        count = 3;
        end = (pixel + 1) * depth;
    }
    for (std::size_t i = first; i < std::min(first + count, end); ++i) ++features[i];
}

/// Returns the first output that differs.
std::size_t first_change(const Tensor& before, const Tensor& after) {
    const auto [at, other] = std::mismatch(before.begin(), before.end(), after.begin());
    return static_cast<std::size_t>(at - before.begin());
}

/// Compares what the unit says of random outputs with what the reference's outputs depend on.
void compare(std::uint64_t seed, Link link) {
    Dice dice(seed);
    for (int i = 0; i < 400; ++i) {
        CAPTURE(i);
        ConvolutionCase which = link == Link::Elements || link == Link::Pairs
                                    ? draw_case(dice, 1)
                                    : draw_deep_case(dice, link);
        auto& layer = which.layer;
        if (link == Link::Pairs) {
            which.link = link;
            layer.depth = 2 * dice.roll(1, 8);
            layer.frame_left += std::exchange(layer.pad_left, 0);
            layer.frame_right += std::exchange(layer.pad_right, 0);
            layer.frame_top += std::exchange(layer.pad_top, 0);
            layer.frame_bottom += std::exchange(layer.pad_bottom, 0);
        }
        layer.zero_point = layer.out_shift = 0;
        layer.out_bytes = 3;
        layer.relu = false;
        which.port = false;
        const Convolution unit(which.config());
        const auto pixels =
            static_cast<std::size_t>(layer.width) * static_cast<std::size_t>(layer.height);
        Tensor features(pixels * static_cast<std::size_t>(layer.depth));
        for (auto& feature : features) feature = dice.roll(-100, 100);
        const Tensor weights(static_cast<std::size_t>(layer.kernels * layer.kernel_width *
                                                      layer.kernel_height * layer.depth),
                             1);
        const Tensor before = reference::convolve(layer, features, weights, {});
        const auto output =
            static_cast<std::size_t>(dice.roll(0, static_cast<int>(before.size()) - 1));
        const std::size_t needed = unit.features_needed(output);
        REQUIRE(needed <= unit.feature_words(0));
        if (needed > 0) {
            Tensor changed = features;
            change_word(which, needed - 1, changed);
            const Tensor after = reference::convolve(layer, changed, weights, {});
            REQUIRE(first_change(before, after) <= output);
        }
        Tensor later = features;
        for (std::size_t word = needed; word < unit.feature_words(0); ++word)
            change_word(which, word, later);
        const Tensor after = reference::convolve(layer, later, weights, {});
        REQUIRE(first_change(before, after) > output);
    }
}

}  // namespace

TEST_CASE("an output waits for the features it depends on: one element a word") {
    compare(31, Link::Elements);
}

TEST_CASE("an output waits for the features it depends on: two channels a word") {
    compare(32, Link::Pairs);
}

TEST_CASE("an output waits for the features it depends on: deep, three bytes a word") {
    compare(33, Link::DeepContiguous);
}

TEST_CASE("an output waits for the features it depends on: deep, each pixel begins a word") {
    compare(34, Link::DeepPixels);
}
