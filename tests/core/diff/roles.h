// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "models/core/isa/row.h"
#include "tests/core/decode/draw.h"
#include "tests/core/diff/vector_format.h"

namespace n6vp::test::diff {

/// Returns why QEMU cannot judge single instructions of this row, or null if it can.
[[nodiscard]] const char* exclusion(const models::core::isa::Row& row);

/// Sets what the operands of an encoding must hold for the vector to mean something: addresses in
/// the window, small indices, landing pads. Returns false for an encoding that would leave window
/// and slot, or that the architecture leaves open.
[[nodiscard]] bool assign_roles(std::string_view family, const models::core::isa::Row& row,
                                std::uint32_t encoding, Draw& draw, Entry& entry);

}  // namespace n6vp::test::diff
