// SPDX-License-Identifier: Apache-2.0
// The cores as data. ID registers: technical reference manuals of the cores; where those are
// silent, what QEMU's models of them say.
#include <algorithm>
#include <array>

#include "models/core/ir/profile.h"
#include "models/core/ir/state.h"
#include "models/core/system/register_bits.h"

namespace n6vp::models::core {

namespace {

using enum isa::Feature;

constexpr std::array kM4Registers{
    IdRegister{0xD40, 0x00000030}, IdRegister{0xD44, 0x00000200},  // ID_PFR0, 1
    IdRegister{0xD48, 0x00100000},                                 // ID_DFR0
    IdRegister{0xD50, 0x00100030}, IdRegister{0xD58, 0x01000000},  // ID_MMFR0, 2
    IdRegister{0xD60, 0x01141110}, IdRegister{0xD64, 0x02112000},  // ID_ISAR0, 1
    IdRegister{0xD68, 0x21232231}, IdRegister{0xD6C, 0x01111131},  // ID_ISAR2, 3
    IdRegister{0xD70, 0x01310132},                                 // ID_ISAR4
    IdRegister{0xF40, 0x10110021}, IdRegister{0xF44, 0x11000011},  // MVFR0, 1
};

constexpr std::array kM7Registers{
    IdRegister{0xD40, 0x00000030}, IdRegister{0xD44, 0x00000200},  // ID_PFR0, 1
    IdRegister{0xD48, 0x00100000},                                 // ID_DFR0
    IdRegister{0xD50, 0x00100030}, IdRegister{0xD58, 0x01000000},  // ID_MMFR0, 2
    IdRegister{0xD60, 0x01101110}, IdRegister{0xD64, 0x02112000},  // ID_ISAR0, 1
    IdRegister{0xD68, 0x20232231}, IdRegister{0xD6C, 0x01111131},  // ID_ISAR2, 3
    IdRegister{0xD70, 0x01310132},                                 // ID_ISAR4
    IdRegister{0xD78, 0x09000003}, IdRegister{0xD7C, 0x8303C003},  // CLIDR, CTR
    IdRegister{0xF40, 0x10110221}, IdRegister{0xF44, 0x12000011},  // MVFR0, 1
    IdRegister{0xF48, 0x00000040},                                 // MVFR2
};

constexpr std::array kM33Registers{
    IdRegister{0xD40, 0x00000030}, IdRegister{0xD44, 0x00000210},  // ID_PFR0, 1
    IdRegister{0xD48, 0x00200000},                                 // ID_DFR0
    IdRegister{0xD50, 0x00101F40}, IdRegister{0xD58, 0x01000000},  // ID_MMFR0, 2
    IdRegister{0xD60, 0x01101110}, IdRegister{0xD64, 0x02212000},  // ID_ISAR0, 1
    IdRegister{0xD68, 0x20232232}, IdRegister{0xD6C, 0x01111131},  // ID_ISAR2, 3
    IdRegister{0xD70, 0x01310132}, IdRegister{0xD7C, 0x8000C000},  // ID_ISAR4, CTR
    IdRegister{0xF40, 0x10110021}, IdRegister{0xF44, 0x11000011},  // MVFR0, 1
    IdRegister{0xF48, 0x00000040},                                 // MVFR2
};

/// From the Cortex-M55 TRM.
constexpr std::array kM55Registers{
    IdRegister{0xD40, 0x20000030}, IdRegister{0xD44, 0x00000230},  // ID_PFR0, 1
    IdRegister{0xD48, 0x10200000}, IdRegister{0xD4C, 0x00000000},  // ID_DFR0, ID_AFR0
    IdRegister{0xD50, 0x00111040}, IdRegister{0xD54, 0x00000000},  // ID_MMFR0, 1
    IdRegister{0xD58, 0x01000000}, IdRegister{0xD5C, 0x00000011},  // ID_MMFR2, 3
    IdRegister{0xD60, 0x01103110}, IdRegister{0xD64, 0x02212000},  // ID_ISAR0, 1
    IdRegister{0xD68, 0x20232232}, IdRegister{0xD6C, 0x01111131},  // ID_ISAR2, 3
    IdRegister{0xD70, 0x01310132}, IdRegister{0xD74, 0x00000000},  // ID_ISAR4, 5
    IdRegister{0xD78, 0x09000003}, IdRegister{0xD7C, 0x8303C003},  // CLIDR, CTR
    IdRegister{0xF40, 0x10110221}, IdRegister{0xF44, 0x12100211},  // MVFR0, 1
    IdRegister{0xF48, 0x00000040},                                 // MVFR2
};

constexpr std::uint32_t kV7Ccr = ccr::kThreadFromAnyLevel | ccr::kUserSetPending |
                                 ccr::kUnalignedTrap | ccr::kDivideTrap | ccr::kIgnoreBusFaults;
constexpr std::uint32_t kV8Ccr = ccr::kUserSetPending | ccr::kUnalignedTrap | ccr::kDivideTrap |
                                 ccr::kIgnoreBusFaults | ccr::kIgnoreStackLimit;
constexpr std::uint32_t kCaches = ccr::kDataCache | ccr::kInstructionCache | ccr::kBranchPrediction;
constexpr std::uint32_t kV7Fpccr = fpccr::kAutomatic | fpccr::kLazy | fpccr::kMonitorReady |
                                   fpccr::kBusFaultReady | fpccr::kMemManageReady |
                                   fpccr::kHardFaultReady | fpccr::kThread | fpccr::kUser |
                                   fpccr::kPreservationActive;
constexpr std::uint32_t kV8Fpccr = 0xFC0007FF;
constexpr std::uint32_t kFpscr = fpscr::kN | fpscr::kZ | fpscr::kC | fpscr::kV | fpscr::kAhp |
                                 fpscr::kDn | fpscr::kFz | fpscr::kRMode | fpscr::kIdc |
                                 fpscr::kIxc | fpscr::kUfc | fpscr::kOfc | fpscr::kDzc |
                                 fpscr::kIoc;

constexpr CoreProfile kM4{
    .name = "cortex-m4",
    .architecture = Architecture::Armv7M,
    .features = Dsp | Float,
    .pipeline = Pipeline::CortexM4,
    .cpuid = 0x410FC241,
    .id_registers = kM4Registers,
    .mpu_regions = 8,
    .ccr_writable = kV7Ccr | ccr::kAlignStack,
    .ccr_reset = ccr::kAlignStack,
    .fpccr_reset = fpccr::kAutomatic | fpccr::kLazy,
    .fpccr_bits = kV7Fpccr,
    .fpscr_bits = kFpscr,
};

constexpr CoreProfile kM7{
    .name = "cortex-m7",
    .architecture = Architecture::Armv7M,
    .features = Dsp | Float | FloatV5 | Double,
    .pipeline = Pipeline::CortexM7,
    .cpuid = 0x411FC271,
    .id_registers = kM7Registers,
    .ccsidr_data = 0xF00FE019,         // 16 KB, 4 ways of 32-byte lines
    .ccsidr_instruction = 0xF01FE009,  // 16 KB, 2 ways
    .mpu_regions = 16,
    .ccr_fixed = ccr::kAlignStack | ccr::kBranchPrediction,
    .ccr_writable = kV7Ccr | ccr::kDataCache | ccr::kInstructionCache,
    .fpccr_reset = fpccr::kAutomatic | fpccr::kLazy,
    .fpccr_bits = kV7Fpccr,
    .fpscr_bits = kFpscr,
    .dwt_locks = true,
    .memory_system_v7 = true,
};

constexpr CoreProfile kM33{
    .name = "cortex-m33",
    .architecture = Architecture::Armv8M,
    .features = Dsp | Float | FloatV5 | V8 | Security,
    .pipeline = Pipeline::CortexM33,
    .cpuid = 0x410FD214,
    .id_registers = kM33Registers,
    .mpu_regions = 8,
    .sau_regions = 8,
    .ccr_fixed = ccr::kReset,
    .ccr_writable = kV8Ccr,
    .fpccr_reset = fpccr::kAutomatic | fpccr::kLazy | fpccr::kOwnerSecure,
    .fpccr_bits = kV8Fpccr,
    .fpscr_bits = kFpscr,
};

constexpr CoreProfile kM55{
    .name = "cortex-m55",
    .architecture = Architecture::Armv81M,
    .features = isa::kEveryFeature,
    .pipeline = Pipeline::CortexM55,
    .cpuid = 0x411FD221,
    .id_registers = kM55Registers,
    .ccsidr_data = 0xF01FE019,         // 32 KB, 4 ways of 32-byte lines
    .ccsidr_instruction = 0xF03FE009,  // 32 KB, 2 ways
    .mpu_regions = 16,
    .sau_regions = 8,
    .ccr_fixed = ccr::kReset,
    .ccr_writable = kV8Ccr | kCaches | ccr::kLowOverhead | ccr::kNoReentry,
    .fpccr_reset = fpccr::kAutomatic | fpccr::kLazy | fpccr::kOwnerSecure,
    .fpccr_bits = kV8Fpccr,
    .fpscr_bits = kFpscr | fpscr::kQc | fpscr::kFz16 | fpscr::kLtpsize,
    .memory_system = true,
    .monitoring_unit = true,
};

constexpr std::array kProfiles{&kM4, &kM7, &kM33, &kM55};

}  // namespace

const CoreProfile& cortex_m4() {
    return kM4;
}
const CoreProfile& cortex_m7() {
    return kM7;
}
const CoreProfile& cortex_m33() {
    return kM33;
}
const CoreProfile& cortex_m55() {
    return kM55;
}

std::span<const CoreProfile* const> core_profiles() {
    return kProfiles;
}

const CoreProfile* find_core_profile(std::string_view name) {
    const auto* const place = std::ranges::find(kProfiles, name, &CoreProfile::name);
    return place == kProfiles.end() ? nullptr : *place;
}

}  // namespace n6vp::models::core
