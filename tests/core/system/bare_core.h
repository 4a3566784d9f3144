// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

#include "models/core/core.h"

namespace n6vp::tests {

/// 1 MiB of RAM at kRam; everything else is a bus error.
class RamBus final : public models::core::CoreBus {
  public:
    static constexpr std::uint32_t kRam = 0x10000000, kBytes = 1u << 20;

    RamBus() : ram(kBytes) {}
    models::core::BusAnswer read(std::uint32_t address, std::span<std::uint8_t> data,
                                 const models::core::BusAttributes& /*attributes*/,
                                 std::uint64_t /*at*/) override {
        if (address < kRam || address - kRam > kBytes - data.size()) return {};
        std::copy_n(ram.begin() + (address - kRam), data.size(), data.begin());
        return {true, true, 0};
    }
    models::core::BusAnswer write(std::uint32_t address, std::span<const std::uint8_t> data,
                                  const models::core::BusAttributes& /*attributes*/,
                                  std::uint64_t /*at*/) override {
        if (address < kRam || address - kRam > kBytes - data.size()) return {};
        std::copy(data.begin(), data.end(), ram.begin() + (address - kRam));
        return {true, true, 0};
    }
    models::core::DirectMemory direct(std::uint32_t address,
                                      const models::core::BusAttributes& /*attributes*/) override {
        if (address < kRam || address - kRam >= kBytes) return {};
        return {ram.data(), kRam, kRam + kBytes - 1, true, true};
    }

    std::vector<std::uint8_t> ram;
};

/// A core with a vector table at the start of its RAM, code at kCode, handlers at kHandler (all
/// vectors lead there) and the stack at kStack.
class BareCore {
  public:
    static constexpr std::uint32_t kVectors = RamBus::kRam, kCode = RamBus::kRam + 0x1000,
                                   kHandler = RamBus::kRam + 0x2000, kData = RamBus::kRam + 0x8000,
                                   kStack = RamBus::kRam + 0x10000;

    explicit BareCore(models::core::CoreConfig config = {}) : core_(prepared(config), bus_) {
        core_.reset();
    }

    models::core::Core* operator->() { return &core_; }
    models::core::Core& core() { return core_; }
    models::core::CpuState& cpu() { return core_.state(); }

    void code(std::uint32_t address, std::initializer_list<unsigned> halfwords) {
        for (const unsigned halfword : halfwords) {
            const auto value = static_cast<std::uint16_t>(halfword);
            std::memcpy(&bus_.ram[address - RamBus::kRam], &value, sizeof(value));
            address += 2;
        }
        core_.invalidate(RamBus::kRam, RamBus::kRam + RamBus::kBytes - 1);
    }
    [[nodiscard]] std::uint32_t word(std::uint32_t address) const {
        std::uint32_t value = 0;
        std::memcpy(&value, &bus_.ram[address - RamBus::kRam], sizeof(value));
        return value;
    }
    void set_word(std::uint32_t address, std::uint32_t value) {
        std::memcpy(&bus_.ram[address - RamBus::kRam], &value, sizeof(value));
    }
    /// A register of the private peripheral bus, as the current state sees it.
    [[nodiscard]] std::uint32_t reg(std::uint32_t address) {
        std::uint32_t value = 0;
        if (!core_.system().read_ppb(cpu(), address, 4, core_.cycles(), value)) return 0xDEADBEEF;
        return value;
    }
    void set_reg(std::uint32_t address, std::uint32_t value) {
        static_cast<void>(core_.system().write_ppb(cpu(), address, 4, core_.cycles(), value));
    }

  private:
    models::core::CoreConfig prepared(models::core::CoreConfig config) {
        config.system.vector_table = kVectors;
        set_word(kVectors, kStack);
        set_word(kVectors + 4, kCode | 1);
        for (std::uint32_t i = 2; i < 16 + 195; ++i) set_word(kVectors + 4 * i, kHandler | 1);
        return config;
    }

    RamBus bus_;
    models::core::Core core_;
};

// Encodings that the tests use.
inline constexpr unsigned kNop = 0xBF00, kWfe = 0xBF20, kWfi = 0xBF30, kSev = 0xBF40,
                          kStop = 0xBEAB, kBxLr = 0x4770, kDisable = 0xB672, kEnable = 0xB662,
                          kSvc = 0xDF00;
/// What `kStop`, a semihosting call, ends a run with.
inline constexpr models::core::Stop kMark = models::core::Stop::Semihosting;
/// adds rN, #1
[[nodiscard]] constexpr unsigned increment(unsigned reg) {
    return 0x3001 | reg << 8;
}

}  // namespace n6vp::tests
