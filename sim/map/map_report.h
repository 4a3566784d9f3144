// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memmap/guest_addr.h"
#include "memmap/regions.h"
#include "sim/host/json_output.h"
#include "sim/model_file/mpool.h"

/// Text and JSON of `n6vp map`.
namespace n6vp::sim {

/// Returns 655360 as "640 KiB": the largest unit that divides the number.
[[nodiscard]] std::string size_text(std::uint64_t bytes);

/// Returns one line per region: both addresses, size, port, clock, access, filter.
[[nodiscard]] std::string region_table();
/// Returns clocks, peripherals and interrupts.
[[nodiscard]] std::string other_tables();
/// Returns where an address (or range) lies, two or three lines.
[[nodiscard]] std::string resolve_text(AddressRange what);
/// Returns the pools of a file over the map, and every remark.
[[nodiscard]] std::string mpool_text(const MpoolFile& file, std::string_view shown_name);

[[nodiscard]] Json map_json();
[[nodiscard]] Json resolve_json(AddressRange what);
[[nodiscard]] Json mpool_json(const MpoolFile& file);

[[nodiscard]] std::string_view kind_name(memmap::RegionKind kind);
[[nodiscard]] std::string_view path_name(memmap::McuPath path);
[[nodiscard]] std::string_view alias_name(memmap::Alias alias);
[[nodiscard]] std::string_view memory_type_name(memmap::MemoryType type);
[[nodiscard]] std::string_view confidence_name(memmap::Confidence confidence);

}  // namespace n6vp::sim
