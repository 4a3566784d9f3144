// SPDX-License-Identifier: Apache-2.0
// What `n6vp exec` sees of a run beside its end: missing cache maintenance, requests for a reset,
// registers that are not modelled, texts of the trace. Programs are encoded by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "sim/exec/exec_run.h"

using namespace n6vp::sim;
using Kind = n6vp::models::core::CoherenceEvent::Kind;
using n6vp::models::core::Timing;

namespace {

constexpr std::uint32_t kTcm = 0x10000000, kAxiRam = 0x34100000;
/// From the start of a program. All vectors but reset lead to the handler.
constexpr std::uint32_t kCode = 0x40, kHandler = 0x140, kData = 0x180;
constexpr std::uint16_t kNop = 0xBF00;

struct Source {
    std::uint32_t base = kTcm;
    std::vector<std::uint16_t> code, handler;
    std::vector<std::uint32_t> data;
};

ExecProgram program(const Source& source) {
    std::vector<std::uint8_t> bytes(0x400);
    const auto put = [&bytes](std::size_t at, const void* from, std::size_t count) {
        if (count != 0) std::memcpy(bytes.data() + at, from, count);
    };
    std::vector<std::uint32_t> vectors(16, (source.base + kHandler) | 1);
    vectors[0] = 0x30010000;
    vectors[1] = (source.base + kCode) | 1;
    put(0, vectors.data(), 64);
    put(kCode, source.code.data(), source.code.size() * 2);
    put(kHandler, source.handler.data(), source.handler.size() * 2);
    put(kData, source.data.data(), source.data.size() * 4);
    ExecProgram result;
    result.segments.push_back({source.base, bytes});
    return result;
}

ExecOutcome run(const Source& source, ExecSetup setup = {}, std::string* trace = nullptr) {
    std::ostringstream out, trace_out;
    setup.out = &out;
    setup.trace = trace != nullptr;
    setup.trace_out = &trace_out;
    if (setup.most_instructions == 0) setup.most_instructions = 100'000;
    ExecOutcome outcome = run_program(program(source), setup);
    if (trace != nullptr) *trace = trace_out.str();
    return outcome;
}

/// ldr rN, data word `index`, when `at` halfwords stand before it.
std::uint16_t load(unsigned reg, std::size_t at, unsigned index) {
    const auto pc = static_cast<std::uint32_t>((kCode + 2 * at + 4) & ~3u);
    return static_cast<std::uint16_t>(0x4800 | reg << 8 | (kData + 4 * index - pc) / 4);
}

void append_load(std::vector<std::uint16_t>& code, unsigned reg, unsigned index) {
    code.push_back(load(reg, code.size(), index));
}

/// A function of two instructions runs, its first is replaced, it runs again and what it returns is
/// the exit code. Both caches are on.
Source rewriting(bool clean, bool invalidate) {
    constexpr std::uint32_t kFunction = kAxiRam + kHandler;
    Source source;
    source.base = kAxiRam;
    source.handler = {0x2001, 0x4770};  // movs r0, #1; bx lr
    source.data = {0xE000ED14, 0x30000,    kFunction | 1,         0x2002,
                   0xE000EF68, 0xE000EF50, kAxiRam + kData + 0x40};
    source.data.resize(17);
    source.data[16] = 0x20026;  // the block of SYS_EXIT_EXTENDED; its code follows
    auto& code = source.code;
    append_load(code, 4, 0);
    code.push_back(0x6821);  // ldr r1, [r4]
    append_load(code, 2, 1);
    code.insert(code.end(), {0x4311, 0x6021, 0xF3BF, 0x8F6F});  // orrs r1, r2; str r1, [r4]; isb
    append_load(code, 5, 2);
    code.push_back(0x47A8);  // blx r5
    append_load(code, 6, 3);
    code.insert(code.end(), {0x3D01, 0x802E});  // subs r5, #1; strh r6, [r5]
    append_load(code, 7, 4);
    append_load(code, 3, 5);
    code.insert(code.end(),
                {clean ? std::uint16_t{0x603D} : kNop, 0xF3BF, 0x8F4F});  // str r5, [r7]
    code.push_back(invalidate ? 0x601D : kNop);                           // str r5, [r3]
    code.insert(code.end(), {0xF3BF, 0x8F4F, 0xF3BF, 0x8F6F, 0x3501, 0x47A8});
    append_load(code, 1, 6);
    code.insert(code.end(), {0x6048, 0x2020, 0xBEAB});  // str r0, [r1, #4]; movs r0, #0x20; bkpt
    return source;
}

/// Writes r5 = data word 1 to the register of data word 0, then exits with 0.
Source writing(std::uint32_t address, std::uint32_t value) {
    Source source;
    append_load(source.code, 4, 0);
    append_load(source.code, 5, 1);
    source.code.push_back(0x6025);  // str r5, [r4]
    append_load(source.code, 1, 2);
    source.code.insert(source.code.end(), {0x2018, 0xBEAB});  // movs r0, #0x18; bkpt 0xab
    source.data = {address, value, 0x20026};
    return source;
}

const ExecRegister* find(const ExecOutcome& outcome, std::uint32_t address) {
    for (const ExecRegister& one : outcome.statistics.unmodelled) {
        if (one.address == address) return &one;
    }
    return nullptr;
}

/// Texts of the trace without addresses and encodings.
std::vector<std::string> texts(const std::string& trace) {
    std::vector<std::string> list;
    std::istringstream stream(trace);
    for (std::string line; std::getline(stream, line);) list.push_back(line.substr(21));
    return list;
}

}  // namespace

TEST_CASE("code that is written and run without cache maintenance is an event") {
    for (const Timing timing : {Timing::Approx, Timing::Precise}) {
        ExecSetup setup;
        setup.timing = timing;
        const ExecOutcome stale = run(rewriting(false, false), setup);
        CHECK(stale.end == ExecEnd::Exit);
        const CoherenceLog& log = stale.statistics.coherence;
        CHECK(log.count(Kind::StaleCode) >= 1);
        CHECK(log.total() == log.count(Kind::StaleCode));
        REQUIRE_FALSE(log.first().empty());
        const auto& event = log.first().front();
        // movs r0, #1 became movs r0, #2: the lower byte.
        CHECK(event.address == kAxiRam + kHandler);
        CHECK(event.bytes == 1);
        CHECK(event.pc == kAxiRam + kHandler);
        CHECK(coherence_text(event).key == std::string("stale_code"));
        CHECK(coherence_text(event).first == "core's instruction cache");
        CHECK(coherence_text(event).second == "core");
    }
}

TEST_CASE("code that is fetched before the data cache wrote it is an event") {
    const ExecOutcome outcome = run(rewriting(false, true));
    const CoherenceLog& log = outcome.statistics.coherence;
    CHECK(log.count(Kind::UnwrittenCode) >= 1);
    CHECK(log.count(Kind::StaleCode) == 0);
    REQUIRE_FALSE(log.first().empty());
    CHECK(log.first().front().address == kAxiRam + kHandler);
}

TEST_CASE("code that is written and run with cache maintenance is no event") {
    const ExecOutcome outcome = run(rewriting(true, true));
    CHECK(outcome.end == ExecEnd::Exit);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.statistics.coherence.total() == 0);
    REQUIRE(outcome.statistics.caches.has_value());
    // Five lines of code at most before the call, the function twice, and the exit.
    CHECK(outcome.statistics.caches->instructions.fills >= 3);
    CHECK(outcome.statistics.caches->data.fills >= 1);
    CHECK(outcome.statistics.caches->data.write_backs >= 1);
}

TEST_CASE("functional runs have no caches to tell of") {
    ExecSetup setup;
    setup.timing = Timing::Functional;
    const ExecOutcome outcome = run(rewriting(false, false), setup);
    CHECK(outcome.exit_code == 2);
    CHECK_FALSE(outcome.statistics.caches.has_value());
    CHECK(outcome.statistics.coherence.total() == 0);
}

TEST_CASE("a log of events keeps the first ones and counts all") {
    CoherenceLog log;
    n6vp::models::core::CoherenceEvent event;
    event.kind = Kind::StaleCode;
    for (std::uint32_t i = 0; i < 20; ++i) {
        event.address = i;
        log.add(event);
    }
    CHECK(log.total() == 20);
    REQUIRE(log.first().size() == CoherenceLog::kMaxKept);
    CHECK(log.first().back().address == CoherenceLog::kMaxKept - 1);
    // A debugger's data accesses see the data cache.
    event.kind = Kind::CoreReadStale;
    event.other = kSemihostingMaster;
    log.add(event);
    CHECK(log.total() == 20);
    event.other = "npu";
    log.add(event);
    CHECK(log.count(Kind::CoreReadStale) == 1);
}

TEST_CASE("a request for a reset ends the run where it was made") {
    for (const Timing timing : {Timing::Functional, Timing::Approx, Timing::Precise}) {
        ExecSetup setup;
        setup.timing = timing;
        const ExecOutcome outcome = run(writing(0xE000ED0C, 0x05FA0004), setup);
        CHECK(outcome.end == ExecEnd::Reset);
        CHECK(outcome.pc == kTcm + kCode + 4);
        // Without the key it is none.
        CHECK(run(writing(0xE000ED0C, 0x12340004), setup).end == ExecEnd::Exit);
    }
}

TEST_CASE("registers of the private bus that are not modelled are counted with their names") {
    const ExecOutcome comparator = run(writing(0xE0001020, 1));
    CHECK(comparator.end == ExecEnd::Exit);
    REQUIRE(comparator.statistics.unmodelled.size() == 1);
    const ExecRegister& named = comparator.statistics.unmodelled.front();
    CHECK(named.address == 0xE0001020);
    CHECK(named.name == "DWT->COMP0");
    CHECK(named.accesses.writes == 1);
    CHECK(named.accesses.reads == 0);
    CHECK(named.accesses.first_pc == kTcm + kCode + 4);

    Source reading = writing(0xE0042000, 0);
    reading.code[2] = 0x6825;  // ldr r5, [r4]
    const ExecOutcome unknown = run(reading);
    REQUIRE(find(unknown, 0xE0042000) != nullptr);
    CHECK(find(unknown, 0xE0042000)->name == "");
    CHECK(find(unknown, 0xE0042000)->accesses.reads == 1);
    CHECK(register_text(0xE0042000) == "0xe0042000");
    CHECK(register_text(0xE0001020) == "DWT->COMP0 (0xe0001020)");

    // VTOR, DEMCR, NVIC_ISER[1], SysTick LOAD and the Non-secure VTOR are modelled.
    for (const std::uint32_t address :
         {0xE000ED08u, 0xE000EDFCu, 0xE000E104u, 0xE000E014u, 0xE002ED08u})
        CHECK(run(writing(address, 0)).statistics.unmodelled.empty());
}

TEST_CASE("strict runs end at a register that is not modelled") {
    ExecSetup setup;
    setup.strict = true;
    const ExecOutcome outcome = run(writing(0xE001E300, 3), setup);
    CHECK(outcome.end == ExecEnd::Unmodelled);
    CHECK(outcome.pc == kTcm + kCode + 4);
    CHECK(outcome.register_address == 0xE001E300);
    CHECK(outcome.register_written);
    CHECK(register_text(outcome.register_address) == "PWRMODCTL->CPDLPSTATE (0xe001e300)");
    CHECK(run(writing(0xE000ED08, 0), setup).end == ExecEnd::Exit);
}

TEST_CASE("the trace goes on in an IT block that an exception interrupted") {
    Source source;
    // movs r0, #1; cmp r0, #0; itte ne; svcne #0; movne r0, #5; moveq r0, #6; b .
    source.code = {0x2001, 0x2800, 0xBF1A, 0xDF00, 0x2005, 0x2006, 0xE7FE};
    source.handler = {0x2102, 0x4770};  // movs r1, #2; bx lr
    ExecSetup setup;
    setup.most_instructions = 9;
    std::string trace;
    static_cast<void>(run(source, setup, &trace));
    CHECK(texts(trace) == std::vector<std::string>{
                              "movs r0, #1", "cmp r0, #0", "itte ne", "svcne #0", "movs r1, #2",
                              "bx lr", "movne r0, #5", "moveq r0, #6", "b #0x1000004c"});
}

TEST_CASE("the trace goes on in a VPT block whose load faulted and was repaired") {
    Source source;
    auto& code = source.code;
    // CPACR and SHCSR.USGFAULTENA, then a vector load from an address that is not aligned.
    for (const unsigned index : {0u, 2u}) {
        append_load(code, 4, index);
        append_load(code, 5, index + 1);
        code.insert(code.end(), {0x6025, 0xF3BF, 0x8F6F});  // str r5, [r4]; isb
    }
    append_load(code, 0, 4);
    code.insert(code.end(), {0xFE71, 0x8F4D, 0xEF20, 0x2840, 0xED90, 0x1F00, 0xEF20, 0x2840});
    code.push_back(0xE7FE);
    source.data = {0xE000ED88, 0xF00000, 0xE000ED24, 1u << 18, 0x30000102};
    // ldr r1, [sp]; subs r1, #2; str r1, [sp]; bx lr: the stacked r0.
    source.handler = {0x9900, 0x3902, 0x9100, 0x4770};
    ExecSetup setup;
    setup.most_instructions = 22;
    std::string trace;
    static_cast<void>(run(source, setup, &trace));
    std::vector<std::string> list = texts(trace);
    REQUIRE(list.size() > 12);
    const auto first = std::find(list.begin(), list.end(), "vpste");
    REQUIRE(list.end() - first >= 9);
    list = {first, first + 9};
    // VPR.P0 is zero out of reset: no lane is loaded in the first half, all are in the second.
    CHECK(list == std::vector<std::string>{"vpste", "vaddt.i32 q1, q0, q0", "vldrwe.u32 q0, [r0]",
                                           "ldr r1, [sp]", "subs r1, #2", "str r1, [sp]", "bx lr",
                                           "vldrwe.u32 q0, [r0]", "vadd.i32 q1, q0, q0"});
}

TEST_CASE("undefined encodings are no instructions in the trace") {
    Source source;
    source.code = {0xDE00, 0xBA80};
    source.handler = {0xBA80};
    ExecSetup setup;
    setup.most_instructions = 4;
    std::string trace;
    static_cast<void>(run(source, setup, &trace));
    const std::vector<std::string> list = texts(trace);
    REQUIRE(list.size() >= 2);
    CHECK(list[0] == "udf #0");
    CHECK(list[1] == ".inst.n 0xba80");
}
