// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sim/generate/operators/import.h"
#include "sim/generate/operators/table.h"
#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

// More than any network for this chip; a file may be small and name many.
constexpr std::size_t kMaxTensors = 20'000, kMaxLayers = 10'000;

[[noreturn]] void damaged(const std::string& what) {
    throw UserError("damaged: " + what, "fetch or export the file again");
}

std::size_t at_most(std::size_t count, std::size_t most, const char* what) {
    if (count > most) damaged(fmt::format("{} {}, more than {}", count, what, most));
    return count;
}

class Importer {
  public:
    Importer(const FlatTable& model, const FlatTable& subgraph, std::size_t file_bytes)
        : codes_(model.tables(tflite::model::kOperatorCodes)),
          operators_(subgraph.tables(tflite::subgraph::kOperators)),
          reader_(subgraph.tables(tflite::subgraph::kTensors),
                  model.tables(tflite::model::kBuffers), file_bytes),
          read_(at_most(reader_.size(), kMaxTensors, "tensors")),
          state_(reader_.size(), State::Unused) {
        at_most(operators_.size(), kMaxLayers, "operators");
        at_most(codes_.size(), kMaxLayers, "operator codes");
    }

    Graph run(const FlatTable& model, const FlatTable& subgraph, const std::string& name) {
        graph_.name = name;
        graph_.description = model.text(tflite::model::kDescription).substr(0, 200);
        const std::vector<TensorId> inputs =
            indices(subgraph.numbers<std::int32_t>(tflite::subgraph::kInputs));
        const std::vector<TensorId> outputs =
            indices(subgraph.numbers<std::int32_t>(tflite::subgraph::kOutputs));
        take_inputs(inputs);
        for (std::size_t i = 0; i < operators_.size(); ++i)
            take_layer(static_cast<std::uint32_t>(i));
        if (graph_.nodes.empty())
            throw UserError("no operator at all", "give a network with layers");
        take_outputs(outputs);
        renumber(inputs, outputs);
        return std::move(graph_);
    }

  private:
    /// What is known of a tensor while the layers are read in their order.
    enum class State : std::uint8_t { Unused, Constant, Waiting, Computed };

    std::vector<TensorId> indices(const FlatNumbers<std::int32_t>& list) {
        std::vector<TensorId> result;
        result.reserve(at_most(list.size(), kMaxTensors, "tensors of one operator"));
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (list[i] == -1) {
                result.push_back(kNoTensor);
                continue;
            }
            const auto id = static_cast<TensorId>(list[i]);
            if (id >= reader_.size())
                damaged(fmt::format("tensor {} of {}", list[i], reader_.size()));
            if (state_[id] == State::Unused) {
                read_[id] = reader_.read(id);
                state_[id] = read_[id].tensor.is_constant() ? State::Constant : State::Waiting;
            }
            result.push_back(id);
        }
        return result;
    }

    void take_inputs(const std::vector<TensorId>& inputs) {
        for (const TensorId id : inputs) {
            if (id == kNoTensor || state_[id] != State::Waiting) {
                damaged("an input of the network is left out, constant or given twice");
            }
            refuse_end("input", id);
            state_[id] = State::Computed;
        }
    }

    void take_outputs(const std::vector<TensorId>& outputs) {
        if (outputs.empty())
            throw UserError("the network has no output", "give a network with one");
        for (const TensorId id : outputs) {
            if (id == kNoTensor || state_[id] != State::Computed) {
                damaged("an output of the network is left out or never computed");
            }
            refuse_end("output", id);
        }
    }

    /// Inputs and outputs that no layer has judged.
    void refuse_end(const char* which, TensorId id) const {
        const Refusal& refusal = read_[id].refusal;
        if (!refusal.any()) return;
        throw UserError(fmt::format("{} '{}': {}", which,
                                    traces::terminal_text(read_[id].tensor.name), refusal.reason),
                        "supported: " + refusal.nearest);
    }

    std::pair<std::int32_t, std::string> code_of(const FlatTable& layer) const {
        const auto index = layer.number<std::uint32_t>(tflite::op::kCode, 0);
        if (index >= codes_.size())
            damaged(fmt::format("operator code {} of {}", index, codes_.size()));
        const FlatTable entry = codes_[index];
        const auto code =
            std::max<std::int32_t>(entry.number<std::int8_t>(tflite::operator_code::kByteCode, 0),
                                   entry.number<std::int32_t>(tflite::operator_code::kWordCode, 0));
        if (code == tflite::kCustom) {
            const std::string_view custom = entry.text(tflite::operator_code::kCustomCode);
            return {code, fmt::format("CUSTOM {}", traces::terminal_text(custom.substr(0, 60)))};
        }
        const char* const name = tflite::builtin_name(code);
        return {code, name != nullptr ? name : fmt::format("operator {}", code)};
    }

    void take_layer(std::uint32_t number) {
        const FlatTable layer = operators_[number];
        const auto [code, name] = code_of(layer);
        const std::vector<TensorId> inputs =
            indices(layer.numbers<std::int32_t>(tflite::op::kInputs));
        const std::vector<TensorId> outputs =
            indices(layer.numbers<std::int32_t>(tflite::op::kOutputs));
        const OperatorRule* const rule = find_rule(code);
        if (rule == nullptr) {
            throw UserError(fmt::format("layer {} ({}): not supported", number, name),
                            fmt::format("supported: {}", nearest_operator(code)));
        }
        const LayerReader reader(read_, inputs, outputs, layer.table(tflite::op::kOptions), number,
                                 name);
        for (const TensorId id : inputs) {
            if (id == kNoTensor || state_[id] != State::Waiting) continue;
            reader.refuse(fmt::format("'{}' is used before it is computed",
                                      traces::terminal_text(read_[id].tensor.name)),
                          "operators in the order in which they can run");
        }
        Node node;
        node.op = rule->read(reader);
        node.layer = number;
        node.inputs = reader.first_inputs(rule->data_inputs);
        node.outputs = outputs;
        for (const TensorId id : outputs) {
            if (state_[id] != State::Waiting) {
                reader.refuse("its output is constant, an input or computed twice",
                              "one operator per tensor");
            }
            state_[id] = State::Computed;
        }
        graph_.nodes.push_back(std::move(node));
    }

    /// Moves the tensors that nodes use into the graph, in the order of the file.
    void renumber(const std::vector<TensorId>& inputs, const std::vector<TensorId>& outputs) {
        std::vector<bool> used(read_.size());
        const auto mark = [&](const std::vector<TensorId>& list) {
            for (const TensorId id : list) {
                if (id != kNoTensor) used[id] = true;
            }
        };
        mark(inputs);
        mark(outputs);
        for (const Node& node : graph_.nodes) {
            mark(node.inputs);
            mark(node.outputs);
        }
        std::vector<TensorId> ids(read_.size(), kNoTensor);
        for (std::size_t i = 0; i < read_.size(); ++i) {
            if (!used[i]) continue;
            ids[i] = static_cast<TensorId>(graph_.tensors.size());
            graph_.tensors.push_back(std::move(read_[i].tensor));
        }
        const auto translate = [&](std::vector<TensorId>& list) {
            for (TensorId& id : list) {
                if (id != kNoTensor) id = ids[id];
            }
        };
        for (Node& node : graph_.nodes) {
            translate(node.inputs);
            translate(node.outputs);
        }
        graph_.inputs = inputs;
        graph_.outputs = outputs;
        translate(graph_.inputs);
        translate(graph_.outputs);
    }

    FlatTables codes_, operators_;
    TensorReader reader_;
    std::vector<ReadTensor> read_;
    std::vector<State> state_;
    Graph graph_;
};

}  // namespace

Graph import_tflite(std::span<const std::uint8_t> file, const std::string& name) {
    const FlatBuffer buffer(file);
    const FlatTable model = FlatTable::root(buffer, tflite::kIdentifier);
    const auto version = model.number<std::uint32_t>(tflite::model::kVersion, 0);
    if (version != tflite::kVersion) {
        throw UserError(fmt::format("TFLite schema version {}", version),
                        "convert the network again: version 3 is what all converters write");
    }
    const FlatTables subgraphs = model.tables(tflite::model::kSubgraphs);
    if (subgraphs.size() != 1) {
        throw UserError(fmt::format("{} subgraphs", subgraphs.size()),
                        "convert a network without IF and WHILE, with one signature");
    }
    const FlatTable subgraph = subgraphs[0];
    return Importer(model, subgraph, file.size()).run(model, subgraph, name);
}

Graph read_tflite(const std::string& path) {
    const std::vector<std::uint8_t> bytes =
        read_input(path, kMaxFileBytes, "give a network that fits the chip");
    try {
        return import_tflite(bytes, std::filesystem::path(path).stem().string());
    } catch (const UserError& error) {
        throw UserError(fmt::format("'{}': {}", traces::terminal_text(path), error.what()),
                        error.remedy(), error.exit_code());
    }
}

}  // namespace n6vp::sim::generate
