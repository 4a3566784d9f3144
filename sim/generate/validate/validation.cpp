// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/validate/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"
#include "sim/host/signals.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

std::size_t type_bytes(const std::string& type) {
    if (type == "i1" || type == "u1") return 1;
    if (type == "f4") return 4;
    if (type == "f8") return 8;
    throw UserError(fmt::format("a tensor of type {}", traces::terminal_text(type)),
                    "int8, uint8 and float32 tensors are compared");
}

template <class Float>
std::vector<double> floats(std::span<const std::uint8_t> bytes) {
    std::vector<double> values(bytes.size() / sizeof(Float));
    for (std::size_t i = 0; i < values.size(); ++i) {
        Float value = 0;
        std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
        values[i] = static_cast<double>(value);
    }
    return values;
}

bool is_integer(const TensorForm& form) {
    return form.type == "i1" || form.type == "u1";
}

std::int32_t stored_integer(const TensorForm& form, std::uint8_t byte) {
    return form.type == "i1" ? static_cast<std::int8_t>(byte) : byte;
}

/// Collects one output over all cases.
class OutputCollector {
  public:
    OutputCollector(const TensorForm& form, bool classifier)
        : classifier_(classifier), figures_(classifier) {
        result_.form = form;
        if (is_integer(form)) result_.stored.emplace();
    }

    /// `real` is the reference before it was rounded, or empty.
    void add(const Bytes& reference, std::span<const double> real, const Bytes& computed) {
        const TensorForm& form = result_.form;
        if (reference.size() != form.bytes || computed.size() != form.bytes) {
            throw UserError(fmt::format("output '{}' has {} bytes, its reference {}, not {}",
                                        traces::terminal_text(form.name), computed.size(),
                                        reference.size(), form.bytes),
                            "check that the reference belongs to this model");
        }
        const std::vector<double> meant = real_values(form, reference);
        figures_.add(real.empty() ? std::span(meant) : real, real_values(form, computed));
        if (!result_.stored) return;
        for (std::size_t i = 0; i < reference.size(); ++i) {
            result_.stored->add(stored_integer(form, reference[i]),
                                stored_integer(form, computed[i]));
        }
    }
    [[nodiscard]] OutputResult finish() {
        result_.metrics = figures_.metrics();
        if (classifier_) result_.confusion = figures_.confusion();
        return result_;
    }

  private:
    bool classifier_;
    MetricsCollector figures_;
    OutputResult result_;
};

}  // namespace

std::size_t TensorForm::elements() const {
    return bytes / type_bytes(type);
}

TensorForm form_of(const Tensor& tensor) {
    TensorForm form;
    form.name = tensor.name;
    form.type = tensor.type == ElementType::Uint8 ? "u1" : "i1";
    form.shape.assign(tensor.shape.begin(), tensor.shape.end());
    form.bytes = tensor.bytes();
    form.scale = static_cast<double>(tensor.scale_of(0));
    form.zero_point = tensor.zero_point_of(0);
    return form;
}

namespace {

std::string form_text(const TensorForm& form) {
    std::string text = fmt::format("{} of {}", model_run::shape_text(form.shape),
                                   form.type.empty() ? "unknown type" : form.type);
    if (form.quantised) text += fmt::format(", {:g} (x - {})", form.scale, form.zero_point);
    return traces::terminal_text(text);
}

std::vector<std::uint64_t> without_ones(std::vector<std::uint64_t> shape) {
    std::erase(shape, 1);
    return shape;
}

bool same_form(const TensorForm& a, const TensorForm& b) {
    constexpr double kRounding = 1e-5;  // of numbers that were printed
    if (a.type != b.type || a.bytes != b.bytes) return false;
    if (without_ones(a.shape) != without_ones(b.shape)) return false;
    if (!a.quantised || !b.quantised) return true;
    return a.zero_point == b.zero_point && std::abs(a.scale - b.scale) <= kRounding * b.scale;
}

}  // namespace

void require_same_forms(const std::vector<TensorForm>& model,
                        const std::vector<TensorForm>& network, const char* kind) {
    constexpr const char* kRemedy = "give the network that the model was made from";
    if (model.size() != network.size()) {
        throw UserError(fmt::format("the network is not the model's: it has {} {}s, the model {}",
                                    network.size(), kind, model.size()),
                        kRemedy);
    }
    for (std::size_t i = 0; i < model.size(); ++i) {
        if (same_form(model[i], network[i])) continue;
        throw UserError(
            fmt::format("the network is not the model's: {} {} is {} in the network, {} in the "
                        "model",
                        kind, i, form_text(network[i]), form_text(model[i])),
            kRemedy);
    }
}

std::vector<double> real_values(const TensorForm& form, std::span<const std::uint8_t> bytes) {
    if (type_bytes(form.type) == sizeof(double)) return floats<double>(bytes);
    if (!is_integer(form)) return floats<float>(bytes);
    std::vector<double> values(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        values[i] =
            form.scale * static_cast<double>(stored_integer(form, bytes[i]) - form.zero_point);
    }
    return values;
}

Bytes stored_bytes(const TensorForm& form, std::span<const double> values) {
    Bytes bytes(values.size() * type_bytes(form.type));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!is_integer(form)) {
            const auto value = static_cast<float>(values[i]);
            std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
            continue;
        }
        const double low = form.type == "i1" ? -128 : 0;
        const double stored =
            std::round(values[i] / form.scale) + static_cast<double>(form.zero_point);
        // What is no number becomes the lowest.
        const double cut = stored > low ? std::min(stored, low + 255) : low;
        bytes[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(cut) & 0xFF);
    }
    return bytes;
}

namespace {

/// Fails with UserError if a value of the file is none that a tensor can be compared with.
void require_finite(std::span<const double> values, std::size_t of_sample,
                    const std::string& shown_name) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isfinite(values[i])) continue;
        throw UserError(fmt::format("{} has {} in sample {}, element {}", shown_name, values[i],
                                    i / of_sample, i % of_sample),
                        "give finite numbers: what wrote this file has failed");
    }
}

/// Counts what the tensor's integers do not reach, half a step beyond the last one.
std::uint64_t beyond_range(const TensorForm& form, std::span<const double> values) {
    constexpr double kHalf = 0.5;
    const double low = form.type == "i1" ? -128 : 0;
    return static_cast<std::uint64_t>(
        std::count_if(values.begin(), values.end(), [&form, low](double value) {
            const double stored = value / form.scale + static_cast<double>(form.zero_point);
            return stored < low - kHalf || stored > low + 255 + kHalf;
        }));
}

}  // namespace

Samples cut_samples(const TensorForm& form, const model_run::NpyArray& array,
                    const std::string& shown_name) {
    Samples samples;
    Bytes bytes = array.bytes;
    std::vector<double> values;
    const bool has_reals = array.type == "f4" || array.type == "f8";
    if (array.type != form.type && !has_reals) {
        throw UserError(fmt::format("{} has type {}, the tensor {}", shown_name,
                                    traces::terminal_text(array.type), form.type),
                        "give the tensor's type, or float32 for real numbers");
    }
    if (has_reals) {
        values = array.type == "f8" ? floats<double>(array.bytes) : floats<float>(array.bytes);
        require_finite(values, form.elements(), shown_name);
        if (array.type != form.type) bytes = stored_bytes(form, values);
        if (is_integer(form)) samples.saturated = beyond_range(form, values);
    }
    if (bytes.empty() || bytes.size() % form.bytes != 0) {
        throw UserError(
            fmt::format("{} has shape {}, which does not hold whole tensors of shape {}",
                        shown_name, model_run::shape_text(array.shape),
                        model_run::shape_text(form.shape)),
            "give one array with all samples, the sample as its first dimension");
    }
    for (std::size_t at = 0; at < bytes.size(); at += form.bytes) {
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        samples.stored.emplace_back(first, first + static_cast<std::ptrdiff_t>(form.bytes));
        if (!has_reals || !is_integer(form)) continue;
        const auto real = values.begin() + static_cast<std::ptrdiff_t>(at);  // a byte each
        samples.real.emplace_back(real, real + static_cast<std::ptrdiff_t>(form.bytes));
    }
    return samples;
}

model_run::NumberForm number_form(const TensorForm& form) {
    return {fmt::format("input '{}'", traces::terminal_text(form.name)), form.type, form.bytes,
            form.scale, form.zero_point};
}

namespace {

/// Compares one sample; returns false if a signal came before it was done.
bool add_case(const ValidationCase& one, const Runner& run,
              std::vector<OutputCollector>& collectors, ValidationResult& result) {
    RunResult ran;
    try {
        ran = run(one.inputs);
    } catch (const UserError&) {
        if (interrupted()) return false;  // which ended the run as well
        throw;
    }
    if (ran.outputs.size() != collectors.size() || one.reference.size() != collectors.size()) {
        throw UserError(fmt::format("{} outputs and {} references for {} outputs",
                                    ran.outputs.size(), one.reference.size(), collectors.size()),
                        "is the reference that of this model?");
    }
    for (std::size_t i = 0; i < collectors.size(); ++i) {
        std::span<const double> real;
        if (i < one.real.size()) real = one.real[i];
        collectors[i].add(one.reference[i], real, ran.outputs[i]);
    }
    if (ran.cycles) result.cycles.push_back(*ran.cycles);
    ++result.done;
    return true;
}

}  // namespace

ValidationResult validate(const std::vector<ValidationCase>& cases,
                          const std::vector<TensorForm>& outputs, bool classifier,
                          const Runner& run) {
    std::vector<OutputCollector> collectors;
    collectors.reserve(outputs.size());
    for (const TensorForm& form : outputs) collectors.emplace_back(form, classifier);
    ValidationResult result;
    result.wanted = cases.size();
    for (const ValidationCase& one : cases) {
        if (interrupted() || !add_case(one, run, collectors, result)) break;
    }
    if (result.done == 0 && result.partial()) {
        throw UserError("interrupted before the first sample was done", "run it again",
                        kExitInterrupted);
    }
    result.outputs.reserve(outputs.size());
    for (OutputCollector& collector : collectors) result.outputs.push_back(collector.finish());
    return result;
}

std::vector<std::string> unmet(const ValidationResult& result, const ValidationDemand& demand) {
    std::vector<std::string> lines;
    for (const OutputResult& output : result.outputs) {
        const std::string name = traces::terminal_text(output.form.name);
        const auto judge = [&](const char* what, std::optional<double> value,
                               std::optional<double> bound, bool least) {
            if (!bound) return;
            if (value && (least ? *value >= *bound : *value <= *bound)) return;
            lines.push_back(fmt::format("'{}': {} is {}, not {} {}", name, what,
                                        value ? fmt::format("{:.6g}", *value) : "not known",
                                        least ? "at least" : "at most", *bound));
        };
        std::optional<double> difference, within;
        if (output.stored) {
            difference = output.stored->largest;
            within = output.stored->within_one_part();
        }
        judge("the largest difference", difference, demand.most_difference, false);
        judge("the part within 1", within, demand.least_within_one, true);
        judge("acc", output.metrics.acc, demand.least_acc, true);
        judge("cos", output.metrics.cos, demand.least_cos, true);
    }
    return lines;
}

}  // namespace n6vp::sim::generate
