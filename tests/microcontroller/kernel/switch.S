/* SPDX-License-Identifier: Apache-2.0 */
/* What C cannot say: the switch, the first entry, services, and tasks that watch every register. */
#include "kernel.h"
    .syntax unified
    .text

/* Saves what the exception frame lacks. Bit 4 of EXC_RETURN is 0 where the frame has FP registers;
 * the first access to s16 then lets the hardware store the rest of the frame. */
    .global pend_sv
    .thumb_func
pend_sv:
    mrs r0, psp
    tst lr, #0x10
    it eq
    vstmdbeq r0!, {s16-s31}
    stmdb r0!, {r4-r11, lr}
    ldr r1, =current
    ldr r1, [r1]
    str r0, [r1, #TASK_SP]
    mov r0, lr
    bl kernel_switch /* the next task */
#ifdef HAS_STACK_LIMIT
    ldr r1, [r0, #TASK_LIMIT]
    msr psplim, r1
#endif
    ldr r0, [r0, #TASK_SP]
    ldmia r0!, {r4-r11, lr}
    tst lr, #0x10
    it eq
    vldmiaeq r0!, {s16-s31}
    msr psp, r0
    bx lr

/* The first task, of the frame that task_add made: r0 its registers, r1 the end of the main stack. */
    .global kernel_first
    .thumb_func
kernel_first:
    add r2, r0, #(9 * 4 + 8 * 4)
    ldr r4, [r0, #(9 * 4 + 6 * 4)]
    ldr r5, [r0, #(9 * 4)]
    ldr r6, [r0, #(9 * 4 + 4)]
    msr psp, r2
    movs r3, #2
    msr control, r3
    isb
    mov r0, r5
    mov r1, r6
    cpsie i
    bx r4

    .macro service name, number
    .global \name
    .thumb_func
\name:
    svc \number
    bx lr
    .endm
    service task_yield, 0
    service task_sleep_until, 1
    service mutex_take, 2
    service mutex_unlock, 3
    service queue_take, 4
    service probe_service, 5

/* Services come from tasks only, and so their frame is on the process stack. */
    .global sv_call
    .thumb_func
sv_call:
    mov r1, lr
    mrs r0, psp
    b kernel_service

/* Overwrites FP registers, which the hardware must have stored by then. */
    .global timer_interrupt
    .thumb_func
timer_interrupt:
    mov r0, lr
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmov s\n, r0
    .endr
    vcmp.f32 s0, s1
    b on_timer

/* r0 = seed, r1 = where to count rounds. All other core registers hold the seed plus their number,
 * r2 is scratch; the flags of a comparison live across whatever interrupts it. */
    .macro seed_core
    .irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14
    add r\n, r0, #\n
    .endr
    .endm
    .macro check_core
    .irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14
    sub r2, r\n, #\n
    cmp r2, r0
    bne core_changed
    .endr
    .endm
    .macro count_round
    ldr r2, [r1]
    add r2, r2, #1
    str r2, [r1]
    .endm

    .global watch_core
    .thumb_func
watch_core:
    seed_core
1:  check_core
    count_round
    b 1b

/* The same with a service in each round. */
    .global watch_services
    .thumb_func
watch_services:
    seed_core
1:  check_core
    count_round
    svc 0
    check_core
    b 1b

core_changed:
    mov r1, r2
    ldr r0, =1f
    bl failed
1:  .asciz "core register"
    .balign 4

    .macro seed_fp
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    add r2, r0, #(\n + 64)
    vmov s\n, r2
    .endr
    and r2, r0, #0x300
    lsl r2, r2, #14 /* rounding mode */
    vmsr fpscr, r2
    .endm
    .macro check_fp
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmov r2, s\n
    sub r2, r2, #(\n + 64)
    cmp r2, r0
    bne fp_changed
    .endr
    vmrs r2, fpscr
    and r2, r2, #0x00C00000
    lsr r2, r2, #14
    eor r2, r2, r0
    tst r2, #0x300
    bne fp_changed
    .endm

    .global watch_fp
    .thumb_func
watch_fp:
    seed_core
    seed_fp
1:  check_core
    check_fp
    count_round
    b 1b

fp_changed:
    mov r1, r2
    ldr r0, =1f
    bl failed
1:  .asciz "FP register"
    .balign 4

#ifdef HAS_HELIUM
/* Lanes under VPR, and a loop whose count is in lr: 12 rounds add the seed 12 times to the lanes
 * of the predicate, and to those only. */
    .global watch_helium
    .thumb_func
watch_helium:
    seed_core
    movw r3, #0x0FF0 /* lanes 1 and 2 of four */
    vmsr p0, r3
1:  vmov.i32 q0, #0
    vdup.32 q4, r0
    vmov q7, q4
    mov lr, #12
    dls lr, lr
2:  vpst
    vaddt.i32 q0, q0, q4
    vmov q5, q4
    le lr, 2b
    vmrs r2, p0
    cmp r2, r3
    bne fp_changed
    mov r2, #12
    mul r2, r2, r0
    vmov r4, s1
    cmp r4, r2
    bne fp_changed
    vmov r4, s2
    cmp r4, r2
    bne fp_changed
    vmov r4, s0
    cmp r4, #0
    bne fp_changed
    vmov r4, s3
    cmp r4, #0
    bne fp_changed
    vmov r4, s23
    cmp r4, r0
    bne fp_changed
    vmov r4, s28
    cmp r4, r0
    bne fp_changed
    count_round
    b 1b
#endif
