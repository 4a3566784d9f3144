// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "loader/install.h"
#include "sim/host/json_output.h"
#include "sim/info/link_words.h"
#include "sim/info/listing.h"
#include "sim/model_file/model_image.h"

namespace n6vp::sim::report {

/// Returns the document of `n6vp info --json`: the keys of the vendor's report under
/// `reloc_binary_image` and `notes`, ours beside them. What a damaged file does not let one derive
/// is null. Sizes of C structs are under the names they belong to (the vendor's report swaps them).
[[nodiscard]] Json info_document(const ModelImage& image, const ModelFacts& facts,
                                 const std::optional<loader::Resolver>& bases);

/// Adds `got_words` and `relocation_entries`.
void add_links(Json& document, const ModelImage& image, const LinkWords& words,
               const std::optional<loader::Resolver>& bases);

/// Adds `disassembly`.
void add_listing(Json& document, const std::vector<ListingLine>& lines);

}  // namespace n6vp::sim::report
