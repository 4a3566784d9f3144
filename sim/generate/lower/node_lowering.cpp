// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/node_lowering.h"

#include <algorithm>
#include <numeric>

#include "sim/generate/lower/node_layers.h"

namespace n6vp::sim::generate {

std::string NodeLowering::name() const {
    return node_title(graph(), node_);
}

PictureShape NodeLowering::picture(const Tensor& tensor) const {
    return picture_of(graph(), node_, tensor);
}

void NodeLowering::refuse(const std::string& what, const std::string& remedy) const {
    refuse_node(graph(), node_, what, remedy);
}

double NodeLowering::scale_ratio(const Tensor& from) const {
    const double ratio =
        static_cast<double>(from.scale_of(0)) / static_cast<double>(result().scale_of(0));
    if (ratio > kMaxRatio) {
        refuse("scales of input and output that are out of proportion",
               "quantise the network with scales that fit its numbers");
    }
    return ratio;
}

CoreEpoch NodeLowering::core_epoch(std::uint64_t cycles_per_element) const {
    CoreEpoch epoch;
    epoch.elements = result().element_count();
    epoch.estimated_cycles = cycles_per_element * epoch.elements;
    return epoch;
}

void NodeLowering::add_table(const std::function<void(const Operand& every, Bytes& to)>& evaluate) {
    constexpr std::uint64_t kLookupCycles = 6;  // for one element: assumed
    CoreEpoch epoch = core_epoch(kLookupCycles);
    epoch.choice = "table on the core";
    LookupWork work;
    Bytes every(work.table.size()), results(work.table.size());
    std::iota(every.begin(), every.end(), std::uint8_t{0});
    evaluate({&tensor(0), &every}, results);
    std::copy(results.begin(), results.end(), work.table.begin());
    epoch.work = work;
    add_core(std::move(epoch));
}

void NodeLowering::add_core(CoreEpoch epoch) {
    epoch.name = name();
    for (const TensorId id : node_.inputs) {
        const Tensor& tensor = graph().tensors[id];
        CoreInput input;
        input.bytes = tensor.bytes();
        input.constant = tensor.constant;
        if (!tensor.is_constant()) input.at = network_.address(id);
        epoch.inputs.push_back(std::move(input));
    }
    epoch.output = output();
    add(std::move(epoch));
}

}  // namespace n6vp::sim::generate
