// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "loader/format.h"

namespace n6vp::sim::report {

/// Returns the printed form of pool flags, TYPE.DTYPE[.ID].ATTR, as the vendor's report has it:
/// "RELOC.PARAM.0.RCACHED".
[[nodiscard]] std::string pool_flags_text(loader::format::PoolFlags flags);

/// Returns what the loader does with such a pool, in words.
[[nodiscard]] std::string pool_meaning(loader::format::PoolFlags flags);

/// Returns "Embedded ARM GCC" and the like, or "toolchain 0x3" for an unknown number.
[[nodiscard]] std::string toolchain_text(std::uint32_t toolchain);
/// Returns "ARM_GCC" and the like: the name in the vendor's JSON report.
[[nodiscard]] std::string toolchain_key(std::uint32_t toolchain);

/// Returns the flags line of the report: "v8.0 dbg=True async=True sec=True 'Embedded ARM GCC'
/// cpuid=D22 …".
[[nodiscard]] std::string flags_line(loader::format::Flags flags);

/// Returns a number with thousands separators: "3,344".
[[nodiscard]] std::string grouped(std::uint64_t number);

/// Writes an empty line and the title of a section.
void heading(std::ostream& out, std::string_view text);
/// Writes one row of a section: label, value and note in columns.
void detail(std::ostream& out, std::string_view label, std::string_view value,
            std::string_view note = {});

}  // namespace n6vp::sim::report
