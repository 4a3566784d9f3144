// SPDX-License-Identifier: Apache-2.0
// Branches, loops, IT, waiting and what instructions ask the system for. Encodings by hand.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/core/isa/row.h"
#include "tests/core/memory/machine.h"

using n6vp::models::core::Exception;
using n6vp::models::core::Stop;
using n6vp::test::Machine;
namespace cfsr = n6vp::models::core::cfsr;
namespace isa = n6vp::models::core::isa;

namespace {

/// What instructions asked for, in order, as text.
using Log = std::vector<std::string>;

class Recorder : public n6vp::tests::BareSystem {
  public:
    explicit Recorder(Log& log) : log_(log) {}
    std::uint32_t read_special(CpuState& /*cpu*/, unsigned sysm) override {
        log_.push_back("read " + std::to_string(sysm));
        return 0x1000 + sysm;
    }
    void write_special(CpuState& /*cpu*/, unsigned sysm, unsigned mask,
                       std::uint32_t value) override {
        log_.push_back("write " + std::to_string(sysm) + ' ' + std::to_string(mask) + ' ' +
                       std::to_string(value));
    }
    void change_processor_state(CpuState& /*cpu*/, bool disable, bool primask,
                                bool faultmask) override {
        log_.push_back(std::string(disable ? "disable" : "enable") + (primask ? " i" : "") +
                       (faultmask ? " f" : ""));
    }
    std::uint32_t test_target(CpuState& /*cpu*/, std::uint32_t address, bool unprivileged,
                              bool alternate) override {
        log_.push_back("test " + std::to_string(address) + (unprivileged ? " t" : "") +
                       (alternate ? " a" : ""));
        return 0x42;
    }
    bool secure_gateway(CpuState& cpu, std::uint32_t pc) override {
        log_.push_back("gateway " + std::to_string(pc));
        cpu.secure = true;
        return true;
    }
    void call_supervisor(CpuState& cpu) override {
        log_.push_back("call " + std::to_string(cpu.pc) + " it " + std::to_string(cpu.itstate));
    }
    bool take_breakpoint(CpuState& cpu) override {
        log_.push_back("breakpoint " + std::to_string(cpu.pc));
        locked_up_ = true;
        return false;
    }
    [[nodiscard]] bool locked_up() const override { return locked_up_; }

  private:
    bool locked_up_ = false;
    Log& log_;
};

}  // namespace

TEST_CASE("IT runs then and else by its condition") {
    for (const bool zero : {false, true}) {
        Machine machine;
        machine.set(0, zero ? 0 : 1);
        // CMP r0, #0; ITETT eq; MOV r1, #1; MOV r2, #2; MOV r3, #3; MOV r4, #4; MOV r5, #5
        // (moves inside set no flags, so the condition stays).
        CHECK(machine.run({0x2800, 0xBF09, 0x2101, 0x2202, 0x2303, 0x2404, 0x2505}) ==
              Stop::Semihosting);
        CHECK(machine.reg(1) == (zero ? 1 : 0));
        CHECK(machine.reg(2) == (zero ? 0 : 2));
        CHECK(machine.reg(3) == (zero ? 3 : 0));
        CHECK(machine.reg(4) == (zero ? 4 : 0));
        CHECK(machine.reg(5) == 5);
    }
}

TEST_CASE("a supervisor call inside an IT block returns into it") {
    Log log;
    Machine machine(std::make_unique<Recorder>(log));
    machine.set(0, 0);
    // CMP r0, #0; ITTE eq; SVC #1; MOV r1, #1; MOV r2, #2
    CHECK(machine.run({0x2800, 0xBF06, 0xDF01, 0x2101, 0x2202}) == Stop::Semihosting);
    // 0x06 after one instruction is 0x0C: one more "eq", then "ne".
    CHECK(log == Log{"call 4102 it 12"});
    CHECK(machine.reg(1) == 1);
    CHECK(machine.reg(2) == 0);
}

TEST_CASE("a breakpoint ignores the condition of its IT block") {
    Machine machine;
    machine.set(0, 1);
    CHECK(machine.run({0x2800, 0xBF08, 0xBEAB, 0x2101}) == Stop::Semihosting);  // IT eq; BKPT
    CHECK(machine.core.pc() == Machine::kCode + 4);
}

TEST_CASE("a breakpoint that nobody answers is the system's") {
    Log log;
    Machine machine(std::make_unique<Recorder>(log));
    CHECK(machine.run({0xBE01}) == Stop::Lockup);
    CHECK(log == Log{"breakpoint 4096"});
}

TEST_CASE("table branches jump by twice the entry") {
    Machine machine;
    machine.set_word(Machine::kData, 0x00030200);
    machine.set(0, Machine::kData);
    machine.set(1, 1);
    SUBCASE("bytes") {
        // TBB [r0, r1] with entry 2: PC 0x1004 + 4. MOVS r2, #1; MOVS r3, #1; MOVS r4, #1
        CHECK(machine.run({0xE8D0, 0xF001, 0x2201, 0x2301, 0x2401}) == Stop::Semihosting);
        CHECK(machine.reg(2) == 0);
        CHECK(machine.reg(3) == 0);
        CHECK(machine.reg(4) == 1);
    }
    SUBCASE("halfwords") {
        // TBH [r0, r1, LSL #1] with entry 3
        CHECK(machine.run({0xE8D0, 0xF011, 0x2201, 0x2301, 0x2401, 0x2501}) == Stop::Semihosting);
        CHECK(machine.reg(4) == 0);
        CHECK(machine.reg(5) == 1);
    }
    SUBCASE("table behind the instruction") {
        machine.set(1, 0);
        // TBB [pc, r1]; .byte 1, 0; MOVS r2, #1
        CHECK(machine.run({0xE8DF, 0xF001, 0x0001, 0x2201}) == Stop::Semihosting);
        CHECK(machine.reg(2) == 1);
    }
}

TEST_CASE("branches by register") {
    Machine machine;
    SUBCASE("BLX to its own link register reads it before it writes it") {
        machine.set(14, Machine::kCode + 5);
        CHECK(machine.run({0x47F0, 0x2101, 0x2201}) == Stop::Semihosting);  // BLX lr
        CHECK(machine.reg(1) == 0);
        CHECK(machine.reg(2) == 1);
        CHECK(machine.reg(14) == Machine::kCode + 3);
    }
    SUBCASE("BX without the Thumb bit") {
        machine.set(0, Machine::kCode);
        const Stop stop = machine.run({0x4700});
        CHECK(machine.faulted(stop, Exception::UsageFault, cfsr::kInvState));
    }
    SUBCASE("BX PC goes to an address without the Thumb bit") {
        machine.state().r[15] = 0;
        const Stop stop = machine.run({0x4778});
        CHECK(machine.faulted(stop, Exception::UsageFault, cfsr::kInvState));
        CHECK(machine.state().pc == Machine::kCode + 4);
    }
    SUBCASE("Non-secure state has no BXNS") {
        machine.state().secure = false;
        const Stop stop = machine.run({0x4774});
        CHECK(machine.faulted(stop, Exception::UsageFault, cfsr::kUndefInstr));
    }
}

TEST_CASE("counted loops") {
    Machine machine;
    machine.set(0, 3);
    SUBCASE("DLS and LE") {
        // DLS lr, r0; ADDS r1, #1; LE lr, back to ADDS
        CHECK(machine.run({0xF040, 0xE001, 0x3101, 0xF00F, 0xC803}) == Stop::Semihosting);
        CHECK(machine.reg(1) == 3);
        CHECK(machine.reg(14) == 1);
    }
    SUBCASE("WLS with a count") {
        // WLS lr, r0, to the end; ADDS r1, #1; LE lr
        CHECK(machine.run({0xF040, 0xC005, 0x3101, 0xF00F, 0xC803, 0x2201}) == Stop::Semihosting);
        CHECK(machine.reg(1) == 3);
        CHECK(machine.reg(2) == 1);
    }
    SUBCASE("WLS without") {
        machine.set(0, 0);
        machine.set(14, 0x99);
        // WLS lr, r0, #8: PC 0x1004 + 8, past MOVS r2
        CHECK(machine.run({0xF040, 0xC005, 0x3101, 0xF00F, 0xC803, 0x2201}) == Stop::Semihosting);
        CHECK(machine.reg(1) == 0);
        CHECK(machine.reg(2) == 0);
        CHECK(machine.reg(14) == 0x99);
    }
}

TEST_CASE("tail-predicated loops count elements") {
    for (const std::uint32_t elements : {1u, 4u, 5u, 8u, 9u}) {
        CAPTURE(elements);
        Machine machine;
        machine.set(0, elements);
        // DLSTP.32 lr, r0; ADDS r1, #1; LETP lr
        CHECK(machine.run({0xF020, 0xE001, 0x3101, 0xF01F, 0xC803}) == Stop::Semihosting);
        CHECK(machine.reg(1) == (elements + 3) / 4);
        CHECK(machine.state().ltpsize == 4);
    }
}

TEST_CASE("LE refuses to end a tail-predicated loop, LCTP makes it one no longer") {
    Machine machine;
    machine.set(0, 9);
    const Stop stop = machine.run({0xF020, 0xE001, 0x3101, 0xF00F, 0xC803});  // DLSTP; ...; LE
    CHECK(machine.faulted(stop, Exception::UsageFault, cfsr::kInvState));
    CHECK(machine.core.pc() == Machine::kCode + 6);
    CHECK(machine.reg(1) == 1);
    machine.set(1, 0);
    // DLSTP.32 lr, r0; LCTP; ADDS r1, #1; LE lr
    CHECK(machine.run({0xF020, 0xE001, 0xF00F, 0xE001, 0x3101, 0xF00F, 0xC803}) ==
          Stop::Semihosting);
    CHECK(machine.reg(1) == 9);
}

TEST_CASE("waiting") {
    Machine machine;
    SUBCASE("WFI sleeps behind itself") {
        CHECK(machine.run({0xBF30}) == Stop::Sleep);
        CHECK(machine.core.pc() == Machine::kCode + 2);
    }
    SUBCASE("WFE sleeps without an event") {
        CHECK(machine.run({0xBF20}) == Stop::Sleep);
    }
    SUBCASE("an event passes one WFE, the next one sleeps") {
        CHECK(machine.run({0xBF40, 0xBF20, 0x2101, 0xF3AF, 0x8002, 0x2201}) == Stop::Sleep);
        CHECK(machine.reg(1) == 1);
        CHECK(machine.reg(2) == 0);
        CHECK(machine.core.pc() == Machine::kCode + 10);
        machine.core.receive_event();
        CHECK(machine.core.run(1000) == Stop::Semihosting);
        CHECK(machine.reg(2) == 1);
    }
}

TEST_CASE("special registers") {
    Log log;
    Machine machine(std::make_unique<Recorder>(log));
    machine.set(0, 0x12345678);
    // MRS r1, PRIMASK; MRS r2, MSPLIM_NS; MSR CONTROL, r0; MSR BASEPRI_MAX, r0
    CHECK(machine.run({0xF3EF, 0x8110, 0xF3EF, 0x828A, 0xF380, 0x8814, 0xF380, 0x8812}) ==
          Stop::Semihosting);
    CHECK(machine.reg(1) == 0x1010);
    CHECK(machine.reg(2) == 0x108A);
    CHECK(log == Log{"read 16", "read 138", "write 20 2 305419896", "write 18 2 305419896"});
    log.clear();
    // CPSID i; CPSIE if; CPSID none
    CHECK(machine.run({0xB672, 0xB663, 0xB670}) == Stop::Semihosting);
    CHECK(log == Log{"disable i", "enable i f", "disable"});
}

TEST_CASE("MSR writes the parts of APSR that it names") {
    Machine machine;
    machine.set(0, 0xFFFFFFFF);
    CHECK(machine.run({0xF380, 0x8400, 0xF3EF, 0x8100}) == Stop::Semihosting);  // APSR_g; MRS r1
    CHECK((machine.reg(1) & 0x000F0000) == 0x000F0000);
    CHECK((machine.reg(1) & 0xB8000000) == 0);
    machine.set(0, 0);
    machine.set(2, 0x98000000);
    // MSR APSR_nzcvqg, r0; MSR APSR_nzcvq, r2; MRS r1, APSR
    CHECK(machine.run({0xF380, 0x8C00, 0xF382, 0x8800, 0xF3EF, 0x8100}) == Stop::Semihosting);
    CHECK(machine.reg(1) == 0x98000000);
}

TEST_CASE("TT and SG ask the system") {
    Log log;
    Machine machine(std::make_unique<Recorder>(log));
    machine.set(0, 16);
    // TT, TTT, TTA, TTAT r1, r0
    CHECK(machine.run({0xE840, 0xF100, 0xE840, 0xF140, 0xE840, 0xF180, 0xE840, 0xF1C0}) ==
          Stop::Semihosting);
    CHECK(log == Log{"test 16", "test 16 t", "test 16 a", "test 16 t a"});
    CHECK(machine.reg(1) == 0x42);
    log.clear();
    machine.state().secure = false;
    CHECK(machine.faulted(machine.run({0xE840, 0xF180}), Exception::UsageFault,
                          cfsr::kUndefInstr));  // TTA
    CHECK(machine.run({0xE97F, 0xE97F, 0x2101}) == Stop::Semihosting);
    CHECK(log == Log{"gateway 4096"});
    CHECK(machine.state().secure);
    CHECK(machine.reg(1) == 1);
}

TEST_CASE("what is not there faults") {
    Machine machine;
    for (const auto& code : {std::pair<std::uint16_t, std::uint16_t>{0xEE01, 0x2310},  // MCR p3
                             {0xFC53, 0x2110},                                         // MRRC2 p1
                             {0xED91, 0x2301},                                         // LDC p3
                             {0xEE01, 0x2D00}}) {                                      // CDP p13
        CAPTURE(code.first);
        CHECK(machine.faulted(machine.run({code.first, code.second}), Exception::UsageFault,
                              cfsr::kNoCp));
    }
    for (const auto& code : {std::pair<std::uint16_t, std::uint16_t>{0xDEFF, 0xBF00},  // UDF
                             {0xF7F0, 0xA000},                                         // UDF.W
                             {0xBA80, 0xBF00}}) {  // HLT of other profiles
        CAPTURE(code.first);
        CHECK(machine.faulted(machine.run({code.first, code.second}), Exception::UsageFault,
                              cfsr::kUndefInstr));
    }
}

TEST_CASE("every row has a title of its own and prints all its directives") {
    std::set<std::string> titles;
    for (const isa::Family& family : isa::families()) {
        for (const isa::Row& row : family.rows) {
            CAPTURE(row.title);
            CHECK(titles.insert(row.title).second);
            const std::string text = isa::print(row, row.pattern.value);
            CHECK(text.find("{?") == std::string::npos);
        }
    }
}
