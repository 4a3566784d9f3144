// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/core/core.h"
#include "models/core/ir/bus.h"
#include "sim/debugger/machine.h"

namespace n6vp::test {

/// Two memories of 64 KiB: flash at 0, RAM at 0x20000000.
class TwoMemories : public models::core::CoreBus {
  public:
    static constexpr std::uint32_t kFlash = 0, kRam = 0x20000000, kBytes = 0x10000;

    [[nodiscard]] std::uint8_t* at(std::uint32_t address, std::size_t bytes) {
        for (auto& [start, content] : memories_) {
            const std::uint32_t offset = address - start;
            if (offset < kBytes && bytes <= kBytes - offset) return content.data() + offset;
        }
        return nullptr;
    }

    models::core::BusAnswer read(std::uint32_t address, std::span<std::uint8_t> data,
                                 const models::core::BusAttributes&, std::uint64_t) override {
        const std::uint8_t* const from = at(address, data.size());
        if (from != nullptr) std::copy_n(from, data.size(), data.data());
        return {from != nullptr};
    }
    models::core::BusAnswer write(std::uint32_t address, std::span<const std::uint8_t> data,
                                  const models::core::BusAttributes&, std::uint64_t) override {
        std::uint8_t* const to = at(address, data.size());
        if (to != nullptr) std::copy(data.begin(), data.end(), to);
        return {to != nullptr};
    }
    models::core::DirectMemory direct(std::uint32_t address,
                                      const models::core::BusAttributes&) override {
        for (auto& [start, content] : memories_) {
            if (address - start < kBytes)
                return {content.data(), start, start + (kBytes - 1), true, true};
        }
        return {};
    }

  private:
    std::pair<std::uint32_t, std::vector<std::uint8_t>> memories_[2] = {
        {kFlash, std::vector<std::uint8_t>(kBytes)}, {kRam, std::vector<std::uint8_t>(kBytes)}};
};

/// A Cortex-M55 with these memories and nothing else, under a debugger.
class CoreMachine : public sim::debugger::Machine {
  public:
    using Halt = sim::debugger::Halt;

    CoreMachine() : core_(config(), memory_) {}

    /// Cycles after which `run` ends the run, for programs that go on for ever.
    std::uint64_t most_cycles = 1'000'000;
    /// Steps after which the run ends.
    std::uint64_t most_steps = 10'000;
    /// What another master does next: the next `run` ends with it.
    std::optional<Halt> other_access;
    std::vector<sim::debugger::WatchedRange> watched;
    unsigned resets = 0;
    /// Threads of an operating system; none: there is none.
    std::vector<sim::debugger::ThreadInfo> listed;

    models::core::Core& core() override { return core_; }
    const models::core::CoreProfile& profile() const override { return models::core::cortex_m55(); }
    TwoMemories& memory() { return memory_; }

    bool read(std::uint32_t address, std::span<std::uint8_t> bytes) override {
        const std::uint8_t* const from = memory_.at(address, bytes.size());
        if (from != nullptr) std::copy_n(from, bytes.size(), bytes.data());
        return from != nullptr;
    }
    bool write(std::uint32_t address, std::span<const std::uint8_t> bytes) override {
        std::uint8_t* const to = memory_.at(address, bytes.size());
        if (to == nullptr) return false;
        std::copy(bytes.begin(), bytes.end(), to);
        if (!bytes.empty())
            core_.invalidate(address, address + static_cast<std::uint32_t>(bytes.size() - 1));
        return true;
    }
    bool program(std::uint32_t address, std::span<const std::uint8_t> bytes) override {
        return address < TwoMemories::kBytes && write(address, bytes);
    }
    std::vector<sim::debugger::MemoryArea> areas() const override {
        return {{TwoMemories::kFlash, TwoMemories::kBytes, true, "flash"},
                {TwoMemories::kRam, TwoMemories::kBytes, false, "ram"}};
    }
    void watch_others(const std::vector<sim::debugger::WatchedRange>& ranges) override {
        watched = ranges;
    }
    Halt run(const Interrupt& interrupt) override {
        if (other_access) {
            Halt halt = *other_access;
            other_access.reset();
            return halt;
        }
        constexpr std::uint64_t kSlice = 1000;
        for (std::uint64_t done = 0; done < most_cycles; done += kSlice) {
            Halt halt = halted(core_.run(kSlice));
            if (halt.reason != Halt::Reason::Step) return halt;
            if (interrupt && interrupt()) return {Halt::Reason::Interrupt, 0, false, {}, {}};
        }
        return {Halt::Reason::Ended, 0, false, {}, 0};
    }
    Halt step(const Interrupt&) override {
        if (most_steps == 0) return {Halt::Reason::Ended, 0, false, {}, 0};
        --most_steps;
        return halted(core_.step());
    }
    void reset(sim::debugger::ResetKind) override {
        ++resets;
        core_.reset();
    }
    std::vector<sim::debugger::ThreadInfo> threads() override {
        return listed.empty() ? Machine::threads() : listed;
    }
    std::vector<sim::debugger::MonitorCommand> monitor_commands() override {
        return {{"echo", "TEXT", "says it", [](const std::string& text) { return text + "\n"; }}};
    }

  private:
    [[nodiscard]] static models::core::CoreConfig config() {
        models::core::CoreConfig config;
        config.system.vector_table = TwoMemories::kFlash;
        return config;
    }
    [[nodiscard]] Halt halted(models::core::Stop stop) {
        using models::core::Stop;
        switch (stop) {
            case Stop::Breakpoint:
                return {Halt::Reason::Breakpoint, 0, false, {}, {}};
            case Stop::Watchpoint:
                return {Halt::Reason::Watchpoint,
                        core_.watch_hit().address,
                        core_.watch_hit().write,
                        {},
                        {}};
            case Stop::Lockup:
                return {Halt::Reason::Lockup, 0, false, "locked up\n", {}};
            case Stop::Semihosting:
                return {Halt::Reason::Ended, 0, false, {}, core_.reg(0)};
            default:
                return {};
        }
    }

    TwoMemories memory_;
    models::core::Core core_;
};

}  // namespace n6vp::test
