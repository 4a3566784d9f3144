// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "memmap/board.h"
#include "memmap/clocks.h"
#include "memmap/regions.h"

namespace {

using namespace n6vp;
using memmap::Alias;

// One row as printed in the public address table, typed by hand; the header is what is under test.
struct Row {
    const char* name;
    std::uint32_t non_secure;
    std::uint32_t secure;
    std::uint32_t bytes;
    std::uint32_t width_bits;
    memmap::ClockDomain clock;
    memmap::McuPath mcu;
    bool npu;
    unsigned risaf;
};

using memmap::ClockDomain;
using memmap::McuPath;
const Row kTable[] = {
    {"ITCM", 0x00000000, 0x10000000, 65536, 32, ClockDomain::Cpu, McuPath::Tcm, false, 1},
    {"BOOTROM", 0x08000000, 0x18000000, 131072, 64, ClockDomain::Noc, McuPath::Axi, false, 0},
    {"DTCM", 0x20000000, 0x30000000, 131072, 128, ClockDomain::Cpu, McuPath::Tcm, false, 0},
    {"FLEXMEM", 0x24000000, 0x34000000, 0x64000, 64, ClockDomain::Noc, McuPath::Axi, true, 7},
    {"AXISRAM1", 0x24064000, 0x34064000, 638976, 64, ClockDomain::Noc, McuPath::Axi, true, 2},
    {"AXISRAM2", 0x24100000, 0x34100000, 1048576, 64, ClockDomain::Noc, McuPath::Axi, true, 3},
    {"AXISRAM3", 0x24200000, 0x34200000, 0x70000, 64, ClockDomain::Nic, McuPath::AxiBridge, true,
     6},
    {"AXISRAM4", 0x24270000, 0x34270000, 0x70000, 64, ClockDomain::Nic, McuPath::AxiBridge, true,
     6},
    {"AXISRAM5", 0x242E0000, 0x342E0000, 0x70000, 64, ClockDomain::Nic, McuPath::AxiBridge, true,
     6},
    {"AXISRAM6", 0x24350000, 0x34350000, 0x70000, 64, ClockDomain::Nic, McuPath::AxiBridge, true,
     6},
    {"CACHEAXIRAM", 0x243C0000, 0x343C0000, 262144, 64, ClockDomain::Nic, McuPath::AxiBridge, true,
     8},
    {"VENCRAM", 0x24400000, 0x34400000, 131072, 64, ClockDomain::Noc, McuPath::Axi, true, 9},
    {"GFXMMU", 0x25000000, 0x35000000, 16777216, 0, ClockDomain::None, McuPath::None, false, 0},
    {"STM500", 0x27F00000, 0x37F00000, 1048576, 0, ClockDomain::None, McuPath::None, false, 0},
    {"AHBSRAM1", 0x28000000, 0x38000000, 16384, 32, ClockDomain::Ahb, McuPath::Ahb, false, 21},
    {"AHBSRAM2", 0x28004000, 0x38004000, 16384, 32, ClockDomain::Ahb, McuPath::Ahb, false, 22},
    {"BKPSRAM", 0x2C000000, 0x3C000000, 8192, 32, ClockDomain::Ahb, McuPath::Ahb, false, 23},
    {"FMC", 0x60000000, 0x60000000, 0x10000000, 32, ClockDomain::Fmc, McuPath::Axi, true, 14},
    {"XSPI2", 0x70000000, 0x70000000, 0x10000000, 8, ClockDomain::Xspi2, McuPath::Axi, true, 12},
    {"XSPI3", 0x80000000, 0x80000000, 0x10000000, 0, ClockDomain::Xspi3, McuPath::Axi, true, 13},
    {"XSPI1", 0x90000000, 0x90000000, 0x10000000, 16, ClockDomain::Xspi1, McuPath::Axi, true, 11},
    {"SDRAM1", 0xC0000000, 0xC0000000, 0x10000000, 32, ClockDomain::Fmc, McuPath::Axi, true, 14},
    {"SDRAM2", 0xD0000000, 0xD0000000, 0x10000000, 32, ClockDomain::Fmc, McuPath::Axi, true, 14},
};

}  // namespace

TEST_CASE("every region has the address, size, width, clock, path and filter of the public table") {
    REQUIRE(memmap::kRegionCount == sizeof kTable / sizeof kTable[0]);
    for (const Row& row : kTable) {
        CAPTURE(row.name);
        const memmap::Region* region = memmap::region_named(row.name);
        REQUIRE(region != nullptr);
        CHECK(to_word(region->non_secure) == row.non_secure);
        CHECK(to_word(region->secure) == row.secure);
        CHECK(region->bytes == row.bytes);
        CHECK(region->width_bits == row.width_bits);
        CHECK(region->clock == row.clock);
        CHECK(region->mcu == row.mcu);
        CHECK(region->npu == row.npu);
        CHECK(region->risaf == row.risaf);
        CHECK(region->source[0] != '\0');
    }
    CHECK(memmap::region_named("AXISRAM") == nullptr);
    CHECK(memmap::region_named("") == nullptr);
}

TEST_CASE(
    "the first and last byte of each region are found in both aliases and their neighbours are "
    "not") {
    for (const Row& row : kTable) {
        CAPTURE(row.name);
        const bool twice = row.non_secure != row.secure;
        for (const std::uint32_t base : {row.non_secure, row.secure}) {
            const Alias alias = !twice                   ? Alias::Only
                                : base == row.non_secure ? Alias::NonSecure
                                                         : Alias::Secure;
            for (const std::uint32_t offset : {std::uint32_t{0}, row.bytes / 2, row.bytes - 1}) {
                const memmap::Location found = memmap::find_region(GuestAddr{base + offset});
                REQUIRE(found);
                CHECK(std::string(found.region->name) == row.name);
                CHECK(found.alias == alias);
                CHECK(found.offset == offset);
            }
            const memmap::Location before = memmap::find_region(GuestAddr{base - 1});
            if (before) CHECK(std::string(before.region->name) != row.name);
            const memmap::Location after = memmap::find_region(GuestAddr{base + row.bytes});
            if (after) CHECK(std::string(after.region->name) != row.name);
        }
    }
}

TEST_CASE("addresses in gaps belong to no region and name the nearest one") {
    struct Gap {
        std::uint32_t address;
        const char* nearest;
        std::uint32_t distance;
        bool above;
    };
    const Gap gaps[] = {
        {0x34420000, "VENCRAM", 1, false},
        {0x34420FFF, "VENCRAM", 0x1000, false},
        {0x33FFFFFF, "FLEXMEM", 1, true},
        {0x00010000, "ITCM", 1, false},
        {0x5FFFFFFF, "FMC", 1, true},
        {0xA0000000, "XSPI1", 1, false},
        {0xFFFFFFFF, "SDRAM2", 0x20000000, false},
        {0x07FFFF00, "BOOTROM", 0x100, true},
        {0x3FFFFFFF, "BKPSRAM", 0x03FFE000, false},
    };
    for (const Gap& gap : gaps) {
        CAPTURE(gap.address);
        CHECK_FALSE(memmap::find_region(GuestAddr{gap.address}));
        const memmap::Neighbour near = memmap::nearest_region(GuestAddr{gap.address});
        REQUIRE(near.region != nullptr);
        CHECK(std::string(near.region->name) == gap.nearest);
        CHECK(near.distance == gap.distance);
        CHECK(near.above == gap.above);
    }
    CHECK(memmap::nearest_region(GuestAddr{0x34100010}).distance == 0);
}

TEST_CASE("the on-chip RAM that compilers treat as one span has no gap and no overlap") {
    std::uint32_t at = 0x34000000;
    std::vector<std::string> banks;
    while (at < 0x34400000) {
        const memmap::Location found = memmap::find_region(GuestAddr{at});
        REQUIRE(found);
        REQUIRE(found.offset == 0);
        banks.emplace_back(found.region->name);
        at += found.region->bytes;
    }
    CHECK(at == 0x34400000);
    CHECK(banks == std::vector<std::string>{"FLEXMEM", "AXISRAM1", "AXISRAM2", "AXISRAM3",
                                            "AXISRAM4", "AXISRAM5", "AXISRAM6", "CACHEAXIRAM"});
}

TEST_CASE(
    "RAM of the NPU is merged across banks, both aliases, and ends where the fitted PSRAM ends") {
    const memmap::RangeList list = memmap::npu_ram_regions();
    REQUIRE(list.count == 3);
    CHECK(to_word(list.ranges[0].start) == 0x24000000);
    CHECK(list.ranges[0].end() == 0x24420000);
    CHECK(to_word(list.ranges[1].start) == 0x34000000);
    CHECK(list.ranges[1].end() == 0x34420000);
    CHECK(to_word(list.ranges[2].start) == 0x90000000);
    CHECK(list.ranges[2].end() == 0x92000000);
}

TEST_CASE("default memory types and the secure view follow the architecture's map") {
    using memmap::MemoryType;
    CHECK(memmap::default_memory_type(GuestAddr{0x00000000}) == MemoryType::NormalWriteThrough);
    CHECK(memmap::default_memory_type(GuestAddr{0x1FFFFFFF}) == MemoryType::NormalWriteThrough);
    CHECK(memmap::default_memory_type(GuestAddr{0x34000000}) == MemoryType::NormalWriteBack);
    CHECK(memmap::default_memory_type(GuestAddr{0x580E0000}) == MemoryType::Device);
    CHECK(memmap::default_memory_type(GuestAddr{0x71000000}) == MemoryType::NormalWriteBack);
    CHECK(memmap::default_memory_type(GuestAddr{0x90000000}) == MemoryType::NormalWriteThrough);
    CHECK(memmap::default_memory_type(GuestAddr{0xC0000000}) == MemoryType::Device);
    CHECK(memmap::default_memory_type(GuestAddr{0xE000ED00}) == MemoryType::Ppb);
    CHECK_FALSE(memmap::default_executable(GuestAddr{0xC0000000}));
    CHECK_FALSE(memmap::default_executable(GuestAddr{0x40000000}));
    CHECK(memmap::default_executable(GuestAddr{0x91C00000}));
    for (std::uint32_t block = 0; block < 16; ++block) {
        CHECK(memmap::idau_secure(GuestAddr{block << 28}) ==
              (block == 1 || block == 3 || block == 5));
    }
}

TEST_CASE("clock domains have the published frequencies") {
    CHECK(memmap::clock(ClockDomain::Cpu).overdrive_hz == 800'000'000);
    CHECK(memmap::clock(ClockDomain::Cpu).no_overdrive_hz == 600'000'000);
    CHECK(memmap::clock(ClockDomain::Noc).overdrive_hz == 400'000'000);
    CHECK(memmap::clock(ClockDomain::Npu).overdrive_hz == 1'000'000'000);
    CHECK(memmap::clock(ClockDomain::Npu).no_overdrive_hz == 800'000'000);
    CHECK(memmap::clock(ClockDomain::Nic).overdrive_hz == 900'000'000);
    CHECK(memmap::clock(ClockDomain::Nic).no_overdrive_hz == 800'000'000);
    CHECK(memmap::clock(ClockDomain::Ahb).overdrive_hz == 100'000'000);
    CHECK(memmap::clock(ClockDomain::Xspi1).overdrive_hz == 200'000'000);
    CHECK(memmap::clock(ClockDomain::Xspi2).overdrive_hz == 200'000'000);
    CHECK(memmap::clock(ClockDomain::Fmc).confidence == memmap::Confidence::Assumed);
}

TEST_CASE("the board layout has the published addresses and lies in memory that exists") {
    using namespace memmap::board;
    CHECK(to_word(kExecRam.start) == 0x34060000);
    CHECK(kExecRam.bytes == 655360);
    CHECK(kExecRam.end() == 0x34100000);
    CHECK(to_word(kExternalRam.start) == 0x90100000);
    CHECK(kExternalRam.bytes == 28311552);
    CHECK(to_word(kExternalExecRam.start) == 0x91C00000);
    CHECK(kExternalExecRam.bytes == 4194304);
    CHECK(to_word(kModel.start) == 0x71000000);
    CHECK(to_word(kParams.start) == 0x71800000);
    CHECK(kFirmware.end() == 0x34060000);
    for (const AddressRange range : {kExecRam, kExternalExecRam, kExternalRam, kFirmware}) {
        CHECK(memmap::find_region(range.start));
        CHECK(memmap::find_region(GuestAddr{static_cast<std::uint32_t>(range.end() - 1)}));
    }
    CHECK(kExternalExecRam.end() <= 0x92000000);
}
