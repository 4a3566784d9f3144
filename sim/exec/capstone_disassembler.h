// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/core/isa/row.h"
#include "traces/disassembler.h"

namespace n6vp::sim {

/// Returns a disassembler for Armv7E-M and Armv8-M cores whose texts are Capstone's. The core's own
/// decode table says which encodings exist with `features`; it also names what Capstone 4 takes for
/// an instruction of another profile, such as TT or MSP_NS. Branch destinations are absolute.
/// Throws std::runtime_error if Capstone was built without Arm.
[[nodiscard]] std::unique_ptr<traces::Disassembler> make_capstone_disassembler(
    models::core::isa::Feature features);

}  // namespace n6vp::sim
