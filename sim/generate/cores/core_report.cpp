// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/cores/core_report.h"

#include <fmt/format.h>

#include <iterator>

#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

std::string kernels_of(const CoreLayer& layer) {
    return layer.calls.empty() ? std::string() : layer.calls.front().kernel;
}

Json tensor_json(const Graph& graph, const CorePlan& plan, TensorId id) {
    const Tensor& tensor = graph.tensors[id];
    Json json = {{"name", tensor.name},
                 {"shape", tensor.shape},
                 {"type", type_name(tensor.type)},
                 {"scale", tensor.scale_of(0)},
                 {"zero_point", tensor.zero_point_of(0)},
                 {"bytes", tensor.bytes()}};
    const auto place = plan.place(id);
    json["offset"] = place ? Json(*place) : Json(nullptr);
    return json;
}

}  // namespace

Json core_json(const Graph& graph, const CorePlan& plan, const Json& container) {
    Json report = json_document("generate");
    report["network"] = graph.name;
    report["target"] = plan.options.target->name;
    report["name"] = plan.options.name;
    report["network_macs"] = plan.macs;
    report["weights_bytes"] = plan.weights.size();
    report["activations_bytes"] = plan.activation_bytes;
    for (const auto* list : {&graph.inputs, &graph.outputs}) {
        Json& tensors = report[list == &graph.inputs ? "inputs" : "outputs"];
        tensors = Json::array();
        for (const TensorId id : *list) tensors.push_back(tensor_json(graph, plan, id));
    }
    report["layers"] = Json::array();
    for (const CorePlan::Layer& layer : plan.layers) {
        const Tensor& output = graph.output(*layer.work.node);
        report["layers"].push_back({{"layer", layer.work.node->layer},
                                    {"operator", operator_name(layer.work.node->op)},
                                    {"kernel", kernels_of(layer.work)},
                                    {"choice", layer.work.choice},
                                    {"output_shape", output.shape},
                                    {"network_macs", layer.work.macs},
                                    {"weights_bytes", layer.work.weights.size()},
                                    {"output_bytes", output.bytes()},
                                    {"scratch_bytes", layer.work.scratch}});
    }
    if (!container.is_null()) report["container"] = container;
    return report;
}

std::string core_text(const Graph& graph, const CorePlan& plan) {
    std::string text =
        fmt::format("{}: {}, {} layers, {} MACs, {} bytes of weights, {} of activations\n",
                    traces::terminal_text(graph.name), plan.options.target->title,
                    plan.layers.size(), plan.macs, plan.weights.size(), plan.activation_bytes);
    text += fmt::format("  {:>5} {:<24} {:>10} {:>9} {:>9} {:>9}  {}\n", "layer", "operator",
                        "MACs", "weights", "output", "scratch", "kernel");
    for (const CorePlan::Layer& layer : plan.layers) {
        text += fmt::format(
            "  {:>5} {:<24} {:>10} {:>9} {:>9} {:>9}  {}{}{}\n", layer.work.node->layer,
            operator_name(layer.work.node->op), layer.work.macs, layer.work.weights.size(),
            graph.output(*layer.work.node).bytes(), layer.work.scratch, kernels_of(layer.work),
            layer.work.choice.empty() ? "" : ": ", layer.work.choice);
    }
    return text;
}

}  // namespace n6vp::sim::generate
