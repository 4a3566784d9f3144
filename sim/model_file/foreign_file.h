// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace n6vp::sim {

/// First bytes by which a file is known.
inline constexpr std::size_t kForeignBytes = 8;

/// Fails with UserError if the file begins like a TensorFlow Lite network, a program or an image;
/// `wanted` says what it should be, such as "not a model".
void require_not_foreign(const std::string& path, std::span<const std::uint8_t> content,
                         std::string_view wanted);

}  // namespace n6vp::sim
