// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <string>

#include "memmap/peripherals.h"
#include "models/fabric/access_filter.h"
#include "models/soc/base/register_block.h"
#include "models/soc/rif/iac.h"
#include "models/soc/rif/rif_parameters.h"

namespace n6vp::models {

/// What a bus master says of itself on the bus.
struct MasterAttributes {
    std::uint8_t compartment = 0;
    bool secure = false;
    bool privileged = false;
};

class Rifsc;

/// Filter in front of the registers of one peripheral (RISUP). Blocked reads are zero, blocked
/// writes are ignored, and the IAC is notified.
class PeripheralFilter : public AccessFilter {
  public:
    /// `exact`: a non-secure peripheral refuses secure accesses.
    PeripheralFilter(Rifsc& rifsc, const char* unit, unsigned index, bool exact);
    [[nodiscard]] Verdict judge(const Transfer& transfer, const Access& access) override;
    [[nodiscard]] bool passes(const Transfer& transfer, const Access& access) const override;
    [[nodiscard]] const char* reason() const override { return reason_.c_str(); }
    [[nodiscard]] const char* unit() const { return unit_; }

  private:
    Rifsc& rifsc_;
    const char* unit_;
    const unsigned index_;
    const bool exact_;
    const std::string reason_;
};

/// Security controller of the resource isolation framework: attributes of bus masters (RIMC) and
/// access rights to the registers of the peripherals (RISC).
///
/// Modelled: RIMC_ATTR0 to 12, RISC_SECCFGR and RISC_PRIVCFGR of six words, their lock bits. After
/// reset peripherals are non-secure and unprivileged; masters are assumed to be, with CID 0.
/// Not modelled: the compartment of the debug port, tamper requests.
class Rifsc : public RegisterBlock {
  public:
    static constexpr unsigned kMasters = 13, kWords = 6;
    static constexpr unsigned kNpuMaster = 1;  ///< RIMC_ATTR1
    static constexpr unsigned kSdmmc1Master = 2, kSdmmc2Master = 3;
    static constexpr unsigned kDma2dMaster = 8;
    static constexpr unsigned kDcmippMaster = 9;
    static constexpr unsigned kLtdcMaster = 10;  ///< of its first layer; the second follows
    static constexpr int kNpuPeripheral = memmap::peripheral_named("NPU")->filter.index;

    Rifsc(const RifParameters& parameters, Iac& iac);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

    [[nodiscard]] MasterAttributes master(unsigned index) const;
    [[nodiscard]] bool secure(unsigned peripheral) const {
        return (security_[peripheral / 32] >> (peripheral % 32) & 1u) != 0;
    }
    [[nodiscard]] bool privileged(unsigned peripheral) const {
        return (privilege_[peripheral / 32] >> (peripheral % 32) & 1u) != 0;
    }

    /// Returns the filter of a peripheral with that name ("NPU", "USART1", "XSPI1"), or nullptr if
    /// none is known.
    [[nodiscard]] AccessFilter* filter(const char* unit);

    /// Called after the attributes of a master have changed.
    std::function<void(unsigned master)> on_master;

  private:
    friend class PeripheralFilter;
    [[nodiscard]] std::uint32_t* place(std::uint32_t offset, const char*& name);

    RifParameters parameters_;
    Iac& iac_;
    std::array<std::uint32_t, kMasters> masters_{};
    std::array<std::uint32_t, kWords> security_{}, privilege_{}, locks_{};
    std::uint32_t master_control_ = 0, peripheral_control_ = 0;
    std::list<PeripheralFilter> filters_;
};

}  // namespace n6vp::models
