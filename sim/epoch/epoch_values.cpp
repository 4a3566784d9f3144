// SPDX-License-Identifier: Apache-2.0
#include "sim/epoch/epoch_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "models/npu/units/coefficient_memory.h"
#include "sim/ecdump/ec_report.h"
#include "sim/host/nearest.h"
#include "sim/host/numbers.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace npu = memmap::npu;

std::string upper(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return out;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::optional<std::uint32_t> parse_word(std::string_view text) {
    return parse_integer<std::uint32_t>(text);
}

[[noreturn]] void no_such(const ScenarioNodes& nodes, const toml::node& node, std::string_view kind,
                          std::string_view name, const std::vector<std::string>& known) {
    const std::string_view near = nearest(name, known);
    nodes.fail(node, fmt::format("there is no {} '{}'", kind, traces::terminal_text(name)),
               near.empty() ? fmt::format("possible: {}", fmt::join(known, ", "))
                            : fmt::format("did you mean {}?", near));
}

/// Returns the word of a register that is written as a table of fields.
std::uint32_t fields_word(const ScenarioNodes& nodes, const toml::table& fields, npu::Unit unit,
                          const npu::Register& at, std::uint32_t word) {
    for (const auto& [key, node] : fields) {
        const std::string name = upper(key.str());
        const npu::Field* found = nullptr;
        std::vector<std::string> known;
        for (std::size_t i = 0; i < at.field_count; ++i) {
            known.emplace_back(at.fields[i].name);
            if (name == at.fields[i].name) found = &at.fields[i];
        }
        const std::string place = fmt::format("{}.{}", unit_text(unit), at.name);
        if (found == nullptr) no_such(nodes, node, "field of " + place, name, known);
        if (found->access == npu::Access::Ro) {
            nodes.fail(node, fmt::format("{}.{} is read-only", place, name), "leave it out");
        }
        const std::uint32_t value =
            field_value(nodes, node, fmt::format("{}.{}", place, name), found->width);
        word = npu::insert(word, *found, value);
    }
    return word;
}

void set_word(UnitSettings& unit, const npu::Register& at, std::uint32_t index,
              std::uint32_t value) {
    for (RegisterSetting& setting : unit.registers) {
        if (setting.at == &at && setting.index == index) {
            setting.value = value;
            return;
        }
    }
    unit.registers.push_back({&at, index, value});
}

void read_register(const ScenarioNodes& nodes, const toml::node& node, const npu::Register& at,
                   std::uint32_t index, const std::vector<BenchBuffer>& buffers,
                   UnitSettings& unit) {
    if (const toml::table* const fields = node.as_table()) {
        set_word(unit, at, index, fields_word(nodes, *fields, unit.unit, at, unit.word(at, index)));
        return;
    }
    const std::string what = fmt::format("{}.{}", unit_text(unit.unit), at.name);
    set_word(unit, at, index,
             node.is_string() ? address_value(nodes, node, what, buffers)
                              : field_value(nodes, node, what, 32));
}

void read_array(const ScenarioNodes& nodes, const toml::node& node, const npu::Register& at,
                const std::vector<BenchBuffer>& buffers, UnitSettings& unit) {
    const toml::table* const elements = node.as_table();
    if (elements == nullptr) {
        nodes.fail(node,
                   fmt::format("{}.{} is an array of registers", unit_text(unit.unit), at.name),
                   fmt::format("name the element, for instance {}.3 = 0x25", at.name));
    }
    for (const auto& [key, element] : *elements) {
        const std::optional<std::uint32_t> index = parse_word(key.str());
        if (!index || *index >= at.count) {
            nodes.fail(element,
                       fmt::format("{}.{} has no element '{}'", unit_text(unit.unit), at.name,
                                   traces::terminal_text(key.str())),
                       fmt::format("elements are 0 to {}", at.count - 1));
        }
        read_register(nodes, element, at, *index, buffers, unit);
    }
}

/// Three numbers are A, B and C; two are A and the combined constant, B above C.
void read_coefficients(const ScenarioNodes& nodes, const toml::node& node, UnitSettings& unit) {
    const std::string remedy = "write [[A, B, C], ...] or, for COMBINEBC, [[A, BC], ...]";
    const toml::array* const list = node.as_array();
    if (list == nullptr || unit.unit.type != &npu::kArith) {
        nodes.fail(node, "coefficients are a list of an ARITH", remedy);
    }
    if (list->size() > models::npu::kCoefficients) {
        nodes.fail(node, fmt::format("{} coefficients", list->size()),
                   fmt::format("the memory has {}", models::npu::kCoefficients));
    }
    unit.coefficients.clear();
    for (const toml::node& entry : *list) {
        const toml::array* const numbers = entry.as_array();
        if (numbers == nullptr || (numbers->size() != 2 && numbers->size() != 3)) {
            nodes.fail(entry, "a coefficient has two or three numbers", remedy);
        }
        const std::uint32_t a = field_value(nodes, *numbers->get(0), "A", 16);
        std::uint32_t b = 0, c = 0;
        if (numbers->size() == 3) {
            b = field_value(nodes, *numbers->get(1), "B", 16);
            c = field_value(nodes, *numbers->get(2), "C", 16);
        } else {
            const std::uint32_t both = field_value(nodes, *numbers->get(1), "BC", 32);
            b = both >> 16;
            c = both & 0xFFFFu;
        }
        unit.coefficients.push_back({b << 16 | a, c});
    }
}

std::string end_name(const npu::LinkEnd& end) {
    const std::string unit = unit_text({end.type, end.index});
    return *end.port_name == '\0' ? unit : fmt::format("{}.{}", unit, end.port_name);
}

/// Returns the number of the end called `name`; ports also go by their number, and a unit alone
/// means its first.
template <class End>
std::uint32_t find_end(const ScenarioNodes& nodes, const toml::node& node, std::string_view kind,
                       std::string_view name, std::uint32_t ends, End&& end_of) {
    const std::string wanted = upper(name);
    std::vector<std::string> known;
    for (std::uint32_t number = 0; number < ends; ++number) {
        const npu::LinkEnd end = end_of(number);
        const std::string unit = unit_text({end.type, end.index});
        known.push_back(end_name(end));
        if (wanted == upper(known.back()) || wanted == fmt::format("{}.{}", unit, end.port) ||
            (end.port == 0 && wanted == unit)) {
            return number;
        }
    }
    no_such(nodes, node, kind, name, known);
}

struct Context {
    bool on = true;
    std::uint32_t frames = 0;
};

/// Returns the contexts of "[off 1, on 1]", without the brackets.
std::vector<Context> read_contexts(const ScenarioNodes& nodes, const toml::node& node,
                                   std::string_view text) {
    const std::string remedy = "write [off 1, on 1]: one or two turns of 1 to 255 frames";
    std::vector<Context> contexts;
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view turn = trimmed(text.substr(0, comma));
        const std::size_t blank = turn.find(' ');
        const std::string_view word = turn.substr(0, blank);
        std::uint32_t frames = 0;
        if (blank != std::string_view::npos) {
            frames = parse_word(trimmed(turn.substr(blank))).value_or(0);
        }
        if ((word != "on" && word != "off") || frames == 0 || frames > 255) {
            nodes.fail(node,
                       fmt::format("'{}' is not a turn of a link", traces::terminal_text(turn)),
                       remedy);
        }
        contexts.push_back({word == "on", frames});
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    if (contexts.size() > 2) nodes.fail(node, "a link has two turns at most", remedy);
    return contexts;
}

}  // namespace

std::uint32_t UnitSettings::word(const npu::Register& at, std::uint32_t index) const {
    for (const RegisterSetting& setting : registers) {
        if (setting.at->offset == at.offset && setting.index == index) return setting.value;
    }
    return at.reset;
}

npu::Unit find_unit(const ScenarioNodes& nodes, const toml::node& node, std::string_view name) {
    const std::string wanted = upper(name);
    std::vector<std::string> known;
    for (std::uint32_t page = 0; page < npu::kPages; ++page) {
        const npu::Unit unit = npu::unit_at(page);
        known.push_back(unit_text(unit));
        if (wanted == known.back()) return unit;
    }
    no_such(nodes, node, "unit", wanted, known);
}

std::uint32_t field_value(const ScenarioNodes& nodes, const toml::node& node, std::string_view what,
                          unsigned bits) {
    const std::int64_t most = (std::int64_t{1} << bits) - 1;
    const std::int64_t least = -(std::int64_t{1} << (bits - 1));
    if (const auto* const flag = node.as_boolean()) return flag->get() ? 1 : 0;
    const auto* const value = node.as_integer();
    if (value == nullptr) {
        nodes.fail(node, fmt::format("{} is not a number", what),
                   "give a whole number, decimal or 0x...");
    }
    if (value->get() > most || value->get() < least) {
        nodes.fail(
            node, fmt::format("{} = {} is too wide", what, value->get()),
            fmt::format("it has {} bit{}: {} to {}", bits, bits == 1 ? "" : "s", least, most));
    }
    return static_cast<std::uint32_t>(value->get() & most);
}

std::uint32_t address_value(const ScenarioNodes& nodes, const toml::node& node,
                            std::string_view what, const std::vector<BenchBuffer>& buffers) {
    const auto* const text = node.as_string();
    if (text == nullptr) return field_value(nodes, node, what, 32);
    const std::string_view whole = text->get();
    const std::size_t plus = whole.find('+');
    std::string_view name = trimmed(whole.substr(0, plus));
    std::optional<std::uint32_t> offset = 0;
    if (plus != std::string_view::npos) offset = parse_word(trimmed(whole.substr(plus + 1)));
    const bool behind = name.ends_with(".end");
    if (behind) name.remove_suffix(4);
    std::vector<std::string> known;
    for (const BenchBuffer& buffer : buffers) {
        known.push_back(traces::terminal_text(buffer.name));
        if (buffer.name != name) continue;
        if (!offset) {
            nodes.fail(node,
                       fmt::format("{}: '{}' is not an offset", what,
                                   traces::terminal_text(whole.substr(plus + 1))),
                       "write \"buffer+64\" or \"buffer.end+0x3f\"");
        }
        return (behind ? static_cast<std::uint32_t>(buffer.end()) : buffer.address) + *offset;
    }
    no_such(nodes, node, "buffer", name, known);
}

void read_unit(const ScenarioNodes& nodes, const toml::table& table,
               const std::vector<BenchBuffer>& buffers, UnitSettings& unit) {
    for (const auto& [key, node] : table) {
        if (key.str() == "coefficients") {
            read_coefficients(nodes, node, unit);
            continue;
        }
        const std::string name = upper(key.str());
        const npu::Register* found = nullptr;
        std::vector<std::string> known;
        for (std::size_t i = 0; i < unit.unit.type->register_count; ++i) {
            known.emplace_back(unit.unit.type->registers[i].name);
            if (name == known.back()) found = &unit.unit.type->registers[i];
        }
        if (found == nullptr) {
            no_such(nodes, node, "register of " + unit_text(unit.unit), name, known);
        }
        if (found->count > 1) {
            read_array(nodes, node, *found, buffers, unit);
        } else {
            read_register(nodes, node, *found, 0, buffers, unit);
        }
    }
    std::sort(unit.registers.begin(), unit.registers.end(), [](const auto& a, const auto& b) {
        return a.at->offset + a.index * a.at->stride < b.at->offset + b.index * b.at->stride;
    });
}

LinkSetting read_link(const ScenarioNodes& nodes, const toml::node& node) {
    constexpr npu::Field kOn[] = {npu::field(npu::kStrswitch, "DST.EN0"),
                                  npu::field(npu::kStrswitch, "DST.EN1")};
    constexpr npu::Field kSource[] = {npu::field(npu::kStrswitch, "DST.LINK0"),
                                      npu::field(npu::kStrswitch, "DST.LINK1")};
    constexpr npu::Field kFrames[] = {npu::field(npu::kStrswitch, "DST.FNR0"),
                                      npu::field(npu::kStrswitch, "DST.FNR1")};
    const auto* const text = node.as_string();
    const std::string_view whole = text == nullptr ? std::string_view() : text->get();
    const std::size_t arrow = whole.find("->");
    if (arrow == std::string_view::npos) {
        nodes.fail(node, "a link without '->'", "write \"STRENG0 -> CONVACC0.features\"");
    }
    std::string_view source = trimmed(whole.substr(0, arrow));
    std::vector<Context> contexts{{true, 0}};
    const std::size_t bracket = source.find('[');
    if (bracket != std::string_view::npos) {
        if (source.back() != ']') {
            nodes.fail(node, "a '[' without ']'", "write \"CONVACC0 [off 1, on 1] -> ARITH0.x\"");
        }
        contexts =
            read_contexts(nodes, node, source.substr(bracket + 1, source.size() - bracket - 2));
        source = trimmed(source.substr(0, bracket));
    }
    LinkSetting link;
    const std::uint32_t from =
        find_end(nodes, node, "source of a link", source, npu::kLinkSources, npu::link_source);
    link.destination =
        find_end(nodes, node, "destination of a link", trimmed(whole.substr(arrow + 2)),
                 npu::kLinkDestinations, npu::link_destination);
    for (std::size_t turn = 0; turn < contexts.size(); ++turn) {
        link.word = npu::insert(link.word, kOn[turn], contexts[turn].on ? 1 : 0);
        link.word = npu::insert(link.word, kSource[turn], from);
        link.word = npu::insert(link.word, kFrames[turn], contexts[turn].frames);
    }
    return link;
}

std::vector<std::uint8_t> byte_list(const ScenarioNodes& nodes, const toml::node& node,
                                    std::string_view what) {
    std::vector<std::uint8_t> bytes;
    if (const toml::array* const list = node.as_array()) {
        bytes.reserve(list->size());
        for (const toml::node& entry : *list) {
            bytes.push_back(static_cast<std::uint8_t>(field_value(nodes, entry, what, 8)));
        }
        return bytes;
    }
    const auto* const text = node.as_string();
    if (text == nullptr) {
        nodes.fail(node, fmt::format("{} are a list of numbers or a text", what),
                   "write [1, -2, 0xff] or \"01 fe ff\"");
    }
    std::string digits;
    for (const char c : text->get()) {
        if (std::isspace(static_cast<unsigned char>(c)) == 0) digits += c;
    }
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const std::string_view pair = std::string_view(digits).substr(i, 2);
        const auto value = parse_digits<std::uint8_t>(pair, 16);
        if (!value || pair.size() != 2) {
            nodes.fail(node,
                       fmt::format("{}: '{}' is not a byte", what, traces::terminal_text(pair)),
                       "bytes are pairs of hexadecimal digits: \"01 fe ff\"");
        }
        bytes.push_back(*value);
    }
    return bytes;
}

}  // namespace n6vp::sim
