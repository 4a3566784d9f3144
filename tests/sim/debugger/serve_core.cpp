// SPDX-License-Identifier: Apache-2.0
// Serves a core with two memories to GDB, for the script test beside it: --gdb PORT or stdio. With
// --trace N it writes the program counters of the first N instructions that the program executes.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

#include "sim/debugger/debugger.h"
#include "sim/host/signals.h"
#include "tests/sim/debugger/core_machine.h"
#include "tests/support/thumb.h"

namespace {

using namespace n6vp;
using sim::debugger::Halt;

constexpr std::uint32_t kBase = 0, kStack = 0x20010000, kTable = 0x20000100, kWords = 48;

/// Sorts a table of 48 words that a generator of random numbers fills: branches as the data are.
test::Thumb sorting() {
    test::Thumb program;
    program.set(4, kTable).set(5, 12345).set(7, kWords).set(0, 1103515245);
    const std::size_t fill = program.code().size();
    // muls r5, r0, r5; adds r5, #57; str r5, [r4]
    program.raw({0x4345}).add(5, 57).store(5, 4).add(4, 4).subtract(7, 1).repeat(fill);
    program.set(7, kWords - 1);
    const std::size_t round = program.code().size();
    program.set(4, kTable).set(6, kWords - 1);
    const std::size_t pair = program.code().size();
    // ldr r1, [r4]; ldr r2, [r4, #4]; cmp r1, r2; bls over the next two
    program.load(1, 4).raw({0x6862, 0x4291, 0xD901});
    // str r2, [r4]; str r1, [r4, #4]
    program.store(2, 4).raw({0x6061});
    program.add(4, 4).subtract(6, 1).repeat(pair);
    program.subtract(7, 1).repeat(round);
    return program.set(0, 7).end();
}

class Served : public sim::debugger::ControlledMachine {
  public:
    Served() {
        if (!inner_.program(kBase, sorting().image(kBase, kStack))) std::abort();
        inner_.most_steps = inner_.most_cycles = 1'000'000'000;
        inner_.core().reset();
    }
    models::core::Core& core() override { return inner_.core(); }
    const models::core::CoreProfile& profile() const override { return inner_.profile(); }
    bool read(std::uint32_t address, std::span<std::uint8_t> bytes) override {
        return inner_.read(address, bytes);
    }
    bool write(std::uint32_t address, std::span<const std::uint8_t> bytes) override {
        return inner_.write(address, bytes);
    }
    bool program(std::uint32_t address, std::span<const std::uint8_t> bytes) override {
        return inner_.program(address, bytes);
    }
    std::vector<sim::debugger::MemoryArea> areas() const override { return inner_.areas(); }
    void watch_others(const std::vector<sim::debugger::WatchedRange>& ranges) override {
        inner_.watch_others(ranges);
    }
    Halt run(const Interrupt& interrupt) override { return inner_.run(interrupt); }
    Halt step(const Interrupt& interrupt) override { return inner_.step(interrupt); }
    void reset(sim::debugger::ResetKind kind) override { inner_.reset(kind); }
    std::vector<sim::debugger::MonitorCommand> monitor_commands() override {
        return inner_.monitor_commands();
    }
    Halt start() override { return {}; }
    void end() override {}

    void trace(std::uint64_t most) {
        std::uint64_t count = 0;
        inner_.core().set_trace(
            [&count, most](const models::core::CpuState&, std::uint32_t pc, std::uint32_t) {
                if (count++ < most) std::printf("%08x\n", pc);
            });
        static_cast<void>(inner_.run({}));
    }

  private:
    test::CoreMachine inner_;
};

}  // namespace

int main(int argc, char** argv) {
    sim::catch_signals();
    const sim::InterruptGuard guard;
    try {
        Served machine;
        if (argc == 3 && std::string_view(argv[1]) == "--trace") {
            machine.trace(std::strtoull(argv[2], nullptr, 10));
            return 0;
        }
        if (argc != 3 || std::string_view(argv[1]) != "--gdb") {
            std::cerr << "usage: " << argv[0] << " --trace N | --gdb PORT|stdio\n";
            return 2;
        }
        sim::debugger::Debugger debugger({argv[2], true});
        std::cerr << "gdb: " << debugger.link().place() << std::endl;
        debugger.drive(machine);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
