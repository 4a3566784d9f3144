// SPDX-License-Identifier: Apache-2.0
#include "models/chip/mcu/core_of_chip.h"

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace n6vp::models::mcu_chip {

namespace {

using memmap::ChipFamily;
using memmap::ChipMemoryKind;

/// The Cortex-M7 without double precision: MVFR0 and MVFR1 by the device header of the STM32F746.
const std::vector<core::IdRegister>& single_precision_registers() {
    static const std::vector<core::IdRegister> registers = [] {
        const std::span<const core::IdRegister> full = core::cortex_m7().id_registers;
        std::vector<core::IdRegister> result(full.begin(), full.end());
        for (core::IdRegister& each : result) {
            if (each.offset == 0xF40) each.value = 0x10110021;
            if (each.offset == 0xF44) each.value = 0x11000011;
        }
        return result;
    }();
    return registers;
}

core::CoreProfile profile_of(const memmap::Chip& chip) {
    const core::CoreProfile* const known = core::find_core_profile(chip.core);
    if (known == nullptr) throw std::logic_error(std::string("no profile of ") + chip.core);
    core::CoreProfile profile = *known;
    using enum core::isa::Feature;
    if (chip.family == ChipFamily::U5) {
        // TZEN = 0, the option byte of a new part, takes the Security Extension from the core.
        profile.features = Dsp | Float | FloatV5 | V8;
        profile.sau_regions = 0;
    }
    // A published image (MLPerf Tiny v1.3, streaming wake word) counts cycles without DWT_LAR.
    if (std::string_view(chip.name) == "stm32h7a3") profile.dwt_locks = false;
    if (chip.family != ChipFamily::F7) return profile;
    profile.features = Dsp | Float | FloatV5;
    profile.cpuid = 0x410FC271;
    profile.id_registers = single_precision_registers();
    profile.ccsidr_data = 0xF003E019;         // 4 KB, 4 ways
    profile.ccsidr_instruction = 0xF007E009;  // 4 KB, 2 ways
    profile.mpu_regions = 8;
    return profile;
}

/// ITCMCR, DTCMCR: size, enabled.
std::uint32_t tcm_control(std::uint32_t bytes) {
    constexpr std::uint32_t kSmallest = 4 * 1024, kSmallestCode = 3;
    std::uint32_t code = kSmallestCode;
    for (std::uint32_t size = kSmallest; size < bytes; size *= 2) ++code;
    return code << 3 | 1;
}

void set(Parameter& parameter, double value, Confidence confidence, const char* source) {
    parameter.value = value;
    parameter.confidence = confidence;
    parameter.source = source;
}

[[nodiscard]] constexpr std::uint32_t field(std::uint32_t value, unsigned position,
                                            unsigned width) {
    return value >> position & ((1u << width) - 1);
}

void add_range(std::vector<core::TcmRange>& to, std::uint32_t start, std::uint32_t bytes) {
    to.push_back({start, start + (bytes - 1)});
}

FlashParameters flash_of_chip(const memmap::Chip& chip) {
    using enum Confidence;
    FlashParameters flash;
    const std::string_view name = chip.name;
    set(flash.miss_cycles, 1, Assumed,
        "a read takes wait states + 1 cycles, and bus and look-up none; no benchmark chose it");
    switch (chip.family) {
        case ChipFamily::L4:
            set(flash.array_bytes, 8, Documented, "64 bits; 128 with single_bank on the L4R5");
            set(flash.instruction_lines, 32, Documented, "ART: 32 lines of 256 bits");
            set(flash.data_lines, 8, Documented, "ART: 8 lines of 256 bits");
            break;
        case ChipFamily::U5:
            set(flash.array_bytes, 16, Documented, "RM0456: 128 bits");
            set(flash.line_bytes, 16, Documented, "RM0456: ICACHE, 128 bits");
            set(flash.instruction_lines, 512, Documented, "RM0456: ICACHE of 8 KB");
            set(flash.data_in_one, 1, Documented, "the ICACHE holds data of the C-bus, too");
            set(flash.ways, 2, Documented, "RM0456: WAYSEL = 1 out of reset");
            break;
        case ChipFamily::F7:
            set(flash.array_bytes, 32, Documented, "256 bits");
            set(flash.instruction_lines, 64, Documented,
                "ART: 64 lines; assumed for the AXI path, too, as code runs through L1 there");
            set(flash.data_in_one, 1, Assumed, "as for instructions");
            set(flash.beat_cycles, 1, Assumed, "64-bit AHB");
            break;
        case ChipFamily::H7:
            set(flash.array_bytes, name == "stm32h743" ? 32 : 16, Documented,
                "flash word of 256 bits, H7A3: 128");
            set(flash.beat_cycles, 1, Documented, "64-bit AXI");
            break;
    }
    return flash;
}

}  // namespace

CoreModuleConfig core_of_chip(const memmap::Chip& chip) {
    CoreModuleConfig config;
    config.core_hz = chip.reset_hz;
    core::SystemConfig& system = config.core.system;
    system.core = profile_of(chip);
    system.interrupts = chip.interrupts.back().line + 1u;
    constexpr unsigned kExternalClock = 8;  // HCLK / 8
    system.systick_divider = kExternalClock;
    system.attribution = nullptr;
    for (const memmap::ChipMemory& row : chip.memories) {
        if (row.kind == ChipMemoryKind::Itcm) system.itcm_control = tcm_control(row.bytes);
        if (row.kind == ChipMemoryKind::Dtcm) system.dtcm_control = tcm_control(row.bytes);
        const bool tcm = row.kind == ChipMemoryKind::Itcm || row.kind == ChipMemoryKind::Dtcm;
        // RAM without wait states needs no cache: the core reaches it as a Cortex-M7 its TCM.
        const bool zero_wait = !system.core.has_caches() && row.kind == ChipMemoryKind::Ram;
        if (!tcm && !zero_wait) continue;
        add_range(config.core.tcm, row.start, row.bytes);
        for (const std::uint32_t alias : row.aliases)
            if (alias != memmap::kNoAlias) add_range(config.core.tcm, alias, row.bytes);
    }
    config.core.memory_stalls = !system.core.has_caches();
    return config;
}

MicrocontrollerParameters parameters_of_chip(const memmap::Chip& chip) {
    MicrocontrollerParameters parameters;
    const core::CoreProfile profile = profile_of(chip);
    parameters.flash = flash_of_chip(chip);
    if (chip.family == ChipFamily::F7)
        set(parameters.oscillators.hse, 25, Confidence::Documented,
            "crystal of the STM32F746G-DISCO, whose console is USART1");
    if (!profile.has_caches()) return parameters;
    const double bytes = chip.family == ChipFamily::F7 ? 4096 : 16384;
    constexpr const char* kSource = "device header, TRM of the Cortex-M7";
    set(parameters.cache.dcache_bytes, bytes, Confidence::Documented, kSource);
    set(parameters.cache.dcache_ways, 4, Confidence::Documented, kSource);
    set(parameters.cache.icache_bytes, bytes, Confidence::Documented, kSource);
    set(parameters.cache.icache_ways, 2, Confidence::Documented, kSource);
    set(parameters.cache.fill_turnaround, 0, Confidence::Assumed,
        "Cortex-M7: a second line fill of data may be under way");
    return parameters;
}

bool has_bank_option(const memmap::Chip& chip) {
    return std::string_view(chip.name) == "stm32l4r5";
}

FlashMemory::Setting flash_setting(const memmap::Chip& chip, const FlashRegisters& registers) {
    const std::uint32_t acr = registers.acr;
    FlashMemory::Setting setting;
    setting.wait_states = field(acr, 0, 4);
    if (registers.single_bank) setting.array_bytes = 16;
    switch (chip.family) {
        case ChipFamily::L4:
            setting.prefetch = field(acr, 8, 1) != 0;
            setting.instruction_lines = field(acr, 9, 1) != 0;
            setting.data_lines = field(acr, 10, 1) != 0;
            break;
        case ChipFamily::U5:
            setting.prefetch = field(acr, 8, 1) != 0;
            setting.instruction_lines = field(registers.icache, 0, 1) != 0;
            setting.ways = field(registers.icache, 2, 1) != 0 ? 2 : 1;
            break;
        case ChipFamily::F7:
            setting.prefetch = field(acr, 8, 1) != 0;
            setting.instruction_lines = field(acr, 9, 1) != 0;
            break;
        case ChipFamily::H7:
            break;
    }
    return setting;
}

}  // namespace n6vp::models::mcu_chip
