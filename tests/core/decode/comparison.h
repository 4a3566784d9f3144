// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/core/isa/row.h"
#include "tests/core/decode/oracle.h"

namespace n6vp::test {

/// Counts agreements of our decode table with an oracle's and keeps the first of each kind of
/// disagreement.
class Comparison {
  public:
    /// `oracle` must outlive this object.
    explicit Comparison(DecodeOracle& oracle)
        : Comparison(oracle, models::core::isa::kEveryFeature, false) {}
    /// Of the rows with `features`; `existence_only`: their texts do not matter.
    Comparison(DecodeOracle& oracle, models::core::isa::Feature features, bool existence_only)
        : oracle_(oracle),
          rows_(models::core::isa::InstructionSet::of(features)),
          existence_only_(existence_only) {}

    /// Compares one encoding, outside IT and VPT blocks.
    void check(std::uint32_t encoding, unsigned bytes);
    /// The same as first instruction of a block.
    void check_under(std::uint32_t block, unsigned block_bytes, std::uint32_t encoding,
                     unsigned bytes);

    struct Difference {
        std::uint32_t encoding = 0;
        std::string ours, theirs;
        std::uint64_t count = 0;
    };

    [[nodiscard]] std::uint64_t compared() const { return compared_; }
    [[nodiscard]] std::uint64_t unpredictable() const { return unpredictable_; }
    [[nodiscard]] std::uint64_t excused() const { return excused_; }
    [[nodiscard]] std::uint64_t differences() const;
    /// By what differs: our row and the oracle's mnemonic.
    [[nodiscard]] const std::map<std::string, Difference>& kinds() const { return kinds_; }

  private:
    void judge(std::uint32_t encoding, const models::core::isa::Row* row, const std::string& ours,
               const DecodeOracle::Result& theirs);

    [[nodiscard]] const models::core::isa::Row* find_row(std::uint32_t encoding,
                                                         unsigned bytes) const {
        return bytes == 4 ? rows_.find_32(encoding) : rows_.find_16(encoding);
    }

    DecodeOracle& oracle_;
    const models::core::isa::InstructionSet& rows_;
    bool existence_only_;
    std::uint64_t compared_ = 0, unpredictable_ = 0, excused_ = 0;
    std::map<std::string, Difference> kinds_;
};

}  // namespace n6vp::test
