// SPDX-License-Identifier: Apache-2.0
// The chip as a module of a platform that is not ours: names, ports, errors.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "memmap/interrupts.h"
#include "models/chip/memory_present.h"
#include "models/chip/stm32n6.h"
#include "tests/models/probe.h"
#include "tests/support/thumb.h"

using namespace n6vp;
using n6vp::models::Stm32n6;
using n6vp::test::Probe;
using n6vp::test::Thumb;

namespace {

constexpr std::uint32_t kFlexmem = 0x34000000, kStack = 0x34060000, kCount = 0x34100000;
constexpr std::uint32_t kIspr1 = 0xE000E204, kEndless = 0xE7FE;
constexpr unsigned kLine = memmap::interrupt_line("VENC");

sc_core::sc_time us(double count) {
    return {count, sc_core::SC_US};
}

/// A board around the chip: a master on `host`, whoever binds the rest.
struct Board : sc_core::sc_module {
    explicit Board(const sc_core::sc_module_name& name, const models::ChipOptions& options = {})
        : sc_module(name), chip("chip", {}, options), master("master") {
        master.port.bind(chip.host);
    }
    /// A program that adds 1 to the word at kCount and then goes round.
    void load_counter() {
        Thumb program;
        program.set(4, kCount).load(0, 4).add(0, 1).store(0, 4).raw({kEndless});
        REQUIRE(chip.store(GuestAddr{kCount}, std::vector<std::uint8_t>(4)));
        REQUIRE(chip.store(GuestAddr{kFlexmem}, program.image(kFlexmem, kStack)));
    }
    /// Writes a register of the NPU: by page and offset.
    void set_npu(std::uint32_t page, std::uint32_t offset, std::uint32_t value) {
        master.data.resize(sizeof value);
        std::memcpy(master.data.data(), &value, sizeof value);
        REQUIRE(master.write(0x580E0000 + 0x1000 * page + offset, sizeof value, 0).ok());
    }
    [[nodiscard]] unsigned count() {
        std::vector<std::uint8_t> word(4);
        REQUIRE(chip.fetch(GuestAddr{kCount}, word));
        return word[0];
    }
    Stm32n6 chip;
    Probe master;
};

std::string error_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const sc_core::sc_report& report) {
        return std::string(report.get_msg_type()) + ": " + report.get_msg();
    }
    return "none";
}

}  // namespace

TEST_CASE("chip: its parts have names below its own") {
    Board board("board");
    CHECK(std::string(board.chip.core().name()) == "board.chip.core");
    CHECK(std::string(board.chip.bus().name()) == "board.chip.bus");
    CHECK(std::string(board.chip.npu().name()) == "board.chip.npu");
    CHECK(std::string(board.chip.irq[kLine].name()) == "board.chip.irq_62");
    CHECK(std::string(board.chip.clock[1].name()) == "board.chip.clock_cpu");
    for (const sc_core::sc_object* object : sc_core::sc_get_top_level_objects())
        CHECK(std::string(object->name()) == "board");
}

TEST_CASE("chip: a foreign master reaches memory and registers by the port `host`") {
    Board board("board");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.master.data = {1, 2, 3, 4};
    CHECK(board.master.write(kCount, 4, 0).ok());
    CHECK(board.master.read(kCount, 4, 1'000'000).ok());
    CHECK(board.master.data == std::vector<std::uint8_t>{1, 2, 3, 4});
    CHECK(board.master.read(0x56028000, 4, 2'000'000).ok());  // RCC
    CHECK_FALSE(board.master.read(0xA0000000, 4, 3'000'000).ok());
}

TEST_CASE("chip: the core stands still without a reset pin, until it is released") {
    Board board("board");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.load_counter();
    sc_core::sc_start(us(10));
    CHECK(board.count() == 0);
    board.chip.core().release_reset();
    sc_core::sc_start(us(10));
    CHECK(board.count() == 1);
}

TEST_CASE("chip: the reset pin holds the core, releases it, and starts it again") {
    Board board("board");
    sc_core::sc_signal<bool> nrst("nrst");
    board.chip.nrst.bind(nrst);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.load_counter();
    sc_core::sc_start(us(10));
    CHECK(board.count() == 0);
    nrst.write(true);
    sc_core::sc_start(us(10));
    CHECK(board.count() == 1);
    nrst.write(false);
    sc_core::sc_start(us(10));
    const std::uint64_t held = board.chip.core().core().instructions();
    sc_core::sc_start(us(10));
    CHECK(board.chip.core().core().instructions() == held);
    CHECK(board.count() == 1);
    nrst.write(true);
    sc_core::sc_start(us(10));
    CHECK(board.count() == 2);
}

TEST_CASE("chip: an interrupt port sets the line of the core") {
    Board board("board");
    sc_core::sc_signal<bool> nrst("nrst", true), line("line");
    board.chip.nrst.bind(nrst);
    board.chip.irq[kLine].bind(line);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.load_counter();
    sc_core::sc_start(us(5));
    const auto pending = [&board] {
        models::core::Core& core = board.chip.core().core();
        std::uint32_t word = 0;
        CHECK(core.system().read_ppb(core.state(), kIspr1, 4, core.cycles(), word));
        return (word >> (kLine - 32) & 1) != 0;
    };
    CHECK_FALSE(pending());
    line.write(true);
    sc_core::sc_start(us(5));
    CHECK(pending());
}

namespace {

/// What a program that sleeps deeply finds afterwards.
struct Wake {
    std::uint32_t power = 0, oscillators = 0, switches = 0;  ///< CPUCR, SR, CFGR1
    double mhz = 0;
    bool before_interrupt = false;
};

std::uint32_t word_at(Board& board, std::uint32_t address) {
    std::vector<std::uint8_t> bytes(4);
    REQUIRE(board.chip.fetch(GuestAddr{address}, bytes));
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    return word;
}

/// Sleeps with CPUCR as given and a SysTick of 10 us; an interrupt comes 100 us after the start.
Wake sleep_deeply(std::uint32_t control) {
    constexpr std::uint32_t kScr = 0xE000ED10, kIser1 = 0xE000E104, kSysTick = 0xE000E010;
    constexpr std::uint32_t kRcc = 0x56028000, kCpucr = 0x56024830;
    Board board("board");
    sc_core::sc_signal<bool> nrst("nrst"), line("line");
    board.chip.nrst.bind(nrst);
    board.chip.irq[kLine].bind(line);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    Thumb program;
    program.raw({0xB672});  // CPSID i: what is pending wakes, and no handler runs
    program.write(kRcc + 0x800, 1u << 8).write(kCpucr, control).write(kScr, 4);
    program.write(kIser1, 1u << (kLine - 32));
    program.write(kSysTick + 4, 7999).write(kSysTick + 8, 0).write(kSysTick, 7);
    program.barrier().raw({0xBF30});  // WFI
    program.set(5, kCount).set(3, kCpucr).load(0, 3).store(0, 5);
    program.set(5, kCount + 4).set(3, kRcc + 4).load(0, 3).store(0, 5);
    program.set(5, kCount + 8).set(3, kRcc + 0x20).load(0, 3).store(0, 5).barrier();
    program.raw({kEndless});
    REQUIRE(board.chip.store(GuestAddr{kCount}, std::vector<std::uint8_t>(12)));
    REQUIRE(board.chip.store(GuestAddr{kFlexmem}, program.image(kFlexmem, kStack)));
    nrst.write(true);
    sc_core::sc_start(us(100));
    Wake wake;
    wake.before_interrupt = !board.chip.core().asleep();
    line.write(true);
    sc_core::sc_start(us(50));
    CHECK_FALSE(board.chip.core().asleep());
    wake.power = word_at(board, kCount);
    wake.oscillators = word_at(board, kCount + 4);
    wake.switches = word_at(board, kCount + 8);
    wake.mhz = board.chip.core().clock_hz() / 1e6;
    return wake;
}

}  // namespace

TEST_CASE("chip: Stop mode lasts until an interrupt, sets STOPF and ends on HSI without PLLs") {
    const Wake wake = sleep_deeply(0);
    CHECK_FALSE(wake.before_interrupt);
    CHECK(wake.power == 1u << 8);
    CHECK(wake.oscillators == 1u << 3);
    CHECK(wake.switches == 0);
    CHECK(wake.mhz == doctest::Approx(64));
}

TEST_CASE("chip: a line that a unit of the chip drives cannot be bound") {
    Board board("board");
    sc_core::sc_signal<bool> line("line");
    board.chip.irq[memmap::interrupt_line("USART1")].bind(line);
    CHECK(error_of([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }) ==
          "n6vp/irq: board.chip.irq_159 is bound, but a unit of the chip drives this line: leave "
          "it unbound");
}

TEST_CASE("chip: a clock port replaces the parameter, at any time") {
    Board board("board");
    sc_core::sc_signal<double> hz("hz", 200e6);
    board.chip.clock[static_cast<unsigned>(memmap::ClockDomain::Cpu)].bind(hz);
    CHECK(board.chip.core().clock_hz() == 800e6);
    sc_core::sc_start(us(1));
    CHECK(board.chip.core().clock_hz() == 200e6);
    hz.write(123e6);
    sc_core::sc_start(us(1));
    CHECK(board.chip.core().clock_hz() == 123e6);
}

TEST_CASE("chip: in precise time the NPU is 100 ns ahead at most, whatever the quantum") {
    constexpr std::uint32_t kFrom = 0x34200000, kTo = 0x34270000, kBytes = 0x2000;
    constexpr std::uint32_t kInput = 5 + 3, kOutput = 5 + 9;  // pages of STRENG3 and 9
    models::ChipOptions options;
    options.timing = models::core::Timing::Precise;
    options.quantum = 1'000'000;
    Board board("board", options);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const std::vector<std::uint8_t> bytes(kBytes, 7);
    REQUIRE(board.chip.store(GuestAddr{kFrom}, bytes));
    board.set_npu(0, 0x00, 1);
    board.set_npu(0, 0x08, 0xF);  // gates of what all share, and of the engines
    board.set_npu(0, 0x0C, 0xF);
    board.set_npu(0, 0x10, 1u << 3 | 1u << 9);
    for (const bool output : {false, true}) {
        const std::uint32_t page = output ? kOutput : kInput;
        board.set_npu(page, 0x00, output ? 0x0008010C : 0x00080104);
        board.set_npu(page, 0x08, output ? kTo : kFrom);
        board.set_npu(page, 0x0C, kBytes);
        board.set_npu(page, 0x18, kBytes);
        board.set_npu(page, 0x30, 6);
        board.set_npu(page, 0x34, 1);
        board.set_npu(page, 0x38, (output ? kTo : kFrom) + kBytes + 63);
    }
    board.set_npu(4, 0x00, 1);
    board.set_npu(4, 0x08 + 4 * 9, 3 << 1 | 1);  // STRENG3 to STRENG9
    board.set_npu(kOutput, 0x00, 0x0008010D);
    board.set_npu(kInput, 0x00, 0x00080105);
    models::Picoseconds most = 0;
    for (unsigned i = 0; i < 200; ++i) {
        sc_core::sc_start(us(0.05));
        most = std::max(most, board.chip.npu().lead());
    }
    CHECK(most > 0);
    CHECK(most <= 100'000);
    std::vector<std::uint8_t> copied(kBytes);
    REQUIRE(board.chip.fetch(GuestAddr{kTo}, copied));
    CHECK(copied == bytes);
}

TEST_CASE("chip: another time resolution is refused with the reason") {
    sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
    CHECK(error_of([] { Board board("board"); }) ==
          "n6vp/time_resolution: SystemC counts time in steps of 1 ns, the models in steps of 1 "
          "ps: leave out sc_set_time_resolution");
}

TEST_CASE("chip: ranges that are memory all the way, from bank to bank, and no byte further") {
    struct Row {
        std::uint32_t start, bytes;
        bool present;
    };
    constexpr std::uint32_t kKib = 1024, kMib = 1024 * kKib;
    // FLEXMEM to VENCRAM lie side by side, from 0x24000000 to 0x24420000.
    for (const std::uint32_t alias : {0u, 0x10000000u}) {
        for (const Row& row :
             {Row{0x24000000, 1, true}, Row{0x24000000, 0x420000, true},
              Row{0x24000000, 0x420001, false}, Row{0x23FFFFFF, 1, false},
              Row{0x23FFFFFF, 2, false}, Row{0x24063FFC, 8, true}, Row{0x2441FFFF, 1, true},
              Row{0x24420000, 1, false}, Row{0x28000000, 32 * kKib, true},
              Row{0x28000000, 32 * kKib + 1, false}, Row{0x2C000000, 8 * kKib, true},
              Row{0x2C000000, 8 * kKib + 1, false}, Row{0x25000000, 4, false},
              Row{0x27F00000, 4, false}, Row{0x20000000, 4, false}, Row{0x40000000, 4, false}}) {
            CAPTURE(row.start);
            CAPTURE(row.bytes);
            CHECK(models::is_memory_present({GuestAddr{row.start + alias}, row.bytes}) ==
                  row.present);
        }
    }
    for (const Row& row :
         {Row{0x00000000, 4, false}, Row{0x08000000, 4, false}, Row{0x10000000, 4, false},
          Row{0x60000000, 4, false}, Row{0x70000000, 128 * kMib, true},
          Row{0x70000000, 128 * kMib + 1, false}, Row{0x77FFFFFF, 1, true},
          Row{0x78000000, 1, false}, Row{0x80000000, 4, false}, Row{0x90000000, 32 * kMib, true},
          Row{0x91FFFFFC, 5, false}, Row{0xC0000000, 4, false}, Row{0xFFFFFFFF, 1, false}}) {
        CAPTURE(row.start);
        CAPTURE(row.bytes);
        CHECK(models::is_memory_present({GuestAddr{row.start}, row.bytes}) == row.present);
    }
}

TEST_CASE("chip: the name of each target, and that of none") {
    const Board board("board");
    const std::vector<std::string> names = Stm32n6::target_names();
    for (unsigned i = 0; i < names.size(); ++i) CHECK(board.chip.target_name(i) == names[i]);
    REQUIRE(names.size() > 2);
    CHECK(names[names.size() - 2] == "peripherals");
    CHECK(names.back() == "mailbox");
    CHECK(board.chip.target_name(static_cast<unsigned>(names.size())) == "nothing");
    for (std::size_t i = 0; i + 2 < names.size(); ++i)
        CHECK(board.chip.target_of(names[i]) == static_cast<int>(i));
    CHECK(board.chip.target_of("peripherals") == -1);
    CHECK(board.chip.target_of("AXISRAM7") == -1);
    for (const char* const name : {"FLEXMEM", "AXISRAM6", "CACHEAXIRAM", "XSPI1", "XSPI2", "DTCM"})
        CHECK(std::count(names.begin(), names.end(), name) == 1);
    for (const char* const name : {"BOOTROM", "GFXMMU", "FMC", "XSPI3"})
        CHECK(std::count(names.begin(), names.end(), name) == 0);
}
