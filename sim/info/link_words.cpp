// SPDX-License-Identifier: Apache-2.0
#include "sim/info/link_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "sim/host/demangle.h"
#include "sim/host/elf.h"
#include "traces/escape.h"

namespace n6vp::sim::report {

namespace {

namespace format = loader::format;
using loader::Header;

constexpr std::array<std::string_view, 10> kShortNames = {
    "ec_network_init",   "ec_inference_init",   "input_setter",    "input_getter",
    "output_setter",     "output_getter",       "get_epoch_items", "get_output_buffers",
    "get_input_buffers", "get_internal_buffers"};
constexpr std::array<std::string_view, 12> kLongBuilt = {
    "ec_network_init",        "ec_inference_init",
    "input_setter",           "input_getter",
    "output_setter",          "output_getter",
    "get_epoch_items",        "get_output_buffers",
    "get_input_buffers",      "get_internal_buffers_info",
    "weight_encryption_info", "blob_encryption_info"};
constexpr std::array<std::string_view, 12> kLongVendor = {
    "ec_network_init",   "ec_inference_init",      "input_setter",         "input_getter",
    "output_setter",     "output_getter",          "get_epoch_items",      "get_output_buffers",
    "get_input_buffers", "weight_encryption_info", "blob_encryption_info", "get_internal_buffers"};

std::vector<std::string_view> to_list(std::span<const std::string_view> names) {
    return {names.begin(), names.end()};
}

struct Field {
    std::uint32_t offset;
    std::string_view name;
};
constexpr std::array<Field, 14> kContextFields = {
    Field{0x00, "state"},    {0x04, "file_addr"},
    {0x08, "ram_addr"},      {0x0C, "rom_addr"},
    {0x10, "cbs"},           {0x14, "c_name"},
    {0x18, "acts_sz"},       {0x1C, "params_sz"},
    {0x20, "ext_ram_sz"},    {0x24, "rt_version_desc"},
    {0x28, "rt_version"},    {0x2C, "rt_version_extra"},
    {0x30, "params_bin_sz"}, {0x34, "params_bin_crc32"}};

std::string context_field(std::uint32_t offset, bool has_struct_sizes) {
    if (offset == loader::context_offset::instance(has_struct_sizes)) return "field ll_instance";
    if (offset == loader::context_offset::network(has_struct_sizes)) return "field itf_network";
    if (has_struct_sizes && offset == loader::context_offset::kStructSizes)
        return "field rt_c_struct_sizes";
    for (const Field& field : kContextFields) {
        if (field.offset == offset) return fmt::format("field {}", field.name);
    }
    return "";
}

std::string pool_field(std::uint32_t offset) {
    constexpr std::array<std::string_view, 5> kNames = {"name", "flags", "foff", "dst", "size"};
    if (offset % 4 != 0) return "";
    return fmt::format("pool {} {}", offset / format::kPoolBytes,
                       kNames[offset % format::kPoolBytes / 4]);
}

bool is_printable(std::uint8_t byte) {
    return byte >= 0x20 && byte < 0x7F;
}

void resolve(LinkRow& row, const loader::Resolver& bases) {
    std::uint32_t resolved = 0;
    if (bases.resolve(row.target, resolved)) row.installed_target = resolved;
    if (row.value && bases.resolve(*row.value, resolved)) row.installed_value = resolved;
}

}  // namespace

SymbolTable read_symbols(const std::string& path) {
    const ElfFile elf = ElfFile::read(path);
    SymbolTable table;
    for (const ElfSymbol& symbol : elf.symbols()) {
        // Mapping symbols ($t, $d) mark code and data, they name nothing.
        if (!symbol.defined || symbol.name.empty() || symbol.name.front() == '$') continue;
        table.try_emplace(symbol.value & ~1u, demangled(symbol.name));
    }
    return table;
}

std::string symbol_near(const SymbolTable& symbols, std::uint32_t link_address) {
    auto above = symbols.upper_bound(link_address);
    if (above == symbols.begin()) return "";
    --above;
    constexpr std::uint32_t kFarthest =
        0x1000;  // a symbol farther below says nothing about this place
    const std::uint32_t distance = link_address - above->first;
    return distance < kFarthest ? fmt::format("{}+0x{:x}", above->second, distance) : "";
}

std::optional<std::string> ro_string(std::span<const std::uint8_t> file, std::uint32_t header_bytes,
                                     std::uint32_t ro_bytes, std::uint32_t offset) {
    const std::size_t end = std::min<std::size_t>(ro_bytes, file.size());
    constexpr std::size_t kShortest = 3;
    constexpr std::size_t kLongest = 120;
    if (offset < header_bytes || offset >= end) return std::nullopt;
    if (offset % 4 != 0 && is_printable(file[offset - 1])) return std::nullopt;
    std::string text;
    for (std::size_t at = offset; at < end && text.size() <= kLongest; ++at) {
        if (file[at] == 0) return text.size() >= kShortest ? std::optional(text) : std::nullopt;
        if (!is_printable(file[at])) return std::nullopt;
        text += static_cast<char>(file[at]);
    }
    return std::nullopt;
}

std::vector<std::string_view> built_entry_names(std::uint32_t header_bytes) {
    if (header_bytes == format::kShortHeaderBytes) return to_list(kShortNames);
    return header_bytes == format::kLongHeaderBytes ? to_list(kLongBuilt)
                                                    : std::vector<std::string_view>{};
}

std::vector<std::string_view> vendor_entry_names(std::uint32_t header_bytes) {
    if (header_bytes == format::kLongHeaderBytes) return to_list(kLongVendor);
    return built_entry_names(header_bytes);
}

std::string Place::text() const {
    return fmt::format("{}+0x{:x}", section, offset);
}

LinkWords::LinkWords(const ModelImage& image, const ModelFacts& facts, SymbolTable symbols)
    : image_(image), facts_(facts), symbols_(std::move(symbols)) {
    const Header& header = image.header();
    const std::vector<std::string_view> names = built_entry_names(header.header_bytes);
    for (std::size_t index = 0; index < names.size(); ++index) {
        const std::uint32_t word = header.vector[index];
        if (!format::in_space(word, format::Space::Flash)) continue;
        std::string& text = entries_[format::link_offset(word) & ~1u];
        text += fmt::format("{}{}", text.empty() ? "entry " : ", ", names[index]);
    }
}

std::string_view LinkWords::space(std::uint32_t link_address) {
    switch (format::space_nibble(link_address)) {
        case 0x4:
            return "RAM";
        case 0x2:
            return "FLASH";
        case 0x8:
            return "PARAM_0";
        case 0x9:
            return "PARAM_1";
        default:
            return link_address == 0 ? "null" : "illegal";
    }
}

Place LinkWords::ram_place(std::uint32_t offset) const {
    const Header& header = image_.header();
    const std::uint32_t got_start = format::link_offset(header.got_start);
    const std::uint32_t got_end = format::link_offset(header.got_end);
    const std::uint32_t data_end = format::link_offset(header.data_end);
    if (offset < data_end) return {".data", offset};
    if (offset >= got_start && offset < got_end) return {"GOT", offset - got_start};
    if (offset < got_start) return {"init/fini arrays", offset - data_end};
    const std::uint32_t bss_start = header.copied_bytes();
    if (offset < bss_start) return {"gap before .bss", offset - got_end};
    // One past the end is legal: end marks point there.
    if (offset <= header.rw_bytes()) return {".bss", offset - bss_start};
    return {"? past RAM", offset - header.rw_bytes()};
}

Place LinkWords::place(std::uint32_t link_address) const {
    const std::uint32_t offset = format::link_offset(link_address);
    const std::string_view name = space(link_address);
    if (name == "RAM") return ram_place(offset);
    if (name != "FLASH") return {std::string(name), name == "illegal" ? link_address : offset};
    if (offset <= image_.header().ro_bytes()) return {"RO", offset};
    return {"? past RO", offset - image_.header().ro_bytes()};
}

std::optional<std::string> LinkWords::string_at(std::uint32_t offset) const {
    return ro_string(image_.files().file, image_.header().header_bytes, image_.header().ro_bytes(),
                     offset);
}

std::string LinkWords::ro_content(std::uint32_t offset) const {
    const auto entry = entries_.find(offset & ~1u);
    if ((offset & 1) != 0 && entry != entries_.end()) return entry->second;
    if (const auto text = string_at(offset)) return fmt::format("string \"{}\"", *text);
    if (offset < image_.header().header_bytes) return "header";
    return (offset & 1) != 0 && offset < image_.header().ro_bytes() ? "Thumb code" : "";
}

std::string LinkWords::ram_content(std::uint32_t offset) const {
    const Header& header = image_.header();
    if (offset >= format::link_offset(header.data_end)) {
        const bool in_got = offset >= format::link_offset(header.got_start) &&
                            offset < format::link_offset(header.got_end);
        return in_got ? fmt::format("GOT word {}",
                                    (offset - format::link_offset(header.got_start)) / 4)
                      : "";
    }
    const std::uint32_t context = format::link_offset(header.context());
    if (facts_.context && offset >= context &&
        offset - context < loader::context_offset::bytes(facts_.context->has_struct_sizes)) {
        return "rt_ctx " + context_field(offset - context, facts_.context->has_struct_sizes);
    }
    const std::uint32_t table = format::link_offset(header.params_start);
    const bool in_table =
        offset >= table && offset - table < facts_.pools.size() * format::kPoolBytes;
    return in_table ? pool_field(offset - table) : "";
}

std::string LinkWords::content(std::uint32_t link_address) const {
    const std::uint32_t offset = format::link_offset(link_address);
    const std::string_view name = space(link_address);
    if (name != "RAM" && name != "FLASH") return "";
    const std::uint32_t place = name == "FLASH" ? link_address & ~1u : link_address;
    const auto exact = symbols_.find(place);
    if (exact != symbols_.end()) return exact->second;
    if (name == "FLASH" && !symbols_.empty()) {
        // A text says more than its distance from some symbol below it.
        if (const auto text = string_at(offset)) return fmt::format("string \"{}\"", *text);
    }
    std::string nearby = symbol_near(symbols_, place);
    if (!nearby.empty()) return nearby;
    return name == "RAM" ? ram_content(offset) : ro_content(offset);
}

std::string LinkWords::label(std::uint32_t link_address) const {
    const auto symbol = symbols_.find(link_address);
    if (symbol != symbols_.end()) return symbol->second;
    const auto entry = entries_.find(format::link_offset(link_address));
    return entry != entries_.end() ? entry->second : "";
}

std::string LinkWords::meaning(std::uint32_t link_address) const {
    if (link_address == 0) return "null";
    const std::string text = place(link_address).text();
    const std::string inside = content(link_address);
    return inside.empty() ? text : fmt::format("{} ({})", text, traces::terminal_text(inside));
}

std::optional<LinkRow> link_row(const ModelImage& image, bool is_got, std::uint32_t index) {
    const loader::Container& container = image.container();
    const Header& header = image.header();
    LinkRow row;
    row.is_got = is_got;
    row.index = index;
    std::uint32_t word = 0;
    if (is_got) {
        if (!container.got(index, word)) return std::nullopt;
        row.target = header.got_start + 4 * index;
        row.word_offset = header.ro_bytes() + format::link_offset(header.got_start) + 4 * index;
        row.entry_offset = row.word_offset;
        row.value = word;
        return row;
    }
    if (!container.relocation(index, row.target)) return std::nullopt;
    row.entry_offset = format::link_offset(header.rel_start) + 4 * index;
    row.word_offset = container.offset_of(row.target);
    if (row.word_offset != loader::kNotApplicable && container.word(row.word_offset, word)) {
        row.value = word;
    }
    return row;
}

void for_each_link(const ModelImage& image, const std::optional<loader::Resolver>& bases,
                   const std::function<void(const LinkRow&)>& visit) {
    for (const bool is_got : {true, false}) {
        for (std::uint32_t index = 0;; ++index) {
            std::optional<LinkRow> row = link_row(image, is_got, index);
            if (!row) break;
            if (bases) resolve(*row, *bases);
            visit(*row);
        }
    }
}

}  // namespace n6vp::sim::report
