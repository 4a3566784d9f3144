// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "sim/generate/analyze/analysis.h"
#include "sim/generate/lower/memory_plan.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

std::uint64_t whole(double cycles) {
    return static_cast<std::uint64_t>(std::llround(cycles));
}

/// Names of converters are lists of what was joined: their beginning says what it is.
std::string name_column(const std::string& name, std::size_t width) {
    if (name.size() <= width) return traces::terminal_text(name);
    return traces::terminal_text(name.substr(0, width - 1)) + "~";
}

}  // namespace

std::string analysis_text(const Analysis& analysis) {
    std::string text = fmt::format(
        "{}: {} layers, {} parameters in {} bytes, {} multiply-accumulates of the network (without "
        "padding)\n"
        "largest activations at one time: {} bytes\n\n{:<12}{:>10}  {}\n",
        traces::terminal_text(analysis.name), analysis.layers, analysis.parameters,
        analysis.parameter_bytes, analysis.multiplications, analysis.largest_activations, "pool",
        "bytes", "for");
    for (const PoolUse& pool : analysis.pools) {
        text += fmt::format("{:<12}{:>10}  {}\n", pool_title(pool.name), pool.bytes, pool.content);
    }
    text += fmt::format("\n{:>5} {:<36}{:>10}{:>9}{:>9}  {:<14}{:>6}{:>9}{:>9}{:>9}  {}\n", "epoch",
                        "layer", "MAC", "least", "cycles", "bound", "MAC %", "read", "written",
                        "flash", "how");
    std::size_t number = 0;
    for (const EpochRow& row : analysis.prediction.epochs) {
        text += fmt::format("{:>5} {:<36}{:>10}{:>9}{:>9}  {:<14}{:>6.1f}{:>9}{:>9}{:>9}  {}\n",
                            ++number, name_column(row.name, 35), row.multiplications,
                            whole(row.least_cycles), whole(row.cycles), row.bound,
                            100 * row.utilisation, row.read_bytes, row.written_bytes,
                            row.flash_bytes, row.choice);
    }
    text += fmt::format(
        "\n"
        "{}least: {} cycles, with all multipliers busy or weights at the full rate of their "
        "memory\n",
        prediction_text(analysis.prediction), whole(analysis.prediction.least_cycles));
    return text;
}

Json analysis_json(const Analysis& analysis) {
    Json document = json_document("analyze");
    document["name"] = analysis.name;
    document["layers"] = analysis.layers;
    document["parameters"] = analysis.parameters;
    document["parameter_bytes"] = analysis.parameter_bytes;
    document["network_macs"] = analysis.multiplications;
    document["largest_activations"] = analysis.largest_activations;
    document["pools"] = Json::array();
    for (const PoolUse& pool : analysis.pools) {
        document["pools"].push_back(
            Json{{"name", pool.name}, {"for", pool.content}, {"bytes", pool.bytes}});
    }
    document["epochs"] = Json::array();
    for (const EpochRow& row : analysis.prediction.epochs) {
        document["epochs"].push_back(Json{{"layer", row.name},
                                          {"how", row.choice},
                                          {"software", row.software},
                                          {"network_macs", row.multiplications},
                                          {"least_cycles", whole(row.least_cycles)},
                                          {"cycles", whole(row.cycles)},
                                          {"bound", row.bound},
                                          {"mac_utilisation", row.utilisation},
                                          {"read_bytes", row.read_bytes},
                                          {"written_bytes", row.written_bytes},
                                          {"flash_bytes", row.flash_bytes}});
    }
    const Prediction& prediction = analysis.prediction;
    document["epoch_cycles"] = whole(prediction.npu_cycles + prediction.software_cycles);
    document["least_cycles"] = whole(prediction.least_cycles);
    document["blob_bytes"] = prediction.blob_bytes;
    document["programming_cycles"] = whole(prediction.programming_cycles);
    document["inference_ms"] = prediction.milliseconds();
    document["prediction"] = prediction_json(prediction);
    return document;
}

}  // namespace n6vp::sim::generate
