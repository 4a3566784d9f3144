// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/emit/build_model.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/generate/emit/compile.h"
#include "sim/generate/emit/glue_files.h"
#include "sim/host/elf.h"
#include "sim/host/temp_folder.h"
#include "sim/model_file/model_source.h"

namespace n6vp::sim::generate {

namespace {

constexpr const char* kSourceName = "network.c";
constexpr const char* kElfName = "network.elf";

const char* generation_number(loader::Generation generation) {
    switch (generation) {
        case loader::Generation::Core21:
            return "21";
        case loader::Generation::Core22:
            return "22";
        case loader::Generation::Core30:
            return "30";
        case loader::Generation::Core4x:
            break;
    }
    return "40";
}

/// For the Cortex-M55, small.
std::vector<std::string> compiler_line(const BuildOptions& options, const TempFolder& folder) {
    std::vector<std::string> line = model_options();
    for (const char* option : {"-mcpu=cortex-m55", "-mfpu=fpv4-sp-d16", "-Os", "-fshort-enums"})
        line.emplace_back(option);
    line.push_back(fmt::format("-DN6VP_GENERATION={}", generation_number(options.generation)));
    if (options.secure) line.emplace_back("-mcmse");
    line.push_back("-Wl,-T," + folder.file("model.ld"));
    for (const char* name : {"-o", kElfName, kSourceName, "reloc_model.c"}) {
        line.push_back(name[0] == '-' ? name : folder.file(name));
    }
    return line;
}

}  // namespace

BuiltModel build_model(const ModelPlan& plan, const BuildOptions& options) {
    BuiltModel built;
    built.blocks = make_blocks(plan, options.controller, options.generation);
    built.source = model_source(plan, built.blocks, {options.blobs_in_parameters});
    const TempFolder folder("generate");
    for (const GlueFile& file : glue_files()) folder.write(file.name, file.text);
    folder.write(kSourceName, built.source);
    compile_model(options.compiler, compiler_line(options, folder), folder);
    built.elf = read_file(folder.file(kElfName));
    const ElfFile elf(built.elf, kElfName);
    built.linked = pack::link_model(elf);
    pack::PackRequest request;
    request.generation = options.generation;
    request.split = options.split;
    request.ecblob_in_params = options.blobs_in_parameters;
    if (!plan.weights.empty()) request.pools[plan.weights_pool] = plan.weights;
    built.packed = pack::build_container(built.linked, request);
    built.notes = built.linked.notes;
    for (std::string& warning : pack::check_container(built.packed)) {
        built.notes.push_back(std::move(warning));
    }
    return built;
}

}  // namespace n6vp::sim::generate
