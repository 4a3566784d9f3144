// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "models/core/isa/row.h"

namespace n6vp::models::core::isa {

/// Directives that every family may use:
///
///   r    general register: r0 .. r12, sp, lr, pc
///   rz   the same, but 15 is zr
///   s d q  vector registers s0.., d0.., q0..
///   u    unsigned decimal "#12"         u4 u8 u2  times 4, 8, 2
///   p1   unsigned plus one "#13"
///   x    unsigned hexadecimal "#0x1f"
///   mod  modified immediate of data processing (12 bits) "#4080"
///   c    condition "eq", nothing for 14 (always)
///   it   condition of the IT block the instruction stands in, as part of the mnemonic
///   s    "s" outside an IT block, nothing inside (16-bit data processing); the IT condition after
///   it S    "s" if the field is 1 list register list "{r0, r1, lr}" of 16 bits v    't' or 'e' of
///   the VPT block the instruction stands in
[[nodiscard]] std::span<const Directive> common_directives();

/// Returns "r0" .. "r12", "sp", "lr", "pc".
[[nodiscard]] const char* register_name(unsigned number);
/// Returns "eq" .. "le", "" for 14 and 15.
[[nodiscard]] const char* condition_name(unsigned code);
/// Returns the constant that the 12-bit modified immediate stands for.
[[nodiscard]] std::uint32_t expand_modified_immediate(std::uint32_t imm12);

}  // namespace n6vp::models::core::isa
