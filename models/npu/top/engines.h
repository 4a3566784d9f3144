// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/npu/control/register_window.h"
#include "models/npu/dataflow/input_engine.h"
#include "models/npu/dataflow/network.h"
#include "models/npu/dataflow/output_engine.h"
#include "models/npu/top/bus_interface.h"
#include "models/npu/top/event_queue.h"
#include "models/npu/top/reporter.h"
#include "models/npu/top/switchboard.h"

namespace n6vp::models::npu {

/// What the parts of the NPU share. All of it outlives them.
struct NpuContext {
    const NpuParameters& parameters;
    RegisterWindow& window;
    Network& network;
    Switchboard& switchboard;
    Reporter& report;
    const Picoseconds& now;
    const Picoseconds& cycle;
};

/// The stream engines behind their registers: CTRL with RUNNING, IRQ with its two interrupt
/// sources, readers that follow a writer.
///
/// Assumed: that taking EN away stops an engine; that CLR drops the flags of IRQ; that an engine
/// with an illegal configuration does not run, and one that this model refuses runs for ever; that
/// OFLOW_FRM is a flag of output engines.
/// Not modelled: the progress counters (LASTADDR, DEPTHCNT, PIXCNT, LINECNT, FCNT keep their reset
/// values), BUFBL, MRK, FMTMM and CLRMSGRCV.
class Engines {
  public:
    static constexpr unsigned kCount = 10;

    using Listener = std::function<void(unsigned engine, const StreamConfig&, const EngineCounters*,
                                        Picoseconds)>;

    Engines(const NpuContext& context, BusInterface& bus, EventQueue& event_queue,
            const Listener& listener);
    ~Engines();
    Engines(const Engines&) = delete;
    Engines& operator=(const Engines&) = delete;

    void on_enable(unsigned engine, bool on);
    void on_clear(unsigned engine);
    void on_configuration_clear(unsigned engine) { update_sources(engine); }
    void on_write(unsigned engine, const Register& at);
    /// Something on the event_queue has become visible.
    void act(const EventQueue::Item& item);
    void reset();

    /// Returns true if an epoch is not over: an output runs, or inputs do and there is no output.
    /// Inputs may be left over when all outputs have ended.
    [[nodiscard]] bool at_work() const;
    /// Time since power-on in which the engine was enabled in this direction and did not stall.
    [[nodiscard]] Picoseconds active(unsigned number, bool output) const;
    /// Words since power-on that the engine sent (an input) or took (an output). An input is a few
    /// words ahead of time while it runs.
    [[nodiscard]] std::uint64_t words(unsigned number, bool output) const;
    /// Says of each engine that runs what it waits for.
    [[nodiscard]] std::vector<std::string> waiting() const;

  private:
    struct Engine {
        std::unique_ptr<InputEngine> input;
        std::unique_ptr<OutputEngine> output;
        std::uint64_t run = 0;
        unsigned follows = kCount;  ///< an input: the output it follows
        bool ended = false;
        // In runs that are over: as input, as output.
        std::array<Picoseconds, 2> active{};
        std::array<std::uint64_t, 2> words{};
    };

    [[nodiscard]] static memmap::npu::Unit unit_of(unsigned engine);
    [[nodiscard]] static const EngineCounters& counters_of(const Engine& engine);
    void start(unsigned engine);
    void build(unsigned number, const EngineSetup& setup);
    void follow(unsigned input, unsigned output);
    void find_followers(unsigned output);
    void find_followed(unsigned input);
    void stop(unsigned number);
    void stop_following(unsigned number);
    void raise(unsigned engine, std::uint32_t flag);
    void update_sources(unsigned engine);

    NpuContext context_;
    BusInterface& bus_;
    EventQueue& events_;
    const Listener& listener_;
    std::array<Engine, kCount> engines_;
};

}  // namespace n6vp::models::npu
