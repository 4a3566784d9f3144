// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/host/elf.h"

namespace n6vp::sim::pack {

struct LegacyLinked;

/// Returns the link addresses that a loader of the older family must patch, ascending: the words of
/// .data with R_ARM_ABS32. Checks every word of the GOT, too. Fails with UserError for every
/// relocation that position-independent code may not have, and for an address that cannot be
/// resolved.
[[nodiscard]] std::vector<std::uint32_t> legacy_relocations(const ElfFile& elf,
                                                            const LegacyLinked& model);

}  // namespace n6vp::sim::pack
