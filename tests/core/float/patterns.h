// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

#include "models/core/float/soft_float.h"

namespace n6vp::tests {

namespace fp = models::core::fp;

/// Bit patterns with every exponent likely to meet its neighbours, and the corners.
template <class T>
class Patterns {
  public:
    explicit Patterns(std::uint64_t seed) : random_(seed) {}
    T next() {
        using F = fp::Format<T>;
        const std::uint64_t choice = random_();
        T value = static_cast<T>(random_());
        const T sign = static_cast<T>(value & F::kSign);
        switch (choice % 8) {
            case 0: {  // corners
                constexpr std::array kCorners = {
                    T{0},
                    T{1},
                    F::kFractionMask,
                    F::kSmallestNormal,
                    F::kLargest,
                    F::kInfinity,
                    F::kDefaultNan,
                    static_cast<T>(F::kInfinity + 1),
                    static_cast<T>(static_cast<T>(F::kBias) << F::kFraction),
                    static_cast<T>((static_cast<T>(F::kBias) << F::kFraction) - 1)};
                return static_cast<T>(sign | kCorners[choice / 8 % kCorners.size()]);
            }
            case 1:  // few significant bits: exact results and ties
                value = static_cast<T>(value & ~(F::kFractionMask >> (choice / 8 % 6)));
                [[fallthrough]];
            case 2:
            case 3:
            case 4: {  // near one: sums that cancel
                const int near_one = F::kBias - 30 + static_cast<int>(choice / 64 % 60);
                const auto exponent = static_cast<T>(near_one);
                return static_cast<T>(sign | exponent << F::kFraction | (value & F::kFractionMask));
            }
            case 5:  // denormal
                return static_cast<T>(sign | (value & F::kFractionMask) >> (choice / 8 % 20));
            case 6:  // just above the denormals
                return static_cast<T>(sign | static_cast<T>(1 + choice / 8 % 30) << F::kFraction |
                                      (value & F::kFractionMask));
            default:
                return value;
        }
    }

  private:
    std::mt19937_64 random_;
};

}  // namespace n6vp::tests
