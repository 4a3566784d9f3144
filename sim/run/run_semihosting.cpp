// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_semihosting.h"

#include <cmath>
#include <iostream>
#include <utility>

namespace n6vp::sim {

RunSemihosting::RunSemihosting(const RunPlan& plan, Semihosting::Setup services, Memory memory,
                               double hz, std::function<models::Picoseconds()> now)
    : memory_(std::move(memory)),
      hz_(hz),
      now_(std::move(now)),
      host_(completed(plan, std::move(services))) {
    host_.about_to_write = [this](std::uint32_t, std::uint32_t) { buffers_.back().written = true; };
}

Semihosting::Setup RunSemihosting::completed(const RunPlan& plan, Semihosting::Setup services) {
    services.view = [this](std::uint32_t address, std::uint32_t bytes) {
        return view(address, bytes);
    };
    services.in = &std::cin;
    services.folder = plan.files.text;
    services.command_line =
        plan.elf.text + (plan.arguments.text.empty() ? "" : " " + plan.arguments.text);
    services.hz = hz_;
    return services;
}

std::span<std::uint8_t> RunSemihosting::view(std::uint32_t address, std::uint32_t bytes) {
    constexpr std::uint32_t kMost = 64u << 20;
    if (bytes > kMost) return {};
    buffers_.push_back({address, std::vector<std::uint8_t>(bytes), false});
    Buffer& buffer = buffers_.back();
    if (!memory_.fetch(address, buffer.bytes)) return {};
    return buffer.bytes;
}

std::uint64_t RunSemihosting::ticks() const {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(now_()) * hz_ * 1e-12));
}

void RunSemihosting::answer(models::core::Core& core) {
    constexpr std::uint32_t kFailed = 0xFFFFFFFF;
    std::uint32_t result = host_.call(core.reg(0), core.reg(1), ticks());
    for (const Buffer& buffer : buffers_) {
        // Memory that can be read need not be one that can be written.
        if (buffer.written && !memory_.store(buffer.address, buffer.bytes)) result = kFailed;
    }
    buffers_.clear();
    core.set_reg(0, result);
}

}  // namespace n6vp::sim
