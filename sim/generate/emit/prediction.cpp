// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/emit/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "sim/generate/lower/epoch_steps.h"
#include "sim/generate/lower/estimate.h"

namespace n6vp::sim::generate {

namespace {

// Cycles of the core, all from simulated runs (approx) of generated models: no measurements. Per
// element of a softmax, and of the call around it.
constexpr double kSoftmaxElement = 40, kSoftwareEpoch = 2000;
// What the runtime does around an inference, and around a blob.
constexpr double kInference = 4000, kBlob = 2250;
// Around an epoch that the core programs itself, and for every step before and after it. The last
// steps before it enable the units one by one, while the first of them are at work already.
constexpr double kProgrammedEpoch = 2150, kStartStep = 42, kEndStep = 68;

EpochRow npu_row(const NpuEpoch& epoch, const CostParameters& cost) {
    const EpochEstimate estimate = estimate_epoch(epoch, cost);
    EpochRow row;
    row.name = epoch.name;
    row.choice = epoch.choice;
    row.bound = bound_name(estimate.bound);
    row.multiplications = epoch.multiplications;
    row.cycles = estimate.cycles;
    row.least_cycles = estimate.least_cycles;
    row.utilisation = static_cast<double>(epoch.multiplications) /
                      (cost.all_multipliers() * std::max(estimate.cycles, 1.0));
    row.read_bytes = estimate.read_bytes;
    row.written_bytes = estimate.written_bytes;
    row.flash_bytes = estimate.flash_bytes;
    return row;
}

EpochRow software_row(const Epoch& epoch, const CostParameters& cost) {
    EpochRow row;
    row.name = epoch_name(epoch);
    row.bound = "software";
    row.software = true;
    double work = 0;
    if (const auto* const core = std::get_if<CoreEpoch>(&epoch)) {
        row.choice = core->choice;
        for (const CoreInput& input : core->inputs) row.read_bytes += input.bytes;
        row.written_bytes = core->elements;
        work = static_cast<double>(core->estimated_cycles);
    } else {
        const auto& softmax = std::get<SoftmaxEpoch>(epoch);
        row.choice = "softmax on the core";
        row.read_bytes = std::uint64_t{softmax.rows} * softmax.elements;
        row.written_bytes = row.read_bytes;
        work = kSoftmaxElement * static_cast<double>(row.read_bytes);
    }
    row.cycles = (kSoftwareEpoch + work) * cost.per_core_cycle;
    return row;
}

/// Cycles of the core, beside those in which units are at work.
double programming_cycles(const ModelPlan& plan, const std::vector<EpochBlock>& blocks,
                          std::uint64_t blob_bytes, const CostParameters& cost) {
    double core = kInference;
    for (const EpochBlock& block : blocks) {
        if (block.software) continue;
        if (!block.container.empty()) {
            core += kBlob;
            continue;
        }
        const NpuEpoch& epoch = std::get<NpuEpoch>(plan.epochs[block.first - 1]);
        const CoreSteps steps = core_steps(epoch);
        const std::size_t before = steps.start.size() - epoch.units.size();
        core += kProgrammedEpoch + kStartStep * static_cast<double>(before) +
                kEndStep * static_cast<double>(steps.end.size());
    }
    const std::size_t blob_words = (blob_bytes + 7) / 8;
    return cost.controller_fetch * static_cast<double>(blob_words) + core * cost.per_core_cycle;
}

std::uint64_t whole(double cycles) {
    return static_cast<std::uint64_t>(std::llround(cycles));
}

}  // namespace

Prediction predict(const ModelPlan& plan, const std::vector<EpochBlock>& blocks,
                   const CostParameters& cost) {
    Prediction result;
    result.hz = cost.npu_hz;
    const bool by_core = std::none_of(blocks.begin(), blocks.end(), [](const EpochBlock& block) {
        return !block.container.empty();
    });
    for (const Epoch& epoch : plan.epochs) {
        const auto* const npu = std::get_if<NpuEpoch>(&epoch);
        EpochRow row = npu != nullptr ? npu_row(*npu, cost) : software_row(epoch, cost);
        if (npu != nullptr && by_core) {
            row.cycles += kStartStep * static_cast<double>(npu->units.size()) * cost.per_core_cycle;
        }
        (row.software ? result.software_cycles : result.npu_cycles) += row.cycles;
        result.least_cycles += row.least_cycles;
        result.epochs.push_back(row);
    }
    for (const EpochBlock& block : blocks) {
        result.blob_bytes += std::uint64_t{4} * block.blob_words;
    }
    result.programming_cycles = programming_cycles(plan, blocks, result.blob_bytes, cost);
    return result;
}

std::string prediction_text(const Prediction& prediction) {
    return fmt::format(
        "predicted: {} NPU cycles in epochs of the NPU, {} in software, {} for programming and "
        "the\n"
        "           runtime (blobs of {} bytes); inference {:.3f} ms with the NPU at {:.0f} MHz\n"
        "Prediction for the first inference of n6vp run with the same parameters, without "
        "contention\n"
        "between engines. Error for the public networks: 5 % of the inference, 10 % of the NPU "
        "cycles.\n",
        whole(prediction.npu_cycles), whole(prediction.software_cycles),
        whole(prediction.programming_cycles), prediction.blob_bytes, prediction.milliseconds(),
        prediction.hz / 1e6);
}

Json prediction_json(const Prediction& prediction) {
    Json json;
    json["of"] = "first inference of n6vp run with the same parameters";
    json["how"] =
        "closed form fitted to published measurements, without contention between engines";
    json["npu_cycles"] = whole(prediction.npu_cycles);
    json["software_cycles"] = whole(prediction.software_cycles);
    json["programming_cycles"] = whole(prediction.programming_cycles);
    json["npu_hz"] = prediction.hz;
    json["inference_ms"] = prediction.milliseconds();
    return json;
}

}  // namespace n6vp::sim::generate
