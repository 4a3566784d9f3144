// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/guest_addr.h"
#include "memmap/regions.h"

/// Layout that the vendor's validation firmware for relocatable models uses on the STM32N6570-DK.
/// Source: that firmware and the vendor article. These are the defaults of the tools; nothing in
/// the loader depends on them.
namespace n6vp::memmap::board {

/// The firmware's own code, data, stack and heap. Default grants leave it out.
inline constexpr AddressRange kFirmware{GuestAddr{0x34000000}, 384 * kKib};
inline constexpr AddressRange kExecRam{GuestAddr{0x34060000}, 640 * kKib};
inline constexpr AddressRange kExternalExecRam{GuestAddr{0x91C00000}, 4 * kMib};
/// The first megabyte of the PSRAM is reserved.
inline constexpr AddressRange kExternalRam{GuestAddr{0x90100000}, 27 * kMib};
inline constexpr AddressRange kModel{GuestAddr{0x71000000}, 8 * kMib};
inline constexpr AddressRange kParams{GuestAddr{0x71800000}, 104 * kMib};

static_assert(kFirmware.end() == to_word(kExecRam.start));
static_assert(kModel.end() == to_word(kParams.start));

}  // namespace n6vp::memmap::board
