// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/validate/layer_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "memmap/board.h"
#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "sim/inference/snapshots.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw UserError("the report of the model: " + what,
                    "--layers takes report.json beside the model, as n6vp generate wrote it for "
                    "this network");
}

/// A name as documents have it.
std::string written(const std::string& name) {
    return Json(name).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::uint32_t address_of(const Json& tensor) {
    const std::string text = tensor.at("address").get<std::string>();
    const auto number = parse_integer<std::uint32_t>(text);
    if (!number) refuse("'" + text + "'");
    std::uint32_t value = *number;
    // Where `n6vp run` puts it unless an option changes it.
    if (tensor.value("external", false)) value += to_word(memmap::board::kExternalRam.start);
    return value;
}

void compare(const Tensor& tensor, const Bytes& reference, const Bytes& computed,
             StoredDifferences& into) {
    if (reference.size() != computed.size()) refuse("a tensor of another size");
    const auto stored = [&](std::uint8_t byte) {
        return tensor.type == ElementType::Int8 ? static_cast<std::int8_t>(byte)
                                                : std::int32_t{byte};
    };
    for (std::size_t i = 0; i < reference.size(); ++i) {
        into.add(stored(reference[i]), stored(computed[i]));
    }
}

std::string figures(const StoredDifferences& one) {
    return fmt::format("{:>9.3f}{:>9.3f}{:>6}", 100 * one.equal_part(), 100 * one.within_one_part(),
                       one.largest);
}

Json figures_json(const StoredDifferences& one) {
    return {{"equal", one.equal_part()},
            {"within_one", one.within_one_part()},
            {"largest_difference", one.largest}};
}

}  // namespace

LayerComparison::LayerComparison(const Graph& graph, const Json& report) : graph_(graph) {
    try {
        find_tensors(report.at("internals"));
    } catch (const Json::exception&) {
        refuse("it does not say where tensors are");
    }
    result_of_.resize(graph.nodes.size());
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        const Node& one = graph.nodes[node];
        const TensorId id = one.outputs[0];
        const auto found = std::find_if(kept_.begin(), kept_.end(),
                                        [&](const Kept& kept) { return kept.tensor == id; });
        const bool output =
            std::find(graph.outputs.begin(), graph.outputs.end(), id) != graph.outputs.end();
        // A tensor of another shape is no work of its own.
        if (std::holds_alternative<Reshape>(one.op) || (found == kept_.end() && !output)) continue;
        result_of_[node] = results_.size();
        LayerResult result;
        result.layer = fmt::format("{} {}", operator_name(one.op), graph.tensors[id].name);
        result.epoch = found == kept_.end() ? 0 : found->epoch;
        results_.push_back(std::move(result));
    }
}

void LayerComparison::find_tensors(const Json& internals) {
    std::size_t node = 0;
    for (const Json& tensor : internals) {
        const auto name = written(tensor.at("name").get<std::string>());
        const auto bytes = tensor.at("bytes").get<std::uint32_t>();
        const auto is_it = [&](const Node& one) {
            const Tensor& candidate = graph_.output(one);
            return written(candidate.name) == name && candidate.bytes() == bytes;
        };
        while (node < graph_.nodes.size() && !is_it(graph_.nodes[node])) ++node;
        if (node == graph_.nodes.size()) refuse(fmt::format("the network has no tensor {}", name));
        const TensorId id = graph_.nodes[node++].outputs[0];
        const auto epoch = tensor.at("first_epoch").get<std::uint32_t>();
        // Inputs of another shape are there from the start; the user's memory may be anywhere.
        if (epoch == 0 || tensor.value("user_allocated", false)) continue;
        kept_.push_back({id, epoch, address_of(tensor), bytes});
    }
}

std::vector<std::string> LayerComparison::run_words() const {
    std::vector<std::string> words;
    words.reserve(2 * kept_.size());
    for (const Kept& one : kept_) {
        words.emplace_back("--snapshot");
        words.push_back(fmt::format("{}:0x{:08x}:{}", one.epoch, one.address, one.bytes));
    }
    return words;
}

std::vector<std::string> LayerComparison::files() const {
    std::vector<std::string> names;
    names.reserve(kept_.size());
    for (const Kept& one : kept_) {
        names.push_back(model_run::snapshot_name({one.epoch, {GuestAddr{one.address}, one.bytes}}));
    }
    return names;
}

void LayerComparison::add(const Tensors& inputs, const Tensors& kept, const Tensors& outputs) {
    const TensorValues whole = evaluate(graph_, inputs);
    std::vector<const Bytes*> computed(graph_.tensors.size());
    for (std::size_t i = 0; i < kept_.size(); ++i) computed[kept_[i].tensor] = &kept.at(i);
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
        computed[graph_.outputs[i]] = &outputs.at(i);
    }
    TensorValues values = constant_values(graph_);
    for (std::size_t i = 0; i < inputs.size(); ++i) values[graph_.inputs[i]] = inputs[i];
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
        const Node& one = graph_.nodes[node];
        const TensorId id = one.outputs[0];
        evaluate_node(graph_, one, values);
        if (computed[id] == nullptr) continue;
        if (result_of_[node]) {
            LayerResult& result = results_[*result_of_[node]];
            compare(graph_.tensors[id], values[id], *computed[id], result.own);
            compare(graph_.tensors[id], whole[id], *computed[id], result.whole);
        }
        values[id] = *computed[id];
    }
}

FirstDeviations first_deviations(const std::vector<LayerResult>& layers) {
    FirstDeviations first;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (!first.any && layers[i].own.largest > 0) first.any = i;
        if (!first.beyond_one && layers[i].own.largest > 1) first.beyond_one = i;
    }
    return first;
}

std::vector<std::string> unmet_layers(const std::vector<LayerResult>& layers,
                                      double least_within_one) {
    std::vector<std::string> lines;
    for (const LayerResult& layer : layers) {
        if (layer.own.within_one_part() >= least_within_one) continue;
        lines.push_back(fmt::format("layer '{}': the part within 1 is {:.6g}, not at least {}",
                                    traces::terminal_text(layer.layer), layer.own.within_one_part(),
                                    least_within_one));
    }
    return lines;
}

std::string layers_text(const std::vector<LayerResult>& layers) {
    std::string text = fmt::format(
        "\n{:>5} {:<40}{:>9}  {:<24}  {}\n{:>5} {:<40}{:>9}{:>9}{:>9}{:>6}{:>9}{:>9}{:>6}\n", "",
        "", "", "from the model's inputs", "of the whole network", "epoch", "layer", "elements",
        "equal %", "in 1 %", "most", "equal %", "in 1 %", "most");
    for (const LayerResult& layer : layers) {
        text += fmt::format("{:>5} {:<40}{:>9}{}{}\n",
                            layer.epoch == 0 ? "end" : fmt::format("{}", layer.epoch),
                            traces::terminal_text(layer.layer.substr(0, 39)), layer.own.elements,
                            figures(layer.own), figures(layer.whole));
    }
    const FirstDeviations first = first_deviations(layers);
    const auto name = [&](const std::optional<std::size_t>& index) {
        return index ? traces::terminal_text(layers[*index].layer) : std::string("none");
    };
    return text + fmt::format("first layer that differs: {}\nfirst by more than 1: {}\n",
                              name(first.any), name(first.beyond_one));
}

Json layers_json(const std::vector<LayerResult>& layers) {
    Json rows = Json::array();
    for (const LayerResult& layer : layers) {
        rows.push_back({{"layer", layer.layer},
                        {"epoch", layer.epoch == 0 ? Json(nullptr) : Json(layer.epoch)},
                        {"elements", layer.own.elements},
                        {"own", figures_json(layer.own)},
                        {"whole", figures_json(layer.whole)}});
    }
    const FirstDeviations first = first_deviations(layers);
    const auto number = [](const std::optional<std::size_t>& index) {
        return index ? Json(*index) : Json(nullptr);
    };
    return {{"rows", rows},
            {"first_that_differs", number(first.any)},
            {"first_beyond_one", number(first.beyond_one)}};
}

}  // namespace n6vp::sim::generate
