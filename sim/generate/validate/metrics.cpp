// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/validate/metrics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace n6vp::sim::generate {

namespace {

double part(std::uint64_t some, std::uint64_t all) {
    return all == 0 ? 1 : static_cast<double>(some) / static_cast<double>(all);
}

}  // namespace

void StoredDifferences::add(std::int32_t reference, std::int32_t computed) {
    const std::int32_t difference = std::abs(computed - reference);
    ++elements;
    if (difference == 0) ++equal;
    if (difference <= 1) ++within_one;
    largest = std::max(largest, difference);
}

double StoredDifferences::equal_part() const {
    return part(equal, elements);
}

double StoredDifferences::within_one_part() const {
    return part(within_one, elements);
}

std::uint64_t ConfusionMatrix::right() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sum += counts[i][i];
    return sum;
}

std::uint64_t ConfusionMatrix::all() const {
    std::uint64_t sum = 0;
    for (const std::vector<std::uint64_t>& row : counts) {
        for (const std::uint64_t count : row) sum += count;
    }
    return sum;
}

std::size_t largest_place(std::span<const double> values) {
    return static_cast<std::size_t>(
        std::distance(values.begin(), std::max_element(values.begin(), values.end())));
}

void MetricsCollector::Spread::add(double value) {
    count += 1;
    const double before = value - mean;
    mean += before / count;
    squares += before * (value - mean);
}

void MetricsCollector::add(std::span<const double> reference, std::span<const double> computed) {
    ++samples_;
    elements_ += reference.size();
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double error = computed[i] - reference[i];
        errors_.add(error);
        references_.add(reference[i]);
        absolute_ += std::abs(error);
        error_squares_ += error * error;
        reference_squares_ += reference[i] * reference[i];
        computed_squares_ += computed[i] * computed[i];
        products_ += reference[i] * computed[i];
    }
    if (!classifier_ || reference.empty()) return;
    if (confusion_.counts.empty()) {
        confusion_.counts.assign(reference.size(), std::vector<std::uint64_t>(reference.size()));
    }
    ++confusion_.counts[largest_place(reference)][largest_place(computed)];
}

Metrics MetricsCollector::metrics() const {
    Metrics result;
    result.samples = samples_;
    result.elements = elements_;
    if (classifier_ && samples_ > 0) result.acc = part(confusion_.right(), confusion_.all());
    if (elements_ == 0) return result;
    const auto count = static_cast<double>(elements_);
    result.rmse = std::sqrt(error_squares_ / count);
    result.mae = absolute_ / count;
    result.mean = errors_.mean;
    result.std = std::sqrt(errors_.squares / count);
    if (reference_squares_ > 0) result.l2r = std::sqrt(error_squares_ / reference_squares_);
    if (references_.squares > 0) result.nse = 1 - error_squares_ / references_.squares;
    if (reference_squares_ > 0 && computed_squares_ > 0) {
        result.cos = products_ / std::sqrt(reference_squares_) / std::sqrt(computed_squares_);
    }
    return result;
}

}  // namespace n6vp::sim::generate
