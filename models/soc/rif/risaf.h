// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <set>
#include <string>

#include "models/fabric/access_filter.h"
#include "models/soc/base/register_block.h"
#include "models/soc/rif/iac.h"
#include "models/soc/rif/rif_parameters.h"

namespace n6vp::models {

/// What is fixed about one RISAF. Source: HAL; numbers of the IAC too.
struct RisafRow {
    const char* name;
    std::uint8_t number;   ///< by which memmap::Region::risaf names the filter of a memory
    const char* protects;  ///< for reports
    std::uint32_t last;    ///< highest address of its space, which starts at 0
    std::uint32_t granularity;
    std::uint8_t regions;
    std::uint8_t iac_source;
    bool any_compartment = false;  ///< does not look at the CID
    bool npu_port = false;         ///< stands at a bus port of the NPU
};

inline constexpr RisafRow kRisafs[] = {
    {"RISAF1", 1, "TCM", 0x3FFFFFFF, 0x1000, 7, 139},
    {"RISAF2", 2, "AXISRAM1", 0x000FFFFF, 0x1000, 7, 140},
    {"RISAF3", 3, "AXISRAM2", 0x000FFFFF, 0x1000, 7, 141},
    {"RISAF4", 4, "NPU port 0", 0xFFFFFFFF, 0x1000, 11, 142, false, true},
    {"RISAF5", 5, "NPU port 1", 0xFFFFFFFF, 0x1000, 11, 143, false, true},
    {"RISAF6", 6, "AXISRAM3 to 6", 0xFFFFFFFF, 0x1000, 11, 144},
    {"RISAF7", 7, "FLEXMEM", 0x0007FFFF, 0x1000, 7, 145},
    {"RISAF8", 8, "NPU-cache RAM", 0x0003FFFF, 0x1000, 7, 146},
    {"RISAF9", 9, "VENCRAM", 0x0001FFFF, 0x1000, 7, 147},
    {"RISAF11", 11, "XSPI1", 0x0FFFFFFF, 0x1000, 7, 149},
    {"RISAF12", 12, "XSPI2", 0x0FFFFFFF, 0x1000, 7, 150},
    {"RISAF13", 13, "XSPI3", 0x0FFFFFFF, 0x1000, 7, 151},
    {"RISAF14", 14, "FMC", 0x0FFFFFFF, 0x1000, 7, 152},
    {"RISAF15", 15, "CACHEAXI registers", 0x00000FFF, 0x4, 2, 153, true},
    {"RISAF21", 21, "AHBSRAM1", 0x00001FFF, 0x200, 7, 155},
    {"RISAF22", 22, "AHBSRAM2", 0x00001FFF, 0x200, 7, 156},
    {"RISAF23", 23, "BKPSRAM", 0x00000FFF, 0x200, 3, 157},
};

class Risaf;

/// One way through a RISAF: to which addresses of its space a target's offsets belong, and whose
/// accesses come this way.
class RisafGuard : public AccessFilter {
  public:
    RisafGuard(Risaf& risaf, std::uint32_t base, std::uint32_t initiators)
        : risaf_(risaf), base_(base), initiators_(initiators) {}

    [[nodiscard]] Verdict judge(const Transfer& transfer, const Access& access) override;
    [[nodiscard]] bool passes(const Transfer& transfer, const Access& access) const override;
    /// Of the access that was refused last.
    [[nodiscard]] const char* reason() const override { return reason_; }

  private:
    [[nodiscard]] bool concerns(const Transfer& transfer) const {
        return (initiators_ >> transfer.initiator & 1u) != 0;
    }
    Risaf& risaf_;
    const std::uint32_t base_, initiators_;
    const char* reason_ = "";
};

/// Filter of access rights in front of a memory or a bus port.
///
/// Modelled: base regions with security, privilege and read and write lists by compartment;
/// subregions A and B with an owner; granularity; the record of the first illegal access and its
/// report to the IAC. An access is allowed if one of the enabled regions that hold it allows it (a
/// subregion decides for its bytes in place of its region); outside all enabled regions only the
/// trusted domain passes: CID 1, secure, privileged (see RifParameters for what is assumed beside
/// that). Blocked reads answer zero, blocked writes vanish.
/// Assumed: IADDR keeps the alias that the master used.
/// Not modelled: delegation of subregions, access rights to the registers.
class Risaf : public RegisterBlock {
  public:
    static constexpr std::uint32_t kAllInitiators = 0xFFFFFFFF;
    static constexpr unsigned kMaxRegions = 15;

    /// `row` must outlive the filter.
    Risaf(const RisafRow& row, const RifParameters& parameters, Iac& iac);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

    [[nodiscard]] const RisafRow& row() const { return row_; }
    /// Returns a filter for a target whose offset 0 is at the non-secure address `start`, for the
    /// initiators whose bits are set. The filter owns it.
    [[nodiscard]] AccessFilter& filter(std::uint32_t start,
                                       std::uint32_t initiators = kAllInitiators);

    /// Returns true if the bytes may be accessed; addresses count in the filter's space.
    [[nodiscard]] bool allows(const Transfer& transfer, std::uint64_t first, std::uint32_t bytes,
                              bool write) const;
    /// `address` is that of the bus, which IADDR shows.
    void record(const Transfer& transfer, std::uint32_t address, bool write);
    /// Returns why an access that `allows` refuses is refused: whose settings would change that.
    /// The text lives as long as the filter.
    [[nodiscard]] const char* explain(const Transfer& transfer, std::uint64_t first,
                                      std::uint32_t bytes, bool write);

    /// Called after the rights have changed: direct memory behind the filter must be asked for
    /// anew.
    std::function<void()> on_change;

  private:
    using Region = std::array<std::uint32_t, 16>;  ///< registers of one region
    [[nodiscard]] bool allows_at(const Transfer& transfer, std::uint64_t address, bool write) const;
    [[nodiscard]] bool region_allows(const Region& region, const Transfer& transfer,
                                     std::uint64_t address, bool write) const;
    [[nodiscard]] std::uint64_t next_border(std::uint64_t address) const;
    [[nodiscard]] std::uint32_t fold(std::uint32_t address) const;
    void write_region(std::uint32_t word, std::uint32_t value, std::uint32_t mask);

    const RisafRow& row_;
    Iac& iac_;
    std::array<Region, kMaxRegions> regions_{};
    std::uint32_t control_ = 0, flags_ = 0, status_ = 0, address_ = 0;
    const bool closed_, cid0_refused_;
    std::set<std::string> explanations_;
    std::list<RisafGuard> filters_;
};

}  // namespace n6vp::models
