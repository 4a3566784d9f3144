// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <optional>

#include "loader/legacy/install.h"
#include "sim/host/json_output.h"
#include "sim/info/legacy_words.h"
#include "sim/model_file/legacy_model.h"

namespace n6vp::sim::report {

/// Where an install would put a model of the older family.
using LegacyBases = std::optional<loader::legacy::Resolver>;

/// Writes the "Runtime memory layout" table of the vendor's report, then what it leaves out: flags,
/// entries, rt_ctx, sizes, statistics of GOT and relocations. What a damaged file does not let one
/// derive is '?'.
void write_legacy(std::ostream& out, const LegacyModel& model, const LegacyBases& bases);

/// Writes every GOT word and relocation, one line each.
void write_legacy_links(std::ostream& out, const LegacyWords& words, const LegacyBases& bases);

/// Returns the document of `n6vp info --json` for such a model.
[[nodiscard]] Json legacy_document(const LegacyModel& model, const LegacyBases& bases);

/// Adds `got_words` and `relocation_entries`.
void add_legacy_links(Json& document, const LegacyWords& words, const LegacyBases& bases);

}  // namespace n6vp::sim::report
