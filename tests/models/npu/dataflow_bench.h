// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/npu/dataflow/input_engine.h"
#include "models/npu/dataflow/network.h"
#include "models/npu/dataflow/output_engine.h"
#include "tests/models/npu/stream_case.h"

namespace n6vp::test {

inline constexpr models::Picoseconds kCycle = 1000;
/// What most tests read, and where they write.
inline constexpr std::uint32_t kSource = 0x34080000, kTarget = 0x34280000;

/// A memory of 4 MiB at every address that behaves as one bank of NPU RAM: a server for reads and
/// one for writes, with the published costs of a beat. Above `kFlash` each line of 64 bytes takes
/// 161 cycles when it is first touched. Notes whether accesses come in the order of time.
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
        read_at.push_back(at);
        if (burst.address >= kFlash) return read_flash(burst, at);
        return serve(reads_, burst.beats == 1 ? read_one_beat : 1112 * Picoseconds{burst.beats}, at,
                     burst.engine);
    }

    models::npu::BurstAnswer write(const models::npu::EngineBurst& burst,
                                   std::span<const std::uint8_t> from, Picoseconds at) override {
        note(at);
        for (std::size_t i = 0; i < from.size(); ++i) at_address(burst.address, i) = from[i];
        written_at.push_back(at);
        return serve(writes_, burst.beats == 1 ? write_one_beat : 1112 * Picoseconds{burst.beats},
                     at, burst.engine);
    }

    [[nodiscard]] std::uint8_t& at_address(std::uint32_t address, std::size_t offset = 0) {
        return memory[(address + offset) % memory.size()];
    }

    std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(std::size_t{1} << 22);
    Picoseconds read_one_beat = 1400, write_one_beat = 1160, latency = 15000;
    Picoseconds first_access = 0;  ///< of flash, before its first line
    bool in_order = true;
    bool ok = true;                                ///< answers to all accesses
    std::vector<Picoseconds> read_at, written_at;  ///< of every burst

  private:
    void note(Picoseconds at) {
        in_order = in_order && at >= last_;
        last_ = at;
    }
    struct Server {
        Picoseconds free = 0;
        unsigned holder = 0;  ///< engine of its last burst
    };
    [[nodiscard]] models::npu::BurstAnswer serve(Server& server, Picoseconds service,
                                                 Picoseconds at, unsigned engine) const {
        const Picoseconds start = std::max(at, server.free);
        const Picoseconds waited = server.holder == engine ? 0 : start - at;
        server = {start + service, engine};
        return {ok,
                start + std::min<Picoseconds>(service, 1112) + latency,
                server.free + latency,
                waited,
                models::npu::StallCause::Port,
                service};
    }

    models::npu::BurstAnswer read_flash(const models::npu::EngineBurst& burst, Picoseconds at) {
        const std::uint32_t line = burst.address / 64;
        const Picoseconds start = flash_line_ == 0 ? first_access : 0;
        const Picoseconds service = start + (line == flash_line_ ? 1112 : 161000);
        flash_line_ = line;
        flash_free_ = std::max(at, flash_free_) + service;
        const Picoseconds first = flash_free_ - service + std::min<Picoseconds>(service, 1112);
        return {true, first, flash_free_, 0, models::npu::StallCause::Flash};
    }

    Server reads_, writes_;
    Picoseconds flash_free_ = 0, last_ = 0;
    std::uint32_t flash_line_ = 0;
};

/// Lets everything happen; returns the time of the last access.
inline models::Picoseconds run(models::npu::Network& network) {
    models::Picoseconds last = 0;
    for (auto next = network.next(); next != models::kNever; next = network.next()) {
        last = next;
        network.advance();
    }
    return last;
}

/// Returns the part of an engine's time, to its end, that went to `cause`.
inline double share(const models::npu::EngineCounters& counters, models::npu::StallCause cause) {
    return static_cast<double>(counters.spent[static_cast<std::size_t>(cause)]) /
           static_cast<double>(counters.finished - counters.started);
}

inline double cycles(models::Picoseconds time) {
    return static_cast<double>(time) / kCycle;
}

inline models::npu::EngineSetup setup_of(const ReferenceEngine& engine, bool output,
                                         std::uint32_t frames, unsigned number = 0) {
    models::npu::EngineSetup setup;
    setup.engine = number;
    setup.config = config_of(engine);
    setup.config.dir = output;
    setup.config.limit = frames;
    return setup;
}

inline models::npu::SwitchConfig permanent(std::uint8_t link = 0) {
    models::npu::SwitchConfig config;
    config.en0 = true;
    config.link0 = link;
    return config;
}

/// Engines and links, these numbered in the order of their making: each input has one. Units that a
/// test adds are made after their bench.
struct Bench {
    BenchBus bus;
    models::npu::Network network;
    models::npu::EngineParameters parameters;
    std::vector<std::unique_ptr<models::npu::Link>> owned;
    std::vector<models::npu::Link*> links;
    std::vector<std::unique_ptr<models::npu::InputEngine>> inputs;
    std::vector<std::unique_ptr<models::npu::OutputEngine>> outputs;

    models::npu::Link& link() {
        owned.push_back(std::make_unique<models::npu::Link>());
        links.push_back(owned.back().get());
        return *links.back();
    }
    models::npu::InputEngine& input(const models::npu::EngineSetup& setup) {
        inputs.push_back(
            std::make_unique<models::npu::InputEngine>(setup, parameters, network, bus, link()));
        return *inputs.back();
    }
    models::npu::OutputEngine& output(const models::npu::EngineSetup& setup) {
        outputs.push_back(
            std::make_unique<models::npu::OutputEngine>(setup, parameters, network, bus));
        return *outputs.back();
    }
    models::npu::OutputEngine& output(const models::npu::EngineSetup& setup,
                                      const models::npu::SwitchConfig& config) {
        models::npu::OutputEngine& made = output(setup);
        made.port().connect(config, links);
        return made;
    }
};

inline ReferenceEngine raw(std::uint32_t address, std::uint32_t elements,
                           std::int32_t frame_offset = 0) {
    ReferenceEngine engine;
    engine.address = address;
    engine.elements = elements;
    engine.frame_offset = frame_offset;
    return engine;
}

/// A raster with a beat of its own for each of its elements.
inline ReferenceEngine strided(std::uint32_t address, std::uint32_t elements) {
    ReferenceEngine engine;
    engine.raw = false;
    engine.address = address;
    engine.width = elements;
    engine.pixel_pitch = 8;
    return engine;
}

}  // namespace n6vp::test
