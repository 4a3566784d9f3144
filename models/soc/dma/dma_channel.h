// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "models/picoseconds.h"
#include "models/soc/dma/dma_format.h"
#include "models/soc/dma/dma_registers.h"
#include "models/soc/dma/dma_requests.h"

namespace n6vp::models::dma {

/// Delays of a channel, from the controller's clock.
struct Times {
    Picoseconds grant = 1, link = 1, suspend = 1;
};

/// One channel of a DMA controller: its registers, FIFO and the transfer under way.
///
/// A channel has no bus. The controller asks from when on it is ready to read, write or load a list
/// item, lets it `begin`, makes the access, and tells the channel by `end` when that is over.
/// Reading and writing overlap as far as the FIFO has room. Assumed: the FIFO counts bytes in
/// their destination form; a half-transfer event of a repeated block that is not repeated is that
/// of the block; a channel enabled without data and without list is disabled again without an
/// event.
class Channel {
  public:
    enum class Move : std::uint8_t { Read, Write, Link };

    struct Access {
        std::uint32_t address = 0, bytes = 0;
        std::uint32_t beat_bytes = 4;
        bool increments = true;  ///< false: each beat at the same address
        bool write = false;
        bool secure = false;
        unsigned port = 0;
        unsigned answers = Requests::kLines;  ///< the line whose request it takes; kLines: none
    };

    /// All that is given outlives the channel. `output` is the trigger input of others that has a
    /// pulse when a transfer is complete.
    Channel(const ChannelTraits& traits, const Times& times, Requests& requests, unsigned output)
        : traits_(traits), times_(times), requests_(requests), output_(output) {}

    // Registers, by their offset in the channel.
    [[nodiscard]] static bool exists(std::uint32_t offset, const ChannelTraits& traits);
    [[nodiscard]] std::uint32_t read(std::uint32_t offset) const;
    /// Returns false if the value asks for something that is not modelled.
    bool write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask, Picoseconds at);
    void reset();
    /// SECCFGR: a channel that becomes non-secure loses the attributes of its transfers.
    void set_secure(bool secure);
    [[nodiscard]] bool secure() const { return secure_; }
    [[nodiscard]] bool interrupt() const { return (flags_ & cr_ & kFlags) != 0; }
    [[nodiscard]] unsigned priority() const { return field(cr_, 22, 2); }
    [[nodiscard]] std::uint32_t isolation() const { return isolation_; }  ///< CIDCFGR
    /// The request line that it waits for, Requests::kLines if none.
    [[nodiscard]] unsigned line() const;
    /// A trigger input has a pulse.
    void hit(unsigned input, Picoseconds at);

    // The transfer under way.
    /// Returns false if time changes nothing.
    [[nodiscard]] bool active() const { return phase_ != Phase::Off || suspend_at_ != kNever; }
    /// Returns when `settle` has to be called next, kNever if the channel waits for others.
    [[nodiscard]] Picoseconds due() const;
    /// What ends up to `now` has ended.
    void settle(Picoseconds now);
    /// Returns from when on it is ready for that move, kNever if not for now.
    [[nodiscard]] Picoseconds ready(Move move) const;
    [[nodiscard]] unsigned port(Move move) const;
    /// Begins a move that is ready. The data of a write are in `outgoing` until the next one.
    [[nodiscard]] Access begin(Move move);
    [[nodiscard]] std::span<std::uint8_t> outgoing() { return outgoing_; }
    /// The move that began is over at `at`; `data` are those of a read or of the list item.
    void end(Move move, bool ok, std::span<const std::uint8_t> data, Picoseconds at);

  private:
    enum class Phase : std::uint8_t { Off, Data, Link };
    struct Flight {
        Picoseconds until = kNever;
        bool ok = true;
        std::vector<std::uint8_t> data;
        std::uint32_t bytes = 0;
        [[nodiscard]] bool busy() const { return bytes != 0; }
    };

    [[nodiscard]] std::uint32_t* stored(std::uint32_t offset);
    [[nodiscard]] std::uint32_t writable(std::uint32_t offset) const;
    void write_control(std::uint32_t value, std::uint32_t mask, Picoseconds at);
    void start(Picoseconds at);
    void begin_item(Picoseconds at);
    void begin_block(Picoseconds at);
    void end_block(Picoseconds at);
    void end_item(Picoseconds at);
    void stop(std::uint32_t flags);
    void take_read(Picoseconds at);
    void take_write(Picoseconds at);
    void take_item(Picoseconds at);
    void load(std::span<const std::uint8_t> words);
    void tell_half_of_block();
    [[nodiscard]] bool user_error() const;
    [[nodiscard]] bool in_flight() const {
        return reading_.busy() || writing_.busy() || linking_.busy();
    }
    [[nodiscard]] std::uint32_t left() const { return br1_ & 0xFFFF; }
    [[nodiscard]] std::uint32_t programmed() const { return programmed_br1_ & 0xFFFF; }
    [[nodiscard]] std::uint32_t repeats() const { return field(programmed_br1_, 16, 11); }
    [[nodiscard]] std::uint32_t burst(bool of_source) const;
    [[nodiscard]] std::uint32_t to_border(bool of_source) const;
    [[nodiscard]] std::uint32_t level() const;
    [[nodiscard]] std::uint32_t readable() const;
    [[nodiscard]] std::uint32_t writable_now() const;
    [[nodiscard]] std::uint32_t link_bytes() const;
    [[nodiscard]] unsigned event_mode() const;
    [[nodiscard]] bool gated(Move move) const;
    /// CTR2 names a trigger whose source is modelled.
    [[nodiscard]] bool triggered() const;
    [[nodiscard]] unsigned trigger_mode() const;
    [[nodiscard]] bool waits_for_hit(Move move) const;
    /// Returns from when on a trigger allows that move, which is ready `from` then.
    [[nodiscard]] Picoseconds hit_or(Move move, Picoseconds from) const {
        return waits_for_hit(move) ? std::max(from, hit_at_) : from;
    }
    void take_hit(Move move);
    /// Returns when a list item of no words is taken, kNever if there is none.
    [[nodiscard]] Picoseconds empty_item_at() const;
    void complete(Picoseconds at);

    const ChannelTraits& traits_;
    const Times& times_;
    Requests& requests_;
    const unsigned output_;
    bool secure_ = false;
    std::uint32_t lbar_ = 0, isolation_ = 0, semaphore_ = 0, flags_ = 0, cr_ = 0;
    std::uint32_t tr1_ = 0, tr2_ = 0, br1_ = 0, sar_ = 0, dar_ = 0, tr3_ = 0, br2_ = 0, llr_ = 0;

    Phase phase_ = Phase::Off;
    bool first_item_ = false;  ///< the registers as software wrote them, not from memory
    bool link_event_ = false;  ///< the load of the next item completes a transfer
    std::uint32_t programmed_br1_ = 0;
    std::uint32_t source_left_ = 0, dest_left_ = 0;  ///< of the bursts under way
    std::uint32_t delivered_ = 0;                    ///< source bytes of the block
    std::uint32_t blocks_done_ = 0;
    bool half_told_ = false;
    bool block_granted_ = false, read_granted_ = false, write_granted_ = false;
    Picoseconds hit_at_ = kNever;  ///< a trigger that nothing has taken yet
    bool unit_hit_ = false;        ///< the block, or the repeated block, has had its trigger
    Picoseconds read_from_ = 0, write_from_ = 0, link_from_ = 0;
    Picoseconds suspend_at_ = kNever;
    bool suspended_ = false;
    Format format_{0};
    std::vector<std::uint8_t> fifo_, outgoing_;
    Flight reading_, writing_, linking_;
};

}  // namespace n6vp::models::dma
