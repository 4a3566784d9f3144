// SPDX-License-Identifier: Apache-2.0
#include "sim/host/s_records.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "sim/host/numbers.h"

namespace n6vp::sim {

namespace {

/// Bytes of the address, by record type; 0: no such record.
constexpr unsigned kAddressBytes[] = {2, 2, 3, 4, 0, 2, 3, 4, 3, 2};

struct SRecord {
    unsigned type = 0;
    std::uint32_t address = 0;
    std::vector<std::uint8_t> data;
};

class SRecordReader {
  public:
    SRecordReader(std::string_view text, const std::string& name) : file_(text, name) {}

    std::vector<HexPart> read() {
        while (const std::optional<std::string_view> line = file_.next()) {
            if (ended_) file_.fail("a record after the end record");
            take(record_of(*line));
        }
        if (!ended_) file_.fail("the file ends without an end record (S7, S8 or S9)");
        return file_.joined();
    }

  private:
    /// S, type, count of the bytes that follow, address, data, checksum.
    [[nodiscard]] SRecord record_of(std::string_view line) const {
        const bool numbered = line.size() > 1 && line[1] >= '0' && line[1] <= '9';
        if (line[0] != 'S' || !numbered) {
            file_.fail("no S-record: it begins without an S and a digit");
        }
        const auto type = static_cast<unsigned>(line[1] - '0');
        const unsigned address_bytes = kAddressBytes[type];
        if (address_bytes == 0) file_.fail(fmt::format("record type S{} is not defined", type));
        const std::vector<std::uint8_t> bytes = file_.bytes_of(line.substr(2));
        const std::size_t counted = bytes.empty() ? 0 : bytes[0];
        if (counted < address_bytes + 1 || bytes.size() != counted + 1) {
            file_.fail(fmt::format("the record has {} bytes, its length says {}", bytes.size(),
                                   counted + 1));
        }
        unsigned sum = 0;
        for (std::size_t i = 0; i + 1 < bytes.size(); ++i) sum += bytes[i];
        const unsigned expected = ~sum & 0xFF;
        if (bytes.back() != expected) {
            file_.fail(fmt::format("checksum 0x{:02X}, computed 0x{:02X}", bytes.back(), expected));
        }
        SRecord record{type, 0, {bytes.begin() + 1 + address_bytes, bytes.end() - 1}};
        for (unsigned i = 0; i < address_bytes; ++i) {
            record.address = record.address << 8 | bytes[1 + i];
        }
        return record;
    }

    void take(SRecord record) {
        switch (record.type) {
            case 0:
                return;
            case 1:
            case 2:
            case 3:
                ++data_records_;
                return file_.add(record.address, std::move(record.data));
            case 5:
            case 6:
                if (record.address == data_records_) return;
                file_.fail(fmt::format("{} records of data, the file says {}", data_records_,
                                       record.address));
            default:
                ended_ = true;
        }
    }

    RecordFile file_;
    std::uint32_t data_records_ = 0;
    bool ended_ = false;
};

}  // namespace

bool is_s_records(std::span<const std::uint8_t> text) {
    constexpr std::size_t kHead = 8;  // count, shortest address, checksum
    const std::string_view line = first_line(text);
    if (line.size() < 2 + kHead || line[0] != 'S' || line[1] < '0' || line[1] > '9') return false;
    return parse_digits<std::uint32_t>(line.substr(2, kHead), 16).has_value();
}

std::vector<HexPart> parse_s_records(std::span<const std::uint8_t> text, const std::string& name) {
    return SRecordReader({reinterpret_cast<const char*>(text.data()), text.size()}, name).read();
}

}  // namespace n6vp::sim
