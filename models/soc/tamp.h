// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/soc/stubs/stub_block.h"

namespace n6vp::models {

/// Tamper unit: backup registers.
///
/// Modelled: BKP0R to BKP31R, which outlive a reset of the chip; CR2.BKERASE and BKBLOCK; SEEDF.
/// Not modelled: detection, the monotonic counter, access rights: "not modelled".
class Tamp : public StubBlock {
  public:
    Tamp(const StubTable& table, const char* name, const FlagTimes& times = {})
        : StubBlock(table, name, times) {}

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override {
        if (!is_backup(offset)) return StubBlock::read(offset, at);
        return {.value = blocked() ? 0 : backup_[index(offset)], .name = name_of(offset, at)};
    }
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override {
        if (is_backup(offset)) {
            std::uint32_t& held = backup_[index(offset)];
            if (!blocked()) held = (held & ~mask) | (value & mask);
            return {.name = name_of(offset, at)};
        }
        if (offset == kCr2 && (value & mask & kErase) != 0) backup_ = {};
        return StubBlock::write(offset, value, mask, at);
    }
    /// The state after power-on.
    void power_on() { backup_ = {}; }

  private:
    static constexpr std::uint32_t kCr2 = 0x04, kFirst = 0x100, kEnd = 0x180;
    static constexpr std::uint32_t kBlock = 1u << 22, kErase = 1u << 23;

    [[nodiscard]] static bool is_backup(std::uint32_t offset) {
        return offset >= kFirst && offset < kEnd;
    }
    [[nodiscard]] static std::size_t index(std::uint32_t offset) { return (offset - kFirst) / 4; }
    [[nodiscard]] bool blocked() const { return (held(kCr2) & kBlock) != 0; }
    [[nodiscard]] const char* name_of(std::uint32_t offset, Picoseconds at) {
        return StubBlock::read(offset, at).name;
    }

    std::array<std::uint32_t, (kEnd - kFirst) / 4> backup_{};
};

}  // namespace n6vp::models
