// SPDX-License-Identifier: Apache-2.0
#include "sim/pack/linked_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "loader/container.h"
#include "loader/format.h"
#include "sim/pack/byte_words.h"
#include "sim/pack/link_faults.h"
#include "sim/pack/relocations.h"
#include "traces/escape.h"

namespace n6vp::sim::pack {

namespace {

namespace format = loader::format;
namespace context_offset = loader::context_offset;

constexpr std::uint32_t kParam0Base = 0x80000000;
constexpr std::string_view kPayloadPrefix = ".pool.";

constexpr const char* kScriptRemedy =
    "link with sim/generate/emit/glue/model.ld and use N6VP_RELOC_MODEL of reloc_model.h once";

/// Builds a LinkedModel step by step; each step relies on what the earlier ones checked.
class Builder {
  public:
    explicit Builder(const ElfFile& elf) : elf_(elf) {}

    LinkedModel build() {
        collect_images();
        read_header();
        check_sections();
        check_flags();
        read_context();
        check_version();
        read_pools();
        check_got();
        model_.relocations = collect_relocations(elf_, model_);
        collect_payloads();
        return std::move(model_);
    }

  private:
    [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
        refuse_elf(elf_, what, remedy);
    }

    void place(const ElfSection& section, const LinkSpace& space,
               std::vector<std::uint8_t>& image) const {
        place_section(elf_, section, space, kScriptRemedy, image);
    }

    void place_by_space(const ElfSection& section) {
        const std::string shown = traces::terminal_text(section.name);
        constexpr std::uint32_t kCodeLimit = 16u << 20, kParamLimit = 128u << 20;
        const bool content = section.has_content();
        switch (format::space_nibble(section.address)) {
            case 0x2:
                if (!content)
                    fail(fmt::format("section '{}' of the read-only space has no content", shown),
                         kScriptRemedy);
                return place(section, {format::kFlashBase, kCodeLimit, 0xFF}, model_.flash);
            case 0x4:
                if (content) place(section, {format::kRamBase, kCodeLimit}, model_.data);
                return;
            case 0x8:
                if (content) place(section, {kParam0Base, kParamLimit}, model_.blobs);
                return;
            case 0x9:
                if (content) {
                    fail(fmt::format("section '{}' puts initialised data into external RAM", shown),
                         "external RAM gets its content from a pool's payload: N6VP_POOL_PAYLOAD");
                }
                return;
            case 0xF:
                return;  // the format's trash space: never in the file
            default:
                fail(fmt::format("section '{}' is linked at 0x{:08X}, in no space of the format",
                                 shown, section.address),
                     kScriptRemedy);
        }
    }

    void collect_images() {
        std::vector<const ElfSection*> order;
        for (const ElfSection& section : elf_.sections()) {
            if (section.allocated() && section.bytes != 0) order.push_back(&section);
        }
        std::stable_sort(order.begin(), order.end(), [](const ElfSection* a, const ElfSection* b) {
            return a->address < b->address;
        });
        for (const ElfSection* section : order) place_by_space(*section);
        model_.flash.resize((model_.flash.size() + 7) & ~std::size_t{7}, 0xFF);
        pad_to_8(model_.blobs);
    }

    void read_header() {
        const std::vector<std::uint8_t>& flash = model_.flash;
        if (flash.size() < format::kShortHeaderBytes || word_at(flash, 0) != format::kMagic) {
            fail("no runtime loadable model header at 0x20000000", kScriptRemedy);
        }
        LinkedHeader& header = model_.header;
        const auto in_ram = [&](std::uint32_t offset) {
            return flash.size() >= offset + 4 &&
                   format::in_space(word_at(flash, offset), format::Space::Ram);
        };
        if (in_ram(format::kShortContextOffset)) {
            header.header_bytes = format::kShortHeaderBytes;
        } else if (in_ram(format::kLongContextOffset)) {
            header.header_bytes = format::kLongHeaderBytes;
        } else {
            fail("the vector ends at neither 0x5C nor 0x64: no rt_ctx address found",
                 "the last word of section .network_entries must be the address of rt_ctx");
        }
        header.context = word_at(flash, header.header_bytes - 4);
        header.flags = word_at(flash, format::kOffFlags);
        header.data_end = word_at(flash, format::kOffDataEnd);
        header.bss_start = word_at(flash, format::kOffBssStart);
        header.bss_end = word_at(flash, format::kOffBssEnd);
        header.got_start = word_at(flash, format::kOffGotStart);
        header.got_end = word_at(flash, format::kOffGotEnd);
        header.params_start = word_at(flash, format::kOffParamsStart);
        check_vector();
    }

    void check_vector() const {
        const LinkedHeader& header = model_.header;
        for (std::uint32_t at = format::kVectorOffset; at < header.header_bytes - 4; at += 4) {
            const std::uint32_t entry = word_at(model_.flash, at);
            const std::uint32_t offset = format::link_offset(entry);
            if (format::in_space(entry, format::Space::Flash) && (entry & 1) != 0 &&
                offset >= header.header_bytes && offset < model_.flash.size()) {
                continue;
            }
            fail(
                fmt::format("vector word 0x{:02X} is 0x{:08X}, not a Thumb function of the model",
                            at, entry),
                "every entry of the vector needs a function; reloc_model.c has a default for each");
        }
    }

    void check_sections() {
        const LinkedHeader& header = model_.header;
        const auto data_size = static_cast<std::uint32_t>(model_.data.size());
        if (word_at(model_.flash, format::kOffDataStart) != format::kRamBase) {
            fail("data_start is not 0x40000000", kScriptRemedy);
        }
        if (word_at(model_.flash, format::kOffDataData) !=
            format::kFlashBase + model_.flash.size()) {
            fail(fmt::format("data_data is 0x{:08X} but the read-only part ends at 0x{:08X}",
                             word_at(model_.flash, format::kOffDataData),
                             format::kFlashBase + model_.flash.size()),
                 kScriptRemedy);
        }
        const std::uint32_t bounds[] = {format::kRamBase, header.data_end,  header.got_start,
                                        header.got_end,   header.bss_start, header.bss_end};
        for (const std::uint32_t bound : bounds) {
            if (!format::in_space(bound, format::Space::Ram) || bound % 4 != 0) {
                fail(
                    fmt::format("section bound 0x{:08X} is not a word address in RAM space", bound),
                    kScriptRemedy);
            }
        }
        if (!std::is_sorted(std::begin(bounds), std::end(bounds)) ||
            header.got_end != format::kRamBase + data_size) {
            fail("data, GOT and bss do not follow each other in RAM space", kScriptRemedy);
        }
        check_bss();
    }

    void check_bss() const {
        for (const ElfSection& section : elf_.sections()) {
            const bool in_ram = format::in_space(section.address, format::Space::Ram);
            if (!section.allocated() || section.has_content() || section.bytes == 0 || !in_ram)
                continue;
            const std::uint64_t end = std::uint64_t{section.address} + section.bytes;
            if (section.address >= model_.header.bss_start && end <= model_.header.bss_end)
                continue;
            fail(fmt::format("section '{}' lies outside [bss_start, bss_end)",
                             traces::terminal_text(section.name)),
                 kScriptRemedy);
        }
    }

    void check_flags() const {
        const format::Flags flags{model_.header.flags};
        const auto wrong = [&](const std::string& what) {
            fail(fmt::format("flags word 0x{:08X}: {}", flags.raw, what),
                 "let reloc_model.h compose the flags (N6VP_FLAGS)");
        };
        if (flags.major() != 8 || flags.minor() != 0) wrong("the interface version is not 8.0");
        if (flags.reserved() != 0) wrong("bits 15 and 23 are reserved");
        if (flags.cpu_part() != 0xD22) wrong("the core is not the Cortex-M55 (0xD22)");
        if (flags.toolchain() < format::kToolchainGcc ||
            flags.toolchain() > format::kToolchainStClang) {
            wrong("the toolchain is none of 8 (GCC), 9 (clang), 10 (ST clang)");
        }
        if (flags.float_abi() != 2 || !flags.fpu()) wrong("not hard float with FPU");
        if ((elf_.header_flags() & kElfHardFloat) == 0) {
            fail("the ELF was not linked from hard-float objects",
                 "compile every file with -mfpu=fpv4-sp-d16 -mfloat-abi=hard");
        }
    }

    std::string flash_string(std::uint32_t address, const char* what) const {
        const std::uint32_t offset = format::link_offset(address);
        if (!format::in_space(address, format::Space::Flash) || offset >= model_.flash.size()) {
            fail(fmt::format("{} is at 0x{:08X}, not in the read-only part", what, address),
                 "it must be a string constant");
        }
        const auto begin = model_.flash.begin() + offset;
        const auto end = std::find(begin, model_.flash.end(), std::uint8_t{0});
        if (end == model_.flash.end() || end - begin > format::kMaxNameBytes) {
            fail(fmt::format("{} is longer than {} bytes or has no end", what,
                             format::kMaxNameBytes),
                 "shorten it");
        }
        return std::string(begin, end);
    }

    void read_context() {
        const std::uint32_t offset = format::link_offset(model_.header.context);
        const auto data_bytes = format::link_offset(model_.header.data_end);
        const auto field = [&](std::uint32_t at) { return word_at(model_.data, offset + at); };
        if (offset % 4 != 0 || std::uint64_t{offset} + context_offset::bytes(false) > data_bytes) {
            fail("rt_ctx does not lie in .data", kScriptRemedy);
        }
        LinkedContext& context = model_.context;
        context.data_offset = offset;
        const std::uint32_t version = field(context_offset::kVersion);
        context.version = {
            static_cast<std::uint8_t>(version >> 24), static_cast<std::uint8_t>(version >> 16),
            static_cast<std::uint8_t>(version >> 8), field(context_offset::kVersionExtra)};
        context.has_struct_sizes = version >= 0x01010100;
        if (std::uint64_t{offset} + context_offset::bytes(context.has_struct_sizes) > data_bytes) {
            fail("rt_ctx does not lie in .data", kScriptRemedy);
        }
        context.c_name = flash_string(field(context_offset::kCName), "rt_ctx.c_name");
        context.version_text =
            flash_string(field(context_offset::kVersionDesc), "rt_ctx.rt_version_desc");
        context.acts_bytes = field(context_offset::kActsSize);
        context.params_bytes = field(context_offset::kParamsSize);
        context.ext_ram_bytes = field(context_offset::kExtRamSize);
        if (context.has_struct_sizes) context.struct_sizes = field(context_offset::kStructSizes);
    }

    void check_version() const {
        const LinkedContext& context = model_.context;
        const std::uint32_t word = context.version.word();
        const format::Flags flags{model_.header.flags};
        const std::uint32_t header =
            word < 0x01010300 ? format::kShortHeaderBytes : format::kLongHeaderBytes;
        const std::string shown = fmt::format("{}.{}.{}", context.version.major,
                                              context.version.minor, context.version.micro);
        if (word != 0x01010000 && word != 0x01010100 && word != 0x01010300) {
            fail(fmt::format("runtime version {} belongs to no known generation", shown),
                 "build with -DN6VP_GENERATION=21, 22, 30 or 40");
        }
        if (header != model_.header.header_bytes) {
            fail(fmt::format("runtime version {} has a header of {} bytes, this one has {}", shown,
                             header, model_.header.header_bytes),
                 "compile every file with the same -DN6VP_GENERATION");
        }
        if (flags.toolchain() != format::kToolchainGcc && word == 0x01010000) {
            fail("generation 2.1 knows models built by GCC only",
                 "build with arm-none-eabi-gcc, or for 2.2 and later");
        }
        const std::uint32_t item = flags.dbg_info() ? 0x30 : 0x14;
        const std::uint32_t info = context.struct_sizes & 0xFF;
        if (context.has_struct_sizes &&
            (context.struct_sizes >> 8 != item || (info != 0x38 && info != 0x40))) {
            fail(fmt::format("rt_c_struct_sizes is 0x{:X}, expected 0x{:02X}38",
                             context.struct_sizes, item),
                 "compile with -fshort-enums and one setting of N6VP_NO_DBG_INFO");
        }
    }

    void read_pools() {
        const std::uint32_t start = format::link_offset(model_.header.params_start);
        const std::uint32_t end = format::link_offset(model_.header.data_end);
        if (!format::in_space(model_.header.params_start, format::Space::Ram) || start % 4 != 0) {
            fail("the pool table is not in .data", "use N6VP_POOLS once");
        }
        std::uint32_t external_bytes = 0;
        for (std::uint64_t at = start;; at += format::kPoolBytes) {
            if (at + format::kPoolBytes > end)
                fail("the pool table has no terminator", "use N6VP_POOLS once");
            const auto entry = static_cast<std::uint32_t>(at);
            const std::uint32_t name = word_at(model_.data, entry);
            LinkedPool pool{{},
                            word_at(model_.data, entry + 4),
                            word_at(model_.data, entry + 12),
                            word_at(model_.data, entry + 16),
                            entry};
            if (name == 0 || pool.flags == 0) break;
            pool.name = flash_string(name, "a pool name");
            if (std::any_of(model_.pools.begin(), model_.pools.end(),
                            [&](const LinkedPool& other) { return other.name == pool.name; })) {
                fail(fmt::format("two pools are named '{}'", traces::terminal_text(pool.name)),
                     "give each pool its own name");
            }
            const format::PoolFlags flags{pool.flags};
            if (flags.type() == format::PoolType::Reloc && flags.id() == 1)
                external_bytes = pool.bytes;
            model_.pools.push_back(pool);
        }
        if (model_.pools.size() >= format::kMaxPoolsVisited) {
            fail(fmt::format("{} pools: loaders accept at most 9", model_.pools.size()),
                 "merge pools");
        }
        if (external_bytes != model_.context.ext_ram_bytes) {
            fail(fmt::format("rt_ctx.ext_ram_sz is {}, the external RAM pool has {} bytes",
                             model_.context.ext_ram_bytes, external_bytes),
                 "give N6VP_RELOC_MODEL the size of the RELOC id 1 pool, or 0");
        }
    }

    void check_got() const {
        const std::uint32_t start = format::link_offset(model_.header.got_start);
        const std::uint32_t end = format::link_offset(model_.header.got_end);
        if (model_.built_by_clang()) {
            if (start == end) return;
            fail(fmt::format("a clang model must not have a GOT; this one has {} words",
                             (end - start) / 4),
                 "compile with -fropi -frwpi and without -fpic");
        }
        for (std::uint32_t at = start; at < end; at += 4) {
            check_link_value(elf_, model_, format::kRamBase + at, word_at(model_.data, at),
                             "GOT word");
        }
    }

    void collect_payloads() {
        for (const ElfSection& section : elf_.sections()) {
            if (section.allocated() || !section.has_content() ||
                !section.name.starts_with(kPayloadPrefix))
                continue;
            std::vector<std::uint8_t>& payload =
                model_.payloads[section.name.substr(kPayloadPrefix.size())];
            payload.insert(payload.end(), section.content.begin(), section.content.end());
        }
    }

    const ElfFile& elf_;
    LinkedModel model_;
};

}  // namespace

bool LinkedModel::built_by_clang() const {
    return loader::format::Flags{header.flags}.toolchain() != format::kToolchainGcc;
}

LinkedModel link_model(const ElfFile& elf) {
    return Builder(elf).build();
}

}  // namespace n6vp::sim::pack
