// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/pack/pack_elf_builder.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace n6vp::tests {

namespace {

template <typename Record>
void append(std::vector<std::uint8_t>& bytes, const Record& record) {
    const auto* raw = reinterpret_cast<const std::uint8_t*>(&record);
    bytes.insert(bytes.end(), raw, raw + sizeof record);
}

/// Collects NUL-terminated strings and their offsets.
struct Strings {
    std::vector<std::uint8_t> bytes{0};
    std::uint32_t add(const std::string& text) {
        const auto at = static_cast<std::uint32_t>(bytes.size());
        bytes.insert(bytes.end(), text.begin(), text.end());
        bytes.push_back(0);
        return at;
    }
};

struct Built {
    FakeSection section;
    std::uint32_t link = 0, info = 0, entry = 0;
};

Elf32_Shdr header_of(const Built& built, std::uint32_t name, std::size_t offset) {
    Elf32_Shdr header{};
    header.sh_name = name;
    header.sh_type = built.section.type;
    header.sh_flags = built.section.flags;
    header.sh_addr = built.section.address;
    header.sh_offset = static_cast<Elf32_Off>(offset);
    header.sh_size = built.section.type == SHT_NOBITS
                         ? built.section.bytes
                         : static_cast<Elf32_Word>(built.section.content.size());
    header.sh_link = built.link;
    header.sh_info = built.info;
    header.sh_entsize = built.entry;
    header.sh_addralign = 1;
    return header;
}

std::vector<std::uint8_t> symbol_bytes(const std::vector<FakeSymbol>& symbols, Strings& names) {
    std::vector<std::uint8_t> bytes;
    append(bytes, Elf32_Sym{});
    for (const FakeSymbol& symbol : symbols) {
        Elf32_Sym record{};
        record.st_name = names.add(symbol.name);
        record.st_value = symbol.value;
        record.st_info = ELF32_ST_INFO(STB_GLOBAL, symbol.type);
        record.st_shndx = symbol.section;
        record.st_size = symbol.bytes;
        append(bytes, record);
    }
    return bytes;
}

}  // namespace

FakeModel::FakeModel() : flash(144, 0xFF), data(132, 0) {
    const std::uint32_t header[] = {0x4E49424E, 0x80785D22, 0x40000000, 0x40000074, 0x20000090,
                                    0x40000088, 0x40000098, 0x40000074, 0x40000084, 0,
                                    0,          0x4000004C, 0};
    for (std::size_t word = 0; word < std::size(header); ++word) put(flash, 4 * word, header[word]);
    for (std::uint32_t at = 0x34; at < 0x64; at += 4) put(flash, at, 0x20000000 + kText + 1);
    put(flash, 0x64, 0x40000000 + kContext);
    put(flash, kText, 0x47704770);  // bx lr, twice
    put(flash, kText + 4, 0x47704770);
    const char strings[] = "mini\0atonn-v1.1.3-8\0w";
    std::memcpy(flash.data() + kStrings, strings, sizeof strings);
    put(data, 0, 0x40000004);
    put(data, 4, 0x20000000 + kText + 1);
    put(data, kContext + 0x14, 0x20000000 + kStrings);
    put(data, kContext + 0x1C, 24);                         // params_sz
    put(data, kContext + 0x24, 0x20000000 + kStrings + 5);  // rt_version_desc
    put(data, kContext + 0x28, 0x01010300);
    put(data, kContext + 0x2C, 8);
    put(data, kContext + 0x38, 0x3038);
    put(data, kContext + 0x40, 0x40000000);  // itf_network
    put(data, kPools, 0x20000000 + kStrings + 20);
    put(data, kPools + 4, 0x01010500);
    put(data, kPools + 16, 24);
    put(data, kGot, 0x80000000);
    extra.push_back({".pool.w", SHT_PROGBITS, 0, 0, std::vector<std::uint8_t>(24, 0x5A), 0});
    symbols = {{"thing", 0x40000004, 2}, {"function", 0x20000000 + kText + 1, 1}};
    relocations = {{0x40000000, 2, 1, ".data"},
                   {0x40000004, 2, 2, ".data"},
                   {0x40000000 + kContext + 0x14, 2, 2, ".data"},
                   {0x40000000 + kContext + 0x24, 2, 2, ".data"},
                   {0x40000000 + kContext + 0x40, 2, 1, ".data"},
                   {0x40000000 + kPools, 2, 2, ".data"},
                   {0x20000034, 2, 2, ".flash"},
                   {0x20000000 + kText, 10, 2, ".flash"}};
}

void FakeModel::put(std::vector<std::uint8_t>& bytes, std::size_t offset,
                    std::uint32_t value) const {
    for (unsigned shift = 0; shift < 32; shift += 8) {
        bytes.at(offset++) = static_cast<std::uint8_t>(value >> shift);
    }
}

std::vector<std::uint8_t> FakeModel::elf() const {
    std::vector<Built> sections(1);
    sections[0].section = {"", SHT_NULL, 0, 0, {}, 0};
    sections.push_back({{".flash", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x20000000, flash, 0}});
    sections.push_back({{".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, data_address, data, 0}});
    sections.push_back({{".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, bss_address, {}, bss_bytes}});
    for (const FakeSection& section : extra) sections.push_back({section});

    std::map<std::string, std::vector<std::uint8_t>> tables;  // relocations by patched section
    for (const FakeRelocation& relocation : relocations) {
        const Elf32_Rela record{relocation.address,
                                ELF32_R_INFO(relocation.symbol, relocation.type), 0};
        std::vector<std::uint8_t>& table = tables[relocation.section];
        append(table, record);
        if (!with_addends) table.resize(table.size() - sizeof record.r_addend);
    }
    const auto symbol_index = static_cast<std::uint32_t>(sections.size() + tables.size());
    for (const auto& table : tables) {
        const std::string& target = table.first;
        const auto patched =
            std::find_if(sections.begin(), sections.end(),
                         [&](const Built& built) { return built.section.name == target; });
        Built built{{".rel" + target, static_cast<std::uint32_t>(with_addends ? SHT_RELA : SHT_REL),
                     0, 0, table.second, 0}};
        built.link = relocations_without_symbols ? 0 : symbol_index;
        built.info = static_cast<std::uint32_t>(patched - sections.begin());
        built.entry = with_addends ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel);
        sections.push_back(built);
    }
    Strings symbol_names, section_names;
    if (symbol_table) {
        Built table{{".symtab", SHT_SYMTAB, 0, 0, symbol_bytes(symbols, symbol_names), 0}};
        table.link = symbol_index + (second_symbol_table ? 2 : 1);
        table.entry = sizeof(Elf32_Sym);
        sections.push_back(table);
        if (second_symbol_table) sections.push_back(table);
        sections.push_back({{".strtab", SHT_STRTAB, 0, 0, symbol_names.bytes, 0}});
    }
    std::vector<std::uint32_t> name_offsets;
    name_offsets.reserve(sections.size() + 1);
    for (const Built& built : sections)
        name_offsets.push_back(section_names.add(built.section.name));
    name_offsets.push_back(section_names.add(".shstrtab"));
    sections.push_back({{".shstrtab", SHT_STRTAB, 0, 0, section_names.bytes, 0}});

    std::vector<std::uint8_t> bytes(sizeof(Elf32_Ehdr));
    std::vector<Elf32_Shdr> headers;
    for (std::size_t index = 0; index < sections.size(); ++index) {
        bytes.resize((bytes.size() + 3) & ~std::size_t{3});
        headers.push_back(header_of(sections[index], name_offsets[index], bytes.size()));
        const std::vector<std::uint8_t>& content = sections[index].section.content;
        bytes.insert(bytes.end(), content.begin(), content.end());
    }
    bytes.resize((bytes.size() + 3) & ~std::size_t{3});
    Elf32_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = elf_class;
    header.e_ident[EI_DATA] = byte_order;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = elf_type;
    header.e_machine = machine;
    header.e_version = EV_CURRENT;
    header.e_flags = elf_flags;
    header.e_ehsize = sizeof header;
    header.e_shoff = static_cast<Elf32_Off>(bytes.size());
    header.e_shentsize = sizeof(Elf32_Shdr);
    header.e_shnum = static_cast<Elf32_Half>(sections.size());
    header.e_shstrndx = static_cast<Elf32_Half>(sections.size() - 1);
    std::memcpy(bytes.data(), &header, sizeof header);
    for (const Elf32_Shdr& section : headers) append(bytes, section);
    return bytes;
}

}  // namespace n6vp::tests
