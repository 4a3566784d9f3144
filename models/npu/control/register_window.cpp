// SPDX-License-Identifier: Apache-2.0
#include "models/npu/control/register_window.h"

#include <string_view>

namespace n6vp::models::npu {

namespace {

using memmap::npu::kPageBytes;
using memmap::npu::kPages;

std::vector<RegisterFile> all_units() {
    std::vector<RegisterFile> units;
    units.reserve(kPages);
    for (std::uint32_t page = 0; page < kPages; ++page) {
        units.emplace_back(*memmap::npu::unit_at(page).type);
    }
    return units;
}

const Register& control_of(const memmap::npu::Unit& unit) {
    return unit.type->registers[0];
}

/// Returns the mask of CTRL.RUNNING; 0 if the unit has no such bit.
std::uint32_t running_bit(const memmap::npu::Unit& unit) {
    const Register& control = control_of(unit);
    for (std::size_t i = 0; i < control.field_count; ++i) {
        if (std::string_view(control.fields[i].name) == "RUNNING") return control.fields[i].mask();
    }
    return 0;
}

}  // namespace

RegisterWindow::RegisterWindow()
    : units_(all_units()),
      interrupts_(units_[memmap::npu::kIntctrl.first_page]),
      clocks_(units_[memmap::npu::kClkctrl.first_page]) {}

RegisterWindow::Value RegisterWindow::read(std::uint32_t offset) const {
    if (offset >= memmap::npu::kWindowBytes) return {false, 0};
    const RegisterFile& file = units_[offset / kPageBytes];
    const std::uint32_t in_page = offset % kPageBytes;
    return {file.find(in_page) != nullptr, file.read(in_page)};
}

RegisterWindow::WriteOutcome RegisterWindow::write(std::uint32_t offset, std::uint32_t value,
                                                   std::uint32_t mask) {
    WriteOutcome outcome;
    outcome.registers.exists = false;
    if (offset >= memmap::npu::kWindowBytes) return outcome;
    const Unit unit = memmap::npu::unit_at(offset / kPageBytes);
    RegisterFile& file = units_[unit.page()];
    const std::uint32_t in_page = offset % kPageBytes;
    const Register* at = file.find(in_page);
    if (at == nullptr) return outcome;
    outcome.gated = !clocks_.open(unit);
    const std::uint32_t before = file.read(in_page);
    outcome.registers =
        file.write(in_page, value, mask,
                   running(unit) ? RegisterFile::Activity::Running : RegisterFile::Activity::Idle);
    if (unit.type == &memmap::npu::kIntctrl) interrupts_.written(*at, outcome.registers);
    if (at->offset == control_of(unit).offset) {
        control_written(unit, file, before, outcome.registers);
    } else if (on_write) {
        on_write(unit, *at, (in_page - at->offset) / at->stride, outcome.registers);
    }
    report_lines();
    return outcome;
}

void RegisterWindow::control_written(const Unit& unit, RegisterFile& file, std::uint32_t before,
                                     const RegisterFile::WriteOutcome& outcome) {
    const bool clear = extract(outcome.triggered, memmap::npu::kClear) != 0;
    const bool back = extract(outcome.triggered, memmap::npu::kConfigurationClear) != 0;
    const bool interrupts = unit.type == &memmap::npu::kIntctrl;
    if (clear && interrupts) interrupts_.clear();
    if (back) file.reset_configuration();
    if (back && interrupts) interrupts_.latch();
    const std::uint32_t was_on = extract(before, memmap::npu::kEnable);
    const std::uint32_t is_on = extract(file.word(control_of(unit)), memmap::npu::kEnable);
    // The registers are final before anybody is called, who may write again.
    if (clear && on_clear) on_clear(unit);
    if (back && on_configuration_clear) on_configuration_clear(unit);
    if (was_on != is_on && on_enable) on_enable(unit, is_on != 0);
}

void RegisterWindow::reset() {
    for (RegisterFile& file : units_) file.reset();
    running_.fill(false);
    interrupts_.reset();
    report_lines();
}

void RegisterWindow::set_word(const Unit& unit, const Register& at, std::uint32_t word,
                              std::uint32_t index) {
    units_[unit.page()].set_word(at, word, index);
}

void RegisterWindow::set_running(const Unit& unit, bool running) {
    if (running_[unit.page()] == running) return;
    running_[unit.page()] = running;
    RegisterFile& file = units_[unit.page()];
    const Register& control = control_of(unit);
    const std::uint32_t bit = running_bit(unit);
    const std::uint32_t others = file.word(control) & ~bit;
    file.set_word(control, running ? others | bit : others);
}

void RegisterWindow::set_source(unsigned source, bool level) {
    interrupts_.set_source(source, level);
    report_lines();
}

void RegisterWindow::report_lines() {
    const std::uint32_t lines = interrupts_.lines();
    if (lines == lines_) return;
    lines_ = lines;
    if (on_lines) on_lines(lines);
}

}  // namespace n6vp::models::npu
