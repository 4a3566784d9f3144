// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/generate/cores/core_layer.h"

namespace n6vp::sim::generate {

struct CoreOptions {
    const CoreTarget* target = nullptr;
    std::string name = "network";                    ///< a C identifier in lower case
    bool user_inputs = false, user_outputs = false;  ///< not in the activations
};

/// A model for a core: its layers with their places in weights and activations.
struct CorePlan {
    struct Layer {
        CoreLayer work;
        std::uint32_t weights = 0, scratch = 0;  ///< offsets in weights and activations
    };
    CoreOptions options;
    std::vector<Layer> layers;
    std::vector<std::uint8_t> weights;
    std::uint32_t activation_bytes = 0;
    std::vector<TensorId> storage;  ///< of every tensor: the one whose memory it shares
    /// Offset in the activations, of tensors that own memory there.
    std::vector<std::optional<std::uint32_t>> places;
    std::uint64_t macs = 0;

    [[nodiscard]] std::optional<std::uint32_t> place(TensorId id) const {
        return places[storage[id]];
    }
};

/// Makes all layers, then places tensors and scratch memory by their lifetimes, the largest first.
/// Fails with UserError, naming operator and layer, for what no kernel does.
[[nodiscard]] CorePlan plan_core_model(const Graph& graph, const CoreOptions& options);

}  // namespace n6vp::sim::generate
