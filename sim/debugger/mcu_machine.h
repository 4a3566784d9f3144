// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/debugger/machine.h"
#include "sim/debugger/memory_view.h"
#include "sim/debugger/monitor_text.h"
#include "sim/microcontroller/mcu_session.h"
#include "sim/microcontroller/mcu_view.h"

namespace n6vp::sim::debugger {

/// A session on an older chip under a debugger. Flash is written like RAM: programming it is not
/// modelled. A cold reset is a warm one, as memories keep what they hold.
class McuMachine : public ControlledMachine {
  public:
    /// `advance` of McuSession::drive. The session must outlive the machine.
    McuMachine(McuSession& session, McuSession::Advance advance);

    [[nodiscard]] models::core::Core& core() override { return module().core(); }
    [[nodiscard]] const models::core::CoreProfile& profile() const override;
    [[nodiscard]] bool read(std::uint32_t address, std::span<std::uint8_t> bytes) override;
    [[nodiscard]] bool write(std::uint32_t address, std::span<const std::uint8_t> bytes) override;
    [[nodiscard]] bool program(std::uint32_t address,
                               std::span<const std::uint8_t> bytes) override {
        return write(address, bytes);
    }
    [[nodiscard]] std::vector<MemoryArea> areas() const override;
    void watch_others(const std::vector<WatchedRange>&) override {}  // there is no other master
    [[nodiscard]] Halt start() override;
    [[nodiscard]] Halt run(const Interrupt& interrupt) override;
    [[nodiscard]] Halt step(const Interrupt& interrupt) override;
    void reset(ResetKind kind) override;
    void end() override { end_ = RunVerdict::Interrupted; }
    [[nodiscard]] std::vector<MonitorCommand> monitor_commands() override;
    [[nodiscard]] std::vector<ThreadInfo> threads() override;

    [[nodiscard]] RunVerdict run_end() const { return end_; }

  private:
    [[nodiscard]] models::CoreModule& module() { return chip_.core(); }
    [[nodiscard]] Halt go_on(const Interrupt& interrupt);
    [[nodiscard]] Halt run_to_halt(const Interrupt& interrupt);
    [[nodiscard]] Halt halted(RunVerdict verdict);
    void finish_instruction();
    [[nodiscard]] Peek peek();
    [[nodiscard]] std::string registers_text(const std::string& name);
    [[nodiscard]] std::string gpio_text();

    McuSession& session_;
    models::mcu_chip::Microcontroller& chip_;
    McuSession::Advance advance_;
    const models::core::CoreProfile& profile_;
    McuView view_;
    MemoryView memory_;
    RunVerdict end_ = RunVerdict::Interrupted;
    bool slept_ = false;
};

/// The debugger drives the session's run. Called before it; both objects must outlive it.
void attach(class Debugger& debugger, McuSession& session);

}  // namespace n6vp::sim::debugger
