// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "traces/disassembler.h"

namespace n6vp::sim {

/// Returns a disassembler that prints what the core would execute, from the core's own decode
/// table: all of Armv8.1-M with the vector extension. Branch destinations are absolute. Undefined
/// encodings are `.inst`.
[[nodiscard]] std::unique_ptr<traces::Disassembler> make_disassembler();

}  // namespace n6vp::sim
