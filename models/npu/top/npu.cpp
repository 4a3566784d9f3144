// SPDX-License-Identifier: Apache-2.0
#include "models/npu/npu.h"

#include "models/npu/top/npu_impl.h"

namespace n6vp::models::npu {

Npu::Npu(const NpuParameters& parameters, NpuBus& bus)
    : impl_(std::make_unique<Impl>(parameters, bus, *this)) {}

Npu::~Npu() = default;

void Npu::set_cycle(Picoseconds cycle) {
    impl_->set_cycle(cycle);
}

void Npu::reset() {
    impl_->reset();
}

Picoseconds Npu::due() const {
    return impl_->due();
}

Picoseconds Npu::run_until(Picoseconds until) {
    return impl_->run_until(until);
}

RegisterWindow::Value Npu::read(std::uint32_t offset, Picoseconds at) {
    return impl_->read(offset, at);
}

RegisterWindow::WriteOutcome Npu::write(std::uint32_t offset, std::uint32_t value, Picoseconds at,
                                        std::uint32_t mask) {
    return impl_->write(offset, value, at, mask);
}

std::uint32_t Npu::lines() const {
    return impl_->window().interrupts().lines();
}

const RegisterWindow& Npu::window() const {
    return impl_->window();
}

bool Npu::program_running() const {
    return impl_->program_running();
}

}  // namespace n6vp::models::npu
