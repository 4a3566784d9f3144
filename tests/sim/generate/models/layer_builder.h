// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/generate/emit/build_model.h"
#include "sim/generate/operators/lower_graph.h"
#include "sim/generate/tflite/graph.h"
#include "tests/sim/generate/models/layer_reference.h"

/// Networks of one layer with random contents, and what comes of them on the simulated chip.
namespace n6vp::test {

using Shape4 = std::vector<std::uint32_t>;

/// Numbers that every run has alike.
class Sequence {
  public:
    explicit Sequence(std::uint32_t seed) : state_(seed * 2654435761u + 1) {}
    std::uint32_t next() {
        state_ = state_ * 1664525u + 1013904223u;
        return state_ >> 8;
    }
    std::int32_t between(std::int32_t low, std::int32_t high) {
        return low + static_cast<std::int32_t>(next() % static_cast<std::uint32_t>(high - low + 1));
    }

  private:
    std::uint32_t state_;
};

[[nodiscard]] sim::generate::Tensor quantised(const std::string& name, Shape4 shape, float scale,
                                              std::int32_t zero_point);

/// A convolution with weights of its own scale in each channel; `zero` is that of the input.
[[nodiscard]] sim::generate::Graph convolution_graph(sim::generate::Operator op, Shape4 in,
                                                     Shape4 out, Shape4 weights, std::int32_t zero,
                                                     std::uint32_t seed);
/// A layer without weights.
[[nodiscard]] sim::generate::Graph plain_graph(sim::generate::Operator op,
                                               std::vector<sim::generate::Tensor> inputs,
                                               sim::generate::Tensor output);

[[nodiscard]] Picture random_picture(const sim::generate::Tensor& tensor, std::uint32_t seed);

struct Setup {
    sim::generate::BuildOptions build;
    bool copy_weights = false;  ///< to npuRAM6, else in place
    int mode = 1;               ///< of the install: 1 XIP, 2 COPY
};

/// Generates, installs and runs; returns the first output. Fails with std::runtime_error and what
/// the tool said.
[[nodiscard]] Picture run_on_chip(const sim::generate::Graph& graph, const Setup& setup,
                                  const std::vector<Picture>& inputs);

}  // namespace n6vp::test
