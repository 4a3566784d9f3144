// SPDX-License-Identifier: Apache-2.0
#include "models/npu/control/epoch_control.h"

#include "models/npu/registers/field_value.h"

namespace n6vp::models::npu {

namespace {

using memmap::npu::kEpochctrl;
using memmap::npu::kIntctrl;

constexpr RegisterWindow::Unit kUnit{&kEpochctrl, 0};
constexpr Register kIrq = reg(kEpochctrl, "IRQ");
constexpr Register kLabel = reg(kEpochctrl, "LABEL");
constexpr Register kCount = reg(kEpochctrl, "BC");
constexpr std::uint32_t kIrqBit = field(kEpochctrl, "IRQ.IRQ").mask();
constexpr std::uint32_t kErrorBits =
    field(kEpochctrl, "IRQ.ERR_BUSPORT").mask() | field(kEpochctrl, "IRQ.ERR_CONF").mask() |
    field(kEpochctrl, "IRQ.ERR_START").mask() | field(kEpochctrl, "IRQ.ERR_TIMEOUT").mask() |
    field(kEpochctrl, "IRQ.ERR_UNKOP").mask();
/// Sources of the interrupt controller; the one between them, no acknowledge, never comes.
constexpr unsigned kIrqSource = field(kIntctrl, "INTREG.EPOCHCTRL_0_0").lsb;
constexpr unsigned kErrorSource = field(kIntctrl, "INTREG.EPOCHCTRL_0_2").lsb;

}  // namespace

EpochControl::EpochControl(const EpochControllerParameters& parameters, RegisterWindow& window,
                           EpochControllerBus& bus)
    : window_(window), controller_(parameters, bus) {
    controller_.on_irq = [this](Picoseconds) {
        show();
        raise(kIrqBit);
    };
    controller_.on_fault = [this](const EpochFault& fault) {
        show();
        raise(irq_bit_of(fault.reason));
        if (on_fault) on_fault(fault);
    };
    controller_.on_label = [this](std::uint32_t label, Picoseconds at) {
        if (on_label) on_label(label, at);
    };
    controller_.on_assumption = [this](const Limit& limit, std::uint64_t offset) {
        if (on_assumption) on_assumption(limit, offset);
    };
}

void EpochControl::on_enable(bool on, Picoseconds at) {
    if (on) {
        start(at);
    } else if (controller_.running()) {
        assume("CTRL.EN taken away from a running program", "whether the program stops");
        controller_.clear();
        window_.set_running(kUnit, false);
    }
}

void EpochControl::start(Picoseconds at) {
    const RegisterFile& registers = window_.registers(kUnit.page());
    if (field_value<kEpochctrl, "CTRL.AUTOCLR">(registers)) {
        assume("CTRL.AUTOCLR", "which bits are cleared, and when; none here");
    }
    EpochStart how;
    how.address = field_value<kEpochctrl, "ADDR.REG">(registers);
    how.single_step = field_value<kEpochctrl, "CTRL.SM">(registers);
    how.encrypted = field_value<kEpochctrl, "ENCR_MSB.EN">(registers);
    how.cycle = cycle_;
    how.at = at;
    controller_.start(how);
    show();
}

void EpochControl::on_clear() {
    controller_.clear();
    show();
}

void EpochControl::on_write(const Register& at_register, const RegisterFile::WriteOutcome& outcome,
                            Picoseconds at) {
    if (at_register.offset != kIrq.offset) return;
    constexpr Field kStep = field(kEpochctrl, "IRQ.SM");
    if (extract(outcome.triggered, kStep) != 0) controller_.allow_one(at);
    update_sources();
}

void EpochControl::act() {
    controller_.act();
    // A program that took its own EN away leaves LABEL and BC as they were.
    if (controller_.running() || window_.running(kUnit)) show();
}

void EpochControl::raise(std::uint32_t irq_bits) {
    const std::uint32_t old = window_.registers(kUnit.page()).word(kIrq);
    window_.set_word(kUnit, kIrq, old | irq_bits);
    update_sources();
}

void EpochControl::update_sources() {
    const std::uint32_t irq = window_.registers(kUnit.page()).word(kIrq);
    window_.set_source(kIrqSource, (irq & kIrqBit) != 0);
    window_.set_source(kErrorSource, (irq & kErrorBits) != 0);
}

void EpochControl::show() {
    constexpr Field kCounter = field(kEpochctrl, "BC.CNT");
    window_.set_running(kUnit, controller_.running());
    window_.set_word(kUnit, kLabel, controller_.label());
    window_.set_word(kUnit, kCount, controller_.executed() & kCounter.mask());
}

void EpochControl::assume(const char* feature, const char* unknown) {
    if (on_assumption) on_assumption({kEpochctrl.name, feature, unknown}, 0);
}

}  // namespace n6vp::models::npu
