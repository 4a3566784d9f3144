// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "models/npu/units/output_stage.h"
#include "models/npu/units/word.h"
#include "tests/models/npu/convolution_case.h"

namespace {

using n6vp::models::npu::low_bytes;
using n6vp::models::npu::OutputStage;
using n6vp::models::npu::Rounding;
using n6vp::test::reference::Ties;

OutputStage stage(unsigned shift, Rounding rounding) {
    return {.shift = shift, .rounding = rounding, .relu = false, .saturate = true, .bytes = 3};
}

}  // namespace

TEST_CASE("output stage: halves by hand") {
    struct Row {
        int sum;  // shifted right by one
        int up, away, even, floor;
    };
    for (const Row row : {Row{1, 1, 1, 0, 0}, Row{-1, 0, -1, 0, -1}, Row{3, 2, 2, 2, 1},
                          Row{-3, -1, -2, -2, -2}, Row{5, 3, 3, 2, 2}, Row{-5, -2, -3, -2, -3},
                          Row{2, 1, 1, 1, 1}, Row{-2, -1, -1, -1, -1}}) {
        CAPTURE(row.sum);
        CHECK(stage(1, Rounding::HalfUp)(row.sum) == row.up);
        CHECK(stage(1, Rounding::HalfAway)(row.sum) == row.away);
        CHECK(stage(1, Rounding::HalfEven)(row.sum) == row.even);
        CHECK(stage(1, Rounding::Floor)(row.sum) == row.floor);
    }
}

TEST_CASE("output stage: no half, no rounding") {
    for (const auto rounding : {Rounding::HalfUp, Rounding::HalfAway, Rounding::HalfEven}) {
        CHECK(stage(2, rounding)(5) == 1);
        CHECK(stage(2, rounding)(7) == 2);
        CHECK(stage(2, rounding)(-5) == -1);
        CHECK(stage(2, rounding)(-7) == -2);
        CHECK(stage(0, rounding)(-7) == -7);
        CHECK(stage(63, rounding)(123456789) == 0);
        CHECK(stage(63, rounding)(-123456789) == 0);
    }
    CHECK(stage(63, Rounding::Floor)(-1) == -1);
}

TEST_CASE("output stage: saturation and wrapping at each width") {
    struct Row {
        unsigned bytes;
        std::int64_t sum;
        int saturated, wrapped;
    };
    for (const Row row :
         {Row{1, 127, 127, 127}, Row{1, 128, 127, -128}, Row{1, -128, -128, -128},
          Row{1, -129, -128, 127}, Row{1, 200, 127, -56}, Row{2, 32768, 32767, -32768},
          Row{2, -32769, -32768, 32767}, Row{3, 0x7FFFFF, 0x7FFFFF, 0x7FFFFF},
          Row{3, 0x800000, 0x7FFFFF, -0x800000}, Row{3, -0x800001, -0x800000, 0x7FFFFF},
          Row{3, 0x123456789A, 0x7FFFFF, 0x56789A}}) {
        CAPTURE(row.sum);
        OutputStage out{.shift = 0, .rounding = Rounding::HalfUp, .bytes = row.bytes};
        CHECK(out(row.sum) == row.saturated);
        out.saturate = false;
        CHECK(out(row.sum) == row.wrapped);
    }
}

TEST_CASE("output stage: int8 plus 128 becomes the unsigned byte by wrapping") {
    const OutputStage out{.shift = 0, .saturate = false, .bytes = 1};
    for (int value = -128; value < 128; ++value)
        CHECK(low_bytes(out(value + 128), 1, true) == value + 128);
}

TEST_CASE("output stage: relu before both ends") {
    OutputStage out{.shift = 1, .relu = true, .bytes = 1};
    CHECK(out(-300) == 0);
    CHECK(out(-1) == 0);
    CHECK(out(300) == 127);
    out.saturate = false;
    CHECK(out(-300) == 0);
    CHECK(out(300) == -106);
}

TEST_CASE("output stage: every policy against division with remainder") {
    n6vp::test::Dice dice(11);
    for (int i = 0; i < 20000; ++i) {
        const int shift = dice.roll(0, 63), bytes = dice.roll(1, 3);
        const auto sum = static_cast<std::int64_t>(dice.bits()) >> dice.roll(4, 60);
        const bool relu = dice.once_in(3), saturate = dice.once_in(2);
        const auto policy = dice.roll(0, 3);
        constexpr Rounding kModel[] = {Rounding::HalfUp, Rounding::HalfAway, Rounding::HalfEven,
                                       Rounding::Floor};
        constexpr Ties kReference[] = {Ties::Up, Ties::AwayFromZero, Ties::ToEven,
                                       Ties::NoRounding};
        const OutputStage out{.shift = static_cast<unsigned>(shift),
                              .rounding = kModel[policy],
                              .relu = relu,
                              .saturate = saturate,
                              .bytes = static_cast<unsigned>(bytes)};
        CAPTURE(sum);
        CAPTURE(shift);
        CAPTURE(policy);
        REQUIRE(out(sum) == n6vp::test::reference::output_value(sum, shift, kReference[policy],
                                                                relu, saturate, bytes));
    }
}

TEST_CASE("link words: low bytes of a port") {
    CHECK(low_bytes(0x1234F6, 1, false) == -10);
    CHECK(low_bytes(0x1234F6, 1, true) == 0xF6);
    CHECK(low_bytes(0x12F456, 2, false) == -0xBAA);
    CHECK(low_bytes(0x12F456, 2, true) == 0xF456);
    CHECK(low_bytes(-1, 3, false) == -1);
    CHECK(low_bytes(-1, 3, true) == 0xFFFFFF);
}
