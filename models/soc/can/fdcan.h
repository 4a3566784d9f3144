// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"
#include "models/soc/can/can_frame.h"
#include "models/soc/can/message_ram.h"

namespace n6vp::models::can {

/// One FDCAN, an M_CAN of Bosch with external message RAM.
///
/// Modelled: INIT, CCE with write protection, clock stop request; dedicated transmit buffers, FIFO
/// and queue with arbitration among them, cancellation, transmit events; frames of CAN and CAN FD
/// with bit rate switch, and their time by NBTP, DBTP and stuff bits; internal and external loop
/// back; filters for both kinds of identifiers, receive FIFOs 0 and 1 with watermark, blocking or
/// overwriting, receive buffers, high priority messages; error counters and states; time stamps of
/// the internal counter; interrupts on both lines.
/// Without loop back there is nobody else on the bus: no frame is acknowledged. The controller
/// repeats it, becomes error passive and stays so, as ISO 11898-1 has it. A request to transmit
/// then answers "not modelled", so that reports name it. Bus monitoring and restricted operation
/// send nothing.
/// Not modelled: other nodes, the calibration unit, time-triggered operation, external time stamps,
/// time-out counter, RAM watchdog, transmitter delay compensation, edge filtering, non-ISO frames,
/// transmit pause, debug messages (they are dropped), the test of the pins: what switches one on
/// answers "not modelled".
/// Inferred: INIT and CSA follow at once; CREL is that of the STM32H7.
/// Source: public M_CAN user's manual; device header; HAL driver.
class Fdcan : public sc_core::sc_module, public RegisterBlock {
  public:
    struct Statistics {
        std::uint64_t sent = 0, received = 0, unacknowledged = 0;
    };

    Fdcan(const sc_core::sc_module_name& name, const char* block, MessageRam& ram);
    using RegisterBlock::name;

    /// `line`: 0 or 1.
    std::function<void(unsigned line, bool level)> on_interrupt;
    /// Kernel clock from now on, above 0 Hz; the frame under way keeps its time.
    void set_kernel_hz(double hz) { hz_ = hz; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;

  private:
    enum class Phase : std::uint8_t { Off, Integrating, Idle, Sending, Recovering, Intermission };
    /// A receive FIFO, or that of transmit events.
    struct Fifo {
        unsigned get = 0, put = 0, fill = 0;
    };
    /// Where its registers and flags are.
    struct FifoLayout {
        std::uint32_t configuration;  ///< its status and acknowledge registers follow
        unsigned new_flag;            ///< watermark, full and lost follow
        unsigned size_mask;
    };
    static constexpr FifoLayout kReceive[2] = {{0xA0, 0, 0x7F}, {0xB0, 4, 0x7F}};
    static constexpr FifoLayout kEvents = {0xF0, 12, 0x3F};

    // Registers: fdcan.cpp.
    void step();
    /// All that happens up to `at` has happened.
    void settle(Picoseconds at);
    void update();
    void raise(unsigned flag) { at(kIr) |= 1u << flag; }
    void write_control(std::uint32_t written, Picoseconds at);
    void write_configuration(std::uint32_t offset, std::uint32_t merged);
    [[nodiscard]] bool write_other(std::uint32_t offset, std::uint32_t written, Picoseconds at);
    [[nodiscard]] bool modelled(std::uint32_t offset, std::uint32_t value) const;
    void clear_messages();
    [[nodiscard]] std::uint32_t read_protocol_status();
    [[nodiscard]] std::uint32_t fifo_status(const Fifo& fifo, const FifoLayout& layout) const;
    [[nodiscard]] std::uint32_t transmit_status() const;
    void acknowledge(Fifo& fifo, const FifoLayout& layout, unsigned index);
    [[nodiscard]] unsigned fifo_size(const FifoLayout& layout) const {
        return get(layout.configuration) >> 16 & layout.size_mask;
    }
    /// Ticks since the time stamp was zero, without its wrap.
    [[nodiscard]] std::uint64_t stamp_ticks(Picoseconds at) const;
    [[nodiscard]] std::uint32_t time_stamp(Picoseconds at) const {
        return static_cast<std::uint32_t>(stamp_ticks(at) & 0xFFFF);
    }
    [[nodiscard]] Picoseconds stamp_wrap_at() const;  ///< kNever: not awaited
    [[nodiscard]] bool loops_back() const;
    [[nodiscard]] bool listens_only() const;  ///< sends nothing

    // What is on the bus: fdcan_bus.cpp.
    void advance(Picoseconds at);
    void enter(Phase phase, Picoseconds due);
    void start_next(Picoseconds at);
    [[nodiscard]] unsigned choose() const;  ///< the buffer to be sent; 32: none
    [[nodiscard]] Frame frame_of(unsigned buffer) const;
    void sent(Picoseconds at);
    void unacknowledged(Picoseconds at);
    void finish_buffer(unsigned buffer, bool transmitted);
    void request(std::uint32_t buffers, Picoseconds at);
    void cancel(std::uint32_t buffers);
    void skip_finished();
    void add_event(const Frame& frame, std::uint32_t second_word, Picoseconds at);
    void update_error_state();
    [[nodiscard]] BitTiming nominal() const;
    [[nodiscard]] BitTiming data() const;
    [[nodiscard]] Picoseconds bits(unsigned count) const;
    [[nodiscard]] std::uint32_t buffer_bits() const;  ///< those that TXBC allots
    [[nodiscard]] unsigned dedicated() const { return get(kTxbc) >> 16 & 0x3F; }
    [[nodiscard]] unsigned queued() const { return get(kTxbc) >> 24 & 0x3F; }
    [[nodiscard]] bool queue_mode() const { return (get(kTxbc) >> 30 & 1) != 0; }

    // What is received: fdcan_receive.cpp.
    /// What a filter wants done with a frame.
    struct Match {
        unsigned action = 0;   ///< SFEC or EFEC
        unsigned index = 0;    ///< of the filter
        unsigned target = 0;   ///< second identifier: a receive buffer
        bool matched = false;  ///< by a filter
    };
    void receive(const Frame& frame, Picoseconds at);
    [[nodiscard]] Match filter(const Frame& frame) const;
    [[nodiscard]] bool find_standard(std::uint32_t identifier, Match& match) const;
    [[nodiscard]] bool find_extended(std::uint32_t identifier, Match& match) const;
    [[nodiscard]] bool store(unsigned fifo, const Frame& frame, const Match& match, Picoseconds at);
    void write_element(std::uint32_t word, unsigned size_code, const Frame& frame,
                       const Match& match, Picoseconds at);
    void note_priority(const Match& match, bool extended, unsigned storage, unsigned index);

    static constexpr std::uint32_t kCccr = 0x18, kIr = 0x50, kTxbc = 0xC0;
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }

    MessageRam& ram_;
    double hz_ = 100e6;  ///< until it is set
    std::array<std::uint32_t, 0x200 / 4> held_{};
    Phase phase_ = Phase::Off;
    Picoseconds due_ = 0;  ///< end of the phase; 0: none
    Frame frame_;          ///< under way
    unsigned buffer_ = 0;  ///< it is in
    Picoseconds acknowledge_at_ = 0;
    std::array<Fifo, 2> received_;
    Fifo events_;
    unsigned fifo_get_ = 0, fifo_put_ = 0;  ///< of the transmit FIFO, as buffers
    unsigned transmit_errors_ = 0;          ///< REC stays 0: nobody else sends
    unsigned error_log_ = 0;                ///< CEL
    unsigned last_error_ = 7, last_data_error_ = 7;
    std::uint32_t seen_ = 0;         ///< RESI, RBRS, REDL
    std::uint32_t error_state_ = 0;  ///< EP, EW of PSR
    std::uint64_t stamp_wraps_ = 0;  ///< that TSW has told
    Picoseconds stamp_from_ = 0;     ///< when the time stamp was zero
    std::array<SignalLevel, 2> levels_;
    sc_core::sc_event next_;
    Statistics statistics_;
};

}  // namespace n6vp::models::can
