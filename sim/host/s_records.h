// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/host/record_file.h"

namespace n6vp::sim {

/// Returns true if the first line looks like a Motorola S-record: S, its type, hexadecimal digits.
[[nodiscard]] bool is_s_records(std::span<const std::uint8_t> text);

/// Returns the bytes of a file of Motorola S-records by ascending address. Headers (S0) and start
/// addresses (S7, S8, S9) are read over; counts (S5, S6) are checked. Fails with UserError, naming
/// file and line, for a record that is damaged or of another type, for bytes given twice or none,
/// and for a file without end record. `name` is for messages.
[[nodiscard]] std::vector<HexPart> parse_s_records(std::span<const std::uint8_t> text,
                                                   const std::string& name);

}  // namespace n6vp::sim
