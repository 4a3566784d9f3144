// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "models/core/ir/feature.h"

namespace n6vp::models::core {

enum class Architecture : std::uint8_t { Armv7M, Armv8M, Armv81M };

/// Models of pipelines, in timing/.
enum class Pipeline : std::uint8_t { CortexM4, CortexM7, CortexM33, CortexM55 };

/// A read-only register of the System Control Space, by its offset from 0xE000E000.
struct IdRegister {
    std::uint32_t offset = 0, value = 0;
};

/// What one core of the family is, as opposed to another. README.md says how to add one.
struct CoreProfile {
    std::string_view name;  ///< as compilers spell it: "cortex-m4"
    Architecture architecture = Architecture::Armv81M;
    isa::Feature features = isa::kEveryFeature;
    Pipeline pipeline = Pipeline::CortexM55;
    std::uint32_t cpuid = 0;
    /// ID_PFR0 to ID_ISAR5, CLIDR, CTR, MVFR0 to 2. What is not listed reads zero.
    std::span<const IdRegister> id_registers;
    /// CCSIDR of either cache; 0: there is none.
    std::uint32_t ccsidr_data = 0, ccsidr_instruction = 0;
    unsigned mpu_regions = 8;
    unsigned sau_regions = 0;
    /// Bits of CCR that read as one, whatever is written, and that can be written.
    std::uint32_t ccr_fixed = 0, ccr_writable = 0, ccr_reset = 0;
    std::uint32_t fpccr_reset = 0, fpccr_bits = 0;
    /// Bits of FPSCR; LTPSIZE among them with vectors only.
    std::uint32_t fpscr_bits = 0;
    std::uint32_t dwt_reset = 0x40000000;  ///< DWT_CTRL: 4 comparators
    bool dwt_locks = false;                ///< DWT_LAR must be written before DWT can be
    /// Blocks of the private bus that not every core has.
    bool memory_system = false;     ///< MEMSYSCTL, 0xE001E000
    bool memory_system_v7 = false;  ///< ITCMCR, DTCMCR, CACR and so on, 0xE000EF90
    bool monitoring_unit = false;   ///< PMU

    [[nodiscard]] constexpr bool has(isa::Feature feature) const {
        return isa::includes(features, feature);
    }
    [[nodiscard]] constexpr bool has_caches() const { return ccsidr_data != 0; }
    [[nodiscard]] constexpr bool v8() const { return architecture != Architecture::Armv7M; }
};

[[nodiscard]] const CoreProfile& cortex_m4();   ///< r0p1, FPv4-SP
[[nodiscard]] const CoreProfile& cortex_m7();   ///< r1p1, FPv5 in double precision
[[nodiscard]] const CoreProfile& cortex_m33();  ///< r0p4, FPv5-SP, Security Extension
[[nodiscard]] const CoreProfile& cortex_m55();  ///< r1p1

/// All of them.
[[nodiscard]] std::span<const CoreProfile* const> core_profiles();
/// Returns the profile of that name, or null.
[[nodiscard]] const CoreProfile* find_core_profile(std::string_view name);

}  // namespace n6vp::models::core
