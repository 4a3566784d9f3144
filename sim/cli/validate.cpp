// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

#include "sim/cli/frame.h"
#include "sim/cli/log_options.h"
#include "sim/cli/verb.h"
#include "sim/generate/operators/evaluate.h"
#include "sim/generate/operators/import.h"
#include "sim/generate/validate/layer_comparison.h"
#include "sim/generate/validate/platform_runner.h"
#include "sim/generate/validate/validation.h"
#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/host/message_text.h"
#include "sim/host/signals.h"
#include "sim/inference/random_numbers.h"
#include "sim/model_file/model_image.h"
#include "sim/model_file/model_pools.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

constexpr std::uint32_t kDefaultSamples = 10, kMaxSamples = 10'000;
constexpr std::uintmax_t kMaxBytes = 1u << 30;

constexpr const char* kValidateFooter =
    R"(Every sample is one inference on the platform (n6vp run). The reference is --valoutput, or else an
independent evaluation of the network by TFLite's integer arithmetic (--tflite). Arrays hold all samples,
the sample as first dimension, in the tensor's type or as real numbers (float32, float64).

r is the reference, p the output of the model, e = p - r; real numbers, over all elements:
  acc   fraction of samples whose largest element has the same index (--classifier)
  rmse  sqrt(mean(e^2))               mae   mean(|e|)
  l2r   sqrt(sum(e^2) / sum(r^2))     mean  mean(e)       std  sqrt(mean((e - mean)^2))
  nse   1 - sum(e^2) / sum((r - mean(r))^2)
  cos   sum(r p) / sqrt(sum(r^2) sum(p^2))
--layers compares the output of each layer with two evaluations: of the layer from its inputs in the model
(error of the layer alone), and of the whole network (accumulated error).
"as stored" counts integers. Exit code 1 if a limit (--max-diff, --min-...) is violated. After Ctrl-C
the completed samples are reported as partial, with exit code 130.

Examples:
  n6vp validate kws/network_rel.bin --tflite kws.tflite -b 4 --classifier
  n6vp validate kws/network_rel.bin --tflite kws.tflite -b 2 --layers --min-layer-within-one 0.99
  n6vp validate kws/network_rel.bin -vi in.npy -vo ref.npy --max-diff 1
  n6vp validate kws/network_rel.bin --tflite kws.tflite --range -1:1 --seed 7 --json)";

struct ValidateOptions {
    std::string model, tflite, range, params, mode, timing;
    std::vector<std::string> inputs, outputs;
    std::uint32_t samples = 0, seed = 0;
    bool classifier = false, layers = false, json = false;
    generate::ValidationDemand demand;
    std::optional<double> least_layer_within_one;
};

/// Samples of all tensors: of each sample the tensors, and where the files have real numbers,
/// those.
struct SampleFiles {
    std::vector<generate::Tensors> stored;
    std::vector<std::vector<std::vector<double>>> real;
};

/// Files of samples, one for each tensor. Warns of values that the tensor cannot hold.
SampleFiles read_samples(const std::vector<std::string>& files,
                         const std::vector<generate::TensorForm>& forms, const char* option,
                         std::ostream& warnings) {
    if (files.size() != forms.size()) {
        throw UserError(fmt::format("{} files for {} tensors", files.size(), forms.size()),
                        fmt::format("give {} once per tensor, in the model's order", option));
    }
    SampleFiles samples;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string shown = traces::terminal_text(files[i]);
        const std::vector<std::uint8_t> file =
            read_input(files[i], kMaxBytes, "give fewer samples per run");
        generate::Samples column =
            generate::cut_samples(forms[i], model_run::parse_npy(file, shown), shown);
        if (column.saturated != 0) {
            warnings << fmt::format("n6vp: {}: {} beyond the range of tensor '{}', saturated\n",
                                    shown, counted(column.saturated, "value"),
                                    traces::terminal_text(forms[i].name));
        }
        if (i == 0) {
            samples.stored.resize(column.stored.size());
            samples.real.resize(column.stored.size());
        }
        if (column.stored.size() != samples.stored.size()) {
            throw UserError(fmt::format("{} has {} samples, the preceding file {}", shown,
                                        column.stored.size(), samples.stored.size()),
                            "give the same number of samples for every tensor");
        }
        column.real.resize(column.stored.size());
        for (std::size_t k = 0; k < column.stored.size(); ++k) {
            samples.stored[k].push_back(std::move(column.stored[k]));
            samples.real[k].push_back(std::move(column.real[k]));
        }
    }
    return samples;
}

std::vector<generate::Tensors> make_samples(const ValidateOptions& options,
                                            const std::vector<generate::TensorForm>& forms) {
    std::optional<model_run::NumberRange> range;
    if (!options.range.empty()) {
        range = model_run::parse_number_range(options.range, "--range");
    }
    model_run::RandomNumbers random(options.seed, range);
    std::vector<generate::Tensors> samples(options.samples == 0 ? kDefaultSamples
                                                                : options.samples);
    for (generate::Tensors& sample : samples) {
        sample.reserve(forms.size());
        for (const generate::TensorForm& form : forms) {
            sample.push_back(random.make(generate::number_form(form)));
        }
    }
    return samples;
}

/// What the network makes of an input according to TFLite.
generate::Tensors evaluated(const generate::Graph& graph, const generate::Tensors& inputs) {
    const generate::TensorValues values = generate::evaluate(graph, inputs);
    generate::Tensors outputs;
    outputs.reserve(graph.outputs.size());
    for (const generate::TensorId id : graph.outputs) outputs.push_back(values[id]);
    return outputs;
}

/// The inputs of all samples.
std::vector<generate::Tensors> input_samples(const ValidateOptions& options,
                                             const std::vector<generate::TensorForm>& forms,
                                             std::ostream& warnings) {
    if (options.inputs.empty()) return make_samples(options, forms);
    std::vector<generate::Tensors> samples =
        read_samples(options.inputs, forms, "--valinput", warnings).stored;
    if (options.samples > samples.size()) {
        throw UserError(fmt::format("--batches {} with {} in --valinput", options.samples,
                                    counted(samples.size(), "sample")),
                        "give more samples, or leave --batches out for all of them");
    }
    return samples;
}

std::vector<generate::ValidationCase> make_cases(const ValidateOptions& options,
                                                 const std::vector<generate::TensorForm>& inputs,
                                                 const std::vector<generate::TensorForm>& outputs,
                                                 const generate::Graph* graph,
                                                 std::ostream& warnings) {
    std::vector<generate::Tensors> samples = input_samples(options, inputs, warnings);
    SampleFiles references;
    if (!options.outputs.empty()) {
        references = read_samples(options.outputs, outputs, "--valoutput", warnings);
        if (references.stored.size() != samples.size()) {
            throw UserError(fmt::format("{} inputs but {} references", samples.size(),
                                        references.stored.size()),
                            "give the same number of samples for both");
        }
    }
    if (options.samples != 0)
        samples.resize(std::min<std::size_t>(samples.size(), options.samples));
    std::vector<generate::ValidationCase> cases;
    cases.reserve(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        // Thousands of samples take a minute; without a run, nothing else looks for a signal.
        if (interrupted()) {
            throw UserError("interrupted before the first sample was done", "run it again",
                            kExitInterrupted);
        }
        if (references.stored.empty()) {
            generate::Tensors reference = evaluated(*graph, samples[i]);
            cases.push_back({std::move(samples[i]), std::move(reference)});
        } else {
            cases.push_back({std::move(samples[i]), std::move(references.stored[i]),
                             std::move(references.real[i])});
        }
    }
    return cases;
}

std::vector<generate::TensorForm> forms_of(const generate::Graph& graph,
                                           const std::vector<generate::TensorId>& ids) {
    std::vector<generate::TensorForm> forms;
    forms.reserve(ids.size());
    for (const generate::TensorId id : ids) forms.push_back(form_of(graph.tensors[id]));
    return forms;
}

generate::PlatformRunner make_runner(const ValidateOptions& options,
                                     const generate::LayerComparison* layers) {
    std::vector<std::string> words;
    if (layers != nullptr) words = layers->run_words();
    const auto pass_on = [&](const char* option, const std::string& value) {
        if (!value.empty()) words.insert(words.end(), {option, value});
    };
    pass_on("--params", options.params);
    pass_on("--mode", options.mode);
    pass_on("--timing", options.timing);
    return {options.model, words};
}

/// The report that `n6vp generate` wrote beside the model.
Json read_report(const std::string& model) {
    const std::filesystem::path path = std::filesystem::path(model).parent_path() / "report.json";
    const std::vector<std::uint8_t> text =
        read_input(path.string(), kMaxBytes, "give the report of a generated model");
    Json report = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!report.is_object()) {
        throw UserError(traces::terminal_text(path.string()) + " is not a report",
                        "generate the model again");
    }
    return report;
}

void run_validate(const ValidateOptions& options, Session& session) {
    if (options.tflite.empty() && options.outputs.empty()) {
        throw UserError("nothing to compare with",
                        "give the network (--tflite) or its outputs (--valoutput)");
    }
    if (!options.outputs.empty() && options.inputs.empty()) {
        throw UserError("--valoutput without the inputs it belongs to", "add --valinput");
    }
    if (options.demand.least_acc && !options.classifier) {
        throw UserError("--min-acc without an accuracy", "add --classifier");
    }
    const bool layers_wanted = options.layers || options.least_layer_within_one.has_value();
    if (layers_wanted && options.tflite.empty()) {
        throw UserError("--layers without the network", "add --tflite");
    }
    // Before anything else is done; the run itself reads it again.
    ModelFiles files = read_model(options.model, options.params);
    const bool is_text = std::find(files.file.begin(), files.file.end(), 0) == files.file.end();
    if (!is_text && !is_model(files.file)) static_cast<void>(report::ModelImage(std::move(files)));
    std::optional<generate::Graph> graph;
    if (!options.tflite.empty()) graph = generate::read_tflite(options.tflite);
    std::optional<generate::LayerComparison> layers;
    if (layers_wanted) layers.emplace(*graph, read_report(options.model));
    const InterruptGuard guard;  // finished samples stay
    generate::PlatformRunner runner = make_runner(options, layers ? &*layers : nullptr);
    runner.ask();
    std::vector<generate::TensorForm> inputs = runner.inputs(), outputs = runner.outputs();
    if (graph) {
        generate::require_same_forms(inputs, forms_of(*graph, graph->inputs), "input");
        generate::require_same_forms(outputs, forms_of(*graph, graph->outputs), "output");
        // The scales that the model prints are rounded.
        inputs = forms_of(*graph, graph->inputs);
        outputs = forms_of(*graph, graph->outputs);
    }
    if (layers) runner.keep(layers->files());
    const std::vector<generate::ValidationCase> cases =
        make_cases(options, inputs, outputs, graph ? &*graph : nullptr, session.err);
    const generate::ValidationResult result = generate::validate(
        cases, outputs, options.classifier, [&](const generate::Tensors& sample) {
            generate::RunResult ran = runner.run(sample);
            if (layers) layers->add(sample, ran.kept, ran.outputs);
            return ran;
        });
    std::vector<std::string> unmet = generate::unmet(result, options.demand);
    if (options.least_layer_within_one) {
        for (std::string& line :
             generate::unmet_layers(layers->results(), *options.least_layer_within_one)) {
            unmet.push_back(std::move(line));
        }
    }
    if (options.json) {
        Json document = generate::validation_json(result);
        if (layers) document["layers"] = generate::layers_json(layers->results());
        document["unmet"] = unmet;
        write_json(session.out, document);
    } else {
        session.out << generate::validation_text(result);
        if (layers) session.out << generate::layers_text(layers->results());
        for (const std::string& line : unmet) session.out << "not met: " << line << '\n';
    }
    if (!unmet.empty()) session.exit_code = kExitExpectation;
    if (result.partial()) session.exit_code = kExitInterrupted;
}

/// Returns a check of a number that names its bounds in plain words.
CLI::Validator between(double low, double high) {
    return {[low, high](const std::string& text) {
                double value = 0;
                const bool is_number = CLI::detail::lexical_cast(text, value);
                if (is_number && value >= low && value <= high) return std::string();
                return fmt::format("'{}' is not a number from {} to {}",
                                   traces::terminal_text(text), low, high);
            },
            ""};
}

void add_demands(CLI::App& verb, generate::ValidationDemand& demand) {
    constexpr double kMaxStored = 255;
    verb.add_option("--max-diff", demand.most_difference,
                    "largest permitted difference of a stored integer")
        ->type_name("N")
        ->check(between(0, kMaxStored));
    verb.add_option(
            "--min-within-one", demand.least_within_one,
            "smallest permitted fraction of stored integers that differ by at most 1, such as 0.98")
        ->type_name("P")
        ->check(between(0, 1));
    verb.add_option("--min-acc", demand.least_acc,
                    "smallest permitted accuracy, 0 to 1, with --classifier")
        ->type_name("P")
        ->check(between(0, 1));
    verb.add_option("--min-cos", demand.least_cos, "smallest permitted cosine similarity")
        ->type_name("C")
        ->check(between(-1, 1));
}

}  // namespace

void add_validate(CLI::App& app, Session& session) {
    CLI::App* const verb =
        app.add_subcommand("validate", "compare the outputs of a model with a reference");
    const auto options = std::make_shared<ValidateOptions>();
    verb->add_option("MODEL", options->model, "network_rel.bin")->required();
    verb->add_option("--tflite", options->tflite, "the network, evaluated as reference")
        ->type_name("FILE");
    verb->add_option(
            "--valinput", options->inputs,
            "or -vi: samples of an input, .npy (repeatable, in the model's order); default: random")
        ->type_name("FILE")
        ->allow_extra_args(false);
    verb->add_option("--valoutput", options->outputs,
                     "or -vo: expected samples of an output, .npy (repeatable)")
        ->type_name("FILE")
        ->allow_extra_args(false);
    verb->add_option("-b,--batches", options->samples,
                     "number of samples; default: all of --valinput, or 10 random ones")
        ->type_name("N")
        ->check(CLI::Range(1U, kMaxSamples));
    verb->add_option("--range", options->range, model_run::kNumberRangeHelp)->type_name("LOW:HIGH");
    verb->add_option("--seed", options->seed,
                     "seed of the random inputs, 0 to 4294967295; default: 0")
        ->type_name("N")
        ->check(whole_number_in(0, 0xFFFFFFFF));
    verb->add_flag("--layers", options->layers,
                   "compare every layer, for a model of n6vp generate with its report.json");
    verb->add_option("--min-layer-within-one", options->least_layer_within_one,
                     "smallest permitted fraction of each layer's integers that differ by at most "
                     "1, given the model's own inputs")
        ->type_name("P")
        ->check(between(0, 1));
    verb->add_flag("--classifier", options->classifier, "accuracy and confusion matrix");
    add_demands(*verb, options->demand);
    verb->add_option("--params", options->params, "parameter file of a split model")
        ->type_name("FILE");
    verb->add_option("--mode", options->mode, "xip or copy; default: xip")
        ->type_name("MODE:{xip,copy}");
    verb->add_option("--timing", options->timing, "timing grade of the run; default: approx")
        ->type_name("GRADE");
    verb->add_flag("--json", options->json, "write JSON (n6vp.validate/1)");
    add_log_options(*verb, session);
    verb->footer(kValidateFooter);
    verb->callback([options, &session] { run_validate(*options, session); });
}

}  // namespace n6vp::sim::cli
