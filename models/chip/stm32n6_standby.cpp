// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "models/chip/stm32n6.h"
#include "models/chip/stm32n6_parts.h"

namespace n6vp::models {

namespace {

/// Reset value of INITSVTORCR (SVD), and what a table of registers without it holds.
[[nodiscard]] bool starts_boot_rom(std::uint32_t vectors) {
    constexpr std::uint32_t kInRom = 0x18000000;
    return vectors == 0 || vectors == kInRom;
}

/// Contents after Standby mode. Source: HAL driver, "Memories Retention Functions". The memories of
/// the board have supplies of their own.
[[nodiscard]] bool keeps_contents(const memmap::Region& region, const Pwr& pwr) {
    using memmap::RegionKind;
    const std::string_view name = region.name;
    if (region.kind == RegionKind::Nor || region.kind == RegionKind::Psram) return true;
    if (region.kind == RegionKind::Tcm) return pwr.keeps_tcm();
    if (name == "FLEXMEM") return pwr.keeps_flexmem();
    return name == "BKPSRAM" && pwr.keeps_backup_ram();
}

}  // namespace

void Stm32n6::sleep_deeply() {
    if (soc_->pwr.deep_sleep_is_stop()) return;
    standby_ = Standby::Asleep;
    const Picoseconds at = sc_core::sc_time_stamp().value();
    standby_vectors_ = soc_->initial_vectors(at);
    core_->power_off();
    soc_->enter_standby(at);
    npu_cache_->reset(at);
    bus_->reset();
    lose_memories();
    // Inferred from older chips: a source that is pending already ends the mode at once.
    if (soc_->wake_up_pending()) wake_from_standby();
}

void Stm32n6::lose_memories() {
    for (unsigned i = 0; i < memories_.size(); ++i) {
        if (keeps_contents(*memories_[i].region, soc_->pwr)) continue;
        memories_[i].model->reset();
        bus_->filter_changed(i);
    }
    core_->core().invalidate(0, 0xFFFFFFFF);
}

void Stm32n6::wake_from_standby() {
    if (standby_ != Standby::Asleep) return;
    standby_ = Standby::Wakes;
    request_reset();
}

std::optional<CoreModule::Start> Stm32n6::start_of_core() {
    const Standby before = std::exchange(standby_, Standby::No);
    soc_->bsec.note_start();
    if (before == Standby::Wakes && !starts_boot_rom(standby_vectors_))
        return start_from(standby_vectors_);
    if (options_.boot == BootState::Flash) return run_boot_rom();
    if (!options_.start) return std::nullopt;
    return CoreModule::Start{options_.start->stack, options_.start->entry};
}

CoreModule::Start Stm32n6::start_from(std::uint32_t vectors) {
    std::array<std::uint8_t, 8> table{};
    // Without memory the core locks up at the table's address.
    CoreModule::Start start{0, vectors, vectors};
    if (!fetch(GuestAddr{vectors}, table) && !core_view().fetch(vectors, table)) return start;
    std::memcpy(&start.stack, table.data(), sizeof start.stack);
    std::memcpy(&start.pc, table.data() + sizeof start.stack, sizeof start.pc);
    return start;
}

}  // namespace n6vp::models
