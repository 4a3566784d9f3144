// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/info/link_words.h"
#include "sim/model_file/model_image.h"
#include "traces/disassembler.h"

namespace n6vp::sim::report {

/// A function of the vector under one of its names.
struct ListingEntry {
    std::string name;
    std::uint32_t word = 0;
};

/// A GOT word or the word that a relocation patches.
struct ListingLink {
    std::uint32_t target = 0;            ///< link address of the word that is patched
    std::optional<std::uint32_t> value;  ///< what it holds in the file
};

/// What a listing must know of a model, of either family. Views of the model: must not outlive it.
struct ListingModel {
    std::span<const std::uint8_t> file;
    std::uint32_t header_bytes = 0;  ///< 0: unknown
    std::uint32_t ro_bytes = 0;
    std::uint32_t got_start = 0;  ///< from the RAM base
    std::vector<ListingEntry> entries;
    const SymbolTable* symbols = nullptr;
    std::function<std::optional<ListingLink>(bool is_got, std::uint32_t index)> link;
    std::function<std::string(std::uint32_t)> label;    ///< LinkWords::label
    std::function<std::string(std::uint32_t)> content;  ///< LinkWords::content
};
[[nodiscard]] ListingModel listing_model(const ModelImage& image, const LinkWords& words);

/// A stretch of RO to disassemble.
struct ListingRange {
    std::uint32_t start = 0, end = 0;   ///< RO offsets
    std::optional<std::uint32_t> mark;  ///< RO offset to point at
    bool marks_data = false;            ///< the place pointed at is a word, not an instruction
    bool all_data = false;              ///< nothing here is code, according to the file
};

/// Understands what a user may ask for: "" (all code and constants), "START:SIZE" or "START-END"
/// (RO offsets or FLASH link addresses), the name of a vector entry or symbol, "around REL n",
/// "around GOT n". Fails with UserError.
[[nodiscard]] ListingRange find_listing(const std::string& what, const ListingModel& model);

/// One line of a listing.
struct ListingLine {
    std::uint32_t address = 0;  ///< FLASH link address
    std::uint32_t encoding = 0;
    std::uint32_t bytes = 2;
    std::string text;
    std::string label;  ///< name of what starts here, raw text
    std::string note;   ///< branch destination or literal, raw text
    bool marked = false;
};

/// Disassembles a range. Words that a decoded load in the same range reads are given as `.word`.
[[nodiscard]] std::vector<ListingLine> make_listing(const ListingRange& range,
                                                    const ListingModel& model,
                                                    const traces::Disassembler& disassembler);

/// Writes a listing; with the base of RO also the installed address of each line.
void write_listing(std::ostream& out, const std::vector<ListingLine>& lines,
                   std::optional<GuestAddr> ro_base);

}  // namespace n6vp::sim::report
