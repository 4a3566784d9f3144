// SPDX-License-Identifier: Apache-2.0
#include "sim/host/intel_hex.h"

#include <fmt/format.h>

#include <string_view>

#include "sim/host/numbers.h"

namespace n6vp::sim {

namespace {

struct Record {
    unsigned type = 0, offset = 0;
    std::vector<std::uint8_t> data;
};

class Reader {
  public:
    Reader(std::string_view text, const std::string& name) : file_(text, name) {}

    std::vector<HexPart> read() {
        while (const std::optional<std::string_view> line = file_.next()) {
            if (ended_) file_.fail("a record after the end-of-file record");
            take(record_of(*line));
        }
        if (!ended_) file_.fail("the file ends without an end-of-file record");
        return file_.joined();
    }

  private:
    /// Count, address, type, data, checksum.
    [[nodiscard]] Record record_of(std::string_view line) const {
        constexpr std::size_t kFrame = 5;
        if (line[0] != ':') file_.fail("no record of Intel HEX: it begins without a colon");
        const std::vector<std::uint8_t> bytes = file_.bytes_of(line.substr(1));
        if (bytes.size() < kFrame || bytes.size() != kFrame + bytes[0]) {
            file_.fail(fmt::format("the record has {} bytes, its length says {}", bytes.size(),
                                   kFrame + (bytes.empty() ? 0u : bytes[0])));
        }
        unsigned sum = 0;
        for (std::size_t i = 0; i + 1 < bytes.size(); ++i) sum += bytes[i];
        const unsigned expected = (0x100 - sum % 0x100) % 0x100;
        if (bytes.back() != expected) {
            file_.fail(fmt::format("checksum 0x{:02X}, computed 0x{:02X}", bytes.back(), expected));
        }
        return {bytes[3], unsigned{bytes[1]} << 8 | bytes[2], {bytes.begin() + 4, bytes.end() - 1}};
    }

    void require_bytes(const Record& record, std::size_t bytes) const {
        if (record.data.size() == bytes) return;
        file_.fail(fmt::format("a record of type {:02X} needs {} bytes of data and has {}",
                               record.type, bytes, record.data.size()));
    }

    [[nodiscard]] static std::uint64_t number(const Record& record) {
        return std::uint64_t{record.data[0]} << 8 | record.data[1];
    }

    void take(Record record) {
        constexpr std::size_t kSegment = 0x10000;
        switch (record.type) {
            case 0:
                if (record.offset + record.data.size() > kSegment) {
                    file_.fail("the record crosses a border of 64 KiB");
                }
                return file_.add(base_ + record.offset, std::move(record.data));
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
                file_.fail(fmt::format("record type {:02X} is not defined", record.type));
        }
    }

    RecordFile file_;
    std::uint64_t base_ = 0;
    bool ended_ = false;
};

}  // namespace

bool is_intel_hex(std::span<const std::uint8_t> text) {
    constexpr std::size_t kHead = 8;  // count, address, type
    const std::string_view line = first_line(text);
    if (!line.starts_with(':')) return false;
    const std::string_view head = line.substr(1, kHead);
    return head.size() == kHead && parse_digits<std::uint32_t>(head, 16).has_value();
}

std::vector<HexPart> parse_intel_hex(std::span<const std::uint8_t> text, const std::string& name) {
    return Reader({reinterpret_cast<const char*>(text.data()), text.size()}, name).read();
}

}  // namespace n6vp::sim
