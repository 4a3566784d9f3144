// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/chip/traffic_master.h"
#include "models/core/core.h"
#include "models/duration.h"
#include "models/soc/system/boot_image.h"

namespace n6vp::models {

/// State of the chip when the core leaves reset.
enum class BootState : std::uint8_t {
    /// As after the boot ROM and the set-up of platform firmware: memories powered and clocked, NPU
    /// and its cache clocked awake and asleep, the NPU a trusted master, all filters open.
    Ready,
    /// As the hardware comes up: AXISRAM3 to 6 off, most clocks off, filters closed.
    Reset,
    /// As the boot ROM leaves it after it has started an image from the NOR flash: as `Reset`, with
    /// the image of the flash's start in AXISRAM2 and the core at its entry. Clocks out of reset
    /// (assumed: no public source says what the ROM leaves).
    Flash,
};

struct ChipOptions {
    core::Timing timing = core::Timing::Approx;
    core::Coherence coherence = core::Coherence::Ideal;
    Picoseconds quantum = 1'000'000;
    BootState boot = BootState::Ready;
    std::uint32_t omitted_set_up = 0;    ///< bits 1 << SetUpStep that Ready leaves out
    std::uint32_t vectors = 0x34000000;  ///< VTOR_S out of reset
    /// In place of the first two words of the vector table, which has memory all the same.
    std::optional<BootStart> start = {};
    /// Generated traffic beside the chip's own: at most kMaxTrafficMasters.
    std::vector<TrafficMaster> masters = {};
};

}  // namespace n6vp::models
