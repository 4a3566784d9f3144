// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/core/ir/system.h"
#include "models/core/system/system_config.h"

namespace n6vp::models::core {

/// MPUs of both security states (PMSAv8, or PMSAv7 in region_v7.h), SAU and the chip's attribution
/// unit.
class Protection {
  public:
    static constexpr unsigned kMpuRegions = 16, kSauRegions = 8;

    explicit Protection(const SystemConfig& config) : config_(config) { reset(); }
    void reset();

    /// The question of `System::check`. `bypass_mpu` is how MPU_CTRL.HFNMIENA sees the current
    /// priority.
    [[nodiscard]] Permission check(std::uint32_t address, Intent intent, bool privileged,
                                   bool secure, bool bypass_mpu) const;
    /// The same for a vector: MPU does not apply.
    [[nodiscard]] Permission check_vector(std::uint32_t address, bool secure) const;
    /// Response word of TT for an address seen from `secure` state. `with_mpu`: MPU fields are
    /// valid; `with_security`: asked by Secure code.
    [[nodiscard]] std::uint32_t test_target(std::uint32_t address, bool privileged, bool secure,
                                            bool bypass_mpu, bool with_mpu,
                                            bool with_security) const;
    /// Returns true if the MPU of that state is on and would be bypassed by a negative priority.
    [[nodiscard]] bool bypassable(bool secure) const;

    /// Registers 0xE000ED90 to 0xE000EDC4 (`offset` from 0xE000ED00) of one MPU.
    [[nodiscard]] std::uint32_t read_mpu(std::uint32_t offset, bool secure) const;
    /// Returns true if a permission may have changed.
    bool write_mpu(std::uint32_t offset, bool secure, std::uint32_t value);
    /// Registers 0xE000EDD0 to 0xE000EDE0.
    [[nodiscard]] std::uint32_t read_sau(std::uint32_t offset) const;
    bool write_sau(std::uint32_t offset, std::uint32_t value);

    /// CACR.SIWT of the Cortex-M7: shareable data are cached, write-through; else they are not.
    void cache_shareable_data(bool on) { caches_shareable_data_ = on; }

  private:
    struct Region {
        std::uint32_t base = 0, limit = 0;  ///< RBAR, RLAR; in PMSAv7 address and RASR
    };
    struct Mpu {
        std::uint32_t control = 0, number = 0;
        std::array<std::uint32_t, 2> attributes{};  ///< MAIR0, MAIR1
        std::array<Region, kMpuRegions> regions{};
    };
    struct Match {
        unsigned hits = 0, region = 0;
        bool uniform_page = true;
    };
    struct SecurityOf {
        bool secure = true, callable = false, uniform_page = true;
        bool sau_valid = false, chip_valid = false;
        std::uint8_t sau_region = 0, chip_region = 0;
    };

    template <std::size_t Count>
    [[nodiscard]] static Match find(const std::array<Region, Count>& regions,
                                    std::uint32_t address);
    [[nodiscard]] SecurityOf security_of(std::uint32_t address, bool execute, bool secure) const;
    void consult_sau(std::uint32_t address, SecurityOf& result) const;
    void apply_security(std::uint32_t address, Intent intent, bool secure,
                        Permission& permission) const;
    void apply_mpu(std::uint32_t address, Intent intent, bool privileged, bool secure,
                   bool bypass_mpu, Permission& permission) const;
    void apply_mpu_v7(const Mpu& mpu, std::uint32_t address, Intent intent, bool privileged,
                      Permission& permission) const;
    [[nodiscard]] std::uint32_t read_region_v7(const Mpu& mpu, std::uint32_t offset) const;
    void write_region_v7(Mpu& mpu, std::uint32_t offset, std::uint32_t value) const;
    void apply_attributes(const Mpu& mpu, const Region& region, Permission& permission) const;

    const SystemConfig& config_;
    std::array<Mpu, 2> mpus_;  ///< by Security
    bool caches_shareable_data_ = false;
    std::uint32_t sau_control_ = 0, sau_number_ = 0;
    std::array<Region, kSauRegions> sau_regions_{};
};

}  // namespace n6vp::models::core
