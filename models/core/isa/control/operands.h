// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "models/core/isa/row.h"

namespace n6vp::models::core::isa::control {

// Branch offsets in bytes from the PC operand, by the letters of the rows.
[[nodiscard]] std::int32_t offset_of_conditional_narrow(const Fields& fields);  ///< i
[[nodiscard]] std::int32_t offset_of_branch_narrow(const Fields& fields);       ///< i
[[nodiscard]] std::int32_t offset_of_conditional_wide(const Fields& fields);    ///< S J K i
/// B and BL: S J K i. J and K are inverted against S.
[[nodiscard]] std::int32_t offset_of_branch_wide(const Fields& fields);
/// WLS and LE: i times 4 plus j times 2, never negative.
[[nodiscard]] std::int32_t offset_of_loop(const Fields& fields);

/// Directives of the family:
///
///   to_8 to_11 to_20 to_24   branch offset of B T1, T2, T3, and of T4 and BL
///   to_compare to_loop to_start   of CBZ, WLS, LE
///   to_bf to_bfl to_bfcsel   of branch future
///   cond          condition of B T1 and T3: an IT block overrules it
///   it_pattern    "t" and "e" of IT
///   size          ".8" to ".64" of a tail-predicated loop
///   else          second label of BFCSEL
///   flags         "aif" or "none" of CPS
///   special masked           special register of MRS, of MSR
///   barrier       "sy", "st" and so on
///   cp cr         coprocessor "p7", its register "c3"
///   crt           general register or, for 15, "apsr_nzcv"
///   offset4 move4 address offset of LDC and STC as in the family of loads and stores
///   option        "{12}"
[[nodiscard]] std::span<const Directive> control_directives();

}  // namespace n6vp::models::core::isa::control
