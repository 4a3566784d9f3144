// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "models/npu/dataflow/path_time.h"

namespace n6vp::sim {

/// One cause that time of an epoch goes to, as every report and trace shows it.
struct StallCauseRow {
    const char* name;
    const char* sentence;
    const char *light, *dark;  ///< colour in a chart, by the page's theme: "#rrggbb"
    bool held_by_others;       ///< counts as waiting: another engine or master was served
};

/// In the order of `models::npu::StallCause`.
inline constexpr std::array<StallCauseRow, models::npu::kStallCauses> kStallCauseRows = {{
    {"compute", "all multipliers were busy", "#2a9d5c", "#3dbb72", false},
    {"link", "links between units carry one word per cycle", "#3b7dd8", "#5b9bf5", false},
    {"frame restart", "pause of a stream engine between two frames", "#1fa3b8", "#35bdd1", false},
    {"bus port", "bursts of the engine itself occupied bus and memory port", "#8458e0", "#a583f5",
     false},
    {"bank conflict", "contention with another engine or master for a memory bank", "#d6409f",
     "#ee6bbd", true},
    {"NPU cache", "latency of the NPU cache", "#b8961c", "#d9b93a", false},
    {"flash", "bandwidth of the external flash", "#dc4046", "#f2656a", false},
    {"PSRAM", "bandwidth of the external RAM", "#ea7f2f", "#f59a52", false},
    {"port conflict",
     "contention with another engine or master for the NPU cache or a serial memory", "#a8663a",
     "#c98a5e", true},
}};
static_assert(kStallCauseRows.back().name != nullptr, "every cause has a row");

/// Time of an epoch in which no engine was on a critical path.
inline constexpr StallCauseRow kConfigurationRow = {"configuration", "units were being configured",
                                                    "#8893a2", "#7c8796", false};
/// Time of an inference in which no epoch of the NPU was under way.
inline constexpr StallCauseRow kCoreRow = {"core", "software ran on the core, the NPU was idle",
                                           "#6b7280", "#8b94a1", false};

}  // namespace n6vp::sim
