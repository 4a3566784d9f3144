// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "memmap/peripherals.h"
#include "models/fabric/access_filter.h"
#include "models/parameter.h"
#include "models/soc/base/flag_times.h"
#include "models/soc/base/register_block.h"
#include "models/soc/system/clock_tree.h"

namespace n6vp::models {

struct RccParameters {
    Parameter hsi{"hsi", 64, kMegahertz, Confidence::Documented, "HAL: HSI_VALUE"};
    Parameter msi{"msi", 4, kMegahertz, Confidence::Documented,
                  "HAL: MSI_VALUE (16 with MSIFREQSEL)"};
    Parameter hse{"hse", 48, kMegahertz, Confidence::Documented, "crystal of the discovery kit"};
    Parameter lse{"lse", 32.768, "kHz", Confidence::Documented, "HAL: LSE_VALUE"};
    Parameter lsi{"lsi", 32, "kHz", Confidence::Documented, "HAL: LSI_VALUE"};
    Parameter closed_memory{"closed_memory", 1, kSwitch, Confidence::Assumed,
                            "memory without clock: 1 bus error, 0 reads zero"};
    Parameter closed_registers{"closed_registers", 0, kSwitch, Confidence::Assumed,
                               "registers without clock: 1 bus error, 0 read zero"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.hsi);
        function(self.msi);
        function(self.hse);
        function(self.lse);
        function(self.lsi);
        function(self.closed_memory);
        function(self.closed_registers);
    }
};

/// The three bits of RCC that decide whether a unit works: xxxEN, xxxLPEN, xxxRST.
struct ClockGateRow {
    const char* unit;  ///< memory region or peripheral, as in the address map
    memmap::ClockBit clock;
};

/// Clock and reset of one unit, as a filter in front of it.
class ClockGate : public AccessFilter {
  public:
    ClockGate(const ClockGateRow& row, Verdict closed);

    [[nodiscard]] Verdict judge(const Transfer&, const Access&) override {
        return open() ? Verdict::Pass : closed_;
    }
    [[nodiscard]] bool passes(const Transfer&, const Access&) const override { return open(); }
    /// "RCC_MEMENR.AXISRAM3EN = 0"
    [[nodiscard]] const char* reason() const override {
        return in_reset_ ? reset_reason_.c_str() : reason_.c_str();
    }

    [[nodiscard]] const char* unit() const { return row_.unit; }
    [[nodiscard]] bool open() const { return enabled_ && !in_reset_; }
    /// Returns true if the unit's clock runs: always while the core is awake and the gate is open,
    /// and with its sleep bit set while the core sleeps.
    [[nodiscard]] bool runs(bool core_sleeps) const {
        return open() && (!core_sleeps || enabled_asleep_);
    }
    /// "RCC_AHB5LPENR.NPULPEN = 0"
    [[nodiscard]] const char* sleep_reason() const { return sleep_reason_.c_str(); }

    /// Called after the gate has opened or closed, or its sleep bit has changed.
    std::function<void()> on_change;
    /// Called when the unit's reset begins, with its absolute time.
    std::function<void(Picoseconds at)> on_reset;

  private:
    friend class Rcc;
    void update(bool enabled, bool enabled_asleep, bool in_reset, Picoseconds at);

    const ClockGateRow row_;
    const Verdict closed_;
    std::string reason_, reset_reason_, sleep_reason_;
    bool enabled_ = false, enabled_asleep_ = false, in_reset_ = false;
};

/// Reset and clock control: oscillators, PLLs and dividers that set the frequencies of the clock
/// domains, enable, sleep and reset bits with their set and clear registers.
///
/// Modelled: gates of the memories and of all peripherals of the address map that have a clock bit;
/// ready and switch status bits, which follow after `FlagTimes`; interrupts of ready bits, on the
/// line that SECCFGR0 and SECCFGR1 select for each oscillator and PLL; PLL and IC arithmetic.
/// Frequencies stay those of the scenario until software writes CFGR1 (all domains) or an XSPI
/// selection in CCIPR6 (that one); a domain whose source is off keeps its frequency. Kernel clocks
/// of serial ports, I2C, SPI, timers, RTC, LTDC and the sound units. Reset of the backup domain.
/// Assumed: an oscillator is ready when it wakes the system from Stop mode. What takes its kernel
/// clock from another one goes on in Stop mode as before.
/// Not modelled: clocks that wait for their ready bit, clock security, its interrupts and that of
/// the wake-up (bits of CIER that answer "not modelled"), kernel clocks of other peripherals, clock
/// outputs, access rights to the registers.
class Rcc : public RegisterBlock {
  public:
    /// RSR: who reset the chip. Inferred from older chips: each reset drives the pin NRST, too.
    static constexpr std::uint32_t kByPin = 1u << 22, kBySoftware = 1u << 24, kByIwdg = 1u << 26,
                                   kByWwdg = 1u << 28;

    Rcc(const RccParameters& parameters, ClockTree& clocks, const FlagTimes& times = {});

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    /// Also returns the clocks to the frequencies they had before software set them. RSR stays.
    void reset() override;
    /// RSR says that the supply came up.
    void power_on();

    /// A reset is due to this, too, until RSR.RMVF.
    void note_reset(std::uint32_t flag);
    /// The system has left Stop mode: it runs from the oscillator that CFGR1.STOPWUCK selects, and
    /// HSE, PLLs and what STOPCR does not keep on are off.
    void leave_stop(Picoseconds at);
    /// Returns the gate of a unit of the address map ("AXISRAM3", "NPU"), or nullptr.
    [[nodiscard]] ClockGate* gate(std::string_view unit);
    [[nodiscard]] const std::vector<std::unique_ptr<ClockGate>>& gates() const { return gates_; }
    /// Returns the frequency of the kernel clock of a unit of the address map, 0 if its source is
    /// off or the unit has none here. Gates are not asked.
    [[nodiscard]] double kernel_hz(std::string_view unit) const;
    /// Called after a write that can change the clock of a peripheral on an APB, when clocks and
    /// gates are as it left them, with its absolute time.
    std::function<void(Picoseconds at)> on_peripheral_clocks;
    /// BDCR.VSWRST resets the backup domain.
    std::function<void(Picoseconds at)> on_backup_reset;
    /// The line of secure oscillators and PLLs, or that of the others.
    std::function<void(bool secure, bool level)> on_interrupt;
    /// `look` must be called at this absolute time for an interrupt, or need not any more (0).
    std::function<void(Picoseconds due)> on_due;
    void look(Picoseconds at);
    /// True inside a write: frequencies change one after the other.
    [[nodiscard]] bool writing() const { return writing_; }

  private:
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }
    /// The clock that a unit has selected, before a divider of its own.
    [[nodiscard]] double source_hz(std::string_view unit) const;
    [[nodiscard]] unsigned kernel_divider(std::string_view unit) const;
    [[nodiscard]] double oscillator_hz(std::uint32_t select) const;
    [[nodiscard]] double pll_hz(unsigned pll) const;
    [[nodiscard]] double divider_hz(unsigned divider) const;
    [[nodiscard]] double system_hz(std::uint32_t select, unsigned divider) const;
    [[nodiscard]] double per_hz() const;
    void changed(std::uint32_t offset, Picoseconds at);
    /// Returns true if the register decides about clocks of peripherals on an APB.
    [[nodiscard]] static bool clocks_peripherals(std::uint32_t offset);
    void settle(Picoseconds at);
    void follow_switches(Picoseconds at);
    void update_interrupts();
    [[nodiscard]] bool write_interrupts(std::uint32_t offset, std::uint32_t written);
    void update_gates(Picoseconds at);
    void update_system_clocks();
    void update_xspi_clock(unsigned instance);
    void drive(memmap::ClockDomain domain, double hz);

    RccParameters parameters_;
    const FlagTimes times_;
    ClockTree& clocks_;
    std::vector<std::unique_ptr<ClockGate>> gates_;
    std::map<std::uint32_t, std::string> names_;         ///< by offset
    std::array<std::uint32_t, 0x200> held_{};            ///< registers below the set and clear ones
    std::map<memmap::ClockDomain, double> scenario_hz_;  ///< of the domains that software set
    std::uint32_t ready_ = 0, switched_ = 0;   ///< bits of CR and CFGR1 that SR and CFGR1 show
    std::array<Picoseconds, 32> ready_due_{};  ///< by bit; 0: does not change
    Picoseconds switched_due_ = 0, told_due_ = 0;
    std::array<bool, 2> interrupt_levels_{};  ///< by security
    bool system_driven_ = false, writing_ = false;
    std::array<bool, 3> xspi_driven_{};
};

}  // namespace n6vp::models
