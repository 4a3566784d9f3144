// SPDX-License-Identifier: Apache-2.0
#include "kernel_blocks.h"

#include <stddef.h>

#define OFFSET(structure, member, offset) \
    _Static_assert(offsetof(struct structure, member) == (offset), "used by assembly")

// --- Two pixels by two channels ------------------------------------------------------------------

OFFSET(kernel_pixel_job, weights, 0);
OFFSET(kernel_pixel_job, turns, 12);
OFFSET(kernel_pixel_job, pairs, 16);
OFFSET(kernel_pixel_job, out, 20);
OFFSET(kernel_pixel_job, skipped, 28);
OFFSET(kernel_pixel_job, one, 32);
OFFSET(kernel_pixel_job, other, 48);

/// A group has 16 instructions of 64 bytes. Sums r0, r1 (first channel), r2, r3; weights at r4,
/// inputs at r5.
#if defined(N6VP_LEGACY_CORE) && N6VP_LEGACY_CORE == 7
/// The Cortex-M7 loads beside a multiplication: words of the next group, one behind the last
/// included.
#define ENTER                    \
    "ldr lr, [sp]\n\t"             \
    "ldr r3, [lr, #28]\n\t"        \
    "ldm lr, {r4-r6, lr}\n\t"      \
    "add r7, r5, r3\n\t"           \
    "add r6, r4, r3, lsr #1\n\t"   \
    "ldr.w r8, [r7]\n\t"           \
    "ldr.w r10, [r7, #4]\n\t"      \
    "ldr.w r11, [r7, #8]\n\t"      \
    "ldr.w r12, [r7, #12]\n\t"     \
    "ldr.w r7, [r6, #4]\n\t"       \
    "ldr.w r6, [r6]\n\t"           \
    "movs r0, #0\n\t"              \
    "movs r1, #0\n\t"              \
    "movs r2, #0\n\t"              \
    "movs r3, #0\n\t"              \
    "ldr.w pc, [sp, #4]\n\t"
#define GROUP(weights_at, inputs_at)          \
    "smlad r0, r6, r10, r0\n\t"               \
    "smlad r1, r6, r12, r1\n\t"               \
    "sxtb16.w r6, r6\n\t"                     \
    "smlad r2, r7, r10, r2\n\t"               \
    "smlad r3, r7, r12, r3\n\t"               \
    "ldr.w r10, [r5, #" #inputs_at "+20]\n\t" \
    "sxtb16.w r7, r7\n\t"                     \
    "smlad r0, r6, r8, r0\n\t"                \
    "smlad r1, r6, r11, r1\n\t"               \
    "ldr.w r12, [r5, #" #inputs_at "+28]\n\t" \
    "ldr.w r6, [r4, #" #weights_at "+8]\n\t"  \
    "smlad r2, r7, r8, r2\n\t"                \
    "smlad r3, r7, r11, r3\n\t"               \
    "ldr.w r8, [r5, #" #inputs_at "+16]\n\t"  \
    "ldr.w r7, [r4, #" #weights_at "+12]\n\t" \
    "ldr.w r11, [r5, #" #inputs_at "+24]\n\t"
#else
/// Loads in a row: on the Cortex-M4 all but the first take one cycle.
#define ENTER               \
    "ldr lr, [sp]\n\t"        \
    "ldm lr, {r4-r6, lr}\n\t" \
    "movs r0, #0\n\t"         \
    "movs r1, #0\n\t"         \
    "movs r2, #0\n\t"         \
    "movs r3, #0\n\t"         \
    "bx r6\n\t"
#define GROUP(weights_at, inputs_at)          \
    "ldr.w r6, [r4, #" #weights_at "]\n\t"    \
    "ldr.w r7, [r4, #" #weights_at "+4]\n\t"  \
    "ldr.w r8, [r5, #" #inputs_at "]\n\t"     \
    "ldr.w r10, [r5, #" #inputs_at "+4]\n\t"  \
    "ldr.w r11, [r5, #" #inputs_at "+8]\n\t"  \
    "ldr.w r12, [r5, #" #inputs_at "+12]\n\t" \
    "smlad r0, r6, r10, r0\n\t"               \
    "smlad r1, r6, r12, r1\n\t"               \
    "smlad r2, r7, r10, r2\n\t"               \
    "smlad r3, r7, r12, r3\n\t"               \
    "sxtb16.w r6, r6\n\t"                     \
    "sxtb16.w r7, r7\n\t"                     \
    "smlad r0, r6, r8, r0\n\t"                \
    "smlad r1, r6, r11, r1\n\t"               \
    "smlad r2, r7, r8, r2\n\t"                \
    "smlad r3, r7, r11, r3\n\t"
#endif

/// Two sums of one channel, whose scale is at r5 + `scale`: 256-fold to stored numbers. Loads but
/// the first are narrow: on the Cortex-M4 wide ones at an odd halfword take longer.
#define STORED(first, second, scale)             \
    "ldr.w r8, [r5, #" #scale "+4]\n\t"          \
    "ldr.n r6, [r5, #" #scale "]\n\t"            \
    "ldr.n r7, [r5, #" #scale "+8]\n\t"          \
    "ldr.n r4, [r5, #" #scale "+12]\n\t"         \
    "add " first ", r6, " first ", asr #5\n\t"   \
    "add " second ", r6, " second ", asr #5\n\t" \
    "smmla " first ", " first ", r8, r7\n\t"     \
    "smmla " second ", " second ", r8, r7\n\t"   \
    "asrs " first ", r4\n\t"                     \
    "asrs " second ", r4\n\t"                    \
    "ssat " first ", #8, " first "\n\t"          \
    "ssat " second ", #8, " second "\n\t"

/// The loop is entered behind the groups that the first turn leaves out: r6.
__attribute__((naked)) static void pixel_pairs(
    __attribute__((unused)) struct kernel_pixel_job* job) {
    __asm__ volatile(
        "push {r0, r1, r4-r8, r10, r11, lr}\n\t"
        "adr r6, 3f\n\t"
        "ldr r1, [r0, #8]\n\t"
        "add r6, r6, r1, lsl #6\n\t"
        "adds r6, #1\n\t"
        "str r6, [r0, #8]\n\t"
        "str r6, [sp, #4]\n"
        "2:\n\t"  //
        ENTER
        ".balign 4\n"
        "3:\n\t"                                                        //
        GROUP(0, 0) GROUP(8, 16) GROUP(16, 32) GROUP(24, 48)            //
        GROUP(32, 64) GROUP(40, 80) GROUP(48, 96) GROUP(56, 112)        //
        "add.w r4, r4, #64\n\t"
        "add.w r5, r5, #128\n\t"
        "subs.w lr, lr, #1\n\t"
        "bne.w 3b\n\t"
        "ldr.w lr, [sp]\n\t"
        "ldr.w r6, [lr, #28]\n\t"
        "sub.w r6, r5, r6\n\t"
        "mov.w r5, lr\n\t"
        "str.n r6, [r5, #4]\n\t"                                        //
        STORED("r0", "r1", 32) STORED("r2", "r3", 48)                   //
        "ldr r6, [r5, #20]\n\t"
        "ldr r7, [r5, #24]\n\t"
        "ldr r4, [r5, #16]\n\t"
        "strb r0, [r6]\n\t"
        "strb r2, [r6, #1]\n\t"
        "add r6, r6, r7\n\t"
        "strb r1, [r6]\n\t"
        "strb r3, [r6, #1]\n\t"
        "add r6, r6, r7\n\t"
        "str r6, [r5, #20]\n\t"
        "subs r4, r4, #1\n\t"
        "str r4, [r5, #16]\n\t"
        "bne 2b\n\t"
        "pop {r0, r1, r4-r8, r10, r11, pc}\n\t" ::
            : "memory");
}

void kernel_pixel_pairs(struct kernel_pixel_job* job, uint32_t groups) {
    enum { kTurn = 8, kWeightBytes = 8, kInputBytes = 16 };
    const uint32_t left_out = (kTurn - groups % kTurn) % kTurn;
    job->entry = left_out;
    job->turns = (groups + left_out) / kTurn;
    job->skipped = left_out * kInputBytes;
    job->weights -= left_out * kWeightBytes;
    job->expanded -= left_out * kInputBytes / sizeof *job->expanded;
    pixel_pairs(job);
}

// --- Lines of a depthwise convolution ------------------------------------------------------------

OFFSET(kernel_line_job, taps, 0);
OFFSET(kernel_line_job, scale, 24);
OFFSET(kernel_line_job, left, 40);
OFFSET(kernel_line_job, out, 44);
OFFSET(kernel_line_job, step, 48);
OFFSET(kernel_line_job, lines, 52);

/// Words of the line at `at` and its taps, with what stands for sums before.
#define LINE(at, taps)                     \
    "ldr r7, [lr, #" #taps "]\n\t"         \
    "ldr r8, [lr, #" #taps "+4]\n\t"       \
    "ldr.w r4, [" at "], #8\n\t"           \
    "ldr.w r5, [" at ", #-4]\n\t"          \
    "ldr.w r6, [" at "]\n\t"
#define ONES(s0, s1, s2, s3)               \
    "smlatb r1, r4, r7, " s1 "\n\t"        \
    "smlad r2, r5, r7, " s2 "\n\t"         \
    "smlad r0, r4, r7, " s0 "\n\t"         \
    "smlatb r3, r5, r7, " s3 "\n\t"        \
    "smlad r1, r5, r8, r1\n\t"             \
    "smlabt r2, r6, r8, r2\n\t"            \
    "smlabt r0, r5, r8, r0\n\t"            \
    "smlad r3, r6, r8, r3\n\t"
#define TWOS(s0, s1)                       \
    "smlad r0, r4, r7, " s0 "\n\t"         \
    "smlad r1, r5, r7, " s1 "\n\t"         \
    "smlabt r0, r5, r8, r0\n\t"            \
    "smlabt r1, r6, r8, r1\n\t"

__attribute__((naked)) void kernel_line_ones(
    __attribute__((unused)) struct kernel_line_job* job) {
    __asm__ volatile(
        "push {r4-r8, r10, r11, lr}\n\t"
        "mov lr, r0\n\t"
        "ldr r10, [lr, #52]\n\t"
        "ldr r11, [lr, #56]\n\t"
        "ldr r12, [lr, #60]\n\t"
        ".balign 4\n"
        "2:\n\t"
        "ldr.w r3, [lr, #24]\n\t"                                       //
        LINE("r10", 0) ONES("r3", "r3", "r3", "r3")                     //
        LINE("r11", 8) ONES("r0", "r1", "r2", "r3")                     //
        LINE("r12", 16) ONES("r0", "r1", "r2", "r3")                    //
        "ldr r4, [lr, #28]\n\t"
        "ldr r5, [lr, #32]\n\t"
        "ldr r6, [lr, #36]\n\t"
        "ldr r7, [lr, #44]\n\t"
        "ldr.w r8, [lr, #48]\n\t"
        "smmla r0, r0, r4, r5\n\t"
        "smmla r1, r1, r4, r5\n\t"
        "smmla r2, r2, r4, r5\n\t"
        "smmla r3, r3, r4, r5\n\t"
        "ldr r4, [lr, #40]\n\t"
        "asrs r0, r6\n\t"
        "asrs r1, r6\n\t"
        "asrs r2, r6\n\t"
        "asrs r3, r6\n\t"
        "ssat r0, #8, r0\n\t"
        "ssat r1, #8, r1\n\t"
        "ssat r2, #8, r2\n\t"
        "ssat r3, #8, r3\n\t"
        "strb r0, [r7]\n\t"
        "cmp r4, #4\n\t"
        "blt 3f\n\t"
        "add r7, r8\n\t"
        "strb r1, [r7]\n\t"
        "add r7, r8\n\t"
        "strb r2, [r7]\n\t"
        "add r7, r8\n\t"
        "strb r3, [r7]\n\t"
        "add r7, r8\n\t"
        "str r7, [lr, #44]\n\t"
        "subs r4, #4\n\t"
        "str r4, [lr, #40]\n\t"
        "bne.w 2b\n"
        "4:\n\t"
        "pop {r4-r8, r10, r11, pc}\n"
        "3:\n\t"
        "cmp r4, #1\n\t"
        "beq 4b\n\t"
        "add r7, r8\n\t"
        "strb r1, [r7]\n\t"
        "cmp r4, #2\n\t"
        "beq 4b\n\t"
        "add r7, r8\n\t"
        "strb r2, [r7]\n\t"
        "b 4b\n\t" ::
            : "memory");
}

__attribute__((naked)) void kernel_line_twos(
    __attribute__((unused)) struct kernel_line_job* job) {
    __asm__ volatile(
        "push {r4-r8, r10, r11, lr}\n\t"
        "mov lr, r0\n\t"
        "ldr r10, [lr, #52]\n\t"
        "ldr r11, [lr, #56]\n\t"
        "ldr r12, [lr, #60]\n\t"
        "ldr r2, [lr, #44]\n\t"
        "ldr r3, [lr, #48]\n\t"
        ".balign 4\n"
        "2:\n\t"
        "ldr.w r1, [lr, #24]\n\t"                                       //
        LINE("r10", 0) TWOS("r1", "r1")                                 //
        LINE("r11", 8) TWOS("r0", "r1")                                 //
        LINE("r12", 16) TWOS("r0", "r1")                                //
        "ldr r4, [lr, #28]\n\t"
        "ldr r5, [lr, #32]\n\t"
        "ldr r6, [lr, #36]\n\t"
        "ldr r7, [lr, #40]\n\t"
        "smmla r0, r0, r4, r5\n\t"
        "smmla r1, r1, r4, r5\n\t"
        "asrs r0, r6\n\t"
        "asrs r1, r6\n\t"
        "ssat r0, #8, r0\n\t"
        "ssat r1, #8, r1\n\t"
        "strb r0, [r2]\n\t"
        "add r2, r3\n\t"
        "subs r7, #2\n\t"
        "blt 4f\n\t"
        "strb r1, [r2]\n\t"
        "add r2, r3\n\t"
        "str r7, [lr, #40]\n\t"
        "bne.w 2b\n"
        "4:\n\t"
        "pop {r4-r8, r10, r11, pc}\n\t" ::
            : "memory");
}
