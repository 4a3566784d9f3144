// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <optional>

#include "loader/install.h"
#include "sim/info/link_words.h"
#include "sim/model_file/model_image.h"

namespace n6vp::sim::report {

/// Writes what the vendor's report leaves out: generation, flags bit by bit, all sizes, rt_ctx,
/// pools, GOT and relocation statistics, vector, file map. `bases` adds the addresses of an
/// install.
void write_details(std::ostream& out, const ModelImage& image, const ModelFacts& facts,
                   const LinkWords& words, const std::optional<loader::Resolver>& bases);

/// Writes every GOT word and relocation, one line each.
void write_links(std::ostream& out, const ModelImage& image, const LinkWords& words,
                 const std::optional<loader::Resolver>& bases);

}  // namespace n6vp::sim::report
