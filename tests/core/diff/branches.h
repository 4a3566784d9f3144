// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/core/isa/row.h"
#include "tests/core/decode/draw.h"
#include "tests/core/diff/vector_format.h"

namespace n6vp::test::diff {

/// Replaces the displacement of a branch that starts its slot's code by one that ends on a landing
/// pad. Other encodings stay as they are.
void aim_branch(const models::core::isa::Row& row, Draw& draw, std::uint32_t& encoding);

/// Sets what a branch, loop or table instruction needs. Returns false for encodings that leave the
/// slot.
[[nodiscard]] bool control_roles(const models::core::isa::Row& row, std::uint32_t encoding,
                                 Draw& draw, Entry& entry);

/// Encodings of displacements in bytes from the branch's address plus four.
[[nodiscard]] std::uint32_t loop_displacement(std::uint32_t bytes);

}  // namespace n6vp::test::diff
