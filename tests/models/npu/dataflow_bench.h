// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "models/npu/dataflow/engine_bus.h"
#include "models/npu/dataflow/network.h"

namespace n6vp::test {

inline constexpr models::Picoseconds kCycle = 1000;

/// A memory of 4 MiB at every address that behaves as one bank of NPU RAM: a server for reads and
/// one for writes, with the published costs of a beat; above `kFlash` a line of 64 bytes takes 161
/// cycles. Notes whether accesses come in the order of time.
class BenchBus final : public models::npu::EngineBus {
  public:
    using Picoseconds = models::Picoseconds;
    static constexpr std::uint32_t kFlash = 0x70000000;

    BenchBus() {
        std::uint32_t state = 1;
        for (std::uint8_t& byte : memory) {
            state = state * 1664525 + 1013904223;
            byte = static_cast<std::uint8_t>(state >> 24);
        }
    }

    models::npu::BurstAnswer read(const models::npu::EngineBurst& burst, std::span<std::uint8_t> to,
                                  Picoseconds at) override {
        note(at);
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = at_address(burst.address, i);
        if (burst.address >= kFlash) return serve(flash_free, 161000, at, first_access);
        return serve(read_free, burst.beats == 1 ? read_one_beat : 1112 * Picoseconds{burst.beats},
                     at, latency);
    }

    models::npu::BurstAnswer write(const models::npu::EngineBurst& burst,
                                   std::span<const std::uint8_t> from, Picoseconds at) override {
        note(at);
        for (std::size_t i = 0; i < from.size(); ++i) at_address(burst.address, i) = from[i];
        return serve(write_free,
                     burst.beats == 1 ? write_one_beat : 1112 * Picoseconds{burst.beats}, at,
                     latency);
    }

    [[nodiscard]] std::uint8_t& at_address(std::uint32_t address, std::size_t offset = 0) {
        return memory[(address + offset) % memory.size()];
    }

    std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(std::size_t{1} << 22);
    Picoseconds read_one_beat = 1400, write_one_beat = 1160, latency = 15000;
    Picoseconds first_access = 0;  ///< of flash
    bool in_order = true;

  private:
    void note(Picoseconds at) {
        in_order = in_order && at >= last_;
        last_ = at;
    }
    static models::npu::BurstAnswer serve(Picoseconds& free, Picoseconds service, Picoseconds at,
                                          Picoseconds latency) {
        const Picoseconds start = std::max(at, free);
        free = start + service;
        return {true, start + std::min<Picoseconds>(service, 1112) + latency, free + latency};
    }

    Picoseconds read_free = 0, write_free = 0, flash_free = 0, last_ = 0;
};

/// Lets everything happen; returns the time of the last access.
inline models::Picoseconds run(models::npu::Network& network) {
    models::Picoseconds last = 0;
    for (auto next = network.next(); next != models::npu::kNever; next = network.next()) {
        last = next;
        network.advance();
    }
    return last;
}

}  // namespace n6vp::test
