// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/soc/base/register_block.h"

namespace n6vp::models {

/// The manager of the XSPI's ports.
///
/// Modelled: MODE, which swaps the ports of XSPI1 and XSPI2; the other bits as values: a board has
/// one device at each port.
/// Not modelled: MUXEN (both controllers at one port), XSPI3 at a port.
/// Source: device header, HAL driver.
class Xspim : public RegisterBlock {
  public:
    explicit Xspim(const char* name) : RegisterBlock(name) {}

    /// Called after the ports were swapped, or back again.
    std::function<void(bool swapped)> on_swap;
    [[nodiscard]] bool swapped() const { return (control_ & kMode) != 0; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds /*at*/) override {
        if (offset != 0) return {.modelled = false};
        return {.value = control_, .name = "CR"};
    }
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds /*at*/) override {
        if (offset != 0) return {.modelled = false};
        set(((control_ & ~mask) | (value & mask)) & kBits);
        return {.modelled = (control_ & kMultiplexed) == 0, .name = "CR"};
    }
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override { set(0); }

  private:
    static constexpr std::uint32_t kMultiplexed = 1, kMode = 2, kBits = 0x00FF0073;

    void set(std::uint32_t control) {
        const bool before = swapped();
        control_ = control;
        if (swapped() != before && on_swap) on_swap(swapped());
    }

    std::uint32_t control_ = 0;
};

}  // namespace n6vp::models
