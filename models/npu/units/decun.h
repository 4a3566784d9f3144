// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/npu/base/verdict.h"
#include "models/npu/units/word.h"

namespace n6vp::models::npu {

/// The registers of a DECUN unit by field name. The defaults are the reset values.
struct DecunConfig {
    bool dualin = false;        ///< 1: the codebook does not come from the second input
    bool ow = false;            ///< 1: the codebook is not overwritten
    std::uint8_t pageaddr = 0;  ///< of four codebooks
    std::uint8_t cvs = 0;       ///< code vectors minus one
    std::uint8_t cws = 0;       ///< words of a vector minus one
    std::uint8_t osam = 0;      ///< words of the last vector of a frame
    bool cv8 = false;           ///< words of one byte, else of two
    bool rawline = false;
    std::uint16_t bn = 0;  ///< batches

    friend bool operator==(const DecunConfig&, const DecunConfig&) = default;
};

inline constexpr std::uint32_t kDecunPages = 4;
inline constexpr std::uint32_t kDecunPageEntries = 256;

/// The codebooks, of which the register window shows the page of CTRL.PAGEADDR.
struct DecunMemory {
    struct Entry {
        std::uint32_t low = 0, high = 0;
    };
    std::array<Entry, std::size_t{kDecunPages} * kDecunPageEntries> entries{};
};

/// Whatever this unit does has never been seen in a network: all of it is inferred.
[[nodiscard]] Verdict judge(const DecunConfig& config);

/// What to report when an index is above CVS.
inline constexpr Limit kIndexBeyondCodebook{"DECUN", "BFORMAT.CVS",
                                            "what an index without a code vector gives"};

/// One DECUN unit with its codebook in memory: for each index, the words of its code vector.
class Decun {
  public:
    /// Requires a configuration that computes (`judge`). Copies the page.
    Decun(const DecunConfig& config, const DecunMemory& memory);

    /// Returns the words that a frame of `indices` words becomes.
    [[nodiscard]] std::size_t words_out(std::size_t indices) const {
        return indices == 0 ? 0 : (indices - 1) * words_ + last_words_;
    }
    /// Expands one frame. Requires room for `words_out(indices.size())`. Returns whether all
    /// indices have a code vector (else report `kIndexBeyondCodebook`); the others give zeros.
    bool compute(std::span<const Word> indices, std::span<Word> out) const;

  private:
    std::uint32_t vectors_, words_, last_words_;
    std::vector<Word> codebook_;  ///< vector after vector
};

}  // namespace n6vp::models::npu
