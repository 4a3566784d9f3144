// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/host/record_file.h"

namespace n6vp::sim {

/// Returns true if the first line looks like a record of Intel HEX: a colon and hexadecimal digits.
[[nodiscard]] bool is_intel_hex(std::span<const std::uint8_t> text);

/// Returns the bytes of an Intel HEX file by ascending address. Record types 00 to 05; start
/// addresses (03, 05) are read over. Fails with UserError, naming file and line, for a record that
/// is damaged or of another type, for bytes given twice or none, and for a file
/// without end-of-file record. `name` is for messages.
[[nodiscard]] std::vector<HexPart> parse_intel_hex(std::span<const std::uint8_t> text,
                                                   const std::string& name);

}  // namespace n6vp::sim
