// SPDX-License-Identifier: Apache-2.0
#include "sim/registers/register_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <pugixml.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/host/numbers.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr const char* kRemedy = "give the CMSIS-SVD file of the device, as its vendor publishes it";
constexpr std::uint32_t kDefaultBits = 32;
constexpr std::uint32_t kMaxBits = 64;
constexpr std::uint64_t kMaxCopies = 65536;
constexpr std::size_t kMaxName = 256;

/// Reads a number as SVD writes it: decimal, 0x or # (binary). Returns nothing for other text.
[[nodiscard]] std::optional<std::uint64_t> number(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    int base = 10;
    if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
        base = 16;
        text.remove_prefix(2);
    } else if (text.substr(0, 1) == "#") {
        base = 2;
        text.remove_prefix(1);
    } else if (text.substr(0, 1) == "+") {
        text.remove_prefix(1);
    }
    return parse_digits<std::uint64_t>(text, base);
}

/// What a `dim` element makes of one element: so many, so far apart, with these indices.
struct Copies {
    std::uint64_t count = 1;
    std::uint64_t stride = 0;
    std::uint64_t first = 0;           ///< index of the first copy, if they are numbers
    std::vector<std::string> indices;  ///< or these
    bool repeated = false;

    [[nodiscard]] std::string name(std::string_view pattern, std::uint64_t copy) const {
        std::string result(pattern);
        const std::size_t place = result.find("%s");
        if (!repeated || place == std::string::npos) return result;
        const std::string index = copy < indices.size() ? indices[static_cast<std::size_t>(copy)]
                                                        : std::to_string(first + copy);
        return result.replace(place, 2, index);
    }
};

class Reader {
  public:
    Reader(std::string_view text, std::string_view shown_name, RegisterNames& names)
        : text_(text), file_(shown_name), names_(names) {}

    void run();

  private:
    [[noreturn]] void fail(std::ptrdiff_t offset, std::string_view problem) const {
        const auto end = static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0));
        const std::string_view before = text_.substr(0, std::min(end, text_.size()));
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        throw UserError(fmt::format("{}:{}: {}", file_, line, problem), kRemedy);
    }
    [[nodiscard]] std::string text_of(const pugi::xml_node& node, const char* child) const {
        const pugi::xml_node found = node.child(child);
        if (!found) fail(node.offset_debug(), fmt::format("<{}> without <{}>", node.name(), child));
        const std::string_view value = found.child_value();
        if (value.size() > kMaxName) {
            fail(found.offset_debug(), fmt::format("<{}> has {} characters", child, value.size()));
        }
        if (value.empty()) fail(found.offset_debug(), fmt::format("<{}> is empty", child));
        return std::string(value);
    }
    /// Returns the number in a child element, or `otherwise` if there is no such child.
    [[nodiscard]] std::uint64_t number_of(const pugi::xml_node& node, const char* child,
                                          std::optional<std::uint64_t> otherwise,
                                          std::uint64_t most) const {
        if (!node.child(child) && otherwise) return *otherwise;
        const std::string written = text_of(node, child);
        const std::optional<std::uint64_t> value = number(written);
        const std::ptrdiff_t place = node.child(child).offset_debug();
        if (!value) {
            fail(place, fmt::format("<{}>: '{}' is not a number", child,
                                    traces::terminal_text(written.substr(0, 40))));
        }
        if (*value > most) fail(place, fmt::format("<{}> is above 0x{:X}", child, most));
        return *value;
    }
    [[nodiscard]] Copies copies_of(const pugi::xml_node& node) const;
    void peripheral(const pugi::xml_node& node);
    void registers(const pugi::xml_node& node, std::uint64_t base, const std::string& owner,
                   const std::string& prefix, unsigned nesting);

    std::string_view text_;
    std::string_view file_;
    RegisterNames& names_;
    std::unordered_map<std::string, pugi::xml_node> by_name_;  ///< peripherals, for derivedFrom
    std::uint64_t default_bits_ = kDefaultBits;
    std::size_t expanded_ = 0;  ///< registers and clusters, copies included
};

void Reader::run() {
    pugi::xml_document document;
    // Only elements and text: no DOCTYPE, entities of its own, comments or declarations.
    const pugi::xml_parse_result result = document.load_buffer(
        text_.data(), text_.size(), pugi::parse_minimal | pugi::parse_escapes, pugi::encoding_utf8);
    if (!result) fail(result.offset, fmt::format("broken XML: {}", result.description()));
    const pugi::xml_node device = document.child("device");
    if (!device) fail(0, "no <device>: not a CMSIS-SVD file");
    const pugi::xml_node peripherals = device.child("peripherals");
    if (!peripherals) fail(device.offset_debug(), "<device> without <peripherals>");
    default_bits_ = number_of(device, "size", kDefaultBits, kMaxBits);
    for (const pugi::xml_node& node : peripherals.children("peripheral")) {
        by_name_.emplace(text_of(node, "name"), node);
    }
    for (const pugi::xml_node& node : peripherals.children("peripheral")) peripheral(node);
    if (names_.size() == 0) fail(peripherals.offset_debug(), "names no register");
}

Copies Reader::copies_of(const pugi::xml_node& node) const {
    Copies copies;
    if (!node.child("dim")) return copies;
    copies.repeated = true;
    copies.count = number_of(node, "dim", std::nullopt, kMaxCopies);
    copies.stride = number_of(node, "dimIncrement", std::nullopt, 0xFFFFFFFF);
    const std::string written = node.child("dimIndex").child_value();
    const std::size_t dash = written.find('-');
    if (dash != std::string::npos) {
        const auto first = number(std::string_view(written).substr(0, dash));
        if (first) copies.first = *first;
        return copies;
    }
    for (std::size_t start = 0; start < written.size();) {
        const std::size_t comma = std::min(written.find(',', start), written.size());
        copies.indices.push_back(written.substr(start, comma - start));
        start = comma + 1;
    }
    return copies;
}

void Reader::peripheral(const pugi::xml_node& node) {
    const std::string name = text_of(node, "name");
    const std::uint64_t base = number_of(node, "baseAddress", std::nullopt, 0xFFFFFFFF);
    pugi::xml_node source = node;
    const pugi::xml_attribute derived = node.attribute("derivedFrom");
    if (derived && !node.child("registers")) {
        const auto found = by_name_.find(derived.value());
        if (found == by_name_.end()) {
            fail(node.offset_debug(), fmt::format("derivedFrom names no peripheral: '{}'",
                                                  traces::terminal_text(derived.value())));
        }
        source = found->second;
    }
    if (const pugi::xml_node list = source.child("registers")) {
        registers(list, base, name, "", 0);
    }
}

void Reader::registers(const pugi::xml_node& node, std::uint64_t base, const std::string& owner,
                       const std::string& prefix, unsigned nesting) {
    if (nesting > RegisterNames::kMaxNesting) {
        fail(node.offset_debug(),
             fmt::format("clusters nest deeper than {}", RegisterNames::kMaxNesting));
    }
    for (const pugi::xml_node& child : node.children()) {
        const std::string_view kind = child.name();
        if (kind != "register" && kind != "cluster") continue;
        const std::string pattern = text_of(child, "name");
        const std::uint64_t offset = number_of(child, "addressOffset", std::nullopt, 0xFFFFFFFF);
        const std::uint64_t bits = number_of(child, "size", default_bits_, kMaxBits);
        const Copies copies = copies_of(child);
        for (std::uint64_t copy = 0; copy < copies.count; ++copy) {
            // Clusters count too: nested ones multiply.
            if (++expanded_ > RegisterNames::kMaxRegisters) {
                fail(child.offset_debug(),
                     fmt::format("more than {} registers", RegisterNames::kMaxRegisters));
            }
            const std::uint64_t address = base + offset + copies.stride * copy;
            if (address > 0xFFFFFFFF) fail(child.offset_debug(), "address above 0xFFFFFFFF");
            const std::string name = prefix + copies.name(pattern, copy);
            if (kind == "cluster") {
                registers(child, address, owner, name + ".", nesting + 1);
                continue;
            }
            names_.add(static_cast<std::uint32_t>(address),
                       static_cast<std::uint32_t>(std::max<std::uint64_t>(bits / 8, 1)),
                       {owner, name});
        }
    }
}

}  // namespace

RegisterNames RegisterNames::parse(std::string_view text, std::string_view shown_name) {
    if (text.size() > kMaxBytes) {
        throw UserError(
            fmt::format("{}: {} bytes, too long for an SVD file", shown_name, text.size()),
            kRemedy);
    }
    RegisterNames names;
    Reader(text, shown_name, names).run();
    return names;
}

RegisterNames RegisterNames::read(const std::string& path) {
    const std::string shown = traces::terminal_text(path);
    std::vector<std::uint8_t> bytes;
    try {
        bytes = read_input(path, kMaxBytes, kRemedy);
    } catch (const UserError& error) {
        throw UserError(error.what(), kRemedy);
    }
    if (bytes.empty()) throw UserError(fmt::format("{} is empty", shown), kRemedy);
    return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, shown);
}

void RegisterNames::add(std::uint32_t address, std::uint32_t bytes, Name name) {
    names_.emplace(address, Entry{bytes, std::move(name)});
}

const RegisterNames::Name* RegisterNames::find_here(std::uint32_t address) const {
    const auto above = names_.upper_bound(address);
    if (above == names_.begin()) return nullptr;
    const auto& [start, entry] = *std::prev(above);
    return address - start < entry.bytes ? &entry.name : nullptr;
}

const RegisterNames::Name* RegisterNames::find(std::uint32_t address) const {
    if (const Name* name = find_here(address)) return name;
    const bool peripheral = address >> 28 == 4 || address >> 28 == 5;
    return peripheral ? find_here(address ^ 0x10000000u) : nullptr;
}

}  // namespace n6vp::sim
