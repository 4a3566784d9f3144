// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace n6vp::models::npu {

inline constexpr std::uint32_t kCoefficients = 512;

struct Coefficient {
    std::int16_t a = 0, b = 0, c = 0;

    friend bool operator==(const Coefficient&, const Coefficient&) = default;
};

/// The coefficients of one ARITH: 512 entries of two words, A and B in the first, C in the second.
/// The register window shows only a part of them, which part TRANSLATEADDR.EN says.
class CoefficientMemory {
  public:
    struct Place {
        std::uint32_t entry = 0;
        bool second_word = false;
    };
    /// Returns what window offset `offset` (0x400 to 0xFFF) is, or nothing if it is not described.
    [[nodiscard]] static constexpr std::optional<Place> place(std::uint32_t offset,
                                                              bool translate) {
        const std::uint32_t base = translate ? 0x400 : 0xC00, first = translate ? 0 : 384;
        if (offset < base || offset > 0xFFF) return std::nullopt;
        return Place{first + (offset - base) / 8, (offset & 4) != 0};
    }

    void write(Place place, std::uint32_t word) {
        Coefficient& entry = entries_[place.entry];
        if (place.second_word) {
            entry.c = static_cast<std::int16_t>(word);
            return;
        }
        entry.a = static_cast<std::int16_t>(word);
        entry.b = static_cast<std::int16_t>(word >> 16);
    }
    [[nodiscard]] std::uint32_t read(Place place) const {
        const Coefficient& entry = entries_[place.entry];
        if (place.second_word) return static_cast<std::uint16_t>(entry.c);
        return std::uint32_t{static_cast<std::uint16_t>(entry.b)} << 16 |
               static_cast<std::uint16_t>(entry.a);
    }
    [[nodiscard]] const Coefficient& at(std::uint32_t entry) const { return entries_[entry]; }
    [[nodiscard]] Coefficient& at(std::uint32_t entry) { return entries_[entry]; }

  private:
    std::array<Coefficient, kCoefficients> entries_{};
};

/// One of the three counters that move the coefficient address at the end of a line, plane or
/// frame.
struct CoefficientReset {
    bool enabled = false;     ///< CTRL.CNT
    std::uint32_t count = 0;  ///< RSTCNT: samples minus one
    std::int16_t offset = 0;  ///< added modulo 512

    friend bool operator==(const CoefficientReset&, const CoefficientReset&) = default;
};

/// Gives the coefficient entry of each sample. The counters run for the whole epoch, over frames.
class CoefficientSequence {
  public:
    CoefficientSequence(std::uint32_t first, std::uint32_t increment_count, std::int16_t increment,
                        std::array<CoefficientReset, 3> resets);

    /// Fills in the entries of the next samples.
    void next(std::span<std::uint16_t> entries);

    /// Entries that come again and again, as channels do from pixel to pixel.
    struct Loop {
        std::uint32_t period = 0;   ///< samples
        std::uint32_t samples = 0;  ///< that repeat them, a multiple of `period`; 0: no loop here
    };
    /// Returns the loop that starts with the next sample.
    [[nodiscard]] Loop loop() const;
    /// Goes on as `next` would. Requires a multiple of the loop's period, at most its samples.
    void skip(std::uint32_t samples);

  private:
    struct Counter {
        std::uint32_t period = 0;  ///< samples; 0: never
        std::uint32_t left = 0;    ///< samples until it moves the address
        std::int16_t offset = 0;
    };
    /// Returns what is added to the address of each sample that no counter interrupts.
    [[nodiscard]] std::uint32_t step() const {
        return counters_[3].period == 1 ? static_cast<std::uint32_t>(counters_[3].offset) : 0;
    }
    [[nodiscard]] std::uint32_t steady() const;
    void advance(std::uint32_t samples);

    std::uint32_t address_;
    std::array<Counter, 4> counters_;  ///< the first that ends decides: 3, 2, 1, increment
};

}  // namespace n6vp::models::npu
