// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/generate/validate/validation.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

// A wider matrix is of no use on a terminal; JSON has it.
constexpr std::size_t kMaxClasses = 20;

std::string figure(std::optional<double> value) {
    return value ? fmt::format("{:>10.6f}", *value) : fmt::format("{:>10}", "n.a.");
}

std::string matrix_text(const ConfusionMatrix& matrix) {
    if (matrix.counts.empty() || matrix.counts.size() > kMaxClasses) return "";
    std::string text = "\nclass of the reference (lines) and of the model (columns)\n      ";
    for (std::size_t i = 0; i < matrix.counts.size(); ++i) text += fmt::format("{:>5}", i);
    for (std::size_t i = 0; i < matrix.counts.size(); ++i) {
        text += fmt::format("\n{:>6}", i);
        for (const std::uint64_t count : matrix.counts[i]) {
            text += count == 0 ? "    ." : fmt::format("{:>5}", count);
        }
    }
    return text + '\n';
}

Json optional_json(std::optional<double> value) {
    return value ? Json(*value) : Json(nullptr);
}

Json output_json(const OutputResult& output) {
    const Metrics& m = output.metrics;
    Json row = {{"name", output.form.name},
                {"type", output.form.type},
                {"shape", output.form.shape},
                {"samples", m.samples},
                {"elements", m.elements},
                {"acc", optional_json(m.acc)},
                {"rmse", m.rmse},
                {"mae", m.mae},
                {"l2r", optional_json(m.l2r)},
                {"mean", m.mean},
                {"std", m.std},
                {"nse", optional_json(m.nse)},
                {"cos", optional_json(m.cos)}};
    if (output.stored) {
        row["equal"] = output.stored->equal_part();
        row["within_one"] = output.stored->within_one_part();
        row["largest_difference"] = output.stored->largest;
    }
    if (!output.confusion.counts.empty()) row["confusion"] = output.confusion.counts;
    return row;
}

}  // namespace

std::string validation_text(const ValidationResult& result) {
    std::string text;
    if (result.partial()) {
        text = fmt::format("partial: interrupted after {} of {} samples\n", result.done,
                           result.wanted);
    }
    text += fmt::format("{:<20}{:>8}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "output",
                        "samples", "acc", "rmse", "mae", "l2r", "mean", "std", "nse", "cos");
    for (const OutputResult& output : result.outputs) {
        const Metrics& m = output.metrics;
        text += fmt::format("{:<20}{:>8}{}{:>10.6f}{:>10.6f}{}{:>10.6f}{:>10.6f}{}{}\n",
                            traces::terminal_text(output.form.name.substr(0, 19)), m.samples,
                            figure(m.acc), m.rmse, m.mae, figure(m.l2r), m.mean, m.std,
                            figure(m.nse), figure(m.cos));
    }
    for (const OutputResult& output : result.outputs) {
        if (!output.stored) continue;
        text += fmt::format(
            "\n'{}' as stored: {:.2f} % equal, {:.2f} % within 1, largest difference {}\n",
            traces::terminal_text(output.form.name), 100 * output.stored->equal_part(),
            100 * output.stored->within_one_part(), output.stored->largest);
        text += matrix_text(output.confusion);
    }
    if (!result.cycles.empty()) {
        const auto [least, most] = std::minmax_element(result.cycles.begin(), result.cycles.end());
        text += fmt::format("\ninference: {} to {} core cycles\n", *least, *most);
    }
    return text;
}

Json validation_json(const ValidationResult& result) {
    Json document = json_document("validate");
    document["outputs"] = Json::array();
    for (const OutputResult& output : result.outputs) {
        document["outputs"].push_back(output_json(output));
    }
    document["cycles"] = result.cycles;
    document["samples"] = result.done;
    document["partial"] = result.partial();
    return document;
}

}  // namespace n6vp::sim::generate
