// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/generate/lower/npu_epoch.h"
#include "sim/generate/tflite/graph.h"

/// Layers that only move bytes: an engine that reads, linked to engines that write.
namespace n6vp::sim::generate {

/// Where the elements of a source go, in their order: lines of pixels of `size` elements. A single
/// pixel may have any size.
struct CopyTarget {
    std::uint32_t offset = 0;  ///< in the output
    std::uint32_t width = 1, height = 1, size = 1;
    std::uint32_t pitch = 1, line_pitch = 1;
};
struct CopySource {
    Address from;
    std::uint32_t elements = 0;
    std::vector<CopyTarget> targets;  ///< each gets all of it
};
struct CopyLayer {
    std::string name, choice;
    std::vector<CopySource> sources;
    std::uint32_t output_bytes = 0;
};
/// What the engines cannot do, and what they could instead.
struct CopyRefusal {
    std::string what, remedy;
};
[[nodiscard]] std::optional<CopyRefusal> copy_refusal(const CopyLayer& layer);
[[nodiscard]] NpuEpoch lower_copies(const CopyLayer& layer, Address output);

/// Returns the copies of a CONCATENATION without its sources' addresses.
[[nodiscard]] CopyLayer concatenation_copies(const Graph& graph, const Node& node,
                                             std::uint32_t axis);
/// Returns those of a RESIZE_NEAREST_NEIGHBOR that repeats every pixel: one source; or nothing to
/// copy for other resizes.
[[nodiscard]] CopyLayer enlargement_copies(const Graph& graph, const Node& node, const Resize& op);

}  // namespace n6vp::sim::generate
