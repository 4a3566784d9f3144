// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/npu/registers/register_table.h"

namespace n6vp::models::npu {

/// The words of one unit, with the access rules of its table. Side effects are the unit's: a write
/// says which bits triggered. Knows no time.
///
/// Not modelled: loss of writes to a unit whose clock gate is closed (what hardware does is
/// unknown, no software does it).
class RegisterFile {
  public:
    static constexpr std::uint32_t kPageBytes = 0x1000;

    struct WriteOutcome {
        bool exists = true;           ///< false: no register at this offset, nothing done
        std::uint32_t triggered = 0;  ///< ones written to trigger and self-clearing fields
        std::uint32_t cleared = 0;    ///< bits that write-one-clears took from 1 to 0
        std::uint32_t locked = 0;     ///< bits that would have changed, but the unit is running
        std::uint32_t ignored = 0;    ///< ones written to read-only or reserved bits
    };

    /// What the unit is doing, for fields that are locked while it runs.
    enum class Activity : std::uint8_t { Idle, Running };

    explicit RegisterFile(const UnitType& type);

    [[nodiscard]] const UnitType& type() const { return *type_; }

    /// Returns the register at a byte offset (every element of an array counts), or nullptr.
    [[nodiscard]] const Register* find(std::uint32_t offset) const;

    /// Returns what software reads: zero for write-only, trigger and missing ones.
    [[nodiscard]] std::uint32_t read(std::uint32_t offset) const;

    /// Software's write of the bits in `mask`.
    WriteOutcome write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask = 0xFFFFFFFFu,
                       Activity activity = Activity::Idle);

    /// State after power-on.
    void reset();
    /// What CONFCLR does: fields that software writes return to their reset values; status stays.
    void reset_configuration();

    /// The unit's own access to element `index` of a register; access rules do not apply.
    [[nodiscard]] std::uint32_t word(const Register& at, std::uint32_t index = 0) const {
        return words_[(at.offset + index * at.stride) / 4];
    }
    void set_word(const Register& at, std::uint32_t value, std::uint32_t index = 0) {
        words_[(at.offset + index * at.stride) / 4] = value;
    }

  private:
    const UnitType* type_;
    std::array<std::uint32_t, kPageBytes / 4> words_{};
    std::array<std::uint8_t, kPageBytes / 4> index_{};  ///< of the register + 1; 0: none
};

}  // namespace n6vp::models::npu
