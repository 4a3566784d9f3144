// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/soc/rif/iac.h"
#include "models/soc/rif/rifsc.h"
#include "models/soc/rif/risaf.h"
#include "models/soc/system/ram_config.h"
#include "models/soc/system/rcc.h"

/// What firmware must do before the NPU works, step by step in the validation firmware's order.
namespace n6vp::models {

enum class SetUpStep : std::uint8_t {
    None = 0,
    CacheRam,     ///< MEMSYSCTL.MSCR
    Clocks,       ///< PLLs and dividers, core voltage
    RamClocks,    ///< RCC MEMENR
    RamPower,     ///< RAMCFG SRAMSD
    NpuClocks,    ///< RCC AHB5ENR and AHB5RSTR
    SleepClocks,  ///< RCC MEMLPENR and AHB5LPENR
    RifMaster,    ///< RIFSC RIMC
    RifSlave,     ///< RIFSC RISC
    Risaf,
    Iac,
    FastPins,  ///< OTP 124
    Vectors,   ///< VTOR, priority, NVIC line 53
};

/// The filters that the validation firmware opens.
inline constexpr const char* kOpenedFilters[] = {"RISAF2",  "RISAF3", "RISAF4", "RISAF5",
                                                 "RISAF6",  "RISAF7", "RISAF8", "RISAF11",
                                                 "RISAF12", "RISAF15"};

/// Returns what a step does, for reports: "RAM clocks: RCC MEMENR".
[[nodiscard]] const char* set_up_text(SetUpStep step);

/// Returns the step that `reason` of a filter (or `sleep_reason` of a clock gate) is about.
[[nodiscard]] SetUpStep set_up_step(std::string_view reason);

/// The blocks that steps 3 to 10 write to.
struct SetUpBlocks {
    Rcc& rcc;
    RamConfig& ram_config;
    Rifsc& rifsc;
    models::Iac& iac;
    std::vector<models::Risaf*> risafs;  ///< those that stand; the others are left out
    Picoseconds at = 0;                  ///< absolute time of the writes
};

/// Does steps 3 to 10 by register writes, as the validation firmware does them; the steps whose bit
/// (1 << number) is in `omitted` are left out. For runs without start-up code of their own.
void set_up(const SetUpBlocks& blocks, std::uint32_t omitted = 0);

}  // namespace n6vp::models
