// SPDX-License-Identifier: Apache-2.0
#include "sim/host/elf.h"

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <memory>
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
    "give a bare-metal program, built and linked with arm-none-eabi-gcc for the chip's core";
constexpr const char* kDamaged = "the file is damaged or cut off: build or copy it again";

std::string text_or_empty(const char* text) {
    return text == nullptr ? std::string() : text;
}

}  // namespace

/// libelf's view of a 32-bit little-endian Arm executable.
class ElfImage {
  public:
    /// Takes the bytes, which must stay where they are. Fails with UserError if they are another
    /// file; `remedy` says what to give.
    ElfImage(std::span<std::uint8_t> bytes, std::string name, const char* remedy)
        : name_(std::move(name)), remedy_(remedy) {
        if (elf_version(EV_CURRENT) == EV_NONE) fail("cannot be read: libelf is too old");
        elf_.reset(elf_memory(reinterpret_cast<char*>(bytes.data()), bytes.size()));
        if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF) fail("is not an ELF file");
        if (gelf_getehdr(elf_.get(), &header_) == nullptr) fail("has a broken ELF header");
        if (gelf_getclass(elf_.get()) != ELFCLASS32 || header_.e_ident[EI_DATA] != ELFDATA2LSB) {
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
    /// Fails with UserError if the file of `bytes` bytes ends before its section headers: one that
    /// lacks its last part was not copied completely, even if nobody needs its sections.
    void require_section_headers(std::size_t bytes) const {
        const std::uint64_t end =
            header_.e_shoff + std::uint64_t{header_.e_shnum} * header_.e_shentsize;
        if (header_.e_shoff == 0 || end <= bytes) return;
        fail(fmt::format("is cut short: its section headers end at byte {} of {}", end, bytes),
             kDamaged);
    }
    [[nodiscard]] Elf* get() const { return elf_.get(); }
    [[nodiscard]] const GElf_Ehdr& header() const { return header_; }

  private:
    std::string name_;
    const char* remedy_;
    std::unique_ptr<Elf, int (*)(Elf*)> elf_{nullptr, elf_end};
    GElf_Ehdr header_{};
};

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
    std::uint32_t symbol_table = 0;  // section index, 0 = none

    ElfSection section(Elf_Scn* handle, std::size_t index, std::size_t names) {
        GElf_Shdr header;
        if (gelf_getshdr(handle, &header) == nullptr) {
            image.fail(fmt::format("has a broken section header {}", index));
        }
        ElfSection section;
        section.name = text_or_empty(elf_strptr(image.get(), names, header.sh_name));
        section.type = header.sh_type;
        section.flags = static_cast<std::uint32_t>(header.sh_flags);
        section.address = static_cast<std::uint32_t>(header.sh_addr);
        section.bytes = static_cast<std::uint32_t>(header.sh_size);
        if (!section.has_content() || header.sh_size == 0 || section.type == SHT_NULL)
            return section;
        const std::uint64_t end = std::uint64_t{header.sh_offset} + header.sh_size;
        if (end > file.bytes_.size()) {
            image.fail(fmt::format("is cut short: section {} ('{}') ends at byte {} of {}", index,
                                   traces::terminal_text(section.name), end, file.bytes_.size()),
                       "link the model again; the file was not written or copied completely");
        }
        section.content = std::span(file.bytes_).subspan(header.sh_offset, header.sh_size);
        return section;
    }

    void read_sections() {
        std::size_t count = 0, names = 0;
        if (elf_getshdrnum(image.get(), &count) != 0 ||
            elf_getshdrstrndx(image.get(), &names) != 0) {
            image.fail("has a broken section table");
        }
        for (std::size_t index = 0; index < count; ++index) {
            Elf_Scn* const handle = elf_getscn(image.get(), index);
            if (handle == nullptr) image.fail("has a broken section table");
            file.sections_.push_back(section(handle, index, names));
            if (file.sections_.back().type != SHT_SYMTAB) continue;
            if (symbol_table != 0) image.fail("has two symbol tables");
            symbol_table = static_cast<std::uint32_t>(index);
        }
        if (count == 0) image.fail("has no sections");
    }

    void read_symbols() {
        if (symbol_table == 0)
            image.fail("has no symbol table", "link without -s and do not strip the file");
        Elf_Scn* const handle = elf_getscn(image.get(), symbol_table);
        Elf_Data* const data = elf_getdata(handle, nullptr);
        GElf_Shdr header;
        if (data == nullptr || gelf_getshdr(handle, &header) == nullptr) {
            image.fail("has a broken symbol table");
        }
        const std::size_t count = data->d_size / sizeof(Elf32_Sym);
        for (std::size_t index = 0; index < count; ++index) {
            GElf_Sym symbol;
            if (gelf_getsym(data, static_cast<int>(index), &symbol) == nullptr) {
                image.fail("has a broken symbol table");
            }
            ElfSymbol result;
            result.name = text_or_empty(elf_strptr(image.get(), header.sh_link, symbol.st_name));
            const unsigned type = GELF_ST_TYPE(symbol.st_info);
            const bool in_section = symbol.st_shndx < file.sections_.size();
            if (type == STT_SECTION && in_section) {
                result.name = file.sections_[symbol.st_shndx].name;
            }
            result.function = type == STT_FUNC;
            result.names_place =
                type != STT_SECTION && in_section && file.sections_[symbol.st_shndx].allocated();
            result.value = static_cast<std::uint32_t>(symbol.st_value);
            result.bytes = static_cast<std::uint32_t>(symbol.st_size);
            result.defined = symbol.st_shndx != SHN_UNDEF;
            file.symbols_.push_back(std::move(result));
        }
    }

    void read_relocations(std::uint32_t index) {
        Elf_Scn* const handle = elf_getscn(image.get(), index);
        GElf_Shdr header;
        if (gelf_getshdr(handle, &header) == nullptr || header.sh_info >= file.sections_.size()) {
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
        Elf_Data* const data = elf_getdata(handle, nullptr);
        if (data == nullptr) image.fail(fmt::format("has broken relocations of '{}'", shown));
        const std::size_t count = data->d_size / sizeof(Elf32_Rel);
        for (std::size_t entry = 0; entry < count; ++entry) {
            add_relocation(*data, entry, static_cast<std::uint32_t>(header.sh_info), shown);
        }
    }

    void add_relocation(Elf_Data& data, std::size_t entry, std::uint32_t section,
                        const std::string& shown) {
        GElf_Rel relocation;
        if (gelf_getrel(&data, static_cast<int>(entry), &relocation) == nullptr) {
            image.fail(fmt::format("has broken relocations of '{}'", shown));
        }
        const auto address = static_cast<std::uint32_t>(relocation.r_offset);
        const auto symbol = static_cast<std::uint32_t>(GELF_R_SYM(relocation.r_info));
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
        file.relocations_.push_back(
            {address, static_cast<std::uint32_t>(GELF_R_TYPE(relocation.r_info)), symbol, section});
    }
};

ElfFile ElfFile::read(const std::filesystem::path& path) {
    return ElfFile(read_input(path.string(), kMaxFileBytes, kRelinkRemedy), path.string());
}

ElfFile::ElfFile(std::vector<std::uint8_t> bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {
    Reader reader{*this, ElfImage(bytes_, name_, kRelinkRemedy)};
    header_flags_ = reader.image.header().e_flags;
    reader.image.require_section_headers(bytes_.size());
    reader.read_sections();
    reader.read_symbols();
    for (std::uint32_t index = 0; index < sections_.size(); ++index) {
        const std::uint32_t type = sections_[index].type;
        if (type == SHT_REL || type == SHT_RELA) reader.read_relocations(index);
    }
}

std::vector<ElfSegment> read_elf_segments(const std::filesystem::path& path) {
    std::vector<std::uint8_t> bytes =
        read_input(path.string(), kMaxFileBytes, "give a bare-metal program");
    const ElfImage image(bytes, path.string(), kBuildRemedy);
    if (image.header().e_phnum != 0 && image.header().e_phentsize != sizeof(Elf32_Phdr)) {
        image.fail("has program headers of no known size", kDamaged);
    }
    image.require_section_headers(bytes.size());
    std::size_t count = 0;
    if (elf_getphdrnum(image.get(), &count) != 0)
        image.fail("has broken program headers", kDamaged);
    std::vector<ElfSegment> segments;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment;
        if (gelf_getphdr(image.get(), static_cast<int>(i), &segment) == nullptr) {
            image.fail("has program headers outside the file", kDamaged);
        }
        if (segment.p_type != PT_LOAD || segment.p_filesz == 0) continue;
        if (segment.p_offset > bytes.size() || bytes.size() - segment.p_offset < segment.p_filesz) {
            image.fail("has a segment outside the file", kDamaged);
        }
        // Overlaps in the file would allow any number of copies.
        total += segment.p_filesz;
        if (total > bytes.size()) image.fail("has segments that overlap in the file", kDamaged);
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(segment.p_offset);
        segments.push_back({static_cast<std::uint32_t>(segment.p_paddr),
                            {first, first + static_cast<std::ptrdiff_t>(segment.p_filesz)}});
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
