// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/operators/copies.h"

namespace n6vp::sim::generate {

void lower_copy_layer(NodeLowering& at, CopyLayer layer) {
    const auto refusal = copy_refusal(layer);
    if (refusal) at.refuse(refusal->what, refusal->remedy);
    layer.name = at.name();
    for (std::size_t i = 0; i < layer.sources.size(); ++i) {
        const Tensor& tensor = at.tensor(i);
        layer.sources[i].from =
            tensor.is_constant() ? at.weights().add(tensor.constant) : at.input(i);
    }
    at.add(lower_copies(layer, at.output()));
}

}  // namespace n6vp::sim::generate
