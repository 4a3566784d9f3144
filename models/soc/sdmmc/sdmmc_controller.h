// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>
#include <vector>

#include "models/duration.h"
#include "models/parameter.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"
#include "models/soc/rif/burst_port.h"
#include "models/soc/sdmmc/sd_card.h"

namespace n6vp::models {

struct SdmmcParameters {
    Parameter response_gap{"response_gap", 8, counts(64, "card clocks"), Confidence::Assumed,
                           "end of a command to its response; the specification allows 2 to 64"};
    Parameter block_gap{"block_gap", 8, counts(1000, "card clocks"), Confidence::Assumed,
                        "between blocks, and before the first block of a write"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.response_gap);
        function(self.block_gap);
    }
};

namespace sdmmc {

/// SDMMC: the host of an SD card.
///
/// Modelled: POWER, CLKCR (divider, 1, 4 and 8 lines, DDR, hardware flow control), commands with
/// short and long responses, time-out after 64 clocks without one, CRC check of responses (R3 has
/// none), CMDTRANS, CMDSTOP; the data path in block mode with data timer, FIFO of 1 KiB with its
/// flags, overrun and underrun, abort, busy of the card; internal DMA of single buffers and of
/// linked lists; STAR, ICR, MASKR and the interrupt. Times are those of the bits on the lines.
/// Assumed, as the driver needs it: DATAEND of a read when the FIFO is empty; a block of a write
/// starts when the FIFO has it, or is half full; after an error the data path is idle.
/// Not modelled: SDIO (WAITINT, suspend, read wait), DTMODE other than 0, boot mode, WAITPEND,
/// DTHOLD, voltage switch, FIFOTHRR: switching one of these on answers "not modelled". PWRSAV,
/// DIRPOL, edges and delays of clocks change nothing here. DBCKEND belongs to the read wait. An
/// internal DMA that is late does not overrun; a command without a clock waits for ever.
/// Sources: CMSIS device header and public register description; drivers (depth of the FIFO, list
/// of the DMA); behaviour documented for the STM32H7 and MP1, which have earlier versions.
class Controller : public sc_core::sc_module, public RegisterBlock {
  public:
    static constexpr std::size_t kFifoBytes = 1024;

    BurstPort port;  ///< of the internal DMA
    MasterAttributes attributes;

    Controller(const sc_core::sc_module_name& name, const char* block,
               const SdmmcParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;

    /// The card in the slot, null for none. It must outlive the controller.
    void insert(Card* card) { card_ = card; }
    [[nodiscard]] Card* card() { return card_; }
    /// Frequency of the kernel clock, above 0, from the next bits on the lines on.
    void set_kernel_hz(double hz) { kernel_hz_ = hz; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;

  private:
    enum class CommandPhase : std::uint8_t { Idle, Send, Respond, NoResponse };
    enum class DataPhase : std::uint8_t {
        Idle,
        AwaitBlock,  ///< of the card
        Receive,     ///< a piece of a block, up to `due`
        ReceiveEnd,  ///< CRC and end bit
        Drain,       ///< all has come: the FIFO empties
        AwaitFifo,   ///< for a block to send
        Send,
        SendEnd,  ///< CRC, end bit, CRC status of the card
        Busy,
    };

    void step();
    void settle(Picoseconds at);
    void update(Picoseconds at);

    // Commands.
    void write_command(std::uint32_t value, Picoseconds at);
    void advance_command();
    void command_sent(Picoseconds at);
    void response_received(Picoseconds at);

    // Data.
    [[nodiscard]] unsigned lines() const;
    [[nodiscard]] bool lines_agree() const;
    [[nodiscard]] bool flow_control() const;
    [[nodiscard]] bool clocked() const { return (power_ & 3) == 3; }
    [[nodiscard]] Picoseconds clocks(double count) const;
    [[nodiscard]] Picoseconds data_time(std::size_t bytes) const;
    [[nodiscard]] std::size_t piece() const;  ///< next of the block on the lines
    void start_data(Picoseconds at);
    void end_data(std::uint32_t flags);
    void await_block(Picoseconds at);
    void advance_data();
    void begin_block(Picoseconds at);
    void piece_received(Picoseconds at);
    void block_received(Picoseconds at);
    void try_to_send(Picoseconds at);
    void send_piece(Picoseconds at);
    void block_sent(Picoseconds at);
    void write_control(std::uint32_t value, Picoseconds at);
    [[nodiscard]] std::uint32_t take_word(Picoseconds at);
    void put_word(std::uint32_t word, Picoseconds at);

    // Internal DMA.
    [[nodiscard]] bool moves_itself() const { return (dma_control_ & 1) != 0; }
    void start_dma(Picoseconds at);
    void move(Picoseconds at);
    void store();
    void fetch();
    void dma_fails();
    /// Returns how many bytes of the buffer come next, 0 if there is none.
    [[nodiscard]] std::uint32_t dma_piece(std::size_t most);
    /// Returns false if the bus refused.
    bool moved(std::uint32_t bytes, const BurstPort::Outcome& outcome);
    [[nodiscard]] bool next_buffer();

    [[nodiscard]] std::uint32_t status(Picoseconds at) const;
    [[nodiscard]] std::uint32_t value_of(std::uint32_t offset, Picoseconds at) const;
    [[nodiscard]] bool write_register(std::uint32_t offset, std::uint32_t value, Picoseconds at);

    const SdmmcParameters parameters_;
    Card* card_ = nullptr;
    double kernel_hz_ = 100e6;  ///< until it is set

    std::uint32_t power_ = 0, clock_ = 0, argument_ = 0, command_ = 0, responded_ = 0;
    Card::Registers response_{};
    std::uint32_t timer_ = 0, length_ = 0, control_ = 0, flags_ = 0, mask_ = 0, acknowledge_ = 0,
                  threshold_ = 0;
    std::uint32_t dma_control_ = 0, dma_size_ = 0, dma_base_ = 0, dma_link_ = 0, dma_list_ = 0;

    CommandPhase command_phase_ = CommandPhase::Idle;
    Picoseconds command_due_ = kNever;
    Card::Response card_response_;
    bool busy_counts_ = false;  ///< the end of the card's busy follows a command

    DataPhase data_phase_ = DataPhase::Idle;
    Picoseconds data_due_ = kNever, deadline_ = kNever;
    bool line_stands_ = false;  ///< hardware flow control has stopped the clock
    bool from_card_ = false;
    std::uint32_t block_bytes_ = 1;
    std::uint32_t remaining_ = 0;  ///< DATACOUNT
    std::vector<std::uint8_t> block_;
    bool block_good_ = true;    ///< its CRC will be right
    std::size_t position_ = 0;  ///< in the block
    std::deque<std::uint8_t> fifo_;

    std::uint32_t buffer_at_ = 0, buffer_left_ = 0, fetched_ = 0;
    bool dma_failed_ = false;
    Picoseconds dma_free_ = 0;

    SignalLevel level_;
    sc_core::sc_event next_;
};

}  // namespace sdmmc
}  // namespace n6vp::models
