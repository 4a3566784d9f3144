// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/fabric/memory_cipher.h"
#include "models/picoseconds.h"
#include "models/soc/base/flag_times.h"
#include "models/soc/base/register_block.h"
#include "models/soc/crypto/aes.h"
#include "models/soc/crypto/noekeon.h"

namespace n6vp::models::crypto {

/// One memory cipher engine with its four regions and two contexts.
///
/// Modelled: regions of 4 KiB steps; choice of cipher; contexts of AES with key, nonce, version,
/// mode, CRC of the key; master keys of Noekeon with their flags; locks. Writes to an encrypted
/// region change what the memory holds, a part of a block included, and reads give plain data; a
/// region without an enabled context of its mode, or without a valid key, shows what memory holds
/// (inferred from public examples, which look at it so).
/// Not modelled: access rights to the registers and their interrupt, faults of a key, the time that
/// ciphers take.
/// Assumed, as the silicon's cipher is not public: the binary of the public example that executes
/// encrypted code does not decrypt by AES in counter mode with any usual order of its parts.
///  - Stream: data are added to AES(K, V). V, the highest bits first: CCNR1, CCNR0, version, 28
///  bits
///    of the address in steps of 16, with the number of the context above, as OTFDEC of older
///    chips has it.
///  - Block: AES(K, data + T) + T with T = AES(K, V); fast blocks are the same.
///  - K: CCKEYR3 to 0; of 256 bits, those of context 2 above those of context 1.
///  - Noekeon: the same, with words 0 to 3 of the master keys for data and words 4 to 7 for T, and
///    V without nonce and version. Fast blocks use the fast master keys.
///  - The byte at the lowest address is the last one of a cipher's block.
/// So data stored through it differ from those of the silicon: a region that becomes encrypted
/// answers "not modelled", so that reports name it, and the first one of each engine is told as
/// information of the SystemC kernel.
/// Sources: device header, HAL driver (CRC of keys included), public examples; FIPS 197; Noekeon.
class Mce : public RegisterBlock, public MemoryCipher {
  public:
    static constexpr unsigned kRegions = 4, kContexts = 2;

    /// `start`: address of the memory behind it.
    Mce(const char* name, std::uint32_t start, const FlagTimes& times = {});

    /// Called after what it does to data may have changed.
    std::function<void()> on_change;
    /// Returns true if any region is encrypted now.
    [[nodiscard]] bool active() const { return active_; }

    [[nodiscard]] bool covers(std::uint32_t offset, std::uint32_t bytes) const override;
    [[nodiscard]] MemoryCipher::Block to_memory(std::uint32_t offset,
                                                const MemoryCipher::Block& plain) const override;
    [[nodiscard]] MemoryCipher::Block to_bus(std::uint32_t offset,
                                             const MemoryCipher::Block& held) const override;

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

    /// CRC of the four words of a key, as the HAL computes it.
    [[nodiscard]] static std::uint32_t key_crc(const std::array<std::uint32_t, 4>& key);

  private:
    enum class Mode : std::uint8_t { None, Stream, Blocks, FastBlocks };
    struct Context {
        std::uint32_t configuration = 0;
        std::array<std::uint32_t, 2> nonce{};
        std::array<std::uint32_t, 4> key{};
    };
    struct MasterKey {
        std::array<std::uint32_t, 8> words{};
        Picoseconds valid_from = kNever;
    };
    /// A region that is encrypted now.
    struct Active {
        std::uint32_t first = 0, last = 0;  ///< addresses
        Mode mode = Mode::None;
        std::vector<Aes> aes;          ///< one, or none
        std::vector<Noekeon> noekeon;  ///< for data and T, or none
        std::array<std::uint32_t, 3> vector{};
        std::uint32_t context = 0;
    };

    [[nodiscard]] std::uint32_t status(Picoseconds at) const;
    [[nodiscard]] bool locked(std::uint32_t offset) const;
    void write_key(MasterKey& key, unsigned word, std::uint32_t value, Picoseconds at);
    void write_context(Context& context, std::uint32_t offset, std::uint32_t value,
                       std::uint32_t mask);
    void rebuild(Picoseconds at);
    [[nodiscard]] std::optional<Active> activate(unsigned region, Picoseconds at) const;
    [[nodiscard]] const Active* region_of(std::uint32_t address) const;
    [[nodiscard]] static crypto::Block vector_of(const Active& region, std::uint32_t address);
    [[nodiscard]] static crypto::Block encrypt(const Active& region, bool tweak,
                                               const crypto::Block& block);
    [[nodiscard]] MemoryCipher::Block transform(std::uint32_t offset,
                                                const MemoryCipher::Block& data,
                                                bool encrypts) const;
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }

    const std::uint32_t start_;
    const Picoseconds key_ps_;
    std::array<std::uint32_t, 0x80 / 4> held_{};
    std::array<Context, kContexts> contexts_;
    MasterKey master_, fast_master_;
    std::vector<Active> regions_;
    bool active_ = false, told_ = false;
};

}  // namespace n6vp::models::crypto
