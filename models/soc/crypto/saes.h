// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <systemc>
#include <vector>

#include "models/parameter.h"
#include "models/soc/crypto/cipher_unit.h"

namespace n6vp::models {

struct SaesParameters {
    Parameter block_128{"block_128", 480, counts(100000, "AHB cycles"), Confidence::Assumed,
                        "a block with a key of 128 bits: as documented for the STM32U5"};
    Parameter block_256{"block_256", 680, counts(100000, "AHB cycles"), Confidence::Assumed,
                        "256 bits: as documented for the STM32U5"};
    Parameter start{"start", 500, counts(100000, "AHB cycles"), Confidence::Assumed,
                    "reset (IPRST) to BUSY = 0: random numbers are fetched"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.block_128);
        function(self.block_256);
        function(self.start);
    }
};

namespace crypto {

/// SAES: AES with keys that software need not know.
///
/// Modelled: AES in ECB, CBC, CTR, GCM and CCM with keys of 128 and 256 bits, key derivation,
/// phases of GCM and CCM with NPBLB, DATATYPE, CCF, BUSY, KEYVALID, EN that falls at the end of an
/// initialisation or key derivation, IPRST, interrupts, DMA requests; wrapped keys, which come to
/// the key registers, and keys shared with CRYP.
/// Assumed: SaesParameters, also for initialisation and key derivation; the derived hardware unique
/// key is one constant of this model; words of the final phase are in message order whatever
/// DATATYPE says; an unwrapped key serves until KEYSEL, KEYSIZE or IPRST change.
/// Not modelled: the boot hardware key (KEYSEL 2 and 4), KEYPROT, suspension (SUSPR), RDERRF,
/// WRERRF, KEIF, RNGEIF: a write to the first and to SUSPR answers "not modelled".
/// Source: CMSIS device header, driver.
class Saes : public CipherUnit {
  public:
    Saes(const sc_core::sc_module_name& name, const char* block,
         const SaesParameters& parameters = {});

    /// Returns the key for CRYP, if one was decrypted for it.
    [[nodiscard]] const std::optional<SharedKey>& shared_key() const { return shared_; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    enum class Operation : std::uint8_t { Encrypt, Derive, Decrypt };

    void settle(Picoseconds at) override;
    void restart(Picoseconds at);
    void write_control(std::uint32_t next, Picoseconds at);
    void enabled_now(Picoseconds at);
    void take_word(std::uint32_t word, Picoseconds at);
    [[nodiscard]] Block work_on(const Block& block);
    void keep_key_block(const Block& block);
    void begin();
    void start(Picoseconds at);
    [[nodiscard]] bool has_phases() const;
    [[nodiscard]] Phase phase() const { return static_cast<Phase>(control_ >> 13 & 3); }
    [[nodiscard]] Operation operation() const;
    [[nodiscard]] unsigned key_words() const;
    [[nodiscard]] std::vector<std::uint32_t> key() const;
    [[nodiscard]] bool key_valid() const;
    [[nodiscard]] std::uint32_t status() const;
    [[nodiscard]] std::uint32_t value_of(std::uint32_t offset);
    [[nodiscard]] Levels levels() const override;

    const SaesParameters parameters_;
    std::uint32_t control_ = 0, enabled_interrupts_ = 0, flags_ = 0;
    std::vector<std::uint32_t> loaded_;  ///< an unwrapped key, the highest word first
    std::vector<std::uint32_t> arriving_;
    std::optional<SharedKey> shared_;
    std::vector<std::uint32_t> input_;
    std::array<std::uint32_t, 4> output_{};
    std::size_t output_left_ = 0;
    bool falls_ = false;  ///< EN, when the work ends
    bool quiet_ = false;  ///< the work sets no CCF
};

}  // namespace crypto
}  // namespace n6vp::models
