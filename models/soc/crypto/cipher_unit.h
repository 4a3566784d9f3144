// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>
#include <vector>

#include "models/duration.h"
#include "models/parameter.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"
#include "models/soc/crypto/aes.h"

namespace n6vp::models::crypto {

/// The words of a key that a unit gives another.
using SharedKey = std::vector<std::uint32_t>;

/// What CRYP and SAES have in common: AES with its key, work that takes time, and the lines.
class CipherUnit : public sc_core::sc_module, public RegisterBlock {
  public:
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;
    /// DMA requests: level and the absolute time of its change.
    std::function<void(bool level, Picoseconds at)> on_input_request, on_output_request;

    /// Clock of the unit from now on, above 0 Hz.
    void set_clock_hz(double hz) { hz_ = hz; }

  protected:
    /// Of GCM and CCM, as the control registers of both units count them.
    enum class Phase : std::uint8_t { Init, Header, Payload, Final };
    struct Levels {
        bool interrupt = false;
        bool input = false, output = false;  ///< requests
    };

    CipherUnit(const sc_core::sc_module_name& name, const char* block);

    /// What is over by `at` has had its effect.
    virtual void settle(Picoseconds at) = 0;
    /// Lines follow the registers, and the end of the work takes an event.
    void update(Picoseconds at);
    [[nodiscard]] virtual Levels levels() const = 0;

    /// Work of that many clocks begins.
    void busy_for(const Parameter& cycles, Picoseconds at);
    [[nodiscard]] bool busy() const { return busy_until_ != 0; }
    /// Key, initialisation vector and work are those of reset.
    void reset_work();

    /// A word of the initialisation vector, the highest first.
    [[nodiscard]] std::uint32_t vector_word(unsigned index) const;
    void set_vector_word(unsigned index, std::uint32_t word);
    void set_key_word(std::size_t index, std::uint32_t word);
    /// Returns true if the key words of these bits were all written.
    [[nodiscard]] bool has_key_words(std::uint32_t words) const {
        return (key_written_ & words) == words;
    }

    std::array<std::uint32_t, 8> key_{};
    std::uint32_t key_written_ = 0;  ///< by word
    Chain chain_;
    std::optional<Block> result_;  ///< of the work
    Picoseconds busy_until_ = 0;   ///< 0: idle

  private:
    void step();

    double hz_ = 100e6;  ///< until it is set
    SignalLevel level_, input_request_, output_request_;
    sc_core::sc_event done_;
};

}  // namespace n6vp::models::crypto
