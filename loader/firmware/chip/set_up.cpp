// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/chip/set_up.h"

#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/registers.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/vectors.h"
#include "memmap/interrupts.h"
#include "memmap/peripherals.h"

namespace n6vp::firmware::chip {

namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFF;
constexpr std::uint32_t kMemories = 0x1FFF;       ///< all bits of MEMENR
constexpr std::uint32_t kNpuUnits = 0xC0000000;   ///< NPU and CACHEAXI in AHB5ENR
constexpr std::uint32_t kXspiUnits = 0x00003020;  ///< XSPI1, XSPI2 and XSPIM in AHB5ENR
constexpr std::uint32_t kIacUnit = 1u << 10;      ///< in AHB3ENR
constexpr std::uint32_t kTrustedNpu = 0x310;      ///< compartment 1, secure, privileged
constexpr std::uint32_t kFastPinsFuse = 124, kFastPins = 3u << 15, kProgram = 1u << 13;
constexpr std::uint32_t kIacLine = 13;
constexpr std::uint32_t kPriority = 0x70;  ///< of 16 levels the upper half byte counts

// A filter's regions.
constexpr std::uint32_t kRegion = 0x40, kRegionEnd = 0x8, kRegionCids = 0xC, kAllCids = 0x00FF00FF;
constexpr std::uint32_t kRegionEnable = 1u << 0, kRegionSecure = 1u << 8;

constexpr const char* kFilters[] = {"RISAF2", "RISAF3", "RISAF4",  "RISAF5",  "RISAF6",
                                    "RISAF7", "RISAF8", "RISAF15", "RISAF11", "RISAF12"};

constexpr std::uint32_t base_of(const char* name) {
    return to_word(memmap::peripheral_named(name)->secure);
}

struct FilterBases {
    std::uint32_t words[sizeof kFilters / sizeof kFilters[0]] = {};
};

constexpr FilterBases filter_bases() {
    FilterBases bases;
    std::uint32_t i = 0;
    for (const char* name : kFilters) bases.words[i++] = base_of(name);
    return bases;
}
constexpr FilterBases kFilterBases = filter_bases();
static_assert(kFilterBases.words[0] == 0x54027000 && kFilterBases.words[9] == 0x54031000);
static_assert(base_of("RCC") == kRcc && base_of("IAC") == kIac && base_of("NPU") == kNpu);

void set_bits(std::uint32_t address, std::uint32_t bits) {
    write_register(address, read_register(address) | bits);
}

void reset_units(std::uint32_t reset_register, std::uint32_t units) {
    write_register(kRcc + reset_register + kRccSet, units);
    write_register(kRcc + reset_register + kRccClear, units);
}

void enable_line(std::uint32_t line) {
    auto* const priorities = reinterpret_cast<volatile std::uint8_t*>(kNvicPriority);
    priorities[line] = kPriority;
    write_register(kNvicEnable + line / 32 * 4, 1u << line % 32);
}

}  // namespace

void set_up_ram_clocks() {
    write_register(kRcc + kRccMemEnr + kRccSet, kMemories);
    barrier();
}

void set_up_ram_power() {
    for (std::uint32_t bank = kRamcfgAxisram2; bank <= kRamcfgAxisram6; bank += kRamcfgStride) {
        const std::uint32_t control = kRamcfg + bank;
        write_register(control, read_register(control) & ~kRamShutDown);
    }
    barrier();
}

void set_up_npu_clocks() {
    write_register(kRcc + kRccAhb5Enr + kRccSet, kNpuUnits | kXspiUnits);
    reset_units(kRccAhb5Rstr, kNpuUnits);
    barrier();
}

void set_up_sleep_clocks() {
    write_register(kRcc + kRccMemLpEnr + kRccSet, kMemories);
    write_register(kRcc + kRccAhb5LpEnr + kRccSet, kNpuUnits | kXspiUnits);
}

void set_up_rif_master() {
    write_register(kRifsc + kRimcAttrNpu, kTrustedNpu);
}

void set_up_rif_slave() {
    set_bits(kRifsc + kRiscSeccfgr3, kRiscNpu);
    set_bits(kRifsc + kRiscPrivcfgr3, kRiscNpu);
}

void set_up_risaf() {
    for (const std::uint32_t filter : kFilterBases.words) {
        for (std::uint32_t i = 0; i < 2; ++i) {
            const std::uint32_t region = filter + kRegion * (1 + i);
            write_register(region + 0x4, 0);
            write_register(region + kRegionEnd, kAll);
            write_register(region + kRegionCids, kAllCids);
            write_register(region, kRegionEnable | (i == 0 ? kRegionSecure : 0));
        }
    }
    barrier();
}

void set_up_iac() {
    write_register(kRcc + kRccAhb3Enr + kRccSet, kIacUnit);
    reset_units(kRccAhb3Rstr, kIacUnit);
    for (std::uint32_t i = 0; i < kIacWords; ++i) write_register(kIac + 4 * i, kAll);
    enable_line(kIacLine);
}

void set_up_fast_pins() {
    if ((read_register(kBsec + 4 * kFastPinsFuse) & kFastPins) == kFastPins) return;
    write_register(kBsec + kBsecWdr, kFastPins);
    write_register(kBsec + kBsecOtpcr, kProgram | kFastPinsFuse);
}

void set_up_vectors() {
    use_vectors();
    enable_line(memmap::kNpuDefaultLine);
    barrier();
}

void set_up() {
    constexpr struct {
        Step number;
        void (*perform)();
    } kSteps[] = {
        {kStepCacheRam, caches::enable},     {kStepClocks, set_up_clocks},
        {kStepRamClocks, set_up_ram_clocks}, {kStepRamPower, set_up_ram_power},
        {kStepNpuClocks, set_up_npu_clocks}, {kStepSleepClocks, set_up_sleep_clocks},
        {kStepRifMaster, set_up_rif_master}, {kStepRifSlave, set_up_rif_slave},
        {kStepRisaf, set_up_risaf},          {kStepIac, set_up_iac},
        {kStepFastPins, set_up_fast_pins},   {kStepVectors, set_up_vectors},
    };
    for (const auto& step : kSteps) {
        if (omitted(step.number)) continue;
        if (step.number == kStepClocks && wanted(kKeepClocks)) continue;
        step.perform();
    }
}

namespace {
constinit void (*npu_handler)() = nullptr;
}

void handle_npu_interrupts_by(void (*handler)()) {
    npu_handler = handler;
}

}  // namespace n6vp::firmware::chip

namespace {

namespace chip = n6vp::firmware::chip;
using n6vp::firmware::read_register;
using n6vp::firmware::write_register;

}  // namespace

/// Output 0 of the NPU. Without a runtime whoever drives the line may hold it: it stays off from
/// here on.
extern "C" void n6vp_npu_interrupt() {
    if (chip::npu_handler != nullptr) {
        chip::result().npu_interrupts = chip::result().npu_interrupts + 1;
        chip::npu_handler();
        return;
    }
    constexpr std::uint32_t kLine = n6vp::memmap::kNpuDefaultLine;
    write_register(chip::kNvicDisable + kLine / 32 * 4, 1u << kLine % 32);
    chip::result().npu_interrupts = chip::result().npu_interrupts + 1;
    n6vp::firmware::barrier();
}

/// Illegal accesses: collects what was flagged and takes the flags down.
extern "C" void n6vp_iac_interrupt() {
    chip::result().iac_interrupts = chip::result().iac_interrupts + 1;
    for (std::uint32_t i = 0; i < chip::kIacWords; ++i) {
        const std::uint32_t flags = read_register(chip::kIac + chip::kIacIsr + 4 * i);
        chip::result().iac_flags[i] |= flags;
        write_register(chip::kIac + chip::kIacIcr + 4 * i, flags);
    }
    n6vp::firmware::barrier();
}
