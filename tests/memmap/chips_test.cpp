// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "memmap/chips/chips.h"

namespace {

using namespace n6vp;

struct Extent {
    std::uint64_t start, end;
    const char* name;
};

/// Every address range of memories and peripherals, in the order of the rows.
std::vector<Extent> extents(const memmap::Chip& chip) {
    std::vector<Extent> all;
    for (const memmap::ChipMemory& row : chip.memories) {
        all.push_back({row.start, std::uint64_t{row.start} + row.bytes, row.name});
        for (const std::uint32_t alias : row.aliases) {
            if (alias != memmap::kNoAlias)
                all.push_back({alias, std::uint64_t{alias} + row.bytes, row.name});
        }
    }
    for (const memmap::ChipPeripheral& row : chip.peripherals)
        all.push_back({row.base, std::uint64_t{row.base} + row.bytes, row.name});
    return all;
}

// Typed from the reference manuals' memory maps and the device headers: chip, peripheral, base,
// enable register, bit, first interrupt line (-1: none).
struct Fact {
    const char *chip, *name;
    std::uint32_t base;
    int clock_register, clock_bit, line;
};
constexpr Fact kFacts[] = {
    {"stm32l4r5", "RCC", 0x40021000, -1, -1, 5},
    {"stm32l4r5", "PWR", 0x40007000, 0x58, 28, 1},
    {"stm32l4r5", "LPUART1", 0x40008000, 0x5C, 0, 70},
    {"stm32l4r5", "USART3", 0x40004800, 0x58, 18, 39},
    {"stm32l4r5", "CRC", 0x40023000, 0x48, 12, -1},
    {"stm32l475", "USART1", 0x40013800, 0x60, 14, 37},
    {"stm32u575", "RCC", 0x46020C00, -1, -1, 9},
    {"stm32u575", "PWR", 0x46020800, 0x94, 2, -1},
    {"stm32u575", "USART1", 0x40013800, 0xA4, 14, 61},
    {"stm32u575", "LPUART1", 0x46002400, 0xA8, 6, 66},
    {"stm32u575", "ICACHE", 0x40030400, -1, -1, 107},
    {"stm32u585", "TIM2", 0x40000000, 0x9C, 0, 45},
    {"stm32f746", "RCC", 0x40023800, -1, -1, 5},
    {"stm32f746", "USART1", 0x40011000, 0x44, 4, 37},
    {"stm32f746", "RNG", 0x50060800, 0x34, 6, 80},
    {"stm32h743", "RCC", 0x58024400, -1, -1, 5},
    {"stm32h743", "CRC", 0x58024C00, 0xE0, 19, -1},
    {"stm32h743", "USART3", 0x40004800, 0xE8, 18, 39},
    {"stm32h7a3", "CRC", 0x40023000, 0x138, 9, -1},
    {"stm32h7a3", "USART3", 0x40004800, 0x148, 18, 39},
    {"stm32h7a3", "LPUART1", 0x58000C00, 0x154, 3, 142},
};

}  // namespace

TEST_CASE("no two memories or peripherals of a chip overlap, at whatever alias") {
    for (const memmap::Chip* chip : memmap::kChips) {
        const std::vector<Extent> all = extents(*chip);
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const bool apart = all[i].end <= all[j].start || all[j].end <= all[i].start;
                CHECK_MESSAGE(apart, chip->name << ": " << all[i].name << " and " << all[j].name);
            }
        }
    }
}

TEST_CASE("rows of a chip ascend, and every interrupt of a peripheral has a name") {
    for (const memmap::Chip* chip : memmap::kChips) {
        CAPTURE(chip->name);
        std::set<unsigned> named;
        for (const memmap::ChipInterrupt& row : chip->interrupts) {
            CHECK((named.empty() || *named.rbegin() < row.line));
            named.insert(row.line);
        }
        std::uint32_t last = 0;
        std::set<std::string> names;
        for (const memmap::ChipPeripheral& row : chip->peripherals) {
            CAPTURE(row.name);
            CHECK(row.base >= last);
            CHECK(row.base % 4 == 0);
            CHECK(row.bytes != 0);
            CHECK(names.insert(row.name).second);
            CHECK((row.clock_register < 0) == (row.clock_bit < 0));
            last = row.base;
            for (const std::uint8_t line : row.lines) CHECK(named.contains(line));
        }
        CHECK(memmap::memory_at(*chip, chip->vectors) != nullptr);
        CHECK(memmap::memory_at(*chip, chip->flash_size_at) != nullptr);
        CHECK(memmap::peripheral_of(*chip, chip->console) != nullptr);
        CHECK(memmap::find_chip(chip->name) == chip);
    }
}

TEST_CASE("chips agree with the device headers") {
    for (const Fact& fact : kFacts) {
        CAPTURE(fact.chip);
        CAPTURE(fact.name);
        const memmap::Chip* const chip = memmap::find_chip(fact.chip);
        REQUIRE(chip != nullptr);
        const memmap::ChipPeripheral* const row = memmap::peripheral_of(*chip, fact.name);
        REQUIRE(row != nullptr);
        CHECK(row->base == fact.base);
        CHECK(row->clock_register == fact.clock_register);
        CHECK(row->clock_bit == fact.clock_bit);
        if (fact.line >= 0) {
            REQUIRE(row->lines.count != 0);
            CHECK(*row->lines.begin() == fact.line);
        }
        CHECK(memmap::peripheral_at(*chip, fact.base + 4) == row);
    }
    CHECK(memmap::find_chip("stm32n6") == nullptr);
}

TEST_CASE("a range over neighbouring memories has one part in each, at whatever alias") {
    struct Part {
        std::string name;
        std::uint64_t offset, bytes;
        bool operator==(const Part&) const = default;
    };
    const auto parts = [](const char* chip, std::uint32_t start, std::uint64_t bytes) {
        std::vector<Part> found;
        const std::uint64_t length = memmap::for_memories(
            *memmap::find_chip(chip), start, bytes,
            [&](const memmap::ChipMemory& memory, std::uint32_t offset, std::uint64_t part) {
                found.push_back({memory.name, offset, part});
                return true;
            });
        std::uint64_t sum = 0;
        for (const Part& part : found) sum += part.bytes;
        CHECK(sum == length);
        return found;
    };
    // STM32L4R5: 192, 64 and 384 KiB from 0x20000000 on; the second also at 0x10000000.
    CHECK(parts("stm32l4r5", 0x2002FFF0, 0x20) ==
          std::vector<Part>{{"sram1", 0x2FFF0, 0x10}, {"sram2", 0, 0x10}});
    CHECK(parts("stm32l4r5", 0x20000000, 0xA0000) ==
          std::vector<Part>{{"sram1", 0, 0x30000}, {"sram2", 0, 0x10000}, {"sram3", 0, 0x60000}});
    CHECK(parts("stm32l4r5", 0x1000FFF0, 0x20) == std::vector<Part>{{"sram2", 0xFFF0, 0x10}});
    CHECK(parts("stm32l4r5", 0x60000000, 4).empty());
    CHECK(parts("stm32l4r5", 0xFFFFFFF0, 0x100).empty());
}
