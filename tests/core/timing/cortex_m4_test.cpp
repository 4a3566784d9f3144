// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "tests/core/timing/pipeline_cases.h"

// The Cortex-M4's cycles by the instruction timing tables of its technical reference manual, by the
// public measurements of division and of loads behind stores; counted by hand. A case begins with
// the row that it is about.

using namespace n6vp::models::core;
using n6vp::tests::BenchBus;
using n6vp::tests::check_cases;
using n6vp::tests::round_cycles;
using n6vp::tests::straight_cycles;

namespace {

CoreConfig cortex_m4_timed() {
    CoreConfig config = n6vp::tests::timed_config(cortex_m4());
    config.cortex_m4.refill.value = 2;        // the table's usual P
    config.cortex_m4.address_wait.value = 1;  // as measured on an STM32F407
    return config;
}

}  // namespace

TEST_CASE("Cortex-M4: straight-line code takes the cycles of the tables") {
    check_cases(
        cortex_m4_timed(),
        {
            {"ALU",
             "add r0, r1, r2; eor r3, r4, r5, ror #7; movw r6, #300; ubfx r7, r6, #3, #4; sadd8 "
             "r0, r1, r2; sel r0, r1, r2; clz r0, r1; rev r0, r1",
             {0xEB01, 0x0002, 0xEA84, 0x13F5, 0xF240, 0x162C, 0xF3C6, 0x07C3, 0xFA81, 0xF002,
              0xFAA1, 0xF082, 0xFAB1, 0xF081, 0xBA08},
             8},
            {"MUL, MAC: result usable next cycle",
             "mul r0, r1, r2; mla r3, r0, r1, r3; smull r4, r5, r3, r1; smlal r4, r5, r0, r1; "
             "smlad r0, r1, r2, r4; umaal r4, r5, r0, r1",
             {0xFB01, 0xF002, 0xFB00, 0x3301, 0xFB83, 0x4501, 0xFBC0, 0x4501, 0xFB21, 0x4002,
              0xFBE0, 0x4561},
             6},
            {"B not taken", "cmp r9, r9; bne .+8", {0x45C9, 0xD102}, 2},
            {"LDR alone", "ldr r3, [r0]", {0x6803}, 2},
            {"n loads: n + 1",
             "ldr r3, [r0]; ldr r4, [r0, #4]; ldrb r5, [r0, #9]; ldrh r6, [r1]",
             {0x6803, 0x6844, 0x7A45, 0x880E},
             5},
            {"LDR, LDR of the loaded address: not overlapped",
             "ldr r3, [r0]; ldr r4, [r3]",
             {0x6803, 0x681C},
             4},
            {"load-use: no extra", "ldr r3, [r0]; add r4, r3, r3", {0x6803, 0xEB03, 0x0403}, 3},
            {"LDR, STR of the loaded value", "ldr r3, [r0]; str r3, [r0, #4]", {0x6803, 0x6043}, 3},
            {"address from the previous data processing: +1",
             "add r2, r0, #4; ldr r3, [r2]",
             {0xF100, 0x0204, 0x6813},
             4},
            {"the same with one instruction between",
             "add r2, r0, #4; nop; ldr r3, [r2]",
             {0xF100, 0x0204, 0xBF00, 0x6813},
             4},
            {"index from the previous data processing: +1",
             "movs r2, #4; ldr r3, [r0, r2]",
             {0x2204, 0x5883},
             4},
            {"STR imm", "str r3, [r0]; str r3, [r0, #4]", {0x6003, 0x6043}, 2},
            {"STR imm post-indexed, other bases",
             "str r3, [r0], #4; str r3, [r1], #4",
             {0xF840, 0x3B04, 0xF841, 0x3B04},
             2},
            {"STR register offset 2", "str r3, [r0, r8]", {0xF840, 0x3008}, 2},
            {"nothing overlaps behind STR register offset",
             "str r3, [r0, r8]; str r3, [r0, r8]",
             {0xF840, 0x3008, 0xF840, 0x3008},
             4},
            {"LDR, STR register offset",
             "ldr.w r3, [r0]; str r4, [r0, r8]",
             {0xF8D0, 0x3000, 0xF840, 0x4008},
             3},
            {"32-bit load at an odd halfword: not overlapped",
             "ldr r3, [r0]; ldr.w r4, [r0, #4]",
             {0x6803, 0xF8D0, 0x4004},
             4},
            {"32-bit loads that are word-aligned",
             "ldr.w r3, [r0]; ldr.w r4, [r0, #4]",
             {0xF8D0, 0x3000, 0xF8D0, 0x4004},
             3},
            {"two 32-bit instructions at odd halfwords",
             "nop; add.w r4, r1, r2; add.w r4, r1, r2",
             {0xBF00, 0xEB01, 0x0402, 0xEB01, 0x0402},
             3},
            {"three or more of them: +1",
             "nop; add.w r4, r1, r2, four times",
             {0xBF00, 0xEB01, 0x0402, 0xEB01, 0x0402, 0xEB01, 0x0402, 0xEB01, 0x0402},
             6},
            {"three of them behind one of several cycles: +1",
             "nop; ldr.w r3, [r0]; add.w r4, r1, r2, three times",
             {0xBF00, 0xF8D0, 0x3000, 0xEB01, 0x0402, 0xEB01, 0x0402, 0xEB01, 0x0402},
             7},
            {"a load behind a store: +1", "str r3, [r0]; ldr r4, [r0, #4]", {0x6003, 0x6844}, 4},
            {"LDRD, STRD 3",
             "ldrd r4, r5, [r0]; strd r4, r5, [r0]",
             {0xE9D0, 0x4500, 0xE9C0, 0x4500},
             6},
            {"LDM, STM 1 + N",
             "ldm r0, {r3, r4, r5, r6}; stm r0, {r3, r4, r5}",
             {0xE890, 0x0078, 0xE880, 0x0038},
             9},
            {"PUSH, POP 1 + N", "push {r3, r4}; pop {r3, r4}", {0xB418, 0xBC18}, 6},
            {"LDM does not overlap with LDR",
             "ldr r3, [r0]; ldm r0, {r4, r5}; ldr r3, [r0]",
             {0x6803, 0xE890, 0x0030, 0x6803},
             7},
            {"LDREX, STREX 2",
             "ldrex r3, [r0]; nop; strex r4, r3, [r0]",
             {0xE850, 0x3F00, 0xBF00, 0xE840, 0x3400},
             5},
            {"IT folded on a 16-bit instruction",
             "movs r4, #1; it eq; moveq r4, #2",
             {0x2401, 0xBF08, 0x2402},
             2},
            {"IT behind a 32-bit instruction",
             "movw r4, #1; it eq; moveq r4, #2",
             {0xF240, 0x0401, 0xBF08, 0x2402},
             3},
            {"a load whose condition fails 1",
             "cmp r9, r9; it ne; ldrne r4, [r0]",
             {0x45C9, 0xBF18, 0x6804},
             2},
            {"a load whose condition holds 2",
             "cmp r9, r9; it eq; ldreq r4, [r0]",
             {0x45C9, 0xBF08, 0x6804},
             3},
            {"UDIV of zero 2",
             "movs r4, #0; movs r5, #3; udiv r6, r4, r5",
             {0x2400, 0x2503, 0xFBB4, 0xF6F5},
             4},
            {"UDIV, dividend with fewer bits 3",
             "movs r4, #3; movs r5, #8; udiv r6, r4, r5",
             {0x2403, 0x2508, 0xFBB4, 0xF6F5},
             5},
            {"UDIV, 8 bits by 1: 5 + 7 / 4",
             "movs r4, #255; movs r5, #1; udiv r6, r4, r5",
             {0x24FF, 0x2501, 0xFBB4, 0xF6F5},
             8},
            {"SDIV, 32 bits by 1: 5 + 31 / 4 is 12",
             "mov r4, #0x80000000; movs r5, #1; sdiv r6, r4, r5",
             {0xF04F, 0x4400, 0x2501, 0xFB94, 0xF6F5},
             14},
            {"SDIV of -255 by 1: by magnitude",
             "mvn r4, #254; movs r5, #1; sdiv r6, r4, r5",
             {0xF06F, 0x04FE, 0x2501, 0xFB94, 0xF6F5},
             8},
            {"unaligned word on halfword +1", "ldr r3, [r0, #2]", {0xF8D0, 0x3002}, 3},
            {"unaligned word on byte +2", "ldr r3, [r0, #1]", {0xF8D0, 0x3001}, 4},
            {"unaligned halfword +1", "ldrh r3, [r0, #1]", {0xF8B0, 0x3001}, 3},
            {"unaligned store: hidden", "str r3, [r0, #1]", {0xF8C0, 0x3001}, 1},
            {"VADD 1, result not used next",
             "vadd.f32 s0, s1, s2; vadd.f32 s3, s4, s5",
             {0xEE30, 0x0A81, 0xEE72, 0x1A22},
             2},
            {"VADD 1, +1 if used next",
             "vadd.f32 s0, s1, s2; vmul.f32 s3, s0, s5",
             {0xEE30, 0x0A81, 0xEE60, 0x1A22},
             3},
            {"VFMA 3",
             "vfma.f32 s0, s1, s2; vfma.f32 s3, s4, s5",
             {0xEEA0, 0x0A81, 0xEEE2, 0x1A22},
             6},
            {"VFMA 3, +1 if used next",
             "vfma.f32 s0, s1, s2; vadd.f32 s3, s0, s5",
             {0xEEA0, 0x0A81, 0xEE70, 0x1A22},
             5},
            {"a result that feeds only the addend",
             "vmul.f32 s0, s1, s2; vmla.f32 s0, s4, s5",
             {0xEE20, 0x0A81, 0xEE02, 0x0A22},
             4},
            {"VDIV 14, integer instructions overlap",
             "vdiv.f32 s0, s1, s2; adds r3, #1; adds r3, #1; adds r3, #1; vadd.f32 s4, s0, s3",
             {0xEE80, 0x0A81, 0x3301, 0x3301, 0x3301, 0xEE30, 0x2A21},
             15},
            {"VDIV 1 if no FP instruction follows",
             "vdiv.f32 s0, s1, s2; adds r3, #1",
             {0xEE80, 0x0A81, 0x3301},
             2},
            {"VLDR.32 2", "vldr s0, [r0]; vldr s1, [r0, #4]", {0xED90, 0x0A00, 0xEDD0, 0x0A01}, 4},
            {"VLDM 1 + N",
             "vldmia r0, {s0, s1, s2, s3}; vpush {s0, s1}",
             {0xEC90, 0x0A04, 0xED2D, 0x0A02},
             8},
            {"VMOV core to S 2, S to S 1",
             "vmov s0, r3; vmov.f32 s1, s3",
             {0xEE00, 0x3A10, 0xEEF0, 0x0A61},
             3},
        });
}

TEST_CASE("Cortex-M4: a taken branch refills the pipeline") {
    const CoreConfig config = cortex_m4_timed();
    constexpr std::uint32_t kStart = BenchBus::kCode + 4;
    const std::vector<std::uint16_t> narrow = {0x3A01, 0xD1FD};             // subs r2, #1; bne
    const std::vector<std::uint16_t> wide = {0xF1B2, 0x0201, 0xD1FC};       // subs.w r2, #1; bne
    CHECK(round_cycles(config, narrow, kStart) == doctest::Approx(1 + 3));  // B: 1 + P, P = 2
    CHECK(round_cycles(config, narrow, kStart + 2) == doctest::Approx(1 + 3));
    CHECK(round_cycles(config, wide, kStart) == doctest::Approx(1 + 3));
    CHECK(round_cycles(config, wide, kStart + 2) == doctest::Approx(1 + 4));  // P: +1
    // bl 2f; subs r2, #1; bne; b 3f; 2: bx lr
    CHECK(round_cycles(config, {0xF000, 0xF803, 0x3A01, 0xD1FB, 0xE000, 0x4770, 0xBF00}, kStart) ==
          doctest::Approx(3 + 3 + 1 + 3));
    // bl 2f; subs r2, #1; bne; b 3f; 2: push {r3, lr}; pop {r3, pc}
    CHECK(round_cycles(config, {0xF000, 0xF803, 0x3A01, 0xD1FB, 0xE001, 0xB508, 0xBD08, 0xBF00},
                       kStart) == doctest::Approx(3 + (1 + 2) + (1 + 2 + 2) + 1 + 3));
    // movs r3, #0; tbb [pc, r3] at least 6; subs r2, #1; bne
    CHECK(round_cycles(config, {0x2300, 0xE8DF, 0xF003, 0x0101, 0x3A01, 0xD1F9}, kStart) ==
          doctest::Approx(1 + 6 + 1 + 3));
    // adr r3; adds r3, #1; str r3, [r0]; nop; ldr pc, [r0] at least 5; subs r2, #1; bne
    CHECK(round_cycles(config, {0xA302, 0x3301, 0x6003, 0xBF00, 0xF8D0, 0xF000, 0x3A01, 0xD1F7},
                       kStart) == doctest::Approx(4 + 5 + 1 + 3));
}

TEST_CASE("Cortex-M4: the divider stays busy across a branch") {
    // vdiv.f32 s0, s1, s2; subs r2, #1; bne: 14 of the divider, all else beside it
    CHECK(round_cycles(cortex_m4_timed(), {0xEE80, 0x0A81, 0x3A01, 0xD1FB}, BenchBus::kCode + 4) ==
          doctest::Approx(14));
}

TEST_CASE("Cortex-M4: parameters move what they name") {
    CoreConfig config = cortex_m4_timed();
    const std::vector<std::uint16_t> loop = {0x3A01, 0xD1FD};
    config.cortex_m4.refill.value = 1;
    CHECK(round_cycles(config, loop, BenchBus::kCode + 4) == doctest::Approx(1 + 2));
    const std::vector<std::uint16_t> dependent = {0x1D02, 0x6813};  // adds r2, r0, #4; ldr r3, [r2]
    CHECK(straight_cycles(config, dependent) == 4);
    config.cortex_m4.address_wait.value = 0;
    CHECK(straight_cycles(config, dependent) == 3);
    const std::vector<std::uint16_t> wide = {0xF240, 0x0401, 0xBF08, 0x2402};  // movw; it; moveq
    CHECK(straight_cycles(config, wide) == 3);
    config.cortex_m4.it.value = 2;
    CHECK(straight_cycles(config, wide) == 4);
}

TEST_CASE("Cortex-M4: a parameter at its least value does not make time run away") {
    n6vp::tests::check_least_values(cortex_m4_timed(), &CoreConfig::cortex_m4);
}

TEST_CASE("Cortex-M4: functional timing counts instructions") {
    CoreConfig config = cortex_m4_timed();
    config.timing = Timing::Functional;
    CHECK(round_cycles(config, {0x3A01, 0xD1FD}, BenchBus::kCode + 4) == doctest::Approx(2));
}
