// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/memory/sram.h"

namespace n6vp::models {

/// An on-chip RAM bank whose 32-bit words have check bits, which a controller switches on and off.
///
/// Modelled: for each word the data that its check bits stand for: those that were there when it
/// was last written with the checks on. With the checks on, a read of a word that differs from them
/// in one bit gets the corrected data, one that differs in more bits gets what is stored; both are
/// reported, at each read. With the checks off data and check bits are independent.
/// Assumed: after power-up data and check bits match; three and more wrong bits count as two; a
/// correction leaves the cells as they are; a write of a part of a word makes new check bits for
/// all of it, without a report.
/// Not modelled: the time that a write of a part of a word takes beyond that of a whole word.
class EccSram : public Sram {
  public:
    EccSram(const sc_core::sc_module_name& name, std::uint32_t bytes, double clock_hz,
            const SramParameters& parameters);

    enum class Error : std::uint8_t { Single, Double };
    /// Called at each read of a word with an error; `offset` is that of the word.
    std::function<void(Error error, std::uint32_t offset)> on_error;

    /// Switches the checks on or off; off after construction.
    void set_checks(bool on);

    void reset() override;
    Picoseconds serve(tlm::tlm_generic_payload& trans, std::uint32_t offset, Transfer& transfer,
                      Picoseconds arrival) override;
    Picoseconds read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                           Transfer& transfer, const RepeatTime& when) override;

  private:
    static constexpr std::uint32_t kWordBytes = 4;

    /// What debuggers and programmers write has matching check bits, what they read is corrected.
    unsigned transport_dbg(tlm::tlm_generic_payload& trans) override;
    /// None while the checks are on: each access counts.
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) override;

    [[nodiscard]] std::uint32_t stored(std::uint32_t word) const;
    void make_check_bits(std::uint32_t offset, std::uint32_t bytes);
    /// Corrects what was read from `offset` on.
    void check(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes, bool report);

    std::vector<std::uint32_t> checked_;  ///< by word: what the check bits stand for
    const std::uint8_t fill_;
    bool checks_ = false;
};

}  // namespace n6vp::models
