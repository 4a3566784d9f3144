/* SPDX-License-Identifier: Apache-2.0 */
/* A complete container with real Thumb code, small enough to be laid out by hand. Its functions report what they were
 * called with in the first words of their data, so that a test can see r9 and the arguments. One source for all
 * generations: N6VP_LL_ATON_GENERATION decides header, rt_ctx and versions. */
    .syntax unified
    .thumb

#if N6VP_LL_ATON_GENERATION == 21
#define RT_VERSION 0x01010000
#define RT_DEV 31
#elif N6VP_LL_ATON_GENERATION == 22
#define RT_VERSION 0x01010100
#define RT_DEV 14
#elif N6VP_LL_ATON_GENERATION == 30
#define RT_VERSION 0x01010300
#define RT_DEV 8
#else
#define RT_VERSION 0x01010300
#define RT_DEV 262
#endif

/* Flags of the model are those of the firmware: the options of this file are the options of the test. */
#if N6VP_TEST_POLLING
#define FLAG_ASYNC 0
#else
#define FLAG_ASYNC 0x00400000
#endif
#ifdef LL_ATON_EB_DBG_INFO
#define FLAG_DBG_INFO 0x00200000
#define STRUCT_SIZES 0x3038
#else
#define FLAG_DBG_INFO 0
#define STRUCT_SIZES 0x1438
#endif

#define FLASH(label) (0x20000000 + (label - n6vp_model))
#define CODE(label) (0x20000001 + (label - n6vp_model))
#define RAM(label) (0x40000000 + (label - data))

/* Offsets in the data, known to the functions and to the test. */
    .equ at_init_calls, 0x00
    .equ at_init_base, 0x04
    .equ at_input, 0x08
    .equ at_epoch_item, 0x0C
    .equ at_epoch_instance, 0x10
    .equ at_epoch_base, 0x14
    .equ at_items_pointer, 0x20
    .equ at_outputs_pointer, 0x24
    .equ at_inputs_pointer, 0x28
    .equ at_weight_encryption, 0x40
    .equ at_blob_encryption, 0x60
    .equ at_interface, 0x80
    .equ at_inputs, 0xC0
    .equ at_internals, 0xC0 + 2 * 56
    .equ at_outputs, 0xC0 + 4 * 56
    .equ at_items, 0x248

    .macro buffer name, flags
    .word \name, RAM(data) + at_input, 0, 16, 80
    .byte \flags & 0xFF, \flags >> 8
    .hword 0
    .word 1, 0
    .hword 4
    .byte 1, 7
    .byte 7, 0, 0, 4, 8, 0
    .hword 0
    .word 0, 0, 0
    .endm

    .macro no_buffer
    .fill 14, 4, 0
    .endm

    .section .rodata.n6vp_model, "a"
    .balign 32
    .global n6vp_model
n6vp_model:
    .word 0x4E49424E, 0x80185D22 + FLAG_ASYNC + FLAG_DBG_INFO
    .word 0x40000000, RAM(data_end), FLASH(data)
    .word RAM(bss), RAM(bss) + 32
    .word RAM(got), RAM(got_end)
    .word FLASH(rel), FLASH(rel_end)
    .word RAM(pools), params - n6vp_model
    .word CODE(ec_network_init), CODE(ec_inference_init)
    .word CODE(input_setter), CODE(input_getter)
    .word CODE(output_setter), CODE(output_getter)
    .word CODE(epoch_items), CODE(output_buffers), CODE(input_buffers)
    .word CODE(internal_buffers)
#if N6VP_LL_ATON_GENERATION >= 30
    .word CODE(weight_encryption), CODE(blob_encryption)
#endif
    .word RAM(context)

/* True is 1 in the low byte with rubbish above, and the model keeps r9 to itself. */
ec_network_init:
    ldr r0, [r9, at_init_calls]
    adds r0, 1
    str r0, [r9, at_init_calls]
    str r9, [r9, at_init_base]
    movw r9, 0xBEEF
    movw r0, 0x5501
    bx lr
ec_inference_init:
    movw r0, 0x5500
    bx lr

input_setter:
    cbnz r0, wrong_index
    tst r1, 31
    bne wrong_align
    cmp r2, 16
    blo wrong_size
    str r1, [r9, at_input]
    bx lr
wrong_align:
    movs r0, 1
    bx lr
wrong_size:
    movs r0, 2
    bx lr
wrong_index:
output_setter:
    movs r0, 3
    bx lr

input_getter:
    cbnz r0, output_getter
    ldr r0, [r9, at_input]
    bx lr
output_getter:
    movs r0, 0
    bx lr

epoch_items:
    ldr r0, [r9, at_items_pointer]
    bx lr
output_buffers:
    ldr r0, [r9, at_outputs_pointer]
    bx lr
input_buffers:
    ldr r0, [r9, at_inputs_pointer]
    bx lr
internal_buffers:
    add r0, r9, at_internals
    bx lr
weight_encryption:
    add r0, r9, at_weight_encryption
    bx lr
blob_encryption:
    add r0, r9, at_blob_encryption
    bx lr
start_epoch:
    str r0, [r9, at_epoch_item]
    str r1, [r9, at_epoch_instance]
    str r9, [r9, at_epoch_base]
    bx lr

    .balign 4
name_network: .asciz "capi"
name_version: .asciz "atonn-test (RELOC.GCC)"
name_pool:    .asciz "xSPI2"
name_input:   .asciz "input_0"
name_output:  .asciz "output_0"
name_weights: .asciz "weights_0"
name_inner:   .asciz "inner_0"
    .balign 8, 0xFF

data:
    .fill 8, 4, 0
w1: .word RAM(data) + at_items
w2: .word RAM(data) + at_outputs
w3: .word RAM(data) + at_inputs
    .org data + at_weight_encryption
    .word 1, 0, 0x11, 0, 0, 0, 0, 0
    .org data + at_blob_encryption
    .word 1, 0, 0x22, 0, 0, 0, 0, 0
    .org data + at_interface
w4: .word FLASH(name_network)
    .fill 12, 4, 0
    .org data + at_inputs
w5: buffer FLASH(name_input), 1
    no_buffer
    .org data + at_internals
w6: buffer FLASH(name_inner), 0
    no_buffer
    .org data + at_outputs
w7: buffer FLASH(name_output), 1
w8: buffer FLASH(name_weights), 0x100
    no_buffer
    .org data + at_items
w9a: .word CODE(start_epoch), 0, 0, 0
    .hword 0x23, 1
#ifdef LL_ATON_EB_DBG_INFO
    .hword 1, 0
    .fill 6, 4, 0
#endif
    .fill 4, 4, 0
    .hword 0x08, 0
#ifdef LL_ATON_EB_DBG_INFO
    .hword 0, 0
    .fill 6, 4, 0
#endif

    .balign 4
context:
    .word 0, 0, 0, 0, 0
w10: .word FLASH(name_network)
    .word 32, 8, 0 /* activations are the .bss */
w11: .word FLASH(name_version)
    .word RT_VERSION, RT_DEV
    .word 8, 0x6522DF69 /* CRC-32 of eight zero bytes */
#if N6VP_LL_ATON_GENERATION != 21
    .word STRUCT_SIZES
#endif
    .word 0
w12: .word RAM(data) + at_interface
pools:
w13: .word FLASH(name_pool), 0x01010500, 0, 0, 8
    .word 0, 0, 0, 0, 0
data_end:
got:
    .word RAM(data), FLASH(name_input), 0x80000000, 0, 0, 0
got_end:
    .balign 8
bss:
rel:
    .word RAM(w1), RAM(w2), RAM(w3), RAM(w4)
    .word RAM(w5), RAM(w5) + 4, RAM(w6), RAM(w6) + 4, RAM(w7), RAM(w7) + 4, RAM(w8), RAM(w8) + 4
    .word RAM(w9a), RAM(w10), RAM(w11), RAM(w12), RAM(w13)
rel_end:
    .balign 8
params:
    .word 0, 0
    .global n6vp_model_end
n6vp_model_end:

/* uint32_t n6vp_r9_after(bool (*function)(uint32_t), uint32_t argument): what is left in r9 of 0x12345678. */
    .section .text.n6vp_r9_after, "ax"
    .global n6vp_r9_after
    .type n6vp_r9_after, %function
    .thumb_func
n6vp_r9_after:
    push {r9, lr}
    mov r2, r0
    mov r0, r1
    movw r9, 0x5678
    movt r9, 0x1234
    blx r2
    mov r0, r9
    pop {r9, pc}
