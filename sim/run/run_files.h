// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/soc/system/boot_image.h"
#include "sim/exec/exec_program.h"
#include "sim/host/elf.h"
#include "sim/host/errors.h"
#include "sim/run/run_config.h"

namespace n6vp::sim {

/// Something to be put into memory before a run.
struct RunFile {
    std::uint32_t address = 0;
    std::vector<std::uint8_t> content;
    std::string name, origin;  ///< both for reports
    std::string path;          ///< of an image
};

/// Returns the program's segments and the plan's images. `symbols` may be null. Fails with
/// UserError, naming its origin, if an image cannot be read or is too large, if two of them
/// overlap at whatever alias, or if a model would overwrite something when it is installed: its
/// pools or exec RAM the program, an image, or each other.
[[nodiscard]] std::vector<RunFile> read_run_files(const RunPlan& plan, const ExecProgram& program,
                                                  const ElfFile* symbols);

/// Where the core starts.
struct RunStart {
    std::uint32_t vectors = 0;                   ///< VTOR out of reset
    std::optional<models::BootStart> registers;  ///< in place of the table's first two words
};

/// Returns the start: the plan's vector table, else that of the program's symbol (g_pfnVectors and
/// the like) or section (.isr_vector), else the start of the first segment with a table, else 0x400
/// into one: the ELF header, or a boot header, may stand before the table. A table begins with a
/// stack pointer and an address of code. Without one in the program, images: the entry of a boot
/// header that lies in its image, else a table at the start of an image or 0x400 into it whose
/// first code was loaded. From flash: what the boot ROM takes. `symbols` may be null. Fails with
/// UserError if there is none.
[[nodiscard]] RunStart start_of(const RunPlan& plan, const ExecProgram& program,
                                const ElfFile* symbols, const std::vector<RunFile>& files);

/// Files that a run reads beside those of its plan; empty: none.
struct RunSources {
    std::string scenario, parameters;
    std::vector<std::string> tensors;  ///< inputs of a model, and what its outputs must be
};

/// What a run writes beside its consoles; empty: not wanted.
struct RunOutputs {
    std::string report, trace;
};

/// Fails with UserError if the run would write over a file that it reads, or two outputs into one
/// file.
void require_outputs_apart(const RunPlan& plan, const RunSources& read, const RunOutputs& written);

/// Does `work`; errors are reported with their position in the scenario.
template <typename Work>
auto told_from(const std::string& origin, Work work) {
    try {
        return work();
    } catch (const UserError& error) {
        // An option is named by the message itself.
        if (origin.starts_with("--")) throw;
        throw UserError(origin + ": " + error.what(), error.remedy(), error.exit_code());
    }
}

}  // namespace n6vp::sim
