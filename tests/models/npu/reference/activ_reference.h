// SPDX-License-Identifier: Apache-2.0
// ACTIV from the documents. Shares nothing with the model.
#pragma once

#include <array>

#include "tests/models/npu/reference/vector_reference.h"

namespace n6vp::test {

struct ReferenceActiv {
    int type = 0;
    unsigned bytes = 1;
    Integer param = 0, param2 = 0;
    unsigned func = 0, b_shift = 0, c_shift = 0, upper_bits = 0;
    std::array<Integer, 32> parts{};                     ///< ROM0
    std::array<std::array<Integer, 3>, 64> parabolas{};  ///< ROM1
    ReferenceStage stage;

    [[nodiscard]] Integer operator()(Integer word) const {
        const Integer x = wrapped(word, bytes);
        if (type == 0) return stage(x > 0 ? x : 0);
        if (type == 2) return stage(x > param ? x : param2);
        const Integer place = ((x * power(func) - param) % 65536 + 65536) % 65536;
        const Integer part = parts[static_cast<std::size_t>(place / power(16 - upper_bits))];
        const auto further = static_cast<unsigned>(part / 64);
        const Integer inner = place / power(16 - upper_bits - further) % power(further);
        const auto& p = parabolas[static_cast<std::size_t>(part % 64 + inner)];
        return stage(p[0] * x * x + p[1] * power(b_shift) * x + p[2] * power(c_shift));
    }
};

}  // namespace n6vp::test
