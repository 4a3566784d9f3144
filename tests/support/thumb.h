// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace n6vp::test {

/// A few Thumb instructions, encoded as the Armv8-M manual has them.
class Thumb {
  public:
    [[nodiscard]] const std::vector<std::uint16_t>& code() const { return code_; }

    Thumb& raw(std::initializer_list<unsigned> halfwords) {
        for (const unsigned each : halfwords) code_.push_back(static_cast<std::uint16_t>(each));
        return *this;
    }
    /// MOVW and MOVT.
    Thumb& set(unsigned reg, std::uint32_t value) {
        return half(0xF240, reg, value & 0xFFFF).half(0xF2C0, reg, value >> 16);
    }
    Thumb& load(unsigned to, unsigned from) { return raw({0x6800 | from << 3 | to}); }
    Thumb& store(unsigned from, unsigned to) { return raw({0x6000 | to << 3 | from}); }
    Thumb& write(std::uint32_t address, std::uint32_t value) {
        return set(1, address).set(2, value).store(2, 1);
    }
    Thumb& add(unsigned reg, unsigned value) { return raw({0x3000 | reg << 8 | value}); }
    Thumb& subtract(unsigned reg, unsigned value) { return raw({0x3800 | reg << 8 | value}); }
    /// Back to `position` (a size of `code` then) while the last result was not 0.
    Thumb& repeat(std::size_t position) {
        const auto back = static_cast<int>(position) - static_cast<int>(code_.size()) - 2;
        return raw({0xD100u | (static_cast<unsigned>(back) & 0xFF)});
    }
    Thumb& barrier() { return raw({0xF3BF, 0x8F4F, 0xF3BF, 0x8F6F}); }  // DSB, ISB
    /// Both caches on: RAM of the caches (MSCR), invalidate, CCR.
    Thumb& caches() {
        write(0xE001E000, 0x3000);
        write(0xE000EF50, 0);
        return barrier().write(0xE000ED14, 0x00030201).barrier();
    }
    Thumb& call(std::uint32_t address) { return set(3, address | 1).raw({0x4798}); }
    Thumb& ret() { return raw({0x4770}); }
    /// BKPT 0xAB.
    Thumb& end() { return raw({0xBEAB}); }

    [[nodiscard]] std::vector<std::uint8_t> bytes() const {
        std::vector<std::uint8_t> result;
        for (const std::uint16_t each : code_) {
            result.push_back(static_cast<std::uint8_t>(each));
            result.push_back(static_cast<std::uint8_t>(each >> 8));
        }
        return result;
    }
    /// The same behind a vector table for `base`, padded to `size`.
    [[nodiscard]] std::vector<std::uint8_t> image(std::uint32_t base, std::uint32_t stack,
                                                  std::size_t size = 0) const {
        std::vector<std::uint8_t> result(kVectors);
        const std::uint32_t entry = (base + kVectors) | 1;
        for (unsigned i = 0; i < 4; ++i) {
            result[i] = static_cast<std::uint8_t>(stack >> (8 * i));
            result[4 + i] = static_cast<std::uint8_t>(entry >> (8 * i));
        }
        const std::vector<std::uint8_t> behind = bytes();
        result.insert(result.end(), behind.begin(), behind.end());
        if (result.size() < size) result.resize(size);
        return result;
    }
    static constexpr std::uint32_t kVectors = 0x40;

  private:
    Thumb& half(unsigned opcode, unsigned reg, std::uint32_t value) {
        const std::uint32_t i = value >> 11 & 1, imm3 = value >> 8 & 7;
        return raw({opcode | i << 10 | value >> 12, imm3 << 12 | reg << 8 | (value & 0xFF)});
    }

    std::vector<std::uint16_t> code_;
};

}  // namespace n6vp::test
