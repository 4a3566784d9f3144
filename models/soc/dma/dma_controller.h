// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/fabric/access_filter.h"
#include "models/fabric/transfer.h"
#include "models/soc/base/flag_times.h"
#include "models/soc/base/register_block.h"
#include "models/soc/dma/dma_arbiter.h"
#include "models/soc/dma/dma_channel.h"
#include "models/soc/dma/dma_parameters.h"
#include "models/soc/dma/dma_requests.h"

namespace n6vp::models::dma {

/// GPDMA or HPDMA: 16 channels on two bus ports.
///
/// Modelled: memory to memory and peripheral requests by burst or block, linked lists with their
/// update bits and link step mode, repeated blocks and 2D offsets of channels 12 to 15, all widths
/// with padding, truncation, packing and byte exchanges, bursts split by FIFO and by 1 KB (AXI: 4
/// KB), suspend, resume and reset, half, complete, suspended and error flags, one interrupt line
/// for each channel, MISR and SMISR, triggers by transfer complete of any channel of the two units
/// with their overrun, priorities, security, privilege and compartment of the channels on the bus
/// and of their registers.
/// A bus port of AHB serves one access at a time, one of AXI as many as channels ask for.
/// Transfer complete is a pulse for triggers: CSR.TCF need not be cleared for the next one.
/// Not modelled: triggers of other sources, which nothing waits for, peripheral flow control,
/// semaphores of HPDMA: a write that switches one of these on answers "not modelled". Data in the
/// core's caches are not seen: software cleans and invalidates.
/// Assumed: DmaParameters; a trigger costs no time of its own, and both edges of its pulse come at
/// once; a list item is loaded with the channel's own attributes.
class Controller : public sc_core::sc_module, public RegisterBlock {
  public:
    enum class Kind : std::uint8_t { General, HighPerformance };
    static constexpr unsigned kPorts = 2;

    sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<Controller>> to;

    Controller(const sc_core::sc_module_name& name, const char* block, Kind kind,
               Requests& requests, const DmaParameters& parameters = {},
               const FlagTimes& flags = {});
    using RegisterBlock::name;

    /// Level of a channel's interrupt line, called when it changes.
    std::function<void(unsigned channel, bool level)> on_interrupt;
    /// Whether the unit has a clock; without this function it always has.
    std::function<bool()> clocked;
    /// The answer of `clocked` has changed.
    void clock_changed();
    /// Clock of the controller from now on, above 0 Hz.
    void set_clock_hz(double hz);
    /// In front of the registers: a channel's are for accesses with its attributes.
    [[nodiscard]] AccessFilter& guard() { return guard_; }
    /// The compartment that secure accesses to its registers appear to have, whatever their
    /// master's; without this function they have their own.
    std::function<std::uint8_t(bool privileged)> perceived_compartment;
    /// Called when the guard has refused an access.
    std::function<void()> on_illegal_access;

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    using Move = Channel::Move;

    class Guard : public AccessFilter {
      public:
        explicit Guard(const Controller& owner) : owner_(owner) {}
        [[nodiscard]] Verdict judge(const Transfer& transfer, const Access& access) override {
            if (passes(transfer, access)) return Verdict::Pass;
            if (owner_.on_illegal_access) owner_.on_illegal_access();
            return Verdict::Zero;
        }
        [[nodiscard]] bool passes(const Transfer& transfer, const Access& access) const override;
        [[nodiscard]] const char* reason() const override {
            return "SECCFGR, PRIVCFGR or CIDCFGR of the DMA channel do not allow this access";
        }

      private:
        const Controller& owner_;
    };
    /// Whose turn it is, for what.
    struct Turn {
        unsigned channel = 0;
        Move move = Move::Read;
    };
    struct Place {
        unsigned channel = 0;
        std::uint32_t offset = 0;
        bool exists = false;
    };
    struct Outcome {
        bool ok = true;
        Picoseconds end = 0;
    };

    [[nodiscard]] static Place place_of(std::uint32_t offset);
    [[nodiscard]] const char* name_of(std::uint32_t offset) const;
    [[nodiscard]] Answer write_global(std::uint32_t offset, std::uint32_t written,
                                      std::uint32_t mask);
    [[nodiscard]] std::uint32_t pending(bool secure) const;

    void work();
    /// All that happens up to `until` has happened.
    void run(Picoseconds until);
    void step(Picoseconds at);
    [[nodiscard]] Picoseconds due() const;
    void schedule();
    [[nodiscard]] std::optional<Turn> choose(Picoseconds at);
    void issue(const Turn& turn, Picoseconds at);
    [[nodiscard]] Outcome transport(const Channel::Access& access, std::uint8_t* data,
                                    Picoseconds at);
    void attribute(unsigned channel, const Channel::Access& access);
    void requested(unsigned line, Picoseconds at);
    void pulsed(unsigned input, Picoseconds at);
    void update_lines();
    [[nodiscard]] bool runs() const { return !clocked || clocked(); }

    const Kind kind_;
    Requests& requests_;
    const DmaParameters parameters_;
    const Picoseconds suspend_;
    ChannelTraits plain_, two_d_;
    Times times_;
    Picoseconds cycle_ = 10'000;
    Arbiter arbiter_;
    std::vector<std::unique_ptr<Channel>> channels_;
    std::uint32_t security_ = 0, privilege_ = 0, locks_ = 0, lines_ = 0;
    std::array<Picoseconds, kPorts> port_free_{};
    Picoseconds reached_ = 0;
    bool running_ = false;  ///< inside `run`, of which accesses to itself are a part
    sc_core::sc_event due_;
    tlm::tlm_generic_payload payload_;
    Transfer transfer_;
    std::vector<std::uint8_t> buffer_;
    std::vector<std::string> names_;
    Guard guard_;
};

}  // namespace n6vp::models::dma
