// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/npu/control/epoch_controller.h"
#include "models/npu/control/register_window.h"

namespace n6vp::models::npu {

/// EPOCHCTRL: registers of the epoch controller. The owner of the register window passes on what it
/// reports about this unit, with the time of the access.
///
/// Modelled: CTRL with RUNNING, ADDR, IRQ and its two interrupt sources, LABEL, BC (16 bits).
/// Assumed: that taking EN away stops the program, that CLR sets LABEL and BC back and keeps IRQ,
/// that any error bit raises the error interrupt.
/// Limits: AUTOCLR. Not modelled: the no-acknowledge interrupt, ACC (of instructions that are known
/// by name only), CID_CACHE (the bus may read it from the window).
class EpochControl {
  public:
    /// `bus` passes register accesses on to `window`. Both outlive this.
    EpochControl(const EpochControllerParameters& parameters, RegisterWindow& window,
                 EpochControllerBus& bus);
    EpochControl(const EpochControl&) = delete;
    EpochControl& operator=(const EpochControl&) = delete;

    /// Period of the NPU's clock, from the next start on.
    void set_cycle(Picoseconds cycle) { cycle_ = cycle; }

    /// To be called from the window's functions of the same names if the unit is EPOCHCTRL.
    void on_enable(bool on, Picoseconds at);
    void on_clear();
    void on_write(const Register& at_register, const RegisterFile::WriteOutcome& outcome,
                  Picoseconds at);

    [[nodiscard]] Picoseconds due() const { return controller_.due(); }
    /// Does what is due and shows the result in the registers.
    void act();
    /// A register may have changed that a poll waits for.
    void look_again(Picoseconds at) { controller_.look_again(at); }

    [[nodiscard]] const EpochController& controller() const { return controller_; }

    std::function<void(const EpochFault&)> on_fault;
    std::function<void(std::uint32_t label, Picoseconds at)> on_label;
    /// As in EpochController; offset 0 for what the registers ask for.
    std::function<void(const Limit&, std::uint64_t offset)> on_assumption;

  private:
    void start(Picoseconds at);
    void raise(std::uint32_t irq_bits);
    void update_sources();
    void show();
    void assume(const char* feature, const char* unknown);

    RegisterWindow& window_;
    EpochController controller_;
    Picoseconds cycle_ = 1000;
};

}  // namespace n6vp::models::npu
