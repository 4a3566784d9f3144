// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "sim/host/json_output.h"
#include "sim/inference/finished.h"
#include "sim/inference/model_run.h"

/// What `n6vp run MODEL` shows.
namespace n6vp::sim::model_run {

inline constexpr double kMsPerPs = 1e-9;  ///< milliseconds of simulated time per picosecond

using Finished = FinishedRun<ModelRun>;

/// One epoch of the first inference as reports show it.
struct EpochRow {
    const NpuEpoch* epoch = nullptr;
    const Block* block = nullptr;   ///< null: the firmware has not reported it
    std::int32_t number = 0;        ///< negative or 0: it has none
    double core_share = 0;          ///< of the row's time, in which the NPU had no epoch
    std::vector<BoundShare> bound;  ///< of the other time, largest first; empty without time
};
/// `blocks`: as reported by the firmware.
[[nodiscard]] std::vector<EpochRow> epoch_rows(const std::vector<NpuEpoch>& epochs,
                                               const std::vector<Block>& blocks);
/// Writes a table of them under `title`.
void write_epochs(std::ostream& out, const char* title, const std::vector<EpochRow>& rows);
/// Returns an array of them.
[[nodiscard]] Json epochs_json(const std::vector<EpochRow>& rows, const ModelMemory& memory);

/// Returns what the time of the first inference went to, largest first.
[[nodiscard]] std::vector<BoundShare> inference_bound(const Finished& finished);

/// Parts of a phase: those of its sub-phases that have one name count as one.
struct PhasePart {
    std::string name;
    models::Picoseconds time = 0;
    std::uint64_t cycles = 0;
};
/// Returns those one level below a phase, then those below these, each in their order.
[[nodiscard]] std::vector<PhasePart> parts_of(const std::vector<Phase>& phases, std::size_t index);

/// Milliseconds of a core cycle while the model ran, 0 if it did not.
[[nodiscard]] double ms_per_cycle(const PhaseRecorder& phases);

/// Writes memory use, phases, the time of each node and each epoch, inferences and outputs.
void write_model_run(std::ostream& out, const Finished& finished);
/// Writes a line for each; `made` says what they are from without a file.
void write_tensors(std::ostream& out, const char* kind, const std::vector<TensorFile>& tensors,
                   const char* made);
/// Returns an array of them.
[[nodiscard]] Json tensors_json(const std::vector<TensorFile>& tensors);
/// Writes every output that is not what it must be.
void write_differences(std::ostream& out, const std::vector<TensorFile>& outputs);
/// Returns the value of the key "model" of a document of schema n6vp.run/2.
[[nodiscard]] Json model_run_json(const Finished& finished);

}  // namespace n6vp::sim::model_run
