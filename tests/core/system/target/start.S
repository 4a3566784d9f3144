/* SPDX-License-Identifier: Apache-2.0 */
    .syntax unified
    .thumb
    .section .vectors, "a"
    .global vectors
    .balign 512
vectors:
    .word stack_top
    .word reset + 1
    .rept 14 + 96
    .word common_handler + 1
    .endr

    .text
    .global reset
    .thumb_func
reset:
    ldr r0, =bss_start
    ldr r1, =bss_end
    movs r2, #0
1:  cmp r0, r1
    bhs 2f
    str r2, [r0], #4
    b 1b
2:  bl main
    movs r0, #0
    bl finish

/* The frame is on the process stack if thread mode with SPSEL was interrupted. */
    .thumb_func
common_handler:
    tst lr, #8
    ite ne
    mrsne r1, control
    moveq r1, #0
    mov r2, lr
    tst lr, #8
    beq 1f
    tst lr, #4
    beq 1f
    mrs r1, psp
    b 2f
1:  mov r1, sp
2:  mrs r0, ipsr
    push {r4, lr}
    bl on_exception
    pop {r4, pc}

/* uint32_t fp_fill(uint32_t seed): fills s0-s31 */
    .fpu fpv5-d16
    .global fp_fill
    .thumb_func
fp_fill:
    vmov s0, r0
    adds r0, #1
    vmov s1, r0
    adds r0, #1
    vmov s2, r0
    adds r0, #1
    vmov s15, r0
    adds r0, #1
    vmov s16, r0
    adds r0, #1
    vmov s31, r0
    bx lr

/* void fp_read(uint32_t to[6], ) */
    .global fp_read
    .thumb_func
fp_read:
    vmov r1, s0
    vmov r2, s1
    vmov r3, s2
    stmia r0!, {r1, r2, r3}
    vmov r1, s15
    vmov r2, s16
    vmov r3, s31
    stmia r0!, {r1, r2, r3}
    bx lr

    .global fp_status_set
    .thumb_func
fp_status_set:
    vmsr fpscr, r0
    bx lr
    .global fp_status_get
    .thumb_func
fp_status_get:
    vmrs r0, fpscr
    bx lr
