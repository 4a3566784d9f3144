// SPDX-License-Identifier: Apache-2.0
// What stands between the core and the memories: gates, power, filters, nothing at all.
#include <string>

#include "memmap/peripherals.h"

#include "tests/sim/platform/platform_bench.h"

using namespace n6vp;
using namespace n6vp::test;
using Kind = models::AccessFault::Kind;

namespace {

/// Reads one word; a fault that nobody handles locks the core up.
Thumb reading(std::uint32_t address) {
    return Thumb().set(1, address).load(0, 1).end();
}

sim::RunEnd run(Chip& chip, const Thumb& program) {
    chip.load(program);
    return chip.platform.advance({Chip::kLongest, 0});
}

}  // namespace

TEST_CASE("faults: no memory there: bus error, the core locks up") {
    Chip chip;
    CHECK(run(chip, reading(0x36000000)) == sim::RunEnd::Stopped);
    CHECK(chip.platform.core().stopped() == models::core::Stop::Lockup);
    REQUIRE(chip.faults.size() >= 1);
    CHECK(chip.faults[0].kind == Kind::Unmapped);
    CHECK(chip.faults[0].address == 0x36000000);
    CHECK(chip.faults[0].initiator == sim::number(sim::Initiator::CoreData));
    CHECK_FALSE(chip.faults[0].answered_zero);
}

TEST_CASE("faults: writing to flash") {
    Chip chip;
    run(chip, Thumb().write(0x70000000, 1).barrier().end());
    REQUIRE(chip.faults.size() >= 1);
    CHECK(chip.faults[0].kind == Kind::ReadOnly);
    CHECK(chip.word(0x70000000) == 0xFFFFFFFF);
}

namespace {

sim::PlatformOptions as_the_hardware_comes_up() {
    sim::PlatformOptions options;
    options.boot = sim::BootState::Reset;
    return options;
}

}  // namespace

TEST_CASE("faults: RAM of the NPU without clock: a bus error that names the bit") {
    Chip chip(as_the_hardware_comes_up());
    run(chip, reading(0x34200000));
    REQUIRE(chip.faults.size() >= 1);
    CHECK(std::string(chip.faults[0].reason) == "RCC_MEMENR.AXISRAM3EN = 0");
    CHECK(chip.platform.core().stopped() == models::core::Stop::Lockup);
}

TEST_CASE("faults: RAM of the NPU without power reads zero") {
    Chip chip(as_the_hardware_comes_up());
    chip.load(Thumb().write(0x56028A4C, 1).set(1, 0x34200000).load(0, 1).end());
    CHECK(chip.run() == 0);
    REQUIRE(chip.faults.size() == 1);
    CHECK(std::string(chip.faults[0].reason) == "RAMCFG_AXISRAM3CR.SRAMSD = 1");
    CHECK(chip.faults[0].answered_zero);
}

TEST_CASE("faults: RAM of the NPU with clock and power is a memory") {
    Chip chip(as_the_hardware_comes_up());
    chip.load(
        Thumb().write(0x56028A4C, 1).write(0x52023100, 0).write(0x34200000, 77).load(0, 1).end());
    CHECK(chip.run() == 77);
    CHECK(chip.faults.empty());
}

TEST_CASE("faults: RAM loses its content when it is switched off, and reads zero meanwhile") {
    Chip chip;
    chip.load(Thumb()
                  .write(0x34200000, 77)
                  .write(0x52023100, 1u << 20)
                  .set(1, 0x34200000)
                  .load(4, 1)
                  .write(0x52023100, 0)
                  .set(1, 0x34200000)
                  .load(0, 1)
                  .end());
    CHECK(chip.run() == 0xA5A5A5A5);
    CHECK(chip.platform.core().core().reg(4) == 0);
}

TEST_CASE("faults: RAM of the NPU cache is not to be touched while the cache is on") {
    Chip chip;
    chip.load(Thumb()
                  .write(0x343C0000, 5)
                  .set(5, 1000)  // the tags are being cleared meanwhile
                  .raw({0x3D01, 0xD1FD})
                  .write(0x580DFC00, 1)
                  .load(4, 1)
                  .set(1, 0x343C0000)
                  .load(0, 1)
                  .end());
    chip.platform.advance({Chip::kLongest, 0});
    CHECK(chip.platform.core().core().reg(4) == 1);
    REQUIRE(chip.faults.size() >= 1);
    CHECK(chip.faults[0].kind == Kind::Refused);
    CHECK(chip.faults[0].address == 0x343C0000);
}

TEST_CASE("memories: each alias shows the same bytes, the TCMs are the core's own") {
    Chip chip;
    for (const std::uint32_t secure :
         {0x10000000u, 0x30000000u, 0x34064000u, 0x34100000u, 0x34350000u, 0x343C0000u, 0x34400000u,
          0x38000000u, 0x38004000u, 0x3C000000u}) {
        CAPTURE(secure);
        chip.load(Thumb().write(secure + 8, secure ^ 0x5A5A).end());
        chip.platform.reset();
        chip.run();
        CHECK(chip.word(secure + 8) == (secure ^ 0x5A5A));
        CHECK(chip.word(secure - 0x10000000 + 8) == (secure ^ 0x5A5A));
    }
    CHECK(chip.faults.empty());
    CHECK(chip.platform.bus().flow(sim::number(sim::Initiator::CoreTcm), 0).writes == 0);
}

TEST_CASE("memories: what was never written is told once per page") {
    Chip chip;
    chip.load(Thumb()
                  .set(1, 0x34101000)
                  .load(0, 1)
                  .add(1, 8)
                  .load(0, 1)
                  .set(1, 0x34102000)
                  .store(0, 1)
                  .load(0, 1)
                  .end());
    chip.run();
    CHECK(chip.unwritten == std::vector<std::string>{"AXISRAM2+4096"});
}

TEST_CASE("memories: the first access to a page goes through the cache as every other does") {
    Chip chip;
    chip.run(Thumb().caches().set(1, 0x34101000).load(0, 1).load(0, 1).end());
    const auto before = chip.platform.core().core().caches()->data.counters();
    // A second page of each kind: read first, and stored to first.
    const Thumb program = Thumb().caches().set(1, 0x34101000).load(0, 1).load(0, 1);
    chip.platform.reset();
    chip.load(Thumb(program).set(1, 0x34102000).load(0, 1).set(1, 0x34103000).store(0, 1).end());
    chip.platform.reset();
    chip.unwritten.clear();
    chip.run();
    const auto after = chip.platform.core().core().caches()->data.counters();
    CHECK(after.fills == before.fills + 2);
    CHECK(after.uncached_reads == before.uncached_reads);
    CHECK(after.uncached_writes == before.uncached_writes);
    CHECK(chip.unwritten == std::vector<std::string>{"AXISRAM2+4096", "AXISRAM2+8192"});
    // One line fill of 32 bytes for every page that was read, no single word.
    const auto& flow =
        chip.platform.bus().flow(sim::number(sim::Initiator::CoreData),
                                 static_cast<unsigned>(chip.platform.target_of("AXISRAM2")));
    CHECK(flow.reads == 3);
    CHECK(flow.bytes_read == 3 * 32);
    CHECK(flow.writes == 0);
}

TEST_CASE("mailbox: what the core could not reach is refused to it, too") {
    Chip chip;
    models::GuestView& view = chip.platform.core_view();
    std::vector<std::uint8_t> bytes(8);
    CHECK(view.fetch(0x70000000, bytes));
    CHECK_FALSE(view.store(0x70000000, bytes));  // flash
    CHECK(chip.word(0x70000000) == 0xFFFFFFFF);
    CHECK(view.store(0x34200000, bytes));
    CHECK(view.store(0x341FFFFC, bytes));                           // over a border, both open
    chip.run(Thumb().write(0x52023100, 1u << 20).barrier().end());  // AXISRAM3 off
    for (const std::uint32_t address : {0x34200000u, 0x24200000u, 0x341FFFFCu}) {
        CHECK_FALSE(view.fetch(address, bytes));
        CHECK_FALSE(view.store(address, bytes));
    }
    chip.platform.reset();
    CHECK(view.fetch(0x34200000, bytes));
    // The filter of AXISRAM2: regions over all of it that let no compartment read or write.
    chip.run(Thumb().write(0x5402804C, 0).write(0x5402808C, 0).barrier().end());
    CHECK_FALSE(view.fetch(0x34100000, bytes));
    CHECK_FALSE(view.store(0x34100000, bytes));
    CHECK(view.fetch(0x34070000, bytes));
    // Nobody was told of a fault, for there was no access.
    CHECK(chip.faults.empty());
}

TEST_CASE("clocks: software sets the core's frequency") {
    Chip chip;
    // The core goes to HSI, 64 MHz: CPUSW of CFGR1 = 0 is the reset value, so that writing it is
    // enough.
    chip.run(Thumb().write(0x56028020, 0).end());
    CHECK(chip.platform.core().clock_hz() == doctest::Approx(64e6));
    chip.platform.reset();
    CHECK(chip.platform.core().clock_hz() == doctest::Approx(800e6));
}

TEST_CASE("faults: each memory stands behind the filter that the address map names") {
    struct Way {
        const char* memory;
        std::uint32_t address;  ///< secure alias
        std::uint32_t filter;   ///< base of its registers
    };
    // Not FLEXMEM, which the program is in.
    constexpr Way kWays[] = {
        {"AXISRAM1", 0x34070000, 0x54027000}, {"AXISRAM2", 0x34100000, 0x54028000},
        {"AXISRAM3", 0x34200000, 0x5402B000}, {"CACHEAXIRAM", 0x343C0000, 0x5402D000},
        {"VENCRAM", 0x34400000, 0x5402E000},  {"AHBSRAM1", 0x38000000, 0x54035000},
        {"AHBSRAM2", 0x38004000, 0x54036000}, {"BKPSRAM", 0x3C000000, 0x54037000},
        {"XSPI1", 0x90000000, 0x54030000},    {"XSPI2", 0x70000000, 0x54031000},
    };
    Chip chip;
    for (const Way& way : kWays) {
        CAPTURE(way.memory);
        const memmap::Region* region = memmap::region_named(way.memory);
        REQUIRE(region != nullptr);
        const std::string filter = "RISAF" + std::to_string(region->risaf);
        bool found = false;
        for (const memmap::Peripheral& peripheral : memmap::kPeripherals) {
            if (filter != peripheral.name) continue;
            found = true;
            CHECK(to_word(peripheral.secure) == way.filter);
        }
        CHECK(found);
        // The first region of the filter admits nobody but non-secure masters; the second is off.
        Thumb program;
        program.write(way.filter + 0x80, 0).write(way.filter + 0x40, 0);
        program.write(way.filter + 0x44, 0).write(way.filter + 0x48, 0xFFFFFFFF);
        program.write(way.filter + 0x4C, 0x00FF00FF).write(way.filter + 0x40, 1).barrier();
        program.set(1, way.address).load(0, 1).end();
        chip.platform.reset();
        REQUIRE(chip.platform.load(GuestAddr{way.address}, {1, 2, 3, 4}));
        chip.faults.clear();
        chip.load(program);
        chip.platform.reset();
        CHECK(chip.run() == 0);
        REQUIRE(chip.faults.size() >= 1);
        CHECK(std::string(chip.faults[0].reason).find(filter + " ") != std::string::npos);
        // IADDR names the byte that the program named.
        CHECK(chip.platform.soc().risaf(filter).read(0x24, 0).value == way.address);
    }
}
