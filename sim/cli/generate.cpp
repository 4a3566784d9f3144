// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <ostream>

#include "sim/cli/generate_core.h"
#include "sim/cli/log_options.h"
#include "sim/cli/placement_options.h"
#include "sim/cli/verb.h"
#include "sim/generate/cores/core_target.h"
#include "sim/generate/emit/build_model.h"
#include "sim/generate/emit/generate_report.h"
#include "sim/generate/emit/result_folder.h"
#include "sim/generate/operators/import.h"
#include "sim/host/errors.h"
#include "sim/host/log.h"
#include "sim/pack/pack_report.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kGenerateFooter =
    R"(The network is mapped to epochs of the NPU. For each layer, a closed form of measured costs selects the
fastest use of the units. Operators without NPU support run on the core (softmax). The model follows the
container, ABI and register rules of the release named by --generation; `n6vp check` verifies it.

DIR gets network_rel.bin (and network_rel_params.bin with --split), network.elf with symbols, network.c,
weights.bin, epochs.txt (every epoch: units, registers, links, program) and report.json. Either all files
are written or none. The output is reproducible.

Convolution sums pass from CONVACC to ARITH with 24 bits. Support of 24 bits by ARITH is assumed: the
register field allows it, but published networks use 16. --sums 16 uses 16 bits and is less exact.

Without --mpool, activations are in npuRAM5, 4 and 3 and weights stay in the file ("flash"); npuRAM6 holds
copied weights. A memory-pool file names pools and addresses. Activations use the fixed writable pools in
the order of the file; weights use the relative read-only pool. A relative writable pool is external RAM
(PSRAM): its address is set at installation, and the NPU accesses it through its cache.

Predicted cycles are those of n6vp analyze. --set and --params-file change the parameters of the prediction
and thus the mapping; give the same options to n6vp run.

Examples:
  n6vp generate kws.tflite -o kws                       kws/network_rel.bin, blobs of the epoch controller
  n6vp generate kws.tflite -o kws --no-ec               every epoch programmed by the core
  n6vp generate kws.tflite -o kws --weights npuRAM6     weights copied to npuRAM6 at installation
  n6vp generate kws.tflite -o kws --mpool psram.mpool   activations in the pools of the file
  n6vp generate kws.tflite -o kws --no-inputs-allocation --no-outputs-allocation
  n6vp generate kws.tflite -o kws --generation 2.2 --split --ecblob-in-params --sums 16
  n6vp generate kws.tflite -o kws --target stm32u5      for a chip without an NPU
  n6vp generate kws.tflite -o src --target cortex-m7 --form static --name kws

--target names a core without an NPU, or a chip series with one: the network becomes a model of the older
family (AI_RELOC) with integer kernels for this core, results equal to TensorFlow Lite's bit by bit. DIR gets
NAME_rel.bin (and NAME_data.bin with --weights apart), NAME.elf, NAME.c and report.json with the kernel of each
layer. --form static writes C sources instead: NAME.c, NAME_data.c, their headers and the kernels, to compile
with an application that includes NAME.h (ai_NAME_create_and_init, ai_NAME_run). Of the options above, it
accepts --compiler, --no-inputs-allocation, --no-outputs-allocation, --weights inside|apart and --json.

Then: n6vp check kws/network_rel.bin.)";

struct GenerateOptions {
    std::string file, output, generation = "4.x", compiler = "arm-none-eabi-gcc";
    PlacementOptions placement;
    bool no_controller = false, split = false, blobs_in_parameters = false, nonsecure = false,
         json = false;
    std::string target, name, form;  ///< of a core without an NPU
};

loader::Generation generation_of(const std::string& text) {
    if (text == "2.1") return loader::Generation::Core21;
    if (text == "2.2") return loader::Generation::Core22;
    if (text == "3.0") return loader::Generation::Core30;
    return loader::Generation::Core4x;  // the parser admits no other text
}

using generate::ResultFile;

std::string text_of(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

void write_all(const fs::path& folder, const std::vector<ResultFile>& pending) {
    generate::ResultFolder result(folder);
    for (const ResultFile& item : pending) result.write(item.name, item.content);
    // Without --split the parameters of an older model would pass for this one's.
    result.commit({"network_rel_params.bin"});
    log(LogComponent::Generate, LogLevel::Info, "wrote {} files to '{}'", pending.size(),
        folder.string());
}

void run_generate(const GenerateOptions& options, Session& session) {
    generate::require_folder(options.output);
    const generate::Graph graph = generate::read_tflite(options.file);
    const generate::LoweringOptions lowering = lowering_options(options.placement);
    const generate::ModelPlan plan = generate::lower_graph(graph, lowering);
    log(LogComponent::Generate, LogLevel::Info,
        "'{}': {} operators, {} epochs, {} bytes of weights", options.file, graph.nodes.size(),
        plan.epochs.size(), plan.weights.size());
    if (options.blobs_in_parameters && options.no_controller) {
        throw UserError("--ecblob-in-params without blobs", "leave out --no-ec");
    }
    generate::BuildOptions build;
    build.generation = generation_of(options.generation);
    build.controller = !options.no_controller;
    build.secure = !options.nonsecure;
    build.split = options.split;
    build.blobs_in_parameters = options.blobs_in_parameters;
    build.compiler = options.compiler;
    const generate::BuiltModel built = generate::build_model(plan, build);
    log(LogComponent::Generate, LogLevel::Info, "linked an ELF file of {} bytes", built.elf.size());
    const generate::Prediction prediction = generate::predict(plan, built.blocks, lowering.costs);
    const fs::path folder = options.output;
    std::vector<ResultFile> pending = {{"network_rel.bin", text_of(built.packed.file)},
                                       {"network.elf", text_of(built.elf)},
                                       {"network.c", built.source},
                                       {"weights.bin", text_of(plan.weights)},
                                       {"epochs.txt", generate::epoch_listing(plan, built)}};
    if (options.split)
        pending.push_back({"network_rel_params.bin", text_of(built.packed.parameters)});
    std::vector<pack::WrittenFile> files;
    files.reserve(pending.size());
    for (const ResultFile& item : pending) files.push_back({item.name, item.content.size()});
    const Json container = pack::pack_report(built.linked, built.packed, built.notes, files, "");
    const Json report = generate::generate_json(graph, plan, built, prediction, container);
    pending.push_back(
        {"report.json", report.dump(2, ' ', true, Json::error_handler_t::replace) + '\n'});
    write_all(folder, pending);
    if (options.json) return write_json(session.out, report);
    session.out << generate::generate_text(graph, plan, built, prediction);
    for (const ResultFile& item : pending) {
        session.out << fmt::format("wrote {} ({} bytes)\n",
                                   traces::terminal_text((folder / item.name).string()),
                                   item.content.size());
    }
}

bool is_npu(const std::string& target) {
    return target.empty() || target == "stm32n6";
}

constexpr std::initializer_list<const char*> kOptionsOfNpu = {
    "--generation", "--no-ec", "--ecblob-in-params", "--split", "--nonsecure", "--mpool",
    "--sums",       "--set",   "--params-file"};

void refuse_given(const CLI::App& verb, std::initializer_list<const char*> names,
                  const std::string& target) {
    for (const char* const name : names) {
        if (verb.count(name) == 0) continue;
        throw UserError(fmt::format("{} with {}", name, traces::terminal_text(target)),
                        "leave one of them out");
    }
}

/// As above, of the default target, which nobody may have named.
void refuse_on_npu(const CLI::App& verb, std::initializer_list<const char*> names) {
    for (const char* const name : names) {
        if (verb.count(name) == 0) continue;
        throw UserError(fmt::format("{} does not apply to the STM32N6{}", name,
                                    verb.count("--target") == 0 ? ", the default target" : ""),
                        fmt::format("add --target with another target, or leave {} out", name));
    }
}

GenerateCoreOptions core_options_of(const GenerateOptions& options) {
    GenerateCoreOptions core;
    core.file = options.file;
    core.output = options.output;
    core.target = options.target;
    core.name = options.name;
    core.form = options.form;
    core.compiler = options.compiler;
    core.weights = options.placement.weights;
    core.no_inputs = options.placement.no_inputs;
    core.no_outputs = options.placement.no_outputs;
    core.json = options.json;
    return core;
}

}  // namespace

void add_generate(CLI::App& app, Session& session) {
    CLI::App* const verb =
        app.add_subcommand("generate", "make a network_rel.bin from an int8 .tflite file");
    const auto options = std::make_shared<GenerateOptions>();
    verb->add_option("FILE", options->file, "network, quantised to int8")->required();
    verb->add_option("-o,--output", options->output, "folder for the results; created if missing")
        ->required()
        ->type_name("DIR");
    verb->add_option("--target", options->target, "core or chip series; default: stm32n6, the NPU")
        ->type_name("stm32n6|" + generate::core_target_names());
    verb->add_option("-n,--name", options->name,
                     "of the network and of its files; default: network; not with stm32n6")
        ->type_name("NAME");
    verb->add_option("--form", options->form,
                     "relocatable (default), or static: C sources to compile with an application; "
                     "not with stm32n6")
        ->check(CLI::IsMember({"relocatable", "static"}).description(""))
        ->type_name("relocatable|static");
    verb->add_option("--generation", options->generation, "release of the runtime; default: 4.x")
        ->check(CLI::IsMember({"2.1", "2.2", "3.0", "4.x"}).description(""))
        ->type_name("2.1|2.2|3.0|4.x");
    verb->add_flag("--no-ec", options->no_controller,
                   "program epochs by the core instead of the epoch controller");
    add_placement_options(*verb, options->placement);
    verb->add_flag("--ecblob-in-params", options->blobs_in_parameters,
                   "place the blob containers before the parameters");
    verb->add_flag("--split", options->split, "write the parameters to a second file");
    verb->add_flag("--nonsecure", options->nonsecure, "build for non-secure firmware");
    verb->add_option("--compiler", options->compiler, "C compiler; default: arm-none-eabi-gcc")
        ->type_name("GCC");
    verb->add_flag("--json", options->json, "print the report instead of the summary");
    add_log_options(*verb, session);
    verb->footer(kGenerateFooter);
    verb->callback([options, verb, &session] {
        if (is_npu(options->target)) {
            refuse_on_npu(*verb, {"--name", "--form"});
            return run_generate(*options, session);
        }
        refuse_given(*verb, kOptionsOfNpu, "--target " + options->target);
        run_generate_core(core_options_of(*options), session);
    });
}

}  // namespace n6vp::sim::cli
