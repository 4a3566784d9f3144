// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>

#include "models/cache/coherence_watch.h"
#include "sim/exec/exec_statistics.h"
#include "sim/host/json_output.h"
#include "sim/platform/platform.h"

namespace n6vp::sim {

/// What happened between whom at the NPU cache, and what would have prevented it.
struct NpuCacheText {
    std::string cause, remedy;
};
[[nodiscard]] NpuCacheText npu_cache_text(const models::NpuCacheEvent& event,
                                          const Platform& platform);

/// Returns what would have prevented an event at the core's caches.
[[nodiscard]] const char* coherence_remedy(models::core::CoherenceEvent::Kind kind);

/// Writes counts and first events of the core's caches, with both parties, and remedies.
void write_coherence(std::ostream& out, const CoherenceLog& log);
[[nodiscard]] Json coherence_json(const CoherenceLog& log);

}  // namespace n6vp::sim
