// SPDX-License-Identifier: Apache-2.0
#include "tests/shape/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace n6vp::test {

namespace {

// Pixels.
constexpr double kWidth = 860, kHeight = 480;
constexpr double kLeft = 80, kRight = 620, kTop = 50, kBottom = 420;
constexpr double kLegend = 640, kLine = 18;

// Distinct for colour-blind readers (Okabe and Ito), then dashed.
constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                    "#E69F00", "#56B4E9", "#000000", "#8B6914"};

[[nodiscard]] std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '&') {
            safe += "&amp;";
        } else if (c == '<') {
            safe += "&lt;";
        } else if (c == '"') {
            safe += "&quot;";
        } else {
            safe += c;
        }
    }
    return safe;
}

[[nodiscard]] std::string text(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
    return buffer;
}

[[nodiscard]] std::string pixel(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", value);
    return buffer;
}

/// Maps values to pixels.
class Axis {
  public:
    Axis(double low, double high, double from, double to, int base)
        : low_(low), high_(high), from_(from), to_(to), base_(base) {
        if (base_ == 0) {
            const double raw = (high_ - low_) / 6;
            const double decade = std::pow(10.0, std::floor(std::log10(raw)));
            const double digit = raw / decade;
            step_ = decade * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
            high_ = std::ceil(high_ / step_) * step_;
            return;
        }
        low_ = std::pow(base_, std::floor(exponent(low) + 1e-9));
        high_ = std::pow(base_, std::ceil(exponent(high) - 1e-9));
        if (high_ <= low_) high_ = low_ * base_;
    }
    [[nodiscard]] double at(double value) const {
        const double part =
            base_ == 0 ? (value - low_) / (high_ - low_)
                       : (exponent(value) - exponent(low_)) / (exponent(high_) - exponent(low_));
        return from_ + part * (to_ - from_);
    }
    [[nodiscard]] std::vector<double> ticks() const {
        std::vector<double> ticks;
        if (base_ == 0) {
            for (int i = 0; low_ + i * step_ <= high_ * (1 + 1e-9); ++i)
                ticks.push_back(low_ + i * step_);
            return ticks;
        }
        for (double value = low_; value <= high_ * (1 + 1e-9); value *= base_)
            ticks.push_back(value);
        return ticks;
    }

  private:
    [[nodiscard]] double exponent(double value) const { return std::log(value) / std::log(base_); }
    double low_, high_, from_, to_;
    int base_;  ///< of a logarithmic axis; 0 = linear
    double step_ = 1;
};

struct Extent {
    double x_low = HUGE_VAL, x_high = -HUGE_VAL, y_low = HUGE_VAL, y_high = -HUGE_VAL;
};

[[nodiscard]] Extent extent(const Chart& chart) {
    Extent all;
    for (const Series& series : chart.series) {
        for (const auto& [x, y] : series.points) {
            all.x_low = std::min(all.x_low, x);
            all.x_high = std::max(all.x_high, x);
            all.y_low = std::min(all.y_low, y);
            all.y_high = std::max(all.y_high, y);
        }
    }
    return all;
}

void label(std::ostream& out, double x, double y, const char* anchor, const std::string& what,
           const char* more = "") {
    out << "<text x=\"" << pixel(x) << "\" y=\"" << pixel(y) << "\" text-anchor=\"" << anchor
        << "\"" << more << ">" << escaped(what) << "</text>\n";
}

void line(std::ostream& out, double x1, double y1, double x2, double y2, const char* style) {
    out << "<line x1=\"" << pixel(x1) << "\" y1=\"" << pixel(y1) << "\" x2=\"" << pixel(x2)
        << "\" y2=\"" << pixel(y2) << "\" " << style << "/>\n";
}

[[nodiscard]] std::string style_of(std::size_t number) {
    std::string style = std::string("fill=\"none\" stroke-width=\"2\" stroke=\"") +
                        kColours[number % std::size(kColours)] + "\"";
    if (number >= std::size(kColours)) style += " stroke-dasharray=\"6 3\"";
    return style;
}

void draw_axes(std::ostream& out, const Chart& chart, const Axis& x, const Axis& y) {
    constexpr const char* kGrid = "stroke=\"#ddd\"";
    for (const double tick : x.ticks()) {
        line(out, x.at(tick), kTop, x.at(tick), kBottom, kGrid);
        label(out, x.at(tick), kBottom + kLine, "middle", text(tick));
    }
    for (const double tick : y.ticks()) {
        line(out, kLeft, y.at(tick), kRight, y.at(tick), kGrid);
        label(out, kLeft - 6, y.at(tick) + 4, "end", text(tick));
    }
    line(out, kLeft, kBottom, kRight, kBottom, "stroke=\"#000\"");
    line(out, kLeft, kTop, kLeft, kBottom, "stroke=\"#000\"");
    label(out, (kLeft + kRight) / 2, kTop - 20, "middle", chart.title, " font-weight=\"bold\"");
    label(out, (kLeft + kRight) / 2, kBottom + 2.4 * kLine, "middle", chart.x_label);
    label(out, 0, 0, "middle", chart.y_label, " transform=\"translate(20 235) rotate(-90)\"");
}

}  // namespace

void draw(std::ostream& out, const Chart& chart) {
    const Extent all = extent(chart);
    const Axis x(all.x_low, all.x_high, kLeft, kRight, chart.doubling_x ? 2 : 0);
    const Axis y(chart.logarithmic_y ? all.y_low : 0, all.y_high, kBottom, kTop,
                 chart.logarithmic_y ? 10 : 0);
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << kWidth << "\" height=\""
        << kHeight << "\" viewBox=\"0 0 " << kWidth << " " << kHeight
        << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
        << "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    draw_axes(out, chart, x, y);
    double row = kTop;
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        const std::string style = style_of(i);
        out << "<polyline " << style << " points=\"";
        for (const auto& [at_x, at_y] : chart.series[i].points)
            out << pixel(x.at(at_x)) << "," << pixel(y.at(at_y)) << " ";
        out << "\"/>\n";
        for (const std::string& name : chart.series[i].names) {
            line(out, kLegend, row, kLegend + 24, row, style.c_str());
            label(out, kLegend + 30, row + 4, "start", name);
            row += kLine;
        }
    }
    out << "</svg>\n";
}

}  // namespace n6vp::test
