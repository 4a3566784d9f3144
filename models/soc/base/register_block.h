// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/picoseconds.h"
#include "models/soc/base/register_log.h"

namespace n6vp::models {

/// Registers of one peripheral, as the peripheral bus sees them. Knows no address: the peripheral
/// bus
/// (`PeripheralBus`) decodes, splits bytes and halfwords from words, takes the time and logs.
class RegisterBlock {
  public:
    struct Answer {
        std::uint32_t value = 0;  ///< of a read
        bool ok = true;           ///< false: bus error
        bool modelled = true;     ///< false: counted and named as not modelled
        const char* name = "";    ///< of the register
        Picoseconds until = 0;    ///< absolute time before which a read has no answer; 0: at once
    };

    explicit RegisterBlock(const char* name) : name_(name) {}
    RegisterBlock(const RegisterBlock&) = delete;
    RegisterBlock& operator=(const RegisterBlock&) = delete;
    virtual ~RegisterBlock() = default;

    [[nodiscard]] const char* name() const { return name_; }

    /// `offset` is a multiple of 4; `at` is the absolute time at which the access takes effect, not
    /// in the kernel's past (notify events relative to it).
    [[nodiscard]] virtual Answer read(std::uint32_t offset, Picoseconds at) = 0;
    /// The same for the bytes of `mask` only: for data registers that move as many bytes as are
    /// read.
    [[nodiscard]] virtual Answer read_bytes(std::uint32_t offset, std::uint32_t /*mask*/,
                                            Picoseconds at) {
        return read(offset, at);
    }
    /// `mask` has the bits of the bytes that are written (0xFFFFFFFF for a word).
    [[nodiscard]] virtual Answer write(std::uint32_t offset, std::uint32_t value,
                                       std::uint32_t mask, Picoseconds at) = 0;
    /// Returns true if reading the register changes nothing that a program could find: a debugger
    /// may read it.
    [[nodiscard]] virtual bool reads_freely(std::uint32_t /*offset*/) const { return false; }
    /// Returns true if, besides, a read at `at`, before the kernel's next event, changes nothing
    /// outside of this block, lines and events included: a polling core may try it.
    [[nodiscard]] virtual bool polls_freely(std::uint32_t offset, Picoseconds /*at*/) const {
        return reads_freely(offset);
    }
    /// State after power-on.
    virtual void reset() = 0;
    /// The same at the absolute time `at`, not in the kernel's past: for blocks whose registers
    /// count or are busy from their reset on.
    virtual void reset_at(Picoseconds /*at*/) { reset(); }

  private:
    const char* name_;
};

}  // namespace n6vp::models
