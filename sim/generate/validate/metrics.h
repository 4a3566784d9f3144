// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// How far outputs are from a reference: the figures of `n6vp validate`.
namespace n6vp::sim::generate {

/// r is the reference, p what was computed, e = p - r; all as real numbers (scale and zero point
/// applied), over all elements of all samples. What would divide by zero is left out.
struct Metrics {
    std::uint64_t samples = 0, elements = 0;
    std::optional<double> acc;  ///< fraction of samples whose largest element has the same index
    double rmse = 0;            ///< sqrt(mean(e^2))
    double mae = 0;             ///< mean(|e|)
    std::optional<double> l2r;  ///< sqrt(sum(e^2)) / sqrt(sum(r^2))
    double mean = 0;            ///< mean(e)
    double std = 0;             ///< sqrt(mean((e - mean)^2))
    std::optional<double> nse;  ///< 1 - sum(e^2) / sum((r - mean(r))^2)
    std::optional<double> cos;  ///< sum(r * p) / (sqrt(sum(r^2)) * sqrt(sum(p^2)))
};

/// How far stored numbers are apart.
struct StoredDifferences {
    std::uint64_t elements = 0, equal = 0, within_one = 0;
    std::int32_t largest = 0;

    void add(std::int32_t reference, std::int32_t computed);
    /// Returns parts of 1; 1 without elements.
    [[nodiscard]] double equal_part() const;
    [[nodiscard]] double within_one_part() const;
};

/// counts[class of the reference][class computed]
struct ConfusionMatrix {
    std::vector<std::vector<std::uint64_t>> counts;

    [[nodiscard]] std::uint64_t right() const;
    [[nodiscard]] std::uint64_t all() const;
};

/// Returns the place of the largest element, the first of equals.
[[nodiscard]] std::size_t largest_place(std::span<const double> values);

/// Takes samples of one output.
class MetricsCollector {
  public:
    /// With `classifier` the accuracy and the confusion matrix are kept.
    explicit MetricsCollector(bool classifier) : classifier_(classifier) {}

    /// Both have the same length, which is that of all samples before.
    void add(std::span<const double> reference, std::span<const double> computed);
    [[nodiscard]] Metrics metrics() const;
    [[nodiscard]] const ConfusionMatrix& confusion() const { return confusion_; }

  private:
    /// Mean and sum of squared distances from it, kept as values arrive.
    struct Spread {
        double count = 0, mean = 0, squares = 0;
        void add(double value);
    };

    bool classifier_;
    std::uint64_t samples_ = 0, elements_ = 0;
    Spread errors_, references_;
    double absolute_ = 0, error_squares_ = 0;
    double reference_squares_ = 0, computed_squares_ = 0, products_ = 0;
    ConfusionMatrix confusion_;
};

}  // namespace n6vp::sim::generate
