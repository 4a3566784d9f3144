// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model_file/model_source.h"

/// Where a model is in the chip's memory, and how much of each place it takes.
namespace n6vp::sim::model_run {

/// A place that the model uses.
struct MemoryUse {
    std::string name;  ///< of a pool: text of the file, to be escaped
    GuestAddr start{};
    std::uint64_t used = 0;
    std::uint64_t room = 0;  ///< to the end of what was given, or of the memory
};

class ModelMemory {
  public:
    /// Without a model: places are the memories.
    ModelMemory() = default;
    ModelMemory(const ModelFiles& files, const InstallPlan& plan);

    /// Pools first, then exec RAM, external RAM and the files. Empty if the file cannot be opened.
    [[nodiscard]] const std::vector<MemoryUse>& uses() const { return uses_; }

    /// Memory that is not free while the model is there: pools, files, all of the exec RAM, and all
    /// of the external RAM if it needs any.
    [[nodiscard]] const std::vector<AddressRange>& taken() const { return taken_; }

    /// Returns the number of the place of an address: that of `uses`, behind them that of a memory.
    [[nodiscard]] std::size_t place_of(std::uint32_t address) const;
    [[nodiscard]] std::string name_of(std::size_t place) const;

  private:
    std::vector<MemoryUse> uses_;
    std::vector<AddressRange> taken_;
};

/// Returns the longest stretch of the PSRAM with nothing of `taken` in it, nor in a cache line that
/// it shares; no bytes if there is none.
[[nodiscard]] AddressRange free_psram(std::vector<AddressRange> taken);

}  // namespace n6vp::sim::model_run
