// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/exec_program.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr std::uintmax_t kLargestFile = 512u << 20;

template <class T>
bool take(const std::vector<std::uint8_t>& file, std::uint64_t offset, T& value) {
    if (offset > file.size() || file.size() - offset < sizeof(T)) return false;
    std::memcpy(&value, file.data() + offset, sizeof(T));
    return true;
}

}  // namespace

ExecProgram ExecProgram::read(const std::filesystem::path& path) {
    const std::string shown = traces::terminal_text(path.string());
    const std::vector<std::uint8_t> file =
        read_input(path.string(), kLargestFile, "give a bare-metal program");
    Elf32_Ehdr header;
    const bool good = take(file, 0, header) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                      header.e_ident[EI_CLASS] == ELFCLASS32 &&
                      header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_machine == EM_ARM;
    if (!good)
        throw UserError(fmt::format("{} is not a 32-bit little-endian Arm ELF file", shown),
                        "build it with arm-none-eabi-gcc -mcpu=cortex-m55");
    if (header.e_type != ET_EXEC)
        throw UserError(fmt::format("{} is not an executable", shown),
                        "link it: objects and libraries have no place in memory yet");
    if (header.e_phnum != 0 && header.e_phentsize != sizeof(Elf32_Phdr))
        throw UserError(fmt::format("the program headers of {} have no known size", shown),
                        "the file is damaged: build it again");
    ExecProgram program;
    std::uint64_t total = 0;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf32_Phdr segment;
        const std::uint64_t offset =
            std::uint64_t{header.e_phoff} + std::uint64_t{i} * header.e_phentsize;
        if (!take(file, offset, segment))
            throw UserError(fmt::format("the program headers of {} lie outside the file", shown),
                            "the file is cut off: copy it again");
        if (segment.p_type != PT_LOAD || segment.p_filesz == 0) continue;
        if (segment.p_offset > file.size() || file.size() - segment.p_offset < segment.p_filesz)
            throw UserError(fmt::format("a segment of {} lies outside the file", shown),
                            "the file is cut off: copy it again");
        total += segment.p_filesz;
        if (total > file.size())
            throw UserError(fmt::format("the segments of {} overlap in the file", shown),
                            "the file is damaged: build it again");
        const auto first = file.begin() + segment.p_offset;
        program.segments.push_back({segment.p_paddr, {first, first + segment.p_filesz}});
    }
    if (program.segments.empty())
        throw UserError(fmt::format("{} has nothing to load", shown), "give a bare-metal program");
    std::sort(program.segments.begin(), program.segments.end(),
              [](const Segment& a, const Segment& b) { return a.address < b.address; });
    return program;
}

}  // namespace n6vp::sim
