// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/legacy/container.h"
#include "sim/model_file/model_source.h"

/// Models of the older family (Cortex-M4, M7, M33) as the host reads them.
namespace n6vp::sim {

/// Returns true if the file is a container of the older family, sound or not.
[[nodiscard]] bool is_legacy_model(const std::vector<std::uint8_t>& file);

/// Returns "Cortex-M33" and the like, or "core C23" for an unknown part.
[[nodiscard]] std::string core_name(std::uint32_t cpu_part);
/// Parses cortex-m4, cortex-m7, cortex-m33 or cortex-m55. Fails with UserError.
[[nodiscard]] std::uint32_t parse_core(std::string_view text);

/// Names of the functions of the vector, in its order.
[[nodiscard]] std::string_view legacy_entry_name(std::uint32_t index);

/// Returns the part of the file that an offset lies in: "header", "vector", "code", "data",
/// "rt_ctx", "GOT", "relocation table", "weights", "padding" or "outside".
[[nodiscard]] std::string_view legacy_section(const loader::legacy::Container& container,
                                              std::uint32_t file_offset);

/// How many words hold an address of each space.
struct LegacyCounts {
    std::uint32_t words = 0, ram = 0, flash = 0, zero = 0, other = 0, unreadable = 0;
};

/// A file of the older family in host memory, with views of its parts.
class LegacyModel {
  public:
    /// Opens the file. Fails with UserError if its header cannot be read.
    explicit LegacyModel(ModelFiles files);
    LegacyModel(const LegacyModel&) = delete;
    LegacyModel& operator=(const LegacyModel&) = delete;

    [[nodiscard]] const ModelFiles& files() const { return files_; }
    [[nodiscard]] const loader::legacy::Container& container() const { return container_; }
    [[nodiscard]] const loader::legacy::Header& header() const { return container_.header(); }
    [[nodiscard]] std::optional<loader::legacy::Context> context() const;
    /// Returns the text at a FLASH link address, as the file has it.
    [[nodiscard]] std::optional<std::string> text(std::uint32_t link_address) const;
    [[nodiscard]] LegacyCounts got() const;
    /// Counts what the words hold that the relocation table names.
    [[nodiscard]] LegacyCounts relocations() const;
    /// Returns the file offset where constants start: that of the lowest even FLASH address which
    /// GOT, relocated words or rt_ctx hold, as the header does not contain it. The end of RO if
    /// there is none.
    [[nodiscard]] std::uint32_t constants_start() const;

  private:
    static bool read(void* context, GuestAddr from, void* to, std::uint32_t bytes);

    ModelFiles files_;
    loader::MemoryPort port_;
    loader::legacy::Container container_;
};

/// One GOT word or relocation entry, as far as the file allows.
struct LegacyLink {
    bool is_got = false;
    std::uint32_t index = 0, entry_offset = 0;
    std::uint32_t target = 0;            ///< link address of the word that is patched
    std::optional<std::uint32_t> value;  ///< what it holds in the file
};

/// Returns all GOT words, then all relocation entries, as far as they lie in the file and the link
/// lengths of their spaces have room for them.
[[nodiscard]] std::vector<LegacyLink> legacy_links(const LegacyModel& model);

}  // namespace n6vp::sim
