// SPDX-License-Identifier: Apache-2.0
// The whole NPU on a bench memory, and software that programs it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/npu/npu.h"
#include "tests/models/npu/dataflow_bench.h"
#include "tests/models/npu/epoch_steps.h"

namespace n6vp::test {

inline constexpr std::uint32_t kRunning = 0x80000000;

class MachineBus final : public models::npu::NpuBus {
  public:
    models::npu::BurstAnswer read(const models::npu::EngineBurst& burst, std::span<std::uint8_t> to,
                                  models::Picoseconds at) override {
        models::npu::BurstAnswer answer = memory.read(burst, to, at);
        answer.ok = burst.address < bad_from || burst.address >= bad_to;
        if (on_burst) on_burst(burst, false);
        return answer;
    }
    models::npu::BurstAnswer write(const models::npu::EngineBurst& burst,
                                   std::span<const std::uint8_t> from,
                                   models::Picoseconds at) override {
        models::npu::BurstAnswer answer = memory.write(burst, from, at);
        answer.ok = burst.address < bad_from || burst.address >= bad_to;
        if (on_burst) on_burst(burst, true);
        return answer;
    }
    models::npu::EpochControllerBus::Fetched fetch(std::uint32_t address,
                                                   models::Picoseconds at) override {
        models::npu::EpochControllerBus::Fetched answer;
        answer.ok = address < bad_from || address >= bad_to;
        answer.done = at + 10 * kCycle;
        for (unsigned i = 0; i < 8; ++i) {
            answer.words[i / 4] |= std::uint32_t{memory.at_address(address, i)} << 8 * (i % 4);
        }
        return answer;
    }
    void store(std::uint32_t address, const std::vector<std::uint8_t>& bytes) {
        for (std::size_t i = 0; i < bytes.size(); ++i) memory.at_address(address, i) = bytes[i];
    }

    BenchBus memory;
    std::uint32_t bad_from = 0, bad_to = 0;  ///< addresses that answer with errors
    std::function<void(const models::npu::EngineBurst&, bool write)> on_burst;
};

/// Software: each of its accesses takes 20 cycles.
struct MachineBench {
    using Npu = models::npu::Npu;
    using Kind = models::npu::NpuEvent::Kind;

    explicit MachineBench(const models::npu::NpuParameters& parameters = {})
        : npu(parameters, bus) {
        npu.on_event = [this](const models::npu::NpuEvent& event) { events.push_back(event); };
        npu.on_lines = [this](std::uint32_t state, models::Picoseconds at) {
            lines.emplace_back(at, state);
        };
        npu.set_cycle(kCycle);
    }

    std::uint32_t read(std::uint32_t offset) {
        now += 20 * kCycle;
        return npu.read(offset, now).word;
    }
    void write(std::uint32_t offset, std::uint32_t value) {
        now += 20 * kCycle;
        npu.write(offset, value, now);
    }
    void set_bits(std::uint32_t offset, std::uint32_t bits) { write(offset, read(offset) | bits); }

    /// What the runtime writes before anything else.
    void begin(bool event_interrupts = false) {
        write(0x00000, 1);
        write(0x00008, 0xFFFFFFFF);
        write(0x0000C, 0xFFFFFFFF);
        write(0x00010, 0xFFFFFFFF);
        write(0x02000, 1);
        write(0x03000, 1);
        write(0x01014, event_interrupts ? 0 : 0x3FF);
        write(0x01000, 1);
    }

    /// Runs until nothing is due or `until` returns true; returns whether it did.
    bool run_until(const std::function<bool()>& until) {
        while (!until()) {
            const models::Picoseconds due = npu.due();
            if (due == models::kNever) return false;
            now = std::max(now, due);
            npu.run_until(now);
        }
        return true;
    }
    bool run_until_idle(std::uint32_t engine_page) {
        return run_until([this, engine_page] {
            return (npu.window().read(engine_page * 0x1000).word & kRunning) == 0;
        });
    }

    [[nodiscard]] std::size_t count(Kind kind) const {
        return static_cast<std::size_t>(
            std::ranges::count(events, kind, &models::npu::NpuEvent::kind));
    }
    [[nodiscard]] std::string text_of(Kind kind) const {
        for (const models::npu::NpuEvent& event : events) {
            if (event.kind == kind) return event.unit + ": " + event.text;
        }
        return "";
    }

    MachineBus bus;
    Npu npu;
    models::Picoseconds now = 0;
    std::vector<models::npu::NpuEvent> events;
    std::vector<std::pair<models::Picoseconds, std::uint32_t>> lines;
};

}  // namespace n6vp::test
