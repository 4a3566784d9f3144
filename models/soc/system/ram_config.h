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
#include "models/soc/base/register_block.h"

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

/// RAM configuration controller: power of the banks, their erasing, check bits of BKPSRAM.
///
/// Modelled: CR of each bank, SRAMSD of AXISRAM2 to 6 (3 to 6 are shut down after reset), erasing
/// (done at once), ITCMCFG and DTCMCFG as values that the assembly may ask for. Of BKPSRAM: ECCE,
/// which is cleared after both keys only, error flags with their interrupt, and with ALE the words
/// of the last errors.
/// As on the STM32C5: ESEA and EDEA are the number of the word; they have the 11 bits that number
/// those of BKPSRAM. As on the STM32U5: a wrong key locks again.
/// Not modelled: ECC of FLEXMEM, keys of an erase, the size of the TCMs.
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

    /// Called when software or a reset switches the check bits of BKPSRAM on or off.
    std::function<void(bool on)> on_checks;
    /// Level of the interrupt line of BKPSRAM, called when it changes.
    std::function<void(bool)> on_interrupt;
    /// A read of the word at `offset` of BKPSRAM met an error: of one bit, or of two.
    void note_error(bool two_bits, std::uint32_t offset);

  private:
    static constexpr std::size_t kBanks =
        sizeof memmap::kRamConfigBanks / sizeof memmap::kRamConfigBanks[0];
    static constexpr std::size_t kFlexmem = kBanks - 1, kBackup = kBanks - 2;
    static constexpr std::uint32_t kBankBytes = 0x80, kBankWords = 11;
    /// Registers of the check bits; they answer for BKPSRAM only.
    enum Word : std::uint32_t {
        kControl,
        kEnable,
        kStatus,
        kSingleAddress,
        kDoubleAddress,
        kClear,
        kEccKey = 9
    };

    void update_power();
    void update_checks();
    void update_interrupt();
    void write_check_word(std::uint32_t word, std::uint32_t value, std::uint32_t mask);
    [[nodiscard]] std::uint32_t with_locked_checks(std::size_t bank, std::uint32_t next) const;

    std::array<std::uint32_t, kBanks> control_{};
    std::array<std::array<std::uint32_t, kBankWords>, kBanks> others_{};
    std::list<PowerSwitch> switches_;  ///< of AXISRAM2 to 6
    std::uint32_t keys_ = 0;           ///< of BKPSRAM that were written in their order
    bool checks_ = false, level_ = false;
};

}  // namespace n6vp::models
