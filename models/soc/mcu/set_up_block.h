// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/soc/stubs/stub_block.h"

namespace n6vp::models::mcu {

/// A block of set-up registers by table (power, flash interface, caches) whose fields the chip acts
/// upon: wait states, prefetch, cache switches.
///
/// Modelled: what the table states: reset values, read-only and self-clearing bits, ready flags
/// that follow their enables after a time.
/// Not modelled: the function behind the registers; the hooks tell the chip.
class SetUpBlock : public StubBlock {
  public:
    using StubBlock::StubBlock;

    /// Called after each write. The absolute time `at` is not in the kernel's past.
    std::function<void(std::uint32_t offset, Picoseconds at)> on_write;
    /// Called before each read, for counters that the chip keeps: it may `preset` them.
    std::function<void(std::uint32_t offset, Picoseconds at)> on_read;

    /// Returns what the register holds after the last access, without side effects.
    [[nodiscard]] std::uint32_t value(std::uint32_t offset) const { return held(offset); }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override {
        if (on_read) on_read(offset, at);
        const Answer answer = StubBlock::read(offset, at);
        accessed(at);
        return answer;
    }
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override {
        const Answer answer = StubBlock::write(offset, value, mask, at);
        accessed(at);
        if (on_write) on_write(offset, at);
        return answer;
    }

  private:
    /// After each access, before `on_write`: flags may have changed by time alone.
    virtual void accessed(Picoseconds /*at*/) {}
};

}  // namespace n6vp::models::mcu
