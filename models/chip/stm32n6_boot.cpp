// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "models/chip/stm32n6.h"
#include "models/soc/system/boot_image.h"

namespace n6vp::models {

namespace {

/// The ROM's own address, where this model has no memory.
constexpr std::uint32_t kRom = 0x18000000;

}  // namespace

CoreModule::Start Stm32n6::run_boot_rom() {
    std::vector<std::uint8_t> image(kMaxBootBytes);
    if (!fetch(GuestAddr{kBootFlash}, image) || !is_boot_image(image)) return {0, kRom};
    const BootHeaderResult result = read_boot_header(image);
    if (!result.header) return {0, kRom};
    image.resize(result.header->image_bytes());
    if (!store(GuestAddr{kBootRam}, image)) return {0, kRom};
    core_->core().invalidate(kBootRam, kBootRam + static_cast<std::uint32_t>(image.size() - 1));
    const BootStart start = boot_start(*result.header, image);
    return {start.stack, start.entry};
}

}  // namespace n6vp::models
