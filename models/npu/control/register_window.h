// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "memmap/npu/units.h"
#include "models/npu/control/clock_control.h"
#include "models/npu/control/interrupt_controller.h"
#include "models/npu/registers/register_file.h"

namespace n6vp::models::npu {

/// The NPU as software sees it without its units: all registers by their offset in the window, with
/// gates, interrupts and the clearing of configurations. Callbacks report the requests of a write
/// to the owner of the units, which sets their status. Independent of time.
///
/// CTRL.CLR and CTRL.CONFCLR complete with the write and always read as zero. Several requests of
/// one write are performed in this order: CLR, CONFCLR (which also clears EN and all other fields
/// of CTRL), then the remaining change of EN.
/// Not modelled: loss of writes to a unit without clock (here they are stored and reported).
class RegisterWindow {
  public:
    using Unit = memmap::npu::Unit;

    RegisterWindow();
    RegisterWindow(const RegisterWindow&) = delete;
    RegisterWindow& operator=(const RegisterWindow&) = delete;

    struct Value {
        bool exists = true;  ///< false: no register there, reads as zero
        std::uint32_t word = 0;
    };
    /// Returns what software reads at a byte offset of the window.
    [[nodiscard]] Value read(std::uint32_t offset) const;

    struct WriteOutcome {
        RegisterFile::WriteOutcome registers;
        bool gated = false;  ///< the unit's clock gate is closed, to writing as the effect was
    };
    /// Software's write of the bits in `mask`; by the processor or by the epoch controller.
    WriteOutcome write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask = 0xFFFFFFFFu);

    /// State after power-on, all sources of interrupts low. Calls only `on_lines`.
    void reset();

    /// Registers of the unit in a page.
    [[nodiscard]] const RegisterFile& registers(std::uint32_t page) const { return units_[page]; }

    /// The owner's status of a register; access rules do not apply. Not for CTRL.RUNNING and the
    /// latches of interrupts.
    void set_word(const Unit& unit, const Register& at, std::uint32_t word,
                  std::uint32_t index = 0);
    /// A running unit shows CTRL.RUNNING if it has that bit, and keeps its locked fields.
    void set_running(const Unit& unit, bool running);
    [[nodiscard]] bool running(const Unit& unit) const { return running_[unit.page()]; }
    /// Level of an interrupt source, 0 to 31.
    void set_source(unsigned source, bool level);

    [[nodiscard]] const InterruptController& interrupts() const { return interrupts_; }
    [[nodiscard]] const ClockControl& clocks() const { return clocks_; }

    /// CTRL.EN changed.
    std::function<void(const Unit&, bool on)> on_enable;
    /// CTRL.CLR was written as one.
    std::function<void(const Unit&)> on_clear;
    /// CTRL.CONFCLR was written as one; the registers have their reset values.
    std::function<void(const Unit&)> on_configuration_clear;
    /// A register other than CTRL was written, with the outcome of that: bits that triggered,
    /// status that was cleared.
    std::function<void(const Unit&, const Register&, std::uint32_t index,
                       const RegisterFile::WriteOutcome&)>
        on_write;
    /// The four host lines changed, line n as bit n.
    std::function<void(std::uint32_t lines)> on_lines;

  private:
    void control_written(const Unit& unit, RegisterFile& file, std::uint32_t before,
                         const RegisterFile::WriteOutcome& outcome);
    void report_lines();

    std::vector<RegisterFile> units_;  ///< by page
    std::array<bool, memmap::npu::kPages> running_{};
    InterruptController interrupts_;
    ClockControl clocks_;
    std::uint32_t lines_ = 0;
};

}  // namespace n6vp::models::npu
