// SPDX-License-Identifier: Apache-2.0
// Operators that work element by element, softmax and logistic.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "sim/generate/evaluate/evaluate_kernels.h"
#include "sim/generate/evaluate/fixed_point.h"

namespace n6vp::sim::generate {

namespace {

constexpr std::size_t kMaxRank = 4;

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
    std::array<std::size_t, kMaxRank> lengths_ = {1, 1, 1, 1};
    std::array<std::size_t, kMaxRank> steps_ = {};
};

std::uint8_t cut(std::int64_t stored, const StoredRange& range) {
    return as_byte(
        static_cast<std::int32_t>(std::clamp<std::int64_t>(stored, range.low, range.high)));
}

}  // namespace

void evaluate_sum(bool subtract, Activation activation, const Operand& left, const Operand& right,
                  const Tensor& result, Bytes& to) {
    // Both operands are brought to twice the larger scale with 20 more bits, then added.
    constexpr int kMoreBits = 20;
    const double twice_larger = 2 * std::max(left.scale(), right.scale());
    const FixedMultiplier left_multiplier = fixed_multiplier(left.scale() / twice_larger);
    const FixedMultiplier right_multiplier = fixed_multiplier(right.scale() / twice_larger);
    const FixedMultiplier sum_multiplier = fixed_multiplier(
        twice_larger / ((1 << kMoreBits) * static_cast<double>(result.scale_of(0))));
    const StoredRange range = stored_range(activation, result);
    const RepeatedIndex left_index(*left.tensor, result);
    const RepeatedIndex right_index(*right.tensor, result);
    for (std::size_t i = 0; i < to.size(); ++i) {
        const std::int32_t a =
            multiply(left.centred(left_index(i)) * (1 << kMoreBits), left_multiplier);
        const std::int32_t b =
            multiply(right.centred(right_index(i)) * (1 << kMoreBits), right_multiplier);
        to[i] = cut(std::int64_t{multiply(subtract ? a - b : a + b, sum_multiplier)} +
                        result.zero_point_of(0),
                    range);
    }
}

void evaluate_product(Activation activation, const Operand& left, const Operand& right,
                      const Tensor& result, Bytes& to) {
    // The library computes this factor in float.
    const float factor = left.tensor->scale_of(0) * right.tensor->scale_of(0) / result.scale_of(0);
    const FixedMultiplier multiplier = fixed_multiplier(static_cast<double>(factor));
    const StoredRange range = stored_range(activation, result);
    const RepeatedIndex left_index(*left.tensor, result);
    const RepeatedIndex right_index(*right.tensor, result);
    for (std::size_t i = 0; i < to.size(); ++i) {
        const std::int32_t product = left.centred(left_index(i)) * right.centred(right_index(i));
        to[i] = cut(std::int64_t{multiply(product, multiplier)} + result.zero_point_of(0), range);
    }
}

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

void evaluate_logistic(const Operand& from, const Tensor& result, Bytes& to) {
    const StoredRange range = stored_range(Activation::None, result);
    for (std::size_t i = 0; i < to.size(); ++i) {
        const double probability = 1 / (1 + std::exp(-from.scale() * from.centred(i)));
        const double steps = std::round(probability / static_cast<double>(result.scale_of(0)));
        to[i] = cut(static_cast<std::int64_t>(steps) + result.zero_point_of(0), range);
    }
}

void evaluate_softmax(const Softmax& op, const Operand& from, const Tensor& result, Bytes& to) {
    // Powers of the distance to the largest element, as float.
    std::array<float, 256> powers{};
    // Beyond the bound all powers but the first are 0 already.
    constexpr float kSteepest = 1e6F;
    const float rate = -std::min(from.tensor->scale_of(0) * op.beta, kSteepest);
    for (std::size_t i = 0; i < powers.size(); ++i) {
        powers[i] = static_cast<float>(std::exp(static_cast<double>(rate * static_cast<float>(i))));
    }
    const StoredRange range = stored_range(Activation::None, result);
    const std::size_t length = from.tensor->shape.back();
    for (std::size_t row = 0; row < to.size(); row += length) {
        std::int32_t largest = from.stored(row);
        for (std::size_t i = 1; i < length; ++i) largest = std::max(largest, from.stored(row + i));
        const auto power = [&](std::size_t i) {
            return powers[static_cast<std::size_t>(largest - from.stored(row + i))];
        };
        float sum = 0;
        for (std::size_t i = 0; i < length; ++i) sum += power(i);
        const float steps = 1.0F / (sum * result.scale_of(0));
        for (std::size_t i = 0; i < length; ++i) {
            const auto stored = static_cast<std::int32_t>(std::floor(power(i) * steps + 0.5F));
            to[row + i] = cut(std::int64_t{stored} + result.zero_point_of(0), range);
        }
    }
}

}  // namespace n6vp::sim::generate
