// SPDX-License-Identifier: Apache-2.0
// What the registers of RCC, FLASH and ICACHE change in the rest of the chip.
#include <utility>

#include "models/chip/mcu/core_of_chip.h"
#include "models/chip/mcu/microcontroller.h"

namespace n6vp::models::mcu_chip {

namespace {

using memmap::ChipMemoryKind;

/// L4: FLASH_OPTR, its bit DBANK (device header: STM32L4Rxx).
constexpr std::uint32_t kOptr = 0x20, kTwoBanks = 1u << 22;

}  // namespace

void Microcontroller::set_option_bytes() {
    if (!has_bank_option(chip_) || parameters_.flash.single_bank.value == 0) return;
    flash_registers_->preset(kOptr, flash_registers_->value(kOptr) & ~kTwoBanks);
}

void Microcontroller::update_clocks(Picoseconds at) {
    const mcu::Frequencies before = std::exchange(clocks_, rcc_->frequencies());
    // A source that is off or not connected: the chip would stand still.
    if (!(clocks_.core > 0) || !(clocks_.hclk > 0)) clocks_ = before;
    if (clocks_.core != before.core) core_->set_clock_hz(clocks_.core);
    if (clocks_.hclk != before.hclk || clocks_.core != before.core) {
        peripherals_->set_clock_hz(clocks_.hclk);
        if (crc_ != nullptr) crc_->set_clock_hz(clocks_.hclk);
        for (const Memory& memory : memories_) {
            const bool tcm = memory.row->kind == ChipMemoryKind::Itcm ||
                             memory.row->kind == ChipMemoryKind::Dtcm;
            memory.model->set_clock_hz(tcm ? clocks_.core : clocks_.hclk);
        }
    }
    for (const Serial& each : uarts_) each.model->set_kernel_hz(rcc_->kernel_hz(*each.row));
    for (Counter& each : timers_) {
        const double hz = rcc_->clocked(*each.row) ? rcc_->kernel_hz(*each.row) : 0;
        if (hz == each.hz) continue;
        each.hz = hz;
        each.model->set_kernel_hz(hz, at);
    }
    update_flash();
}

void Microcontroller::update_flash() {
    FlashRegisters registers;
    registers.acr = flash_registers_->value(0);
    if (icache_registers_ != nullptr) registers.icache = icache_registers_->value(0);
    registers.single_bank =
        has_bank_option(chip_) && (flash_registers_->value(kOptr) & kTwoBanks) == 0;
    flash_->set(flash_setting(chip_, registers));
}

}  // namespace n6vp::models::mcu_chip
