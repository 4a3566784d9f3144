// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/inference/comparison.h"
#include "sim/inference/firmware_lines.h"
#include "sim/inference/random_numbers.h"

/// The files through which a model gets its inputs and leaves its outputs.
namespace n6vp::sim::model_run {

/// What the user gives the model.
struct InputChoice {
    std::vector<std::string> files;  ///< .npy or raw, in the order of the model's inputs
    bool random = false;             ///< inputs without a file; else they are zero
    std::uint32_t seed = 0;
    std::optional<NumberRange> range;  ///< of random numbers
};

/// What the outputs must be.
struct OutputDemand {
    std::vector<std::string> files;  ///< .npy or raw, in the order of the model's outputs
    double tolerance = 0;            ///< by which a number may differ
};

/// Files of the user, one for each tensor of a kind: in the order of the model's, of several models
/// first those of the first one.
class TensorFiles {
  public:
    /// Reads the files; `kind` is "input" or "output", `option` names them in messages. Fails with
    /// UserError if one cannot be read.
    TensorFiles(const std::vector<std::string>& files, const char* kind, const char* option);

    struct Content {
        std::string file;
        std::vector<std::uint8_t> bytes;
    };
    /// Returns the bytes of the next tensor, which is of `model`; none if there is no file for it.
    /// Fails with UserError if the file does not fit the tensor.
    [[nodiscard]] std::optional<Content> next(const Tensor& tensor, const std::string& model);
    /// All tensors are known: fails with UserError if files are left over.
    void finish() const;
    [[nodiscard]] bool empty() const { return sources_.empty(); }

  private:
    struct Turn {
        std::string model;
        std::size_t tensors = 0;
    };
    std::vector<Content> sources_;
    const char* kind_;
    const char* option_;
    std::size_t tensors_ = 0;
    std::vector<Turn> turns_;  ///< which model had how many of them
};

/// Where one tensor's bytes came from, or went to.
struct TensorFile {
    Tensor tensor;
    std::string file;                    ///< of the user; empty: made, or not kept
    std::optional<std::uint32_t> crc;    ///< none: an output that was not computed
    std::optional<Comparison> compared;  ///< of an output
};

/// Writes inputs as soon as the firmware says what they are, before it opens them.
class Inputs {
  public:
    /// Takes from `given`, which outlives it; `model` is what messages call the model of several.
    Inputs(const InputChoice& choice, TensorFiles& given, std::filesystem::path folder,
           std::string model = {});

    /// Fails with UserError if the next file does not fit the tensor.
    void add(const Tensor& tensor);
    [[nodiscard]] const std::vector<TensorFile>& files() const { return given_; }

  private:
    TensorFiles& sources_;
    std::filesystem::path folder_;
    std::string model_;
    bool random_;
    RandomNumbers numbers_;
    std::vector<TensorFile> given_;
};

/// Takes what the firmware leaves of every output.
class Outputs {
  public:
    /// Takes what they must be from `demanded`, which outlives it. `to` is the folder for them, an
    /// empty one keeps nothing; `model` is what messages call the model of several. Fails with
    /// UserError if the folder is none and cannot be made.
    Outputs(double tolerance, TensorFiles& demanded, std::string to, std::string model = {});

    /// Fails with UserError if what the tensor must be does not fit it.
    void add(const Tensor& tensor);
    /// Reads every output in `folder` and compares it. Fails with UserError.
    void collect(const std::filesystem::path& folder);
    /// Makes the folder for outputs, if they are kept, and writes those that were collected: .npy
    /// if the model says type and shape, else raw. Fails with UserError.
    void write();
    [[nodiscard]] const std::vector<TensorFile>& files() const { return outputs_; }
    /// Returns whether every output is what it must be. One that was not computed is not.
    [[nodiscard]] bool as_expected() const;

  private:
    TensorFiles& demanded_;
    double tolerance_;
    std::string to_, model_;
    bool collected_ = false;
    std::vector<TensorFile> outputs_;
    std::vector<std::optional<TensorFiles::Content>> wanted_;  ///< of `outputs_`
    std::vector<std::vector<std::uint8_t>> bytes_;             ///< of `outputs_`, if they are kept
};

}  // namespace n6vp::sim::model_run
