// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "models/core/isa/row.h"

namespace n6vp::models::core::isa::memory {

/// Directives of the family, for the inside of brackets and what follows them:
///
///   up up2 up4    offset that is added, nothing if zero: ", #8"
///   up8           the same, zero shown
///   pc4           offset of a literal, times 4, zero shown
///   down          offset that is subtracted, zero shown: ", #-0"
///   move move4    offset with the sign of field U, zero shown
///   offset4       the same, but nothing for plus zero
///   lsl           shift of an index register: ", lsl #2"
///   push pop      register list of the 16-bit forms with LR or PC
///   clrm          register list with APSR for 15
///   ! M           "!" for writeback: if the base is not in the list; if field W is set
///   ldm stmdb     mnemonic, "pop" and "push" for the stack pointer with writeback ...
///   wide_push     ... ".w" after "push"
///   base          ... base register with what separates it from the list, nothing for those two
///   store_list    register list of the 32-bit stores
[[nodiscard]] std::span<const Directive> memory_directives();

}  // namespace n6vp::models::core::isa::memory
