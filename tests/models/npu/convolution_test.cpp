// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <functional>
#include <utility>

#include "tests/models/npu/convolution_case.h"

// Every mode of the convolution unit against the test's own scalar reference, bit for bit.

namespace {

using namespace n6vp::test;

constexpr int kCases = 1000;

/// Draws cases until `kCases` were compared; `draw` makes each of them.
void compare(std::uint64_t seed, const std::function<ConvolutionCase(Dice&)>& draw) {
    Dice dice(seed);
    for (int i = 0; i < kCases; ++i) {
        CAPTURE(i);
        const ConvolutionCase which = draw(dice);
        bool computable = false;
        const bool equal = agrees(which, dice, computable);
        REQUIRE(computable);
        REQUIRE(equal);
    }
}

ConvolutionCase draw_pairs_case(Dice& dice) {
    ConvolutionCase which = draw_case(dice, 1);
    auto& layer = which.layer;
    which.link = Link::Pairs;
    layer.depth = 2 * dice.roll(1, 8);
    // Pads are frame in this mode.
    layer.frame_left += std::exchange(layer.pad_left, 0);
    layer.frame_right += std::exchange(layer.pad_right, 0);
    layer.frame_top += std::exchange(layer.pad_top, 0);
    layer.frame_bottom += std::exchange(layer.pad_bottom, 0);
    return which;
}

}  // namespace

TEST_CASE("convolution: 8x8") {
    compare(1, [](Dice& dice) { return draw_case(dice, 1); });
}

TEST_CASE("convolution: 16x8") {
    compare(2, [](Dice& dice) { return draw_case(dice, 2); });
}

TEST_CASE("convolution: 16x16") {
    compare(3, [](Dice& dice) { return draw_case(dice, 0); });
}

TEST_CASE("convolution: deep, three bytes a word through the whole frame") {
    compare(4, [](Dice& dice) { return draw_deep_case(dice, Link::DeepContiguous); });
}

TEST_CASE("convolution: deep, each pixel begins a word") {
    compare(5, [](Dice& dice) { return draw_deep_case(dice, Link::DeepPixels); });
}

TEST_CASE("convolution: two channels a word") {
    compare(6, [](Dice& dice) { return draw_pairs_case(dice); });
}

TEST_CASE("convolution: DSS2MODE with two-byte features was refused, and the epoch stood still") {
    compare(6, [](Dice& dice) {
        ConvolutionCase which = draw_pairs_case(dice);
        which.pairs_of_two_bytes = true;
        which.layer.in_shift = which.layer.out_shift = 3;
        return which;
    });
}

TEST_CASE("convolution: stored feature frames") {
    compare(7, [](Dice& dice) {
        ConvolutionCase which = draw_case(dice, dice.once_in(2) ? 1 : 2);
        which.sets_per_frame = dice.roll(1, 4);
        which.frames = which.sets_per_frame * 2;
        return which;
    });
}

TEST_CASE("convolution: accumulation by frames of a period") {
    compare(8, [](Dice& dice) {
        ConvolutionCase which =
            dice.once_in(2) ? draw_case(dice, 1) : draw_deep_case(dice, Link::DeepContiguous);
        which.port = true;
        which.filter_period = dice.roll(1, 4);
        which.filter_first = dice.roll(0, which.filter_period - 1);
        which.filter_last = dice.roll(which.filter_first, which.filter_period - 1);
        which.skip_first = dice.once_in(2);
        which.generated = dice.once_in(3);
        which.frames = which.filter_period + 2;
        return which;
    });
}

TEST_CASE("convolution: share of the kernel link") {
    compare(9, [](Dice& dice) {
        ConvolutionCase which = draw_case(dice, 1);
        if (dice.once_in(2)) {
            which.units = dice.roll(2, 4);
            which.unit = dice.roll(0, which.units - 1);
            return which;
        }
        do which.picked = dice.roll(1, which.layer.kernels);
        while (which.layer.kernels % which.picked != 0);
        which.first = dice.roll(0, 3);
        which.period = which.first + which.picked + dice.roll(0, 3);
        return which;
    });
}

TEST_CASE("convolution: depthwise as diagonal kernels") {
    compare(10, [](Dice& dice) {
        ConvolutionCase which = draw_case(dice, dice.once_in(3) ? 2 : 1);
        which.diagonal = true;
        which.layer.depth = which.layer.kernels + (dice.once_in(2) ? 0 : dice.roll(0, 5));
        which.first_channel = dice.roll(0, which.layer.depth - which.layer.kernels);
        return which;
    });
}
