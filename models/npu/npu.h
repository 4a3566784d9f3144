// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/duration.h"
#include "models/npu/base/limit.h"
#include "models/npu/base/verdict.h"
#include "models/npu/control/epoch_controller.h"
#include "models/npu/control/register_window.h"
#include "models/npu/dataflow/convolution_node.h"
#include "models/npu/dataflow/engine_bus.h"
#include "models/npu/stream/stream_config.h"
#include "models/npu/units/output_stage.h"

namespace n6vp::models::npu {

/// What the NPU's two masters reach. Engines 0 to 4 are on the first, engines 5 to 9 and the epoch
/// controller on the second.
class NpuBus : public EngineBus {
  public:
    /// Reads 8 bytes of a blob at `address`, a multiple of 8.
    virtual EpochControllerBus::Fetched fetch(std::uint32_t address, Picoseconds at) = 0;
};

struct NpuParameters {
    EpochControllerParameters epoch_controller;
    EngineParameters engines;
    ConvolutionParameters convolution;
    Parameter deadlock_cycles{"deadlock_cycles", 100000, "NPU cycles", Confidence::Assumed,
                              "time without activity after which an epoch counts as deadlocked; "
                              "covers slow enabling of its units by software"};
    Rounding rounding = Rounding::HalfUp;  ///< what ROUND does with halves: of no unit certain

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        EpochControllerParameters::visit(self.epoch_controller, function);
        EngineParameters::visit(self.engines, function);
        ConvolutionParameters::visit(self.convolution, function);
        function(self.deadlock_cycles);
    }
};

/// An event for the owner of the NPU. Times are absolute.
struct NpuEvent {
    enum class Kind : std::uint8_t {
        EpochFault,   ///< the epoch controller's program cannot continue
        Illegal,      ///< a unit was enabled with a configuration that breaks a rule
        Refused,      ///< ... with one that is not described: it is not computed
        Assumption,   ///< ... with one that is computed as the text says, never observed
        BusError,     ///< an engine's or the epoch controller's access was answered with an error
        BeyondLimit,  ///< an engine stopped at its address limit
        Deadlock,     ///< no event is due and units have work left, or a livelock
        GatedWrite,   ///< software wrote to a unit whose clock gate is closed
        NoRegister,   ///< software accessed the window between registers
    };
    Kind kind{};
    std::string unit;         ///< as in the register names: "STRENG3"; "" for the NPU
    std::string text;         ///< description in one line
    Limit limit{};            ///< of Refused and Assumption
    EpochFault fault{};       ///< of EpochFault
    std::uint32_t label = 0;  ///< the epoch controller's last label
    Picoseconds at = 0;
};

/// The whole NPU: registers, epoch controller, units and engines, without SystemC and without
/// memory. Its owner calls `run_until` as time advances and before each access.
class Npu {
  public:
    /// `bus` outlives the NPU.
    Npu(const NpuParameters& parameters, NpuBus& bus);
    ~Npu();
    Npu(const Npu&) = delete;
    Npu& operator=(const Npu&) = delete;

    /// Period of the NPU's clock, for what is enabled and counted after the time of the last call.
    void set_cycle(Picoseconds cycle);
    /// State after power-on; all work is discarded. Callbacks report falling lines.
    void reset();

    /// Returns the time of the next event: a memory access, an instruction of the epoch controller,
    /// a status or interrupt that becomes visible. kNever: no event without software.
    [[nodiscard]] Picoseconds due() const;
    /// Processes all events at or before `until` in time order. Returns the new value of
    /// `due`.
    Picoseconds run_until(Picoseconds until);

    /// Software's accesses by byte offset in the window (memmap/npu/units.h), not before the time
    /// of the last call: what happens until then is done first.
    [[nodiscard]] RegisterWindow::Value read(std::uint32_t offset, Picoseconds at);
    RegisterWindow::WriteOutcome write(std::uint32_t offset, std::uint32_t value, Picoseconds at,
                                       std::uint32_t mask = 0xFFFFFFFFu);

    /// Host lines, line n (interrupt NPUn) as bit n.
    [[nodiscard]] std::uint32_t lines() const;
    [[nodiscard]] const RegisterWindow& window() const;
    /// The epoch controller's program is under way.
    [[nodiscard]] bool program_running() const;

    /// All are called from inside `due`, `run_until`, `read`, `write` and `reset`; none may call
    /// back into the NPU.
    std::function<void(std::uint32_t lines, Picoseconds at)> on_lines;
    std::function<void(const NpuEvent&)> on_event;
    std::function<void(std::uint32_t label, Picoseconds at)> on_label;
    /// An engine begins (its configuration says which bytes it may touch) or has ended; `counters`
    /// is null at the beginning.
    std::function<void(unsigned engine, const StreamConfig&, const EngineCounters* counters,
                       Picoseconds at)>
        on_engine;
    /// A CONVACC was disabled: its counters since it was enabled.
    std::function<void(unsigned unit, const ConvolutionNode::Counters&, Picoseconds at)>
        on_convolution;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace n6vp::models::npu
