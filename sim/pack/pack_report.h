// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/host/json_output.h"
#include "sim/pack/container_image.h"

namespace n6vp::sim::pack {

/// One file that packing wrote.
struct WrittenFile {
    std::string path;
    std::size_t bytes = 0;
};

/// Returns the report of one container under the paths of the vendor's `_generate_rel.json`
/// (`reloc_binary_image.…`, `notes`, `gen_files`), after our `schema` key. Unlike the vendor's, the
/// two numbers of `rt_c_struct_sizes` stand under their own names. `created` is taken as it is: the
/// same input gives the same report.
[[nodiscard]] Json pack_report(const LinkedModel& model, const PackedContainer& packed,
                               const std::vector<std::string>& notes,
                               const std::vector<WrittenFile>& files, const std::string& created);

/// Returns "RELOC.PARAM.0.RCACHED" and the like, the form that users know from the vendor's report.
[[nodiscard]] std::string pool_flags_text(std::uint32_t word);

/// C sources that embed the file: macros and an accessor, and the bytes, 8-aligned.
struct CSources {
    std::string header, source;
};
/// `name` becomes part of the identifiers: letters, digits and underscores, others are replaced.
[[nodiscard]] CSources c_sources(const LinkedModel& model, const PackedContainer& packed,
                                 const std::string& name, const std::string& header_name);

}  // namespace n6vp::sim::pack
