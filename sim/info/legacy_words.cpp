// SPDX-License-Identifier: Apache-2.0
#include "sim/info/legacy_words.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "traces/escape.h"

namespace n6vp::sim::report {

namespace {

namespace legacy = loader::legacy;
using loader::format::link_offset;

/// Words of rt_ctx, in order.
constexpr std::array<std::string_view, legacy::kLongContextBytes / 4> kLegacyContextFields = {
    "state",         "network",        "ram_addr",     "rom_addr",    "ram_alloc_addr",
    "c_name",        "act_size",       "weights_size", "obs_ctx",     "obs_ctx cookie",
    "obs_ctx flags", "obs_ctx counts", "obs_ctx cur",  "acquire_crc", "release_crc"};

std::optional<ListingLink> link_of(const LegacyModel& model, bool is_got, std::uint32_t index) {
    const legacy::Container& container = model.container();
    ListingLink link;
    std::uint32_t word = 0;
    if (is_got) {
        if (!container.got(index, word)) return std::nullopt;
        link.target = model.header().got_start + 4 * index;
        link.value = word;
        return link;
    }
    if (!container.relocation(index, link.target)) return std::nullopt;
    const std::uint32_t at = container.offset_of(link.target);
    if (at != loader::kNotApplicable && container.word(at, word)) link.value = word;
    return link;
}

}  // namespace

LegacyWords::LegacyWords(const LegacyModel& model, SymbolTable symbols)
    : model_(model), symbols_(std::move(symbols)) {
    for (std::uint32_t i = 0; i < legacy::kEntryCount; ++i) {
        const std::uint32_t word = model.header().vector[i];
        if (!legacy::in_flash(word)) continue;
        std::string& text = entries_[link_offset(word) & ~1u];
        text += fmt::format("{}{}", text.empty() ? "entry " : ", ", legacy_entry_name(i));
    }
}

Place LegacyWords::place(std::uint32_t link_address) const {
    const legacy::Header& header = model_.header();
    const std::uint32_t offset = link_offset(link_address);
    if (legacy::in_flash(link_address)) {
        if (offset <= header.ro_bytes()) return {"RO", offset};
        return {"? past RO", offset - header.ro_bytes()};
    }
    if (!legacy::in_ram(link_address)) return {"no legal space", link_address};
    const std::uint32_t got_start = link_offset(header.got_start);
    const std::uint32_t data_end = link_offset(header.data_end);
    if (offset < data_end) return {".data", offset};
    if (offset >= got_start && offset < link_offset(header.got_end))
        return {"GOT", offset - got_start};
    if (offset < got_start) return {"init/fini arrays", offset - data_end};
    if (offset < header.copied_bytes())
        return {"gap before .bss", offset - link_offset(header.got_end)};
    // One past the end is legal: end marks point there.
    if (offset <= header.rw_bytes()) return {".bss", offset - header.copied_bytes()};
    return {"? past RAM", offset - header.rw_bytes()};
}

std::string LegacyWords::ram_content(std::uint32_t offset) const {
    const legacy::Header& header = model_.header();
    const std::uint32_t got_start = link_offset(header.got_start);
    if (offset >= got_start && offset < link_offset(header.got_end))
        return fmt::format("GOT word {}", (offset - got_start) / 4);
    const auto context = model_.context();
    const std::uint32_t inside = offset - link_offset(header.context);
    if (!context || inside % 4 != 0 ||
        inside >= (context->has_crc ? legacy::kLongContextBytes : legacy::kShortContextBytes)) {
        return "";
    }
    return fmt::format("rt_ctx field {}", kLegacyContextFields[inside / 4]);
}

std::string LegacyWords::content(std::uint32_t link_address) const {
    const bool in_flash = legacy::in_flash(link_address);
    const std::uint32_t offset = link_offset(link_address);
    if (!in_flash && !legacy::in_ram(link_address)) return "";
    const std::uint32_t even = in_flash ? link_address & ~1u : link_address;
    const auto exact = symbols_.find(even);
    if (exact != symbols_.end()) return exact->second;
    const auto entry = entries_.find(offset & ~1u);
    if (in_flash && entry != entries_.end()) return entry->second;
    if (in_flash) {
        const auto text = ro_string(model_.files().file, legacy::kHeaderBytes,
                                    model_.header().ro_bytes(), offset);
        if (text) return fmt::format("string \"{}\"", *text);
    }
    std::string nearby = symbol_near(symbols_, even);
    if (!nearby.empty()) return nearby;
    if (!in_flash) return ram_content(offset);
    if (offset < legacy::kHeaderBytes) return "header";
    return (offset & 1) != 0 && offset < model_.header().ro_bytes() ? "Thumb code" : "";
}

std::string LegacyWords::meaning(std::uint32_t link_address) const {
    if (link_address == 0) return "null";
    const std::string text = place(link_address).text();
    const std::string inside = content(link_address);
    return inside.empty() ? text : fmt::format("{} ({})", text, traces::terminal_text(inside));
}

std::string LegacyWords::label(std::uint32_t link_address) const {
    const auto symbol = symbols_.find(link_address);
    if (symbol != symbols_.end()) return symbol->second;
    const auto entry = entries_.find(link_offset(link_address));
    return entry != entries_.end() ? entry->second : "";
}

ListingModel listing_model(const LegacyWords& words) {
    const LegacyModel& source = words.model();
    const legacy::Header& header = source.header();
    ListingModel model;
    model.file = source.files().file;
    model.header_bytes = legacy::kHeaderBytes;
    model.ro_bytes = header.ro_bytes();
    model.got_start = link_offset(header.got_start);
    for (std::uint32_t i = 0; i < legacy::kEntryCount; ++i)
        model.entries.push_back({std::string(legacy_entry_name(i)), header.vector[i]});
    model.symbols = &words.symbols();
    model.link = [&source](bool is_got, std::uint32_t index) {
        return link_of(source, is_got, index);
    };
    model.label = [&words](std::uint32_t address) { return words.label(address); };
    model.content = [&words](std::uint32_t address) { return words.content(address); };
    return model;
}

}  // namespace n6vp::sim::report
