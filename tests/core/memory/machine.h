// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <utility>

#include "models/core/core.h"
#include "tests/core/diff/flat_bus.h"
#include "tests/core/engine/bare_system.h"

namespace n6vp::test {

/// A core with 4 KiB of code and 8 KiB of data, nothing around them, and a stand-in for the system
/// registers. Runs code written as halfwords.
class Machine {
  public:
    static constexpr std::uint32_t kCode = 0x1000;
    static constexpr std::uint32_t kData = 0x20000000, kDataEnd = kData + 0x2000;

    explicit Machine(
        std::unique_ptr<models::core::System> system = std::make_unique<tests::BareSystem>())
        : bus_(with_memory()), core(models::core::CoreConfig{}, *bus_, std::move(system)) {
        core.set_reg(13, kData + 0x1000);
    }

    /// Runs `code` from kCode on until it gets to its end (Stop::Semihosting) or stops before.
    models::core::Stop run(std::initializer_list<std::uint16_t> code) {
        std::uint32_t at = kCode;
        for (const std::uint16_t halfword : code) put(at, halfword);
        put(at, 0xBEAB);
        core.invalidate(kCode, at);
        core.set_pc(kCode);
        return core.run(10000);
    }

    [[nodiscard]] std::uint32_t word(std::uint32_t address) {
        std::uint32_t value = 0;
        std::memcpy(&value, bus_->find(address, 4), 4);
        return value;
    }
    void set_word(std::uint32_t address, std::uint32_t value) {
        std::memcpy(bus_->find(address, 4), &value, 4);
    }
    [[nodiscard]] models::core::CpuState& state() { return core.state(); }
    [[nodiscard]] std::uint32_t reg(unsigned number) const { return core.reg(number); }
    void set(unsigned number, std::uint32_t value) { core.set_reg(number, value); }
    /// Returns true if the core stopped at a fault of this exception with exactly these bits.
    [[nodiscard]] bool faulted(models::core::Stop stop, models::core::Exception exception,
                               std::uint32_t status) {
        const models::core::PendingFault& fault = core.state().fault;
        return stop == models::core::Stop::Lockup && fault.exception == exception &&
               fault.status == status;
    }

  private:
    static std::unique_ptr<FlatBus> with_memory() {
        auto bus = std::make_unique<FlatBus>();
        bus->add(kCode, 0x1000);
        bus->add(kData, kDataEnd - kData);
        return bus;
    }
    void put(std::uint32_t& at, std::uint16_t halfword) {
        std::memcpy(bus_->find(at, 2), &halfword, 2);
        at += 2;
    }
    std::unique_ptr<FlatBus> bus_;

  public:
    models::core::Core core;
};

}  // namespace n6vp::test
