// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sim/generate/lower/core_epoch.h"
#include "sim/generate/lower/npu_epoch.h"

/// A network after lowering: epochs, memory, tensors. What is emitted, and what reports show.
namespace n6vp::sim::generate {

/// Softmax along the last dimension, on the core; results have scale 1/256 and zero point -128.
struct SoftmaxEpoch {
    std::string name;
    Address input, output;
    std::uint32_t rows = 1, elements = 1;
    std::array<std::uint32_t, 256> table{};  ///< exp(-d * scale * beta) * 2^22
};

using Epoch = std::variant<NpuEpoch, SoftmaxEpoch, CoreEpoch>;

[[nodiscard]] const std::string& epoch_name(const Epoch& epoch);

/// A tensor that has a place. Numbers as in the network.
struct PlacedTensor {
    std::string name;  ///< hostile text
    std::vector<std::uint32_t> shape;
    ElementType type = ElementType::Int8;  ///< or Uint8
    Address at;
    std::uint32_t bytes = 0;
    float scale = 0;
    std::int32_t zero_point = 0;
    std::uint32_t first_epoch = 0, last_epoch = 0;  ///< numbers of those that need it
    std::string pool;                               ///< empty if the memory is the user's
};

/// A stretch of memory: at a fixed address, or external RAM that the model gets at installation,
/// whose address counts from its start.
struct PlacedPool {
    std::string name;
    std::uint32_t address = 0, bytes = 0;
    bool external = false;
};

struct ModelPlan {
    std::string name;  ///< an identifier
    std::vector<Epoch> epochs;
    std::vector<PlacedTensor> inputs, outputs, internals;
    std::vector<PlacedPool> activations;             ///< no more than one of them external
    bool user_inputs = false, user_outputs = false;  ///< memory is the user's
    std::vector<std::uint8_t> weights;
    std::string weights_pool;      ///< name
    bool weights_in_place = true;  ///< else copied to:
    std::uint32_t weights_address = 0;
};

}  // namespace n6vp::sim::generate
