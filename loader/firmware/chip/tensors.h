// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Inputs and outputs of the model that is selected: memory, contents, lines of text.
namespace n6vp::firmware::chip {

/// Gives the model memory for every buffer that it has not of its own. Fails if it refuses one, or
/// they do not fit.
[[nodiscard]] bool give_buffers();

/// Puts the contents of files or of one byte into all inputs, and into memory. Fails if a file is
/// missing or too short.
[[nodiscard]] bool fill_inputs();

/// Makes the outputs visible to the core, writes their files if wanted, and sets `crc` to the
/// CRC-32 of all of them. Fails if a file cannot be written.
[[nodiscard]] bool read_outputs(std::uint32_t& crc);

/// Says what inputs and outputs there are.
void report_tensors();
/// Says what the outputs begin with.
void report_values();

}  // namespace n6vp::firmware::chip
