// SPDX-License-Identifier: Apache-2.0
#include "models/npu/npu.h"

#include "models/npu/top/machine.h"

namespace n6vp::models::npu {

Npu::Npu(const NpuParameters& parameters, NpuBus& bus)
    : machine_(std::make_unique<Machine>(parameters, bus, *this)) {}

Npu::~Npu() = default;

void Npu::set_cycle(Picoseconds cycle) {
    machine_->set_cycle(cycle);
}

void Npu::reset() {
    machine_->reset();
}

Picoseconds Npu::due() const {
    return machine_->due();
}

Picoseconds Npu::run_until(Picoseconds until) {
    return machine_->run_until(until);
}

RegisterWindow::Value Npu::read(std::uint32_t offset, Picoseconds at) {
    return machine_->read(offset, at);
}

RegisterWindow::WriteOutcome Npu::write(std::uint32_t offset, std::uint32_t value, Picoseconds at,
                                        std::uint32_t mask) {
    return machine_->write(offset, value, at, mask);
}

std::uint32_t Npu::lines() const {
    return machine_->window().interrupts().lines();
}

const RegisterWindow& Npu::window() const {
    return machine_->window();
}

bool Npu::program_running() const {
    return machine_->program_running();
}

}  // namespace n6vp::models::npu
