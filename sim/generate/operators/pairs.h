// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "sim/generate/operators/operator.h"

/// What ADD, SUB and MUL have in common: two tensors of which the smaller repeats.
namespace n6vp::sim::generate {

/// Two int8 inputs, one repeated if it is smaller. Returns the fused activation.
[[nodiscard]] Activation read_pair(const LayerReader& layer);

/// Index of the element of a shorter or unit-length operand that meets output element `index`.
class RepeatedIndex {
  public:
    RepeatedIndex(const Tensor& operand, const Tensor& result) {
        const std::size_t rank = result.shape.size();
        const std::size_t missing = rank - operand.shape.size();
        std::size_t step = 1;
        for (std::size_t i = rank; i-- > 0;) {
            lengths_[kMaxRank - rank + i] = result.shape[i];
            const std::size_t length = i < missing ? 1 : operand.shape[i - missing];
            steps_[kMaxRank - rank + i] = length == 1 ? 0 : step;
            step *= length;
        }
    }
    [[nodiscard]] std::size_t operator()(std::size_t index) const {
        std::size_t place = 0;
        for (std::size_t i = kMaxRank; i-- > 0;) {
            place += index % lengths_[i] * steps_[i];
            index /= lengths_[i];
        }
        return place;
    }

  private:
    static constexpr std::size_t kMaxRank = 4;
    std::array<std::size_t, kMaxRank> lengths_ = {1, 1, 1, 1};
    std::array<std::size_t, kMaxRank> steps_ = {};
};

/// Returns its work on the core.
[[nodiscard]] CoreEpoch pair_epoch(const NodeLowering& at, PairKind kind, Activation activation);

}  // namespace n6vp::sim::generate
