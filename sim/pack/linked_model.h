// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "loader/profile.h"
#include "sim/host/elf.h"

namespace n6vp::sim::pack {

/// The fixed header words as the linker script left them (link addresses), and where rt_ctx is.
struct LinkedHeader {
    std::uint32_t flags = 0;
    std::uint32_t data_end = 0, bss_start = 0, bss_end = 0, got_start = 0, got_end = 0;
    std::uint32_t params_start = 0, context = 0;
    std::uint32_t header_bytes = 0;  ///< 96 or 104
};

/// One active entry of the pool table.
struct LinkedPool {
    std::string name;
    std::uint32_t flags = 0, dst = 0, bytes = 0;
    std::uint32_t table_offset = 0;  ///< of the entry, inside LinkedModel::data
};

/// The fields of rt_ctx that packing and reports need.
struct LinkedContext {
    std::string c_name, version_text;
    std::uint32_t acts_bytes = 0, params_bytes = 0, ext_ram_bytes = 0, struct_sizes = 0;
    loader::RuntimeVersion version;
    bool has_struct_sizes = false;
    std::uint32_t data_offset = 0;  ///< of rt_ctx, inside LinkedModel::data
};

/// A linked ELF understood as a runtime loadable model: what will stand in the file, before it is
/// laid out. Everything in here has been checked against the format's rules.
struct LinkedModel {
    std::vector<std::uint8_t> flash;  ///< header, code, constants; a multiple of 8 bytes
    std::vector<std::uint8_t> data;   ///< .data up to the end of the GOT
    std::vector<std::uint8_t> blobs;  ///< epoch-controller containers of the parameter section
    std::vector<std::uint32_t> relocations;  ///< link addresses of the words to patch, ascending
    LinkedHeader header;
    LinkedContext context;
    std::vector<LinkedPool> pools;
    std::map<std::string, std::vector<std::uint8_t>> payloads;  ///< ELF sections `.pool.<name>`
    std::vector<std::string> notes;                             ///< harmless oddities worth a line

    [[nodiscard]] loader::Generation generation() const {
        return loader::generation_of(context.version);
    }
    [[nodiscard]] bool built_by_clang() const;
};

/// Reads a model out of a linked ELF. Fails with UserError: each fault has its own message.
[[nodiscard]] LinkedModel link_model(const ElfFile& elf);

}  // namespace n6vp::sim::pack
