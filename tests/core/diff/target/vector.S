// SPDX-License-Identifier: Apache-2.0
// Enters a vector with its whole state, and catches it at the landing or in an exception.
//
// Vectors run privileged in Thread mode on PSP, so that their stack pointer may be anything; the
// runner lives on MSP. FPCCR.ASPEN is clear: exceptions leave the vector registers alone.
    .syntax unified
    .thumb

    .set SP_, 52
    .set LR_, 56
    .set PC_, 60
    .set APSR_, 64
    .set FPSCR_, 68
    .set VPR_, 72
    .set LIMIT_, 76
    .set BY_RETURN_, 80
    .set EXCEPTION_, 76
    .set VECTOR_, 128

// void run_vector(const State* state, Record* record)
    .section .text.run_vector, "ax"
    .global run_vector
    .type run_vector, %function
run_vector:
    push {r0-r12, lr}
    ldr r2, =runner_sp
    mov r3, sp
    str r3, [r2]
    ldr r2, =runner_record
    str r1, [r2]
    mov r12, r0
    add r4, r12, #VECTOR_
    vldmia r4, {d0-d15}
#if N6VP_DIFF_VECTORS
    ldr r4, [r12, #VPR_]
    vmsr vpr, r4
#endif
    ldr r4, [r12, #FPSCR_]
    vmsr fpscr, r4
    clrex
    ldr r4, [r12, #LIMIT_]
    ldr r3, [r12, #SP_]
    ldr r6, [r12, #BY_RETURN_]
    cmp r6, #0
    bne 1f
    msr psp, r3
#if N6VP_DIFF_V8
    msr psplim, r4
#endif
    movs r5, #2
    msr control, r5
    isb
    ldr r5, [r12, #APSR_]
    msr apsr_nzcvqg, r5
    ldr lr, [r12, #LR_]
    ldm r12, {r0-r12}
    ldr.w pc, [sp, #-8]  // the runner left the entry there
1:  // The frame of eight words is below sp. r12 is restored from it.
    sub r3, r3, #32
    msr psp, r3
#if N6VP_DIFF_V8
    msr psplim, r4
#endif
    svc #255
    b .

    .section .landing, "ax"
landing:
#if N6VP_DIFF_V8
    // No register is free: r0 goes to the Non-secure stack pointers, which lack two bits each.
    msr psp_ns, r0
    ror.w r0, r0, #16
    msr msp_ns, r0
#else
    // No register is free: r0 goes to MSP, which lacks two bits, and BASEPRI, which has eight.
    cpsid i
    msr msp, r0
    msr basepri, r0
#endif
    ldr.w r0, =runner_record
    ldr.w r0, [r0]
    str.w lr, [r0, #LR_]
    add.w r0, r0, #4
    stmia.w r0, {r1-r12}
    sub.w r0, r0, #4
#if N6VP_DIFF_V8
    mrs r1, msp_ns
    ror.w r1, r1, #16
    mrs r2, psp_ns
#else
    mrs r1, basepri
    mrs r2, msp
#endif
    mov.w r3, #3
    and.w r1, r1, r3
    bic.w r2, r2, r3
    orr.w r1, r1, r2
    str.w r1, [r0]
    mov r1, sp
    str.w r1, [r0, #SP_]
    mrs r1, apsr
    str.w r1, [r0, #APSR_]
    mov.w r1, #0
    str.w r1, [r0, #PC_]
    str.w r1, [r0, #EXCEPTION_]
    vmrs r1, fpscr
    str.w r1, [r0, #FPSCR_]
#if N6VP_DIFF_VECTORS
    vmrs r1, vpr
    str.w r1, [r0, #VPR_]
#endif
    add.w r1, r0, #VECTOR_
    vstmia r1, {d0-d15}

    .global vector_resume
    .type vector_resume, %function
vector_resume:
    mov.w r1, #0
    msr primask, r1
    msr faultmask, r1
    msr basepri, r1
#if N6VP_DIFF_V8
    msr psplim, r1
    msr msplim, r1
#endif
#if N6VP_DIFF_VECTORS
    vmsr vpr, r1
#endif
    mov.w r2, #0x40000
    vmsr fpscr, r2
    msr control, r1
    isb
    ldr r2, =runner_sp
    ldr r2, [r2]
    mov sp, r2
    pop {r0-r12, pc}
    .ltorg

    .section .fault_entry, "ax"
    .global fault_entry
    .type fault_entry, %function
fault_entry:
    // Of an exception from a vector; r0-r3, r12, lr and pc are in the frame at PSP.
    mrs r3, ipsr
    cmp r3, #11
    bne.w 2f
    mrs r2, psp
    tst lr, #4
    bne.w 2f
    // SVC from the runner itself (MSP): enter the vector by the frame that PSP points to.
    ldr.w r0, =runner_sp
    ldr.w r0, [r0]
    ldr.w r0, [r0]  // State*, pushed first
    add.w r0, r0, #16
    ldmia.w r0, {r4-r11}
    mvn.w lr, #2    // 0xFFFFFFFD: Thread, PSP, no FP frame, Secure
    bx lr
2:  ldr.w r0, =runner_record
    ldr.w r0, [r0]
    add.w r1, r0, #16
    stmia.w r1, {r4-r11}
    str.w r3, [r0, #EXCEPTION_]
    vmrs r1, fpscr
    str r1, [r0, #FPSCR_]
#if N6VP_DIFF_VECTORS
    vmrs r1, vpr
    str r1, [r0, #VPR_]
#endif
    add r1, r0, #VECTOR_
    vstmia r1, {d0-d15}
    movs r1, #0
#if N6VP_DIFF_VECTORS
    vmsr vpr, r1
#endif
    mov r2, #0x40000
    vmsr fpscr, r2
    msr primask, r1
    msr faultmask, r1
    msr basepri, r1
#if N6VP_DIFF_V8
    msr psplim, r1
#endif
    mrs r1, psp
    push {r3, lr}
    bl finish_fault   // Record*, PSP; returns the PSP to leave by
    msr psp, r0
    pop {r3, lr}
    mvn lr, #2
    bx lr
    .ltorg

    .section .bss.runner, "aw", %nobits
    .align 3
runner_sp: .space 4
runner_record: .space 4
