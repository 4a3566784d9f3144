// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/generate/tflite/graph.h"

/// What a layer must give, computed apart from the units' model and from what lowering makes.
namespace n6vp::test {

using Picture = std::vector<std::int8_t>;

/// The layer in real numbers, rounded once: what a quantised network means. `inputs` are those that
/// are computed. RESIZE_NEAREST_NEIGHBOR without corners or centres only.
[[nodiscard]] Picture exact_layer(const sim::generate::Graph& graph,
                                  const std::vector<Picture>& inputs);

/// Sums of a convolution or fully connected layer without bias and zero points: Σ f * w with the
/// zero point around the picture.
[[nodiscard]] std::vector<std::int64_t> plain_sums(const sim::generate::Graph& graph,
                                                   const Picture& input);

struct Agreement {
    std::size_t elements = 0, equal = 0, within_one = 0;
    int largest = 0;
};
[[nodiscard]] Agreement compare(const Picture& got, const Picture& expected);

}  // namespace n6vp::test
