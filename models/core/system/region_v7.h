// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models::core {

/// A region of an Armv7-M MPU (PMSAv7), from the address of RBAR and RASR.
class RegionV7 {
  public:
    static constexpr std::uint32_t kBits = 0x173FFF3F;  ///< of RASR

    RegionV7(std::uint32_t base, std::uint32_t rasr)
        : rasr_(rasr), last_((std::uint64_t{2} << (rasr >> 1 & 31)) - 1) {
        start_ = base & ~static_cast<std::uint32_t>(last_);
    }

    [[nodiscard]] bool holds(std::uint32_t address) const {
        if (!enabled() || !spans(address)) return false;
        return !has_subregions() || (disabled() >> subregion(address) & 1) == 0;
    }
    /// Returns true if all of [first, last], a page, is inside or all of it outside.
    [[nodiscard]] bool uniform_in(std::uint32_t first, std::uint32_t last) const {
        if (!enabled() || last < start_ || first > end()) return true;
        if (first < start_ || last > end()) return false;
        return !has_subregions() || disabled() == 0 || subregion(first) == subregion(last);
    }
    [[nodiscard]] bool never_executes() const { return (rasr_ >> 28 & 1) != 0; }
    [[nodiscard]] bool readable(bool privileged) const {
        const unsigned access = rasr_ >> 24 & 7;
        if (access == 0 || access == 4) return false;
        return privileged || (access != 1 && access != 5);
    }
    [[nodiscard]] bool writable(bool privileged) const {
        const unsigned access = rasr_ >> 24 & 7;
        return access == 3 || (privileged && (access == 1 || access == 2));
    }

    struct Memory {
        bool device = false, cacheable = false, write_back = false, shareable = false;
    };
    /// From TEX, C, B and S; of two levels the inner one.
    [[nodiscard]] Memory memory() const {
        const unsigned type = rasr_ >> 19 & 7, policy = rasr_ >> 16 & 3;
        const bool normal = type >= 4 || type == 1 || (type == 0 && policy >= 2);
        if (!normal) return {true, false, false, true};
        // 0 is non-cacheable, 2 write-through.
        const bool cached = type == 0 || policy != 0;
        return {false, cached, cached && policy != 2, (rasr_ >> 18 & 1) != 0};
    }

  private:
    [[nodiscard]] bool enabled() const { return (rasr_ & 1) != 0; }
    [[nodiscard]] std::uint32_t end() const { return start_ + static_cast<std::uint32_t>(last_); }
    [[nodiscard]] bool spans(std::uint32_t address) const {
        return address >= start_ && address <= end();
    }
    /// Regions below 256 bytes have none.
    [[nodiscard]] bool has_subregions() const { return last_ >= 255; }
    [[nodiscard]] std::uint32_t disabled() const { return rasr_ >> 8 & 0xFF; }
    [[nodiscard]] unsigned subregion(std::uint32_t address) const {
        return static_cast<unsigned>((address - start_) / ((last_ + 1) / 8));
    }

    std::uint32_t rasr_, start_ = 0;
    std::uint64_t last_;  ///< size less one
};

}  // namespace n6vp::models::core
