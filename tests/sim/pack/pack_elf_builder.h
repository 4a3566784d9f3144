// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace n6vp::tests {

/// A section as it will stand in the file; `bytes` without `content` makes it SHT_NOBITS.
struct FakeSection {
    std::string name;
    std::uint32_t type = 1;   ///< SHT_PROGBITS
    std::uint32_t flags = 2;  ///< SHF_ALLOC
    std::uint32_t address = 0;
    std::vector<std::uint8_t> content;
    std::uint32_t bytes = 0;  ///< of a NOBITS section
};

struct FakeSymbol {
    std::string name;
    std::uint32_t value = 0;
    std::uint16_t section = 1;  ///< 0 = undefined
    std::uint8_t type = 1;      ///< STT_OBJECT
    std::uint32_t bytes = 0;
};

struct FakeRelocation {
    std::uint32_t address = 0, type = 2, symbol = 1;
    std::string section = ".data";  ///< the patched one
};

/// A small but complete linked model (generation 3.0, GCC, one RELOC.PARAM pool), as words that a
/// test may spoil before the ELF file is written. Written from the ELF and Arm ABI documents alone:
/// it needs no toolchain.
struct FakeModel {
    FakeModel();

    std::vector<std::uint8_t> flash, data;
    std::uint32_t data_address = 0x40000000;
    std::uint32_t bss_address = 0x40000088, bss_bytes = 16;
    std::vector<FakeSection> extra;  ///< after .flash, .data and .bss
    std::vector<FakeSymbol> symbols;
    std::vector<FakeRelocation> relocations;

    // ELF header fields
    std::uint16_t elf_type = 2;            ///< ET_EXEC
    std::uint16_t machine = 40;            ///< EM_ARM
    std::uint8_t elf_class = 1;            ///< ELFCLASS32
    std::uint8_t byte_order = 1;           ///< ELFDATA2LSB
    std::uint32_t elf_flags = 0x05000400;  ///< EABI 5, hard float
    bool symbol_table = true, second_symbol_table = false, with_addends = false;
    bool relocations_without_symbols = false;

    void put(std::vector<std::uint8_t>& bytes, std::size_t offset, std::uint32_t value) const;
    [[nodiscard]] std::vector<std::uint8_t> elf() const;

    static constexpr std::uint32_t kContext = 8, kPools = 76, kGot = 116;  ///< offsets in .data
    static constexpr std::uint32_t kText = 104, kStrings = 112;            ///< offsets in .flash
};

}  // namespace n6vp::tests
