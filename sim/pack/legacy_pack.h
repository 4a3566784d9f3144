// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loader/legacy/container.h"
#include "sim/host/elf.h"

/// Models of the older family (Cortex-M4, M7, M33): from a linked ELF file to `network_rel.bin`.
namespace n6vp::sim::pack {

/// Returns true if the ELF starts with a header of the older family.
[[nodiscard]] bool is_legacy_elf(const ElfFile& elf);

/// A linked ELF understood as such a model; checked against the rules of the format.
struct LegacyLinked {
    std::vector<std::uint8_t> flash;         ///< header, code, constants; a multiple of 4 bytes
    std::vector<std::uint8_t> data;          ///< .data, arrays, GOT
    std::vector<std::uint8_t> weights;       ///< ELF section .weights; empty without one
    std::vector<std::uint32_t> relocations;  ///< link addresses of the words to patch, ascending
    loader::legacy::Header header;
    loader::legacy::Context context;
    std::string name;
    std::uint32_t text_bytes =
        0;  ///< code and constants are not told apart: what follows the header
};
/// Fails with UserError: each fault has its own message.
[[nodiscard]] LegacyLinked link_legacy(const ElfFile& elf);

/// Options of the user, apart from the ELF file.
struct LegacyRequest {
    std::optional<std::vector<std::uint8_t>> weights;  ///< in place of those of the ELF
    std::optional<std::uint32_t> cpu_part;             ///< refuse any other core
    bool split = false;                                ///< weights into a file of their own
};

struct LegacyPacked {
    std::vector<std::uint8_t> file;                    ///< `network_rel.bin`
    std::vector<std::uint8_t> weights;                 ///< the second file; empty unless split
    std::uint32_t rel_start = 0, rel_end = 0;          ///< file offsets
    std::uint32_t weights_start = 0, weights_end = 0;  ///< file offsets; 0 if apart
    std::uint32_t weights_bytes = 0;
    std::vector<std::string> warnings;  ///< of the loader's own checks
};
/// Lays the file out: header, code, constants, data, relocation table, weights. Fails with
/// UserError if the weights are not as long as rt_ctx says, if the request contradicts the model,
/// or if the loader's checks find an error.
[[nodiscard]] LegacyPacked build_legacy(const LegacyLinked& model, const LegacyRequest& request);

}  // namespace n6vp::sim::pack
