// SPDX-License-Identifier: Apache-2.0
#include "sim/host/elf.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "sim/host/demangle.h"
#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

// Twice the link length of both parameter spaces: no model can be larger.
constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{512} << 20;

constexpr const char* kRelinkRemedy =
    "give the linked model: link it with sim/generate/emit/glue/model.ld and -Wl,--emit-relocs";

constexpr const char* kBuildRemedy =
    "give a bare-metal program: build and link it with arm-none-eabi-gcc -mcpu=cortex-m55";
constexpr const char* kDamaged = "the file is damaged or cut off: build or copy it again";

static_assert(std::endian::native == std::endian::little, "records are copied as they stand");

/// The bytes of a 32-bit little-endian Arm executable, read record by record: nothing in it is
/// trusted.
class ElfImage {
  public:
    /// Fails with UserError if it is another file; `remedy` says what to give.
    ElfImage(std::span<const std::uint8_t> bytes, std::string name, const char* remedy)
        : bytes_(bytes), name_(std::move(name)), remedy_(remedy) {
        if (bytes_.size() < SELFMAG || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0) {
            fail("is not an ELF file");
        }
        const auto header = record<Elf32_Ehdr>(0);
        if (!header) fail("has a broken ELF header");
        header_ = *header;
        if (header_.e_ident[EI_CLASS] != ELFCLASS32 || header_.e_ident[EI_DATA] != ELFDATA2LSB) {
            fail("is not a 32-bit little-endian ELF file");
        }
        if (header_.e_machine != EM_ARM) {
            fail(fmt::format("is for ELF machine {}, not Arm (40)", header_.e_machine));
        }
        if (header_.e_type == ET_REL) fail("is an object file, not a linked program");
        if (header_.e_type != ET_EXEC) fail("is not a statically linked executable");
    }

    [[noreturn]] void fail(const std::string& what, const char* remedy = nullptr) const {
        throw UserError(fmt::format("'{}' {}", traces::terminal_text(name_), what),
                        remedy == nullptr ? remedy_ : remedy);
    }
    [[nodiscard]] const Elf32_Ehdr& header() const { return header_; }
    /// Returns that part of the file, or none if it ends before.
    [[nodiscard]] std::optional<std::span<const std::uint8_t>> part(std::uint64_t offset,
                                                                    std::uint64_t bytes) const {
        if (offset > bytes_.size() || bytes_.size() - offset < bytes) return std::nullopt;
        return bytes_.subspan(offset, bytes);
    }
    template <class Record>
    [[nodiscard]] std::optional<Record> record(std::uint64_t offset) const {
        const auto raw = part(offset, sizeof(Record));
        if (!raw) return std::nullopt;
        Record result;
        std::memcpy(&result, raw->data(), sizeof result);
        return result;
    }
    /// Returns a table of a section that lies inside the file; what is left behind the last whole
    /// record counts for nothing.
    template <class Record>
    [[nodiscard]] std::optional<std::vector<Record>> table(const Elf32_Shdr& section) const {
        const auto raw = part(section.sh_offset, section.sh_size);
        if (!raw) return std::nullopt;
        std::vector<Record> result(raw->size() / sizeof(Record));
        if (!result.empty()) {
            std::memcpy(result.data(), raw->data(), result.size() * sizeof(Record));
        }
        return result;
    }
    /// Returns a text of a string table, "" where there is none.
    [[nodiscard]] std::string text(const Elf32_Shdr& strings, std::uint32_t at) const {
        const auto raw = part(strings.sh_offset, strings.sh_size);
        if (strings.sh_type != SHT_STRTAB || !raw || at >= raw->size()) return {};
        const auto first = raw->begin() + at;
        const auto end = std::find(first, raw->end(), std::uint8_t{0});
        return end == raw->end() ? std::string() : std::string(first, end);
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::string name_;
    const char* remedy_;
    Elf32_Ehdr header_{};
};

}  // namespace

bool ElfSection::allocated() const {
    return (flags & SHF_ALLOC) != 0;
}
bool ElfSection::has_content() const {
    return type != SHT_NOBITS;
}

/// Fills an ElfFile from its bytes, step by step.
struct ElfFile::Reader {
    ElfFile& file;
    ElfImage image;
    std::vector<Elf32_Shdr> headers = {};
    std::uint32_t symbol_table = 0;  // section index, 0 = none

    ElfSection section(std::size_t index, std::uint32_t names) {
        const Elf32_Shdr& header = headers[index];
        ElfSection section;
        if (names < headers.size()) section.name = image.text(headers[names], header.sh_name);
        section.type = header.sh_type;
        section.flags = header.sh_flags;
        section.address = header.sh_addr;
        section.bytes = header.sh_size;
        if (!section.has_content() || header.sh_size == 0 || section.type == SHT_NULL)
            return section;
        const auto content = image.part(header.sh_offset, header.sh_size);
        if (!content) {
            image.fail(
                fmt::format("is cut short: section {} ('{}') ends at byte {} of {}", index,
                            traces::terminal_text(section.name),
                            std::uint64_t{header.sh_offset} + header.sh_size, file.bytes_.size()),
                "link the model again; the file was not written or copied completely");
        }
        section.content = *content;
        return section;
    }

    void read_headers() {
        const Elf32_Ehdr& header = image.header();
        if (header.e_shoff == 0) return;
        const auto first = image.record<Elf32_Shdr>(header.e_shoff);
        if (header.e_shentsize != sizeof(Elf32_Shdr) || !first) {
            image.fail("has a broken section table");
        }
        // More sections than the header can count: the first has their number.
        const std::uint32_t count = header.e_shnum == 0 ? first->sh_size : header.e_shnum;
        Elf32_Shdr all{};
        all.sh_offset = header.e_shoff;
        const std::uint64_t bytes = std::uint64_t{count} * sizeof(Elf32_Shdr);
        if (!image.part(header.e_shoff, bytes)) image.fail("has a broken section table");
        all.sh_size = static_cast<std::uint32_t>(bytes);
        headers = image.table<Elf32_Shdr>(all).value();
    }

    void read_sections() {
        read_headers();
        if (headers.empty()) image.fail("has no sections");
        const std::uint16_t said = image.header().e_shstrndx;
        const std::uint32_t names = said == SHN_XINDEX ? headers[0].sh_link : said;
        for (std::size_t index = 0; index < headers.size(); ++index) {
            file.sections_.push_back(section(index, names));
            if (file.sections_.back().type != SHT_SYMTAB) continue;
            if (symbol_table != 0) image.fail("has two symbol tables");
            symbol_table = static_cast<std::uint32_t>(index);
        }
    }

    void read_symbols() {
        if (symbol_table == 0)
            image.fail("has no symbol table", "link without -s and do not strip the file");
        const Elf32_Shdr& header = headers[symbol_table];
        const auto symbols = image.table<Elf32_Sym>(header);
        if (!symbols) image.fail("has a broken symbol table");
        for (const Elf32_Sym& symbol : *symbols) {
            ElfSymbol result;
            if (header.sh_link < headers.size()) {
                result.name = image.text(headers[header.sh_link], symbol.st_name);
            }
            const unsigned type = ELF32_ST_TYPE(symbol.st_info);
            const bool in_section = symbol.st_shndx < file.sections_.size();
            if (type == STT_SECTION && in_section) {
                result.name = file.sections_[symbol.st_shndx].name;
            }
            result.function = type == STT_FUNC;
            result.names_place =
                type != STT_SECTION && in_section && file.sections_[symbol.st_shndx].allocated();
            result.value = symbol.st_value;
            result.bytes = symbol.st_size;
            result.defined = symbol.st_shndx != SHN_UNDEF;
            file.symbols_.push_back(std::move(result));
        }
    }

    void read_relocations(std::uint32_t index) {
        const Elf32_Shdr& header = headers[index];
        if (header.sh_info >= file.sections_.size()) {
            image.fail(fmt::format("has a broken relocation section {}", index));
        }
        const ElfSection& target = file.sections_[header.sh_info];
        if (!target.allocated()) return;
        file.keeps_relocations_ = true;
        const std::string shown = traces::terminal_text(target.name);
        if (header.sh_type == SHT_RELA) {
            image.fail(fmt::format("keeps relocations of '{}' with addends (RELA)", shown),
                       "use a linker that emits REL for Arm, such as GNU ld or ld.lld");
        }
        if (header.sh_link != symbol_table) image.fail("has relocations without symbol table");
        const auto relocations = image.table<Elf32_Rel>(header);
        if (!relocations) image.fail(fmt::format("has broken relocations of '{}'", shown));
        for (const Elf32_Rel& relocation : *relocations) {
            add_relocation(relocation, header.sh_info, shown);
        }
    }

    void add_relocation(const Elf32_Rel& relocation, std::uint32_t section,
                        const std::string& shown) {
        const std::uint32_t address = relocation.r_offset;
        const std::uint32_t symbol = ELF32_R_SYM(relocation.r_info);
        const ElfSection& target = file.sections_[section];
        const std::uint64_t offset = std::uint64_t{address} - target.address;
        if (address < target.address || offset + 4 > target.bytes) {
            image.fail(fmt::format("has a relocation of '{}' at 0x{:08X}, outside that section",
                                   shown, address));
        }
        if (symbol >= file.symbols_.size()) {
            image.fail(fmt::format("has a relocation of '{}' with symbol number {} of {}", shown,
                                   symbol, file.symbols_.size()));
        }
        file.relocations_.push_back({address, ELF32_R_TYPE(relocation.r_info), symbol, section});
    }
};

ElfFile ElfFile::read(const std::filesystem::path& path) {
    return ElfFile(read_input(path.string(), kMaxFileBytes, kRelinkRemedy), path.string());
}

ElfFile::ElfFile(std::vector<std::uint8_t> bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {
    Reader reader{*this, ElfImage(bytes_, name_, kRelinkRemedy)};
    header_flags_ = reader.image.header().e_flags;
    reader.read_sections();
    reader.read_symbols();
    for (std::uint32_t index = 0; index < sections_.size(); ++index) {
        const std::uint32_t type = sections_[index].type;
        if (type == SHT_REL || type == SHT_RELA) reader.read_relocations(index);
    }
}

std::vector<ElfSegment> read_elf_segments(const std::filesystem::path& path) {
    const std::vector<std::uint8_t> bytes =
        read_input(path.string(), kMaxFileBytes, "give a bare-metal program");
    const ElfImage image(bytes, path.string(), kBuildRemedy);
    const Elf32_Ehdr& header = image.header();
    if (header.e_phnum != 0 && header.e_phentsize != sizeof(Elf32_Phdr)) {
        image.fail("has program headers of no known size", kDamaged);
    }
    std::vector<ElfSegment> segments;
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
        const auto segment = image.record<Elf32_Phdr>(header.e_phoff + i * sizeof(Elf32_Phdr));
        if (!segment) image.fail("has program headers outside the file", kDamaged);
        if (segment->p_type != PT_LOAD || segment->p_filesz == 0) continue;
        const auto content = image.part(segment->p_offset, segment->p_filesz);
        if (!content) image.fail("has a segment outside the file", kDamaged);
        // What overlaps in the file could be copied without end.
        total += segment->p_filesz;
        if (total > bytes.size()) image.fail("has segments that overlap in the file", kDamaged);
        segments.push_back({segment->p_paddr, {content->begin(), content->end()}});
    }
    return segments;
}

const ElfSymbol* ElfFile::find_symbol(std::string_view name) const {
    for (const ElfSymbol& symbol : symbols_) {
        if (symbol.defined && symbol.name == name) return &symbol;
    }
    return nullptr;
}

std::string ElfFile::describe(std::uint32_t address) const {
    constexpr std::uint32_t kNear = 0x10000;
    // The function that holds the address, else the nearest name below it, functions first.
    const auto rank = [address](const ElfSymbol& symbol) {
        const std::uint32_t value = symbol.value & ~1u;  // without the Thumb bit
        const bool holds = symbol.function && address - value < symbol.bytes;
        return std::tuple(holds, value, symbol.function);
    };
    const ElfSymbol* best = nullptr;
    for (const ElfSymbol& symbol : symbols_) {
        const std::uint32_t value = symbol.value & ~1u;
        if (!symbol.names_place || symbol.name.empty() || symbol.name[0] == '$') continue;
        if (value > address || address - value >= kNear) continue;
        if (best == nullptr || rank(symbol) > rank(*best)) best = &symbol;
    }
    if (best == nullptr) return {};
    return fmt::format("{}+0x{:X}", traces::terminal_text(demangled(best->name)),
                       address - (best->value & ~1u));
}

std::string arm_relocation_name(std::uint32_t type) {
    // Names of the Arm ELF ABI that a compiler for this core can emit.
    static constexpr std::pair<std::uint32_t, const char*> kNames[] = {
        {0, "R_ARM_NONE"},
        {2, "R_ARM_ABS32"},
        {3, "R_ARM_REL32"},
        {9, "R_ARM_SBREL32"},
        {10, "R_ARM_THM_CALL"},
        {24, "R_ARM_GOTOFF32"},
        {25, "R_ARM_BASE_PREL"},
        {26, "R_ARM_GOT_BREL"},
        {30, "R_ARM_THM_JUMP24"},
        {38, "R_ARM_TARGET1"},
        {41, "R_ARM_TARGET2"},
        {42, "R_ARM_PREL31"},
        {47, "R_ARM_THM_MOVW_ABS_NC"},
        {48, "R_ARM_THM_MOVT_ABS"},
        {49, "R_ARM_THM_MOVW_PREL_NC"},
        {50, "R_ARM_THM_MOVT_PREL"},
        {87, "R_ARM_THM_MOVW_BREL_NC"},
        {88, "R_ARM_THM_MOVT_BREL"},
        {96, "R_ARM_GOT_PREL"},
        {102, "R_ARM_THM_JUMP11"},
        {103, "R_ARM_THM_JUMP8"},
    };
    for (const auto& [number, name] : kNames) {
        if (number == type) return name;
    }
    return fmt::format("R_ARM_{}", type);
}

}  // namespace n6vp::sim
