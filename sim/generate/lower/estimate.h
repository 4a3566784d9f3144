// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/generate/lower/cost.h"
#include "sim/generate/lower/npu_epoch.h"

/// How long an epoch takes, from its register settings alone: the closed form of the published
/// measurements (bursts by their natural alignment, words by link, passes of the convolution units,
/// weights from flash). No conflicts between engines, no cache, no programming.
namespace n6vp::sim::generate {

/// What an epoch would still have to wait for if everything else took no time.
enum class EpochBound : std::uint8_t {
    Features,    ///< words of the features, or of any engine without CONVACC
    Outputs,     ///< words of the results
    Kernels,     ///< words of the kernels on their link
    Flash,       ///< kernels that are read in place
    MemoryRead,  ///< bursts of one bank
    MemoryWrite,
    Cache,  ///< external RAM and weights in flash, which share the NPU's cache
};
/// Returns "features", "flash"...
[[nodiscard]] const char* bound_name(EpochBound bound);

struct EpochEstimate {
    double cycles = 0;  ///< of the NPU
    EpochBound bound = EpochBound::Features;
    std::uint64_t read_bytes = 0, written_bytes = 0;  ///< by the engines, outside flash
    std::uint64_t flash_bytes = 0;
    /// The least that any plan could take: products on all multipliers, or the network's weights at
    /// the full rate of their memory.
    double least_cycles = 0;
};

[[nodiscard]] EpochEstimate estimate_epoch(const NpuEpoch& epoch,
                                           const CostParameters& cost = default_costs());

/// Bursts of an address pattern, as the engines cut it.
struct BurstCount {
    std::uint64_t single = 0;  ///< bursts of one beat of 8 bytes
    std::uint64_t longer = 0;  ///< beats of bursts of 2, 4 and 8
    std::uint64_t bursts = 0;  ///< of any length
    void add_run(std::uint64_t address, std::uint64_t bytes);
};

}  // namespace n6vp::sim::generate
