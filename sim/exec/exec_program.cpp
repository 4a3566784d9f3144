// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/exec_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim {

ExecProgram ExecProgram::read(const std::filesystem::path& path) {
    ExecProgram program{read_elf_segments(path)};
    if (program.segments.empty())
        throw UserError(
            fmt::format("'{}' has nothing to load", traces::terminal_text(path.string())),
            "give a bare-metal program");
    std::sort(program.segments.begin(), program.segments.end(),
              [](const Segment& a, const Segment& b) { return a.address < b.address; });
    return program;
}

}  // namespace n6vp::sim
