// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"

namespace n6vp::models {

struct UartParameters {
    Parameter fifo_depth{"fifo_depth", 8, counts(64, "characters"), Confidence::Documented,
                         "public driver: 8 each way; 1 while FIFOEN = 0"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.fifo_depth);
    }
};

/// A serial port (USART, UART, LPUART) as software drives it: by polling, interrupts or DMA.
///
/// Modelled: CR1 CR2 CR3 BRR PRESC, frames of 7 to 9 bits with parity bit and 0.5 to 2 stop bits
/// that take their time on the line in both directions, transmit and receive FIFO with thresholds,
/// TXE TC TXFE RXNE RXFF ORE IDLE BUSY TEACK REACK, ICR, flushes of RQR, the interrupt line, DMA
/// requests; with UESM the wake-up flag WUF by a start bit, a character or an own address.
/// Configuration that the port only takes while UE = 0 is left unchanged by writes while UE = 1.
/// Not modelled: the idle frame after TE is set, parity and framing errors, time-out, mute mode and
/// character match, break, flow control, synchronous, smartcard, LIN and IrDA modes. Switching one
/// of these on answers "not modelled". Bit 8 of a character of nine bits is zero.
class Uart : public sc_core::sc_module, public RegisterBlock {
  public:
    /// The low-power kind divides by BRR / 256.
    enum class Kind : std::uint8_t { Usart, LowPower };

    struct Statistics {
        std::uint64_t sent = 0, received = 0;
        std::uint64_t unsent = 0;   ///< written while off or full, or flushed
        std::uint64_t overrun = 0;  ///< arrived while there was no room
        std::uint64_t unheard = 0;  ///< arrived while the receiver was off
        std::uint64_t kept = 0;     ///< writes to configuration that UE = 1 protects
    };

    Uart(const sc_core::sc_module_name& name, const char* block, Kind kind,
         const UartParameters& parameters = {});
    using RegisterBlock::name;

    /// A character left the line at `at`. Called in the order of time, at that time unless an
    /// access to a register comes after it first.
    std::function<void(std::uint8_t character, Picoseconds at)> on_character;
    std::function<void(bool level)> on_interrupt;
    /// DMA requests, level and the absolute time of its change: room to send and a character
    /// received, each with its enable in CR3. While one is not connected, its enable answers "not
    /// modelled".
    std::function<void(bool level, Picoseconds at)> on_transmit_request, on_receive_request;

    /// Frequency of the kernel clock from now on; frames under way keep their time.
    void set_kernel_hz(double hz);
    /// The other side begins to send, now or after what it sent before, at the speed set here.
    void receive(std::uint8_t character);
    /// The receiver is on: what the other side sends now arrives.
    [[nodiscard]] bool receives() const;
    /// Characters of the other side that have not arrived yet.
    [[nodiscard]] std::size_t on_the_way() const { return incoming_.size(); }
    /// Characters that have arrived and that software has not read yet.
    [[nodiscard]] std::size_t unread() const { return received_.size(); }

    /// Returns the time of one frame, 0 if the divider is not legal.
    [[nodiscard]] Picoseconds frame_ps() const;
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;

  private:
    struct Frame {
        std::uint8_t character = 0;
        Picoseconds start = 0, end = 0;
    };

    void step();
    /// All that happens on the line up to `at` has happened.
    void settle(Picoseconds at);
    void settle_idle(Picoseconds at);
    void arrive(const Frame& frame);
    /// The first of the incoming frames begins.
    void begin_frame();
    /// Returns true if this event, by its number in WUS, sets WUF.
    [[nodiscard]] bool wakes_by(unsigned event) const;
    [[nodiscard]] bool is_own_address(std::uint8_t character) const;
    void transmit(std::uint8_t character, Picoseconds at);
    void request(std::uint32_t value);
    void clear_flags(std::uint32_t value);
    void write_control_1(std::uint32_t next, std::uint32_t mask);
    /// Returns true if CR3 asks for nothing that is not modelled.
    [[nodiscard]] bool knows_control_3() const;
    /// Interrupt line, requests and the next moment at which anything happens by itself.
    void update(Picoseconds at);

    [[nodiscard]] bool enabled(std::uint32_t direction) const;
    [[nodiscard]] std::size_t depth() const;
    [[nodiscard]] std::size_t waiting(Picoseconds at) const;  ///< in the transmit FIFO
    [[nodiscard]] std::uint32_t status(Picoseconds at) const;
    [[nodiscard]] bool interrupt(std::uint32_t status) const;
    [[nodiscard]] unsigned data_bits() const;
    [[nodiscard]] std::uint8_t data_mask() const;
    [[nodiscard]] std::uint32_t* stored(std::uint32_t offset);

    Kind kind_;
    std::size_t fifo_depth_;
    double kernel_hz_ = 0;
    std::uint32_t cr1_ = 0, cr2_ = 0, cr3_ = 0, brr_ = 0, gtpr_ = 0, rtor_ = 0, presc_ = 0;
    std::uint32_t flags_ = 0;  ///< sticky ones: ORE, IDLE, TC, WUF
    std::deque<Frame> outgoing_, incoming_;
    std::deque<std::uint8_t> received_;
    std::uint8_t last_received_ = 0;  ///< RDR keeps it
    Picoseconds idle_at_ = 0;         ///< 0: no idle line is awaited
    SignalLevel level_, transmit_level_, receive_level_;
    sc_core::sc_event next_;
    Statistics statistics_;
};

}  // namespace n6vp::models
