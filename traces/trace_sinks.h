// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>

#include "traces/epoch_record.h"
#include "traces/trace_log.h"

/// The formats of a trace. Every one writes to the caller's stream, the same bytes for the same
/// log, and stays below its limit: what would not fit is left out from one time on, slices end
/// there, and a mark says how much is missing.
namespace n6vp::traces {

struct TraceOutput {
    TraceChoice choice;
    std::uint64_t limit = std::uint64_t{64} << 20;  ///< bytes, at least kMinTraceLimit
};
inline constexpr std::uint64_t kMinTraceLimit = 65'536;

/// What became of a trace.
struct TraceSummary {
    std::uint64_t steps = 0;    ///< written
    std::uint64_t missing = 0;  ///< beyond the limit, or never kept
};

/// Chrome's trace event format, for Perfetto and chrome://tracing: groups are processes, tracks are
/// threads; times in microseconds with six decimals, so exact.
TraceSummary write_chrome_trace(std::ostream& out, const TraceLog& log, const TraceOutput& output);

/// Perfetto's own format: packets with TrackEvent, names interned; times in nanoseconds, rounded
/// down.
TraceSummary write_perfetto_trace(std::ostream& out, const TraceLog& log,
                                  const TraceOutput& output);

/// A waveform (VCD, IEEE 1364) of the tracks with `bits` and of counters; time in picoseconds.
TraceSummary write_waveform(std::ostream& out, const TraceLog& log, const TraceOutput& output);

/// One line per epoch (RFC 4180); `windows` as in TraceChoice.
TraceSummary write_epoch_csv(std::ostream& out, std::span<const EpochRecord> epochs,
                             const TraceOutput& output);

}  // namespace n6vp::traces
