// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/ir/system.h"

namespace n6vp::tests {

/// Stands in for the system registers where a test is about instructions: everything is allowed,
/// nothing is ever pending, every fault is a lockup with `CpuState::fault` left as it was.
class BareSystem : public models::core::System {
  public:
    using CpuState = models::core::CpuState;

    std::uint32_t read_special(CpuState& /*cpu*/, unsigned /*sysm*/) override { return 0; }
    void write_special(CpuState& /*cpu*/, unsigned /*sysm*/, unsigned /*mask*/,
                       std::uint32_t /*value*/) override {}
    void change_processor_state(CpuState& /*cpu*/, bool /*disable*/, bool /*primask*/,
                                bool /*faultmask*/) override {}
    std::uint32_t test_target(CpuState& /*cpu*/, std::uint32_t /*address*/, bool /*unprivileged*/,
                              bool /*alternate*/) override {
        return 0;
    }
    bool secure_gateway(CpuState& /*cpu*/, std::uint32_t /*pc*/) override { return false; }
    void enter_security_state(CpuState& cpu, bool secure) override { cpu.secure = secure; }
    bool prepare_fp(CpuState& cpu, std::uint32_t /*pc*/, bool /*vector*/) override {
        cpu.fp_ready = true;
        return true;
    }
    bool lazy_store_multiple(CpuState& /*cpu*/, const models::core::MicroOp& /*op*/) override {
        return true;
    }
    bool lazy_load_multiple(CpuState& /*cpu*/, const models::core::MicroOp& /*op*/) override {
        return true;
    }
    std::uint32_t read_fp_context(CpuState& /*cpu*/, bool /*non_secure*/) override { return 0; }
    void write_fp_context(CpuState& /*cpu*/, bool /*non_secure*/,
                          std::uint32_t /*value*/) override {}
    void send_event(CpuState& cpu) override { cpu.event = true; }

    models::core::Permission check(const CpuState& /*cpu*/, std::uint32_t /*address*/,
                                   models::core::Intent /*intent*/, bool /*privileged*/,
                                   bool secure) override {
        models::core::Permission permission;
        permission.secure = secure;
        permission.cacheable = permission.write_back = true;
        return permission;
    }
    [[nodiscard]] unsigned context(const CpuState& /*cpu*/) const override { return 0; }
    [[nodiscard]] bool locked_up() const override { return false; }
    bool take_breakpoint(CpuState& /*cpu*/) override { return true; }
    bool read_ppb(CpuState& /*cpu*/, std::uint32_t /*address*/, unsigned /*bytes*/,
                  std::uint64_t /*now*/, std::uint32_t& value) override {
        value = 0;
        return true;
    }
    bool write_ppb(CpuState& /*cpu*/, std::uint32_t /*address*/, unsigned /*bytes*/,
                   std::uint64_t /*now*/, std::uint32_t /*value*/) override {
        return true;
    }
    [[nodiscard]] bool traps_unaligned(const CpuState& /*cpu*/) const override { return false; }
    [[nodiscard]] bool traps_divide_by_zero(const CpuState& /*cpu*/) const override {
        return false;
    }
    bool reset(CpuState& /*cpu*/) override { return true; }
    bool preempts(CpuState& /*cpu*/, std::uint64_t /*now*/) override { return false; }
    void take_exception(CpuState& /*cpu*/) override {}
    bool take_fault(CpuState& /*cpu*/) override { return false; }
    void call_supervisor(CpuState& /*cpu*/) override {}
    bool leave(CpuState& /*cpu*/) override { return true; }
    void branch_non_secure(CpuState& /*cpu*/, std::uint32_t /*target*/) override {}
    bool call_non_secure(CpuState& /*cpu*/, std::uint32_t /*target*/,
                         std::uint32_t /*return_address*/) override {
        return true;
    }
    void set_interrupt(CpuState& /*cpu*/, unsigned /*irq*/, bool /*level*/) override {}
    std::uint64_t next_event(const CpuState& /*cpu*/, std::uint64_t /*now*/) override {
        return UINT64_MAX;
    }
    bool wakes(CpuState& cpu, bool for_event) override {
        const bool event = for_event && cpu.event;
        if (event) cpu.event = false;
        return event;
    }
};

}  // namespace n6vp::tests
