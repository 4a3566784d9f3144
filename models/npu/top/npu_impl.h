// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/npu/control/epoch_control.h"
#include "models/npu/control/register_window.h"
#include "models/npu/dataflow/network.h"
#include "models/npu/npu.h"
#include "models/npu/top/bus_interface.h"
#include "models/npu/top/compute_units.h"
#include "models/npu/top/debug_trace.h"
#include "models/npu/top/engines.h"
#include "models/npu/top/event_queue.h"
#include "models/npu/top/reporter.h"
#include "models/npu/top/switchboard.h"

namespace n6vp::models::npu {

/// The parts of the NPU and the order of time. Of one time, what becomes visible comes first, then
/// the epoch controller, then memory.
class Npu::Impl final : public EpochControllerBus {
  public:
    /// `owner` has the callbacks, and outlives this as `bus` does.
    Impl(const NpuParameters& parameters, NpuBus& bus, Npu& owner);
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void set_cycle(Picoseconds cycle);
    void reset();
    [[nodiscard]] Picoseconds due();
    Picoseconds run_until(Picoseconds until);
    [[nodiscard]] RegisterWindow::Value read(std::uint32_t offset, Picoseconds at);
    RegisterWindow::WriteOutcome write(std::uint32_t offset, std::uint32_t value, Picoseconds at,
                                       std::uint32_t mask);
    [[nodiscard]] const RegisterWindow& window() const { return window_; }
    [[nodiscard]] bool program_running() const { return control_.controller().running(); }

    // The epoch controller's way.
    Fetched fetch(std::uint32_t address, Picoseconds at) override;
    Value read_register(std::uint32_t ip, std::uint32_t offset, Picoseconds at) override;
    bool write_register(std::uint32_t ip, std::uint32_t offset, std::uint32_t value,
                        Picoseconds at) override;

  private:
    using Unit = memmap::npu::Unit;

    void listen_to_window();
    void listen_to_controller();
    void on_enable(const Unit& unit, bool on);
    void on_clear(const Unit& unit);
    void on_configuration_clear(const Unit& unit);
    void on_write(const Unit& unit, const Register& at, std::uint32_t index,
                  const RegisterFile::WriteOutcome& outcome);
    RegisterWindow::WriteOutcome apply(std::uint32_t offset, std::uint32_t value,
                                       std::uint32_t mask);
    [[nodiscard]] RegisterWindow::Value read_register(std::uint32_t offset);
    void report_access(std::uint32_t offset, bool exists, bool gated);
    void report_fault(const EpochFault& fault);

    /// Something has happened: polls look again, a deadlock is over.
    void notify_activity();
    /// When the next access of the network is due.
    Picoseconds network_due();
    /// When it will be clear that nothing goes on by itself; kNever if something is due or nothing
    /// is at work.
    [[nodiscard]] Picoseconds deadlock_due();
    void report_deadlock();
    void act(Picoseconds at);
    void show(const EventQueue::Item& item);

    Npu& owner_;
    NpuParameters parameters_;
    Picoseconds now_ = 0, cycle_ = 1000;
    RegisterWindow window_;
    Network network_;
    EventQueue events_;
    Reporter report_;
    Switchboard switchboard_;
    BusInterface bus_;
    Engines engines_;
    ComputeUnits units_;
    DebugTrace trace_;
    EpochControl control_;
    bool network_changed_ = true;
    Picoseconds network_due_ = kNever;  ///< if it has not changed
    Picoseconds stirred_ = 0;           ///< when something last happened
    bool deadlock_told_ = false;
    std::uint32_t gated_told_ = 0;  ///< pages of units that were written without clock
};

}  // namespace n6vp::models::npu
