// SPDX-License-Identifier: Apache-2.0
#include "sim/info/detail_report.h"

#include <fmt/format.h>

#include <ostream>
#include <string>

#include "sim/info/report_text.h"
#include "sim/model_file/placement.h"
#include "sim/model_file/sizes.h"
#include "traces/escape.h"

namespace n6vp::sim::report {

namespace {

namespace format = loader::format;
using loader::Header;

std::string optional_number(const std::optional<std::uint64_t>& value) {
    return value ? grouped(*value) : "?";
}

void write_generation(std::ostream& out, const ModelImage& image, const ModelFacts& facts) {
    const GenerationFacts found = find_generation(image, facts);
    heading(out, "Generation");
    out << "  " << found.core << ", ll_aton " << found.runtime << '\n';
    out << "  found by: " << found.detected << '\n';
    if (!found.conflict.empty()) out << "  contradiction: " << found.conflict << '\n';
}

void write_flags(std::ostream& out, format::Flags flags) {
    const auto bit = [](bool value) { return value ? "1" : "0"; };
    heading(out, fmt::format("Flags 0x{:08x}", flags.raw));
    detail(out, "31..28 API major", std::to_string(flags.major()), "always 8");
    detail(out, "27..24 API minor", std::to_string(flags.minor()), "always 0");
    detail(out, "23     reserved", bit((flags.raw >> 23 & 1) != 0));
    detail(out, "22     ASYNC", bit(flags.async()),
           flags.async() ? "firmware must run LL_ATON_RT_ASYNC" : "polling firmware");
    detail(out, "21     DBG_INFO", bit(flags.dbg_info()),
           flags.dbg_info() ? "firmware must define LL_ATON_EB_DBG_INFO"
                            : "firmware without LL_ATON_EB_DBG_INFO");
    detail(out, "20     SECURE", bit(flags.secure()), flags.secure() ? "secure firmware only" : "");
    detail(out, "19..16 toolchain", fmt::format("0x{:X}", flags.toolchain()),
           toolchain_text(flags.toolchain()));
    detail(out, "15     reserved", bit((flags.raw >> 15 & 1) != 0));
    const char* const float_abi = flags.float_abi() == 2   ? "hard"
                                  : flags.float_abi() == 1 ? "softfp"
                                                           : "soft";
    detail(out, "14..13 float ABI", std::to_string(flags.float_abi()),
           flags.float_abi() == 3 ? "reserved" : float_abi);
    detail(out, "12     FPU", bit(flags.fpu()),
           flags.fpu() ? "must be enabled before the install" : "");
    detail(out, "11..0  CPUID part", fmt::format("{:X}", flags.cpu_part()),
           flags.cpu_part() == 0xD22 ? "Cortex-M55" : "");
}

void write_derived_sizes(std::ostream& out, const ModelImage& image, const ModelFacts& facts) {
    const Sizes sizes = derive_sizes(image, facts);
    heading(out, "Sizes in bytes");
    detail(out, "RO", optional_number(sizes.ro), "header, code, constants");
    detail(out, "RW", optional_number(sizes.rw), "data, arrays, GOT, .bss");
    detail(out, "init/fini arrays", optional_number(sizes.arrays));
    detail(out, "copied into RAM", optional_number(sizes.copied),
           "from file offset of .data, up to .bss");
    detail(out, "relocation table", optional_number(sizes.rel));
    detail(out, "exec RAM for XIP", optional_number(sizes.xip));
    detail(out, "exec RAM for COPY", optional_number(sizes.copy));
    detail(out, "code_sz of the C API", optional_number(sizes.code), "RO only");
    detail(out, "external RAM", optional_number(sizes.external_ram));
    detail(out, "parameter section", optional_number(sizes.params_section), "in this file");
    if (facts.blob_bytes)
        detail(out, "  of it, blobs", grouped(*facts.blob_bytes), "epoch-controller blobs");
}

void write_context(std::ostream& out, const ModelImage& image, const ModelFacts& facts,
                   const LinkWords& words) {
    if (!facts.context) {
        heading(out, "rt_ctx: ? (not inside the file)");
        return;
    }
    const loader::RuntimeContext& context = *facts.context;
    heading(out,
            fmt::format("rt_ctx at {} (file offset 0x{:x}), {} bytes",
                        words.place(image.header().context()).text(),
                        image.header().ro_bytes() + format::link_offset(image.header().context()),
                        loader::context_offset::bytes(context.has_struct_sizes)));
    const auto hex = [](std::uint32_t value) { return fmt::format("0x{:08x}", value); };
    for (const auto& [name, value] : {std::pair{"state", context.state},
                                      {"file_addr", context.file_addr},
                                      {"ram_addr", context.ram_addr},
                                      {"rom_addr", context.rom_addr},
                                      {"cbs", context.cbs},
                                      {"ll_instance", context.ll_instance}}) {
        detail(out, name, hex(value),
               value == 0 ? "filled by the install" : "should be 0 in a file");
    }
    detail(out, "c_name", hex(context.c_name), words.meaning(context.c_name));
    detail(out, "rt_version_desc", hex(context.rt_version_desc),
           words.meaning(context.rt_version_desc));
    detail(out, "itf_network", hex(context.itf_network), words.meaning(context.itf_network));
    detail(out, "acts_sz", grouped(context.acts_sz));
    detail(out, "params_sz", grouped(context.params_sz));
    detail(out, "ext_ram_sz", grouped(context.ext_ram_sz));
    detail(out, "rt_version", hex(context.rt_version), version_text(context.version()));
    detail(out, "rt_version_extra", std::to_string(context.rt_version_extra), "dev number");
    detail(out, "params_bin_sz", grouped(context.params_bin_sz), "raw parameters");
    detail(out, "params_bin_crc32", hex(context.params_bin_crc32));
    if (context.has_struct_sizes) {
        detail(
            out, "rt_c_struct_sizes", hex(context.rt_c_struct_sizes),
            fmt::format("LL_Buffer_Info {} bytes, epoch item {} bytes",
                        context.rt_c_struct_sizes & 0xFF, context.rt_c_struct_sizes >> 8 & 0xFF));
    }
}

void write_pools(std::ostream& out, const ModelFacts& facts) {
    heading(out, "Memory pools");
    if (facts.pools.empty()) out << "  ? (the table is not inside the file)\n";
    for (const PoolRow& entry : facts.pools) {
        const std::string name = entry.pool.name == 0 ? "<undefined>"
                                 : entry.name         ? traces::terminal_text(*entry.name)
                                                      : "?";
        out << fmt::format(
            "  {:<3} {:<14} {:<24} {}\n", entry.index, name, pool_flags_text(entry.pool.flags),
            entry.pool.terminates() ? "end of the table" : pool_meaning(entry.pool.flags));
    }
    if (!facts.pools.empty() && !facts.pools_terminated)
        out << "  ? (no terminator within reach)\n";
}

std::string counts_text(const SpaceCounts& counts) {
    std::string text = fmt::format("{} RAM, {} FLASH, {} PARAM_0, {} PARAM_1, {} zero", counts.ram,
                                   counts.flash, counts.param0, counts.param1, counts.zero);
    if (counts.other != 0) text += fmt::format(", {} illegal", counts.other);
    return text;
}

void write_statistics(std::ostream& out, const ModelFacts& facts) {
    heading(out, "Addresses to relocate");
    detail(out, "GOT", fmt::format("{} words", grouped(facts.got.words)),
           "hold: " + counts_text(facts.got.held));
    const RelocationFacts& rel = facts.relocations;
    std::string where = fmt::format("patch: {} RAM, {} RO", rel.in_ram, rel.in_ro);
    if (rel.elsewhere != 0) where += fmt::format(", {} illegal", rel.elsewhere);
    detail(out, "relocations", fmt::format("{} entries", grouped(rel.entries)), where);
    detail(out, "", "", "hold: " + counts_text(rel.held));
    if (rel.word_unreadable != 0) {
        detail(out, "", "",
               fmt::format("{} patch a place without content in the file", rel.word_unreadable));
    }
    if (facts.got.unreadable + rel.unreadable != 0) {
        detail(out, "", "",
               fmt::format("? {} GOT words and {} entries lie outside the file",
                           facts.got.unreadable, rel.unreadable));
    }
}

void write_vector(std::ostream& out, const ModelImage& image,
                  const std::optional<loader::Resolver>& bases) {
    const Header& header = image.header();
    const auto built = built_entry_names(header.header_bytes);
    const auto vendor = vendor_entry_names(header.header_bytes);
    const bool two_readings = header.header_bytes == format::kLongHeaderBytes;
    heading(out, two_readings ? "Vector (as built | as the vendor's loader reads it)" : "Vector");
    for (std::size_t index = 0; index < built.size(); ++index) {
        const std::uint32_t word = header.vector[index];
        std::string text = fmt::format("  0x{:02x}  0x{:08x}  {:<26}",
                                       format::kVectorOffset + 4 * index, word, built[index]);
        if (two_readings) text += fmt::format("| {:<24}", vendor[index]);
        std::uint32_t address = 0;
        if (bases && bases->resolve(word, address)) text += fmt::format(" -> 0x{:08x}", address);
        text.erase(text.find_last_not_of(' ') + 1);
        out << text << '\n';
    }
    if (built.empty()) {
        out << "  ? (its length is unknown)\n";
        return;
    }
    out << fmt::format("  0x{:02x}  0x{:08x}  rt_ctx\n", header.header_bytes - 4, header.context());
}

void write_parts(std::ostream& out, const ModelFacts& facts) {
    heading(out, "File map (offset, bytes)");
    if (facts.parts.empty())
        out << "  ? (the section words contradict each other or the file's length)\n";
    for (const FilePart& part : facts.parts) {
        std::string text = fmt::format("  0x{:08x}  {:>12}  {:<20} {}", part.start,
                                       grouped(part.bytes), part.name, part.note);
        text.erase(text.find_last_not_of(' ') + 1);
        out << text << '\n';
    }
}

void write_bases(std::ostream& out, const loader::Resolver& bases) {
    heading(out, "Bases of the install");
    detail(out, "RO", fmt::format("0x{:08x}", to_word(bases.ro_base)));
    detail(out, "RAM (r9)", fmt::format("0x{:08x}", to_word(bases.ram_base)));
    detail(out, "PARAM_0", fmt::format("0x{:08x}", to_word(bases.param0)));
    detail(out, "PARAM_1", fmt::format("0x{:08x}", to_word(bases.param1)));
}

std::string installed(const std::optional<std::uint32_t>& address) {
    return address ? fmt::format("0x{:08x}", *address) : "?";
}

}  // namespace

void write_details(std::ostream& out, const ModelImage& image, const ModelFacts& facts,
                   const LinkWords& words, const std::optional<loader::Resolver>& bases) {
    write_generation(out, image, facts);
    write_flags(out, image.header().flags);
    write_derived_sizes(out, image, facts);
    write_context(out, image, facts, words);
    write_pools(out, facts);
    write_statistics(out, facts);
    if (bases) write_bases(out, *bases);
    write_vector(out, image, bases);
    write_parts(out, facts);
}

void write_links(std::ostream& out, const ModelImage& image, const LinkWords& words,
                 const std::optional<loader::Resolver>& bases) {
    heading(out,
            "GOT words and relocations (entry: file offset of the entry, word: what is patched)");
    for_each_link(image, bases, [&](const LinkRow& link) {
        out << fmt::format("  {} {:<5} entry 0x{:06x}  word {} 0x{:08x} {} = {}",
                           link.is_got ? "GOT" : "REL", link.index, link.entry_offset,
                           link.word_offset == loader::kNotApplicable
                               ? "?"
                               : fmt::format("0x{:06x}", link.word_offset),
                           link.target, words.meaning(link.target),
                           link.value ? fmt::format("0x{:08x}", *link.value) : "?");
        if (link.value)
            out << fmt::format(" {} {}", LinkWords::space(*link.value), words.meaning(*link.value));
        if (bases)
            out << fmt::format("  [{}: {}]", installed(link.installed_target),
                               installed(link.installed_value));
        out << '\n';
    });
}

}  // namespace n6vp::sim::report
