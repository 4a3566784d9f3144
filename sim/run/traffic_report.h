// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sim/host/json_output.h"
#include "sim/platform/platform.h"

namespace n6vp::sim {

/// Traffic of one initiator with one memory over the whole run.
struct TrafficFlow {
    std::string initiator, target;
    std::uint64_t bursts = 0, bytes_read = 0, bytes_written = 0;
    models::Picoseconds waited = 0;
    struct Cause {
        std::string holder;
        models::Picoseconds waited = 0;
    };
    std::vector<Cause> causes;  ///< `waited` by who held the port
};

/// Returns the flows that moved bytes, in the order of initiators and targets.
[[nodiscard]] std::vector<TrafficFlow> traffic_flows(const Platform& platform);
/// Returns "12.345 us for NPU port 0, ..."; "" for a flow that did not wait.
[[nodiscard]] std::string causes_text(const TrafficFlow& flow);

/// Writes what generated masters demanded and got, and who waited for whom. Nothing if there are
/// none.
void write_traffic(std::ostream& out, const Platform& platform);
/// Returns the value of the key "masters" of a document of schema n6vp.run/2.
[[nodiscard]] Json masters_json(const Platform& platform);
/// The same of "traffic".
[[nodiscard]] Json traffic_json(const Platform& platform);

}  // namespace n6vp::sim
