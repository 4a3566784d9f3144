// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/soc/base/register_block.h"

namespace n6vp::models::can {

/// The memory that all FDCAN share. A reset clears it (assumed).
class MessageRam : public RegisterBlock {
  public:
    static constexpr std::uint32_t kBytes = 0x2800;  ///< HAL

    explicit MessageRam(const char* name) : RegisterBlock(name) {}

    /// A word as a controller counts them; zero behind the end.
    [[nodiscard]] std::uint32_t get(std::uint32_t word) const {
        return word < words_.size() ? words_[word] : 0;
    }
    void set(std::uint32_t word, std::uint32_t value) {
        if (word < words_.size()) words_[word] = value;
    }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds /*at*/) override {
        return {.value = get(offset / 4), .name = ""};
    }
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds /*at*/) override {
        set(offset / 4, (get(offset / 4) & ~mask) | (value & mask));
        return {};
    }
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override { words_ = {}; }

  private:
    std::array<std::uint32_t, kBytes / 4> words_{};
};

}  // namespace n6vp::models::can
