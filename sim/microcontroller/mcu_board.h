// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "memmap/chips/chip.h"
#include "sim/run/run_config.h"

namespace n6vp::sim {

/// Returns true if the chip's controllers of external memory answer there: FMC, QUADSPI, OCTOSPI.
[[nodiscard]] constexpr bool is_external(std::uint32_t address) {
    return (address >= 0x60000000 && address < 0xA0000000) ||
           (address >= 0xC0000000 && address < 0xE0000000);
}

/// A chip with the memories that its board adds.
class McuBoard {
  public:
    /// `external` is empty or "ADDR:SIZE,ADDR:SIZE". Fails with UserError, naming the origin, for
    /// memory at other addresses than those of `is_external`, and for overlaps.
    McuBoard(const memmap::Chip& chip, const RunConfig::Value& external);
    McuBoard(const McuBoard&) = delete;
    McuBoard& operator=(const McuBoard&) = delete;

    [[nodiscard]] const memmap::Chip& chip() const { return chip_; }

  private:
    void add(const AddressRange& range, const RunConfig::Value& external);

    memmap::Chip chip_;
    std::deque<std::string> names_;  ///< of the rows below; SystemC wants each of them once
    std::vector<memmap::ChipMemory> memories_;
};

}  // namespace n6vp::sim
