// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/evaluate/evaluate_kernels.h"
#include "sim/generate/evaluate/fixed_point.h"

namespace n6vp::sim::generate {

void evaluate_requantise(Activation activation, const Operand& from, const Tensor& result,
                         Bytes& to) {
    const FixedMultiplier multiplier =
        fixed_multiplier(from.scale() / static_cast<double>(result.scale_of(0)));
    const StoredRange range = stored_range(activation, result);
    for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = cut(std::int64_t{multiply(from.centred(i), multiplier)} + result.zero_point_of(0),
                    range);
    }
}

}  // namespace n6vp::sim::generate
