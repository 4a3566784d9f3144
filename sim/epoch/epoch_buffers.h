// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>
#include <vector>

#include "sim/epoch/epoch_file.h"
#include "sim/host/toml_file.h"

namespace n6vp::sim {

/// Reads the tables of [[buffer]]: places them, fills them, and returns them by address. Fails for
/// buffers that overlap or leave the memory of the NPU.
[[nodiscard]] std::vector<BenchBuffer> read_buffers(const ScenarioNodes& nodes,
                                                    const toml::node& node);

/// Returns the bytes of `random = seed`: x = 1664525 x + 1013904223 from the seed on, modulo 2^32,
/// and of each x the high eight bits.
[[nodiscard]] std::vector<std::uint8_t> random_bytes(std::uint32_t seed, std::size_t count);

/// Returns true if the NPU has memory at all of these bytes.
[[nodiscard]] bool npu_reaches(std::uint64_t address, std::uint64_t bytes);

}  // namespace n6vp::sim
