// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/cores/core_build.h"

#include <fmt/format.h>

#include "sim/generate/cores/core_source.h"
#include "sim/generate/emit/compile.h"
#include "sim/generate/emit/glue_files.h"
#include "sim/host/temp_folder.h"
#include "sim/model_file/model_source.h"

namespace n6vp::sim::generate {

namespace {

constexpr const char* kSourceName = "network.c";
constexpr const char* kElfName = "network.elf";

/// One evaluation of floating point on all cores, code that nothing calls left out.
std::vector<std::string> compiler_line(const CoreTarget& target, const TempFolder& folder) {
    std::vector<std::string> line = model_options();
    for (const char* option : {"-O2", "-ffp-contract=off", "-Wl,--gc-sections"})
        line.emplace_back(option);
    line.push_back(fmt::format("-mcpu={}", target.name));
    line.push_back(fmt::format("-mfpu={}", target.fpu));
    line.push_back(fmt::format("-DN6VP_LEGACY_CORE={}", target.number));
    line.push_back("-Wl,-T," + folder.file("legacy_model.ld"));
    line.emplace_back("-o");
    line.push_back(folder.file(kElfName));
    line.push_back(folder.file(kSourceName));
    for (const GlueFile& file : core_files()) {
        const bool application = file.name == "client_network.c";
        if (file.name.ends_with(".c") && !application)
            line.push_back(folder.file(std::string(file.name)));
    }
    return line;
}

}  // namespace

BuiltCoreModel build_core_model(const Graph& graph, const CorePlan& plan,
                                const CoreBuildOptions& options) {
    BuiltCoreModel built;
    built.source = core_source(graph, plan, "");
    const TempFolder folder("generate");
    for (const GlueFile& file : core_files()) folder.write(std::string(file.name), file.text);
    folder.write(kSourceName, built.source);
    compile_model(options.compiler, compiler_line(*plan.options.target, folder), folder);
    built.elf = read_file(folder.file(kElfName));
    const ElfFile elf(built.elf, kElfName);
    built.linked = pack::link_legacy(elf);
    pack::LegacyRequest request;
    if (!plan.weights.empty()) request.weights = plan.weights;
    request.split = options.split;
    built.packed = pack::build_legacy(built.linked, request);
    return built;
}

}  // namespace n6vp::sim::generate
