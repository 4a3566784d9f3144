// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/// The list of registers as tests read it. Shares nothing with the tables it judges.
namespace n6vp::test {

/// One field of the list.
struct ListedField {
    std::string unit;
    std::uint32_t units = 0;                        ///< instances
    std::uint32_t base = 0;                         ///< of instance 0 in the NPU's window
    std::string name;                               ///< of the register, without brackets
    std::uint32_t first = 0, last = 0, stride = 4;  ///< elements of an array
    bool is_array = false;
    std::uint32_t offset = 0;  ///< of element `first`
    std::uint32_t reset = 0;
    std::string field;
    std::uint32_t lsb = 0, width = 0;
    std::string access, note;

    [[nodiscard]] bool noted(const char* text) const {
        return note.find(text) != std::string::npos;
    }
    [[nodiscard]] std::uint32_t bits() const {
        return (width == 32 ? 0xFFFFFFFFu : (1u << width) - 1) << lsb;
    }
};

inline std::uint32_t listed_number(const std::string& text) {
    return static_cast<std::uint32_t>(std::stoul(text, nullptr, 0));
}

/// Columns: unit, unit_count, unit_base_stride, register, offset, reset, field, lsb, width, access,
/// note.
inline ListedField listed_field(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    cells.resize(11);
    ListedField row;
    row.unit = cells[0];
    row.units = listed_number(cells[1]);
    row.base = listed_number(cells[2]);  // stops at "+0x1000*i"
    row.name = cells[3].substr(0, cells[3].find('['));
    if (row.name != cells[3]) {
        row.is_array = true;
        const std::string range = cells[3].substr(row.name.size() + 1);
        row.first = listed_number(range);
        const std::size_t dots = range.find("..");
        row.last = dots == std::string::npos ? row.first : listed_number(range.substr(dots + 2));
    }
    row.offset = listed_number(cells[4]);
    row.reset = listed_number(cells[5]);
    row.field = cells[6];
    row.lsb = listed_number(cells[7]);
    row.width = listed_number(cells[8]);
    row.access = cells[9];
    row.note = cells[10];
    const std::size_t stride = row.note.find("array stride ");
    if (stride != std::string::npos) row.stride = listed_number(row.note.substr(stride + 13));
    return row;
}

inline std::vector<ListedField> read_register_list(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::vector<ListedField> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#' || line.rfind("unit,", 0) == 0) continue;
        rows.push_back(listed_field(line));
    }
    return rows;
}

}  // namespace n6vp::test
