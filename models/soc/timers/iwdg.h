// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

struct IwdgParameters {
    Parameter lsi{"lsi", 32, "kHz", Confidence::Documented, "device header: LSI_VALUE"};
    Parameter update{"update", 625, "us", Confidence::Assumed,
                     "a write of PR, RLR, WINR to its flag in SR = 0: 5 cycles of LSI / 4"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.lsi);
        function(self.update);
    }
};

/// The independent watchdog: counts RLR down at LSI over 4 << PR, and asks for a reset at its end.
///
/// Modelled: the keys 0xCCCC, 0xAAAA, 0x5555, PR, RLR, WINR with a reset by a reload
/// that comes too early, the flags PVU, RVU, WVU, EWU of an update under way, and where the chip
/// has them ONF and the early wake-up interrupt. Not modelled: start by option byte, stop in debug
/// mode. A value that is written holds at once, not at the end of its update. Source: CMSIS device
/// headers; HAL driver for keys and polled flags.
class Iwdg : public sc_core::sc_module, public RegisterBlock {
  public:
    /// What differs between the chips. PR of 3 bits divides LSI by up to 256 (6), of 4 bits by up
    /// to 1024 (8).
    struct Traits {
        unsigned prescaler_bits = 3;
        unsigned most_prescaler = 6;  ///< higher values of PR count as this one
        bool early = false;           ///< has EWCR, ICR, and ONF in SR
    };

    Iwdg(const sc_core::sc_module_name& name, const char* block,
         const IwdgParameters& parameters = {});
    Iwdg(const sc_core::sc_module_name& name, const char* block, const IwdgParameters& parameters,
         const Traits& traits);
    using RegisterBlock::name;

    /// The chip is to be reset, at the kernel's time. The watchdog stays off until `reset`.
    std::function<void()> on_reset;
    /// Early wake-up, of the chips that have it.
    std::function<void(bool level)> on_interrupt;

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

  private:
    void step();
    void wake();
    void update_interrupt();
    void write_early(std::uint32_t value, Picoseconds at);
    void key(std::uint32_t value, Picoseconds at);
    void reload(Picoseconds at);
    /// The end comes at its time, or now for a reload outside of the window.
    void schedule(Picoseconds at);
    [[nodiscard]] std::uint32_t divider() const;
    [[nodiscard]] std::uint32_t count(Picoseconds at) const;
    [[nodiscard]] std::uint32_t busy(Picoseconds at) const;

    [[nodiscard]] std::uint64_t lsi_hz() const;

    const IwdgParameters parameters_;
    const Traits traits_;
    std::uint32_t prescaler_ = 0, reload_ = 0, window_ = 0, wake_up_ = 0;
    bool running_ = false, unlocked_ = false;
    Picoseconds start_ = 0;        ///< of the count under way
    Picoseconds updated_[4] = {};  ///< ends of the updates: PR, RLR, WINR, EWCR
    bool early_flag_ = false, level_ = false;
    sc_core::sc_event end_, early_;
};

}  // namespace n6vp::models
