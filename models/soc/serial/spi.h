// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"
#include "models/soc/serial/spi_device.h"

namespace n6vp::models {

struct SpiParameters {
    Parameter start{"start", 1, "bit times", Confidence::Assumed,
                    "from CSTART, with data to send, to the first bit, beside CFG2.MSSI"};
    Parameter idle_miso{"idle_miso", 0, kSwitch, Confidence::Assumed,
                        "level of MISO where no device is selected: nothing drives or pulls it"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.start);
        function(self.idle_miso);
    }
};

/// SPI controller (version 3 of the unit: STM32H5, H7RS, N6) as the bus's master.
///
/// Modelled: full duplex, simplex and half duplex; frames of 4 to 32 bits in either order; FIFOs
/// with their packets, packed accesses to the data registers; TSIZE with CTSIZE, or endless
/// transfers with CSUSP; RXP TXP DXP EOT TXTF OVR CRCE MODF SUSP TXC RXPLVL RXWNE; checksums;
/// interrupt and DMA requests; the time of a bit by MBR, BPASS and the kernel clock, MSSI and MIDI.
/// Not modelled: slave mode, I2S, the frame format of TI, the RDY pin; SS as an input. Asking for
/// one answers "not modelled".
/// Devices hear MOSI while their chip select is active: that of the controller, which follows SPE,
/// and with SSOE the transfer; or a pin of a GPIO port, by `select`.
/// Assumed: with MASRX the clock rests, without SUSP, while the receive FIFO is full; in a transfer
/// that only receives MOSI is low; a frame that does not fit the transmit FIFO is lost.
/// Sources: registers of the public register description; behaviour of the HAL driver and the
/// reference manuals of the family.
class Spi : public sc_core::sc_module, public RegisterBlock {
  public:
    struct Statistics {
        std::uint64_t transfers = 0;  ///< by CSTART
        std::uint64_t frames = 0;     ///< clocked
        std::uint64_t overruns = 0;   ///< frames that found the receive FIFO full
    };

    /// `fifo_bytes` of each FIFO: 16, or 8 of the units with limited features.
    Spi(const sc_core::sc_module_name& name, const char* block, unsigned fifo_bytes,
        const SpiParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;
    /// DMA requests, level and the absolute time of its change. While one is not connected, its
    /// enable answers "not modelled".
    std::function<void(bool level, Picoseconds at)> on_transmit_request, on_receive_request;

    enum class ChipSelect : bool { OfController, OfPin };
    /// Puts a device on the bus. Returns its number for `select`.
    std::size_t attach(std::unique_ptr<SpiDevice> device, ChipSelect by);
    /// The pin that selects a device has this level from the absolute time `at` on.
    void select(std::size_t device, bool active, Picoseconds at);

    /// Frequency of the kernel clock from now on; the frame under way keeps its time.
    void set_kernel_hz(double hz);
    /// Returns the time of a bit.
    [[nodiscard]] Picoseconds bit_ps() const;
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer read_bytes(std::uint32_t offset, std::uint32_t mask,
                                    Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;

  private:
    struct Attached {
        std::unique_ptr<SpiDevice> device;
        ChipSelect by = ChipSelect::OfController;
        bool active = false;
    };
    enum class Phase : std::uint8_t {
        Idle,  ///< no transfer, or it waits for data or room
        Frame,
        Checksum,
    };

    void step();
    /// All that happens on the bus up to `at` has happened.
    void settle(Picoseconds at);
    void start(Picoseconds at);
    /// Clocks the next frame of a transfer if there is one, with data and room.
    void go_on(Picoseconds at);
    void enter(Phase phase, unsigned bits, Picoseconds at);
    void frame_ends(Picoseconds at);
    void checksum_ends();
    void transfer_ends();
    void suspend();
    void enable();
    void disable();
    /// The chip select of the controller.
    void select_all(bool active);
    void activate(Attached& attached, bool active);
    [[nodiscard]] std::uint32_t exchange(std::uint32_t frame, unsigned bits);

    void write_control(std::uint32_t next, Picoseconds at);
    void write_data(std::uint32_t value, std::uint32_t mask, Picoseconds at);
    [[nodiscard]] std::uint32_t read_data(std::uint32_t mask, Picoseconds at);
    [[nodiscard]] std::uint32_t* stored(std::uint32_t offset);
    [[nodiscard]] bool modelled(std::uint32_t offset) const;
    [[nodiscard]] std::uint32_t status() const;

    [[nodiscard]] bool enabled() const;
    [[nodiscard]] bool sends() const;
    [[nodiscard]] bool receives() const;
    [[nodiscard]] unsigned frame_bits() const;
    [[nodiscard]] unsigned frame_bytes() const;  ///< in a FIFO and a data register
    [[nodiscard]] unsigned packet() const;       ///< frames
    [[nodiscard]] bool wants_data() const;
    [[nodiscard]] bool has_data() const;
    /// Returns a checksum after the bits of a frame.
    [[nodiscard]] std::uint32_t checksum(std::uint32_t sum, std::uint32_t frame) const;
    /// Interrupt, requests and the next moment at which anything happens by itself.
    void update(Picoseconds at);

    const SpiParameters parameters_;
    const unsigned fifo_bytes_;
    double kernel_hz_ = 0;
    std::uint32_t cr1_ = 0, cr2_ = 0, cfg1_ = 0, cfg2_ = 0, ier_ = 0, polynomial_ = 0, udrdr_ = 0,
                  i2scfgr_ = 0;
    std::uint32_t flags_ = 0;  ///< those of SR that stay
    std::deque<std::uint32_t> transmit_, receive_;
    std::uint32_t remaining_ = 0, unwritten_ = 0;  ///< frames of TSIZE to clock, to write
    std::uint32_t shift_ = 0;
    std::uint32_t sent_sum_ = 0, received_sum_ = 0;
    bool suspends_ = false;
    Phase phase_ = Phase::Idle;
    Picoseconds due_ = 0;       ///< end of the phase; 0: none
    Picoseconds ready_at_ = 0;  ///< not before it may the next frame begin
    std::vector<Attached> devices_;
    SignalLevel level_, transmit_level_, receive_level_;
    sc_core::sc_event next_;
    Statistics statistics_;
};

}  // namespace n6vp::models
