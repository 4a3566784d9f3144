// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "models/parameter.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// Times of the card. Cards differ widely: the values are typical of a card of speed class 4.
struct SdCardParameters {
    Parameter initialisation{"initialisation", 10'000, "us", Confidence::Assumed,
                             "first ACMD41 to ready; the specification allows 1 s"};
    Parameter read_access{"read_access", 200, "us", Confidence::Assumed,
                          "end of a read command to its first block; at most 100 ms"};
    Parameter write_busy{"write_busy", 20, "us", Confidence::Assumed,
                         "busy after each block but the last of a transfer"};
    Parameter program{"program", 500, "us", Confidence::Assumed,
                      "busy after a single block, or after STOP_TRANSMISSION of a write; at most "
                      "250 ms"};
    Parameter erase{"erase", 1'000, "us", Confidence::Assumed, "busy after ERASE, of any size"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.initialisation);
        function(self.read_access);
        function(self.write_busy);
        function(self.program);
        function(self.erase);
    }
};

namespace sdmmc {

/// An SD memory card of high capacity (SDHC, addressed in blocks), as commands see it.
///
/// Modelled: initialisation (CMD0, CMD8, ACMD41), identification (CMD2, 3, 9, 10), selection
/// (CMD7), status (CMD13, ACMD13, ACMD22), SCR (ACMD51), bus width (ACMD6), switch to high speed
/// (CMD6), block length (CMD16), single and multiple blocks with and without a count (CMD17, 18,
/// 23, 24, 25, ACMD23), stop (CMD12), erase (CMD32, 33, 38; erased blocks read zero). A command
/// that the state does not allow has no response, and ILLEGAL_COMMAND stands in the next status.
/// Not modelled: 1.8 V signalling and UHS modes (S18A is 0, CMD11 is illegal), write protection,
/// locks (CMD42), CMD20, 27, 56, a limit of the clock, wear.
/// Source: SD Specifications, Part 1, Physical Layer, Simplified Specification.
class Card {
  public:
    static constexpr std::uint32_t kBlock = 512;
    /// Capacity comes in such pieces (C_SIZE of the CSD).
    static constexpr std::uint64_t kUnit = std::uint64_t{512} << 10;
    static constexpr std::uint64_t kMost = std::uint64_t{32} << 30;  ///< of high capacity

    using Block = std::array<std::uint8_t, kBlock>;
    using Registers = std::array<std::uint32_t, 4>;  ///< the first has bits 127 to 96

    struct Response {
        enum class Kind : std::uint8_t {
            None,
            Short,
            ShortWithoutCrc,  ///< R3
            Long,             ///< R2
        };
        Kind kind = Kind::None;
        std::uint8_t index = 0;  ///< in the response's field: 63 in R2 and R3
        Registers words{};       ///< a short one uses the first
    };

    /// A card with these contents, whose size is a multiple of kBlock, at least one block and at
    /// most kMost; blocks up to the next multiple of kUnit are there, too, and zero.
    explicit Card(std::vector<std::uint8_t> contents, const SdCardParameters& parameters = {});

    /// The host sends a command that ends at the absolute time `at`.
    [[nodiscard]] Response command(unsigned index, std::uint32_t argument, Picoseconds at);
    /// Returns when the block that the card has to send begins, kNever if it has none.
    [[nodiscard]] Picoseconds sends_at() const { return sends_at_; }
    /// Takes the block that begins now and ends at `end`.
    [[nodiscard]] std::vector<std::uint8_t> send(Picoseconds end);
    /// Returns true if the card waits for blocks.
    [[nodiscard]] bool receives() const { return state_ == State::Receive; }
    /// A block of the host has come by the time `at`; `whole`: its CRC is right. Returns true if
    /// the card's CRC status is positive.
    [[nodiscard]] bool receive(std::span<const std::uint8_t> bytes, bool whole, Picoseconds at);
    /// Returns until when the card holds D0 low, 0 if it does not.
    [[nodiscard]] Picoseconds busy_until() const { return busy_until_; }
    [[nodiscard]] unsigned lines() const { return lines_; }

    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] Block block(std::uint64_t number) const;
    /// Returns the blocks that were written or erased since the card was new.
    [[nodiscard]] const std::map<std::uint64_t, Block>& written() const { return written_; }

    /// State of a card that has just got its supply; contents stay.
    void power_on();
    /// The contents that the card was made with.
    void restore() { written_.clear(); }

  private:
    enum class State : std::uint8_t {
        Idle,
        Ready,
        Identification,
        StandBy,
        Transfer,
        Data,
        Receive,
        Program,
        Disconnect,
        Inactive,
    };

    void settle(Picoseconds at);
    void busy(const Parameter& time, Picoseconds at, State after);
    [[nodiscard]] Response respond(unsigned index, std::uint32_t argument, Picoseconds at);
    [[nodiscard]] Response application(unsigned index, std::uint32_t argument, Picoseconds at);
    [[nodiscard]] Response illegal();
    [[nodiscard]] Response status(unsigned index);
    [[nodiscard]] Response long_response(const Registers& words) const;
    [[nodiscard]] Response select(std::uint32_t argument, Picoseconds at);
    [[nodiscard]] Response stop(Picoseconds at);
    [[nodiscard]] Response operating_condition(std::uint32_t argument, Picoseconds at);
    [[nodiscard]] Response publish_address();
    [[nodiscard]] Response transfer(unsigned index, std::uint32_t argument, Picoseconds at);
    [[nodiscard]] Response erase(unsigned index, std::uint32_t argument, Picoseconds at);
    /// A block that is no memory: status, SCR, functions.
    [[nodiscard]] Response give(unsigned index, std::vector<std::uint8_t> bytes, Picoseconds at);
    [[nodiscard]] std::vector<std::uint8_t> switch_function(std::uint32_t argument);
    [[nodiscard]] std::vector<std::uint8_t> card_status() const;
    [[nodiscard]] Registers csd() const;
    [[nodiscard]] bool addressed(std::uint32_t argument) const {
        return argument >> 16 == address_;
    }

    const std::vector<std::uint8_t> contents_;
    const SdCardParameters parameters_;
    const std::uint64_t blocks_;
    std::map<std::uint64_t, Block> written_;

    State state_ = State::Idle, after_ = State::Idle;  ///< after_: when it is no longer busy
    std::uint32_t errors_ = 0;                         ///< of the next status
    bool application_ = false;                         ///< CMD55 came before
    std::uint32_t address_ = 0, addresses_ = 0;
    Picoseconds ready_at_ = 0;  ///< of the initialisation; 0: it has not begun
    unsigned lines_ = 1;
    bool fast_ = false;
    Picoseconds busy_until_ = 0, sends_at_ = kNever;
    std::vector<std::uint8_t> special_;  ///< what it sends in place of blocks
    std::uint64_t next_ = 0;             ///< block
    bool several_ = false;
    std::uint32_t count_ = 0, left_ = 0;  ///< of SET_BLOCK_COUNT; left of this transfer; 0: open
    std::uint32_t well_written_ = 0;      ///< blocks of the last write
    std::uint64_t erase_first_ = 0, erase_last_ = 0;
    unsigned erase_step_ = 0;
};

}  // namespace sdmmc
}  // namespace n6vp::models
