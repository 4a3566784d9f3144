// SPDX-License-Identifier: Apache-2.0
#include "sim/pack/legacy_pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "loader/legacy/install.h"
#include "sim/host/errors.h"
#include "sim/model_file/host_memory.h"
#include "sim/model_file/legacy_model.h"
#include "sim/pack/byte_words.h"
#include "sim/pack/legacy_relocations.h"
#include "sim/pack/link_faults.h"
#include "sim/pack/loader_findings.h"
#include "traces/escape.h"

namespace n6vp::sim::pack {

namespace {

namespace format = loader::format;
namespace legacy = loader::legacy;

constexpr std::string_view kWeightsSection = ".weights";
constexpr const char* kLegacyScript =
    "link with sim/generate/emit/glue/legacy_model.ld and use N6VP_LEGACY_MODEL of legacy_model.h "
    "once";

/// Builds a LegacyLinked step by step; each step relies on what the earlier ones checked.
class LegacyBuilder {
  public:
    explicit LegacyBuilder(const ElfFile& elf) : elf_(elf) {}

    LegacyLinked build() {
        collect_images();
        read_header();
        check_sections();
        check_flags();
        read_context();
        model_.relocations = legacy_relocations(elf_, model_);
        return std::move(model_);
    }

  private:
    [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
        refuse_elf(elf_, what, remedy);
    }

    void place(const ElfSection& section, const LinkSpace& space,
               std::vector<std::uint8_t>& image) const {
        place_section(elf_, section, space, kLegacyScript, image);
    }

    void place_by_space(const ElfSection& section) {
        const bool content = section.has_content();
        if (legacy::in_flash(section.address) && content)
            return place(section, {format::kFlashBase, legacy::kFlashLimit}, model_.flash);
        if (legacy::in_ram(section.address)) {
            if (content) place(section, {legacy::kRamBase, legacy::kRamLimit}, model_.data);
            return;
        }
        fail(fmt::format("section '{}' is linked at 0x{:08X}, in no space of the format",
                         traces::terminal_text(section.name), section.address),
             kLegacyScript);
    }

    void collect_images() {
        std::vector<const ElfSection*> order;
        for (const ElfSection& section : elf_.sections()) {
            if (section.allocated() && section.bytes != 0) order.push_back(&section);
            if (!section.allocated() && section.name == kWeightsSection)
                model_.weights.assign(section.content.begin(), section.content.end());
        }
        std::stable_sort(order.begin(), order.end(), [](const ElfSection* a, const ElfSection* b) {
            return a->address < b->address;
        });
        for (const ElfSection* section : order) place_by_space(*section);
        model_.flash.resize((model_.flash.size() + 3) & ~std::size_t{3}, 0xFF);
    }

    void read_header() {
        std::uint32_t words[legacy::kHeaderBytes / 4];
        if (model_.flash.size() <= legacy::kHeaderBytes)
            fail("no header of the older family at 0x20000000", kLegacyScript);
        for (std::uint32_t i = 0; i < legacy::kHeaderBytes / 4; ++i)
            words[i] = word_at(model_.flash, std::size_t{4} * i);
        model_.header = legacy::header_of(words);
        model_.text_bytes = static_cast<std::uint32_t>(model_.flash.size()) - legacy::kHeaderBytes;
        for (std::uint32_t i = 0; i < legacy::kEntryCount; ++i) {
            const std::uint32_t entry = model_.header.vector[i];
            const std::uint32_t offset = format::link_offset(entry);
            if (legacy::in_flash(entry) && (entry & 1) != 0 && offset > legacy::kHeaderBytes &&
                offset < model_.flash.size())
                continue;
            fail(fmt::format("{} of the vector is 0x{:08X}, not a Thumb function of the model",
                             legacy_entry_name(i), entry),
                 "link legacy_model.c, which has every function of the vector");
        }
    }

    void check_sections() const {
        const legacy::Header& header = model_.header;
        const auto flash_end = format::kFlashBase + static_cast<std::uint32_t>(model_.flash.size());
        if (header.data_data != flash_end) {
            fail(fmt::format("data_data is 0x{:08X} but the flash section ends at 0x{:08X}",
                             header.data_data, flash_end),
                 kLegacyScript);
        }
        const std::uint32_t bounds[] = {legacy::kRamBase, header.data_end,  header.got_start,
                                        header.got_end,   header.bss_start, header.bss_end};
        for (const std::uint32_t bound : bounds) {
            if (!legacy::in_ram(bound) || bound % 4 != 0) {
                fail(
                    fmt::format("section bound 0x{:08X} is not a word address in RAM space", bound),
                    kLegacyScript);
            }
        }
        if (!std::is_sorted(std::begin(bounds), std::end(bounds)) ||
            header.got_end != legacy::kRamBase + model_.data.size()) {
            fail("data, GOT and bss do not follow each other in RAM space", kLegacyScript);
        }
        if (header.rw_bytes() > legacy::kRamLimit) {
            fail(fmt::format("data and .bss end {} bytes from the start of RAM space, but the "
                             "format has {}",
                             header.rw_bytes(), legacy::kRamLimit),
                 "the model is too large for the format");
        }
        for (const ElfSection& section : elf_.sections()) {
            if (!section.allocated() || section.has_content() || section.bytes == 0) continue;
            const std::uint64_t end = std::uint64_t{section.address} + section.bytes;
            if (section.address >= header.bss_start && end <= header.bss_end) continue;
            fail(fmt::format("section '{}' lies outside [bss_start, bss_end)",
                             traces::terminal_text(section.name)),
                 kLegacyScript);
        }
    }

    void check_flags() const {
        if ((elf_.header_flags() & kElfHardFloat) != 0) return;
        fail("the ELF was not linked from hard-float objects",
             "compile every file with -mfloat-abi=hard and the FPU of the core");
    }

    std::uint32_t context_word(std::uint32_t at) const {
        return word_at(model_.data, format::link_offset(model_.header.context) + at);
    }

    void read_context() {
        namespace field = legacy::context_offset;
        const std::uint32_t at = format::link_offset(model_.header.context);
        const std::uint32_t end = format::link_offset(model_.header.data_end);
        const bool fits = std::uint64_t{at} + legacy::kShortContextBytes <= end;
        if (!legacy::in_ram(model_.header.context) || at % 4 != 0 || !fits)
            fail("rt_ctx does not lie in .data", kLegacyScript);
        model_.context.name = context_word(field::kName);
        model_.context.activations_bytes = context_word(field::kActivationsSize);
        model_.context.weights_bytes = context_word(field::kWeightsSize);
        model_.context.has_crc = model_.header.context_room() >= legacy::kLongContextBytes;
        const std::uint32_t name = format::link_offset(model_.context.name);
        const auto begin =
            model_.flash.begin() + std::min<std::ptrdiff_t>(name, std::ssize(model_.flash));
        const auto stop = std::find(begin, model_.flash.end(), std::uint8_t{0});
        if (!legacy::in_flash(model_.context.name) || stop == model_.flash.end() ||
            stop - begin > format::kMaxNameBytes) {
            fail("the name is not a text of at most 255 characters in flash space",
                 "give N6VP_LEGACY_MODEL a string");
        }
        model_.name.assign(begin, stop);
    }

    const ElfFile& elf_;
    LegacyLinked model_;
};

void check_legacy_request(const LegacyLinked& model, const LegacyRequest& request) {
    const std::uint32_t part = model.header.flags.cpu_part();
    if (request.cpu_part && *request.cpu_part != part) {
        throw UserError(fmt::format("the model is for the {}, not the {}", core_name(part),
                                    core_name(*request.cpu_part)),
                        "compile with -mcpu and -DN6VP_LEGACY_CORE of that core, or drop --core");
    }
    const std::size_t given = request.weights ? request.weights->size() : model.weights.size();
    const std::uint32_t stated = model.context.weights_bytes;
    // Sections end at multiples of 8.
    if (given < stated || given - stated >= 8) {
        throw UserError(fmt::format("{} bytes of weights, but the model needs {}", given, stated),
                        request.weights ? "give --weights the file that belongs to the model"
                                        : "fill section .weights (N6VP_LEGACY_WEIGHTS), or give "
                                          "--weights FILE");
    }
    if (request.split && stated == 0)
        throw UserError("--split: the model has no weights", "drop --split");
}

/// Judges the finished bytes with the loader's own checks.
std::vector<std::string> check_packed(const LegacyPacked& packed) {
    constexpr GuestAddr kFile{0x60000000};
    HostMemory memory;
    const auto bytes = static_cast<std::uint32_t>(packed.file.size());
    memory.map({kFile, bytes}, 0, false);
    memory.store(kFile, packed.file);
    const loader::MemoryPort port = memory.port();
    legacy::Container container(port, kFile, bytes);
    loader::Diagnosis why;
    if (container.open(why) != loader::Status::Ok) refuse_finished(why, nullptr);
    LoaderFindings findings;
    // The status repeats the first finding.
    (void)legacy::check_file(container, findings.sink());
    return findings.warnings(nullptr);
}

}  // namespace

bool is_legacy_elf(const ElfFile& elf) {
    for (const ElfSection& section : elf.sections()) {
        if (section.address != format::kFlashBase || !section.has_content() ||
            section.content.size() < legacy::kHeaderBytes)
            continue;
        const std::vector<std::uint8_t> start(section.content.begin(),
                                              section.content.begin() + 12);
        return word_at(start, 0) == format::kMagic &&
               word_at(start, format::kOffDataStart) == legacy::kRamBase;
    }
    return false;
}

LegacyLinked link_legacy(const ElfFile& elf) {
    return LegacyBuilder(elf).build();
}

LegacyPacked build_legacy(const LegacyLinked& model, const LegacyRequest& request) {
    check_legacy_request(model, request);
    LegacyPacked packed;
    packed.weights_bytes = model.context.weights_bytes;
    std::vector<std::uint8_t>& file = packed.file;
    file = model.flash;
    file.insert(file.end(), model.data.begin(), model.data.end());
    // .bss may be aligned: what an install copies ends at its start.
    const std::size_t copied = model.flash.size() + model.header.copied_bytes();
    if (file.size() < copied) file.resize(copied, 0);
    packed.rel_start = static_cast<std::uint32_t>(file.size());
    file.resize(file.size() + 4 * model.relocations.size());
    packed.rel_end = static_cast<std::uint32_t>(file.size());
    std::size_t at = packed.rel_start;
    for (const std::uint32_t entry : model.relocations) {
        put_word(file, at, entry);
        at += 4;
    }
    put_word(file, format::kOffRelStart, format::kFlashBase | packed.rel_start);
    put_word(file, format::kOffRelEnd, format::kFlashBase | packed.rel_end);
    std::vector<std::uint8_t> weights = request.weights.value_or(model.weights);
    weights.resize(packed.weights_bytes);
    if (request.split) {
        packed.weights = std::move(weights);
    } else if (!weights.empty()) {
        pad_to_8(file);
        packed.weights_start = static_cast<std::uint32_t>(file.size());
        file.insert(file.end(), weights.begin(), weights.end());
        packed.weights_end = static_cast<std::uint32_t>(file.size());
        put_word(file, legacy::kOffWeightsStart, format::kFlashBase | packed.weights_start);
        put_word(file, legacy::kOffWeightsEnd, format::kFlashBase | packed.weights_end);
    }
    packed.warnings = check_packed(packed);
    return packed;
}

}  // namespace n6vp::sim::pack
