// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace n6vp::sim::generate {

struct GlueFile {
    std::string_view name, text;
};

/// Returns headers, sources and linker script that every generated model is built with.
[[nodiscard]] std::span<const GlueFile> glue_files();
/// Returns the same for models of the older family: kernels, both forms of the client API.
[[nodiscard]] std::span<const GlueFile> core_files();

}  // namespace n6vp::sim::generate
