// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>

#include "models/duration.h"
#include "models/parameter.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"
#include "models/soc/crypto/natural.h"

namespace n6vp::models {

struct PkaParameters {
    Parameter start{"start", 100, "us", Confidence::Assumed,
                    "EN to INITOK: the RAM is cleared and random numbers are fetched"};
    Parameter arithmetic{"arithmetic", 10, "us", Confidence::Assumed,
                         "additions, comparisons, products, reductions, inverses"};
    Parameter exponentiation{"exponentiation", 10'000, "us", Confidence::Assumed,
                             "modular and CRT exponentiation, of any size"};
    Parameter curve{"curve", 5'000, "us", Confidence::Assumed,
                    "multiplication of a point, signature, verification, check of a point"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.start);
        function(self.arithmetic);
        function(self.exponentiation);
        function(self.curve);
    }
};

namespace crypto {

/// PKA: the accelerator for public keys.
///
/// Modelled: EN with INITOK, START, BUSY, PROCENDF and its interrupt, the RAM; Montgomery
/// parameter and product, modular exponentiation (0, 2) and RSA with CRT, arithmetic (8 to 15),
/// multiplication of a point (32), ECDSA signature (36) and verification (38), check of a point
/// (40).
/// Assumed: PkaParameters, whatever the operands; an operand ends where its length in bits says.
/// Not modelled: protected exponentiation, projective and double-base operations: their mode, and
/// lengths that do not fit, set OPERRF, and START answers "not modelled". RAMERRF, ADDRERRF, LMF.
/// Source: CMSIS device header (places of operands), driver (results).
class Pka : public sc_core::sc_module, public RegisterBlock {
  public:
    static constexpr std::uint32_t kRam = 0x400, kRamEnd = 0x18D8;

    Pka(const sc_core::sc_module_name& name, const char* block,
        const PkaParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    static constexpr std::size_t kWords = (kRamEnd - kRam) / 4;

    void step();
    void settle(Picoseconds at);
    void write_control(std::uint32_t next, Picoseconds at);
    /// Computes at once; the results appear in the RAM when the time is over. Returns false if the
    /// operation is not modelled or has no result.
    [[nodiscard]] bool compute();
    [[nodiscard]] bool arithmetic(std::uint32_t mode);
    [[nodiscard]] bool exponentiate(std::uint32_t mode);
    [[nodiscard]] bool on_curves(std::uint32_t mode);
    [[nodiscard]] bool sign();
    [[nodiscard]] bool verify();
    [[nodiscard]] const Parameter& time_of(std::uint32_t mode) const;
    [[nodiscard]] Natural operand(std::uint32_t offset, std::uint32_t bits) const;
    [[nodiscard]] std::uint32_t word(std::uint32_t offset) const {
        return ram_[(offset - kRam) / 4];
    }
    void result(std::uint32_t offset, const Natural& value, std::uint32_t bits);
    /// `a` with its sign.
    [[nodiscard]] Natural coefficient(std::uint32_t sign, std::uint32_t offset,
                                      const Natural& prime) const;
    [[nodiscard]] std::uint32_t status() const;
    void update();

    const PkaParameters parameters_;
    std::array<std::uint32_t, kWords> ram_{}, computed_{};
    std::uint32_t control_ = 0, flags_ = 0;
    bool ready_ = false;          ///< INITOK
    bool good_ = true;            ///< the work has a result
    Picoseconds busy_until_ = 0;  ///< 0: idle
    SignalLevel level_;
    sc_core::sc_event done_;
};

}  // namespace crypto
}  // namespace n6vp::models
