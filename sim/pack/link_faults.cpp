// SPDX-License-Identifier: Apache-2.0
#include "sim/pack/link_faults.h"

#include <fmt/format.h>

#include "loader/format.h"
#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim::pack {

namespace {

const ElfSymbol& symbol_of(const ElfFile& elf, const ElfRelocation& relocation) {
    return elf.symbols()[relocation.symbol];
}

/// Spaces are megabytes long, but for the RAM of the older family.
std::string size_text(std::uint32_t bytes) {
    constexpr std::uint32_t kMebi = 1u << 20;
    return bytes >= kMebi ? fmt::format("{} MiB", bytes / kMebi)
                          : fmt::format("{} KiB", bytes >> 10);
}

}  // namespace

void refuse_elf(const ElfFile& elf, const std::string& what, const std::string& remedy) {
    throw UserError(fmt::format("'{}': {}", traces::terminal_text(elf.name()), what), remedy);
}

void refuse_relocation(const ElfFile& elf, const ElfRelocation& relocation, const std::string& what,
                       const std::string& remedy) {
    const std::string near = elf.describe(relocation.address);
    refuse_elf(
        elf,
        fmt::format("{} at 0x{:08X}{} against '{}': {}", arm_relocation_name(relocation.type),
                    relocation.address, near.empty() ? "" : " (" + near + ")",
                    traces::terminal_text(symbol_of(elf, relocation).name), what),
        remedy);
}

void require_relocations(const ElfFile& elf) {
    if (elf.keeps_relocations()) return;
    refuse_elf(elf, "the linker kept no relocations", "link with -Wl,--emit-relocs");
}

void require_resolved(const ElfFile& elf, const ElfRelocation& relocation) {
    const ElfSymbol& symbol = symbol_of(elf, relocation);
    if (symbol.defined && (symbol.value != 0 || relocation.symbol == 0)) return;
    refuse_relocation(elf, relocation, "the symbol is not resolved",
                      "define it; weak references have no address here");
}

void require_one_space(const ElfFile& elf, const ElfRelocation& relocation) {
    const std::uint32_t value = symbol_of(elf, relocation).value;
    using loader::format::space_nibble;
    if (space_nibble(relocation.address) == space_nibble(value)) return;
    refuse_relocation(
        elf, relocation,
        fmt::format("a distance from 0x{:08X} to 0x{:08X}, which the loader moves separately",
                    relocation.address, value),
        "reach it through a pointer in .data");
}

void place_section(const ElfFile& elf, const ElfSection& section, const LinkSpace& space,
                   const std::string& remedy, std::vector<std::uint8_t>& image) {
    const std::string shown = traces::terminal_text(section.name);
    const std::uint64_t offset = section.address - space.base;
    if (offset + section.bytes > space.bytes) {
        refuse_elf(elf,
                   fmt::format("section '{}' leaves its address space of {}", shown,
                               size_text(space.bytes)),
                   "the model is too large for the format");
    }
    if (offset < image.size()) {
        refuse_elf(elf,
                   fmt::format("section '{}' at 0x{:08X} overlaps or precedes another one", shown,
                               section.address),
                   remedy);
    }
    image.resize(static_cast<std::size_t>(offset), space.fill);
    image.insert(image.end(), section.content.begin(), section.content.end());
}

}  // namespace n6vp::sim::pack
