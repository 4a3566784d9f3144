// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "models/core/isa/row.h"

namespace n6vp::models::core::isa::control {

/// Generic coprocessor instructions. The core has no coprocessors 0 to 7: every one of them raises
/// NOCP. Coprocessors 8 to 15 are floating point and vectors.
[[nodiscard]] std::span<const Row> coprocessor_rows();

}  // namespace n6vp::models::core::isa::control
