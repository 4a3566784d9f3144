// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <functional>
#include <span>
#include <systemc>
#include <tlm>
#include <unordered_map>

#include "models/core/bus.h"
#include "models/core/core.h"
#include "models/core/core_attributes.h"
#include "models/fabric/burst_timing.h"
#include "models/picoseconds.h"

namespace n6vp::models {

struct CoreModuleConfig {
    core::CoreConfig core;
    double core_hz = 800e6;
    /// Longest time the core runs ahead of the kernel; some of them at once while the kernel has no
    /// event in them.
    sc_core::sc_time quantum = sc_core::sc_time(1, sc_core::SC_US);
};

/// The core as a SystemC module.
///
/// The core runs ahead of the kernel by the quantum, and never past the kernel's next event, so
/// that an interrupt that a model announced by a timed notification arrives on time. An access to
/// Device memory first lets everything happen that is due by then, unless timing is functional; the
/// time ahead is the annotation of every access. What changes an interrupt line must do so from a
/// process or from such an access.
class CoreModule : public sc_core::sc_module, private core::CoreBus {
  public:
    tlm_utils::simple_initiator_socket_tagged<CoreModule> instruction_port;  ///< code
    tlm_utils::simple_initiator_socket_tagged<CoreModule> m_axi;             ///< data, peripherals
    tlm_utils::simple_initiator_socket_tagged<CoreModule> tcm;               ///< both TCMs

    CoreModule(const sc_core::sc_module_name& name, const CoreModuleConfig& config);

    [[nodiscard]] core::Core& core() { return core_; }
    /// Lets the core run from the start of the simulation on; before it does nothing.
    void release_reset() { released_ = true; }

    /// Interrupt line `irq` (0 = first external interrupt) changes its level.
    void set_interrupt(unsigned irq, bool level);
    /// Event input: wakes WFE.
    void receive_event();

    /// Why the core stopped for good: Stop::Budget while it has not.
    [[nodiscard]] core::Stop stopped() const { return stop_; }
    /// Asked at BKPT 0xAB: answers the call and returns true to go on. None: the core stops there.
    std::function<bool(core::Core&)> on_semihosting;

  private:
    using Socket = tlm_utils::simple_initiator_socket_tagged<CoreModule>;

    void run_core();
    void sleep();
    [[nodiscard]] std::uint64_t slice() const;
    [[nodiscard]] Picoseconds time_of(std::uint64_t cycle) const;
    [[nodiscard]] std::uint64_t cycle_of(Picoseconds time) const;
    /// The kernel's time becomes that of the cycle.
    void catch_up(std::uint64_t cycle);
    /// All that happens up to the cycle has happened.
    void let_others_go_first(std::uint64_t cycle);

    core::BusAnswer read(std::uint32_t address, std::span<std::uint8_t> data,
                         const core::BusAttributes& attributes, std::uint64_t at) override;
    core::BusAnswer write(std::uint32_t address, std::span<const std::uint8_t> data,
                          const core::BusAttributes& attributes, std::uint64_t at) override;
    core::DirectMemory direct(std::uint32_t address,
                              const core::BusAttributes& attributes) override;
    core::BusAnswer transport(tlm::tlm_command command, std::uint32_t address, std::uint8_t* data,
                              std::size_t bytes, const core::BusAttributes& attributes,
                              std::uint64_t at);
    [[nodiscard]] Socket& port_for(std::uint32_t address, const core::BusAttributes& attributes);
    void invalidate_direct(int tag, sc_dt::uint64 start, sc_dt::uint64 end);

    CoreModuleConfig config_;
    double ps_per_cycle_, cycles_per_ps_;
    core::Core core_;
    bool released_ = false;
    core::Stop stop_ = core::Stop::Budget;
    sc_core::sc_event wake_;
    bool woken_ = false;  ///< an interrupt or event came since `run` began
    /// By page number what the page's memory said: no direct memory is an answer too.
    std::unordered_map<std::uint32_t, core::DirectMemory> direct_;
    tlm::tlm_generic_payload payload_;
    CoreAttributes attributes_;
    BurstTiming timing_;
};

}  // namespace n6vp::models
