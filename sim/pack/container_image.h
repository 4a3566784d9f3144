// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/pack/linked_model.h"

namespace n6vp::sim::pack {

/// Options of the user, apart from the ELF file.
struct PackRequest {
    std::map<std::string, std::vector<std::uint8_t>> pools;  ///< raw content by pool name
    std::optional<loader::Generation> generation;            ///< refuse any other
    bool split = false;             ///< parameters into a file of their own
    bool ecblob_in_params = false;  ///< refuse a model without containers in the parameters
};

/// One row of the finished pool table.
struct PackedPool {
    std::string name;
    std::uint32_t address = 0;  ///< link address of the name
    std::uint32_t flags = 0, foff = 0, dst = 0, bytes = 0;
};

/// A finished container with the numbers that reports print.
struct PackedContainer {
    std::vector<std::uint8_t> file;        ///< `network_rel.bin`
    std::vector<std::uint8_t> parameters;  ///< the second file; empty unless split
    std::vector<PackedPool> pools;
    std::uint32_t rel_start = 0, rel_end = 0;  ///< file offsets
    std::uint32_t params_offset = 0;
    std::uint32_t section_bytes = 0;  ///< parameter section: containers, then raw data
    std::uint32_t raw_bytes = 0;      ///< rt_ctx.params_bin_sz
    std::uint32_t raw_crc = 0;        ///< rt_ctx.params_bin_crc32
};

/// Lays the model out as a file: header, code, constants, data, relocation table, parameters. Fills
/// in rel_start, rel_end, params_offset, every foff, and size and CRC of the raw parameters. May
/// add to `model.notes`. Fails with UserError if a pool lacks its content or the request
/// contradicts the model.
[[nodiscard]] PackedContainer build_container(LinkedModel& model, const PackRequest& request);

/// Judges the finished bytes with the loader's own checks. Returns the warnings as lines of text.
/// Fails with UserError for an error.
[[nodiscard]] std::vector<std::string> check_container(const PackedContainer& packed);

}  // namespace n6vp::sim::pack
