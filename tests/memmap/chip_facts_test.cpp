// SPDX-License-Identifier: Apache-2.0
// Every row of the chips against the facts of device headers and reference manuals in data/chips.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "memmap/chips/chips.h"

namespace {

using namespace n6vp;

using Words = std::vector<std::string>;

/// Returns the facts of one kind about a chip, each without its kind and as long as `columns`.
std::vector<Words> facts_of(const memmap::Chip& chip, const std::string& kind,
                            std::size_t columns) {
    std::ifstream file(std::string(N6VP_CHIP_FACTS) + '/' + chip.name + ".csv");
    std::vector<Words> facts;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(kind + ',')) continue;
        std::istringstream cells(line.substr(kind.size() + 1));
        Words words;
        for (std::string word; std::getline(cells, word, ',');) words.push_back(word);
        words.resize(columns);
        facts.push_back(words);
    }
    return facts;
}

std::uint32_t number(const std::string& text) {
    return static_cast<std::uint32_t>(std::stoul(text, nullptr, 0));
}

int number_or_none(const std::string& text) {
    return text.empty() ? -1 : static_cast<int>(number(text));
}

std::vector<std::uint32_t> numbers(const std::string& text) {
    std::vector<std::uint32_t> all;
    std::istringstream words(text);
    for (std::string word; words >> word;) all.push_back(number(word));
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<std::uint32_t> lines_of(const memmap::ChipPeripheral& row) {
    std::vector<std::uint32_t> all(row.lines.begin(), row.lines.end());
    std::sort(all.begin(), all.end());
    return all;
}

/// Returns the row at this very address, or null.
const memmap::ChipPeripheral* row_based_at(const memmap::Chip& chip, std::uint32_t base) {
    for (const memmap::ChipPeripheral& row : chip.peripherals) {
        if (row.base == base) return &row;
    }
    return nullptr;
}

/// Returns how far the next row is.
std::uint32_t room_of(const memmap::Chip& chip, const memmap::ChipPeripheral& row) {
    std::uint32_t room = ~row.base;
    for (const memmap::ChipPeripheral& other : chip.peripherals) {
        if (other.base > row.base) room = std::min(room, other.base - row.base);
    }
    return room;
}

bool covers(const memmap::ChipMemory& row, std::uint32_t start, std::uint32_t bytes) {
    const auto within = [&](std::uint32_t from) {
        return start >= from && std::uint64_t{start} + bytes <= std::uint64_t{from} + row.bytes;
    };
    return within(row.start) ||
           std::any_of(row.aliases.begin(), row.aliases.end(), [&](std::uint32_t alias) {
               return alias != memmap::kNoAlias && within(alias);
           });
}

/// Registers of the core's private bus, or a table in the boot loader.
bool is_elsewhere(const memmap::Chip& chip, std::uint32_t base) {
    constexpr std::uint32_t kPrivate = 0xE0000000;
    const memmap::ChipMemory* const memory = memmap::memory_at(chip, base);
    return base >= kPrivate || (memory != nullptr && memory->kind == memmap::ChipMemoryKind::Rom);
}

}  // namespace

TEST_CASE("every peripheral of a chip is as its device header has it, and none is missing") {
    for (const memmap::Chip* chip : memmap::kChips) {
        CAPTURE(chip->name);
        std::map<std::string, bool> known;
        for (const Words& fact : facts_of(*chip, "peripheral", 6)) {
            const std::string& name = fact[0];
            CAPTURE(name);
            const std::uint32_t base = number(fact[1]);
            known[name] = true;
            const memmap::ChipPeripheral* row = memmap::peripheral_of(*chip, name);
            if (row == nullptr) {
                // A second name of a row, if of any.
                row = row_based_at(*chip, base);
                CHECK((row != nullptr || is_elsewhere(*chip, base)));
            } else {
                CHECK(row->base == base);
                CHECK(row->bytes == std::min(number(fact[2]), room_of(*chip, *row)));
                CHECK(lines_of(*row) == numbers(fact[5]));
            }
            if (row == nullptr) continue;
            CHECK(row->clock_register == number_or_none(fact[3]));
            CHECK(row->clock_bit == number_or_none(fact[4]));
        }
        constexpr std::size_t kSmallest = 100;
        CHECK(known.size() > kSmallest);
        for (const memmap::ChipPeripheral& row : chip->peripherals) {
            CAPTURE(row.name);
            CHECK(known.contains(row.name));
        }
    }
}

TEST_CASE("every interrupt of a chip is as its device header has it, and none is missing") {
    for (const memmap::Chip* chip : memmap::kChips) {
        CAPTURE(chip->name);
        std::map<std::uint32_t, std::string> expected, found;
        for (const Words& fact : facts_of(*chip, "interrupt", 2))
            expected[number(fact[1])] = fact[0];
        for (const memmap::ChipInterrupt& row : chip->interrupts) found[row.line] = row.name;
        CHECK(expected == found);
        CHECK(found.size() == chip->interrupts.size());
    }
}

TEST_CASE("every memory of a chip is as header and manual have it, at all its addresses") {
    for (const memmap::Chip* chip : memmap::kChips) {
        CAPTURE(chip->name);
        std::map<std::string, std::uint64_t> covered;
        for (const Words& fact : facts_of(*chip, "memory", 5)) {
            CAPTURE(fact[0]);
            const std::uint32_t start = number(fact[1]), bytes = number(fact[2]);
            const memmap::ChipMemory* const row = memmap::memory_at(*chip, start);
            REQUIRE(row != nullptr);
            CHECK(covers(*row, start, bytes));
            CHECK(row->width_bits == number(fact[3]));
            for (const std::uint32_t alias : numbers(fact[4]))
                CHECK(memmap::memory_at(*chip, alias) == row);
            const bool first_name = start - row->start < row->bytes;
            if (first_name) covered[row->name] += bytes;
        }
        for (const memmap::ChipMemory& row : chip->memories) {
            CAPTURE(row.name);
            // Of system memory the manuals name parts, with unused addresses between them.
            const bool parts = row.kind == memmap::ChipMemoryKind::Rom;
            CHECK((covered[row.name] == row.bytes || (parts && covered[row.name] != 0)));
            CHECK(row.port[0] != '\0');
        }
    }
}
