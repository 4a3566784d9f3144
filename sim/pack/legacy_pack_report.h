// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/host/json_output.h"
#include "sim/pack/legacy_pack.h"
#include "sim/pack/pack_report.h"

namespace n6vp::sim::pack {

/// Returns the report of one file of the older family, under the paths of `pack_report` as far as
/// they apply, with `family` "legacy".
[[nodiscard]] Json legacy_pack_report(const LegacyLinked& model, const LegacyPacked& packed,
                                      const std::vector<WrittenFile>& files,
                                      const std::string& created);
/// Returns what the vendor's tools print: sections, flash and RAM with the share that being
/// relocatable costs.
[[nodiscard]] std::string legacy_pack_text(const LegacyLinked& model, const LegacyPacked& packed,
                                           const std::vector<WrittenFile>& files);
/// Returns the C files that embed the image; weights apart as a second array.
[[nodiscard]] CSources legacy_c_sources(const LegacyLinked& model, const LegacyPacked& packed,
                                        const std::string& name, const std::string& header_name);

}  // namespace n6vp::sim::pack
