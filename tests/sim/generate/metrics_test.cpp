// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/validate/metrics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace n6vp::sim::generate;

namespace {

using Values = std::vector<double>;

}  // namespace

TEST_CASE("figures of two samples, by hand") {
    MetricsCollector collector(true);
    collector.add(Values{1, 2, 3}, Values{1, 3, 2});
    collector.add(Values{4, 0, 2}, Values{6, 0, 2});
    // e = 0 1 -1 2 0 0
    const Metrics metrics = collector.metrics();
    CHECK(metrics.samples == 2);
    CHECK(metrics.elements == 6);
    CHECK(metrics.acc.value_or(-1) == 0.5);
    CHECK(metrics.rmse == doctest::Approx(1.0));
    CHECK(metrics.mae == doctest::Approx(4.0 / 6));
    CHECK(metrics.mean == doctest::Approx(2.0 / 6));
    // mean(e^2) - mean^2 = 1 - 1/9
    CHECK(metrics.std == doctest::Approx(std::sqrt(8.0 / 9)));
    // sum r^2 = 34, p^2 = 54, r p = 1 + 6 + 6 + 24 + 0 + 4 = 41
    CHECK(metrics.l2r.value_or(-1) == doctest::Approx(std::sqrt(6.0 / 34)));
    CHECK(metrics.cos.value_or(-1) == doctest::Approx(41 / std::sqrt(34.0 * 54)));
    // mean(r) = 2: sum (r - 2)^2 = 1 + 0 + 1 + 4 + 4 + 0
    CHECK(metrics.nse.value_or(-1) == doctest::Approx(1 - 6.0 / 10));
    const ConfusionMatrix& matrix = collector.confusion();
    CHECK(matrix.counts ==
          std::vector<std::vector<std::uint64_t>>{{1, 0, 0}, {0, 0, 0}, {0, 1, 0}});
    CHECK(matrix.right() == 1);
    CHECK(matrix.all() == 2);
}

TEST_CASE("equal outputs are perfect") {
    MetricsCollector collector(true);
    collector.add(Values{-1, 2}, Values{-1, 2});
    const Metrics metrics = collector.metrics();
    CHECK(metrics.acc.value_or(-1) == 1);
    CHECK(metrics.rmse == 0);
    CHECK(metrics.l2r.value_or(-1) == 0);
    CHECK(metrics.nse.value_or(-1) == 1);
    CHECK(metrics.cos.value_or(-1) == doctest::Approx(1));
}

TEST_CASE("figures that would divide by zero are left out") {
    MetricsCollector collector(false);
    collector.add(Values{0, 0}, Values{1, -1});
    const Metrics metrics = collector.metrics();
    CHECK_FALSE(metrics.acc.has_value());
    CHECK_FALSE(metrics.l2r.has_value());
    CHECK_FALSE(metrics.nse.has_value());
    CHECK_FALSE(metrics.cos.has_value());
    CHECK(metrics.rmse == 1);
    CHECK(metrics.mean == 0);
    CHECK(MetricsCollector(true).metrics().elements == 0);
    CHECK_FALSE(MetricsCollector(true).metrics().acc.has_value());
}

TEST_CASE("of equal largest elements the first is the class") {
    CHECK(largest_place(Values{1, 3, 3}) == 1);
    CHECK(largest_place(Values{-2}) == 0);
}

TEST_CASE("stored differences count what is equal and what is within one") {
    StoredDifferences differences;
    CHECK(differences.equal_part() == 1);
    for (const int computed : {5, 6, 4, 9}) differences.add(5, computed);
    CHECK(differences.equal_part() == 0.25);
    CHECK(differences.within_one_part() == 0.75);
    CHECK(differences.largest == 4);
}
