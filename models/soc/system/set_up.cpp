// SPDX-License-Identifier: Apache-2.0
#include "models/soc/system/set_up.h"

#include <algorithm>

namespace n6vp::models {
namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFF;
constexpr std::uint32_t kMemories = 0x1FFF;  ///< all bits of MEMENR
/// NPU, CACHEAXI, XSPI1, XSPI2, XSPIM in AHB5ENR.
constexpr std::uint32_t kNpuUnits = 0xC0000000, kXspiUnits = 0x00003020;
constexpr std::uint32_t kIacUnit = 1u << 10;  ///< in AHB3ENR
constexpr std::uint32_t kBankShutDown = 1u << 20;

void put(RegisterBlock& block, std::uint32_t offset, std::uint32_t value) {
    (void)block.write(offset, value, kAll, 0);
}
void set(RegisterBlock& block, std::uint32_t offset, std::uint32_t bits) {
    put(block, offset, block.read(offset, 0).value | bits);
}

void power_memories(RamConfig& ram_config) {
    for (std::uint32_t cr = 0x080; cr <= 0x280; cr += 0x080) {  // AXISRAM2 to 6
        put(ram_config, cr, ram_config.read(cr, 0).value & ~kBankShutDown);
    }
}

/// Resets units and gives them a clock; offsets of the set registers, clear ones are 0x800 above.
void clock_units(const SetUpBlocks& blocks, std::uint32_t enable, std::uint32_t reset,
                 std::uint32_t units, std::uint32_t reset_units) {
    put(blocks.rcc, enable, units);
    (void)blocks.rcc.write(reset, reset_units, kAll, blocks.at);
    (void)blocks.rcc.write(reset + 0x800, reset_units, kAll, blocks.at);
}

/// Two regions over everything, one for secure and one for other accesses, all compartments.
void open(Risaf& risaf) {
    for (std::uint32_t region = 0; region < 2; ++region) {
        const std::uint32_t base = 0x40 + 0x40 * region;
        put(risaf, base + 0x4, 0);
        put(risaf, base + 0x8, kAll);
        put(risaf, base + 0xC, 0x00FF00FF);
        put(risaf, base, region == 0 ? 0x101 : 0x001);
    }
}

[[nodiscard]] bool is_opened(std::string_view name) {
    return std::find(std::begin(kOpenedFilters), std::end(kOpenedFilters), name) !=
           std::end(kOpenedFilters);
}

}  // namespace

const char* set_up_text(SetUpStep step) {
    constexpr const char* kTexts[] = {
        "",
        "caches' RAM: MEMSYSCTL MSCR",
        "clocks and core voltage: RCC PLLs and dividers",
        "RAM clocks: RCC MEMENR",
        "RAM power: RAMCFG SRAMSD",
        "clocks of NPU, NPU cache and XSPI: RCC AHB5ENR, AHB5RSTR",
        "clocks during sleep: RCC MEMLPENR, AHB5LPENR",
        "bus identity of the NPU: RIFSC RIMC_ATTR1",
        "access rights to the NPU's registers: RIFSC RISC_SECCFGR3, RISC_PRIVCFGR3",
        "access rights to the memories: RISAF regions",
        "illegal accesses: clock of the IAC and its interrupt 13",
        "fast pins of the XSPI memories: OTP 124",
        "vector table, priority and interrupt line of the NPU",
    };
    return kTexts[static_cast<std::size_t>(step)];
}

SetUpStep set_up_step(std::string_view reason) {
    const auto has = [reason](std::string_view part) {
        return reason.find(part) != std::string_view::npos;
    };
    if (has("LPENR")) return SetUpStep::SleepClocks;
    if (has("RCC_MEM")) return SetUpStep::RamClocks;
    if (has("RCC_AHB3") && has("IAC")) return SetUpStep::Iac;
    if (has("RCC_AHB5") && (has("NPU") || has("CACHEAXI") || has("XSPI"))) {
        return SetUpStep::NpuClocks;
    }
    if (has("RAMCFG_")) return SetUpStep::RamPower;
    if (has("RIMC_ATTR")) return SetUpStep::RifMaster;
    if (has("RISC_SECCFGR")) return SetUpStep::RifSlave;
    if (has("RISAF")) return SetUpStep::Risaf;
    return SetUpStep::None;
}

void set_up(const SetUpBlocks& blocks, std::uint32_t omitted) {
    const auto wanted = [omitted](SetUpStep step) {
        return (omitted >> static_cast<unsigned>(step) & 1u) == 0;
    };
    if (wanted(SetUpStep::RamClocks)) put(blocks.rcc, 0xA4C, kMemories);
    if (wanted(SetUpStep::RamPower)) power_memories(blocks.ram_config);
    if (wanted(SetUpStep::NpuClocks)) {
        clock_units(blocks, 0xA60, 0xA20, kNpuUnits | kXspiUnits, kNpuUnits);
    }
    if (wanted(SetUpStep::SleepClocks)) {
        put(blocks.rcc, 0xA8C, kMemories);
        put(blocks.rcc, 0xAA0, kNpuUnits | kXspiUnits);
    }
    if (wanted(SetUpStep::RifMaster)) put(blocks.rifsc, 0xC14, 0x310);  // CID 1, secure, privileged
    if (wanted(SetUpStep::RifSlave)) {
        set(blocks.rifsc, 0x01C, 1u << 10);
        set(blocks.rifsc, 0x03C, 1u << 10);
    }
    for (models::Risaf* risaf : blocks.risafs) {
        if (wanted(SetUpStep::Risaf) && is_opened(risaf->name())) open(*risaf);
    }
    if (wanted(SetUpStep::Iac)) {
        clock_units(blocks, 0xA58, 0xA18, kIacUnit, kIacUnit);
        for (std::uint32_t ier = 0; ier < 5 * 4; ier += 4) put(blocks.iac, ier, kAll);
    }
}

}  // namespace n6vp::models
