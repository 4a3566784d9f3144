// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "sim/model_file/model_image.h"

namespace n6vp::sim::report {

/// Every size that header and `rt_ctx` imply, in bytes. Absent where the words it comes from
/// contradict each other or are not in the file.
struct Sizes {
    std::optional<std::uint64_t> data, got, bss, arrays, rel;
    std::optional<std::uint64_t> rw, ro;     ///< exact
    std::optional<std::uint64_t> xip, copy;  ///< exec RAM that an install needs, multiples of 8
    std::optional<std::uint64_t> copied;     ///< bytes that go from the file into RAM
    std::optional<std::uint64_t> header_and_rel, extra;
    std::optional<std::uint64_t> params, acts;  ///< used bytes of constant and of read/write areas
    std::optional<std::uint64_t> external_ram;  ///< as the C API gives it: a multiple of 8
    std::optional<std::uint64_t> params_file;   ///< 0 when not split
    std::optional<std::uint64_t>
        params_section;  ///< bytes from params_offset to the end of the file; 0 without parameters
    std::optional<std::uint64_t> code;  ///< `code_sz` of the C API: RO rounded up to 8
};

[[nodiscard]] Sizes derive_sizes(const ModelImage& image, const ModelFacts& facts);

}  // namespace n6vp::sim::report
