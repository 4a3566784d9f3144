// SPDX-License-Identifier: Apache-2.0
#include "models/npu/control/register_window.h"

#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/models/npu/epoch_bench.h"
#include "tests/models/npu/register_list.h"

namespace {

using namespace n6vp::models::npu;
using Unit = RegisterWindow::Unit;
using n6vp::memmap::npu::unit_at;

constexpr std::uint32_t kClkctrl = 0x00000, kIntctrl = 0x01000, kBusif = 0x02000,
                        kStrswitch = 0x04000, kStreng = 0x05000, kConvacc = 0x0F000,
                        kDecun = 0x13000, kActiv = 0x15000, kArith = 0x17000, kPool = 0x1B000,
                        kRecbuf = 0x1D000, kEpochctrl = 0x1E000, kTrace = 0x1F000;
constexpr std::uint32_t kClear = 2, kConfigurationClear = 0x40000000, kRunning = 0x80000000;

/// A window that writes down whom it called.
struct Bench {
    RegisterWindow window;
    std::vector<std::string> calls;

    Bench() {
        const auto name = [](const Unit& unit) {
            return std::string(unit.type->name) + std::to_string(unit.index);
        };
        window.on_enable = [=, this](const Unit& unit, bool on) {
            calls.push_back(name(unit) + (on ? " on" : " off"));
        };
        window.on_clear = [=, this](const Unit& unit) { calls.push_back(name(unit) + " clear"); };
        window.on_configuration_clear = [=, this](const Unit& unit) {
            calls.push_back(name(unit) + " defaults");
        };
        window.on_write = [=, this](const Unit& unit, const Register& at, std::uint32_t index,
                                    const RegisterFile::WriteOutcome& outcome) {
            std::string call = name(unit) + " " + at.name;
            if (at.count > 1) call += "[" + std::to_string(index) + "]";
            if (outcome.triggered != 0) call += " triggers " + std::to_string(outcome.triggered);
            if (outcome.cleared != 0) call += " clears " + std::to_string(outcome.cleared);
            calls.push_back(call);
        };
        window.on_lines = [this](std::uint32_t lines) {
            calls.push_back("lines " + std::to_string(lines));
        };
    }
    [[nodiscard]] std::uint32_t read(std::uint32_t offset) const {
        return window.read(offset).word;
    }
    std::vector<std::string> take() { return std::exchange(calls, {}); }
};

using Calls = std::vector<std::string>;

TEST_CASE("register window: every register of the list is there with its reset value") {
    const auto bench = std::make_unique<Bench>();
    std::vector<bool> listed(0x20000 / 4, false);
    for (const auto& row : n6vp::test::read_register_list(N6VP_REGISTER_LIST)) {
        for (std::uint32_t unit = 0; unit < row.units; ++unit) {
            for (std::uint32_t i = 0; i <= row.last - row.first; ++i) {
                const std::uint32_t offset = row.base + unit * 0x1000 + row.offset + i * row.stride;
                listed[offset / 4] = true;
                if (row.access == "WO") continue;
                CAPTURE(offset);
                REQUIRE((bench->read(offset) & row.bits()) == (row.reset & row.bits()));
            }
        }
    }
    for (std::uint32_t offset = 0; offset < 0x20000; offset += 4) {
        CAPTURE(offset);
        REQUIRE(bench->window.read(offset).exists == listed[offset / 4]);
    }
    CHECK_FALSE(bench->window.read(0x20000).exists);
    CHECK_FALSE(bench->window.read(0xFFFFFFFC).exists);
    CHECK_FALSE(bench->window.read(kStreng + 1).exists);
    CHECK_FALSE(bench->window.write(0x20000, 1).registers.exists);
    CHECK_FALSE(bench->window.write(kStreng + 0xFFC, 1).registers.exists);
    CHECK(bench->calls.empty());
}

TEST_CASE("register window: versions are constants, with every gate closed and after all writes") {
    const auto bench = std::make_unique<Bench>();
    constexpr struct {
        std::uint32_t base, units, version;
    } kVersions[] = {
        {kClkctrl, 1, 0x01B4121F},   {kIntctrl, 1, 0x0420111E}, {kBusif, 2, 0x0006501D},
        {kStrswitch, 1, 0x291B1600}, {kStreng, 10, 0x003E5001}, {kConvacc, 4, 0x00065117},
        {kDecun, 2, 0x00001A19},     {kActiv, 2, 0x0000111B},   {kArith, 4, 0x0000101A},
        {kPool, 2, 0x0000111C},      {kRecbuf, 1, 0x00003220},  {kEpochctrl, 1, 0x0F001121},
        {kTrace, 1, 0x21FF1122}};
    std::uint32_t pages = 0;
    for (const auto& one : kVersions) {
        for (std::uint32_t unit = 0; unit < one.units; ++unit, ++pages) {
            const std::uint32_t base = one.base + 0x1000 * unit;
            CHECK(bench->read(base + 4) == one.version);
            bench->window.write(base + 4, ~one.version);
            bench->window.write(base, kClear);
            bench->window.write(base, kConfigurationClear);
            CHECK(bench->read(base + 4) == one.version);
        }
    }
    CHECK(pages == 32);
}

TEST_CASE("register window: the unit disable sequence of every unit") {
    for (std::uint32_t page = 0; page < 32; ++page) {
        CAPTURE(page);
        const auto bench = std::make_unique<Bench>();
        const std::uint32_t control = page * 0x1000;
        const std::uint32_t reset = bench->read(control);
        const std::string name =
            std::string(unit_at(page).type->name) + std::to_string(unit_at(page).index);
        bench->window.write(control, reset | 1);
        CHECK(bench->read(control) == (reset | 1));
        CHECK(bench->take() == Calls{name + " on"});
        bench->window.write(control, reset | 1);
        CHECK(bench->take().empty());
        bench->window.write(control, reset | kClear);
        CHECK(bench->read(control) == reset);
        CHECK(bench->take() == Calls{name + " clear", name + " off"});
        bench->window.write(control, reset | kConfigurationClear);
        CHECK(bench->read(control) == reset);
        CHECK(bench->take() == Calls{name + " defaults"});
        // All at once: the configuration's end takes EN back, so nothing changes.
        bench->window.write(control, reset | kClear | kConfigurationClear | 1);
        CHECK(bench->read(control) == reset);
        CHECK(bench->take() == Calls{name + " clear", name + " defaults"});
        bench->window.write(control, reset | kClear | 1);
        CHECK(bench->take() == Calls{name + " clear", name + " on"});
        CHECK(bench->read(control) == (reset | 1));
        bench->window.write(control, kConfigurationClear | 1);
        CHECK(bench->take() == Calls{name + " defaults", name + " off"});
    }
}

TEST_CASE("register window: the end of a configuration restores reset values, clearing does not") {
    const auto rows = n6vp::test::read_register_list(N6VP_REGISTER_LIST);
    const auto bench = std::make_unique<Bench>();
    for (std::uint32_t offset = 0; offset < 0x20000; offset += 4) {
        if (offset % 0x1000 >= 8 && bench->window.read(offset).exists) {
            bench->window.write(offset, 0xA5A5A5A5);
        }
    }
    const std::uint32_t size = bench->read(kStreng + 0x0C);
    CHECK(size == 0xA5A5A5A5);
    for (std::uint32_t page = 0; page < 32; ++page) {
        if (page != 1) bench->window.write(page * 0x1000, kClear);
    }
    CHECK(bench->read(kStreng + 0x0C) == size);
    CHECK(bench->read(kStrswitch + 8) != 0);
    for (std::uint32_t page = 0; page < 32; ++page) {
        bench->window.write(page * 0x1000, kConfigurationClear);
    }
    std::size_t judged = 0;
    for (const auto& row : rows) {
        if (row.access != "RW" || row.noted("w1c")) continue;
        const std::uint32_t offset = row.base + row.offset;
        CAPTURE(offset);
        CHECK((bench->read(offset) & row.bits()) == (row.reset & row.bits()));
        ++judged;
    }
    CHECK(judged > 500);
}

TEST_CASE("register window: enabling by read-modify-write keeps the configuration") {
    const auto bench = std::make_unique<Bench>();
    bench->window.write(kConvacc, 0x54);
    bench->window.write(kStreng + 0x3000, 0x00110108);
    bench->window.write(kStreng + 0x3000, bench->read(kStreng + 0x3000) | 1);
    bench->window.write(kConvacc, bench->read(kConvacc) | 1);
    CHECK(bench->read(kStreng + 0x3000) == 0x00110109);
    CHECK(bench->read(kConvacc) == 0x55);
    CHECK(bench->take() == Calls{"STRENG3 on", "CONVACC0 on"});
}

TEST_CASE("register window: a running engine shows it and keeps its locked fields") {
    const auto bench = std::make_unique<Bench>();
    const Unit engine = unit_at(7);
    const std::uint32_t control = kStreng + 0x2000;
    bench->window.write(control + 0x0C, 0x00020003);
    bench->window.write(control, 9);
    bench->window.set_running(engine, true);
    CHECK(bench->window.running(engine));
    CHECK(bench->read(control) == (kRunning | 9));
    CHECK(bench->read(kStreng) == 0);
    const auto locked = bench->window.write(control + 0x0C, 0x00020007);
    CHECK(locked.registers.locked == 4);
    CHECK(bench->read(control + 0x0C) == 0x00020003);
    bench->take();
    bench->window.write(control, kConfigurationClear | 9);
    CHECK(bench->take().empty());
    CHECK(bench->read(control) == (kRunning | 9));
    bench->window.set_running(engine, false);
    CHECK(bench->read(control) == 9);
    bench->window.write(control, kConfigurationClear);
    CHECK(bench->read(control + 0x0C) == 0);
    // Units without that bit have no status of it.
    bench->window.set_running(unit_at(15), true);
    CHECK(bench->read(kConvacc) == 0);
    CHECK(bench->window.running(unit_at(15)));
    bench->window.set_running(engine, true);
    bench->window.reset();
    CHECK_FALSE(bench->window.running(engine));
    CHECK_FALSE(bench->window.running(unit_at(15)));
    CHECK(bench->read(control) == 0);
    CHECK(bench->window.write(control + 0x0C, 7).registers.locked == 0);
}

TEST_CASE("register window: status is the owner's, and ones clear it") {
    const auto bench = std::make_unique<Bench>();
    const Register& irq = *bench->window.registers(5).find(0x3C);
    bench->window.set_word(unit_at(5), irq, 0x0A);
    CHECK(bench->read(kStreng + 0x3C) == 0x0A);
    bench->window.write(kStreng + 0x3C, 0x06);
    CHECK(bench->read(kStreng + 0x3C) == 0x08);
    CHECK(bench->take() == Calls{"STRENG0 IRQ clears 2"});
    bench->window.write(kEpochctrl + 0x0C, 1u << 16);
    CHECK(bench->take() == Calls{"EPOCHCTRL0 IRQ triggers 65536"});
    CHECK(bench->read(kEpochctrl + 0x0C) == 0);
    bench->window.write(kStrswitch + 8 + 4 * 30, 0x25);
    CHECK(bench->take() == Calls{"STRSWITCH0 DST[30]"});
}

TEST_CASE("register window: parts of a word") {
    const auto bench = std::make_unique<Bench>();
    bench->window.write(kStreng + 0x0C, 0xFFFFFFFF, 0x0000FF00);
    CHECK(bench->read(kStreng + 0x0C) == 0x0000FF00);
    bench->window.write(kStreng, kConfigurationClear, 0x000000FF);
    CHECK(bench->read(kStreng + 0x0C) == 0x0000FF00);
}

TEST_CASE("register window: writes to a unit without clock are stored and said") {
    const auto bench = std::make_unique<Bench>();
    CHECK(bench->window.write(kStreng + 0x0C, 5).gated);
    CHECK(bench->read(kStreng + 0x0C) == 5);
    CHECK_FALSE(bench->window.write(kClkctrl + 0x10, 1).gated);
    CHECK_FALSE(bench->window.write(kStreng + 0x0C, 6).gated);
    CHECK(bench->window.write(kStreng + 0x100C, 6).gated);
    CHECK(bench->window.write(kStrswitch, 1).gated);
    CHECK(bench->window.clocks().open(unit_at(5)));
}

/// The steps of the runtime's initialisation, and what it reads.
TEST_CASE("register window: initialisation as the runtime does it") {
    const auto bench = std::make_unique<Bench>();
    RegisterWindow& window = bench->window;
    window.write(kClkctrl, bench->read(kClkctrl) | kClear);
    window.write(kClkctrl, 1);
    CHECK(bench->take() == Calls{"CLKCTRL0 clear", "CLKCTRL0 on"});
    window.write(kClkctrl + 0x08, 0xFFFFFFFF);
    window.write(kClkctrl + 0x0C, 0xFFFFFFFF);
    window.write(kClkctrl + 0x10, 0);
    CHECK(bench->read(kClkctrl + 0x08) == 0xF);
    CHECK(bench->read(kClkctrl + 0x0C) == 0xF);
    CHECK(bench->read(kClkctrl + 0x10) == 0);
    for (const std::uint32_t base : {kStreng, kConvacc, kPool, kArith, kActiv, kDecun, kEpochctrl,
                                     kRecbuf, kClkctrl, kIntctrl, kStrswitch, kBusif}) {
        CHECK(bench->read(base + 4) != 0);
    }
    bench->take();
    window.write(kBusif, 1);
    window.write(kBusif + 0x1000, 1);
    window.write(kIntctrl, 1);
    CHECK(bench->take() == Calls{"BUSIF0 on", "BUSIF1 on", "INTCTRL0 on"});
    window.set_source(31, true);
    window.set_source(31, false);
    CHECK(bench->read(kIntctrl + 8) == 1u << 31);
    window.write(kIntctrl, kClear);
    CHECK(bench->read(kIntctrl) == 0);
    CHECK(bench->read(kIntctrl + 8) == 0);
    window.write(kIntctrl, kConfigurationClear);
    CHECK(bench->read(kIntctrl) == 0);
    window.write(kIntctrl + 0x14, 0x000003FF);
    window.write(kIntctrl + 0x24, 0xFFFFFFFF);
    window.write(kIntctrl, bench->read(kIntctrl) | 1);
    CHECK(bench->read(kIntctrl) == 1);
    CHECK(bench->read(kIntctrl + 0x14) == 0x3FF);
    bench->take();
    // An engine ends (nothing), the epoch controller raises its interrupt (line 0).
    window.set_source(4, true);
    CHECK(bench->take().empty());
    window.set_source(28, true);
    CHECK(bench->take() == Calls{"lines 1"});
    window.write(kIntctrl + 0x10, 1u << 28);  // the source is still up
    CHECK(bench->read(kIntctrl + 8) == (1u << 28 | 1u << 4));
    window.set_source(28, false);
    bench->take();
    window.write(kIntctrl + 0x10, 1u << 28);
    CHECK(bench->take() == Calls{"INTCTRL0 INTCLR triggers 268435456", "lines 0"});
    window.write(kIntctrl, 0);
    window.reset();
    CHECK(bench->read(kIntctrl + 8) == 0);
    CHECK(bench->read(kIntctrl + 0x14) == 0xFFFFFFFF);
    CHECK(bench->read(kClkctrl + 0x08) == 0);
}

TEST_CASE("register window: clearing the interrupt controller keeps what is still up") {
    const auto bench = std::make_unique<Bench>();
    bench->window.set_source(3, true);
    bench->window.write(kIntctrl, kConfigurationClear);
    CHECK(bench->read(kIntctrl + 8) == 8);
    bench->window.write(kIntctrl, kClear);
    CHECK(bench->read(kIntctrl + 8) == 8);
    bench->window.reset();
    CHECK(bench->read(kIntctrl + 8) == 0);
    bench->window.write(kIntctrl, 0);
    CHECK(bench->read(kIntctrl + 8) == 0);
}

TEST_CASE("register window: random writes never leave a unit in another state than was told") {
    const auto bench = std::make_unique<Bench>();
    RegisterWindow& window = bench->window;
    std::vector<bool> on(32, false);
    std::uint32_t lines = 0;
    int changes = 0, cleared = 0;
    window.on_enable = [&](const Unit& unit, bool now) {
        CHECK(on[unit.page()] != now);
        on[unit.page()] = now;
        ++changes;
    };
    window.on_clear = [&](const Unit&) { ++cleared; };
    window.on_configuration_clear = nullptr;
    window.on_write = nullptr;
    window.on_lines = [&](std::uint32_t now) { lines = now; };
    std::mt19937 engine(99);
    const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
    for (int round = 0; round < 200'000; ++round) {
        const std::uint32_t page = random() % 32 * 0x1000;
        const std::uint32_t offset = random() % 2 == 0 ? 0 : random() % 80 * 4;
        const std::uint32_t mask = random() % 4 == 0 ? 0xFFu << random() % 4 * 8 : 0xFFFFFFFF;
        window.write(page + offset, random(), mask);
        if (random() % 8 == 0) window.set_running(unit_at(random() % 32), random() % 2 == 0);
        if (random() % 8 == 0) window.set_source(random() % 32, random() % 2 == 0);
        const std::uint32_t control = bench->read(page);
        REQUIRE((control & 1) == (on[page / 0x1000] ? 1 : 0));
        REQUIRE((control & (kClear | kConfigurationClear)) == 0);
        REQUIRE(lines == window.interrupts().lines());
    }
    CHECK(changes > 10'000);
    CHECK(cleared > 10'000);
    const RegisterWindow fresh;
    for (std::uint32_t page = 0; page < 32; ++page) {
        CHECK(bench->read(page * 0x1000 + 4) == fresh.read(page * 0x1000 + 4).word);
    }
    window.reset();
    for (std::uint32_t offset = 0; offset < 0x20000; offset += 4) {
        REQUIRE(bench->read(offset) == fresh.read(offset).word);
    }
}

/// Memory of the bench, registers of a window.
struct WindowBus : EpochControllerBus {
    WindowBus(n6vp::test::EpochBench& memory, RegisterWindow& registers)
        : bench(memory), window(registers) {}
    Fetched fetch(std::uint32_t address, n6vp::models::Picoseconds at) override {
        return bench.fetch(address, at);
    }
    Value read_register(std::uint32_t ip, std::uint32_t offset,
                        n6vp::models::Picoseconds) override {
        const auto value = window.read(ip * 0x1000 + offset);
        return {value.exists, value.word};
    }
    bool write_register(std::uint32_t ip, std::uint32_t offset, std::uint32_t value,
                        n6vp::models::Picoseconds) override {
        const auto outcome = window.write(ip * 0x1000 + offset, value);
        gated = gated || outcome.gated;
        return outcome.registers.exists;
    }

    n6vp::test::EpochBench& bench;
    RegisterWindow& window;
    bool gated = false;
};

TEST_CASE("register window: a blob configures, enables, waits and puts everything back") {
    const auto bench = std::make_unique<Bench>();
    n6vp::test::EpochBench memory;
    WindowBus bus(memory, bench->window);
    EpochController controller({}, bus);
    n6vp::test::EcAssembler program;
    program.label(2).gate(1, true).write(6, 0, 0x00110108).burst_inc(6, 8, {0x342E0000, 0x1EA});
    program.burst(6, 0x30, {6, 7}).write(4, 0, 2).poll(4, 0, 1).write(4, 0, 0x40000000);
    program.poll(4, 0, 30).write(4, 0, 1).write(4, 0x0C, 0x25).field(6, 0, 0, 1).poll(6, 0, 31);
    program.write(4, 0x0C, 0).write(6, 0, 2).poll(6, 0, 1).write(6, 0, 0x40000000);
    program.poll(6, 0, 30).gate(1, false).irq();
    std::vector<std::uint32_t> blob = {n6vp::test::kBlobMagic, program.size()};
    blob.insert(blob.end(), program.words().begin(), program.words().end());
    memory.store(n6vp::test::kBlobAt, blob);
    bench->window.write(kClkctrl + 0x08, 8);
    bench->window.write(kClkctrl + 0x0C, 8);
    bench->take();
    int faults = 0, irqs = 0;
    controller.on_fault = [&](const EpochFault&) { ++faults; };
    controller.on_irq = [&](n6vp::models::Picoseconds) { ++irqs; };
    bench->window.on_enable = [&](const Unit& unit, bool on) {
        if (unit.page() == 6) bench->window.set_running(unit, on);
        bench->calls.push_back(std::string(unit.type->name) + (on ? " on" : " off"));
    };
    bench->window.on_write = nullptr;
    controller.start({n6vp::test::kBlobAt, false, false, 1000, 0});
    while (controller.due() != n6vp::models::kNever) controller.act();
    REQUIRE(controller.polling() != nullptr);
    CHECK(controller.polling()->ip == 6);
    CHECK(bench->read(0x06000) == 0x80110109);
    CHECK(bench->read(0x06008) == 0x342E0000);
    CHECK(bench->read(0x06030) == 7);
    CHECK(bench->read(0x0400C) == 0x25);
    CHECK(bench->take() ==
          Calls{"STRSWITCH0 clear", "STRSWITCH0 defaults", "STRSWITCH on", "STRENG on"});
    bench->window.set_running(unit_at(6), false);
    controller.look_again(500'000);
    while (controller.due() != n6vp::models::kNever) controller.act();
    CHECK_FALSE(controller.running());
    CHECK(faults == 0);
    CHECK(irqs == 1);
    CHECK_FALSE(bus.gated);
    CHECK(bench->read(0x06000) == 0);
    CHECK(bench->read(0x06008) == 0);
    CHECK(bench->read(0x0400C) == 0);
    CHECK(bench->read(0x00010) == 0);
    CHECK(bench->take() == Calls{"STRENG1 clear", "STRENG off", "STRENG1 defaults"});
}

TEST_CASE("behind the last page there is nothing to read or write") {
    constexpr std::uint32_t kPage = 0x1000, kPages = 32;  // of the public list
    Bench bench;
    for (const std::uint32_t offset :
         {kPages * kPage, kPages * kPage + 4, 0xFFFFF000u, 0xFFFFFFFCu}) {
        CAPTURE(offset);
        CHECK_FALSE(bench.window.read(offset).exists);
        CHECK_FALSE(bench.window.write(offset, 0xFFFFFFFF, 0xFFFFFFFF).registers.exists);
        CHECK(bench.calls.empty());
    }
    CHECK(bench.window.read((kPages - 1) * kPage).exists);
}

}  // namespace
