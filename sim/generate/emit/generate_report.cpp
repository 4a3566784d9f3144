// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/emit/generate_report.h"

#include <fmt/format.h>

#include <cmath>

#include "memmap/npu/links.h"
#include "sim/generate/lower/epoch_steps.h"
#include "sim/generate/lower/memory_plan.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace npu = memmap::npu;

namespace {

std::uint64_t all_products(const Graph& graph) {
    std::uint64_t products = 0;
    for (const Node& node : graph.nodes) products += multiply_accumulates(graph, node);
    return products;
}

std::string shape_text(const std::vector<std::uint32_t>& shape) {
    return fmt::format("{}", fmt::join(shape, "x"));
}

Json tensor_json(const PlacedTensor& tensor) {
    Json json;
    json["name"] = tensor.name;
    json["shape"] = tensor.shape;
    json["type"] = type_name(tensor.type);
    json["bytes"] = tensor.bytes;
    if (is_user(tensor.at.base)) {
        json["user_allocated"] = true;
    } else {
        json["address"] = hex_word(tensor.at.offset);
        json["pool"] = tensor.pool;
        if (tensor.at.base == Base::External) json["external"] = true;
    }
    json["scale"] = tensor.scale;
    json["zero_point"] = tensor.zero_point;
    json["first_epoch"] = tensor.first_epoch;
    json["last_epoch"] = tensor.last_epoch;
    return json;
}

Json tensors_json(const std::vector<PlacedTensor>& tensors) {
    Json list = Json::array();
    for (const PlacedTensor& tensor : tensors) list.push_back(tensor_json(tensor));
    return list;
}

Json epoch_json(std::uint32_t number, const Epoch& epoch, const EpochRow& row) {
    Json json;
    json["number"] = number;
    json["name"] = epoch_name(epoch);
    const auto* const npu = std::get_if<NpuEpoch>(&epoch);
    json["kind"] = npu != nullptr ? "npu" : "software";
    if (npu == nullptr) return json;
    json["choice"] = npu->choice;
    json["network_macs"] = npu->multiplications;
    json["estimated_cycles"] = std::llround(row.cycles);
    json["estimated_utilisation"] = row.utilisation;
    return json;
}

std::string end_name(const npu::LinkEnd& end) {
    const std::string unit = fmt::format("{}{}", end.type->name, end.index);
    return *end.port_name == '\0' ? unit : unit + "." + end.port_name;
}

std::string base_text(Base base) {
    return base == Base::Absolute ? "" : base_symbol(base).substr(1) + '+';
}

/// Where a tensor is: an address, or a place in memory that the model is given.
std::string place_text(Address at) {
    if (is_user(at.base)) return "the user's";
    return base_text(at.base) + hex_word(at.offset);
}

/// Registers by name; coefficients as their number.
std::string unit_listing(const UnitSettings& unit) {
    const npu::Unit which = unit.unit();
    std::string text = fmt::format("  {}{}:", which.type->name, which.index);
    std::uint32_t coefficients = 0;
    for (const auto& [offset, word] : unit.words()) {
        const npu::Place place = npu::register_at(*which.type, offset);
        if (place.at->count > 1) {
            ++coefficients;
            continue;
        }
        text += fmt::format(" {}={}{:#x}", place.at->name, base_text(word.base), word.value);
    }
    if (coefficients != 0) text += fmt::format(" and {} coefficients", coefficients / 2);
    return text + "\n";
}

}  // namespace

std::string generate_text(const Graph& graph, const ModelPlan& plan, const BuiltModel& built,
                          const Prediction& prediction) {
    std::string text = fmt::format(
        "{}: {} layers, {} epochs in {} blocks, {} multiply-accumulates of the network (without "
        "padding)\n"
        "  weights {} bytes in {} ({})\n",
        traces::terminal_text(graph.name), graph.nodes.size(), plan.epochs.size(),
        built.blocks.size(), all_products(graph), plan.weights.size(),
        pool_title(plan.weights_pool),
        plan.weights_in_place ? "in place" : "copied to " + hex_word(plan.weights_address));
    for (const PlacedPool& pool : plan.activations) {
        text += fmt::format(
            "  activations {} bytes in {} at {}\n", pool.bytes, pool_title(pool.name),
            pool.external ? "external RAM of the installation" : hex_word(pool.address));
    }
    for (const PlacedTensor& tensor : plan.inputs) {
        text += fmt::format("  input {} {} at {}\n", traces::terminal_text(tensor.name),
                            shape_text(tensor.shape), place_text(tensor.at));
    }
    for (const PlacedTensor& tensor : plan.outputs) {
        text += fmt::format("  output {} {} at {}\n", traces::terminal_text(tensor.name),
                            shape_text(tensor.shape), place_text(tensor.at));
    }
    text += "\nepoch     cycles (est.)  MAC use  layer: how\n";
    std::uint32_t number = 0;
    for (const EpochRow& row : prediction.epochs) {
        const std::string use = row.software ? "-" : fmt::format("{:.1f}%", 100 * row.utilisation);
        text += fmt::format("{:5}  {:15.0f}  {:>7}  {}: {}\n", ++number, row.cycles, use,
                            traces::terminal_text(row.name).substr(0, 60), row.choice);
    }
    text += '\n' + prediction_text(prediction);
    for (const std::string& note : built.notes) text += fmt::format("note: {}\n", note);
    return text;
}

Json generate_json(const Graph& graph, const ModelPlan& plan, const BuiltModel& built,
                   const Prediction& prediction, const Json& container) {
    Json json = json_document("generate");
    json["name"] = graph.name;
    json["layers"] = graph.nodes.size();
    json["network_macs"] = all_products(graph);
    json["estimated_cycles"] = std::llround(prediction.npu_cycles);
    json["prediction"] = prediction_json(prediction);
    Json weights;
    weights["pool"] = plan.weights_pool;
    weights["bytes"] = plan.weights.size();
    weights["in_place"] = plan.weights_in_place;
    if (!plan.weights_in_place) weights["address"] = hex_word(plan.weights_address);
    json["weights"] = weights;
    json["activations"] = Json::array();
    for (const PlacedPool& pool : plan.activations) {
        Json entry;
        entry["pool"] = pool.name;
        if (pool.external)
            entry["external"] = true;
        else
            entry["address"] = hex_word(pool.address);
        entry["bytes"] = pool.bytes;
        json["activations"].push_back(entry);
    }
    json["inputs"] = tensors_json(plan.inputs);
    json["outputs"] = tensors_json(plan.outputs);
    json["internals"] = tensors_json(plan.internals);
    json["epochs"] = Json::array();
    std::uint32_t number = 0;
    for (const Epoch& epoch : plan.epochs) {
        const EpochRow& row = prediction.epochs[number++];
        json["epochs"].push_back(epoch_json(number, epoch, row));
    }
    json["blocks"] = Json::array();
    for (const EpochBlock& block : built.blocks) {
        Json entry;
        entry["first"] = block.first;
        entry["last"] = block.last;
        entry["kind"] = block.software ? "software" : block.container.empty() ? "core" : "blob";
        entry["blob_words"] = block.blob_words;
        json["blocks"].push_back(entry);
    }
    json["container"] = container;
    return json;
}

std::string epoch_listing(const ModelPlan& plan, const BuiltModel& built) {
    std::string text;
    std::uint32_t number = 0;
    for (const Epoch& epoch : plan.epochs) {
        ++number;
        text += fmt::format("epoch {}: {}\n", number, traces::terminal_text(epoch_name(epoch)));
        const auto* const npu = std::get_if<NpuEpoch>(&epoch);
        if (npu == nullptr) {
            text += "  on the core\n";
            continue;
        }
        text += fmt::format("  {}\n", npu->choice);
        for (const UnitSettings& unit : npu->units) text += unit_listing(unit);
        for (const auto& link : npu->links) {
            constexpr npu::Field kLink = npu::field(npu::kStrswitch, "DST.LINK0");
            text += fmt::format("  {} -> {}\n",
                                end_name(npu::link_source(npu::extract(link.second, kLink))),
                                end_name(npu::link_destination(link.first)));
        }
    }
    for (const EpochBlock& block : built.blocks) {
        if (block.program.empty()) continue;
        text += fmt::format("\nblob of epochs {} to {}, in the form of n6vp ecdump:\n{}",
                            block.first, block.last, block.program);
    }
    return text;
}

}  // namespace n6vp::sim::generate
