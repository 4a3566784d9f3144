// SPDX-License-Identifier: Apache-2.0
#include "sim/info/legacy_report.h"

#include <fmt/format.h>

#include <ostream>
#include <string>

#include "sim/info/report_text.h"
#include "traces/escape.h"

namespace n6vp::sim::report {

namespace {

namespace legacy = loader::legacy;
using loader::format::link_offset;

using Number = std::optional<std::uint64_t>;

/// Bytes between two link addresses, or nothing if they run backwards or differ in space.
Number between(std::uint32_t start, std::uint32_t end) {
    if (start >> 28 != end >> 28 || end < start) return std::nullopt;
    return end - start;
}

Number plus(const Number& a, const Number& b) {
    if (!a || !b) return std::nullopt;
    return *a + *b;
}

/// All figures of the table.
struct Layout {
    Number code, constants, data, bss, got, rel, weights;
    Number flash, flash_extra, ram, ram_extra;
};

Layout layout_of(const LegacyModel& model) {
    const legacy::Header& header = model.header();
    Layout layout;
    const std::uint32_t constants = model.constants_start();
    if (header.ro_bytes() >= constants && constants >= legacy::kHeaderBytes) {
        layout.code = constants - legacy::kHeaderBytes;
        layout.constants = header.ro_bytes() - constants;
    }
    layout.data = between(header.data_start, header.data_end);
    layout.bss = between(header.bss_start, header.bss_end);
    layout.got = between(header.got_start, header.got_end);
    layout.rel = between(header.rel_start, header.rel_end);
    layout.weights =
        header.has_weights() ? between(header.weights_start, header.weights_end) : Number(0);
    layout.flash = plus(plus(layout.code, layout.constants), plus(layout.data, layout.weights));
    layout.flash_extra = plus(plus(layout.got, layout.rel), legacy::kHeaderBytes);
    layout.ram = plus(layout.data, layout.bss);
    layout.ram_extra = layout.got;
    return layout;
}

std::string text_of(const Number& number) {
    return number ? grouped(*number) : "?";
}

void line(std::ostream& out, const std::string& text) {
    const std::size_t last = text.find_last_not_of(' ');
    out << text.substr(0, last + 1) << '\n';
}

void row(std::ostream& out, std::string_view label, const Number& number, bool extra,
         std::string_view what) {
    line(out,
         fmt::format("{:<11} {:>12}{:<19} {}", label, text_of(number), extra ? "*" : "", what));
}

void total(std::ostream& out, std::string_view label, const Number& number, const Number& extra) {
    std::string text = fmt::format("{:<11} {:>12} + {}*", label, text_of(number), text_of(extra));
    if (number && extra && *number != 0) {
        text += fmt::format(" (+{:.2f}%)",
                            static_cast<double>(*extra) * 100.0 / static_cast<double>(*number));
    }
    line(out, text);
}

std::string hex(std::uint32_t value) {
    return fmt::format("0x{:08x}", value);
}

void write_table(std::ostream& out, const LegacyModel& model) {
    const Layout layout = layout_of(model);
    const std::string rule(64, '-');
    out << fmt::format("Runtime memory layout (core=\"{}\")\n{}\n",
                       core_name(model.header().flags.cpu_part()), rule);
    line(out, fmt::format("{:<11} {:>12}", "section", "size (bytes)"));
    out << rule << '\n';
    row(out, "header", legacy::kHeaderBytes, true, "");
    row(out, "txt", layout.code, false, "network+kernel");
    row(out, "rodata", layout.constants, false, "network+kernel");
    row(out, "data", layout.data, false, "network+kernel");
    row(out, "bss", layout.bss, false, "network+kernel");
    row(out, "got", layout.got, true, "");
    row(out, "rel", layout.rel, true, "");
    row(out, "weights", layout.weights, false, "network");
    out << rule << '\n';
    total(out, "FLASH size", layout.flash, layout.flash_extra);
    total(out, "RAM size**", layout.ram, layout.ram_extra);
    out << rule << '\n';
    row(out, "bin size", model.container().bytes(), false, "binary image");
    const auto context = model.context();
    row(out, "act. size", context ? Number(context->activations_bytes) : std::nullopt, false,
        "activations buffer");
    out << rule
        << "\n(*)  extra bytes for relocatable support\n"
           "(**) without activations, and without inputs and outputs that are not among them\n";
}

void write_legacy_flags(std::ostream& out, loader::format::Flags flags) {
    heading(out, "Flags " + hex(flags.raw));
    detail(out, "version", fmt::format("{}.{}", flags.major(), flags.minor()), "2.0 expected");
    detail(out, "toolchain", fmt::format("0x{:X}", flags.toolchain()),
           toolchain_text(flags.toolchain()));
    detail(out, "float ABI", std::to_string(flags.float_abi()),
           flags.float_abi() == 2 ? "hard" : "not hard");
    detail(out, "FPU", flags.fpu() ? "1" : "0",
           flags.fpu() ? "must be enabled before the install" : "");
    detail(out, "CPUID part", fmt::format("{:X}", flags.cpu_part()), core_name(flags.cpu_part()));
}

void write_entries(std::ostream& out, const LegacyModel& model, const LegacyBases& bases) {
    heading(out, "Entries");
    for (std::uint32_t i = 0; i < legacy::kEntryCount; ++i) {
        const std::uint32_t word = model.header().vector[i];
        std::uint32_t installed = 0;
        const bool placed = bases && bases->resolve(word, installed);
        detail(out, legacy_entry_name(i), hex(word), placed ? "at " + hex(installed) : "");
    }
}

void write_context(std::ostream& out, const LegacyModel& model) {
    const legacy::Header& header = model.header();
    const auto context = model.context();
    if (!context) {
        heading(out, "rt_ctx: ? (not inside the file)");
        return;
    }
    heading(out,
            fmt::format("rt_ctx at {} (file offset 0x{:x}), {} bytes", hex(header.context),
                        header.ro_bytes() + link_offset(header.context),
                        context->has_crc ? legacy::kLongContextBytes : legacy::kShortContextBytes));
    const auto name = model.text(context->name);
    detail(out, "c_name", hex(context->name),
           name ? '"' + traces::terminal_text(*name) + '"' : "?");
    detail(out, "act_size", grouped(context->activations_bytes));
    detail(out, "weights_size", grouped(context->weights_bytes),
           header.has_weights() ? "in this file" : "not in this file");
    detail(out, "CRC callbacks", context->has_crc ? "yes" : "no",
           context->has_crc ? "as tools v7.2 write it" : "not as tools v7.2 write it");
    for (const auto& [label, value] : {std::pair{"state", context->state},
                                       {"network", context->network},
                                       {"ram_addr", context->ram_address},
                                       {"rom_addr", context->rom_address},
                                       {"ram_alloc_addr", context->heap_block}}) {
        detail(out, label, hex(value),
               value == 0 ? "filled by the install" : "should be 0 in a file");
    }
}

std::string counts_text(const LegacyCounts& counts) {
    std::string text =
        fmt::format("{} RAM, {} FLASH, {} zero", counts.ram, counts.flash, counts.zero);
    if (counts.other != 0) text += fmt::format(", {} illegal", counts.other);
    if (counts.unreadable != 0) text += fmt::format(", {} without content", counts.unreadable);
    return text;
}

Json or_null(const Number& number) {
    return number ? Json(*number) : Json();
}

Json counts_json(const LegacyCounts& counts) {
    return {{"words", counts.words},   {"ram", counts.ram},
            {"flash", counts.flash},   {"zero", counts.zero},
            {"illegal", counts.other}, {"without_content", counts.unreadable}};
}

Json context_json(const LegacyModel& model) {
    const auto context = model.context();
    if (!context) return nullptr;
    const auto name = model.text(context->name);
    return {{"link_address", hex_word(model.header().context)},
            {"bytes", context->has_crc ? legacy::kLongContextBytes : legacy::kShortContextBytes},
            {"c_name", name ? Json(*name) : Json()},
            {"act_size", context->activations_bytes},
            {"weights_size", context->weights_bytes},
            {"crc_callbacks", context->has_crc}};
}

}  // namespace

void write_legacy(std::ostream& out, const LegacyModel& model, const LegacyBases& bases) {
    const legacy::Header& header = model.header();
    write_table(out, model);
    write_legacy_flags(out, header.flags);
    heading(out, "Sizes in bytes");
    detail(out, "RO", grouped(header.ro_bytes()), "header, code, constants");
    detail(out, "RW", grouped(header.rw_bytes()), "data, arrays, GOT, .bss");
    detail(out, "copied into RAM", grouped(header.copied_bytes()), "up to .bss");
    detail(out, "rt_ram_xip", grouped(header.ram_bytes(false)), "RAM for XIP");
    detail(out, "rt_ram_copy", grouped(header.ram_bytes(true)), "RAM for COPY");
    write_entries(out, model, bases);
    write_context(out, model);
    heading(out, "Addresses to relocate");
    const LegacyCounts got = model.got();
    const LegacyCounts relocations = model.relocations();
    detail(out, "GOT", fmt::format("{} words", grouped(got.words)), counts_text(got));
    detail(out, "relocations", grouped(relocations.words), counts_text(relocations));
    out << "note: the header does not contain the start of the constants; txt ends at the lowest "
           "constant "
           "that is pointed to\n";
}

void write_legacy_links(std::ostream& out, const LegacyWords& words, const LegacyBases& bases) {
    heading(out, "GOT words and relocations: word that is patched, value");
    for (const LegacyLink& link : legacy_links(words.model())) {
        const std::string value = link.value ? hex(*link.value) : "?";
        const std::string meaning = link.value ? words.meaning(*link.value) : "";
        std::string text =
            fmt::format("  {} {:<4} {} {:<28} {:<10}  {}", link.is_got ? "GOT" : "REL", link.index,
                        hex(link.target), words.meaning(link.target), value, meaning);
        std::uint32_t installed = 0;
        if (bases && link.value && bases->resolve(*link.value, installed))
            text += " -> " + hex(installed);
        line(out, text);
    }
}

Json legacy_document(const LegacyModel& model, const LegacyBases& bases) {
    const legacy::Header& header = model.header();
    const Layout layout = layout_of(model);
    Json document = json_document("info");
    document["family"] = "legacy";
    document["file"] = model.files().file_path;
    document["flags"] = {{"raw", hex_word(header.flags.raw)},
                         {"vers_major", header.flags.major()},
                         {"vers_minor", header.flags.minor()},
                         {"toolchain", toolchain_key(header.flags.toolchain())},
                         {"float-abi", header.flags.float_abi()},
                         {"fpu", header.flags.fpu()},
                         {"cpuid", fmt::format("{:03X}", header.flags.cpu_part())},
                         {"core", core_name(header.flags.cpu_part())}};
    const auto context = model.context();
    document["layout"] = {{"header", legacy::kHeaderBytes},
                          {"txt", or_null(layout.code)},
                          {"rodata", or_null(layout.constants)},
                          {"data", or_null(layout.data)},
                          {"bss", or_null(layout.bss)},
                          {"got", or_null(layout.got)},
                          {"rel", or_null(layout.rel)},
                          {"weights", or_null(layout.weights)},
                          {"flash_size", or_null(layout.flash)},
                          {"flash_extra", or_null(layout.flash_extra)},
                          {"ram_size", or_null(layout.ram)},
                          {"ram_extra", or_null(layout.ram_extra)},
                          {"bin_size", model.container().bytes()},
                          {"act_size", context ? Json(context->activations_bytes) : Json()}};
    document["sizes"] = {{"ro", header.ro_bytes()},
                         {"rw", header.rw_bytes()},
                         {"copied_to_ram", header.copied_bytes()},
                         {"rt_ram_xip", header.ram_bytes(false)},
                         {"rt_ram_copy", header.ram_bytes(true)}};
    document["entries"] = Json::array();
    for (std::uint32_t i = 0; i < legacy::kEntryCount; ++i) {
        Json entry = {{"name", legacy_entry_name(i)}, {"word", hex_word(header.vector[i])}};
        std::uint32_t installed = 0;
        if (bases && bases->resolve(header.vector[i], installed))
            entry["installed"] = hex_word(installed);
        document["entries"].push_back(std::move(entry));
    }
    document["rt_context"] = context_json(model);
    document["statistics"] = {{"got", counts_json(model.got())},
                              {"relocations", counts_json(model.relocations())}};
    return document;
}

void add_legacy_links(Json& document, const LegacyWords& words, const LegacyBases& bases) {
    document["got_words"] = Json::array();
    document["relocation_entries"] = Json::array();
    for (const LegacyLink& link : legacy_links(words.model())) {
        Json entry = {{"index", link.index},
                      {"entry_offset", link.entry_offset},
                      {"target", hex_word(link.target)},
                      {"target_meaning", words.meaning(link.target)},
                      {"value", link.value ? Json(hex_word(*link.value)) : Json()},
                      {"meaning", link.value ? Json(words.meaning(*link.value)) : Json()}};
        std::uint32_t installed = 0;
        if (bases && link.value && bases->resolve(*link.value, installed))
            entry["installed_value"] = hex_word(installed);
        document[link.is_got ? "got_words" : "relocation_entries"].push_back(std::move(entry));
    }
}

}  // namespace n6vp::sim::report
