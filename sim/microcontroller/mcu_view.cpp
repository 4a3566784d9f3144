// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_view.h"

namespace n6vp::sim {

bool McuView::fetch(std::uint32_t address, std::span<std::uint8_t> bytes) {
    if (!chip_.fetch(GuestAddr{address}, bytes)) return false;
    chip_.core().core().look_through_cache(address, bytes);
    return true;
}

bool McuView::store(std::uint32_t address, std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return true;
    if (!chip_.store(GuestAddr{address}, bytes)) return false;
    models::core::Core& core = chip_.core().core();
    core.change_through_cache(address, bytes);
    core.invalidate(address, static_cast<std::uint32_t>(address + (bytes.size() - 1)));
    return true;
}

}  // namespace n6vp::sim
