// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "models/core/core.h"
#include "tests/core/engine/bare_system.h"

namespace n6vp::tests {

/// Memory at 0x10000000 (code, direct), 0x20000000 (data, direct), 0x40000000 (a device: no direct
/// memory, every access goes to `on_device`). Timed accesses cost `cycles`, the first beat of a
/// line `first_cycles`.
class BenchBus : public models::core::CoreBus {
  public:
    static constexpr std::uint32_t kCode = 0x10000000, kData = 0x20000000, kDevice = 0x40000000;
    static constexpr std::uint32_t kBytes = 0x20000;

    struct DeviceAccess {
        std::uint32_t address = 0;
        bool write = false;
        std::uint64_t at = 0;
    };

    BenchBus() : code(kBytes), data(kBytes) {}

    models::core::BusAnswer read(std::uint32_t address, std::span<std::uint8_t> to,
                                 const models::core::BusAttributes& /*attributes*/,
                                 std::uint64_t at) override {
        ++reads;
        if (address >= kDevice && address < kDevice + 0x1000) {
            accesses.push_back({address, false, at});
            std::uint32_t value = on_device ? on_device(accesses.back()) : 0;
            std::memcpy(to.data(), &value, to.size());
            return {true, false, cycles, first_cycles};
        }
        const std::uint8_t* from = find(address);
        if (from == nullptr) return {};
        std::memcpy(to.data(), from, to.size());
        return {true, false, cycles, first_cycles};
    }
    models::core::BusAnswer write(std::uint32_t address, std::span<const std::uint8_t> from,
                                  const models::core::BusAttributes& /*attributes*/,
                                  std::uint64_t at) override {
        ++writes;
        if (address >= kDevice && address < kDevice + 0x1000) {
            accesses.push_back({address, true, at});
            if (on_device) on_device(accesses.back());
            return {true, false, cycles + write_delay, first_cycles};
        }
        std::uint8_t* to = find(address);
        if (to == nullptr) return {};
        std::memcpy(to, from.data(), from.size());
        return {true, false, cycles + write_delay, first_cycles};
    }
    models::core::DirectMemory direct(std::uint32_t address,
                                      const models::core::BusAttributes& /*attributes*/) override {
        if (address - kCode < kBytes) return {code.data(), kCode, kCode + (kBytes - 1), true, true};
        if (address - kData < kBytes) return {data.data(), kData, kData + (kBytes - 1), true, true};
        return {};
    }

    /// Puts halfwords at `address`.
    void program(std::uint32_t address, std::initializer_list<std::uint16_t> halfwords) {
        std::uint8_t* to = find(address);
        for (const std::uint16_t halfword : halfwords) {
            std::memcpy(to, &halfword, 2);
            to += 2;
        }
    }
    [[nodiscard]] std::uint32_t word(std::uint32_t address) {
        std::uint32_t value = 0;
        std::memcpy(&value, find(address), 4);
        return value;
    }
    void set_word(std::uint32_t address, std::uint32_t value) {
        std::memcpy(find(address), &value, 4);
    }

    std::vector<std::uint8_t> code, data;
    std::vector<DeviceAccess> accesses;
    std::function<std::uint32_t(const DeviceAccess&)> on_device;
    std::uint64_t cycles = 0, first_cycles = 0;
    std::uint64_t write_delay = 0;  ///< cycles of a write beyond `cycles`
    unsigned reads = 0, writes = 0;

  private:
    [[nodiscard]] std::uint8_t* find(std::uint32_t address) {
        if (address - kCode < kBytes) return code.data() + (address - kCode);
        if (address - kData < kBytes) return data.data() + (address - kData);
        return nullptr;
    }
};

/// A core with nothing around it but a BenchBus.
struct BenchCore {
    explicit BenchCore(const models::core::CoreConfig& config = {})
        : core(config, bus, std::make_unique<BareSystem>()) {
        core.reset();
        core.set_reg(13, BenchBus::kData + 0x10000);
    }
    /// Calls the function at `offset` of the code memory.
    models::core::Stop call(std::uint32_t offset, std::initializer_list<std::uint32_t> arguments) {
        return core.call(BenchBus::kCode + offset, std::vector(arguments), 10'000'000);
    }

    BenchBus bus;
    models::core::Core core;
};

}  // namespace n6vp::tests
