// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/core.h"
#include "models/fabric/bus.h"

namespace n6vp::models {

/// Shows the core's caches what other masters do to memory, at every address at which the core may
/// hold the bytes.
class CoreObserver : public BusObserver {
  public:
    /// `masters`: names by the number of the bus port; both outlive it.
    CoreObserver(core::Core& core, const std::vector<std::string>& masters)
        : core_(core), masters_(masters) {}

    /// `target` of the bus, of which the first byte is seen at `base`; once per alias.
    void add_alias(unsigned target, std::uint32_t base) {
        if (bases_.size() <= target) bases_.resize(target + 1);
        bases_[target].push_back(base);
    }

    void before_write(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                      std::uint32_t bytes) override {
        if (bytes == 0 || target >= bases_.size()) return;
        for (const std::uint32_t base : bases_[target])
            core_.other_writes(base + offset, base + offset + (bytes - 1),
                               masters_[initiator].c_str());
    }
    void before_read(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                     std::uint32_t bytes) override {
        if (bytes == 0 || target >= bases_.size()) return;
        for (const std::uint32_t base : bases_[target])
            core_.other_reads(base + offset, base + offset + (bytes - 1),
                              masters_[initiator].c_str());
    }

  private:
    core::Core& core_;
    const std::vector<std::string>& masters_;
    std::vector<std::vector<std::uint32_t>> bases_;  ///< by target
};

}  // namespace n6vp::models
