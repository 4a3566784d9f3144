// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace n6vp::sim {

/// One section of an ELF file. `content` is empty for sections without file content (.bss).
struct ElfSection {
    std::string name;
    std::uint32_t type = 0, flags = 0, address = 0, bytes = 0;
    std::span<const std::uint8_t> content;

    /// Returns true if the section occupies memory at run time (SHF_ALLOC).
    [[nodiscard]] bool allocated() const;
    /// Returns true if the file holds the section's bytes.
    [[nodiscard]] bool has_content() const;
};

struct ElfSymbol {
    std::string name;
    std::uint32_t value = 0, bytes = 0;
    /// False for SHN_UNDEF, a weak reference that nothing satisfied included.
    bool defined = false;
    bool function = false;     ///< STT_FUNC
    bool names_place = false;  ///< in a section with memory, and not that section itself
};

/// One relocation that the linker kept (`--emit-relocs`), with the section it patches.
struct ElfRelocation {
    std::uint32_t address = 0;  ///< link address of the patched place
    std::uint32_t type = 0;     ///< R_ARM_*
    std::uint32_t symbol = 0;   ///< index into ElfFile::symbols
    std::uint32_t section = 0;  ///< index into ElfFile::sections
};

/// A linked ELF32 little-endian Arm executable, read whole and checked: every accessor is safe on
/// any input. Relocations of sections that are not loaded (debug information) are left out.
class ElfFile {
  public:
    /// Reads a file of at most 512 MiB. Fails with UserError naming what is wrong with it.
    [[nodiscard]] static ElfFile read(const std::filesystem::path& path);
    /// Takes the bytes of a file; `name` is for messages. Fails with UserError.
    ElfFile(std::vector<std::uint8_t> bytes, std::string name);

    ElfFile(ElfFile&&) = default;
    ElfFile& operator=(ElfFile&&) = default;
    ElfFile(const ElfFile&) = delete;  // sections view the bytes of this object
    ElfFile& operator=(const ElfFile&) = delete;
    ~ElfFile() = default;

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::uint32_t header_flags() const { return header_flags_; }
    [[nodiscard]] const std::vector<ElfSection>& sections() const { return sections_; }
    [[nodiscard]] const std::vector<ElfSymbol>& symbols() const { return symbols_; }
    [[nodiscard]] const std::vector<ElfRelocation>& relocations() const { return relocations_; }
    /// Returns true if the linker kept relocations of at least one section.
    [[nodiscard]] bool keeps_relocations() const { return keeps_relocations_; }
    /// Returns the first defined symbol of that name, or nullptr.
    [[nodiscard]] const ElfSymbol* find_symbol(std::string_view name) const;
    /// Returns "symbol+0x12" for the function that holds the address, else for the nearest symbol
    /// of a section with memory at or below, or "" if there is none within 64 KiB.
    [[nodiscard]] std::string describe(std::uint32_t address) const;

  private:
    struct Reader;
    std::vector<std::uint8_t> bytes_;
    std::string name_;
    std::uint32_t header_flags_ = 0;
    std::vector<ElfSection> sections_;
    std::vector<ElfSymbol> symbols_;
    std::vector<ElfRelocation> relocations_;
    bool keeps_relocations_ = false;
};

/// A segment that a debugger loads.
struct ElfSegment {
    std::uint32_t address = 0;  ///< physical: .data stands where start-up code copies it from
    std::vector<std::uint8_t> content;
};

/// Reads the loadable segments with content, in the order of the file. It may be stripped of
/// sections and symbols. Fails with UserError if it is no 32-bit Arm executable of at most 512 MiB.
[[nodiscard]] std::vector<ElfSegment> read_elf_segments(const std::filesystem::path& path);

/// Returns the name of an R_ARM_* number, or "R_ARM_<number>".
[[nodiscard]] std::string arm_relocation_name(std::uint32_t type);

}  // namespace n6vp::sim
