// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "tests/core/timing/pipeline_cases.h"

// The Cortex-M33's cycles by public micro-benchmarks of an RP2350 (pairs, latencies, blocking of
// the FP unit); counted by hand. A case begins with the row that it is about.

using namespace n6vp::models::core;
using n6vp::tests::BenchBus;
using n6vp::tests::check_cases;
using n6vp::tests::round_cycles;

namespace {

CoreConfig cortex_m33_timed() {
    CoreConfig config = n6vp::tests::timed_config(cortex_m33());
    config.cortex_m33.taken.value = 3;  // as in the table
    return config;
}

constexpr std::uint32_t kM33Loop = BenchBus::kCode + 4;

}  // namespace

TEST_CASE("Cortex-M33: straight-line code takes the cycles of the tables") {
    check_cases(
        cortex_m33_timed(),
        {
            {"simple ALU, BFI, UBFX, MOVW: latency 1",
             "add.w r3, r4, r5; eor.w r6, r3, r5; movw r7, #1; bfi r3, r7, #1, #2; ubfx r6, r3, "
             "#1, #2",
             {0xEB04, 0x0305, 0xEA83, 0x0605, 0xF240, 0x0701, 0xF367, 0x0342, 0xF3C3, 0x0641},
             5},
            {"operand shifted by LSL: 1",
             "add.w r3, r4, r5, lsl #2; add.w r6, r3, r3",
             {0xEB04, 0x0385, 0xEB03, 0x0603},
             2},
            {"operand shifted by ROR: 2",
             "add.w r3, r4, r5, ror #24; add.w r6, r3, r3",
             {0xEB04, 0x6335, 0xEB03, 0x0603},
             3},
            {"the same, not used next",
             "add.w r3, r4, r5, ror #24; add.w r6, r4, r4",
             {0xEB04, 0x6335, 0xEB04, 0x0604},
             2},
            {"shifted constant: 2",
             "eor r3, r4, #0x1fc0; add.w r6, r3, r3",
             {0xF484, 0x53FE, 0xEB03, 0x0603},
             3},
            {"shifted constant with S: 2 issue cycles",
             "eors r3, r4, #0x1fc0; add.w r6, r4, r4",
             {0xF494, 0x53FE, 0xEB04, 0x0604},
             3},
            {"flags of a shifted operand one cycle late",
             "adds.w r3, r4, r5, ror #24; adc.w r6, r4, r4",
             {0xEB14, 0x6335, 0xEB44, 0x0604},
             3},
            {"MUL: latency 2",
             "mul r3, r4, r5; add.w r6, r3, r3",
             {0xFB04, 0xF305, 0xEB03, 0x0603},
             3},
            {"MLA: into an accumulator 1",
             "mla r3, r4, r5, r3; mla r3, r4, r5, r3; smlad r3, r4, r5, r3",
             {0xFB04, 0x3305, 0xFB04, 0x3305, 0xFB24, 0x3305},
             3},
            {"SMLAL: into an accumulator 1",
             "smlal r3, r4, r5, r6; smlal r3, r4, r5, r6; add.w r7, r4, r4",
             {0xFBC5, 0x3406, 0xFBC5, 0x3406, 0xEB04, 0x0704},
             4},
            {"MULS: 2 issue cycles", "muls r3, r4, r3; adds r6, r6, r7", {0x4363, 0x19F6}, 3},
            {"UADD8: latency 2",
             "uadd8 r3, r4, r5; add.w r6, r3, r3",
             {0xFA84, 0xF345, 0xEB03, 0x0603},
             3},
            {"SXTAB: accumulate chained 1",
             "sxtab r3, r3, r4; sxtab r3, r3, r4; sxtab r3, r3, r4",
             {0xFA43, 0xF384, 0xFA43, 0xF384, 0xFA43, 0xF384},
             3},
            {"loads: 1 per cycle",
             "ldr.w r3, [r0]; ldrb.w r4, [r0, #1]; ldrh.w r5, [r0, #2]",
             {0xF8D0, 0x3000, 0xF890, 0x4001, 0xF8B0, 0x5002},
             3},
            {"load-to-use 2",
             "ldr.w r3, [r0]; add.w r4, r3, r3",
             {0xF8D0, 0x3000, 0xEB03, 0x0403},
             3},
            {"load to address 2",
             "ldr.w r3, [r0]; ldr.w r4, [r3]",
             {0xF8D0, 0x3000, 0xF8D3, 0x4000},
             3},
            {"load to accumulator 1",
             "ldr.w r3, [r0]; mla r4, r5, r6, r3",
             {0xF8D0, 0x3000, 0xFB05, 0x3406},
             2},
            {"load to SXTAB 2",
             "ldr.w r3, [r0]; sxtab r4, r3, r5",
             {0xF8D0, 0x3000, 0xFA43, 0xF485},
             3},
            {"load to store data 1",
             "ldr.w r3, [r0]; str.w r3, [r0, #4]",
             {0xF8D0, 0x3000, 0xF8C0, 0x3004},
             2},
            {"LDM N, the last word used next",
             "ldm.w r0, {r3, r4}; add.w r5, r4, r4",
             {0xE890, 0x0018, 0xEB04, 0x0504},
             4},
            {"LDM, STM N",
             "ldm.w r0, {r3, r4, r5, r6}; push {r3, r4, r5}",
             {0xE890, 0x0078, 0xB438},
             7},
            {"LDRD, STRD 2",
             "ldrd r4, r5, [r0]; strd r6, r7, [r0]",
             {0xE9D0, 0x4500, 0xE9C0, 0x6700},
             4},
            {"NOP beside an ALU operation or a load",
             "adds r3, r3, r4; nop; ldr r3, [r0]; nop",
             {0x191B, 0xBF00, 0x6803, 0xBF00},
             2},
            {"ALU + ALU, load + ALU: no pairs",
             "adds r3, r3, r4; adds r5, r5, r6; ldr r3, [r0]; adds r5, r5, r6",
             {0x191B, 0x19AD, 0x6803, 0x19AD},
             4},
            {"only 16-bit instructions pair",
             "adds r3, r3, r4; nop.w; add.w r5, r5, r6; nop",
             {0x191B, 0xF3AF, 0x8000, 0xEB05, 0x0506, 0xBF00},
             4},
            {"IT pairs", "movs r4, #1; it eq; moveq r4, #2", {0x2401, 0xBF08, 0x2402}, 2},
            {"not-taken branch pairs", "adds r3, #1; beq .+8", {0x3301, 0xD002}, 1},
            {"not-taken branch alone", "cmp.w r3, #1; beq .+8", {0xF1B3, 0x0F01, 0xD002}, 2},
            {"UDIV, 8 bits by 1: 5 + 7 / 4",
             "movs r4, #255; movs r5, #1; udiv r6, r4, r5",
             {0x24FF, 0x2501, 0xFBB4, 0xF6F5},
             8},
            {"SDIV, 32 bits by 1: at most 11",
             "movs r4, #1; lsls r4, r4, #31; movs r5, #1; sdiv r6, r4, r5",
             {0x2401, 0x07E4, 0x2501, 0xFB94, 0xF6F5},
             14},
            {"VADD: latency 2",
             "vadd.f32 s0, s1, s2; vmul.f32 s3, s0, s5",
             {0xEE30, 0x0A81, 0xEE60, 0x1A22},
             3},
            {"VADD: 1 issue",
             "vadd.f32 s0, s1, s2; vmul.f32 s3, s4, s5",
             {0xEE30, 0x0A81, 0xEE62, 0x1A22},
             2},
            {"VFMA: then no FP instruction for 2 cycles",
             "vfma.f32 s0, s1, s2; vfma.f32 s3, s4, s5",
             {0xEEA0, 0x0A81, 0xEEE2, 0x1A22},
             4},
            {"VFMA: integer instructions go on",
             "vfma.f32 s0, s1, s2; mov.w r3, r4; mov.w r5, r6; vfma.f32 s0, s4, s5",
             {0xEEA0, 0x0A81, 0xEA4F, 0x0304, 0xEA4F, 0x0506, 0xEEA2, 0x0A22},
             4},
            {"VFMA to multiplicand 4",
             "vfma.f32 s0, s1, s2; vfma.f32 s3, s0, s5",
             {0xEEA0, 0x0A81, 0xEEE0, 0x1A22},
             5},
            {"VLDR: load-use 1",
             "vldr s0, [r0]; vadd.f32 s3, s0, s0",
             {0xED90, 0x0A00, 0xEE70, 0x1A00},
             2},
            {"VMOV S to R: 2",
             "vmov r3, s0; add.w r4, r3, r3",
             {0xEE10, 0x3A10, 0xEB03, 0x0403},
             3},
            {"VMOV R to S: 1",
             "vmov s0, r3; vadd.f32 s1, s0, s0",
             {0xEE00, 0x3A10, 0xEE70, 0x0A00},
             2},
            {"VMOV of two: 2",
             "vmov r3, r4, s0, s1; add.w r5, r6, r7",
             {0xEC54, 0x3A10, 0xEB06, 0x0507},
             3},
            {"predicated out: a NOP",
             "cmp.w r9, r9; it ne; ldmne.w r0, {r3, r4, r5, r6}",
             {0xEBB9, 0x0F09, 0xBF18, 0xE890, 0x0078},
             3},
        });
}

TEST_CASE("Cortex-M33: taken branches by what stands before them") {
    const CoreConfig config = cortex_m33_timed();
    // subs r2, #1; bne: 2 behind a 16-bit instruction that sets flags
    CHECK(round_cycles(config, {0x3A01, 0xD1FD}, kM33Loop) == doctest::Approx(1 + 2));
    // subs r2, #1; bne.w: 3 alone
    CHECK(round_cycles(config, {0x3A01, 0xF47F, 0xAFFD}, kM33Loop) == doctest::Approx(1 + 3));
    // subs r2, #1; add r4, r5; bne: 1 behind a 16-bit instruction that does not
    CHECK(round_cycles(config, {0x3A01, 0x442C, 0xD1FC}, kM33Loop) == doctest::Approx(1 + 1 + 1));
    // subs r2, #1; ldm r1!, {r3, r4}; bne: beside LDM, too
    CHECK(round_cycles(config, {0x3A01, 0xC918, 0xD1FC}, kM33Loop) == doctest::Approx(1 + 2 + 1));
    // bl; subs r2, #1; bne; b; push {r3, lr}; pop {r3, pc}: N + 3
    CHECK(round_cycles(config, {0xF000, 0xF803, 0x3A01, 0xD1FB, 0xE001, 0xB508, 0xBD08, 0xBF00},
                       kM33Loop) == doctest::Approx(3 + 2 + (2 + 3) + 1 + 2));
}

TEST_CASE("Cortex-M33: parameters move what they name") {
    CoreConfig config = cortex_m33_timed();
    config.cortex_m33.pairs.value = 0;
    CHECK(round_cycles(config, {0x3A01, 0xD1FD}, kM33Loop) == doctest::Approx(1 + 3));
    config.cortex_m33.taken.value = 2;
    CHECK(round_cycles(config, {0x3A01, 0xD1FD}, kM33Loop) == doctest::Approx(1 + 2));
    const std::vector<std::uint16_t> load_use = {0xF8D0, 0x3000, 0xEB03, 0x0403};
    CHECK(n6vp::tests::straight_cycles(config, load_use) == 3);
    config.cortex_m33.load_latency.value = 1;
    CHECK(n6vp::tests::straight_cycles(config, load_use) == 2);
}

TEST_CASE("Cortex-M33: a parameter at its least value does not make time run away") {
    n6vp::tests::check_least_values(cortex_m33_timed(), &CoreConfig::cortex_m33);
}
