// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/duration.h"
#include "models/soc/serial/xspi_controller.h"

namespace n6vp::test::xspi {

inline constexpr std::uint32_t kEvery = 0xFFFFFFFF, kByteLane = 0xFF;
enum Register : std::uint32_t {
    kCrAt = 0x00,
    kDcr1At = 0x08,
    kSrAt = 0x20,
    kFcrAt = 0x24,
    kDlrAt = 0x40,
    kArAt = 0x48,
    kDrAt = 0x50,
    kPsmkrAt = 0x80,
    kPsmarAt = 0x88,
    kPirAt = 0x90,
    kCcrAt = 0x100,
    kTcrAt = 0x108,
    kIrAt = 0x110,
};
inline constexpr std::uint32_t kEnabled = 1, kAborts = 2, kByDma = 4, kStopsAtMatch = 1u << 22,
                               kAnyBit = 1u << 23;
inline constexpr std::uint32_t kError = 1, kDone = 2, kThreshold = 4, kMatch = 8, kWorks = 32;
inline constexpr std::uint32_t kFlagBits = 0x3F;
inline constexpr std::uint32_t kInstruction = 1, kLongAddress = 1u << 8 | 3u << 12,
                               kBytes = 1u << 24;
inline constexpr models::Picoseconds kClock = 20'000;

/// A device that notes what happens on its lines, and when.
struct NotedLines : models::SerialDevice {
    std::vector<models::Picoseconds> begun, ended, read_at;
    std::vector<models::SerialCommand> commands;
    std::vector<std::uint8_t> written, gives;
    models::Picoseconds ready_at = 0;  ///< reads give bit 0 before, and not from then on

    void begin(const models::SerialCommand& command, models::Picoseconds at) override {
        begun.push_back(at);
        commands.push_back(command);
        next_ = 0;
    }
    std::uint8_t read(models::Picoseconds at) override {
        read_at.push_back(at);
        if (!gives.empty()) return gives[next_++ % gives.size()];
        return at < ready_at ? 1 : 0;
    }
    void write(std::uint8_t byte) override { written.push_back(byte); }
    void end(models::Picoseconds at) override { ended.push_back(at); }
    models::Picoseconds next_change(models::Picoseconds at) const override {
        return at < ready_at ? ready_at : 0;
    }
    void power_on() override {}
    void forget() {
        begun.clear();
        ended.clear();
        read_at.clear();
        commands.clear();
        written.clear();
    }

  private:
    std::size_t next_ = 0;
};

/// An XSPI controller before such a device; a clock of the lines takes 20 ns.
struct LinesBench {
    NotedLines lines;
    models::XspiController xspi{"xspi2", "XSPI2"};
    models::Picoseconds now = 0, begin = 0;
    std::vector<std::pair<bool, models::Picoseconds>> interrupts, requests;

    explicit LinesBench(bool connected = true) {
        if (connected) xspi.connect(&lines);
        xspi.set_clock_hz(50e6);
        xspi.on_interrupt = [this](bool level) {
            interrupts.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        xspi.on_dma_request = [this](bool level) {
            requests.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        restart();
    }
    /// After a reset, with nothing noted.
    void restart() {
        begin = now =
            std::max<models::Picoseconds>(now, sc_core::sc_time_stamp().value()) + 1'000'000;
        xspi.reset();
        lines.forget();
        interrupts.clear();
        requests.clear();
        set(kCrAt, kEnabled);
        set(kDcr1At, 26u << 16);
    }
    /// For times of processes.
    void restart_now() {
        sc_core::sc_start(models::to_sc_time(20'000'000));
        restart();
        sc_core::sc_start(models::delay_until(now));
    }
    void set(std::uint32_t offset, std::uint32_t value, std::uint32_t mask = kEvery) {
        (void)xspi.write(offset, value, mask, now);
    }
    std::uint32_t get(std::uint32_t offset) { return xspi.read(offset, now).value; }
    std::uint32_t flags() { return get(kSrAt) & kFlagBits; }
    std::uint32_t level() { return get(kSrAt) >> 8; }
    std::uint8_t take() {
        return static_cast<std::uint8_t>(xspi.read_bytes(kDrAt, kByteLane, now).value);
    }
    /// A command of `count` bytes in a mode of CR, with an address.
    void command(std::uint32_t mode, std::uint32_t count, std::uint32_t more = 0,
                 std::uint32_t ccr = kInstruction | kLongAddress | kBytes) {
        set(kCrAt, kEnabled | mode << 28 | more);
        set(kDlrAt, count - 1);
        set(kCcrAt, ccr);
        set(kIrAt, 0x12);
        set(kArAt, 0x100);
    }
};

/// Instruction and address of `LinesBench::command`, and of each byte of its data.
inline constexpr models::Picoseconds kHeader = 40 * kClock, kByteTime = 8 * kClock;

}  // namespace n6vp::test::xspi
