// SPDX-License-Identifier: Apache-2.0
// Outputs of a program against what they must be.
#include "sim/run/run_outputs.h"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <vector>

using namespace n6vp::sim;

namespace {

std::vector<std::uint8_t> floats(const std::vector<float>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

}  // namespace

TEST_CASE("outputs: a number that is none is near no number, whatever the tolerance") {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr double kLarge = 1e30;
    const auto wanted = floats({1, 2, kNan});
    CHECK(compare_outputs(wanted, floats({1, 2, 3}), "float32", kLarge).beyond == 1);
    const OutputDifference found =
        compare_outputs(wanted, floats({1, kNan, kNan}), "float32", kLarge);
    CHECK(found.beyond == 1);
    CHECK(found.first == 1);
    CHECK(found.largest == std::numeric_limits<double>::infinity());
    CHECK(compare_outputs(wanted, wanted, "float32", 0).beyond == 0);  // the same bits
}

TEST_CASE("outputs: a difference of the tolerance itself is near enough") {
    CHECK(compare_outputs(floats({1}), floats({1.5F}), "float32", 0.5).beyond == 0);
    CHECK(compare_outputs(floats({1}), floats({1.5F}), "float32", 0.49).beyond == 1);
    const std::vector<std::uint8_t> least{0x80}, most{0x7F};
    CHECK(compare_outputs(least, most, "int8", 255).beyond == 0);
    CHECK(compare_outputs(least, most, "int8", 254).beyond == 1);
    CHECK(compare_outputs(least, most, "uint8", 1).beyond == 0);
}
