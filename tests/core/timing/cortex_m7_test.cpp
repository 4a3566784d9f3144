// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "tests/core/timing/pipeline_cases.h"

// The Cortex-M7's cycles by public micro-benchmarks of an STM32H743 and by LLVM's scheduling model
// of the core; counted by hand. A case begins with the row that it is about.

using namespace n6vp::models::core;
using n6vp::tests::BenchBus;
using n6vp::tests::check_cases;
using n6vp::tests::round_cycles;

namespace {

CoreConfig cortex_m7_timed() {
    CoreConfig config = n6vp::tests::timed_config(cortex_m7());
    config.cortex_m7.taken.value = 0;               // well-aligned targets
    config.cortex_m7.bank_unknown_pairs.value = 1;  // different banks
    return config;
}

constexpr std::uint32_t kM7Loop = BenchBus::kCode + 4;

}  // namespace

TEST_CASE("Cortex-M7: straight-line code takes the cycles of the tables") {
    check_cases(
        cortex_m7_timed(),
        {
            {"plain ALU + plain ALU",
             "add.w r3, r4, r5; add.w r6, r7, r7",
             {0xEB04, 0x0305, 0xEB07, 0x0607},
             1},
            {"dependent, the older runs early",
             "add.w r3, r4, r5; eor.w r6, r3, r3",
             {0xEB04, 0x0305, 0xEA83, 0x0603},
             1},
            {"dependent, the older is EOR",
             "eor.w r3, r4, r5; add.w r6, r3, r3",
             {0xEA84, 0x0305, 0xEB03, 0x0603},
             2},
            {"MOVW + MOVT", "movw r3, #1; movt r3, #2", {0xF240, 0x0301, 0xF2C0, 0x0302}, 1},
            {"shifted operand + shifted operand",
             "add.w r3, r4, r5, lsl #1; add.w r6, r4, r5, lsl #1",
             {0xEB04, 0x0345, 0xEB04, 0x0645},
             2},
            {"shifted operand + plain ALU",
             "add.w r3, r4, r5, lsl #1; add.w r6, r4, r5",
             {0xEB04, 0x0345, 0xEB04, 0x0605},
             1},
            {"shifted operand + plain shift",
             "add.w r3, r4, r5, lsl #1; lsl.w r6, r4, #1",
             {0xEB04, 0x0345, 0xEA4F, 0x0644},
             1},
            {"shifted constant + shifted constant",
             "eor r3, r4, #0x1fc0; eor r6, r4, #0x1fc0",
             {0xF484, 0x53FE, 0xF484, 0x56FE},
             2},
            {"constant pattern + constant pattern",
             "eor r3, r4, #0x1b1b1b1b; eor r6, r4, #0x1b1b1b1b",
             {0xF084, 0x331B, 0xF084, 0x361B},
             1},
            {"extend + extend",
             "uxtb.w r3, r4; uxtb.w r5, r6",
             {0xFA5F, 0xF384, 0xFA5F, 0xF586},
             2},
            {"extend + ALU",
             "uxtb.w r3, r4; add.w r5, r6, r6",
             {0xFA5F, 0xF384, 0xEB06, 0x0506},
             1},
            {"extend must be older",
             "add.w r5, r6, r6; uxtb.w r3, r4",
             {0xEB06, 0x0506, 0xFA5F, 0xF384},
             2},
            {"UBFX + shifted operand",
             "ubfx r3, r4, #1, #2; add.w r5, r6, r7, lsl #1",
             {0xF3C4, 0x0341, 0xEB06, 0x0547},
             2},
            {"MUL + MUL", "mul r3, r4, r5; mul r6, r4, r5", {0xFB04, 0xF305, 0xFB04, 0xF605}, 2},
            {"MUL + ALU", "mul r3, r4, r5; add.w r6, r7, r7", {0xFB04, 0xF305, 0xEB07, 0x0607}, 1},
            {"MAC + load",
             "smlad r3, r4, r5, r6; ldr.w r7, [r0]",
             {0xFB24, 0x6305, 0xF8D0, 0x7000},
             1},
            {"MAC + DSP, MAC + shifted operand",
             "smlad r3, r4, r5, r6; uadd8 r7, r4, r5; smlad r3, r4, r5, r3; add.w r7, r4, r5, lsl "
             "#1",
             {0xFB24, 0x6305, 0xFA84, 0xF745, 0xFB24, 0x3305, 0xEB04, 0x0745},
             2},
            {"MUL + store", "mul r3, r4, r5; str.w r6, [r0]", {0xFB04, 0xF305, 0xF8C0, 0x6000}, 2},
            {"loads from different banks",
             "ldr.w r3, [r0]; ldr.w r4, [r0, #4]",
             {0xF8D0, 0x3000, 0xF8D0, 0x4004},
             1},
            {"loads from one bank",
             "ldr.w r3, [r0]; ldr.w r4, [r0, #8]",
             {0xF8D0, 0x3000, 0xF8D0, 0x4008},
             2},
            {"load + ALU, load + store, store + ALU",
             "ldr.w r3, [r0]; add.w r4, r5, r6; ldr.w r3, [r0]; str.w r4, [r0, #8]; str.w r4, "
             "[r0]; add.w r4, r5, r6",
             {0xF8D0, 0x3000, 0xEB05, 0x0406, 0xF8D0, 0x3000, 0xF8C0, 0x4008, 0xF8C0, 0x4000,
              0xEB05, 0x0406},
             3},
            {"store + store",
             "str.w r3, [r0]; str.w r4, [r0, #4]",
             {0xF8C0, 0x3000, 0xF8C0, 0x4004},
             2},
            {"LDM: single issue, ceil(N / 2)",
             "ldm.w r0, {r3, r4, r5, r6}; add.w r7, r9, r9",
             {0xE890, 0x0078, 0xEB09, 0x0709},
             3},
            {"PUSH of 3", "push {r3, r4, r5}", {0xB438}, 2},
            {"LDRD: single issue",
             "ldrd r4, r5, [r0]; add.w r6, r7, r7",
             {0xE9D0, 0x4500, 0xEB07, 0x0607},
             2},
            {"LDR: 1 to the late ALU",
             "ldr.w r3, [r0]; add.w r4, r3, r3",
             {0xF8D0, 0x3000, 0xEB03, 0x0403},
             2},
            {"LDR: 2 to a shifted operand",
             "ldr.w r3, [r0]; add.w r4, r5, r3, lsl #1",
             {0xF8D0, 0x3000, 0xEB05, 0x0443},
             3},
            {"LDR: 2 to an address",
             "ldr.w r3, [r0]; ldr.w r4, [r3]",
             {0xF8D0, 0x3000, 0xF8D3, 0x4000},
             3},
            {"LDR, ADD, address: 3",
             "ldr.w r3, [r0]; add.w r4, r3, r9; ldr.w r5, [r4]",
             {0xF8D0, 0x3000, 0xEB03, 0x0409, 0xF8D4, 0x5000},
             4},
            {"LDRB: 2", "ldrb.w r3, [r0]; add.w r4, r3, r3", {0xF890, 0x3000, 0xEB03, 0x0403}, 3},
            {"address from an early ALU: next cycle",
             "add.w r3, r0, r9; ldr.w r4, [r3]",
             {0xEB00, 0x0309, 0xF8D3, 0x4000},
             2},
            {"address from DSP: +1",
             "uadd8 r3, r0, r9; ldr.w r4, [r3]",
             {0xFA80, 0xF349, 0xF8D3, 0x4000},
             3},
            {"store data: any result of the same cycle",
             "add.w r3, r4, r5; str.w r3, [r0]; ldr.w r3, [r0]; str.w r3, [r0, #8]",
             {0xEB04, 0x0305, 0xF8C0, 0x3000, 0xF8D0, 0x3000, 0xF8C0, 0x3008},
             2},
            {"UBFX source: a cycle earlier",
             "eor.w r3, r4, r5; ubfx r6, r3, #1, #2",
             {0xEA84, 0x0305, 0xF3C3, 0x0641},
             3},
            {"MUL: latency 2",
             "mul r3, r4, r5; add.w r6, r3, r3",
             {0xFB04, 0xF305, 0xEB03, 0x0603},
             3},
            {"MAC: accumulate chain 1 per cycle",
             "mla r3, r4, r5, r3; mla r3, r4, r5, r3; smlad r3, r4, r5, r3",
             {0xFB04, 0x3305, 0xFB04, 0x3305, 0xFB24, 0x3305},
             3},
            {"MUL: no load result of the previous cycle",
             "ldr.w r3, [r0]; mul r4, r3, r5",
             {0xF8D0, 0x3000, 0xFB03, 0xF405},
             3},
            {"QADD: latency 2",
             "qadd r3, r4, r5; add.w r6, r3, r3",
             {0xFA85, 0xF384, 0xEB03, 0x0603},
             3},
            {"UXTB: latency 1",
             "uxtb.w r3, r4; add.w r6, r3, r3",
             {0xFA5F, 0xF384, 0xEB03, 0x0603},
             2},
            {"UDIV, quotient of 8 bits: 2 + 8 / 2",
             "movs r4, #255; movs r5, #1; udiv r6, r4, r5",
             {0x24FF, 0x2501, 0xFBB4, 0xF6F5},
             7},
            {"UDIV: at least 3",
             "movs r4, #3; movs r5, #8; udiv r6, r4, r5",
             {0x2403, 0x2508, 0xFBB4, 0xF6F5},
             4},
            {"SDIV: at most 18",
             "mov r4, #0x80000000; movs r5, #1; sdiv r6, r4, r5",
             {0xF04F, 0x4400, 0x2501, 0xFB94, 0xF6F5},
             19},
            {"unaligned load +3", "ldr.w r3, [r0, #1]", {0xF8D0, 0x3001}, 4},
            {"IT takes a slot",
             "movs r4, #1; it eq; moveq r4, #2; nop.w",
             {0x2401, 0xBF08, 0x2402, 0xF3AF, 0x8000},
             2},
            {"VADD + VADD, VADD + integer",
             "vadd.f32 s0, s1, s2; vadd.f32 s3, s4, s5; add.w r3, r4, r5",
             {0xEE30, 0x0A81, 0xEE72, 0x1A22, 0xEB04, 0x0305},
             2},
            {"VADD: 3",
             "vadd.f32 s0, s1, s2; vmul.f32 s3, s0, s5",
             {0xEE30, 0x0A81, 0xEE60, 0x1A22},
             4},
            {"VADD to VSTR 1",
             "vadd.f32 s0, s1, s2; vstr s0, [r0]",
             {0xEE30, 0x0A81, 0xED80, 0x0A00},
             2},
            {"VFMA: accumulator to accumulator 3",
             "vfma.f32 s0, s1, s2; vfma.f32 s0, s1, s2",
             {0xEEA0, 0x0A81, 0xEEA0, 0x0A81},
             4},
            {"VFMA: 1 per cycle with 3 independent",
             "vfma.f32 s0, s1, s2; vfma.f32 s3, s1, s2; vfma.f32 s4, s1, s2; vfma.f32 s0, s1, s2",
             {0xEEA0, 0x0A81, 0xEEE0, 0x1A81, 0xEEA0, 0x2A81, 0xEEA0, 0x0A81},
             4},
            {"VFMA to anything else 5",
             "vfma.f32 s0, s1, s2; vmul.f32 s3, s0, s5",
             {0xEEA0, 0x0A81, 0xEE60, 0x1A22},
             6},
            {"VMLA to anything else 6",
             "vmla.f32 s0, s1, s2; vmul.f32 s3, s0, s5",
             {0xEE00, 0x0A81, 0xEE60, 0x1A22},
             7},
            {"VFMA + VLDR",
             "vfma.f32 s0, s1, s2; vldr s3, [r0]",
             {0xEEA0, 0x0A81, 0xEDD0, 0x1A00},
             2},
            {"VFMA, then no VADD for 3 cycles",
             "vfma.f32 s0, s1, s2; vadd.f32 s3, s4, s5",
             {0xEEA0, 0x0A81, 0xEE72, 0x1A22},
             5},
            {"VLDR: 1", "vldr s0, [r0]; vadd.f32 s3, s0, s0", {0xED90, 0x0A00, 0xEE70, 0x1A00}, 2},
            {"VLDR to the addend of VFMA 3",
             "vldr s0, [r0]; vfma.f32 s0, s1, s2",
             {0xED90, 0x0A00, 0xEEA0, 0x0A81},
             4},
            {"VMOV S to R 1", "vmov r3, s0; add.w r4, r3, r3", {0xEE10, 0x3A10, 0xEB03, 0x0403}, 2},
            {"VMOV R to S 3",
             "vmov s0, r3; vadd.f32 s1, s0, s0",
             {0xEE00, 0x3A10, 0xEE70, 0x0A00},
             4},
            {"VMOV of two to S 3: the first",
             "vmov s0, s1, r3, r4; vadd.f32 s2, s0, s0",
             {0xEC44, 0x3A10, 0xEE30, 0x1A00},
             4},
            {"VMOV of two to S 3: the second",
             "vmov s0, s1, r3, r4; vadd.f32 s2, s1, s1",
             {0xEC44, 0x3A10, 0xEE30, 0x1AA0},
             4},
            {"VDIV: 16, one integer instruction beside it",
             "vdiv.f32 s0, s1, s2; add.w r3, r4, r5; add.w r6, r4, r5",
             {0xEE80, 0x0A81, 0xEB04, 0x0305, 0xEB04, 0x0605},
             17},
        });
}

TEST_CASE("Cortex-M7: VMOV of two singles waits for either") {
    const auto cycles = [](std::uint16_t add) {
        // vadd.f32 by its first halfword: sX, s4, s4; vmov r3, r4, s0, s1
        const std::uint16_t second = 0x0A02;
        return n6vp::tests::straight_cycles(cortex_m7_timed(), {add, second, 0xEC54, 0x3A10});
    };
    const auto first = cycles(0xEE32), other = cycles(0xEE72);
    CHECK(first == other);
    // vadd.f32 s16, s4, s4
    CHECK(n6vp::tests::straight_cycles(cortex_m7_timed(), {0xEE32, 0x8A02, 0xEC54, 0x3A10}) <
          first);
}

TEST_CASE("Cortex-M7: loops take the cycles of the tables and of LLVM's analyser") {
    const CoreConfig config = cortex_m7_timed();
    // subs r2, #1; bne: a pair, predicted
    CHECK(round_cycles(config, {0x3A01, 0xD1FD}, kM7Loop) == doctest::Approx(1));
    // ldr.w r0, [r0]; subs.w; bne: 2 from load to address
    CHECK(round_cycles(config, {0xF8D0, 0x0000, 0xF1B2, 0x0201, 0xD1FA}, kM7Loop) ==
          doctest::Approx(2));
    // ldr.w r3, [r0]; add.w r0, r3, r9; subs.w; bne: 3 from load through ALU to address
    CHECK(round_cycles(config, {0xF8D0, 0x3000, 0xEB03, 0x0009, 0xF1B2, 0x0201, 0xD1F8}, kM7Loop) ==
          doctest::Approx(3));
}

TEST_CASE("Cortex-M7: a taken branch behind two 16-bit instructions goes with its target") {
    const CoreConfig config = n6vp::tests::timed_config(cortex_m7());
    // nop and nop, subs and bne: two pairs
    CHECK(round_cycles(config, {0xBF00, 0xBF00, 0x3A01, 0xD1FB}, kM7Loop) == doctest::Approx(2));
    // nop.w and nop.w, subs.w and bne: a cycle more
    CHECK(round_cycles(config, {0xF3AF, 0x8000, 0xF3AF, 0x8000, 0xF1B2, 0x0201, 0xD1F8}, kM7Loop) ==
          doctest::Approx(3));
}

TEST_CASE("Cortex-M7: a branch that alternates is mispredicted every second time") {
    CoreConfig config = cortex_m7_timed();
    // eor r3, #1; cmp r3, #0 and beq (pair); nop and subs (pair), bne: 4 cycles, taken 3
    const std::vector<std::uint16_t> late = {0xF083, 0x0301, 0x2B00, 0xD000,
                                             0xBF00, 0x3A01, 0xD1F8};
    CHECK(round_cycles(config, late, kM7Loop) == doctest::Approx(3.5 + 8.0 / 2));
    // The same with ldm of six words between flags and branch: 7 cycles either way, 6 if wrong.
    const std::vector<std::uint16_t> early = {0xF083, 0x0301, 0x2B00, 0xE890, 0x06F0,
                                              0xD000, 0xBF00, 0x3A01, 0xD1F6};
    CHECK(round_cycles(config, early, kM7Loop) == doctest::Approx(7 + 6.0 / 2));
    config.cortex_m7.mispredicted.value = 0;
    CHECK(round_cycles(config, late, kM7Loop) == doctest::Approx(3.5));
}

TEST_CASE("Cortex-M7: a compare and branch that alternates is mispredicted as its counter says") {
    const CoreConfig config = cortex_m7_timed();
    CoreConfig free = config;
    free.cortex_m7.mispredicted.value = 0;
    struct Row {
        std::uint16_t branch;
        double wrong;  ///< a round
    };
    // r3 is 1, 0, 1, ... An unknown branch forward counts from 1, "hardly not taken": CBZ r3 goes
    // 0, 1, 0, 1 and is wrong when taken; CBNZ r3 goes 2, 1, 2, 1 and is wrong each time.
    for (const Row& row : {Row{0xB103, 0.5}, Row{0xB903, 1}}) {  // over a nop
        CAPTURE(row.branch);
        const auto cost = [&](const std::vector<std::uint16_t>& loop) {
            return round_cycles(config, loop, kM7Loop) - round_cycles(free, loop, kM7Loop);
        };
        // eor r3, #1; the branch; nop; subs r2, #1; bne
        CHECK(cost({0xF083, 0x0301, row.branch, 0xBF00, 0x3A01, 0xD1F9}) ==
              doctest::Approx(8 * row.wrong));
        // eor r3, #1; cmp r3, #0; ldm r0, six words; ...: a compare in the branch is never early
        CHECK(cost({0xF083, 0x0301, 0x2B00, 0xE890, 0x06F0, row.branch, 0xBF00, 0x3A01, 0xD1F6}) ==
              doctest::Approx(8 * row.wrong));
    }
}

TEST_CASE("Cortex-M7: parameters move what they name") {
    CoreConfig config = cortex_m7_timed();
    const std::vector<std::uint16_t> pair = {0xEB04, 0x0305, 0xEB07, 0x0607};
    CHECK(n6vp::tests::straight_cycles(config, pair) == 1);
    config.cortex_m7.pairs.value = 0;
    CHECK(n6vp::tests::straight_cycles(config, pair) == 2);
}

TEST_CASE("Cortex-M7: a parameter at its least value does not make time run away") {
    n6vp::tests::check_least_values(cortex_m7_timed(), &CoreConfig::cortex_m7);
}
