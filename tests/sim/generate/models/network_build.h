// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/generate/emit/build_model.h"
#include "sim/generate/operators/import.h"
#include "sim/generate/operators/lower_graph.h"
#include "sim/model_file/model_source.h"

/// The public networks through lowering, compiler and packing, in this process.
namespace n6vp::test {

inline constexpr const char* kPublicNetworks[] = {"ad01_int8", "kws_ref_model",
                                                  "pretrainedResnet_quant", "vww_96_int8"};
inline constexpr loader::Generation kGenerations[] = {
    loader::Generation::Core21, loader::Generation::Core22, loader::Generation::Core30,
    loader::Generation::Core4x};

/// One way to make a container of a network.
struct NetworkWay {
    loader::Generation generation = loader::Generation::Core4x;
    bool controller = true, copy_weights = false, split = false, blobs_in_parameters = false;
    bool user_tensors = false;

    [[nodiscard]] std::string name() const {
        return std::string(sim::generation_number(generation)) +
               (controller ? ", blobs" : ", core") + (copy_weights ? ", copied" : ", in place") +
               (split ? ", split" : "") + (blobs_in_parameters ? ", blobs in parameters" : "") +
               (user_tensors ? ", user's tensors" : "");
    }
};

/// The ways that every generation knows: blobs or none, weights in place or copied; and, with
/// blobs, containers in the parameters, parameters in a file of their own, tensors of the user.
[[nodiscard]] inline std::vector<NetworkWay> network_ways(loader::Generation generation) {
    std::vector<NetworkWay> ways;
    for (const bool controller : {true, false}) {
        for (const bool copy : {false, true}) ways.push_back({generation, controller, copy});
    }
    ways.push_back({generation, true, false, true, true, true});
    ways.push_back({generation, true, true, false, true, false});
    return ways;
}

struct BuiltNetwork {
    sim::generate::ModelPlan plan;
    sim::generate::BuiltModel model;
};

/// `activations` before the last are for activations, the last takes copied weights.
[[nodiscard]] inline BuiltNetwork build_network(const std::string& file, const NetworkWay& way,
                                                std::vector<sim::generate::PlacedPool> activations,
                                                sim::generate::PlacedPool copy) {
    sim::generate::LoweringOptions lowering;
    lowering.activations = std::move(activations);
    if (way.copy_weights) lowering.weights_copy = std::move(copy);
    lowering.user_inputs = lowering.user_outputs = way.user_tensors;
    sim::generate::BuildOptions build;
    build.generation = way.generation;
    build.controller = way.controller;
    build.split = way.split;
    build.blobs_in_parameters = way.blobs_in_parameters;
    BuiltNetwork built;
    built.plan = sim::generate::lower_graph(sim::generate::read_tflite(file), lowering);
    built.model = sim::generate::build_model(built.plan, build);
    return built;
}

}  // namespace n6vp::test
