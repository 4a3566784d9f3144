// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "models/chip/initiator.h"
#include "models/simulator/traffic_pattern.h"

namespace n6vp::models {

/// A master of the chip whose traffic can be generated in its place.
struct TrafficPlace {
    std::string_view name;
    Initiator like;  ///< a port with the same ways to all memories
    int rimc;        ///< number of its attributes in RIFSC; -1: it has none there
};

/// Numbers of RIMC: device header. Assumed: SDMMC and GPDMA1 come by AHB, as their models
/// do, the others by AXI of the width of the NOC.
inline constexpr std::array kTrafficPlaces = {
    TrafficPlace{"dcmipp", Initiator::Ltdc, 9},   TrafficPlace{"ltdc", Initiator::Ltdc, 10},
    TrafficPlace{"gpu2d", Initiator::Ltdc, 7},    TrafficPlace{"dma2d", Initiator::Ltdc, 8},
    TrafficPlace{"venc", Initiator::Ltdc, 12},    TrafficPlace{"eth", Initiator::Ltdc, 6},
    TrafficPlace{"usb1", Initiator::Ltdc, 4},     TrafficPlace{"usb2", Initiator::Ltdc, 5},
    TrafficPlace{"sdmmc1", Initiator::Sdmmc1, 2}, TrafficPlace{"sdmmc2", Initiator::Sdmmc2, 3},
    TrafficPlace{"hpdma", Initiator::Hpdma0, -1}, TrafficPlace{"gpdma", Initiator::Gpdma0, -1},
};
/// Of a master with any other name: as an AXI master.
inline constexpr TrafficPlace kOtherPlace{"", Initiator::Ltdc, -1};

/// Generated traffic, beside that of a model of the same master if there is one.
struct TrafficMaster {
    TrafficPattern pattern;
    TrafficPlace place = kOtherPlace;
    /// The attributes of a trusted master (CID 1, secure, privileged), in place of those of RIFSC.
    bool granted = true;
};

/// Filters know a master by a bit of a word.
inline constexpr unsigned kMaxTrafficMasters = 8;
static_assert(kInitiators + kMaxTrafficMasters <= 32);

}  // namespace n6vp::models
