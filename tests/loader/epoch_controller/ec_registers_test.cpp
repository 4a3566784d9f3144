// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "loader/ec_registers.h"

namespace {

namespace ec = n6vp::loader::ec;

/// What the list of registers says about one offset.
struct Fact {
    bool writable = false;
};

struct Units {
    std::map<std::uint32_t, std::string> names;
    std::map<std::uint32_t, std::map<std::uint32_t, Fact>> registers;  ///< by unit, by byte offset
    std::map<std::string, std::uint32_t> gates;                        ///< BGATES bit by field name
};

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    return cells;
}

std::uint32_t number(const std::string& text) {
    return static_cast<std::uint32_t>(std::stoul(text, nullptr, 0));
}

/// Columns: unit, unit_count, unit_base_stride, register, offset, reset, field, lsb, width, access,
/// note.
void add_row(Units& units, const std::vector<std::string>& row) {
    const std::uint32_t count = number(row[1]);
    const std::uint32_t base = number(row[2]);  // stops at "+0x1000*i"
    std::uint32_t elements = 1;
    std::uint32_t stride = 4;
    const std::size_t dots = row[3].find("..");
    if (dots != std::string::npos) {
        elements =
            number(row[3].substr(dots + 2)) - number(row[3].substr(row[3].find('[') + 1)) + 1;
        const std::size_t at = row[10].find("array stride ");
        REQUIRE(at != std::string::npos);
        stride = number(row[10].substr(at + 13));
    }
    for (std::uint32_t index = 0; index < count; ++index) {
        const std::uint32_t ip = (base + 0x1000 * index) / 0x1000;
        units.names[ip] = count == 1 ? row[0] : row[0] + std::to_string(index);
        for (std::uint32_t element = 0; element < elements; ++element) {
            Fact& fact = units.registers[ip][number(row[4]) + stride * element];
            fact.writable = fact.writable || row[9] != "RO";
        }
    }
    if (row[0] == "CLKCTRL" && row[3] == "BGATES") units.gates[row[6]] = number(row[7]);
}

Units read_units() {
    std::ifstream file(N6VP_REGISTER_LIST);
    REQUIRE(file.is_open());
    Units units;
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#' || line.rfind("unit,", 0) == 0) continue;
        std::vector<std::string> row = split(line);
        row.resize(11);
        add_row(units, row);
    }
    return units;
}

}  // namespace

TEST_CASE("the register table equals the list of registers at every offset") {
    const Units units = read_units();
    REQUIRE(units.registers.size() == ec::kUnits);
    std::uint32_t total = 0;
    for (std::uint32_t ip = 0; ip < 64; ++ip) {
        const auto unit = units.registers.find(ip);
        for (std::uint32_t offset = 0; offset < 0x2000; ++offset) {
            const bool listed = unit != units.registers.end() && unit->second.count(offset) != 0;
            const bool read_only = listed && !unit->second.at(offset).writable;
            total += listed ? 1 : 0;
            if (ec::register_exists(ip, offset) == listed &&
                ec::register_is_read_only(ip, offset) == read_only) {
                continue;
            }
            CAPTURE(ip);
            CAPTURE(offset);
            FAIL_CHECK("table and list differ");
        }
    }
    CHECK(total > 5000);
}

TEST_CASE("unit names and clock gates follow the list of registers") {
    const Units units = read_units();
    std::map<std::string, std::uint32_t>
        expected_gates;  // unit name without the underscore of the field name
    for (const auto& [field, bit] : units.gates) {
        const std::size_t underscore = field.rfind('_');
        const std::string unit = field.substr(0, underscore);
        expected_gates[unit + field.substr(underscore + 1)] = bit;
        expected_gates.emplace(unit, bit);
    }
    CHECK(units.gates.size() == 27);
    std::uint32_t gated = 0;
    for (std::uint32_t ip = 0; ip < ec::kUnits; ++ip) {
        REQUIRE(ec::unit_name(ip) != nullptr);
        const std::string name = ec::unit_name(ip);
        CHECK(name == units.names.at(ip));
        const auto gate = expected_gates.find(name);
        CHECK(ec::clock_gate(ip) == (gate == expected_gates.end() ? 0 : 1u << gate->second));
        gated += ec::clock_gate(ip) != 0 ? 1 : 0;
    }
    CHECK(gated == 27);
    CHECK(ec::unit_name(32) == nullptr);
    CHECK(ec::clock_gate(32) == 0);
    CHECK(ec::clock_gate(0xFFFFFFFF) == 0);
    CHECK_FALSE(ec::register_exists(32, 0));
    CHECK_FALSE(ec::register_exists(0xFFFFFFFF, 0));
}
