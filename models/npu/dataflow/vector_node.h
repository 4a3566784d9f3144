// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "models/npu/dataflow/link.h"
#include "models/npu/dataflow/network.h"
#include "models/npu/dataflow/port.h"

namespace n6vp::models::npu {

/// A unit that makes one word of each word, or of each pair of words: ARITH and ACTIV.
///
/// Modelled: one word per cycle, both inputs in step, a stall of the output stalls the inputs.
/// Frames are those of the first input. A word leaves the links of the inputs when the output has
/// been taken: the unit holds none. Not modelled: its latency.
class VectorNode final : public Node {
  public:
    /// Called with the next words: `out` has as many as `x`, and so has `y` if there are two
    /// inputs.
    using Work =
        std::function<void(std::span<const Word> x, std::span<const Word> y, std::span<Word> out)>;

    VectorNode(Work work, bool two_inputs, Picoseconds cycle, Picoseconds start, Network& network,
               Link& out);

    Port x, y;

    void step() override;
    [[nodiscard]] bool busy() const override { return false; }
    [[nodiscard]] std::string waits_for() const override;
    [[nodiscard]] std::uint64_t words() const { return words_; }

  private:
    /// The output has been taken, and what it was made of is now.
    void take_inputs();

    Work work_;
    bool two_inputs_;
    Picoseconds cycle_;
    Link& out_;
    PathTime free_;
    std::vector<Word> given_;
    std::uint64_t words_ = 0;
    std::size_t offered_ = 0;                ///< words of the inputs whose results are on the link
    std::array<std::uint64_t, 2> breaks_{};  ///< of the inputs, when these were offered
};

}  // namespace n6vp::models::npu
