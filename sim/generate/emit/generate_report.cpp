// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/emit/generate_report.h"

#include <fmt/format.h>

#include "memmap/npu/links.h"
#include "sim/generate/lower/epoch_steps.h"
#include "sim/generate/lower/memory_plan.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace npu = memmap::npu;

namespace {

constexpr double kMultipliersOfAll = 288;  // 8x8 bits, four CONVACC

double utilisation(const NpuEpoch& epoch) {
    if (epoch.estimated_cycles == 0) return 0;
    return static_cast<double>(epoch.multiplications) /
           (kMultipliersOfAll * static_cast<double>(epoch.estimated_cycles));
}

std::uint64_t all_cycles(const ModelPlan& plan) {
    std::uint64_t cycles = 0;
    for (const Epoch& epoch : plan.epochs) {
        if (const auto* npu = std::get_if<NpuEpoch>(&epoch)) cycles += npu->estimated_cycles;
    }
    return cycles;
}

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

Json epoch_json(std::uint32_t number, const Epoch& epoch) {
    Json json;
    json["number"] = number;
    json["name"] = epoch_name(epoch);
    const auto* const npu = std::get_if<NpuEpoch>(&epoch);
    json["kind"] = npu != nullptr ? "npu" : "software";
    if (npu == nullptr) return json;
    json["choice"] = npu->choice;
    json["multiplications"] = npu->multiplications;
    json["estimated_cycles"] = npu->estimated_cycles;
    json["estimated_utilisation"] = utilisation(*npu);
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

std::string generate_text(const Graph& graph, const ModelPlan& plan, const BuiltModel& built) {
    const std::uint64_t products = all_products(graph), cycles = all_cycles(plan);
    std::string text = fmt::format(
        "{}: {} layers, {} epochs in {} blocks, {} multiply-accumulates of the network (without "
        "padding)\n"
        "  weights {} bytes in {} ({})\n",
        traces::terminal_text(graph.name), graph.nodes.size(), plan.epochs.size(),
        built.blocks.size(), products, plan.weights.size(), pool_title(plan.weights_pool),
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
    for (const Epoch& epoch : plan.epochs) {
        ++number;
        const auto* const npu = std::get_if<NpuEpoch>(&epoch);
        const std::string name = traces::terminal_text(epoch_name(epoch)).substr(0, 60);
        if (npu == nullptr) {
            text += fmt::format("{:5}  {:>15}  {:>7}  {}: on the core\n", number, "-", "-", name);
            continue;
        }
        text += fmt::format("{:5}  {:15}  {:6.1f}%  {}: {}\n", number, npu->estimated_cycles,
                            100 * utilisation(*npu), name, npu->choice);
    }
    text += fmt::format("sum    {:15}  {:6.1f}%  closed form\n", cycles,
                        cycles == 0 ? 0.0
                                    : 100 * static_cast<double>(products) /
                                          (kMultipliersOfAll * static_cast<double>(cycles)));
    text +=
        "not in it: programming of the units (n6vp analyze has it), conflicts, layers on the core "
        "(n6vp run simulates all)\n";
    for (const std::string& note : built.notes) text += fmt::format("note: {}\n", note);
    return text;
}

Json generate_json(const Graph& graph, const ModelPlan& plan, const BuiltModel& built,
                   const Json& container) {
    Json json = json_document("generate");
    json["name"] = graph.name;
    json["layers"] = graph.nodes.size();
    json["multiplications"] = all_products(graph);
    json["estimated_cycles"] = all_cycles(plan);
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
    for (const Epoch& epoch : plan.epochs) json["epochs"].push_back(epoch_json(++number, epoch));
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
