// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/generate/tflite/graph.h"

/// From a .tflite file to a graph. The file is untrusted: shapes, types, quantisation and order
/// are checked here, so that users of a Graph need not check them.
namespace n6vp::sim::generate {

/// Largest file that is read: more than the flash that any board of this chip has.
inline constexpr std::uint64_t kMaxFileBytes = 256u << 20;

/// Returns the graph of a quantised network. Fails with UserError, which names the layer, the
/// reason and the nearest supported form.
[[nodiscard]] Graph import_tflite(std::span<const std::uint8_t> file, const std::string& name);

/// Reads and imports a file; the graph has its name. Fails with UserError, which names the file.
[[nodiscard]] Graph read_tflite(const std::string& path);

}  // namespace n6vp::sim::generate
