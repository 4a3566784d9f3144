// SPDX-License-Identifier: Apache-2.0
#include "models/npu/control/epoch_control.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/models/npu/epoch_bench.h"

namespace {

using namespace n6vp::models::npu;
using n6vp::models::kNever;
using n6vp::models::Picoseconds;
using n6vp::test::EcAssembler;
using n6vp::test::kBlobAt;
using n6vp::test::kCycle;
using Unit = RegisterWindow::Unit;

constexpr std::uint32_t kGates = 0x00010, kLatches = 0x01008, kLatchClear = 0x01010;
constexpr std::uint32_t kControl = 0x1E000, kAddress = 0x1E008, kIrq = 0x1E00C, kCipher = 0x1E014,
                        kLabel = 0x1E01C, kCount = 0x1E020;
constexpr std::uint32_t kRunning = 0x80000000;

/// Window, controller and memory, as their owner puts them together.
class Npu : public EpochControllerBus {
  public:
    Npu() : control({}, window, *this) {
        window.on_enable = [this](const Unit& unit, bool on) {
            if (unit.page() == 30) control.on_enable(on, now);
        };
        window.on_clear = [this](const Unit& unit) {
            if (unit.page() == 30) control.on_clear();
        };
        window.on_write = [this](const Unit& unit, const Register& at, std::uint32_t,
                                 const RegisterFile::WriteOutcome& outcome) {
            if (unit.page() == 30) control.on_write(at, outcome, now);
        };
        window.on_lines = [this](std::uint32_t state) { lines = state; };
        control.on_fault = [this](const EpochFault& fault) { faults.push_back(fault); };
        control.on_label = [this](std::uint32_t label, Picoseconds) { labels.push_back(label); };
        control.on_assumption = [this](const Limit& limit, std::uint64_t) {
            assumptions.emplace_back(limit.feature);
        };
        control.set_cycle(kCycle);
        window.write(0x01000, 1);
        window.write(0x01014, 0x000003FF);
        window.write(kGates, 1u << 25);
    }

    Fetched fetch(std::uint32_t address, Picoseconds at) override {
        return memory.fetch(address, at);
    }
    Value read_register(std::uint32_t ip, std::uint32_t offset, Picoseconds) override {
        const auto value = window.read(ip * 0x1000 + offset);
        return {value.exists, value.word};
    }
    bool write_register(std::uint32_t ip, std::uint32_t offset, std::uint32_t value,
                        Picoseconds at) override {
        now = at;
        return window.write(ip * 0x1000 + offset, value).registers.exists;
    }

    void store(const EcAssembler& program) {
        memory.store(kBlobAt, {n6vp::test::kBlobMagic, program.size()});
        memory.store(kBlobAt + 8, program.words());
    }
    /// As the runtime starts a blob.
    void start(std::uint32_t control_word = 0, std::uint32_t address = kBlobAt) {
        window.write(kControl, control_word);
        window.write(kAddress, address);
        window.write(kControl, read(kControl) | 1);
    }
    void run() {
        while (control.due() != kNever) {
            now = control.due();
            control.act();
        }
    }
    [[nodiscard]] std::uint32_t read(std::uint32_t offset) const {
        return window.read(offset).word;
    }

    n6vp::test::EpochBench memory;
    RegisterWindow window;
    EpochControl control;
    Picoseconds now = 4000;
    std::uint32_t lines = 0;
    std::vector<EpochFault> faults;
    std::vector<std::uint32_t> labels;
    std::vector<std::string> assumptions;
};

TEST_CASE("EPOCHCTRL: a blob from its start to the end of its interrupt") {
    Npu npu;
    npu.store(EcAssembler().label(2).label(77).label(78).irq());
    npu.start();
    CHECK(npu.read(kControl) == (kRunning | 1));
    // Its configuration is locked while it runs.
    npu.window.write(kAddress, 0x1000);
    npu.window.write(kControl, kRunning | 9);
    CHECK(npu.read(kAddress) == kBlobAt);
    CHECK(npu.read(kControl) == (kRunning | 1));
    while (npu.read(kLabel) != 77 && npu.control.due() != kNever) npu.control.act();
    CHECK(npu.read(kCount) == 2);
    CHECK(npu.lines == 0);
    npu.run();
    CHECK(npu.now == 4000 + 48 * kCycle);
    CHECK(npu.read(kControl) == 1);
    CHECK(npu.read(kLabel) == 78);
    CHECK(npu.read(kCount) == 4);
    CHECK(npu.labels == std::vector<std::uint32_t>{2, 77, 78});
    CHECK(npu.lines == 1);
    CHECK(npu.read(kLatches) == 1u << 28);
    CHECK(npu.read(kIrq) == 1);
    // The latch alone cannot be cleared.
    npu.window.write(kLatchClear, 1u << 28);
    CHECK(npu.lines == 1);
    npu.window.write(kIrq, npu.read(kIrq));
    CHECK(npu.read(kIrq) == 0);
    CHECK(npu.lines == 1);
    npu.window.write(kLatchClear, 1u << 28);
    CHECK(npu.lines == 0);
    npu.window.write(kControl, 2);
    CHECK(npu.read(kControl) == 0);
    CHECK(npu.read(kLabel) == 0);
    CHECK(npu.read(kCount) == 0);
    npu.window.write(kControl, 0x40000000);
    CHECK(npu.read(kAddress) == 0);
    CHECK(npu.faults.empty());
    CHECK(npu.assumptions.empty());
    // And once more.
    npu.start();
    npu.run();
    CHECK(npu.lines == 1);
    CHECK(npu.labels.size() == 6);
}

TEST_CASE("EPOCHCTRL: what the interrupt finds in the registers") {
    Npu npu;
    npu.store(EcAssembler().label(6).irq().label(7));
    std::uint32_t label = 0, count = 0;
    npu.window.on_lines = [&](std::uint32_t) {
        label = npu.read(kLabel);
        count = npu.read(kCount);
    };
    npu.start();
    npu.run();
    CHECK(label == 6);
    CHECK(count == 2);
    CHECK(npu.read(kLabel) == 7);
    CHECK(npu.assumptions == std::vector<std::string>{"instructions after irq"});
}

TEST_CASE("EPOCHCTRL: a fault stops with its error bit and the error interrupt") {
    Npu npu;
    npu.store(EcAssembler().label(5).raw({0x00000005}).irq());
    npu.start();
    npu.run();
    REQUIRE(npu.faults.size() == 1);
    CHECK(npu.faults[0].offset == 12);
    CHECK(npu.faults[0].opcode() == 5);
    CHECK(npu.read(kControl) == 1);
    CHECK(npu.read(kLabel) == 5);
    CHECK(npu.read(kIrq) == 1u << 5);
    CHECK(npu.read(kLatches) == 1u << 30);
    CHECK(npu.lines == 1);
    npu.window.write(kIrq, 1u << 5);
    npu.window.write(kLatchClear, 1u << 30);
    CHECK(npu.lines == 0);
}

TEST_CASE("EPOCHCTRL: each cause has its bit") {
    Npu npu;
    SUBCASE("misaligned") {
        npu.start(0, kBlobAt + 4);
        CHECK(npu.read(kIrq) == 1u << 2);
    }
    SUBCASE("encrypted") {
        npu.window.write(kCipher, 1u << 12);
        npu.start();
        CHECK(npu.read(kIrq) == 1u << 2);
    }
    SUBCASE("magic") {
        npu.start();
        npu.run();
        CHECK(npu.read(kIrq) == 1u << 3);
    }
    SUBCASE("memory") {
        npu.memory.bad_address = kBlobAt;
        npu.start();
        npu.run();
        CHECK(npu.read(kIrq) == 1u << 1);
    }
    SUBCASE("no such register") {
        npu.store(EcAssembler().write(5, 0x800, 1).irq());
        npu.start();
        npu.run();
        CHECK(npu.read(kIrq) == 1u << 1);
    }
    CHECK(npu.read(kControl) == 1);
    CHECK(npu.read(kLatches) == 1u << 30);
    CHECK(npu.faults.size() == 1);
}

TEST_CASE("EPOCHCTRL: single step") {
    Npu npu;
    npu.store(EcAssembler().label(1).label(2).irq());
    npu.start(8);
    npu.run();
    CHECK(npu.read(kCount) == 0);
    CHECK(npu.read(kControl) == (kRunning | 9));
    for (std::uint32_t step = 1; step <= 3; ++step) {
        npu.now += 1000 * kCycle;
        npu.window.write(kIrq, 1u << 16);
        npu.run();
        CHECK(npu.read(kCount) == step);
    }
    CHECK(npu.read(kControl) == 9);
    CHECK(npu.read(kIrq) == 1);
    CHECK(npu.lines == 1);
}

TEST_CASE("EPOCHCTRL: a poll of the controller's own registers, and of others") {
    Npu npu;
    npu.store(EcAssembler().label(3).poll(30, 0x1C, 0, 1).poll(5, 0, 31).irq());
    npu.window.set_running({&n6vp::memmap::npu::kStreng, 0}, true);
    npu.start();
    npu.run();
    REQUIRE(npu.control.controller().polling() != nullptr);
    CHECK(npu.control.controller().polling()->ip == 5);
    CHECK(npu.read(kControl) == (kRunning | 1));
    npu.window.set_running({&n6vp::memmap::npu::kStreng, 0}, false);
    npu.control.look_again(npu.now + 10 * kCycle);
    npu.run();
    CHECK(npu.lines == 1);
}

TEST_CASE("EPOCHCTRL: cleared or disabled while it runs, by software or by its program") {
    Npu npu;
    SUBCASE("cleared by software") {
        npu.store(EcAssembler().label(1).label(2).label(3).irq());
        npu.start();
        while (npu.read(kCount) < 2 && npu.control.due() != kNever) npu.control.act();
        npu.window.write(kControl, 2);
        CHECK(npu.read(kLabel) == 0);
        CHECK(npu.assumptions.empty());
    }
    SUBCASE("disabled by software") {
        npu.store(EcAssembler().label(1).label(2).label(3).irq());
        npu.start();
        while (npu.read(kCount) < 2 && npu.control.due() != kNever) npu.control.act();
        npu.window.write(kControl, 0);
        CHECK(npu.read(kLabel) == 2);
        CHECK(npu.assumptions.size() == 1);
    }
    SUBCASE("cleared by its program") {
        npu.store(EcAssembler().label(1).write(30, 0, 2).irq());
        npu.start();
        npu.run();
        CHECK(npu.read(kLabel) == 0);
        CHECK(npu.assumptions.empty());
    }
    SUBCASE("disabled by its program") {
        npu.store(EcAssembler().label(1).field(30, 0, 0, 0).irq());
        npu.start();
        npu.run();
        CHECK(npu.read(kLabel) == 1);
        CHECK(npu.assumptions.size() == 1);
    }
    CHECK(npu.read(kControl) == 0);
    CHECK(npu.control.due() == kNever);
    CHECK(npu.lines == 0);
    CHECK(npu.faults.empty());
    npu.store(EcAssembler().label(9).irq());
    npu.start();
    npu.run();
    CHECK(npu.read(kLabel) == 9);
    CHECK(npu.lines == 1);
}

TEST_CASE("EPOCHCTRL: a program that takes EN away cannot give it back, software can at once") {
    Npu npu;
    npu.store(EcAssembler().label(1).burst(30, 0, {0, 1, 1}).irq());
    npu.start();
    npu.run();
    CHECK(npu.read(kControl) == 0);
    CHECK(npu.labels == std::vector<std::uint32_t>{1});
    npu.store(EcAssembler().label(7).label(8).irq());
    npu.start();
    npu.control.act();
    npu.window.write(kControl, 2);
    npu.window.write(kControl, 1);
    CHECK(npu.read(kControl) == (kRunning | 1));
    npu.run();
    CHECK(npu.labels == std::vector<std::uint32_t>{1, 7, 8});
    CHECK(npu.read(kCount) == 3);
    CHECK(npu.read(kIrq) == 1);
}

TEST_CASE("EPOCHCTRL: automatic clearing is said to be unknown") {
    Npu npu;
    npu.store(EcAssembler().label(1).irq());
    npu.start(4);
    CHECK(npu.assumptions.size() == 1);
    npu.run();
    CHECK(npu.lines == 1);
}

TEST_CASE("EPOCHCTRL: the counter of instructions has sixteen bits") {
    Npu npu;
    EcAssembler program;
    for (std::uint32_t i = 0; i < 65537; ++i) program.label(i);
    npu.store(program.irq());
    npu.start();
    npu.run();
    CHECK(npu.control.controller().executed() == 65538);
    CHECK(npu.read(kCount) == 2);
    CHECK(npu.read(kLabel) == 65536);
}

}  // namespace
