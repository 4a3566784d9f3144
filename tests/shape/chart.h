// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace n6vp::test {

/// One line of a chart, which may stand for several things that measure the same. Points ascend in
/// x.
struct Series {
    std::vector<std::string> names;
    std::vector<std::pair<double, double>> points;
};

/// A chart with a linear or doubling x axis and a y axis that is linear or decimal-logarithmic.
struct Chart {
    std::string title, x_label, y_label;
    bool doubling_x = false, logarithmic_y = false;
    std::vector<Series> series;
};

/// Draws the chart as a self-contained SVG document. Texts are escaped; values of a logarithmic
/// axis must be positive.
void draw(std::ostream& out, const Chart& chart);

}  // namespace n6vp::test
