// SPDX-License-Identifier: Apache-2.0
#include "sim/info/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <set>
#include <sstream>
#include <string_view>

#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim::report {

namespace {

namespace format = loader::format;
using traces::Instruction;

constexpr std::uint32_t kAround = 32;        // bytes shown before and after the place asked for
constexpr std::uint32_t kMaxFunction = 512;  // bytes shown if the end of a function is unknown
constexpr const char* kForms =
    "use START:SIZE, START-END, the name of a vector entry or symbol, 'around REL n' or 'around "
    "GOT n'";

std::uint32_t ro_end(const ListingModel& model) {
    return std::min(model.ro_bytes, static_cast<std::uint32_t>(model.file.size()));
}

bool read_ro_word(const ListingModel& model, std::uint32_t at, std::uint32_t& value) {
    if (at > model.file.size() || model.file.size() - at < 4) return false;
    value = format::load_word(model.file.data() + at);
    return true;
}

/// Returns the RO offset of an offset or FLASH link address as typed, or nothing.
std::optional<std::uint32_t> ro_offset(std::string_view text) {
    const std::uint32_t number = parse_number(text, "--disasm");
    if (number < loader::format::kFlashBase) return number;
    if (!format::in_space(number, format::Space::Flash)) return std::nullopt;
    return format::link_offset(number);
}

ListingRange checked(std::uint64_t start, std::uint64_t end, const ListingModel& model) {
    const std::uint64_t limit = ro_end(model);
    if (start >= limit || end <= start) {
        throw UserError(
            fmt::format(
                "--disasm: 0x{:x} to 0x{:x} is not inside the {} bytes of code and constants",
                start, end, limit),
            "give RO offsets or FLASH link addresses below the end of RO");
    }
    const auto even = static_cast<std::uint32_t>(start) & ~1u;
    return {even, static_cast<std::uint32_t>(std::min(end, limit)), std::nullopt};
}

ListingRange around(std::uint32_t offset, const ListingModel& model) {
    const std::uint32_t start = offset > kAround ? (offset - kAround) & ~3u : 0;
    const std::uint32_t first = std::max(start, model.header_bytes);
    ListingRange range = checked(first, std::uint64_t{offset} + kAround, model);
    range.mark = offset & ~1u;
    return range;
}

/// Returns the code around a relocation or GOT word: around the patched word if that is in RO, else
/// around the FLASH place that it points to.
ListingRange around_link(bool is_got, std::uint32_t index, const ListingModel& model) {
    const char* const kind = is_got ? "GOT word" : "relocation";
    const std::optional<ListingLink> row = model.link(is_got, index);
    if (!row) {
        throw UserError(fmt::format("--disasm: the file has no {} {}", kind, index),
                        "n6vp info FILE --relocs lists their numbers");
    }
    if (format::in_space(row->target, format::Space::Flash)) {
        ListingRange range = around(format::link_offset(row->target), model);
        range.marks_data = true;  // a patched word is never an instruction
        return range;
    }
    if (row->value && format::in_space(*row->value, format::Space::Flash)) {
        ListingRange range = around(format::link_offset(*row->value), model);
        range.all_data = (*row->value & 1) == 0;  // functions have the Thumb bit
        return range;
    }
    throw UserError(
        fmt::format("--disasm: {} {} patches RAM and does not point to code", kind, index),
        "choose one that holds a FLASH address: n6vp info FILE --relocs shows them");
}

std::optional<std::uint32_t> named_place(std::string_view name, const ListingModel& model) {
    for (const ListingEntry& entry : model.entries) {
        if (entry.name == name) return format::link_offset(entry.word) & ~1u;
    }
    for (const auto& [address, symbol] : *model.symbols) {
        if (symbol == name && format::in_space(address, format::Space::Flash))
            return format::link_offset(address);
    }
    return std::nullopt;
}

/// Returns where a function that starts at `start` ends at the latest: at the next entry or symbol.
std::uint32_t function_end(std::uint32_t start, const ListingModel& model) {
    std::uint32_t end = start + kMaxFunction;
    for (const ListingEntry& entry : model.entries) {
        const std::uint32_t other = format::link_offset(entry.word) & ~1u;
        if (other > start) end = std::min(end, other);
    }
    const auto next = model.symbols->upper_bound(loader::format::kFlashBase + start);
    const bool in_flash =
        next != model.symbols->end() && format::in_space(next->first, format::Space::Flash);
    return in_flash ? std::min(end, format::link_offset(next->first)) : end;
}

std::vector<std::string> lower_words(const std::string& text) {
    std::vector<std::string> list;
    std::string lowered = text;
    std::transform(lowered.begin(), lowered.end(), lowered.begin(), [](unsigned char character) {
        return static_cast<char>(std::tolower(character));
    });
    std::istringstream stream(lowered);
    for (std::string word; stream >> word;) list.push_back(word);
    return list;
}

/// Returns what a literal is: its value, and the GOT word it selects if the code adds it to r9.
std::string literal_note(std::uint32_t value, const ListingModel& model) {
    const std::uint32_t index = (value - model.got_start) / 4;
    std::optional<ListingLink> got;
    if (value >= model.got_start && (value - model.got_start) % 4 == 0)
        got = model.link(true, index);
    if (!got || !got->value) return fmt::format("= 0x{:08x}", value);
    return fmt::format("= 0x{:08x}, from r9: GOT word {}, holds 0x{:08x}", value, index,
                       *got->value);
}

std::string note_of(const Instruction& instruction, const ListingModel& model) {
    if (!instruction.target) return "";
    if (instruction.branches) return model.label(*instruction.target);
    std::uint32_t value = 0;
    const std::uint32_t at = format::link_offset(*instruction.target);
    const bool inside =
        format::in_space(*instruction.target, format::Space::Flash) && at < ro_end(model);
    return inside && read_ro_word(model, at, value) ? literal_note(value, model) : "";
}

/// Returns the link addresses of the words in the range that are data: those that decoded loads
/// read, the one marked as patched, or all of them.
std::set<std::uint32_t> data_words(const ListingRange& range,
                                   const std::vector<Instruction>& code) {
    const std::uint32_t start = loader::format::kFlashBase + range.start;
    const std::uint32_t end = loader::format::kFlashBase + range.end;
    std::set<std::uint32_t> found;
    if (range.marks_data && range.mark) found.insert(loader::format::kFlashBase + *range.mark);
    if (range.all_data) {
        for (std::uint32_t at = (start + 3) & ~3u; at + 4 <= end; at += 4) found.insert(at);
        return found;
    }
    for (const Instruction& instruction : code) {
        if (!instruction.target || instruction.branches || *instruction.target % 4 != 0) continue;
        const std::uint32_t at = *instruction.target;
        if (at > instruction.address && at >= start && at + 4 <= end) found.insert(at);
    }
    return found;
}

Instruction data_word(std::uint32_t address, std::uint32_t value) {
    Instruction word;
    word.address = address;
    word.encoding = value;
    word.bytes = 4;
    word.text = fmt::format(".word 0x{:08x}", value);
    return word;
}

}  // namespace

ListingModel listing_model(const ModelImage& image, const LinkWords& words) {
    const loader::Header& header = image.header();
    ListingModel model;
    model.file = image.files().file;
    model.header_bytes = header.header_bytes;
    model.ro_bytes = header.ro_bytes();
    model.got_start = format::link_offset(header.got_start);
    for (const auto& names :
         {built_entry_names(header.header_bytes), vendor_entry_names(header.header_bytes)}) {
        for (std::size_t i = 0; i < names.size(); ++i)
            model.entries.push_back({std::string(names[i]), header.vector[i]});
    }
    model.symbols = &words.symbols();
    model.link = [&image](bool is_got, std::uint32_t index) -> std::optional<ListingLink> {
        const std::optional<LinkRow> row = link_row(image, is_got, index);
        if (!row) return std::nullopt;
        return ListingLink{row->target, row->value};
    };
    model.label = [&words](std::uint32_t address) { return words.label(address); };
    model.content = [&words](std::uint32_t address) { return words.content(address); };
    return model;
}

ListingRange find_listing(const std::string& what, const ListingModel& model) {
    if (model.header_bytes == 0) {
        throw UserError("--disasm: the header is damaged, so where the code starts is unknown",
                        "n6vp check names the fault");
    }
    if (what.empty()) return checked(model.header_bytes, model.ro_bytes, model);
    const std::vector<std::string> parts = lower_words(what);
    if (parts.size() == 3 && parts[0] == "around" && (parts[1] == "rel" || parts[1] == "got")) {
        return around_link(parts[1] == "got", parse_number(parts[2], "--disasm"), model);
    }
    if (const auto start = named_place(what, model)) {
        return checked(*start, function_end(*start, model), model);
    }
    const std::size_t mark = what.find_first_of(":-");
    const bool is_range =
        mark != std::string::npos && std::isdigit(static_cast<unsigned char>(what[0])) != 0;
    if (!is_range) {
        throw UserError(fmt::format("--disasm: '{}' is not an entry or symbol of this model",
                                    traces::terminal_text(what)),
                        kForms);
    }
    const auto start = ro_offset(what.substr(0, mark));
    const std::string second = what.substr(mark + 1);
    if (!start)
        throw UserError("--disasm: only code and constants (FLASH addresses) can be disassembled",
                        kForms);
    if (what[mark] == ':')
        return checked(*start, std::uint64_t{*start} + parse_number(second, "--disasm"), model);
    const auto end = ro_offset(second);
    return checked(*start, end.value_or(0), model);
}

std::vector<ListingLine> make_listing(const ListingRange& range, const ListingModel& model,
                                      const traces::Disassembler& disassembler) {
    const std::uint32_t start = loader::format::kFlashBase + range.start;
    const std::uint32_t end = loader::format::kFlashBase + range.end;
    const auto decode = [&](std::uint32_t from, std::uint32_t to) {
        return disassembler.decode(model.file.subspan(format::link_offset(from), to - from), from);
    };
    std::vector<ListingLine> lines;
    const auto add = [&](const Instruction& instruction, std::string note) {
        ListingLine line;
        line.address = instruction.address;
        line.encoding = instruction.encoding;
        line.bytes = instruction.bytes;
        line.text = instruction.text;
        line.note = std::move(note);
        line.label = model.label(line.address);
        const std::uint32_t at = format::link_offset(line.address);
        line.marked = range.mark && *range.mark >= at && *range.mark < at + line.bytes;
        lines.push_back(std::move(line));
    };
    std::uint32_t at = start;
    for (const std::uint32_t stop : data_words(range, decode(start, end))) {
        std::uint32_t value = 0;
        if (stop < at || !read_ro_word(model, format::link_offset(stop), value)) continue;
        for (const Instruction& code : decode(at, stop)) add(code, note_of(code, model));
        add(data_word(stop, value), range.all_data || range.marks_data ? model.content(value) : "");
        at = stop + 4;
    }
    if (at < end) {
        for (const Instruction& code : decode(at, end)) add(code, note_of(code, model));
    }
    return lines;
}

void write_listing(std::ostream& out, const std::vector<ListingLine>& lines,
                   std::optional<GuestAddr> ro_base) {
    out << "\nDisassembly (link addresses" << (ro_base ? ", installed addresses" : "")
        << "; constants between functions decode as code)\n";
    for (const ListingLine& line : lines) {
        if (!line.label.empty()) out << traces::terminal_text(line.label) << ":\n";
        std::string text = line.marked ? "> " : "  ";
        text += fmt::format("{:08x}", line.address);
        if (ro_base)
            text += fmt::format("  {:08x}", to_word(*ro_base) + format::link_offset(line.address));
        text += fmt::format("  {:0{}x}{:<{}}{}", line.encoding, line.bytes * 2, "",
                            10 - line.bytes * 2, line.text);
        if (!line.note.empty())
            text = fmt::format("{:<56} ; {}", text, traces::terminal_text(line.note));
        out << text << '\n';
    }
}

}  // namespace n6vp::sim::report
