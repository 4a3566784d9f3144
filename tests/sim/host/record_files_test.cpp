// SPDX-License-Identifier: Apache-2.0
// Intel HEX and S-records, record by record. Checksums are computed here by the formats' own rules.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "sim/host/errors.h"
#include "sim/host/intel_hex.h"
#include "sim/host/s_records.h"

using namespace n6vp::sim;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Parts = std::vector<std::pair<std::uint32_t, Bytes>>;

std::string digits(const Bytes& bytes) {
    std::string text;
    for (const std::uint8_t byte : bytes) {
        std::array<char, 3> two{};
        std::snprintf(two.data(), two.size(), "%02X", byte);
        text += two.data();
    }
    return text;
}

/// Count, address, type and data; the sum of all bytes with the checksum is 0 modulo 256.
std::string hex_record(unsigned type, unsigned address, const Bytes& data) {
    Bytes bytes = {static_cast<std::uint8_t>(data.size()), static_cast<std::uint8_t>(address >> 8),
                   static_cast<std::uint8_t>(address), static_cast<std::uint8_t>(type)};
    bytes.insert(bytes.end(), data.begin(), data.end());
    unsigned sum = 0;
    for (const std::uint8_t byte : bytes) sum += byte;
    bytes.push_back(static_cast<std::uint8_t>(0u - sum));
    return ":" + digits(bytes) + "\n";
}

/// Type, count, address and data; the checksum is the complement of the sum.
std::string motorola(unsigned type, unsigned address_bytes, std::uint32_t address,
                     const Bytes& data) {
    Bytes bytes = {static_cast<std::uint8_t>(address_bytes + data.size() + 1)};
    for (unsigned i = address_bytes; i-- > 0;)
        bytes.push_back(static_cast<std::uint8_t>(address >> (8 * i)));
    bytes.insert(bytes.end(), data.begin(), data.end());
    unsigned sum = 0;
    for (const std::uint8_t byte : bytes) sum += byte;
    bytes.push_back(static_cast<std::uint8_t>(~sum));
    return "S" + std::to_string(type) + digits(bytes) + "\n";
}

Bytes bytes_of(const std::string& text) {
    return {text.begin(), text.end()};
}

template <typename Parse>
std::string told(Parse parse, const std::string& text, Parts* parts = nullptr) {
    try {
        const std::vector<HexPart> found = parse(bytes_of(text), "a.txt");
        if (parts != nullptr)
            for (const HexPart& one : found) parts->emplace_back(one.address, one.content);
    } catch (const UserError& error) {
        return std::string(error.what()) + " | " + error.remedy();
    }
    return "read";
}
std::string told_hex(const std::string& text) {
    return told(parse_intel_hex, text);
}
std::string told_s(const std::string& text) {
    return told(parse_s_records, text);
}
Parts hex_parts(const std::string& text) {
    Parts parts;
    CHECK(told(parse_intel_hex, text, &parts) == "read");
    return parts;
}
Parts s_parts(const std::string& text) {
    Parts parts;
    CHECK(told(parse_s_records, text, &parts) == "read");
    return parts;
}

const std::string kHexEnd = ":00000001FF\n";
const std::string kDamagedFile = " | the file is damaged: build or copy it again";

}  // namespace

TEST_CASE("Intel HEX: an example of the format, and both kinds of extended addresses") {
    // From the public description of the format.
    const std::string example = ":10010000214601360121470136007EFE09D2190140\n:00000001FF\n";
    const Parts parts = hex_parts(example);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].first == 0x100);
    CHECK(parts[0].second == Bytes{0x21, 0x46, 0x01, 0x36, 0x01, 0x21, 0x47, 0x01, 0x36, 0x00, 0x7E,
                                   0xFE, 0x09, 0xD2, 0x19, 0x01});
    // A segment counts 16 bytes, a linear one 64 KiB; each replaces the other.
    CHECK(hex_parts(hex_record(2, 0, {0x12, 0x34}) + hex_record(0, 5, {1}) +
                    hex_record(4, 0, {0x12, 0x34}) + hex_record(0, 5, {2}) +
                    hex_record(2, 0, {0xFF, 0xFF}) + hex_record(0, 0xF, {3}) + kHexEnd) ==
          Parts{{0x12345, {1}}, {0xFFFFF, {3}}, {0x12340005, {2}}});
    CHECK(hex_parts(hex_record(4, 0, {0xFF, 0xFF}) + hex_record(0, 0xFFFF, {9}) + kHexEnd) ==
          Parts{{0xFFFFFFFF, {9}}});
    // Start addresses are read over.
    CHECK(hex_parts(hex_record(3, 0, {1, 2, 3, 4}) + hex_record(0, 0, {1}) +
                    hex_record(5, 0, {1, 2, 3, 4}) + kHexEnd) == Parts{{0, {1}}});
}

TEST_CASE("Intel HEX: neighbours join in any order, blank lines and blanks do not count") {
    const std::string text = "\n  " + hex_record(0, 4, {5, 6}) + "\r\n\t" +
                             hex_record(0, 0, {1, 2, 3, 4}) + hex_record(0, 7, {8}) +
                             hex_record(0, 0x20, {}) + kHexEnd + "\n \n";
    CHECK(hex_parts(text) == Parts{{0, {1, 2, 3, 4, 5, 6}}, {7, {8}}});
    std::string small = text;
    for (char& c : small)
        if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
    CHECK(hex_parts(small) == hex_parts(text));
    CHECK(hex_parts(hex_record(0, 0xFFFE, {1, 2}) + kHexEnd) == Parts{{0xFFFE, {1, 2}}});
}

TEST_CASE("Intel HEX: each damage with its line") {
    const std::string data = hex_record(0, 0, {1, 2});
    const std::pair<std::string, std::string> rows[] = {
        {data + hex_record(0, 0xFFFF, {1, 2}) + kHexEnd,
         "a.txt:2: the record crosses a border of 64 KiB"},
        {data + kHexEnd + kHexEnd, "a.txt:3: a record after the end-of-file record"},
        {data, "a.txt:1: the file ends without an end-of-file record"},
        {data + ":0000\n", "a.txt:2: the record has 2 bytes, its length says 5"},
        {data + ":\n", "a.txt:2: the record has 0 bytes, its length says 5"},
        {data + ":0100000001\n", "a.txt:2: the record has 5 bytes, its length says 6"},
        {data + ":000000010100\n", "a.txt:2: the record has 6 bytes, its length says 5"},
        {data + ":00000001FE\n", "a.txt:2: checksum 0xFE, computed 0xFF"},
        {data + ":0000000001\n", "a.txt:2: checksum 0x01, computed 0x00"},
        {data + ":00000001F\n", "a.txt:2: the record is cut off: an odd number of digits"},
        {data + ":0000000 FF\n", "a.txt:2: a character that is not a hexadecimal digit"},
        {data + "x\n", "a.txt:2: no record of Intel HEX: it begins without a colon"},
        {data + hex_record(1, 0, {1}),
         "a.txt:2: a record of type 01 needs 0 bytes of data and has 1"},
        {data + hex_record(2, 0, {1}),
         "a.txt:2: a record of type 02 needs 2 bytes of data and has 1"},
        {data + hex_record(4, 0, {1, 2, 3}),
         "a.txt:2: a record of type 04 needs 2 bytes of data and has 3"},
        {data + hex_record(3, 0, {1, 2}),
         "a.txt:2: a record of type 03 needs 4 bytes of data and has 2"},
        {data + hex_record(5, 0, {}),
         "a.txt:2: a record of type 05 needs 4 bytes of data and has 0"},
        {data + hex_record(6, 0, {}), "a.txt:2: record type 06 is not defined"},
        {data + hex_record(255, 0, {}), "a.txt:2: record type FF is not defined"},
        {"\n" + data + hex_record(0, 1, {9}) + kHexEnd,
         "a.txt:3: bytes at 0x00000001 were given in line 2 already"},
        {hex_record(0, 1, {9}) + data + kHexEnd,
         "a.txt:2: bytes at 0x00000001 were given in line 1 already"},
        {data + data + kHexEnd, "a.txt:2: bytes at 0x00000000 were given in line 1 already"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.first);
        CHECK(told_hex(row.first) == row.second + kDamagedFile);
    }
    CHECK(told_hex(kHexEnd) ==
          "a.txt:1: the file has no data | give a file with a program or data");
    CHECK(told_hex(hex_record(0, 0, {}) + kHexEnd) ==
          "a.txt:2: the file has no data | give a file with a program or data");
}

TEST_CASE("S-records: an example of the format, and addresses of two, three and four bytes") {
    // From the public description of the format.
    const std::string example =
        "S00F000068656C6C6F202020202000003C\n"
        "S11F00007C0802A6900100049421FFF07C6C1B787C8C23783C6000003863000026\n"
        "S5030001FB\nS9030000FC\n";
    const Parts parts = s_parts(example);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].first == 0);
    REQUIRE(parts[0].second.size() == 28);
    CHECK(parts[0].second.front() == 0x7C);
    CHECK(parts[0].second.back() == 0x00);
    CHECK(s_parts(motorola(1, 2, 0xFFFE, {1, 2}) + motorola(2, 3, 0xABCDEF, {3}) +
                  motorola(3, 4, 0xFFFFFFFF, {4}) + motorola(2, 3, 0x10000, {5}) +
                  motorola(5, 2, 4, {}) + motorola(7, 4, 0, {})) ==
          Parts{{0xFFFE, {1, 2, 5}}, {0xABCDEF, {3}}, {0xFFFFFFFF, {4}}});
    // Any of three ends, and a count of two or three bytes.
    for (const auto& [type, bytes] : {std::pair{7u, 4u}, {8u, 3u}, {9u, 2u}}) {
        CHECK(told_s(motorola(1, 2, 0, {1}) + motorola(6, 3, 1, {}) +
                     motorola(type, bytes, 0, {})) == "read");
    }
}

TEST_CASE("S-records: each damage with its line") {
    const std::string data = motorola(1, 2, 0, {1, 2}), end = motorola(9, 2, 0, {});
    const std::pair<std::string, std::string> rows[] = {
        {data + end + end, "a.txt:3: a record after the end record"},
        {data, "a.txt:1: the file ends without an end record (S7, S8 or S9)"},
        {data + "S\n", "a.txt:2: no S-record: it begins without an S and a digit"},
        {data + "SA03\n", "a.txt:2: no S-record: it begins without an S and a digit"},
        {data + "T1030000FC\n", "a.txt:2: no S-record: it begins without an S and a digit"},
        {data + "S4030000FC\n", "a.txt:2: record type S4 is not defined"},
        {data + "S9020000\n", "a.txt:2: the record has 3 bytes, its length says 3"},
        {data + "S9030000\n", "a.txt:2: the record has 3 bytes, its length says 4"},
        {data + "S9\n", "a.txt:2: the record has 0 bytes, its length says 1"},
        {data + "S9030000FD\n", "a.txt:2: checksum 0xFD, computed 0xFC"},
        {data + "S9030000F\n", "a.txt:2: the record is cut off: an odd number of digits"},
        {data + "S903000xFC\n", "a.txt:2: a character that is not a hexadecimal digit"},
        {data + motorola(5, 2, 0, {}), "a.txt:2: 1 records of data, the file says 0"},
        {data + motorola(6, 3, 2, {}), "a.txt:2: 1 records of data, the file says 2"},
        {motorola(3, 4, 0xFFFFFFFF, {1, 2}) + end, "a.txt:1: the record exceeds the address space"},
        {data + motorola(1, 2, 1, {3}) + end,
         "a.txt:2: bytes at 0x00000001 were given in line 1 already"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.first);
        CHECK(told_s(row.first) == row.second + kDamagedFile);
    }
    CHECK(told_s(motorola(0, 2, 0, {'x'}) + end) ==
          "a.txt:2: the file has no data | give a file with a program or data");
}

TEST_CASE("the first line of a file decides whether it holds records") {
    const auto is_hex = [](const std::string& text) { return is_intel_hex(bytes_of(text)); };
    const auto is_s = [](const std::string& text) { return is_s_records(bytes_of(text)); };
    CHECK(is_hex(":00000001FF\n"));
    CHECK(is_hex("\r\n \t:00000001\n"));
    CHECK_FALSE(is_hex(":0000000\n"));
    CHECK_FALSE(is_hex(":0000000g\n"));
    CHECK_FALSE(is_hex("00000001FF\n"));
    CHECK_FALSE(is_hex("\n\n"));
    CHECK_FALSE(is_hex(""));
    CHECK(is_s("S9030000FC\n"));
    CHECK(is_s("\n  S0030000FC"));
    CHECK_FALSE(is_s("S9030000F\n"));
    CHECK_FALSE(is_s("SA030000FC\n"));
    CHECK_FALSE(is_s("S:030000FC\n"));
    CHECK_FALSE(is_s("S/030000FC\n"));
    CHECK_FALSE(is_s("X9030000FC\n"));
    CHECK_FALSE(is_s("S903000xFC\n"));
    CHECK_FALSE(is_s(""));
    CHECK_FALSE(is_s("S9"));
}
