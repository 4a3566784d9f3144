// SPDX-License-Identifier: Apache-2.0
#include "sim/host/record_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr const char* kCopyAgain = "the file is damaged: build or copy it again";
constexpr std::uint64_t kAddressSpace = std::uint64_t{1} << 32;

[[nodiscard]] std::string_view trimmed(std::string_view line) {
    constexpr const char* kBlank = " \t\r";
    const std::size_t first = line.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(kBlank) - first + 1);
}

[[nodiscard]] std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

}  // namespace

RecordFile::RecordFile(std::string_view text, const std::string& name)
    : rest_(text), name_(traces::terminal_text(name)) {}

std::optional<std::string_view> RecordFile::next() {
    while (!rest_.empty()) {
        const std::string_view line = take_line(rest_);
        ++line_;
        if (!line.empty()) return line;
    }
    return std::nullopt;
}

void RecordFile::fail(const std::string& what) const {
    throw UserError(fmt::format("{}:{}: {}", name_, line_, what), kCopyAgain);
}

std::vector<std::uint8_t> RecordFile::bytes_of(std::string_view digits) const {
    if (digits.size() % 2 != 0) fail("the record is cut off: an odd number of digits");
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const auto byte = parse_digits<std::uint8_t>(digits.substr(i, 2), 16);
        if (!byte) fail("a character that is not a hexadecimal digit");
        bytes.push_back(*byte);
    }
    return bytes;
}

void RecordFile::add(std::uint64_t address, std::vector<std::uint8_t> data) {
    if (data.empty()) return;
    if (address + data.size() > kAddressSpace) fail("the record exceeds the address space");
    pieces_.push_back({address, line_, std::move(data)});
}

std::vector<HexPart> RecordFile::joined() {
    if (pieces_.empty()) {
        throw UserError(fmt::format("{}:{}: the file has no data", name_, line_),
                        "give a file with a program or data");
    }
    std::stable_sort(pieces_.begin(), pieces_.end(),
                     [](const Piece& a, const Piece& b) { return a.address < b.address; });
    std::vector<HexPart> parts;
    std::uint64_t end = 0;
    std::size_t last_line = 0;
    for (const Piece& piece : pieces_) {
        if (!parts.empty() && piece.address < end) {
            line_ = std::max(piece.line, last_line);
            fail(fmt::format("bytes at 0x{:08x} were given in line {} already", piece.address,
                             std::min(piece.line, last_line)));
        }
        if (parts.empty() || piece.address != end) {
            parts.push_back({static_cast<std::uint32_t>(piece.address), {}});
        }
        std::vector<std::uint8_t>& content = parts.back().content;
        content.insert(content.end(), piece.data.begin(), piece.data.end());
        end = piece.address + piece.data.size();
        last_line = piece.line;
    }
    return parts;
}

std::string_view first_line(std::span<const std::uint8_t> text) {
    std::string_view rest(reinterpret_cast<const char*>(text.data()), text.size());
    const std::size_t first = rest.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    rest.remove_prefix(first);
    return take_line(rest);
}

}  // namespace n6vp::sim
