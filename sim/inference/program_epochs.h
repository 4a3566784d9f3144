// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <vector>

#include "sim/host/json_output.h"
#include "sim/inference/model_memory.h"
#include "sim/inference/npu_epochs.h"
#include "sim/run/run_session.h"

namespace n6vp::sim::model_run {

/// The NPU's epochs in a run of the user's firmware, in the rows that a model's inference has. A
/// row is one epoch: their assignment to inferences is unknown.
class ProgramEpochs {
  public:
    /// Listens to the NPU of the session, which outlives this.
    void attach(RunSession& session) { log_ = &session.log_epochs(); }
    /// The session has run.
    void finish(const RunPlan& plan);

    /// Writes nothing if the NPU did nothing.
    void write(std::ostream& out) const;
    /// Adds the keys "epochs" and "epochs_not_kept" to a document of schema n6vp.run/2.
    void add_to(Json& document) const;

  private:
    EpochLog* log_ = nullptr;
    ModelMemory memory_;
    std::vector<NpuEpoch> epochs_;
};

}  // namespace n6vp::sim::model_run
