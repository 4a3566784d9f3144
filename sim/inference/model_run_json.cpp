// SPDX-License-Identifier: Apache-2.0
#include "sim/console/phase_times.h"
#include "sim/inference/model_run_report.h"

namespace n6vp::sim::model_run {

namespace {

[[nodiscard]] Json comparison_json(const Comparison& compared) {
    return {{"file", compared.file},       {"holds", compared.holds()},
            {"numbers", compared.numbers}, {"unequal", compared.unequal},
            {"too_far", compared.too_far}, {"first_too_far", compared.first},
            {"largest", compared.largest}};
}

[[nodiscard]] Json memory_json(const ModelMemory& memory) {
    Json list = Json::array();
    for (const MemoryUse& use : memory.uses()) {
        list.push_back({{"name", use.name},
                        {"address", hex_word(to_word(use.start))},
                        {"used", use.used},
                        {"room", use.room}});
    }
    return list;
}

[[nodiscard]] Json install_json(const std::vector<Phase>& phases) {
    Json list = Json::array();
    for (std::size_t i = 0; i < phases.size(); ++i) {
        if (phases[i].depth != 1 || phases[i].name != "install") continue;
        for (const PhasePart& part : parts_of(phases, i)) {
            list.push_back({{"name", part.name}, {"time_ps", part.time}, {"cycles", part.cycles}});
        }
    }
    return list;
}

[[nodiscard]] Json bound_json(const std::vector<BoundShare>& bound) {
    Json list = Json::array();
    for (const BoundShare& part : bound) {
        list.push_back({{"cause", part.cause}, {"share", part.share}});
    }
    return list;
}

[[nodiscard]] Json epoch_json(const EpochRow& row, const ModelMemory& memory) {
    const NpuEpoch& epoch = *row.epoch;
    Json traffic = Json::array();
    for (const auto& [place, bytes] : epoch.traffic) {
        traffic.push_back({{"place", memory.name_of(place)},
                           {"bytes_read", bytes.read},
                           {"bytes_written", bytes.written}});
    }
    const EpochSummary& summary = epoch.summary;
    const EpochFlow moved = summary.engines();
    return {{"epoch", row.number},
            {"block", epoch.block},
            {"type", row.block == nullptr ? "" : row.block->kind},
            {"start_ps", epoch.start},
            {"end_ps", epoch.end},
            {"npu_ps", epoch.npu_time()},
            {"core_ps", epoch.core_time()},
            {"engines", epoch.engines},
            {"npu_cycles", summary.npu_cycles},
            {"macs", summary.macs},
            {"mac_utilisation", summary.mac_utilisation()},
            {"bound", bound_json(row.bound)},
            {"bytes_read", moved.read},
            {"bytes_written", moved.written},
            {"traffic", std::move(traffic)},
            {"controller_bytes", summary.controller_bytes()},
            {"npu_cache_hits", summary.cache_hits()},
            {"npu_cache_misses", summary.cache_misses()},
            {"waited_cycles", summary.waited_cycles},
            {"bursts_waited_ps", moved.waited}};
}

[[nodiscard]] Json nodes_json(const std::vector<Block>& blocks) {
    Json list = Json::array();
    for (const Block& block : blocks) {
        list.push_back({{"first_epoch", block.first_epoch},
                        {"last_epoch", block.last_epoch},
                        {"type", block.kind},
                        {"pre_cycles", block.pre},
                        {"core_cycles", block.core},
                        {"post_cycles", block.post}});
    }
    return list;
}

}  // namespace

Json epochs_json(const std::vector<EpochRow>& rows, const ModelMemory& memory) {
    Json list = Json::array();
    for (const EpochRow& row : rows) list.push_back(epoch_json(row, memory));
    return list;
}

Json tensors_json(const std::vector<TensorFile>& tensors) {
    Json list = Json::array();
    for (const TensorFile& one : tensors) {
        const Tensor& tensor = one.tensor;
        Json row = {{"number", tensor.number}, {"name", tensor.name},   {"bytes", tensor.bytes},
                    {"type", tensor.type},     {"shape", tensor.shape}, {"crc", nullptr},
                    {"file", one.file}};
        if (one.crc) row["crc"] = hex_word(*one.crc);
        if (tensor.quantised) {
            row["scale"] = tensor.scale;
            row["zero_point"] = tensor.zero;
        }
        if (one.compared) row["expected"] = comparison_json(*one.compared);
        list.push_back(std::move(row));
    }
    return list;
}

Json model_run_json(const Finished& finished) {
    const ModelRun& run = finished.run;
    const loader::InstallRequest& request = run.plan().request();
    Json document = {
        {"file", run.files().file_path},
        {"params_file", run.files().params_path},
        {"generation", generation_name(request.profile.generation)},
        {"mode", (request.mode & loader::format::kModeCopy) != 0 ? "copy" : "xip"},
        {"clear", (request.mode & loader::format::kModeClear) != 0},
        {"policy", run.choice().policy == loader::Policy::Compat ? "compat" : "strict"}};
    if (const auto& code = run.lines().install_code()) document["install_code"] = *code;
    document["memory"] = memory_json(run.memory());
    document["install"] = install_json(finished.phases.phases());
    document["inputs"] = tensors_json(run.inputs());
    document["nodes"] = nodes_json(run.lines().blocks());
    document["epochs"] = epochs_json(epoch_rows(run.epochs(), run.lines().blocks()), run.memory());
    document["bound"] = bound_json(inference_bound(finished));
    const std::vector<Inference>& all = run.lines().inferences();
    Json& inferences = document["inferences"] = Json::array();
    for (const Inference& one : all) {
        inferences.push_back({{"cycles", one.cycles}, {"output_crc", hex_word(one.output_crc)}});
    }
    document["inferences_per_second"] =
        ended_phases(finished.phases.phases(), "inference").per_second();
    document["identical"] = identical_outputs(all);
    document["as_expected"] = run.as_expected();
    document["outputs"] = tensors_json(run.outputs());
    return document;
}

}  // namespace n6vp::sim::model_run
