// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/host/elf.h"

namespace n6vp::sim::pack {

struct LinkedModel;

/// Returns the link addresses that the loader must patch, ascending: the words with R_ARM_ABS32
/// in .data (GCC) or anywhere but in the vector (clang). Appends to `model.notes` what is legal but
/// odd. Fails with UserError for every relocation that position-independent code may not have.
[[nodiscard]] std::vector<std::uint32_t> collect_relocations(const ElfFile& elf,
                                                             LinkedModel& model);

/// Fails with UserError unless the loader can resolve `value`, the word at link address `place`: 0,
/// or an address that exists in the read-only, RAM, parameter or external RAM space.
void check_link_value(const ElfFile& elf, const LinkedModel& model, std::uint32_t place,
                      std::uint32_t value, std::string_view what);

}  // namespace n6vp::sim::pack
