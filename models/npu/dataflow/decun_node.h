// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/npu/dataflow/link.h"
#include "models/npu/dataflow/network.h"
#include "models/npu/dataflow/port.h"
#include "models/npu/units/decun.h"

namespace n6vp::models::npu {

/// One DECUN with its codebook in memory. Nothing of its pace is known.
///
/// Assumed: an index is taken when the words of the one before have left, one word per cycle; a
/// frame ends with its last index.
class DecunNode final : public Node {
  public:
    /// Requires a configuration that computes. `network` and `out` outlive the node's work;
    /// `on_unknown` is called when an index has no code vector.
    DecunNode(Decun unit, Picoseconds cycle, Picoseconds start, Network& network, Link& out,
              std::function<void()> on_unknown);

    Port indices;

    void step() override;
    [[nodiscard]] bool busy() const override { return false; }
    [[nodiscard]] std::string waits_for() const override;

  private:
    Decun unit_;
    Picoseconds cycle_;
    Link& out_;
    std::function<void()> on_unknown_;
    PathTime free_;
    std::vector<Word> given_;
    std::uint64_t taken_ = 0;
};

}  // namespace n6vp::models::npu
