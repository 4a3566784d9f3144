// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>
#include <vector>

#include "models/picoseconds.h"
#include "models/soc/base/flag_times.h"
#include "models/soc/base/register_block.h"
#include "models/soc/crypto/sha.h"

namespace n6vp::models {

/// The hash processor.
///
/// Modelled: SHA-1, SHA-224, SHA-256, SHA-384, SHA-512 and its truncations; DATATYPE, INIT, DIN,
/// STR with NBLW and DCAL, digests in HR0 to HR15 and HRA0 to HRA4, DINIS, DCIS, BUSY with the time
/// of a block (`FlagTimes::hash`, assumed), the interrupt, the DMA request, and the digest that
/// starts by itself at the end of a DMA transfer; HMAC (MODE, LKEY) with key, message and key
/// again, each ended by DCAL, of whole bytes. Assumed: a DIN write while the unit is busy is taken;
/// NBWE of the longer blocks. A key longer than a block is hashed, whatever LKEY says. Not
/// modelled: multiple DMA transfers (MDMAT), context swapping (CSR0 to CSR102): "not modelled".
class Hash : public sc_core::sc_module, public RegisterBlock {
  public:
    Hash(const sc_core::sc_module_name& name, const char* block, const FlagTimes& times = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;
    /// DMA request: level and the absolute time of its change.
    std::function<void(bool level, Picoseconds at)> on_request;

    /// The DMA has moved all that it was to move on the request line.
    void end_of_requests(Picoseconds at);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    void step();
    void settle(Picoseconds at);
    /// The unit works from `at` on, behind what it does already.
    void work(Picoseconds at);
    void initialise();
    void put(std::uint32_t word, Picoseconds at);
    void calculate(Picoseconds at);
    /// Ends the key, the message or the key of HMAC.
    void calculate_hmac(Picoseconds at);
    /// Begins the hash of the key, combined with `pad`.
    void begin_with_key(std::uint8_t pad, Picoseconds at);
    /// Returns the waiting words as bytes, the last one as far as NBLW says.
    [[nodiscard]] std::vector<std::uint8_t> waiting() const;
    [[nodiscard]] std::vector<std::uint8_t> digest() const;
    void write_control(std::uint32_t next);
    void update(Picoseconds at);
    [[nodiscard]] std::uint32_t status() const;

    const Picoseconds block_time_;
    /// What HMAC is given next.
    enum class Phase : std::uint8_t { Key, Message, KeyAgain };

    std::uint32_t control_ = 0, start_ = 0, enabled_ = 0;
    Phase phase_ = Phase::Key;
    std::optional<Sha> sha_;
    std::vector<std::uint32_t> words_;  ///< of message or key, not yet hashed
    std::vector<std::uint8_t> inner_;   ///< digest of HMAC's message
    bool first_block_ = true;
    bool digest_asked_ = false, digest_ready_ = false;
    Picoseconds busy_until_ = 0;  ///< 0: idle
    bool level_ = false, request_ = false;
    sc_core::sc_event done_;
};

}  // namespace n6vp::models
