// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "loader/install.h"
#include "sim/info/link_words.h"
#include "sim/model_file/model_image.h"
#include "traces/disassembler.h"

namespace n6vp::sim::report {

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
[[nodiscard]] ListingRange find_listing(const std::string& what, const ModelImage& image,
                                        const LinkWords& words);

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
                                                    const ModelImage& image, const LinkWords& words,
                                                    const traces::Disassembler& disassembler);

/// Writes a listing; with `bases` also the installed address of each line.
void write_listing(std::ostream& out, const std::vector<ListingLine>& lines,
                   const std::optional<loader::Resolver>& bases);

}  // namespace n6vp::sim::report
