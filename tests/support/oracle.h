// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Second opinion on an install: what memory must hold afterwards, computed from the format's facts
/// without a line or a header of the loader. For well-formed files only; it judges nothing.
namespace n6vp::test {

struct OracleRequest {
    std::uint32_t file = 0;    ///< address of the file
    std::uint32_t params = 0;  ///< address of the parameter file; 0 = inside the file
    std::uint32_t exec_ram = 0;
    std::uint32_t ext_ram = 0;
    bool copy = false;  ///< COPY instead of XIP
    bool clear = false;
    std::uint32_t instance = 0;
    std::uint32_t callbacks = 0;
    /// Firmware build: offset of inst_reloc in, and size of, NN_Instance_TypeDef. Default:
    /// asynchronous, debug.
    std::uint32_t inst_reloc_offset = 0x30;
    std::uint32_t instance_bytes = 0x34;
};

struct OracleWrite {
    std::uint32_t address = 0;
    std::vector<std::uint8_t> bytes;
};

/// Everything an install writes, in order; later writes win.
struct OracleImage {
    std::vector<OracleWrite> writes;
    std::uint32_t ro_base = 0, ram_base = 0, param0 = 0, context = 0;

    /// Lays the writes over `memory`, which stands for the bytes from `start` on.
    void apply(std::uint32_t start, std::span<std::uint8_t> memory) const;
    /// Returns `bytes` bytes from `start` on: `fill`, overlaid with the writes.
    [[nodiscard]] std::vector<std::uint8_t> region(std::uint32_t start, std::uint32_t bytes,
                                                   std::uint8_t fill) const;
};

/// Computes the image. `params` is the parameter file, empty if it is part of `file`. Throws
/// std::invalid_argument if the file contradicts itself.
[[nodiscard]] OracleImage expected_image(std::span<const std::uint8_t> file,
                                         std::span<const std::uint8_t> params,
                                         const OracleRequest& request);

}  // namespace n6vp::test
