// SPDX-License-Identifier: Apache-2.0
// Exception frames against words derived by hand from the architecture's frame layouts.
#include <doctest/doctest.h>

#include "tests/core/system/bare_core.h"

using namespace n6vp::models::core;
using namespace n6vp::tests;

namespace {

constexpr unsigned kIrq = 5;
constexpr std::uint32_t kIser = 0xE000E100, kItns = 0xE000E380;
constexpr std::uint32_t kSauControl = 0xE000EDD0, kCpacr = 0xE000ED88, kNsacr = 0xE000ED8C,
                        kFpccr = 0xE000EF34, kFpcar = 0xE000EF38;
/// 1 MiB behind kRam + 0x80000 is Non-secure: code, vectors and stack of that side.
constexpr std::uint32_t kNsBase = RamBus::kRam + 0x80000, kNsCode = kNsBase + 0x1000,
                        kNsHandler = kNsBase + 0x2000, kNsStack = kNsBase + 0x10000;

void prepare(BareCore& bench) {
    bench.code(BareCore::kCode, {kNop, 0xF104, 0x0401, kStop});  // add.w r4, r4, #1
    bench.code(BareCore::kHandler, {kStop, kBxLr});
    bench.set_reg(kIser, 1u << kIrq);
    for (unsigned i = 0; i < 13; ++i) bench->set_reg(i, 0x100 + i);
    bench->set_reg(14, 0xABCDEF01);
}

void prepare_non_secure(BareCore& bench) {
    bench.set_reg(kSauControl + 8, 0);
    bench.set_reg(kSauControl + 12, kNsBase);
    bench.set_reg(kSauControl + 16, RamBus::kRam + RamBus::kBytes - 32 + 1);
    bench.set_reg(kSauControl, 1);
    bench.set_reg(0xE002ED08, kNsBase);
    for (std::uint32_t i = 0; i < 16 + 195; ++i) bench.set_word(kNsBase + 4 * i, kNsHandler | 1);
    bench.code(kNsHandler, {kStop, kBxLr});
    bench.cpu().stack_pointers[kMspNs] = kNsStack;
}

void pulse(BareCore& bench, unsigned irq) {
    bench->set_interrupt(irq, true);
    bench->set_interrupt(irq, false);
}

/// Runs to the breakpoint at the start of a handler.
void enter(BareCore& bench, std::uint32_t handler) {
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->pc() == handler);
}

void leave(BareCore& bench, Stop expected = kMark) {
    bench->skip_breakpoint();
    CHECK(bench->run(1000) == expected);
}

}  // namespace

TEST_CASE("basic frame: eight words, aligned to eight bytes") {
    for (const std::uint32_t sp : {BareCore::kStack, BareCore::kStack - 4}) {
        CAPTURE(sp);
        BareCore bench;
        prepare(bench);
        bench->set_reg(13, sp);
        set_apsr_nzcvq(bench.cpu(), 0xA8000000);  // N, C, Q
        bench.cpu().ge = 5;
        pulse(bench, kIrq);
        enter(bench, BareCore::kHandler);
        const std::uint32_t frame = BareCore::kStack - (sp % 8 == 0 ? 32 : 40);
        CHECK(bench->reg(13) == frame);
        CHECK(bench->reg(14) == 0xFFFFFFF9);
        for (std::uint32_t i = 0; i < 4; ++i) CHECK(bench.word(frame + 4 * i) == 0x100 + i);
        CHECK(bench.word(frame + 16) == 0x10C);
        CHECK(bench.word(frame + 20) == 0xABCDEF01);
        CHECK(bench.word(frame + 24) == BareCore::kCode);
        CHECK(bench.word(frame + 28) == (0xA9050000 | (sp % 8 == 0 ? 0u : 0x200u)));
        CHECK(bench.cpu().ipsr == 16 + kIrq);
        // Changed words come back as registers.
        bench.set_word(frame + 8, 0x777);
        bench.set_word(frame + 28, bench.word(frame + 28) ^ 0xC0000000);
        leave(bench);
        CHECK(bench->reg(13) == sp);
        CHECK(bench->reg(2) == 0x777);
        CHECK((apsr(bench.cpu()) & 0xF8000000) == 0x68000000);
        CHECK(bench->reg(4) == 0x105);
        CHECK(bench.cpu().ipsr == 0);
    }
}

TEST_CASE("a frame that is stacked over code is the code from then on") {
    BareCore bench;
    constexpr std::uint32_t kFunction = BareCore::kData;
    constexpr unsigned kCallR7 = 0x47B8, kOneToR4 = 0x2401, kTwoToR4 = 0x2402;
    bench.code(BareCore::kCode, {kCallR7, kSvc, kCallR7, kStop});
    bench.code(BareCore::kHandler, {kBxLr});
    bench.code(kFunction, {kOneToR4, kBxLr});
    bench->set_reg(0, kBxLr << 16 | kTwoToR4);  // the frame's first word
    bench->set_reg(4, 0);
    bench->set_reg(7, kFunction | 1);
    bench->set_reg(13, kFunction + 32);
    CHECK(bench->run(1000) == kMark);
    CHECK(bench.word(kFunction) == (kBxLr << 16 | kTwoToR4));
    CHECK(bench->reg(4) == 2);
}

TEST_CASE("entry and return cost their cycles, tail-chaining less") {
    BareCore bench;
    prepare(bench);
    const std::uint64_t before = bench->cycles();
    pulse(bench, kIrq);
    enter(bench, BareCore::kHandler);
    CHECK(bench->cycles() - before == 12);
    bench.set_reg(kIser, 1u << (kIrq + 1));
    pulse(bench, kIrq + 1);
    leave(bench);
    CHECK(bench->pc() == BareCore::kHandler);
    CHECK(bench.cpu().ipsr == 16 + kIrq + 1);
    CHECK(bench->reg(14) == 0xFFFFFFF9);
    CHECK(bench->reg(13) == BareCore::kStack - 32);
    CHECK(bench->cycles() - before == 12 + 1 + 6);
    leave(bench);
    CHECK(bench->cycles() - before == 12 + 1 + 6 + 1 + 10 + 2);
}

TEST_CASE("a tail-chained handler knows that thread code ran on the process stack") {
    constexpr std::uint32_t kProcess = BareCore::kStack - 0x1000;
    BareCore bench;
    prepare(bench);
    bench.set_reg(kIser, 3u << kIrq);
    bench.cpu().stack_pointers[kPspS] = kProcess;
    bench->system().write_special(bench.cpu(), 20, 0, 2);  // CONTROL.SPSEL
    for (const unsigned irq : {kIrq, kIrq + 1}) {
        pulse(bench, irq);
    }
    for (const unsigned irq : {kIrq, kIrq + 1}) {
        CAPTURE(irq);
        irq == kIrq ? enter(bench, BareCore::kHandler) : leave(bench);
        CHECK(bench.cpu().ipsr == 16 + irq);
        CHECK(bench->reg(14) == 0xFFFFFFFD);
        CHECK(bench->reg(13) == BareCore::kStack);
    }
    leave(bench);
    CHECK(bench.cpu().ipsr == 0);
    CHECK(bench->reg(13) == kProcess);
    CHECK(bench->reg(4) == 0x105);
}

TEST_CASE("floating-point frame: reserved at entry, written at the first use") {
    BareCore bench;
    prepare(bench);
    bench.set_reg(kCpacr, 0xF << 20);
    // vmov s0, r0 in both
    bench.code(BareCore::kHandler, {kStop, 0xEE00, 0x0A10, kStop, kBxLr});
    bench.code(BareCore::kCode, {0xEE00, 0x0A10, kStop, kStop});
    CHECK(bench->run(100) == kMark);
    for (unsigned i = 0; i < 32; ++i) set_vector_lane(bench.cpu(), i, 0xF0000000u + i);
    bench.cpu().fpscr = 0x80000010;
    bench.cpu().vpr = 0x00AA1234;
    bench->skip_breakpoint();
    pulse(bench, kIrq);
    enter(bench, BareCore::kHandler);
    const std::uint32_t frame = BareCore::kStack - 0x68;
    CHECK(bench->reg(13) == frame);
    CHECK(bench->reg(14) == 0xFFFFFFE9);
    CHECK(bench.reg(kFpcar) == frame + 0x20);
    CHECK((bench.reg(kFpccr) & 1) == 1);
    CHECK_FALSE(bench.cpu().fpca);
    CHECK(bench.word(frame + 0x20) == 0);
    leave(bench);
    CHECK((bench.reg(kFpccr) & 1) == 0);
    CHECK(bench.word(frame + 0x20) == 0xF0000000);
    CHECK(bench.word(frame + 0x5C) == 0xF000000F);
    CHECK(bench.word(frame + 0x60) == (0x80000010 | 4u << 16));
    CHECK(bench.word(frame + 0x64) == 0x00AA1234);
    CHECK(bench.cpu().fpca);
    CHECK(bench.cpu().fpscr == 0);
    CHECK(bench.cpu().vpr == 0);
    leave(bench);
    CHECK(vector_lane<std::uint32_t>(bench.cpu(), 0) == 0xF0000000);
    CHECK(bench.cpu().fpscr == 0x80000010);
    CHECK(bench.cpu().vpr == 0x00AA1234);
    CHECK(bench->reg(13) == BareCore::kStack);
    CHECK(bench.cpu().fpca);
}

TEST_CASE("a tail-predicated loop is not seen by a handler and survives it") {
    BareCore bench;
    prepare(bench);
    bench.set_reg(kCpacr, 0xF << 20);
    bench.cpu().fpca = bench.cpu().sfpa = true;
    bench.cpu().ltpsize = 1;
    pulse(bench, kIrq);
    enter(bench, BareCore::kHandler);
    CHECK(bench.cpu().ltpsize == 4);
    leave(bench);
    CHECK(bench.cpu().ltpsize == 1);
}

TEST_CASE("beats done before an exception come back with it") {
    BareCore bench;
    prepare(bench);
    bench.cpu().eci = 5;
    pulse(bench, kIrq);
    enter(bench, BareCore::kHandler);
    CHECK((bench.word(BareCore::kStack - 4) & 0x0600FC00) == 5u << 12);
    CHECK(bench.cpu().eci == 0);
    bench->skip_breakpoint();
    bench->step();
    CHECK(bench->pc() == BareCore::kCode);
    CHECK(bench.cpu().eci == 5);
}

TEST_CASE("FAULTMASK ends with an interrupt handler, not with NMI") {
    for (const bool non_maskable : {false, true}) {
        CAPTURE(non_maskable);
        BareCore bench;
        prepare(bench);
        if (non_maskable) {
            bench->system().write_special(bench.cpu(), 19, 0, 1);  // of the thread
            bench.set_reg(0xE000ED04, 1u << 31);
        } else {
            pulse(bench, kIrq);
        }
        enter(bench, BareCore::kHandler);
        bench->system().write_special(bench.cpu(), 19, 0, 1);
        leave(bench);
        CHECK(bench.cpu().ipsr == 0);
        CHECK(bench->system().read_special(bench.cpu(), 19) == (non_maskable ? 1u : 0u));
    }
}

TEST_CASE("return from an exception gives up an exclusive reservation") {
    BareCore bench;
    prepare(bench);
    bench.code(BareCore::kHandler, {0xE850, 0x1F00, kBxLr});     // ldrex r1, [r0]
    bench.code(BareCore::kCode, {kSvc, 0xE840, 0x1200, kStop});  // strex r2, r1, [r0]
    bench->set_reg(0, BareCore::kData);
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->reg(2) == 1);
}

TEST_CASE("return from an exception is an event, whatever its handler waited for") {
    BareCore bench;
    prepare(bench);
    // The entry was an event, too: the handler uses it up.
    bench.code(BareCore::kHandler, {kWfe, kBxLr});
    bench.code(BareCore::kCode, {kSvc, kWfe, kStop});
    CHECK(bench->run(1000) == kMark);
}

TEST_CASE("a floating-point frame costs its cycles at the return as well") {
    std::uint64_t basic = 0;
    for (const bool with_fp : {false, true}) {
        BareCore bench;
        prepare(bench);
        bench.set_reg(kCpacr, 0xF << 20);
        bench.set_reg(kFpccr, 1u << 31);  // automatic, not lazy
        bench.cpu().fpca = bench.cpu().sfpa = with_fp;
        pulse(bench, kIrq);
        enter(bench, BareCore::kHandler);
        const std::uint64_t before = bench->cycles();
        leave(bench);
        const std::uint64_t cycles = bench->cycles() - before;
        if (!with_fp) basic = cycles;
        CHECK(cycles == basic + (with_fp ? 9u : 0u));
    }
}

TEST_CASE("a handler's registers come back with privilege, whatever CONTROL.nPRIV says") {
    BareCore bench;
    prepare(bench);
    bench.set_reg(kIser, 3u << kIrq);
    bench.set_reg(0xE000E404, 0x0080u << 8);  // the second one preempts the first
    bench.set_reg(0xE000ED94, 5);             // MPU: nothing for unprivileged code
    pulse(bench, kIrq);
    enter(bench, BareCore::kHandler);
    bench->system().write_special(bench.cpu(), 20, 0, 1);
    pulse(bench, kIrq + 1);
    bench->skip_breakpoint();
    enter(bench, BareCore::kHandler);
    CHECK(bench.cpu().ipsr == 16 + kIrq + 1);
    bench->skip_breakpoint();
    bench->step();
    CHECK(bench.cpu().ipsr == 16 + kIrq);
    CHECK(bench->pc() == BareCore::kHandler + 2);
}

TEST_CASE("a Non-secure exception of Secure code hides and signs what it owns") {
    BareCore bench;
    prepare(bench);
    prepare_non_secure(bench);
    bench.set_reg(kItns, 1u << kIrq);
    pulse(bench, kIrq);
    enter(bench, kNsHandler);
    CHECK_FALSE(bench.cpu().secure);
    CHECK(bench->reg(13) == kNsStack);
    // Secure stack, callee registers by default rules, basic frame, thread, taken to Non-secure.
    CHECK(bench->reg(14) == 0xFFFFFFF8);
    for (unsigned i = 0; i < 13; ++i) CHECK(bench->reg(i) == 0);
    const std::uint32_t callee = BareCore::kStack - 0x48;
    CHECK(bench.cpu().stack_pointers[kMspS] == callee);
    CHECK(bench.word(callee) == 0xFEFA125B);
    for (std::uint32_t i = 0; i < 8; ++i) CHECK(bench.word(callee + 8 + 4 * i) == 0x104 + i);
    SUBCASE("and gets it back") {
        leave(bench);
        CHECK(bench.cpu().secure);
        CHECK(bench->reg(13) == BareCore::kStack);
        CHECK(bench->reg(0) == 0x100);
        CHECK(bench->reg(4) == 0x105);
        CHECK(bench->reg(11) == 0x10B);
    }
    SUBCASE("unless the signature is gone") {
        bench.set_word(callee, 0xFEFA125A);
        leave(bench);
        CHECK(bench->pc() == BareCore::kHandler);
        CHECK(bench.cpu().secure);
        CHECK(bench.cpu().ipsr == 3);  // SecureFault is not enabled
        CHECK(bench.reg(0xE000EDE4) == 2);
    }
    SUBCASE("a Secure exception in between leaves it where it is") {
        bench.set_reg(0xE000E400, 0);
        bench.cpu().secure = true;
        bench.set_reg(kIser, 1u << (kIrq + 1));
        bench.cpu().secure = false;
        pulse(bench, kIrq + 1);
        leave(bench);
        CHECK(bench->pc() == BareCore::kHandler);
        CHECK(bench->reg(14) == 0xFFFFFFD9);  // callee registers stacked already
        leave(bench);
        CHECK(bench->reg(11) == 0x10B);
        CHECK(bench->reg(13) == BareCore::kStack);
    }
    SUBCASE("a forged return is SecureFault's, however urgent the handler that ends with it") {
        bench.cpu().secure = true;
        bench.set_reg(0xE000ED24, 1u << 19);
        bench.set_reg(0xE000ED18, 0x80000000);  // SecureFault below the interrupt
        bench.cpu().secure = false;
        bench->set_reg(14, 0xFFFFFFF9);
        leave(bench);
        CHECK(bench->pc() == BareCore::kHandler);
        CHECK(bench.cpu().ipsr == 7);
    }
    SUBCASE("nor may Non-secure code claim to return from a Secure exception") {
        bench->set_reg(14, 0xFFFFFFF9);
        leave(bench);
        CHECK(bench->pc() == BareCore::kHandler);
        CHECK((bench.reg(0xE000EDE4) & 4) == 4);
    }
}

TEST_CASE("registers hidden from Non-secure code keep the stack limit, STKOFHFNMIGN or not") {
    constexpr std::uint32_t kCcr = 0xE000ED14, kIgnoreLimit = 1u << 10, kCfsr = 0xE000ED28,
                            kStackOverflow = 1u << 20;
    for (const std::uint32_t ignored : {0u, kIgnoreLimit}) {
        CAPTURE(ignored);
        BareCore bench;
        prepare(bench);
        prepare_non_secure(bench);
        bench.set_reg(kCcr, bench.reg(kCcr) | ignored);
        bench.set_reg(kItns, 1u << kIrq);
        // Room for the frame of 32 bytes, not for the other 40. The bit is for HardFault and NMI.
        bench.cpu().stack_limits[kMspS] = BareCore::kStack - 0x40;
        pulse(bench, kIrq);
        CHECK(bench->run(1000) == kMark);
        CHECK(bench->pc() == BareCore::kHandler);
        CHECK(bench.cpu().secure);
        CHECK((bench.reg(kCfsr) & kStackOverflow) != 0);
    }
}

TEST_CASE("a Secure exception of Non-secure code uses both stacks") {
    BareCore bench;
    prepare(bench);
    prepare_non_secure(bench);
    bench.code(kNsCode, {increment(4), kStop});
    bench.set_reg(kNsacr, 3u << 10);
    bench->system().branch_non_secure(bench.cpu(), kNsCode);
    CHECK_FALSE(bench.cpu().secure);
    CHECK(bench->reg(13) == kNsStack);
    pulse(bench, kIrq);
    enter(bench, BareCore::kHandler);
    CHECK(bench.cpu().secure);
    CHECK(bench->reg(13) == BareCore::kStack);
    CHECK(bench->reg(14) == 0xFFFFFFB9);
    CHECK(bench.cpu().stack_pointers[kMspNs] == kNsStack - 32);
    CHECK(bench.word(kNsStack - 32 + 24) == kNsCode);
    CHECK(bench->reg(4) == 0x104);
    leave(bench);
    CHECK_FALSE(bench.cpu().secure);
    CHECK(bench->reg(4) == 0x105);
    CHECK(bench->reg(13) == kNsStack);
}

TEST_CASE("calls into Non-secure state and back") {
    BareCore bench;
    prepare(bench);
    prepare_non_secure(bench);
    // blxns r0; bkpt
    bench.code(BareCore::kCode, {0x4784, kStop});
    bench.code(kNsCode, {kStop, kBxLr});
    bench->set_reg(0, kNsCode);
    enter(bench, kNsCode);
    CHECK_FALSE(bench.cpu().secure);
    CHECK(bench->reg(14) == 0xFEFFFFFF);
    CHECK(bench.cpu().stack_pointers[kMspS] == BareCore::kStack - 8);
    CHECK(bench.word(BareCore::kStack - 8) == (BareCore::kCode + 2) + 1);
    CHECK(bench.word(BareCore::kStack - 4) == 0);
    leave(bench);
    CHECK(bench.cpu().secure);
    CHECK(bench->pc() == BareCore::kCode + 2);
    CHECK(bench->reg(13) == BareCore::kStack);
}

TEST_CASE("VLSTM and VLLDM want eight bytes of alignment, VLSTM with or without lazy saving") {
    for (const bool loads : {false, true}) {
        for (const bool lazy : {true, false}) {
            for (std::uint32_t offset = 0; offset <= 8; ++offset) {
                CAPTURE(loads);
                CAPTURE(lazy);
                CAPTURE(offset);
                BareCore bench;
                prepare(bench);
                bench.set_reg(kCpacr, 0xF << 20);
                bench.set_reg(0xE000ED24, 7u << 16);  // faults of their own
                if (!lazy) bench.set_reg(kFpccr, bench.reg(kFpccr) & ~(1u << 30));
                const unsigned second = loads ? 0xEC31 : 0xEC21;
                bench.code(BareCore::kCode, {0xEE00, 0x0A10, second, 0x0A00, kStop});
                bench.code(BareCore::kHandler, {kStop});
                bench->set_reg(1, BareCore::kData + offset);
                CHECK(bench->run(100) == kMark);
                const bool aligned = offset % 8 == 0;
                CHECK(bench.cpu().ipsr == (aligned ? 0u : 6u));  // UsageFault
                CHECK((bench.reg(0xE000ED28) >> 24 & 1) == (aligned ? 0u : 1u));
            }
        }
    }
}

TEST_CASE("VLSTM defers the Secure context, VLLDM takes it back or loads it") {
    for (const bool used : {false, true}) {
        CAPTURE(used);
        BareCore bench;
        prepare(bench);
        bench.set_reg(kCpacr, 0xF << 20);
        // vmov s0, r0; vlstm r1; bkpt; vlldm r1; bkpt
        bench.code(BareCore::kCode,
                   {0xEE00, 0x0A10, kStop, 0xEC21, 0x0A00, kStop, 0xEC31, 0x0A00, kStop});
        bench->set_reg(1, BareCore::kData);
        CHECK(bench->run(100) == kMark);
        set_vector_lane(bench.cpu(), 3, 0x12345678u);
        bench.cpu().fpscr = 0x10;
        leave(bench);
        CHECK((bench.reg(kFpccr) & 1) == 1);
        CHECK(bench.reg(kFpcar) == BareCore::kData);
        CHECK_FALSE(bench.cpu().fpca);
        CHECK(bench.word(BareCore::kData + 12) == 0);
        if (used) {
            CHECK(bench->system().prepare_fp(bench.cpu(), bench->pc(), false));
            CHECK(bench.word(BareCore::kData + 12) == 0x12345678);
            CHECK(bench.word(BareCore::kData + 0x40) == (0x10u | 4u << 16));
            set_vector_lane(bench.cpu(), 3, 0u);
        }
        leave(bench);
        CHECK(bench.cpu().fpca);
        CHECK((bench.reg(kFpccr) & 1) == 0);
        CHECK(vector_lane<std::uint32_t>(bench.cpu(), 3) == 0x12345678);
        CHECK(bench.cpu().fpscr == 0x10);
    }
}
