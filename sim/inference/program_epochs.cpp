// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/program_epochs.h"

#include <ostream>

#include "sim/inference/model_run_report.h"

namespace n6vp::sim::model_run {

void ProgramEpochs::finish(const RunPlan& plan) {
    if (log_ == nullptr) return;
    std::vector<BlockTime> blocks;
    for (const LoggedEpoch& epoch : log_->epochs()) {
        if (epoch.worked()) blocks.push_back({epoch.start, epoch.end});
    }
    epochs_ = epochs_of(blocks, log_->epochs(), memory_, plan.parameters);
}

void ProgramEpochs::write(std::ostream& out) const {
    if (!epochs_.empty()) write_epochs(out, "Epochs of the NPU", epoch_rows(epochs_, {}));
}

void ProgramEpochs::add_to(Json& document) const {
    document["epochs"] = epochs_json(epoch_rows(epochs_, {}), memory_);
    document["epochs_not_kept"] = log_ == nullptr ? 0 : log_->not_kept();
}

}  // namespace n6vp::sim::model_run
