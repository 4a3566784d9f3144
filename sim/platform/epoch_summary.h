// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/platform/epoch_log.h"

namespace n6vp::sim {

/// A part of an epoch's time and what it went to.
struct BoundShare {
    const char* cause;
    double share;  ///< of EpochSummary::time
};

/// What an epoch of the NPU took and moved. This is the only definition of these numbers: text,
/// JSON, CSV, page and traces of `n6vp run` and the report of `n6vp epoch` print them.
///
/// Every member is a sum, so epochs that share a row of a table add up; a share is a quotient of
/// two sums. An epoch may have several critical paths, one after the other: all of them count.
struct EpochSummary {
    /// From the epoch's label to the next one; the last epoch of a blob, and one that software
    /// starts, ends with its last engine, and the latter begins with its first one.
    models::Picoseconds time = 0;
    /// Parts of `time` on the critical paths. What they leave is configuration.
    models::npu::TimeByCause spent{};
    /// First engine on to last output engine done, in cycles of the NPU's clock.
    double npu_cycles = 0;
    /// Parts of `spent` for which other engines or masters held a bank or port, in cycles of the
    /// NPU's clock. They do not overlap, as they lie on a path.
    double waited_cycles = 0;
    /// Multiply-accumulates that the CONVACC units did, padding included.
    std::uint64_t macs = 0;
    /// Those of 8 by 8 bits that all CONVACC units together could have done in `npu_cycles`,
    /// whether they took part or not.
    double mac_slots = 0;
    EpochFlows flows;

    void add(const EpochSummary& more);

    /// Returns `macs` as a share of `mac_slots`.
    [[nodiscard]] double mac_utilisation() const;
    /// Returns the causes of `time`, largest first; none if no output engine has ended.
    [[nodiscard]] std::vector<BoundShare> bound() const;
    /// Returns the part of `time` that no path explains.
    [[nodiscard]] models::Picoseconds configuration() const;
    /// Returns what the engines moved from and to each memory that they used, by its number, with
    /// `waited`; fetches of the epoch controller are not part of it.
    [[nodiscard]] std::vector<EpochFlow> memories() const;
    /// Returns what the engines moved from and to all memories. `waited` is a sum over all bursts:
    /// those that wait at the same time each count, so it may exceed `time`.
    [[nodiscard]] EpochFlow engines() const;
    /// Returns the bytes that the epoch controller fetched.
    [[nodiscard]] std::uint64_t controller_bytes() const;
    /// Bursts of engines and epoch controller that the NPU cache looked up, reads and writes.
    [[nodiscard]] std::uint64_t cache_hits() const { return flows.read_hits + flows.write_hits; }
    [[nodiscard]] std::uint64_t cache_misses() const {
        return flows.read_misses + flows.write_misses;
    }
};

/// Returns the summary of one epoch.
[[nodiscard]] EpochSummary summarise(const LoggedEpoch& epoch,
                                     const PlatformParameters& parameters);

/// Returns `part` as a share of `whole`, 0 of nothing.
[[nodiscard]] double share_of(models::Picoseconds part, models::Picoseconds whole);
/// Orders shares, largest first.
void sort_shares(std::vector<BoundShare>& shares);

}  // namespace n6vp::sim
