// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <systemc>
#include <tlm>

#include "models/event.h"
#include "models/fabric/transfer.h"
#include "models/npu/npu.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

struct NpuModuleConfig {
    double hz = 1000e6;  ///< the NPU's clock
    /// Longest time the NPU runs ahead of the kernel while no other process is active.
    Picoseconds ahead = 8'000'000;
    /// False: memory answers at once, so that engines keep their order and cost no time on the bus,
    /// and register accesses take effect in the call.
    bool timed = true;
};

/// The NPU as a SystemC module: three masters on the bus, a register block, four interrupt lines.
///
/// Every burst is a transaction of its own, annotated with its own time, in the order of these
/// times over all engines and the epoch controller. The NPU runs ahead of the kernel as far as the
/// kernel has nothing to do, so that many bursts go in one turn; what it does later than that waits
/// for its time. Reads of registers let the NPU do first what is due until they answer. Writes take
/// effect at their own time, when the peripheral bus brings them.
///
/// Engines that ask far ahead: banks serve bursts in the order of their arrival. An engine whose
/// FIFO takes many bursts has them all queue there, and others wait behind.
///
/// Not modelled: a clock gate that closes while the NPU works (it goes on); the attributes of the
/// epoch controller's fetches (it passes by the NPU cache).
class NpuModule : public sc_core::sc_module, private npu::NpuBus {
  public:
    /// Masters: engines 0 to 4, engines 5 to 9, epoch controller.
    static constexpr unsigned kPorts = 3;
    static constexpr unsigned kLines = 4;  ///< interrupt lines
    sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<NpuModule>> to;

    NpuModule(const sc_core::sc_module_name& name, const npu::NpuParameters& parameters,
              const NpuModuleConfig& config);
    ~NpuModule() override;

    [[nodiscard]] RegisterBlock& registers() { return registers_; }
    [[nodiscard]] const npu::Npu& npu() const { return npu_; }
    /// Returns the master that makes the engine's bursts.
    [[nodiscard]] static constexpr unsigned port_of(unsigned engine) {
        constexpr unsigned kOnFirst = 5;
        return engine < kOnFirst ? 0 : 1;
    }

    /// Returns how far the NPU is ahead of the kernel.
    [[nodiscard]] Picoseconds lead() const;

    /// For what is enabled from now on.
    void set_clock_hz(double hz);

    // All are called from processes or from accesses to registers.
    /// Interrupt line 0 to 3, at its time.
    Event<unsigned /*line*/, bool /*level*/> on_interrupt;
    Event<const npu::NpuEvent&> on_event;
    Event<std::uint32_t /*label*/, Picoseconds /*at*/> on_label;
    /// As npu::Npu::on_engine.
    Event<unsigned /*engine*/, const npu::StreamConfig&, const npu::EngineCounters*,
          Picoseconds /*at*/>
        on_engine;
    /// As npu::Npu::on_convolution.
    Event<unsigned /*unit*/, const npu::ConvolutionNode::Counters&, Picoseconds /*at*/>
        on_convolution;
    /// What answers at an address, and what time there counts as.
    struct Place {
        unsigned memory = 0;  ///< a number, less than kPlaces
        npu::StallCause cause = npu::StallCause::Port;
        npu::StallCause held =
            npu::StallCause::Conflict;  ///< what waiting for others there counts as
    };
    static constexpr unsigned kPlaces = 32;
    /// Asked after each burst of an engine: whose time it was (`npu::PathTime`). Empty: the port's.
    std::function<Place(std::uint32_t address, bool cacheable)> place_of;
    /// Everything has stopped: engines that began will not end.
    std::function<void()> on_reset;

  private:
    class Registers : public RegisterBlock {
      public:
        explicit Registers(NpuModule& owner) : RegisterBlock("NPU"), owner_(owner) {}
        [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
        [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                   Picoseconds at) override;
        void reset() override;

      private:
        NpuModule& owner_;
    };
    /// A register write on its way.
    struct Write {
        Picoseconds at = 0;
        std::uint32_t offset = 0, value = 0, mask = 0;
    };
    struct Lines {
        Picoseconds at = 0;
        std::uint32_t levels = 0;
    };
    /// One master: to make both anew each time shows in the host's time.
    struct Port {
        tlm::tlm_generic_payload trans;
        Transfer transfer;
    };
    struct Request {
        unsigned port = 0;
        tlm::tlm_command command = tlm::TLM_READ_COMMAND;
        std::uint32_t address = 0;
        std::uint8_t* data = nullptr;
        std::size_t bytes = 0;
        bool cacheable = false, allocate = false, single_beat = false;
    };

    // The NPU's way to memory.
    npu::BurstAnswer read(const npu::EngineBurst& burst, std::span<std::uint8_t> bytes,
                          Picoseconds at) override;
    npu::BurstAnswer write(const npu::EngineBurst& burst, std::span<const std::uint8_t> bytes,
                           Picoseconds at) override;
    npu::EpochControllerBus::Fetched fetch(std::uint32_t address, Picoseconds at) override;
    npu::BurstAnswer transact(const Request& request, Picoseconds at);
    /// Completes the answer with what its time went to.
    void explain(const npu::EngineBurst& burst, bool write, npu::BurstAnswer& answer);

    [[nodiscard]] Picoseconds now() const { return kernel_time_.value(); }
    void connect();
    /// The process: does what is due.
    void work();
    /// Does all up to and at `until`, writes on their way included. Returns what is due next.
    Picoseconds run_until(Picoseconds until);
    /// Returns when the next thing happens, with or without a write.
    [[nodiscard]] Picoseconds due() const;
    /// Has the process called when the next thing is due.
    void schedule();
    void access_done();
    void reset_all();
    void change_lines(std::uint32_t levels, Picoseconds at);
    void publish_lines(Picoseconds until);
    /// Returns "STRENG3.CTRL", "" where no register is.
    [[nodiscard]] const char* name_of(std::uint32_t offset);

    const NpuModuleConfig config_;
    std::array<Port, kPorts> ports_;
    npu::Npu npu_;
    Registers registers_;
    /// Engine of the last burst to each memory, of reads and of writes.
    std::array<std::array<unsigned, 2>, kPlaces> holders_{};
    Picoseconds reached_ = 0;   ///< the NPU's time
    std::deque<Write> writes_;  ///< ascending
    std::deque<Lines> lines_;   ///< ascending
    std::uint32_t levels_ = 0;  ///< as published
    sc_core::sc_event due_, lines_due_;
    std::map<std::uint32_t, std::string> names_;  ///< by offset, of registers ever accessed
    /// The kernel's own variable: to ask for it each time shows in the host's time.
    const sc_core::sc_time& kernel_time_;
};

}  // namespace n6vp::models
