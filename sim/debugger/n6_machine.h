// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/npu/stream/extent.h"
#include "sim/debugger/machine.h"
#include "sim/debugger/memory_view.h"
#include "sim/platform/platform.h"
#include "sim/run/run_session.h"

namespace n6vp::sim::debugger {

/// A session on the STM32N6 under a debugger.
///
/// A client stops the kernel, not the core, where it can: Ctrl-C and accesses of the NPU leave the
/// core as it is, so that a run which was only looked at has the trace hash of one that was not.
/// A breakpoint ends the core's block, and a step is a block: times around them may differ by the
/// cycles that instructions of one block save together.
class N6Machine : public ControlledMachine {
  public:
    /// `poll` of RunSession::drive. The machine listens to the platform to its end: it must outlive
    /// that, and is not used once the session has ended.
    N6Machine(RunSession& session, std::function<bool()> poll);
    ~N6Machine() override;

    [[nodiscard]] models::core::Core& core() override { return module().core(); }
    [[nodiscard]] const models::core::CoreProfile& profile() const override;
    [[nodiscard]] bool read(std::uint32_t address, std::span<std::uint8_t> bytes) override;
    [[nodiscard]] bool write(std::uint32_t address, std::span<const std::uint8_t> bytes) override;
    [[nodiscard]] bool program(std::uint32_t address, std::span<const std::uint8_t> bytes) override;
    [[nodiscard]] std::vector<MemoryArea> areas() const override;
    void watch_others(const std::vector<WatchedRange>& ranges) override;
    [[nodiscard]] Halt start() override;
    [[nodiscard]] Halt run(const Interrupt& interrupt) override;
    [[nodiscard]] Halt step(const Interrupt& interrupt) override;
    void reset(ResetKind kind) override;
    void end() override { end_ = RunEnd::Polled; }
    [[nodiscard]] std::vector<MonitorCommand> monitor_commands() override;
    [[nodiscard]] std::vector<ThreadInfo> threads() override;

    /// Why the run is over, for the session.
    [[nodiscard]] RunEnd run_end() const { return end_; }

  private:
    class Others;
    /// An engine of the NPU at work.
    struct Engine {
        models::npu::Extent extent;
        bool writes = false;
    };

    [[nodiscard]] models::CoreModule& module() { return platform_.core(); }
    [[nodiscard]] Halt advance(const Interrupt& interrupt);
    [[nodiscard]] Halt halted();
    [[nodiscard]] Halt stopped();
    void follow_npu();
    /// Lets the core finish the instruction that it is in.
    void finish_instruction();
    [[nodiscard]] std::string masters_of(unsigned initiator, std::uint32_t address,
                                         bool write) const;

    RunSession& session_;
    Platform& platform_;
    std::function<bool()> poll_;
    MemoryView memory_;
    RunLimits left_;
    RunEnd end_ = RunEnd::Polled;
    bool over_ = false, interrupted_ = false, slept_ = false;
    std::unique_ptr<Others> others_;
    std::map<unsigned, Engine> engines_;
    std::uint32_t label_ = 0;  ///< of the epoch controller; 0: none
};

/// The debugger drives the session's run. Called before it; both objects must outlive it.
void attach(class Debugger& debugger, RunSession& session);

}  // namespace n6vp::sim::debugger
