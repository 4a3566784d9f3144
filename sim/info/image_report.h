// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>

#include "models/soc/system/boot_image.h"
#include "sim/host/json_output.h"

/// Files with bytes for a memory of the STM32N6: Intel HEX, S-records, images with boot header.
namespace n6vp::sim::report {

/// Returns the header of bytes that begin with one. Fails with UserError, naming `file`, if it is
/// damaged.
[[nodiscard]] models::BootHeader boot_header_of(const std::string& file,
                                                std::span<const std::uint8_t> content);

/// Returns the fields of a header, a line each, behind `indent`.
[[nodiscard]] std::string boot_header_text(const models::BootHeader& header,
                                           const std::string& indent);
[[nodiscard]] Json boot_header_json(const models::BootHeader& header);

/// Returns true if the content is such a file; raw bytes without boot header are none.
[[nodiscard]] bool is_image_file(std::span<const std::uint8_t> content);

/// Both show the parts of such a file and their boot headers. They fail with UserError, naming
/// `file`, if it is damaged.
void write_image(std::ostream& out, const std::string& file, std::span<const std::uint8_t> content);
[[nodiscard]] Json image_document(const std::string& file, std::span<const std::uint8_t> content);

}  // namespace n6vp::sim::report
