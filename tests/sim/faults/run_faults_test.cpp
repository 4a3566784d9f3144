// SPDX-License-Identifier: Apache-2.0
// `n6vp run` with programs that fault, each in a way of its own: what the report says of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kNowhere = 0x60001230, kFirstCode = kBase + Thumb::kVectors;
constexpr std::uint32_t kNpu = 0x580E0000, kEngine0 = kNpu + 0x5000, kController = kNpu + 0x1E000;

struct Run {
    Outcome outcome;
    Json report;
    /// The first fault of a kind; an empty object if there is none.
    [[nodiscard]] Json fault(const std::string& kind) const {
        for (const Json& one : report["faults"]) {
            if (one["kind"] == kind) return one;
        }
        return Json::object();
    }
};

Run run(const Thumb& program, std::vector<std::string> options = {}) {
    const Workdir room;
    options.insert(options.end(), {"--report", room.folder.file("r.json")});
    Run result{room.run(program, options), {}};
    result.report = room.report();
    return result;
}

/// The text of the instruction that the report points at.
std::string marked(const Json& fault) {
    for (const Json& line : fault["code"]) {
        if (line["marked"] == true) return line["text"];
    }
    return "";
}

bool any_has(const Json& list, const std::string& part) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Json& one) { return has(one.get<std::string>(), part); });
}

/// Clocks of all units of the NPU.
Thumb awake() {
    Thumb program;
    program.write(kNpu, 1).write(kNpu + 8, 0xFFFFFFFF).write(kNpu + 0xC, 0xFFFFFFFF);
    return program.write(kNpu + 0x10, 0x07FFFFFF);
}
/// Engine 0 with 64 bytes at `address`; to memory with `control` bit 3, else from it.
Thumb engine(std::uint32_t address, std::uint32_t control) {
    Thumb program = awake();
    program.write(kEngine0 + 8, address).write(kEngine0 + 0xC, 64).write(kEngine0 + 0x24, 0x24);
    program.write(kEngine0 + 0x30, 6).write(kEngine0 + 0x34, 1);
    return program.write(kEngine0, 0x00080105 | control);
}
constexpr std::uint32_t kToMemory = 8;

Thumb sleeping(Thumb program) {
    return program.raw({0xBF30, 0xE7FD});  // WFI for ever
}
/// SVC with the usual end behind it.
Thumb& supervisor_call(Thumb& program) {
    return program.raw({0xDF00, 0xE7FE});
}

}  // namespace

TEST_CASE("faults: a read where there is no memory") {
    Thumb program;
    program.set(1, kNowhere).load(0, 1).raw({0xE7FE});
    const Run result = run(program);
    CHECK(result.outcome.exit_code == 3);
    const Json fault = result.fault("bus_fault");
    REQUIRE_FALSE(fault.empty());
    CHECK(fault["ended_run"] == true);
    CHECK(fault["pc"] == "0x34000048");  // behind MOVW and MOVT
    CHECK(fault["access"]["address"] == "0x60001230");
    CHECK(fault["access"]["bytes"] == 4);
    CHECK(fault["access"]["kind"] == "read");
    CHECK(fault["status"] == "PRECISERR");
    CHECK(has(fault["rule"], "no memory at this address"));
    CHECK(has(fault["remedy"], "nearest memory"));
    CHECK(has(marked(fault), "[r1]"));
    CHECK(fault["code"].size() >= 3);
    CHECK(fault["registers"][1] == "0x60001230");
    // No vector leads to a handler.
    CHECK(any_has(fault["nested"], "lockup"));
    for (const char* part : {"bus fault: core: read of 4 bytes at 0x60001230", "0x34000048",
                             "PRECISERR", "nearest memory"}) {
        CAPTURE(part);
        CHECK(has(result.outcome.err, part));
    }
}

TEST_CASE("faults: a fault that no handler may take locks the core up at once") {
    // FAULTMASK raises the priority above that of HardFault: Armv8-M, lockup.
    Thumb program;
    program.raw({0xB671}).set(1, kNowhere).load(0, 1).raw({0xE7FE});  // CPSID f
    const Run masked = run(program);
    CHECK(masked.outcome.exit_code == 3);
    CHECK(masked.report["end"] == "lockup");
    const Json fault = masked.fault("bus_fault");
    REQUIRE_FALSE(fault.empty());
    CHECK(fault.value("nested", Json()) == Json{"no handler could take it: lockup"});
    CHECK(has(masked.outcome.err, "no handler could take it: lockup"));
    // Without it HardFault is tried, whose vector leads nowhere.
    Thumb plain;
    plain.set(1, kNowhere).load(0, 1).raw({0xE7FE});
    const Run tried = run(plain);
    CHECK(tried.report["end"] == "lockup");
    const Json nested = tried.fault("bus_fault").value("nested", Json());
    REQUIRE(nested.size() == 1);
    CHECK(has(nested[0], " at pc 0x00000000 "));
    CHECK(nested[0].get<std::string>().ends_with(": lockup of the core"));
    CHECK_FALSE(has(tried.outcome.err, "no handler could take it"));
}

TEST_CASE("faults: a few instructions around the one at fault are listed, however long the code") {
    Thumb program;
    for (int i = 0; i < 30; ++i) program.raw({0xBF00});  // NOP
    program.set(1, kNowhere).load(0, 1);
    for (int i = 0; i < 30; ++i) program.raw({0xBF00});
    const Json code = run(program.raw({0xE7FE})).fault("bus_fault")["code"];
    REQUIRE(code.is_array());
    CHECK(code.size() >= 3);
    CHECK(code.size() < 20);
    CHECK(code[0]["marked"] == false);
    CHECK(code[code.size() - 1]["marked"] == false);
}

TEST_CASE("faults: a write is told from a read, and flash refuses it") {
    Thumb program;
    program.write(0x71000000, 1).raw({0xE7FE});
    const Json fault = run(program).fault("bus_fault");
    REQUIRE_FALSE(fault.empty());
    CHECK(fault["access"]["kind"] == "write");
    CHECK(has(fault["access"]["region"], "XSPI2"));
    CHECK(has(fault["rule"], "read-only"));
}

TEST_CASE("faults: code that is not there is told with who went to it") {
    Thumb program;
    program.call(kNowhere).raw({0xE7FE});
    const Json fault = run(program).fault("bus_fault");
    REQUIRE_FALSE(fault.empty());
    CHECK(fault["status"] == "IBUSERR");
    CHECK(fault["access"]["kind"] == "fetch");
    CHECK(fault["access"]["address"] == "0x60001230");
    CHECK(has(fault["called_from"], "0x3400004a"));
    CHECK(fault["code"].empty());
}

TEST_CASE("faults: code in memory that is not for code") {
    Thumb program;
    program.call(0x50000000).raw({0xE7FE});
    const Json fault = run(program).fault("mem_fault");
    REQUIRE_FALSE(fault.empty());
    CHECK(fault["status"] == "IACCVIOL");
    CHECK(fault["pc"] == "0x50000000");
}

TEST_CASE("faults: usage faults by their names") {
    struct Row {
        const char* status;
        Thumb program;
    };
    std::vector<Row> rows;
    rows.push_back({"UNDEFINSTR", Thumb().raw({0xDE00, 0xE7FE})});
    rows.push_back({"NOCP", Thumb().raw({0xEE31, 0x0A01, 0xE7FE})});  // VADD.F32 s0, s2, s2
    rows.push_back({"INVSTATE", Thumb().set(3, kFirstCode).raw({0x4798, 0xE7FE})});  // BLX r3
    // CCR.DIV_0_TRP, CCR.UNALIGN_TRP
    rows.push_back({"DIVBYZERO", Thumb()
                                     .write(0xE000ED14, 0x210)
                                     .set(0, 0)
                                     .raw({0xFBB1, 0xF1F0, 0xE7FE})});  // UDIV r1, r1, r0
    rows.push_back(
        {"UNALIGNED", Thumb().write(0xE000ED14, 0x208).set(1, kBase + 1).load(0, 1).raw({0xE7FE})});
    for (Row& row : rows) {
        CAPTURE(row.status);
        const Run result = run(row.program);
        CHECK(result.outcome.exit_code == 3);
        const Json fault = result.fault("usage_fault");
        REQUIRE_FALSE(fault.empty());
        CHECK(fault["status"] == row.status);
        CHECK_FALSE(fault["rule"].get<std::string>().empty());
        CHECK_FALSE(fault["remedy"].get<std::string>().empty());
    }
}

TEST_CASE("faults: non-secure code at secure memory") {
    // SAU region 0: the non-secure alias of the bank that the program is in.
    Thumb program;
    program.write(0xE000EDD8, 0).write(0xE000EDDC, 0x24000000).write(0xE000EDE0, 0x240FFFE1);
    program.write(0xE000EDD0, 1).barrier();
    // The code below, by that alias: LDR r0, [r1] of the secure one.
    const std::size_t jump = program.set(1, kBase).code().size();
    const std::uint32_t target =
        0x24000000 + Thumb::kVectors + 2 * (static_cast<std::uint32_t>(jump) + 4 + 1);
    program.set(3, target).raw({0x471C});  // BXNS r3
    program.load(0, 1).raw({0xE7FE});
    const Run result = run(program);
    CHECK(result.outcome.exit_code == 3);
    const Json fault = result.fault("secure_fault");
    REQUIRE_FALSE(fault.empty());
    CHECK(fault["status"] == "AUVIOL");
    CHECK(has(fault["state"], "non-secure"));
    CHECK(fault["access"]["address"] == "0x34000000");
}

TEST_CASE("faults: secure code that goes to non-secure memory without leaving its state") {
    // SAU region 0 as above; BX in place of BXNS.
    Thumb program;
    program.write(0xE000EDD8, 0).write(0xE000EDDC, 0x24000000).write(0xE000EDE0, 0x240FFFE1);
    program.write(0xE000EDD0, 1).barrier();
    program.set(3, 0x24000000 + Thumb::kVectors + 1).raw({0x4718});
    const Run result = run(program);
    CHECK(result.outcome.exit_code == 3);
    const Json fault = result.fault("secure_fault");
    REQUIRE_FALSE(fault.empty());
    CHECK(fault["status"] == "INVTRAN");
}

TEST_CASE("faults: a fault in the handler of an interrupt names its line") {
    // Line 53, NPU0, pended by software; a vector table of its own.
    constexpr std::uint32_t kTable = 0x34001000;
    Thumb program;
    program.raw({0xE005}).set(1, kNowhere).load(0, 1).ret();  // B over the handler
    program.write(kTable + 4 * (16 + 53), (kFirstCode + 2) | 1).write(0xE000ED08, kTable);
    program.write(0xE000E104, 1u << 21).write(0xE000E204, 1u << 21).barrier();
    const Run result = run(program.raw({0xE7FE}));
    CHECK(result.outcome.exit_code == 3);
    const Json fault = result.fault("bus_fault");
    REQUIRE_FALSE(fault.empty());
    CHECK(has(fault["state"], "handler of interrupt 53 (NPU0)"));
}

TEST_CASE("faults: no way to a handler") {
    // VTOR, SVC
    Thumb no_vectors;
    supervisor_call(no_vectors.write(0xE000ED08, 0x60000000).barrier());
    const Run lost = run(no_vectors);
    CHECK(lost.outcome.exit_code == 3);
    REQUIRE_FALSE(lost.report["faults"].empty());
    CHECK(has(lost.report["faults"][0]["rule"], "vector table"));
    // SP where there is no memory
    Thumb no_stack;
    supervisor_call(no_stack.set(1, kNowhere).raw({0x468D}));
    const Run blind = run(no_stack);
    CHECK(blind.outcome.exit_code == 3);
    CHECK(blind.fault("bus_fault")["status"] == "STKERR");
}

TEST_CASE("faults: BKPT that nobody answers") {
    const Run result = run(Thumb().raw({0xBE01, 0xE7FE}));
    CHECK(result.outcome.exit_code == 3);
    const Json fault = result.fault("hard_fault");
    REQUIRE_FALSE(fault.empty());
    CHECK(has(fault["rule"], "BKPT"));
    CHECK(has(marked(fault), "1"));
}

TEST_CASE("faults: a handler that returns has dealt with it, one that ends the run has not") {
    // The vector of HardFault goes to a routine that skips the load, or exits with 7.
    for (const bool ends : {false, true}) {
        CAPTURE(ends);
        Thumb program;
        program.raw({0xE000 | 9});  // over the handler
        const std::size_t handler = program.code().size();
        if (ends) {
            program.write(kExit, 7);
        } else {
            // LDR r0, [sp, #24]; ADDS r0, #2; STR r0, [sp, #24]; BX lr
            program.raw({0x9806, 0x3002, 0x9006, 0x4770});
        }
        while (program.code().size() < handler + 10) program.raw({0xBF00});
        const std::uint32_t entry = kFirstCode + 2 * static_cast<std::uint32_t>(handler) + 1;
        program.write(kBase + 0x0C, entry).barrier();
        program.set(1, kNowhere).load(0, 1).write(kExit, 0).raw({0xE7FE});
        const Run result = run(program);
        CHECK(result.outcome.exit_code == (ends ? 3 : 0));
        CHECK(result.report["faults"].size() == (ends ? 1 : 0));
        if (ends) CHECK(result.fault("bus_fault")["ended_run"] == true);
    }
}

TEST_CASE("faults: an access that is answered with zero goes on, and counts under --strict") {
    // AXISRAM3 without power.
    Thumb program;
    program.write(0x52023100, 1u << 20).set(1, 0x34200000).load(0, 1).write(kExit, 0).raw({0xE7FE});
    const Run result = run(program);
    CHECK(result.outcome.exit_code == 0);
    const Json fault = result.fault("denied_access");
    REQUIRE_FALSE(fault.empty());
    CHECK(fault["ended_run"] == false);
    CHECK(has(fault["rule"], "answered with zero"));
    CHECK(has(marked(fault), "[r1]"));
    CHECK(has(result.outcome.out, "faults handled by the program"));
    CHECK(run(program, {"--strict"}).outcome.exit_code == 3);
}

TEST_CASE("faults: stale code is told with the place that ran it") {
    // Caches on; a BX lr is stored, and executed while it is in the D-cache only.
    constexpr std::uint32_t kThere = 0x34010000;
    Thumb program;
    program.caches().write(kThere, 0x47704770).call(kThere).write(kExit, 0).raw({0xE7FE});
    const Run result = run(program);
    const Json fault = result.fault("stale_bytes");
    REQUIRE_FALSE(fault.empty());
    CHECK(has(fault["remedy"], "clean"));
    CHECK(fault["access"]["address"] == "0x34010000");
    CHECK(has(fault["pc"], "0x3401000"));
}

TEST_CASE("faults: a buffer that an engine still writes") {
    Thumb program = engine(0x34200000, kToMemory);
    program.set(1, kEngine0).load(0, 1);  // waits for the writes before
    program.set(1, 0x34200000).load(0, 1).write(kExit, 0).raw({0xE7FE});
    const Run result = run(program);
    CHECK(result.outcome.exit_code == 0);
    const Json fault = result.fault("buffer_in_use");
    REQUIRE_FALSE(fault.empty());
    CHECK(fault["access"]["address"] == "0x34200000");
    CHECK(has(fault["rule"], "STRENG0"));
    CHECK(has(fault["remedy"], "epoch"));
    CHECK(has(marked(fault), "[r1]"));
}

TEST_CASE("faults: an epoch in which nothing goes on") {
    const Run result = run(sleeping(engine(0x34200000, kToMemory)));
    CHECK(result.outcome.exit_code == 3);
    const Json fault = result.fault("npu_deadlock");
    REQUIRE_FALSE(fault.empty());
    CHECK(fault["ended_run"] == true);
    CHECK(has(fault["cause"], "STRENG0"));
    // And where the program waits for it.
    const Json waiting = result.fault("no_progress");
    CHECK(has(waiting["cause"], "sleeps"));
    CHECK(any_has(waiting["waiting"], "STRENG0"));
}

TEST_CASE("faults: an engine that reads where there is nothing") {
    const Run result = run(sleeping(engine(kNowhere, 0)));
    CHECK(result.outcome.exit_code == 3);
    const Json fault = result.fault("npu_bus_error");
    REQUIRE_FALSE(fault.empty());
    CHECK(fault["who"] == "NPU STRENG0");
    CHECK(has(fault["cause"], "no memory at this address"));
    CHECK(has(fault["remedy"], "nearest memory"));
}

TEST_CASE("faults: a blob that is none") {
    Thumb program = awake();
    program.write(0x34100000, 0x12345678).write(0x34100004, 1);
    program.write(kController + 8, 0x34100000).write(kController, 1);
    const Run result = run(sleeping(program));
    CHECK(result.outcome.exit_code == 3);
    const Json fault = result.fault("npu_program");
    REQUIRE_FALSE(fault.empty());
    CHECK(has(fault["cause"], "0x12345678"));
    CHECK(has(fault["remedy"], "ecdump"));
}

TEST_CASE("no progress: asleep, with what could wake the core") {
    // NVIC line 53 pending, not enabled; PRIMASK.
    Thumb program;
    program.write(0xE000E204, 1u << 21).write(0xE000E110, 1u << 31).raw({0xB672});
    const Run result = run(sleeping(program));
    CHECK(result.outcome.exit_code == 5);
    const Json report = result.fault("no_progress");
    REQUIRE_FALSE(report.empty());
    CHECK(has(report["cause"], "sleeps"));
    CHECK(any_has(report["waiting"], "159 (USART1)"));
    CHECK(any_has(report["waiting"], "not enabled: 53 (NPU0)"));
    CHECK(any_has(report["waiting"], "PRIMASK"));
    CHECK(has(result.outcome.err, "53 (NPU0)"));
}

TEST_CASE("no progress: a loop, with what it reads") {
    // A word until its bit 31 is clear: never, as memory holds 0xA5 after power-up.
    Thumb program;
    program.set(1, 0x34100000);
    const std::size_t loop = program.code().size();
    program.load(0, 1).raw({0x0FC0});  // LSRS r0, #31
    const auto back = static_cast<int>(loop) - static_cast<int>(program.code().size()) - 2;
    program.raw({0xD100u | (static_cast<unsigned>(back) & 0xFF)}).raw({0xE7FE});
    const Run result = run(program, {"--max-time", "6ms"});
    CHECK(result.outcome.exit_code == 5);
    const Json report = result.fault("no_progress");
    REQUIRE_FALSE(report.empty());
    CHECK(has(report["cause"], "was found between 0x3400004"));
    CHECK(any_has(report["waiting"], "reads 0x34100000 (AXISRAM2+0x0"));
    // The very same loop from another place in the same run would be none: a short run is not told.
    const Run shorter = run(program, {"--max-time", "1ms"});
    CHECK(has(shorter.fault("limit")["cause"], "not in a polling loop"));
}

TEST_CASE("no progress: a loop of forty bytes is a small one") {
    Thumb program;
    for (int i = 0; i < 20; ++i) program.raw({0xBF00});  // NOP
    program.raw({0xE000u | (static_cast<unsigned>(-22) & 0x7FF)});
    const Run result = run(program, {"--max-time", "8ms"});
    CHECK(result.outcome.exit_code == 5);
    CHECK(has(result.fault("no_progress")["cause"], "no progress: for "));
}

TEST_CASE(
    "no progress: eight instructions are listed on either side, and the time is not overstated") {
    Thumb program;
    for (int i = 0; i < 40; ++i) program.raw({0xBF00});  // NOP
    program.raw({0xE7FE});                               // for ever
    for (int i = 0; i < 40; ++i) program.raw({0xBF00});
    const Json report = run(program, {"--max-time", "8ms"}).fault("no_progress");
    REQUIRE_FALSE(report.empty());
    const Json& code = report["code"];
    REQUIRE(code.size() == 17);
    CHECK(code[8]["marked"] == true);
    // Looks 1 ms apart: the first after 1 ms, the last after 8 ms at the latest.
    CHECK(has(report["cause"], "no progress: for "));
    const std::string cause = report["cause"];
    const std::size_t digits = cause.find("for ") + 4;
    CHECK(std::stod(cause.substr(digits)) >= 5);
    CHECK(std::stod(cause.substr(digits)) <= 7);
}

TEST_CASE("no progress: places of 256 bytes are a small loop, those further apart are not") {
    // Two waits of 0.7 ms each, in turn: looks 1 ms apart find the core in both.
    const auto cause_of = [](std::size_t second) {
        Thumb program;
        const auto wait = [&program] {
            program.set(0, 20'000);
            const std::size_t again = program.code().size();
            program.subtract(0, 1).repeat(again);
        };
        const auto go_to = [&program](std::size_t place) {  // B
            const auto by = static_cast<int>(place) - static_cast<int>(program.code().size()) - 2;
            program.raw({0xE000u | (static_cast<unsigned>(by) & 0x7FF)});
        };
        wait();
        go_to(second / 2);
        while (program.code().size() < second / 2) program.raw({0xBF00});  // NOP
        wait();
        go_to(0);
        const Run result = run(program, {"--max-quiet", "100us"});
        CHECK(result.report["end"] == "no_progress");
        return result.fault("no_progress")["cause"].get<std::string>();
    };
    // SUBS and BNE stand 8 and 10 bytes behind the start of a wait.
    const std::string small = cause_of(254);
    CHECK(has(small, "found between 0x340000"));
    CHECK_FALSE(has(small, "now at"));
    CHECK(has(cause_of(260), ", now at 0x3400"));
}

TEST_CASE("no progress: SysTick counts as running with its interrupt, masks by security state") {
    const auto waiting = [](std::uint32_t control) {
        Thumb program;
        program.raw({0xB672});  // CPSID i
        program.write(0xE000E014, 79'999).write(0xE000E018, 0).write(0xE000E010, control);
        const Run result = run(program.raw({0xE7FE}), {"--max-quiet", "4ms"});
        CHECK(result.outcome.exit_code == 3);
        return result.fault("no_progress")["waiting"];
    };
    const Json with = waiting(7);
    CHECK(any_has(with, "SysTick runs with interrupt"));
    CHECK(any_has(with, "masked by PRIMASK_S"));
    CHECK_FALSE(any_has(with, "PRIMASK_NS"));
    CHECK_FALSE(any_has(waiting(5), "SysTick"));  // ENABLE without TICKINT
}

TEST_CASE("no progress: in Stop mode SysTick, which stands, is not what the core waits for") {
    Thumb program;
    program.write(0xE000ED10, 4);  // SLEEPDEEP
    program.write(0xE000E014, 79'999).write(0xE000E018, 0).write(0xE000E010, 7);
    const Run result = run(program.barrier().raw({0xBF30, 0xE7FE}), {"--max-time", "4ms"});
    const Json waiting = result.fault("no_progress")["waiting"];
    CHECK(any_has(waiting, "SysTick is stopped"));
    CHECK_FALSE(any_has(waiting, "SysTick runs"));
}

TEST_CASE("no progress: the report names a register that was overwritten since") {
    // PWR_SVMCR3 until bit 31, which never comes. The register that holds its address takes what is
    // read, then the bit; r6 and r7 were the base of loads before the loop.
    Thumb program;
    program.set(6, 0x34100000).raw({0x6837, 0x6836});           // LDR r7, [r6]; LDR r6, [r6]
    if (program.code().size() % 2 != 0) program.raw({0xBF00});  // the constant is aligned
    program.raw({0x4B03, 0x6BDB, 0x0FDB, 0xD0FB});  // LDR r3, =; LDR r3, [r3, #0x3c]; LSRS; BEQ
    program.raw({0xE7FE, 0xBF00, 0xBF00, 0xBF00, 0x4800, 0x5602});
    const Run result = run(program, {"--max-time", "6ms"});
    const Json report = result.fault("no_progress");
    REQUIRE_FALSE(report.empty());
    CHECK(any_has(report["waiting"], "reads 0x5602483c (PWR+0x3c)"));
    int reads = 0;
    for (const Json& line : report["waiting"]) reads += has(line, ": reads ") ? 1 : 0;
    CHECK(reads == 1);
}

TEST_CASE("no progress: an endless loop ends a run without limits") {
    const Run result = run(endless(), {"--max-quiet", "5ms"});
    CHECK(result.outcome.exit_code == 3);
    CHECK(result.report["end"] == "no_progress");
    CHECK(has(result.outcome.err, "the program makes no progress, pc 0x34000040"));
    const Json report = result.fault("no_progress");
    REQUIRE_FALSE(report.empty());
    CHECK(has(report["cause"], "no progress: for 6.0 ms"));  // the first look is after 1 ms
    CHECK(has(report["cause"], "between 0x34000040 and 0x34000040"));
    CHECK(has(report["remedy"], "--max-quiet"));
    // What is no poll of the loop is not told as one.
    CHECK_FALSE(any_has(report["waiting"], "reads"));
    CHECK(result.report["time_ps"].get<double>() < 8e9);
    CHECK(run(endless(), {"--max-quiet", "0s", "--max-time", "8ms"}).outcome.exit_code == 5);
}

TEST_CASE("no progress: polls of memory and of a device that never answer") {
    // Bit 31 of a word that nobody writes, and of USART1_ISR.
    for (const char* const poll : {"reads 0x34100000 (AXISRAM2+0x0", "reads 0x5200101c"}) {
        CAPTURE(poll);
        Thumb program;
        program.write(0x34100000, 0).set(1, has(poll, "0x52") ? 0x5200101C : 0x34100000);
        const std::size_t loop = program.code().size();
        program.load(0, 1).raw({0x0FC0});  // LSRS r0, #31
        const auto back = static_cast<int>(loop) - static_cast<int>(program.code().size()) - 2;
        program.raw({0xD000u | (static_cast<unsigned>(back) & 0xFF)}).raw({0xE7FE});
        const Run result = run(program, {"--max-quiet", "4ms"});
        CHECK(result.outcome.exit_code == 3);
        CHECK(any_has(result.fault("no_progress")["waiting"], poll));
    }
}

TEST_CASE("no progress: a block without a model was given as a part of the one below") {
    // Bit 31 of a word of VREFBUF, which gives zero for ever.
    Thumb program;
    program.set(1, 0x56003C04);
    const std::size_t loop = program.code().size();
    program.load(0, 1).raw({0x0FC0});  // LSRS r0, #31
    const auto back = static_cast<int>(loop) - static_cast<int>(program.code().size()) - 2;
    program.raw({0xD000u | (static_cast<unsigned>(back) & 0xFF)}).raw({0xE7FE});
    const Run result = run(program, {"--max-quiet", "4ms"});
    CHECK(result.outcome.exit_code == 3);
    const Json report = result.fault("no_progress");
    REQUIRE_FALSE(report.empty());
    CHECK(any_has(report["waiting"], "reads 0x56003c04 (no known peripheral)"));
    CHECK(report["remedy"] ==
          "nothing is modelled at 0x56003c04, reads give zero: the loop may never end");
}

TEST_CASE("no progress: asleep, although a frame of the serial port is on its way") {
    // 1.7 s of simulated time per character.
    Thumb program;
    program.write(0x5200102C, 11).write(0x5200100C, 0xFFFF).write(0x52001000, 1u << 29 | 9);
    program.write(0x52001028, 'a').write(0x52001028, 'b').raw({0xBF30, 0xE7FD});  // WFI
    const Run result = run(program, {"--max-quiet", "5ms"});
    CHECK(result.outcome.exit_code == 3);
    const Json report = result.fault("no_progress");
    REQUIRE_FALSE(report.empty());
    CHECK(has(report["cause"], "the core sleeps"));
    CHECK(has(report["cause"], "for 5."));
}

TEST_CASE("no progress: a program that computes for long is none, one that counts for ever is") {
    // 300,000 rounds of 27 cycles, without caches: 10 ms.
    Thumb counting;
    counting.set(0, 300'000);
    const std::size_t again = counting.code().size();
    counting.subtract(0, 1).repeat(again);
    const Run well = run(counting.write(kExit, 0).raw({0xE7FE}), {"--max-quiet", "1ms"});
    CHECK(well.outcome.exit_code == 0);
    CHECK(well.report["time_ps"].get<double>() > 5e9);
    const Run never = run(Thumb().raw({0x3001, 0xE7FD}), {"--max-quiet", "100us"});  // ADDS r0, #1
    CHECK(never.outcome.exit_code == 3);
    CHECK(never.report["end"] == "no_progress");
    CHECK(never.report["time_ps"].get<double>() >= 6e9);
}

TEST_CASE("no progress: ticks of SysTick are some") {
    // A handler that returns, every 8000 cycles; the program sleeps.
    Thumb program;
    program.raw({0xE000, 0x4770});
    program.write(kBase + 4 * 15, (kBase + Thumb::kVectors + 2) | 1);
    program.write(0xE000E014, 7999).write(0xE000E018, 0).write(0xE000E010, 7);
    program.raw({0xBF30, 0xE7FD});
    const Run result = run(program, {"--max-quiet", "2ms", "--max-time", "9ms"});
    CHECK(result.report["end"] == "limit");
}

TEST_CASE("faults: --dump keeps registers and memory") {
    const Workdir room;
    Thumb program;
    program.write(0x34100000, 0x12345678).set(1, kNowhere).load(0, 1).raw({0xE7FE});
    const std::string folder = room.folder.file("state");
    const Outcome outcome = room.run(program, {"--dump", folder, "--quiet"});
    CHECK(outcome.exit_code == 3);
    const Json state = Json::parse(read_text(folder + "/state.json"));
    CHECK(state["faults"][0]["kind"] == "bus_fault");
    CHECK(state["core"]["r"].size() == 16);
    const std::string memory = read_text(folder + "/AXISRAM2_0x34100000.bin");
    REQUIRE(memory.size() == 4096);
    CHECK(memory.substr(0, 4) == "\x78\x56\x34\x12");
    // What is there is never mixed with what was.
    CHECK(room.run(program, {"--dump", folder, "--quiet"}).exit_code == 2);
}
