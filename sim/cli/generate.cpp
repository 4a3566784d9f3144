// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>

#include "sim/cli/log_options.h"
#include "sim/cli/placement_options.h"
#include "sim/cli/verb.h"
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

Then: n6vp check kws/network_rel.bin.)";

struct GenerateOptions {
    std::string file, output, generation = "4.x", compiler = "arm-none-eabi-gcc";
    PlacementOptions placement;
    bool no_controller = false, split = false, blobs_in_parameters = false, nonsecure = false,
         json = false;
};

loader::Generation generation_of(const std::string& text) {
    if (text == "2.1") return loader::Generation::Core21;
    if (text == "2.2") return loader::Generation::Core22;
    if (text == "3.0") return loader::Generation::Core30;
    return loader::Generation::Core4x;  // the parser admits no other text
}

struct Pending {
    const char* name;
    std::string content;
};

std::string text_of(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

void write_all(const fs::path& folder, const std::vector<Pending>& pending) {
    generate::ResultFolder result(folder);
    for (const Pending& item : pending) result.write(item.name, item.content);
    // Without --split the parameters of an older model would pass for this one's.
    result.commit({"network_rel_params.bin"});
    log(LogComponent::Generate, LogLevel::Info, "wrote {} files to '{}'", pending.size(),
        folder.string());
}

void run_generate(const GenerateOptions& options, Session& session) {
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
    std::vector<Pending> pending = {{"network_rel.bin", text_of(built.packed.file)},
                                    {"network.elf", text_of(built.elf)},
                                    {"network.c", built.source},
                                    {"weights.bin", text_of(plan.weights)},
                                    {"epochs.txt", generate::epoch_listing(plan, built)}};
    if (options.split)
        pending.push_back({"network_rel_params.bin", text_of(built.packed.parameters)});
    std::vector<pack::WrittenFile> files;
    files.reserve(pending.size());
    for (const Pending& item : pending) files.push_back({item.name, item.content.size()});
    const Json container = pack::pack_report(built.linked, built.packed, built.notes, files, "");
    const Json report = generate::generate_json(graph, plan, built, prediction, container);
    pending.push_back(
        {"report.json", report.dump(2, ' ', true, Json::error_handler_t::replace) + '\n'});
    write_all(folder, pending);
    if (options.json) return write_json(session.out, report);
    session.out << generate::generate_text(graph, plan, built, prediction);
    for (const Pending& item : pending) {
        session.out << fmt::format("wrote {} ({} bytes)\n",
                                   traces::terminal_text((folder / item.name).string()),
                                   item.content.size());
    }
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
    verb->callback([options, &session] { run_generate(*options, session); });
}

}  // namespace n6vp::sim::cli
