// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/generate/validate/validation.h"
#include "sim/host/json_output.h"
#include "sim/host/temp_folder.h"
#include "sim/inference/model_tensors.h"

namespace n6vp::sim::generate {

/// Runs a model on the platform by `n6vp run`, in a process of its own for every inference: there
/// is one platform per process.
class PlatformRunner {
  public:
    /// `words` are further options of `n6vp run`.
    PlatformRunner(std::string model, std::vector<std::string> words)
        : model_(std::move(model)), words_(std::move(words)) {}

    /// Runs once with inputs of zero and returns what the model says of its tensors. Fails with
    /// UserError as `run` does.
    void ask();
    /// Further files that every run leaves in the folder of its outputs.
    void keep(std::vector<std::string> files) { kept_ = std::move(files); }
    [[nodiscard]] const std::vector<TensorForm>& inputs() const { return inputs_; }
    [[nodiscard]] const std::vector<TensorForm>& outputs() const { return outputs_; }

    /// Fails with UserError, with the run's own exit code, if it does not end well.
    [[nodiscard]] RunResult run(const Tensors& inputs);

  private:
    [[nodiscard]] Json execute(const Tensors& inputs);

    std::string model_;
    std::vector<std::string> words_, kept_;
    std::vector<TensorForm> inputs_, outputs_;
    TempFolder folder_{"validate"};
};

}  // namespace n6vp::sim::generate
