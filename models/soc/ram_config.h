// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <string_view>

#include "memmap/peripherals.h"
#include "models/fabric/access_filter.h"
#include "models/parameter.h"
#include "models/soc/register_block.h"

namespace n6vp::models {

struct RamConfigParameters {
    Parameter shut_down_error{"shut_down_error", 0, kSwitch, Confidence::Assumed,
                              "memory that is shut down: 1 bus error, 0 reads zero"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.shut_down_error);
    }
};

/// Power switch of one memory, as a filter in front of it.
class PowerSwitch : public AccessFilter {
  public:
    PowerSwitch(std::string_view memory, Verdict off);

    [[nodiscard]] Verdict judge(const Transfer&, const Access&) override {
        return on_ ? Verdict::Pass : off_;
    }
    [[nodiscard]] bool passes(const Transfer&, const Access&) const override { return on_; }
    /// "RAMCFG_AXISRAM3CR.SRAMSD = 1"
    [[nodiscard]] const char* reason() const override { return reason_.c_str(); }
    [[nodiscard]] bool on() const { return on_; }

    /// Called after the memory was switched on or off; it lost its content when it went off.
    std::function<void()> on_change;

  private:
    friend class RamConfig;
    void set(bool on);

    const Verdict off_;
    const std::string reason_;
    bool on_ = true;
};

/// RAM configuration controller: power of the banks, how much of FLEXMEM the TCMs take.
///
/// Modelled: CR of each bank, SRAMSD of AXISRAM2 to 6 (3 to 6 are shut down after reset), erasing
/// (done at once), ITCMCFG and DTCMCFG as values that the assembly may ask for.
/// Not modelled: ECC and its registers, keys of an erase, the TCMs' size itself.
class RamConfig : public RegisterBlock {
  public:
    explicit RamConfig(const RamConfigParameters& parameters);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

    /// Returns the switch of a memory of the address map, or nullptr if it has none.
    [[nodiscard]] PowerSwitch* power(std::string_view memory);
    /// 0: 64 KB of ITCM; else an extension from FLEXMEM.
    [[nodiscard]] std::uint32_t itcm_config() const { return control_[kFlexmem] >> 16 & 3u; }
    [[nodiscard]] std::uint32_t dtcm_config() const { return control_[kFlexmem] >> 24 & 1u; }

    /// Called when software has a bank erased; the argument is the memory's name.
    std::function<void(const char* memory)> on_erase;

  private:
    static constexpr std::size_t kBanks =
        sizeof memmap::kRamConfigBanks / sizeof memmap::kRamConfigBanks[0];
    static constexpr std::size_t kFlexmem = kBanks - 1;
    static constexpr std::uint32_t kBankBytes = 0x80, kBankWords = 11;
    void update_power();

    std::array<std::uint32_t, kBanks> control_{};
    std::array<std::array<std::uint32_t, kBankWords>, kBanks> others_{};
    std::list<PowerSwitch> switches_;  ///< of AXISRAM2 to 6
};

}  // namespace n6vp::models
