// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/generate_core.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <utility>
#include <vector>

#include "sim/generate/cores/core_build.h"
#include "sim/generate/cores/core_report.h"
#include "sim/generate/cores/core_source.h"
#include "sim/generate/emit/client_headers.h"
#include "sim/generate/emit/glue_files.h"
#include "sim/generate/emit/result_folder.h"
#include "sim/generate/operators/import.h"
#include "sim/host/errors.h"
#include "sim/host/log.h"
#include "sim/pack/legacy_pack_report.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

namespace fs = std::filesystem;

using generate::ResultFile;

std::string content_of(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

generate::CoreOptions core_options(const GenerateCoreOptions& options) {
    generate::CoreOptions core;
    core.target = &generate::core_target(options.target);
    core.user_inputs = options.no_inputs;
    core.user_outputs = options.no_outputs;
    if (!options.name.empty()) core.name = options.name;
    if (!generate::is_client_name(core.name)) {
        throw UserError(fmt::format("--name '{}'", traces::terminal_text(core.name)),
                        "give a lower-case letter, then lower-case letters, digits and "
                        "underscores, 64 at most");
    }
    if (options.form == "static" && !options.weights.empty())
        throw UserError("--weights with --form static", "leave it out: weights are a C array");
    if (!options.weights.empty() && options.weights != "inside" && options.weights != "apart") {
        throw UserError(fmt::format("--weights '{}' with --target {}",
                                    traces::terminal_text(options.weights), core.target->name),
                        "give inside (the file holds them) or apart (a second file)");
    }
    return core;
}

/// What a run leaves.
struct Result {
    std::vector<ResultFile> files;
    std::vector<std::string> stale;
    Json report;
    std::string text;
};

Result relocatable(const GenerateCoreOptions& options, const generate::Graph& graph,
                   const generate::CorePlan& plan) {
    generate::CoreBuildOptions build;
    build.compiler = options.compiler;
    build.split = options.weights == "apart";
    const generate::BuiltCoreModel built = generate::build_core_model(graph, plan, build);
    const std::string& name = plan.options.name;
    Result result;
    result.files = {{name + "_rel.bin", content_of(built.packed.file)},
                    {name + ".elf", content_of(built.elf)},
                    {name + ".c", built.source}};
    if (build.split && !built.packed.weights.empty())
        result.files.push_back({name + "_data.bin", content_of(built.packed.weights)});
    else
        result.stale = {name + "_data.bin"};
    std::vector<pack::WrittenFile> written;
    written.reserve(result.files.size());
    for (const ResultFile& file : result.files) written.push_back({file.name, file.content.size()});
    result.report = generate::core_json(
        graph, plan, pack::legacy_pack_report(built.linked, built.packed, written, ""));
    result.text =
        generate::core_text(graph, plan) + pack::legacy_pack_text(built.linked, built.packed, {});
    return result;
}

/// Sources to compile with an application.
Result static_form(const generate::Graph& graph, const generate::CorePlan& plan) {
    const std::string& name = plan.options.name;
    const std::string weights = name + "_weights";
    const generate::ClientNetwork client = generate::core_client(graph, plan);
    Result result;
    result.files = {{name + ".c", generate::core_source(graph, plan, weights)},
                    {name + ".h", generate::client_header(client)},
                    {name + "_data.c", generate::core_weights_source(plan, weights)},
                    {name + "_data.h", generate::client_data_header(client)}};
    for (const generate::GlueFile& file : generate::core_files()) {
        const bool relocatable_only = file.name.starts_with("legacy_model.");
        if (!relocatable_only)
            result.files.push_back({std::string(file.name), std::string(file.text)});
    }
    result.report = generate::core_json(graph, plan, nullptr);
    result.text = generate::core_text(graph, plan);
    return result;
}

}  // namespace

void run_generate_core(const GenerateCoreOptions& options, Session& session) {
    generate::require_folder(options.output);
    const generate::CoreOptions core = core_options(options);
    const generate::Graph graph = generate::read_tflite(options.file);
    const generate::CorePlan plan = generate::plan_core_model(graph, core);
    Result result =
        options.form == "static" ? static_form(graph, plan) : relocatable(options, graph, plan);
    result.files.push_back(
        {"report.json", result.report.dump(2, ' ', true, Json::error_handler_t::replace) + '\n'});
    const fs::path folder = options.output;
    generate::ResultFolder output(folder);
    for (const ResultFile& file : result.files) output.write(file.name, file.content);
    output.commit(result.stale);
    log(LogComponent::Generate, LogLevel::Info, "wrote {} files to '{}'", result.files.size(),
        folder.string());
    if (options.json) return write_json(session.out, result.report);
    session.out << result.text;
    for (const ResultFile& file : result.files) {
        session.out << fmt::format("wrote {} ({} bytes)\n",
                                   traces::terminal_text((folder / file.name).string()),
                                   file.content.size());
    }
}

}  // namespace n6vp::sim::cli
