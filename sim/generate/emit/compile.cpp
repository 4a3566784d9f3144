// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/emit/compile.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "sim/host/child_process.h"
#include "sim/host/errors.h"
#include "sim/host/message_text.h"
#include "sim/host/system_error.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

std::vector<std::string> model_options() {
    return {"-mthumb",
            "-mfloat-abi=hard",
            "-std=c11",
            "-ffreestanding",
            "-fno-unwind-tables",
            "-fno-asynchronous-unwind-tables",
            "-fpic",
            "-mno-pic-data-is-text-relative",
            "-msingle-pic-base",
            "-mpic-register=r9",
            "-fno-tree-loop-distribute-patterns",
            "-ffunction-sections",
            "-nostdlib",
            "-nostartfiles",
            "-Wl,--emit-relocs",
            "-Wl,--no-warn-rwx-segments",
            "-Wl,--build-id=none"};
}

void compile_model(const std::string& compiler, const std::vector<std::string>& arguments,
                   const TempFolder& folder) {
    constexpr const char* kLogName = "compiler.txt";
    const std::string log = folder.file(kLogName);
    const int code = run_child(
        {compiler, arguments, log, log, "install gcc-arm-none-eabi, or name one with --compiler"});
    if (code == 0) return;
    const std::string said = folder.read(kLogName);
    if (said.find(std::strerror(EMFILE)) != std::string::npos) {
        throw UserError(
            fmt::format("'{}' cannot open enough files", traces::terminal_text(compiler)),
            remedy_for(EMFILE));
    }
    constexpr std::size_t kShown = 600;
    throw UserError(fmt::format("'{}' fails with the generated source: {}",
                                traces::terminal_text(compiler), one_line(said, kShown)),
                    "use a gcc-arm-none-eabi of version 12 or later");
}

}  // namespace n6vp::sim::generate
