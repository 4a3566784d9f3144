// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/validation/counters.h"

/// The event counters of the NPU (DEBUG_TRACE) and the counters of its cache, for one node at a
/// time. Without `what` nothing happens.
namespace n6vp::firmware::validation {

/// Starts what `counters` asks for.
void start_counters(const n6vp::validation::NpuCounters& counters);
/// The start function of the node is over; its engines are done.
void note_node_started(n6vp::validation::NpuCounters& counters);
void note_node_done(n6vp::validation::NpuCounters& counters);
/// The end function is over: stops the counters and reads them.
void stop_counters(n6vp::validation::NpuCounters& counters);

}  // namespace n6vp::firmware::validation
