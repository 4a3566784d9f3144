// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/core/isa/row.h"

namespace n6vp::models::core::isa {

// Each in the folder of its name, with its rows, directives and semantics.
[[nodiscard]] Family integer_family();         ///< data processing, DSP, multiply, divide
[[nodiscard]] Family memory_family();          ///< loads, stores, exclusives
[[nodiscard]] Family control_family();         ///< branches, loops, IT, hints, barriers, MSR, CMSE
[[nodiscard]] Family coprocessor_family();     ///< generic coprocessors, of which there are none
[[nodiscard]] Family float_family();           ///< scalar floating point
[[nodiscard]] Family vector_integer_family();  ///< MVE integer
[[nodiscard]] Family vector_float_family();    ///< MVE floating point
[[nodiscard]] Family vector_memory_family();   ///< MVE loads, stores, predication, moves

}  // namespace n6vp::models::core::isa
