// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/generate/tflite/graph.h"
#include "sim/generate/validate/metrics.h"
#include "sim/host/json_output.h"
#include "sim/host/npy.h"
#include "sim/inference/random_numbers.h"

/// `n6vp validate`: what a model computes on the platform against a reference.
namespace n6vp::sim::generate {

using Bytes = std::vector<std::uint8_t>;

/// What an input or output of the model is.
struct TensorForm {
    std::string name;  ///< hostile text
    std::string type;  ///< NumPy's: "i1", "u1", "f4"
    std::vector<std::uint64_t> shape;
    std::size_t bytes = 0;
    double scale = 1;
    std::int64_t zero_point = 0;
    bool quantised = true;  ///< scale and zero point are known

    [[nodiscard]] std::size_t elements() const;
};
/// Returns the form of a tensor of 8 bits.
[[nodiscard]] TensorForm form_of(const Tensor& tensor);
/// Fails with UserError if tensors of a model and of the network it is compared with cannot be the
/// same: another number, type, shape or quantisation. Lengths of 1 do not count, nor do names.
/// `kind` is "input" or "output".
void require_same_forms(const std::vector<TensorForm>& model,
                        const std::vector<TensorForm>& network, const char* kind);

/// Returns the real numbers that stored bytes mean. Fails with UserError for types other than i1,
/// u1 and f4.
[[nodiscard]] std::vector<double> real_values(const TensorForm& form,
                                              std::span<const std::uint8_t> bytes);
/// Returns the stored bytes nearest to real numbers.
[[nodiscard]] Bytes stored_bytes(const TensorForm& form, std::span<const double> values);

/// The samples of one tensor in a file.
struct Samples {
    std::vector<Bytes> stored;
    /// The numbers of each sample before they were rounded, if the file has real numbers for a
    /// tensor of integers; else empty.
    std::vector<std::vector<double>> real;
    std::uint64_t saturated = 0;  ///< real numbers beyond the range of the tensor
};
/// Cuts an array into samples of one tensor: the type is the tensor's, or f4 and f8, which are real
/// numbers. Fails with UserError if the array is not a whole number of samples, or has values that
/// are not finite.
[[nodiscard]] Samples cut_samples(const TensorForm& form, const model_run::NpyArray& array,
                                  const std::string& shown_name);

/// Returns what random inputs are made for.
[[nodiscard]] model_run::NumberForm number_form(const TensorForm& form);

/// The tensors of one inference in their order.
using Tensors = std::vector<Bytes>;

/// Where outputs come from: the platform, or in tests anything else.
struct RunResult {
    Tensors outputs;
    Tensors kept;                         ///< further files that the runner was asked to keep
    std::optional<std::uint64_t> cycles;  ///< of the core, for the inference
};
using Runner = std::function<RunResult(const Tensors& inputs)>;

struct ValidationCase {
    Tensors inputs, reference;
    /// The reference by output as real numbers. Empty, all or one: what the stored numbers mean.
    std::vector<std::vector<double>> real = {};
};

struct OutputResult {
    TensorForm form;
    Metrics metrics;
    std::optional<StoredDifferences> stored;  ///< for integers
    ConfusionMatrix confusion;                ///< of classifiers
};

struct ValidationResult {
    std::vector<OutputResult> outputs;
    std::vector<std::uint64_t> cycles;
    std::size_t wanted = 0, done = 0;  ///< samples

    [[nodiscard]] bool partial() const { return done < wanted; }
};

/// Runs every case and compares. After a signal (InterruptGuard) the result has the samples that
/// are done. Fails with UserError if outputs do not have their form, and after a signal before the
/// first sample is done (kExitInterrupted).
[[nodiscard]] ValidationResult validate(const std::vector<ValidationCase>& cases,
                                        const std::vector<TensorForm>& outputs, bool classifier,
                                        const Runner& run);

/// What results must reach; what is not given is not asked.
struct ValidationDemand {
    std::optional<double> most_difference, least_within_one, least_acc, least_cos;
};
/// Returns one line per demand that is not met.
[[nodiscard]] std::vector<std::string> unmet(const ValidationResult& result,
                                             const ValidationDemand& demand);

[[nodiscard]] std::string validation_text(const ValidationResult& result);
[[nodiscard]] Json validation_json(const ValidationResult& result);

}  // namespace n6vp::sim::generate
