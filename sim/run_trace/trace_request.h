// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/picoseconds.h"
#include "traces/trace_sinks.h"

/// What the user wants of a trace.
namespace n6vp::sim::trace {

/// As on the command line.
struct TraceRequest {
    std::string file;                  ///< --trace; empty: none
    std::vector<std::string> filters;  ///< --trace-filter
    std::string limit;                 ///< --trace-limit
    bool functions = false;            ///< --trace-functions
};

enum class TraceFormat : std::uint8_t { Chrome, Perfetto, EpochCsv, Waveform, Instructions };

/// The same, parsed.
struct TracePlan {
    TraceFormat format = TraceFormat::Chrome;
    std::string file;
    std::uint64_t limit = 0;                                    ///< bytes
    std::vector<traces::TraceWindow> windows;                   ///< of `time=`
    std::vector<std::string> phases, categories;                ///< of `phase=` and `track=`
    std::vector<std::pair<std::int64_t, std::int64_t>> epochs;  ///< of `epoch=`: first and last
    bool functions = false;
};

/// Returns none if no trace is wanted. Fails with UserError for an ending, filter or limit that is
/// none.
[[nodiscard]] std::optional<TracePlan> plan_trace(const TraceRequest& request);

/// Returns true if a report of that name is a page and no document.
[[nodiscard]] bool is_page(const std::string& report);

}  // namespace n6vp::sim::trace
