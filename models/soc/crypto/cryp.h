// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <systemc>
#include <vector>

#include "models/duration.h"
#include "models/parameter.h"
#include "models/soc/crypto/aes.h"
#include "models/soc/register_block.h"
#include "models/soc/signal_level.h"

namespace n6vp::models {

struct CrypParameters {
    Parameter block_128{"block_128", 14, counts(10000, "AHB cycles"), Confidence::Assumed,
                        "a block with a key of 128 bits: as documented for the STM32H7"};
    Parameter block_192{"block_192", 16, counts(10000, "AHB cycles"), Confidence::Assumed,
                        "192 bits: as documented for the STM32H7"};
    Parameter block_256{"block_256", 18, counts(10000, "AHB cycles"), Confidence::Assumed,
                        "256 bits: as documented for the STM32H7"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.block_128);
        function(self.block_192);
        function(self.block_256);
    }
};

namespace crypto {

/// The words of a key that a unit gives another.
using SharedKey = std::vector<std::uint32_t>;

/// CRYP: AES with FIFOs.
///
/// Modelled: AES in ECB, CBC, CTR, GCM and CCM with keys of 128, 192 and 256 bits, key
/// preparation, phases of GCM and CCM with NPBLB, DATATYPE, both FIFOs of eight words, BUSY,
/// KEYVALID, CRYPEN that falls at the end of an initialisation, FFLUSH, IPRST, interrupts, DMA
/// requests, a key shared by SAES.
/// Assumed: CrypParameters, also for initialisation and key preparation; a block starts when it is
/// complete and the output has room; CTR counts 32 bits; words of the initialisation and the final
/// phase are in message order whatever DATATYPE says, as the driver writes them.
/// Not modelled: DES and TDES, context swapping (CSGCM registers), KERF: "not modelled". Decryption
/// works without the key preparation.
/// Source: CMSIS device header, driver.
class Cryp : public sc_core::sc_module, public RegisterBlock {
  public:
    Cryp(const sc_core::sc_module_name& name, const char* block,
         const CrypParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;
    /// DMA requests: level and the absolute time of its change.
    std::function<void(bool level, Picoseconds at)> on_input_request, on_output_request;
    /// Returns the key that SAES shares, if any.
    std::function<std::optional<SharedKey>()> shared_key;

    /// Clock of the unit from now on, above 0 Hz.
    void set_clock_hz(double hz) { hz_ = hz; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    static constexpr std::size_t kFifoWords = 8;
    enum class Algorithm : std::uint8_t { Ecb, Cbc, Ctr, Prepare, Gcm, Ccm, None };
    enum class Phase : std::uint8_t { Init, Header, Payload, Final };

    void step();
    void settle(Picoseconds at);
    void start(Picoseconds at);
    void finish();
    void begin();
    void write_control(std::uint32_t next, Picoseconds at);
    [[nodiscard]] Algorithm algorithm() const;
    [[nodiscard]] bool has_phases() const;
    [[nodiscard]] Phase phase() const { return static_cast<Phase>(control_ >> 16 & 3); }
    [[nodiscard]] bool enabled() const;
    [[nodiscard]] unsigned key_words() const;
    [[nodiscard]] bool key_valid() const;
    [[nodiscard]] Picoseconds block_ps() const;
    [[nodiscard]] Block take_block(bool ordered);
    void put_block(const Block& block);
    [[nodiscard]] std::uint32_t status() const;
    [[nodiscard]] std::uint32_t raw_interrupts() const;
    [[nodiscard]] std::uint32_t masked_interrupts() const;
    [[nodiscard]] std::uint32_t value_of(std::uint32_t offset);
    void update(Picoseconds at);

    const CrypParameters parameters_;
    double hz_ = 100e6;  ///< until it is set
    std::uint32_t control_ = 0, dma_ = 0, mask_ = 0;
    std::array<std::uint32_t, 8> key_{};
    std::uint32_t key_written_ = 0;  ///< by word
    Chain chain_;
    std::deque<std::uint32_t> input_, output_;
    Picoseconds busy_until_ = 0;   ///< 0: idle
    bool ends_enabled_ = true;     ///< CRYPEN stays when the work ends
    std::optional<Block> result_;  ///< of the work
    SignalLevel level_, input_request_, output_request_;
    sc_core::sc_event done_;
};

}  // namespace crypto
}  // namespace n6vp::models
