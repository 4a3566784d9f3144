// SPDX-License-Identifier: Apache-2.0
#include "models/npu/top/npu_impl.h"

#include <algorithm>
#include <string>

namespace n6vp::models::npu {

namespace {

using memmap::npu::kPageBytes;
using memmap::npu::kWindowBytes;

}  // namespace

Npu::Impl::Impl(const NpuParameters& parameters, NpuBus& bus, Npu& owner)
    : owner_(owner),
      parameters_(parameters),
      report_(owner.on_event, now_),
      switchboard_(window_, network_, report_),
      bus_(bus, window_, events_, report_, now_),
      engines_({parameters_, window_, network_, switchboard_, report_, now_, cycle_}, bus_, events_,
               owner.on_engine),
      units_({parameters_, window_, network_, switchboard_, report_, now_, cycle_},
             owner.on_convolution),
      trace_(window_, engines_, report_, now_, cycle_),
      control_(parameters.epoch_controller, window_, *this) {
    listen_to_window();
    listen_to_controller();
    bus_.on_burst = [this](unsigned master, std::uint32_t beats, bool write) {
        trace_.count_burst(master, beats, write);
    };
    control_.set_cycle(cycle_);
}

void Npu::Impl::listen_to_window() {
    window_.on_enable = [this](const Unit& unit, bool on) { on_enable(unit, on); };
    window_.on_clear = [this](const Unit& unit) { on_clear(unit); };
    window_.on_configuration_clear = [this](const Unit& unit) { on_configuration_clear(unit); };
    window_.on_write = [this](const Unit& unit, const Register& at, std::uint32_t index,
                              const RegisterFile::WriteOutcome& outcome) {
        on_write(unit, at, index, outcome);
    };
    window_.on_lines = [this](std::uint32_t lines) {
        if (owner_.on_lines) owner_.on_lines(lines, now_);
    };
}

void Npu::Impl::listen_to_controller() {
    control_.on_fault = [this](const EpochFault& fault) { report_fault(fault); };
    control_.on_label = [this](std::uint32_t label, Picoseconds at) {
        if (owner_.on_label) owner_.on_label(label, at);
    };
    control_.on_assumption = [this](const Limit& limit, std::uint64_t) {
        report_.assumed(name_of({&memmap::npu::kEpochctrl, 0}), limit);
    };
}

void Npu::Impl::set_cycle(Picoseconds cycle) {
    trace_.before_clock_changes();
    cycle_ = cycle;
    control_.set_cycle(cycle);
}

void Npu::Impl::reset() {
    control_.on_clear();
    engines_.reset();
    units_.reset();
    events_.clear();
    bus_.reset();
    report_.reset();
    window_.reset();
    trace_.reset();
    gated_told_ = 0;
    notify_activity();
}

void Npu::Impl::on_enable(const Unit& unit, bool on) {
    if (unit.type == &memmap::npu::kEpochctrl) {
        control_.on_enable(on, now_);
    } else if (unit.type == &memmap::npu::kStreng) {
        engines_.on_enable(unit.index, on);
    } else if (unit.type == &memmap::npu::kStrswitch) {
        switchboard_.update_all(now_);
    } else if (unit.type == &memmap::npu::kDebugTrace) {
        trace_.on_configured();
    } else if (ComputeUnits::is_one(unit)) {
        units_.on_enable(unit, on);
    }
}

void Npu::Impl::on_clear(const Unit& unit) {
    if (unit.type == &memmap::npu::kEpochctrl) {
        control_.on_clear();
    } else if (unit.type == &memmap::npu::kStreng) {
        engines_.on_clear(unit.index);
    } else if (unit.type == &memmap::npu::kStrswitch) {
        switchboard_.restart(now_);
    } else if (unit.type == &memmap::npu::kDebugTrace) {
        trace_.on_clear();
    } else if (ComputeUnits::is_one(unit)) {
        units_.on_clear(unit);
    }
}

void Npu::Impl::on_configuration_clear(const Unit& unit) {
    if (unit.type == &memmap::npu::kStrswitch) switchboard_.update_all(now_);
    if (unit.type == &memmap::npu::kStreng) engines_.on_configuration_clear(unit.index);
    if (unit.type == &memmap::npu::kDebugTrace) trace_.on_clear();
    if (unit.type == &memmap::npu::kBusif) bus_.on_configuration_clear(unit);
    if (ComputeUnits::is_one(unit)) units_.on_configuration_clear(unit);
}

void Npu::Impl::on_write(const Unit& unit, const Register& at, std::uint32_t index,
                         const RegisterFile::WriteOutcome& outcome) {
    if (unit.type == &memmap::npu::kEpochctrl) {
        control_.on_write(at, outcome, now_);
    } else if (unit.type == &memmap::npu::kStreng) {
        engines_.on_write(unit.index, at);
    } else if (unit.type == &memmap::npu::kStrswitch) {
        constexpr Register kDestination = reg(memmap::npu::kStrswitch, "DST");
        if (at.offset == kDestination.offset) switchboard_.update(index, now_);
    } else if (unit.type == &memmap::npu::kBusif) {
        bus_.on_write(unit, at);
    } else if (unit.type == &memmap::npu::kDebugTrace) {
        trace_.on_write(at, index);
    } else if (ComputeUnits::is_one(unit)) {
        units_.on_write(unit, at, index);
    }
}

RegisterWindow::WriteOutcome Npu::Impl::apply(std::uint32_t offset, std::uint32_t value,
                                              std::uint32_t mask) {
    const RegisterWindow::WriteOutcome outcome = window_.write(offset, value, mask);
    if (outcome.registers.exists && offset % kPageBytes == 0) {
        const Unit unit = memmap::npu::unit_at(offset / kPageBytes);
        if (ComputeUnits::is_one(unit)) units_.on_control_written(unit);
    }
    report_access(offset, outcome.registers.exists, outcome.gated);
    notify_activity();
    return outcome;
}

RegisterWindow::Value Npu::Impl::read_register(std::uint32_t offset) {
    if (offset / kPageBytes == memmap::npu::kDebugTrace.first_page) trace_.show();
    return window_.read(offset);
}

void Npu::Impl::report_access(std::uint32_t offset, bool exists, bool gated) {
    const std::string unit =
        offset < kWindowBytes ? name_of(memmap::npu::unit_at(offset / kPageBytes)) : "";
    if (!exists) {
        report_.tell(NpuEvent::Kind::NoRegister, unit,
                     "no register at offset " + hex_text(offset) + " of the window");
    }
    const std::uint32_t page = offset < kWindowBytes ? 1u << offset / kPageBytes : 0;
    if (!gated || (gated_told_ & page) != 0) return;
    gated_told_ |= page;
    report_.tell(NpuEvent::Kind::GatedWrite, unit,
                 "was written at offset " + hex_text(offset) + " of the window without a clock");
}

void Npu::Impl::report_fault(const EpochFault& fault) {
    NpuEvent event;
    event.kind = NpuEvent::Kind::EpochFault;
    event.unit = name_of({&memmap::npu::kEpochctrl, 0});
    event.text = "the blob at " + hex_text(fault.blob) + " " + text_of(fault.reason) + ": word " +
                 hex_text(fault.word) + " at offset " + std::to_string(fault.offset);
    event.fault = fault;
    event.label = fault.label;
    report_.tell(std::move(event));
}

EpochControllerBus::Fetched Npu::Impl::fetch(std::uint32_t address, Picoseconds at) {
    return bus_.fetch(address, at);
}

EpochControllerBus::Value Npu::Impl::read_register(std::uint32_t ip, std::uint32_t offset,
                                                   Picoseconds) {
    const RegisterWindow::Value value = read_register(ip * kPageBytes + offset);
    return {value.exists, value.word, ip == memmap::npu::kDebugTrace.first_page};
}

bool Npu::Impl::write_register(std::uint32_t ip, std::uint32_t offset, std::uint32_t value,
                               Picoseconds) {
    return apply(ip * kPageBytes + offset, value, 0xFFFFFFFFu).registers.exists;
}

RegisterWindow::Value Npu::Impl::read(std::uint32_t offset, Picoseconds at) {
    run_until(at);
    const RegisterWindow::Value value = read_register(offset);
    report_access(offset, value.exists, false);
    return value;
}

RegisterWindow::WriteOutcome Npu::Impl::write(std::uint32_t offset, std::uint32_t value,
                                              Picoseconds at, std::uint32_t mask) {
    run_until(at);
    return apply(offset, value, mask);
}

void Npu::Impl::notify_activity() {
    network_changed_ = true;
    deadlock_told_ = false;
    stirred_ = now_;
    control_.look_again(now_);
}

Picoseconds Npu::Impl::network_due() {
    if (!network_changed_) return network_due_;
    network_changed_ = false;
    network_due_ = network_.next();
    if (network_due_ != kNever) network_due_ = std::max(network_due_, now_);
    return network_due_;
}

Picoseconds Npu::Impl::deadlock_due() {
    if (deadlock_told_) return kNever;
    const bool polls = control_.controller().polling() != nullptr;
    if (!polls && !engines_.at_work() && !network_.has_livelock()) return kNever;
    return stirred_ + static_cast<Picoseconds>(parameters_.deadlock_cycles.value *
                                               static_cast<double>(cycle_));
}

Picoseconds Npu::Impl::due() {
    // Stepping the network may put something on the event_queue.
    const Picoseconds network = network_due();
    const Picoseconds others = std::min(events_.due(), network), control = control_.due();
    const bool stands = others == kNever && (control == kNever || control_.controller().watches());
    return std::max(now_, std::min({others, control, stands ? deadlock_due() : kNever}));
}

Picoseconds Npu::Impl::run_until(Picoseconds until) {
    Picoseconds next = due();
    for (; next <= until && next != kNever; next = due()) {
        now_ = next;
        act(next);
    }
    if (until != kNever) now_ = std::max(now_, until);
    return next;
}

void Npu::Impl::act(Picoseconds at) {
    if (events_.due() <= at) {
        show(events_.take());
        notify_activity();
    } else if (control_.due() <= at) {
        if (!control_.controller().watches()) stirred_ = now_;
        control_.act();
    } else if (network_due() <= at) {
        stirred_ = now_;
        network_changed_ = true;
        network_.advance();
    } else {
        report_deadlock();
    }
}

void Npu::Impl::show(const EventQueue::Item& item) {
    if (item.kind == EventQueue::Kind::BusError) {
        bus_.show_error(item.who);
    } else {
        engines_.act(item);
    }
}

void Npu::Impl::report_deadlock() {
    deadlock_told_ = true;
    NpuEvent event;
    event.kind = NpuEvent::Kind::Deadlock;
    event.label = control_.controller().label();
    event.text = network_.has_livelock()
                     ? "livelock: data circulate between units without any memory access"
                     : "no activity";
    for (const std::string& text : engines_.waiting()) event.text += "; " + text;
    for (const std::string& text : units_.waiting()) event.text += "; " + text;
    if (const EpochController::Poll* poll = control_.controller().polling(); poll != nullptr) {
        event.text += "; the epoch controller polls " +
                      hex_text(poll->ip * kPageBytes + poll->offset) + " of the window for " +
                      hex_text(poll->expected) + " under " + hex_text(poll->mask);
    }
    report_.tell(std::move(event));
}

}  // namespace n6vp::models::npu
