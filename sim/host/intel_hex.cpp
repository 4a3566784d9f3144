// SPDX-License-Identifier: Apache-2.0
#include "sim/host/intel_hex.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr const char* kCopyAgain = "the file is damaged: build or copy it again";

[[nodiscard]] std::string_view trimmed(std::string_view line) {
    constexpr const char* kBlank = " \t\r";
    const std::size_t first = line.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(kBlank) - first + 1);
}

struct Record {
    unsigned type = 0, offset = 0;
    std::vector<std::uint8_t> data;
};

/// The bytes of one data record.
struct Piece {
    std::uint64_t address = 0;
    std::size_t line = 0;
    std::vector<std::uint8_t> data;
};

class Reader {
  public:
    Reader(std::string_view text, const std::string& name)
        : rest_(text), name_(traces::terminal_text(name)) {}

    std::vector<HexPart> read() {
        while (!rest_.empty()) {
            const std::size_t end = rest_.find('\n');
            const std::string_view line = trimmed(rest_.substr(0, end));
            rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
            ++line_;
            if (line.empty()) continue;
            if (ended_) fail("a record after the end-of-file record");
            take(record_of(line));
        }
        if (!ended_) fail("the file ends without an end-of-file record");
        return joined();
    }

  private:
    [[noreturn]] void fail(const std::string& what, const char* remedy = kCopyAgain) const {
        throw UserError(fmt::format("{}:{}: {}", name_, line_, what), remedy);
    }

    /// Count, address, type, data, checksum.
    [[nodiscard]] Record record_of(std::string_view line) const {
        constexpr std::size_t kFrame = 5;
        if (line[0] != ':') fail("no record of Intel HEX: it begins without a colon");
        if (line.size() % 2 == 0) fail("the record is cut off: an odd number of digits");
        std::vector<std::uint8_t> bytes;
        for (std::size_t i = 1; i + 1 < line.size(); i += 2) {
            const auto byte = parse_digits<std::uint8_t>(line.substr(i, 2), 16);
            if (!byte) fail("a character that is not a hexadecimal digit");
            bytes.push_back(*byte);
        }
        if (bytes.size() < kFrame || bytes.size() != kFrame + bytes[0]) {
            fail(fmt::format("the record has {} bytes, its length says {}", bytes.size(),
                             kFrame + (bytes.empty() ? 0u : bytes[0])));
        }
        unsigned sum = 0;
        for (std::size_t i = 0; i + 1 < bytes.size(); ++i) sum += bytes[i];
        const unsigned expected = (0x100 - sum % 0x100) % 0x100;
        if (bytes.back() != expected) {
            fail(fmt::format("checksum 0x{:02X}, computed 0x{:02X}", bytes.back(), expected));
        }
        return {bytes[3], unsigned{bytes[1]} << 8 | bytes[2], {bytes.begin() + 4, bytes.end() - 1}};
    }

    void require_bytes(const Record& record, std::size_t bytes) const {
        if (record.data.size() == bytes) return;
        fail(fmt::format("a record of type {:02X} needs {} bytes of data and has {}", record.type,
                         bytes, record.data.size()));
    }

    [[nodiscard]] static std::uint64_t number(const Record& record) {
        return std::uint64_t{record.data[0]} << 8 | record.data[1];
    }

    void take(Record record) {
        constexpr std::size_t kSegment = 0x10000;
        switch (record.type) {
            case 0:
                if (record.offset + record.data.size() > kSegment) {
                    fail("the record crosses a border of 64 KiB");
                }
                if (!record.data.empty()) {
                    pieces_.push_back({base_ + record.offset, line_, std::move(record.data)});
                }
                return;
            case 1:
                require_bytes(record, 0);
                ended_ = true;
                return;
            case 2:
                require_bytes(record, 2);
                base_ = number(record) << 4;
                return;
            case 4:
                require_bytes(record, 2);
                base_ = number(record) << 16;
                return;
            case 3:
            case 5:
                return require_bytes(record, 4);
            default:
                fail(fmt::format("record type {:02X} is not defined", record.type));
        }
    }

    [[nodiscard]] std::vector<HexPart> joined() {
        if (pieces_.empty()) fail("the file has no data", "give a file with a program or data");
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

    std::string_view rest_;
    std::string name_;
    std::size_t line_ = 0;
    std::uint64_t base_ = 0;
    bool ended_ = false;
    std::vector<Piece> pieces_;
};

[[nodiscard]] std::string_view text_of(std::span<const std::uint8_t> text) {
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

}  // namespace

bool is_intel_hex(std::span<const std::uint8_t> text) {
    constexpr std::size_t kHead = 9;  // colon, count, address, type
    const std::string_view all = text_of(text);
    const std::size_t first = all.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || all[first] != ':') return false;
    const std::string_view head = all.substr(first + 1, kHead - 1);
    return head.size() == kHead - 1 && parse_digits<std::uint32_t>(head, 16).has_value();
}

std::vector<HexPart> parse_intel_hex(std::span<const std::uint8_t> text, const std::string& name) {
    return Reader(text_of(text), name).read();
}

}  // namespace n6vp::sim
