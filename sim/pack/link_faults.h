// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/host/elf.h"

/// What both families of models ask of a linked ELF file.
namespace n6vp::sim::pack {

/// The relocation types that a model may have; numbers of the Arm ELF ABI.
enum ArmRelocation : std::uint32_t {
    kRelocNone = 0,
    kRelocAbs32 = 2,
    kRelocRel32 = 3,
    kRelocThmCall = 10,
    kRelocGotBrel = 26,
    kRelocThmJump24 = 30,
    kRelocThmMovwPrelNc = 49,
    kRelocThmMovtPrel = 50,
    kRelocThmMovwBrelNc = 87,
    kRelocThmMovtBrel = 88,
    kRelocGotPrel = 96,
};

/// EF_ARM_ABI_FLOAT_HARD of the ELF header.
inline constexpr std::uint32_t kElfHardFloat = 0x400;

/// Fail with UserError: the file, then `what`.
[[noreturn]] void refuse_elf(const ElfFile& elf, const std::string& what,
                             const std::string& remedy);
/// The same for a relocation: its type, place and symbol, then `what`.
[[noreturn]] void refuse_relocation(const ElfFile& elf, const ElfRelocation& relocation,
                                    const std::string& what, const std::string& remedy);

/// Fails with UserError if the linker kept no relocations.
void require_relocations(const ElfFile& elf);
/// Fails with UserError if the symbol of the relocation has no address.
void require_resolved(const ElfFile& elf, const ElfRelocation& relocation);
/// Fails with UserError if place and symbol of a relative relocation can move apart.
void require_one_space(const ElfFile& elf, const ElfRelocation& relocation);

/// A link space of the format.
struct LinkSpace {
    std::uint32_t base = 0, bytes = 0;
    std::uint8_t fill = 0;  ///< of gaps between sections
};
/// Appends the content of a section, at its place in the space. Fails with UserError if it leaves
/// the space, or begins before the end of the image; `remedy` is that of the latter.
void place_section(const ElfFile& elf, const ElfSection& section, const LinkSpace& space,
                   const std::string& remedy, std::vector<std::uint8_t>& image);

}  // namespace n6vp::sim::pack
