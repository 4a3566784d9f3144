// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>

#include "memmap/npu/units.h"
#include "models/npu/base/verdict.h"
#include "models/npu/npu.h"

namespace n6vp::models::npu {

/// Returns a unit's name as in the register names: "STRENG3", "STRSWITCH".
[[nodiscard]] std::string name_of(const memmap::npu::Unit& unit);
/// Returns an address or a word as "0x" and eight digits.
[[nodiscard]] std::string hex_text(std::uint32_t word);

/// Makes the events of the NPU, with the time at which it is.
class Reporter {
  public:
    /// Both outlive this.
    Reporter(const std::function<void(const NpuEvent&)>& listener, const Picoseconds& now)
        : listener_(listener), now_(now) {}

    /// Tells what is to be said about a configuration. Returns true if it computes.
    bool verdict(const std::string& unit, const Verdict& verdict);
    void illegal(const std::string& unit, const char* rule);
    void refused(const std::string& unit, const Limit& limit);
    /// Once per feature, until `reset`.
    void assumed(const std::string& unit, const Limit& limit);
    /// Adds the time.
    void tell(NpuEvent event);
    void tell(NpuEvent::Kind kind, const std::string& unit, const std::string& text);
    void reset() { told_.clear(); }

  private:
    const std::function<void(const NpuEvent&)>& listener_;
    const Picoseconds& now_;
    std::set<std::pair<std::string, std::string>> told_;  ///< features with their unit
};

}  // namespace n6vp::models::npu
