// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Arrays in NumPy's file format (.npy), versions 1 and 2: C order, little-endian, fixed-size
/// numbers.
namespace n6vp::sim::model_run {

struct NpyArray {
    std::string type;  ///< NumPy's name without byte order: "i1", "u1", "f4"
    std::vector<std::uint64_t> shape;
    std::vector<std::uint8_t> bytes;
};

[[nodiscard]] bool is_npy(std::span<const std::uint8_t> file);

/// Returns the array in `file`; `shown_name` is for messages. Fails with UserError for what is no
/// such file, is cut off, or is in an order that is not read.
[[nodiscard]] NpyArray parse_npy(std::span<const std::uint8_t> file, std::string_view shown_name);

/// Returns the head of a file of version 1; the numbers follow it.
[[nodiscard]] std::string npy_head(std::string_view type, std::span<const std::uint64_t> shape);

/// Returns "1x40x8"; "scalar" for no dimensions.
[[nodiscard]] std::string shape_text(std::span<const std::uint64_t> shape);

}  // namespace n6vp::sim::model_run
