// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>

#include "models/core/core.h"
#include "tests/core/diff/flat_bus.h"
#include "tests/core/engine/bare_system.h"

namespace n6vp::test {

/// A core that executes the few instructions given to it. Nothing handles faults: one stops it,
/// with `cpu().fault` telling which.
class Machine {
  public:
    static constexpr std::uint32_t kCode = 0x10000000;

    Machine() {
        bus_.add(kCode, 0x1000);
        auto system = std::make_unique<System>();
        system_ = system.get();
        core_ = std::make_unique<models::core::Core>(models::core::CoreConfig{}, bus_,
                                                     std::move(system));
        core_->reset();
        cpu().thumb = true;
    }

    /// Writes `code` and executes `count` instructions of it. Returns false after a fault.
    bool run(std::initializer_list<std::uint16_t> code, unsigned count = 1) {
        std::memcpy(bus_.find(kCode, code.size() * 2), code.begin(), code.size() * 2);
        core_->invalidate(kCode, kCode + 0xFFF);
        core_->set_pc(kCode);
        cpu().fault = {};
        for (unsigned i = 0; i < count; ++i) (void)core_->step();
        return cpu().fault.exception == models::core::Exception::None;
    }
    /// The same for one 32-bit instruction.
    bool run_wide(std::uint32_t encoding) {
        return run({static_cast<std::uint16_t>(encoding >> 16),
                    static_cast<std::uint16_t>(encoding & 0xFFFF)});
    }

    [[nodiscard]] models::core::CpuState& cpu() { return core_->state(); }
    [[nodiscard]] std::uint32_t& reg(unsigned number) { return cpu().r.at(number); }
    [[nodiscard]] std::uint32_t pc() const { return core_->pc(); }
    void trap_division_by_zero() { system_->traps_division = true; }

    /// N, Z, C and V as a number of four bits.
    [[nodiscard]] std::uint32_t nzcv() { return models::core::apsr(cpu()) >> 28; }
    void set_nzcv(std::uint32_t flags) {
        models::core::set_apsr_nzcvq(cpu(), flags << 28 | cpu().q << 27);
    }

  private:
    struct System : tests::BareSystem {
        bool traps_division = false;
        [[nodiscard]] bool traps_divide_by_zero(const CpuState& /*cpu*/) const override {
            return traps_division;
        }
    };
    FlatBus bus_;
    System* system_ = nullptr;
    std::unique_ptr<models::core::Core> core_;
};

/// Words at which arithmetic goes wrong.
inline constexpr std::array<std::uint32_t, 12> kEdges = {
    0,          1,          2,          0x7F,       0xFFFF,     0x8000,
    0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF};

}  // namespace n6vp::test
