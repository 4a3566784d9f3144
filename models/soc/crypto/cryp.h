// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <systemc>

#include "models/parameter.h"
#include "models/soc/crypto/cipher_unit.h"

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
class Cryp : public CipherUnit {
  public:
    Cryp(const sc_core::sc_module_name& name, const char* block,
         const CrypParameters& parameters = {});

    /// Returns the key that SAES shares, if any.
    std::function<std::optional<SharedKey>()> shared_key;

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    static constexpr std::size_t kFifoWords = 8;
    enum class Algorithm : std::uint8_t { Ecb, Cbc, Ctr, Prepare, Gcm, Ccm, None };

    void settle(Picoseconds at) override;
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
    [[nodiscard]] const Parameter& block_cycles() const;
    [[nodiscard]] Block take_block(bool ordered);
    void put_block(const Block& block);
    [[nodiscard]] std::uint32_t status() const;
    [[nodiscard]] std::uint32_t raw_interrupts() const;
    [[nodiscard]] std::uint32_t masked_interrupts() const;
    [[nodiscard]] std::uint32_t value_of(std::uint32_t offset);
    [[nodiscard]] Levels levels() const override;

    const CrypParameters parameters_;
    std::uint32_t control_ = 0, dma_ = 0, mask_ = 0;
    std::deque<std::uint32_t> input_, output_;
    bool ends_enabled_ = true;  ///< CRYPEN stays when the work ends
};

}  // namespace crypto
}  // namespace n6vp::models
