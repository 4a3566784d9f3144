// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/info/link_words.h"
#include "sim/info/listing.h"
#include "sim/model_file/legacy_model.h"

namespace n6vp::sim::report {

/// Says in words what link addresses mean in a model of the older family.
class LegacyWords {
  public:
    LegacyWords(const LegacyModel& model, SymbolTable symbols);

    [[nodiscard]] Place place(std::uint32_t link_address) const;
    /// Returns what lies there, such as `entry run`, `rt_ctx field c_name`, a text, a symbol, or
    /// "". Raw text of the file: to be escaped by the caller.
    [[nodiscard]] std::string content(std::uint32_t link_address) const;
    /// Returns place and content on one line, escaped for the terminal, or "null".
    [[nodiscard]] std::string meaning(std::uint32_t link_address) const;
    /// Returns the vector entry or symbol that starts at an even FLASH link address, or "".
    [[nodiscard]] std::string label(std::uint32_t link_address) const;
    [[nodiscard]] const SymbolTable& symbols() const { return symbols_; }
    [[nodiscard]] const LegacyModel& model() const { return model_; }

  private:
    [[nodiscard]] std::string ram_content(std::uint32_t offset) const;

    const LegacyModel& model_;
    SymbolTable symbols_;
    std::map<std::uint32_t, std::string> entries_;  ///< by offset without the Thumb bit
};

[[nodiscard]] ListingModel listing_model(const LegacyWords& words);

}  // namespace n6vp::sim::report
