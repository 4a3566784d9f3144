// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "models/core/core.h"
#include "models/simulator/mailbox.h"

namespace n6vp::sim::debugger {

/// Addresses as a debugger sees them: private registers of the core, peripherals, memory.
class MemoryView {
  public:
    /// Reads a word of the peripheral at `address`, a multiple of 4, if that changes nothing.
    using Peek = std::function<std::optional<std::uint32_t>(std::uint32_t address)>;

    MemoryView(models::core::Core& core, models::GuestView& view, Peek peek)
        : core_(core), view_(view), peek_(std::move(peek)) {}

    /// Returns false, with nothing guaranteed, if part of the range is neither memory nor a
    /// register that can be read without consequence.
    [[nodiscard]] bool read(std::uint32_t address, std::span<std::uint8_t> bytes);
    /// Writes memory that the core could write, and private registers of the core, by whole words.
    [[nodiscard]] bool write(std::uint32_t address, std::span<const std::uint8_t> bytes);

  private:
    [[nodiscard]] bool read_word(std::uint32_t address, std::uint32_t& value);
    [[nodiscard]] bool read_private(std::uint32_t address, std::uint32_t& value);
    [[nodiscard]] bool write_private(std::uint32_t address, std::span<const std::uint8_t> bytes);

    models::core::Core& core_;
    models::GuestView& view_;
    Peek peek_;
};

}  // namespace n6vp::sim::debugger
