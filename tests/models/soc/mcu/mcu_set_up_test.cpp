// SPDX-License-Identifier: Apache-2.0
// Set-up registers of the older chips: flags that firmware polls, both ways, with their times.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "memmap/chips/chips.h"
#include "models/soc/mcu/set_up_block.h"
#include "models/soc/mcu/set_up_tables.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::memmap::find_chip;
using n6vp::test::kMicrosecond;
using n6vp::test::kWord;

namespace {

struct SetUpBench {
    SetUpBench(const char* chip, const char* peripheral)
        : block(*mcu::set_up_table(*find_chip(chip), peripheral), peripheral) {
        block.on_write = [this](std::uint32_t offset, Picoseconds) { written.push_back(offset); };
    }
    void set(std::uint32_t offset, std::uint32_t value) {
        static_cast<void>(block.write(offset, value, kWord, now));
    }
    std::uint32_t get(std::uint32_t offset) { return block.read(offset, now).value; }
    bool bit(std::uint32_t offset, unsigned position) { return (get(offset) >> position & 1) != 0; }
    /// Returns the time until the bit has the value, to a tenth of a microsecond; 1 ms at most.
    Picoseconds wait(std::uint32_t offset, unsigned position, bool value) {
        const Picoseconds start = now;
        while (bit(offset, position) != value && now - start < 1'000 * kMicrosecond)
            now += kMicrosecond / 10;
        return now - start;
    }

    mcu::SetUpBlock block;
    Picoseconds now = 0;
    std::vector<std::uint32_t> written;
};

}  // namespace

TEST_CASE("mcu set-up: IDCODE has the device of each chip") {
    struct Row {
        const char* chip;
        std::uint32_t device;
    };
    // The CRC lock of the network runtime looks at these bits to find its unit.
    for (const Row row : {Row{"stm32l4r5", 0x470}, Row{"stm32l475", 0x415}, Row{"stm32u575", 0x482},
                          Row{"stm32u585", 0x482}, Row{"stm32f746", 0x449}, Row{"stm32h743", 0x450},
                          Row{"stm32h7a3", 0x480}}) {
        CAPTURE(row.chip);
        SetUpBench bench(row.chip, "DBGMCU");
        CHECK((bench.get(0) & 0xFFF) == row.device);
        bench.set(0, 0);
        CHECK((bench.get(0) & 0xFFF) == row.device);
    }
}

TEST_CASE("mcu set-up: what no table knows has none") {
    CHECK(mcu::set_up_table(*find_chip("stm32l4r5"), "LCD") == nullptr);
    CHECK(mcu::set_up_table(*find_chip("stm32l475"), "ICACHE") == nullptr);
}

TEST_CASE("mcu set-up: wait states are read back as written") {
    struct Row {
        const char* chip;
        std::uint32_t reset, written;
    };
    for (const Row row : {Row{"stm32l4r5", 0x600, 0x605}, Row{"stm32l475", 0x600, 0x704},
                          Row{"stm32u575", 0x1, 0x104}, Row{"stm32f746", 0x0, 0x307},
                          Row{"stm32h743", 0x37, 0x24}, Row{"stm32h7a3", 0x13, 0x36}}) {
        CAPTURE(row.chip);
        SetUpBench bench(row.chip, "FLASH");
        CHECK(bench.get(0) == row.reset);
        bench.set(0, row.written);
        CHECK(bench.get(0) == row.written);
        CHECK(bench.block.value(0) == row.written);
        CHECK(bench.written == std::vector<std::uint32_t>{0});
        CHECK(bench.block.read(0, 0).modelled);
        CHECK(bench.block.read(0, 0).name == std::string("ACR"));
    }
}

TEST_CASE("timing: L4: VOSF is one while the regulator changes its range") {
    SetUpBench bench("stm32l4r5", "PWR");
    CHECK((bench.get(0x00) & 0x600) == 0x200);
    CHECK(bench.get(0x80) == 0x100);
    CHECK(!bench.bit(0x14, 10));
    bench.set(0x00, 0x200);  // no change
    CHECK(!bench.bit(0x14, 10));
    bench.set(0x00, 0x400);
    CHECK(bench.bit(0x14, 10));
    CHECK(bench.wait(0x14, 10, false) == 20 * kMicrosecond);
    bench.set(0x00, 1u << 14 | 0x400);
    CHECK(bench.wait(0x14, 9, true) == 20 * kMicrosecond);
    bench.set(0x00, 0x400);
    CHECK(bench.wait(0x14, 9, false) == 20 * kMicrosecond);
    bench.set(0x00, 0x500);
    CHECK(bench.bit(0x00, 8));  // DBP
}

TEST_CASE("timing: U5: voltage, boost, regulator and monitors answer after their times") {
    SetUpBench bench("stm32u575", "PWR");
    CHECK(bench.get(0x0C) == 0x8000);
    CHECK(bench.bit(0x3C, 15));
    bench.set(0x0C, 0x78000);
    CHECK(!bench.bit(0x0C, 15));
    CHECK(!bench.bit(0x3C, 15));
    CHECK(bench.wait(0x0C, 15, true) == 20 * kMicrosecond);
    CHECK(bench.bit(0x3C, 15));
    CHECK((bench.get(0x3C) >> 16 & 3) == 3);  // ACTVOS
    CHECK(bench.bit(0x0C, 14));
    bench.set(0x0C, 0x38000);
    CHECK(bench.bit(0x0C, 15));
    CHECK(bench.wait(0x0C, 14, false) == 20 * kMicrosecond);
    bench.set(0x0C, 0x78000);
    CHECK(bench.wait(0x0C, 14, true) == 20 * kMicrosecond);
    CHECK(!bench.bit(0x3C, 1));
    bench.set(0x08, 6);
    CHECK(bench.wait(0x3C, 1, true) == 20 * kMicrosecond);
    bench.set(0x08, 4);
    CHECK(bench.wait(0x3C, 1, false) == 20 * kMicrosecond);
    for (unsigned monitor = 24; monitor < 28; ++monitor) {
        bench.set(0x10, 1u << monitor);
        CHECK(!bench.bit(0x3C, monitor));
        CHECK(bench.wait(0x3C, monitor, true) == 10 * kMicrosecond);
        bench.set(0x10, 0);
        CHECK(bench.wait(0x3C, monitor, false) == 10 * kMicrosecond);
    }
}

TEST_CASE("timing: F7: over-drive and its switch") {
    SetUpBench bench("stm32f746", "PWR");
    CHECK(bench.get(0x00) == 0xC000);
    for (const unsigned position : {16u, 17u}) {
        CHECK(!bench.bit(0x04, position));
        bench.set(0x00, bench.get(0x00) | 1u << position);
        CHECK(!bench.bit(0x04, position));
        CHECK(bench.wait(0x04, position, true) == 20 * kMicrosecond);
    }
    bench.set(0x00, 0xC000);
    CHECK(bench.wait(0x04, 17, false) == 20 * kMicrosecond);
    CHECK(bench.bit(0x04, 14));
    bench.set(0x00, 0x8000);
    CHECK(!bench.bit(0x04, 14));
    CHECK(bench.wait(0x04, 14, true) == 20 * kMicrosecond);
    bench.set(0x04, 1u << 9);
    CHECK(bench.wait(0x04, 3, true) == 20 * kMicrosecond);
    bench.set(0x04, 0);
    CHECK(bench.wait(0x04, 3, false) == 20 * kMicrosecond);
}

TEST_CASE("timing: H7: the voltage is ready once the supply is chosen") {
    for (const char* chip : {"stm32h743", "stm32h7a3"}) {
        CAPTURE(chip);
        SetUpBench bench(chip, "PWR");
        CHECK(bench.get(0x0C) == 6);
        CHECK(bench.wait(0x04, 13, true) == 1'000 * kMicrosecond);
        bench.set(0x0C, 4);
        CHECK(bench.wait(0x04, 13, true) == 20 * kMicrosecond);
        CHECK(bench.bit(0x18, 13));
        bench.set(0x18, 3u << 14);
        CHECK(!bench.bit(0x18, 13));
        CHECK(!bench.bit(0x04, 13));
        CHECK(bench.wait(0x18, 13, true) == 20 * kMicrosecond);
        CHECK((bench.get(0x04) >> 14 & 3) == 3);
        CHECK(bench.bit(0x04, 13));
        bench.set(0x08, 1);
        CHECK(bench.wait(0x08, 16, true) == 20 * kMicrosecond);
        bench.set(0x08, 0);
        CHECK(bench.wait(0x08, 16, false) == 20 * kMicrosecond);
    }
}

TEST_CASE("timing: U5: caches are busy while they invalidate, then say so until cleared") {
    SetUpBench icache("stm32u575", "ICACHE");
    CHECK(icache.get(0x00) == 4);
    CHECK(icache.get(0x04) == 2);  // the invalidation at reset is over
    icache.set(0x0C, 2);
    CHECK(icache.get(0x04) == 0);
    icache.set(0x00, 4 | 2);
    CHECK(icache.get(0x00) == 4);
    CHECK(icache.get(0x04) == 1);
    CHECK(icache.wait(0x04, 0, false) == 1 * kMicrosecond);
    CHECK(icache.get(0x04) == 2);
    icache.set(0x00, 5);
    CHECK(icache.get(0x00) == 5);
    CHECK(icache.block.value(0) == 5);
    int reads = 0;
    icache.block.on_read = [&](std::uint32_t offset, Picoseconds) {
        if (offset == 0x10) icache.block.preset(0x10, static_cast<std::uint32_t>(++reads) * 100);
    };
    CHECK(icache.get(0x10) == 100);
    CHECK(icache.get(0x10) == 200);

    SetUpBench dcache("stm32u575", "DCACHE1");
    dcache.set(0x0C, 0x12);
    dcache.set(0x00, 1);
    CHECK(dcache.get(0x04) == 0);
    dcache.set(0x00, 1 | 1u << 11 | 2u << 8);  // clean a range
    CHECK(dcache.bit(0x04, 3));
    CHECK(dcache.wait(0x04, 3, false) == 1 * kMicrosecond);
    CHECK(dcache.bit(0x04, 4));
    dcache.set(0x0C, 1u << 4);
    CHECK(!dcache.bit(0x04, 4));
    dcache.set(0x00, 0);
    CHECK(dcache.get(0x00) == 0);
}

TEST_CASE("timing: compensation cells become ready and lose it again") {
    struct Row {
        const char* chip;
        std::uint32_t offset;
        unsigned on, flag;
    };
    for (const Row row :
         {Row{"stm32u575", 0x1C, 0, 8}, Row{"stm32u575", 0x1C, 2, 9}, Row{"stm32f746", 0x20, 0, 8},
          Row{"stm32h743", 0x20, 0, 8}, Row{"stm32h7a3", 0x20, 0, 8}}) {
        CAPTURE(row.chip);
        SetUpBench bench(row.chip, "SYSCFG");
        CHECK(!bench.bit(row.offset, row.flag));
        bench.set(row.offset, bench.get(row.offset) | 1u << row.on);
        CHECK(bench.wait(row.offset, row.flag, true) == 10 * kMicrosecond);
        bench.set(row.offset, bench.get(row.offset) & ~(1u << row.on));
        CHECK(bench.wait(row.offset, row.flag, false) == 10 * kMicrosecond);
    }
}
