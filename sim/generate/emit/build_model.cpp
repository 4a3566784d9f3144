// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/emit/build_model.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "sim/generate/emit/glue_files.h"
#include "sim/host/elf.h"
#include "sim/host/errors.h"
#include "sim/host/log.h"
#include "sim/model_file/model_source.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSourceName = "network.c";
constexpr const char* kElfName = "network.elf";
constexpr const char* kLogName = "compiler.txt";

/// A folder that goes away with its contents.
class BuildFolder {
  public:
    BuildFolder() {
        std::string pattern = (fs::temp_directory_path() / "n6vp-generate-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw UserError("cannot create a temporary folder", "check TMPDIR and its free space");
        }
        path_ = pattern;
    }
    ~BuildFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    BuildFolder(const BuildFolder&) = delete;
    BuildFolder& operator=(const BuildFolder&) = delete;

    [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }
    void write(std::string_view name, std::string_view text) const {
        std::ofstream out(file(name), std::ios::binary);
        out.write(text.data(), static_cast<std::streamsize>(text.size()));
        if (!out.flush()) {
            throw UserError(fmt::format("cannot write '{}'", file(name)),
                            "check the free disk space");
        }
    }
    [[nodiscard]] std::string read(std::string_view name) const {
        std::ifstream in(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

  private:
    fs::path path_;
};

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

/// The options of the sample models: position independence, Cortex-M55, no library.
std::vector<std::string> compiler_line(const BuildOptions& options, const BuildFolder& folder) {
    std::vector<std::string> line = {options.compiler,
                                     "-mcpu=cortex-m55",
                                     "-mthumb",
                                     "-mfpu=fpv4-sp-d16",
                                     "-mfloat-abi=hard",
                                     "-Os",
                                     "-ffreestanding",
                                     "-fshort-enums",
                                     "-fno-unwind-tables",
                                     "-fno-asynchronous-unwind-tables",
                                     "-fpic",
                                     "-mno-pic-data-is-text-relative",
                                     "-msingle-pic-base",
                                     "-mpic-register=r9",
                                     "-fno-tree-loop-distribute-patterns",
                                     "-ffunction-sections",
                                     "-std=c11"};
    line.push_back(fmt::format("-DN6VP_GENERATION={}", generation_number(options.generation)));
    if (options.secure) line.emplace_back("-mcmse");
    for (const char* part : {"-nostdlib", "-nostartfiles", "-Wl,--emit-relocs",
                             "-Wl,--no-warn-rwx-segments", "-Wl,--build-id=none"}) {
        line.emplace_back(part);
    }
    line.push_back("-Wl,-T," + folder.file("model.ld"));
    for (const char* name : {"-o", kElfName, kSourceName, "reloc_model.c"}) {
        line.push_back(name[0] == '-' ? name : folder.file(name));
    }
    return line;
}

/// Runs a program with its output in `log` and returns its exit code, or -1 if there is none.
int run_program(std::vector<std::string>& line, const std::string& log) {
    std::vector<char*> arguments;
    arguments.reserve(line.size() + 1);
    for (std::string& part : line) arguments.push_back(part.data());
    arguments.push_back(nullptr);
    sim::log(LogComponent::Process, LogLevel::Debug, "starts {}", fmt::join(line, " "));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child = 0;
    const int error =
        posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return -1;
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    const int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    sim::log(LogComponent::Process, LogLevel::Debug, "process {} ends with {}", child, exit_code);
    return exit_code;
}

void compile(const BuildOptions& options, const BuildFolder& folder) {
    std::vector<std::string> line = compiler_line(options, folder);
    const int code = run_program(line, folder.file(kLogName));
    constexpr int kNotFound = 127;  // what a shell, and spawn on some systems, says
    if (code == -1 || code == kNotFound) {
        throw UserError(fmt::format("the compiler '{}' cannot be started",
                                    traces::terminal_text(options.compiler)),
                        "install gcc-arm-none-eabi, or name one with --compiler");
    }
    if (code == 0) return;
    constexpr std::size_t kShown = 600;
    throw UserError(fmt::format("'{}' fails with the generated source: {}",
                                traces::terminal_text(options.compiler),
                                traces::terminal_text(folder.read(kLogName).substr(0, kShown))),
                    "use a gcc-arm-none-eabi of version 12 or later");
}

}  // namespace

BuiltModel build_model(const ModelPlan& plan, const BuildOptions& options) {
    BuiltModel built;
    built.blocks = make_blocks(plan, options.controller, options.generation);
    built.source = model_source(plan, built.blocks, {options.blobs_in_parameters});
    const BuildFolder folder;
    for (const GlueFile& file : glue_files()) folder.write(file.name, file.text);
    folder.write(kSourceName, built.source);
    compile(options, folder);
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
