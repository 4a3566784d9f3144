// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/generate/tflite/graph.h"
#include "tests/sim/generate/tflite_builder.h"

namespace n6vp::test {

/// Graphs of one layer, for kernels whose results are known by hand.
class GraphBuilder {
  public:
    sim::generate::TensorId input(const std::vector<std::uint32_t>& shape, float scale,
                                  std::int32_t zero_point) {
        const sim::generate::TensorId id = activation(shape, scale, zero_point);
        graph.inputs.push_back(id);
        return id;
    }
    sim::generate::TensorId activation(const std::vector<std::uint32_t>& shape, float scale,
                                       std::int32_t zero_point) {
        sim::generate::Tensor tensor;
        tensor.name = "t" + std::to_string(graph.tensors.size());
        tensor.shape = shape;
        tensor.quantisation.scale = {scale};
        tensor.quantisation.zero_point = {zero_point};
        graph.tensors.push_back(tensor);
        return static_cast<sim::generate::TensorId>(graph.tensors.size() - 1);
    }
    sim::generate::TensorId weights(const std::vector<std::uint32_t>& shape,
                                    const std::vector<float>& scale, std::uint32_t axis,
                                    const std::vector<int>& values) {
        const sim::generate::TensorId id = activation(shape, scale[0], 0);
        graph.tensors[id].quantisation.scale = scale;
        graph.tensors[id].quantisation.zero_point.assign(scale.size(), 0);
        graph.tensors[id].quantisation.axis = axis;
        graph.tensors[id].constant = int8_data(values);
        return id;
    }
    sim::generate::TensorId bias(const std::vector<std::int32_t>& values) {
        const sim::generate::TensorId id =
            activation({static_cast<std::uint32_t>(values.size())}, 1, 0);
        graph.tensors[id].type = sim::generate::ElementType::Int32;
        graph.tensors[id].constant = int32_data(values);
        return id;
    }
    void node(sim::generate::Operator op, std::vector<sim::generate::TensorId> inputs,
              sim::generate::TensorId output) {
        graph.nodes.push_back({std::move(op), std::move(inputs), {output}, 0});
        graph.outputs = {output};
    }

    sim::generate::Graph graph;
};

}  // namespace n6vp::test
