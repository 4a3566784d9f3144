// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loader/install.h"
#include "sim/model_file/model_image.h"

namespace n6vp::sim::report {

/// Symbols of a linked model, by link address (bit 0 of function addresses removed).
using SymbolTable = std::map<std::uint32_t, std::string>;

/// Reads the named symbols of an ELF file. Fails with UserError.
[[nodiscard]] SymbolTable read_symbols(const std::string& path);

/// Returns the symbol at or shortly below a link address and the distance, or "".
[[nodiscard]] std::string symbol_near(const SymbolTable& symbols, std::uint32_t link_address);

/// Returns the text at an RO offset if it looks like one: at least three printable characters,
/// terminated, and not the middle of a longer text.
[[nodiscard]] std::optional<std::string> ro_string(std::span<const std::uint8_t> file,
                                                   std::uint32_t header_bytes,
                                                   std::uint32_t ro_bytes, std::uint32_t offset);

/// Returns the names of the function words of the vector as the model was built, in file order.
[[nodiscard]] std::vector<std::string_view> built_entry_names(std::uint32_t header_bytes);
/// Returns the names under which the vendor's loader reads the same words. They differ for the
/// 104-byte header only.
[[nodiscard]] std::vector<std::string_view> vendor_entry_names(std::uint32_t header_bytes);

/// A place that a link address names.
struct Place {
    std::string section;  ///< ".data", "GOT", ".bss", "RO", "PARAM_0", … or "?" for no legal place
    std::uint32_t offset = 0;  ///< inside that section
    /// Returns "section+0x40".
    [[nodiscard]] std::string text() const;
};

/// Says in words what link addresses mean in one model.
class LinkWords {
  public:
    LinkWords(const ModelImage& image, const ModelFacts& facts, SymbolTable symbols);

    /// Returns the section of a link address and the offset in it.
    [[nodiscard]] Place place(std::uint32_t link_address) const;
    /// Returns what lies there, such as `string "xSPI1"`, `entry get_epoch_items`, `field c_name`,
    /// a symbol, or "". Raw text of the file: to be escaped by the caller.
    [[nodiscard]] std::string content(std::uint32_t link_address) const;
    /// Returns place and content on one line, escaped for the terminal: `RO+0x1234 (string
    /// "xSPI1")`, or "null".
    [[nodiscard]] std::string meaning(std::uint32_t link_address) const;
    /// Returns the vector entry or symbol that starts at an even FLASH link address, or "". Raw
    /// text.
    [[nodiscard]] std::string label(std::uint32_t link_address) const;
    /// Returns "RAM", "FLASH", "PARAM_0", "PARAM_1", "null" or "illegal".
    [[nodiscard]] static std::string_view space(std::uint32_t link_address);
    [[nodiscard]] const SymbolTable& symbols() const { return symbols_; }

  private:
    [[nodiscard]] Place ram_place(std::uint32_t offset) const;
    [[nodiscard]] std::string ro_content(std::uint32_t offset) const;
    [[nodiscard]] std::string ram_content(std::uint32_t offset) const;
    [[nodiscard]] std::optional<std::string> string_at(std::uint32_t offset) const;

    const ModelImage& image_;
    const ModelFacts& facts_;
    SymbolTable symbols_;
    std::map<std::uint32_t, std::string> entries_;  ///< by offset without the Thumb bit
};

/// One relocation entry or GOT word, resolved as far as the file allows.
struct LinkRow {
    bool is_got = false;
    std::uint32_t index = 0;
    std::uint32_t entry_offset = 0;  ///< file offset of the relocation entry, or of the GOT word
    std::uint32_t target = 0;        ///< link address of the word that is patched
    std::uint32_t word_offset = 0;   ///< its file offset, or loader::kNotApplicable
    std::optional<std::uint32_t> value;             ///< what it holds in the file
    std::optional<std::uint32_t> installed_target;  ///< with an install placement
    std::optional<std::uint32_t> installed_value;
};

/// Calls `visit` for every GOT word, then for every relocation entry, as far as they lie in the
/// file. `bases` adds installed addresses.
void for_each_link(const ModelImage& image, const std::optional<loader::Resolver>& bases,
                   const std::function<void(const LinkRow&)>& visit);

/// Returns relocation entry or GOT word `index`, or nothing if the file has none of that number.
[[nodiscard]] std::optional<LinkRow> link_row(const ModelImage& image, bool is_got,
                                              std::uint32_t index);

}  // namespace n6vp::sim::report
