/* SPDX-License-Identifier: Apache-2.0 */
/* Misuse of static networks. */
#include "board.h"
#include "conv.h"
#include "conv_data.h"
#include "dense.h"
#include "dense_data.h"
#include "findings.h"
#include "misuse.h"

/* Both networks take these, or this application would be right. */
AI_ALIGNED(32) static ai_u8 shared[AI_CONV_DATA_ACTIVATIONS_SIZE];
AI_ALIGNED(4) static ai_i8 in[AI_CONV_IN_1_SIZE_BYTES], out[AI_CONV_OUT_1_SIZE_BYTES];
static ai_handle dense, conv;

static void run_dense(void) {
    const ai_i32 batches =
        ai_dense_run(dense, ai_dense_inputs_get(dense, NULL), ai_dense_outputs_get(dense, NULL));
    board_print_number("batches", batches);
    print_error("error", ai_dense_get_error(dense));
}

static void run_conv_with(const ai_buffer* input, ai_buffer* output) {
    board_print_number("batches", ai_conv_run(conv, input, output));
    print_error("error", ai_conv_get_error(conv));
}

static void run_conv(void) {
    run_conv_with(ai_conv_inputs_get(conv, NULL), ai_conv_outputs_get(conv, NULL));
}

static ai_u32 by_observer(const ai_handle cookie, const ai_u32 flags,
                          const ai_observer_node* node) {
    (void)cookie;
    (void)flags;
    if (node->c_idx == 0) run_dense();
    return 0;
}

static ai_u32 by_interrupt(const ai_handle cookie, const ai_u32 flags,
                           const ai_observer_node* node) {
    (void)cookie;
    (void)flags;
    if (node->c_idx == 1) board_interrupt(run_dense);
    return 0;
}

static ai_u32 again(const ai_handle cookie, const ai_u32 flags, const ai_observer_node* node) {
    (void)cookie;
    (void)flags;
    if (node->c_idx == 0) run_conv();
    return 0;
}

static void observed_run(const char* name, ai_observer_node_cb callback) {
    board_print(name);
    (void)ai_platform_observer_register(conv, callback, AI_HANDLE_NULL, AI_OBSERVER_PRE_EVT);
    run_conv();
    (void)ai_platform_observer_unregister(conv, callback, AI_HANDLE_NULL);
}

static void init_with(ai_u8* activations) {
    const ai_handle addresses[] = {AI_HANDLE_PTR(activations)};
    const ai_error error = ai_dense_create_and_init(&dense, addresses, NULL);
    print_error("error", error);
}

static void bad_buffers(void) {
    ai_buffer* const input = ai_conv_inputs_get(conv, NULL);
    ai_buffer* const output = ai_conv_outputs_get(conv, NULL);
    board_print("case static data NULL\n");
    input[0].data = AI_HANDLE_NULL;
    run_conv();
    input[0].data = AI_HANDLE_PTR(in);
    board_print("case static output NULL\n");
    output[0].data = AI_HANDLE_NULL;
    run_conv();
    output[0].data = AI_HANDLE_PTR(out);
    board_print("case static batch 0\n");
    AI_BUFFER_N_BATCHES(input) = 0;
    run_conv();
    AI_BUFFER_N_BATCHES(input) = 1;
    ai_buffer other = input[0];
    other.format = AI_BUFFER_FORMAT_U8;
    board_print("case static format\n");
    run_conv_with(&other, output);
    other = input[0];
    other.size = AI_CONV_IN_1_SIZE + 1;
    board_print("case static size\n");
    run_conv_with(&other, output);
    board_print("case static no buffers\n");
    run_conv_with(NULL, output);
}

static void handles(void) {
    const ai_handle stale = dense;
    board_print("case static stale handle\n");
    (void)ai_dense_destroy(dense);
    run_dense();
    board_print("case static stale observer\n");
    board_print_number("registered", ai_platform_observer_register(stale, again, AI_HANDLE_NULL,
                                                                   AI_OBSERVER_PRE_EVT));
    board_print("case static handle of another\n");
    dense = conv;
    run_dense();
    board_print("case static created twice\n");
    print_error("error", ai_conv_create(&conv, NULL));
}

void static_cases(void) {
    const ai_handle addresses[] = {shared};
    board_print("case static alignment\n");
    init_with(shared + 2);
    (void)ai_dense_destroy(dense);
    board_print("case static activations NULL\n");
    init_with(NULL);
    (void)ai_dense_destroy(dense);
    board_print("case static missing init\n");
    (void)ai_dense_create(&dense, NULL);
    run_dense();
    (void)ai_dense_destroy(dense);
    init_with(shared);
    (void)ai_conv_create_and_init(&conv, addresses, NULL);
    ai_conv_inputs_get(conv, NULL)->data = AI_HANDLE_PTR(in);
    ai_conv_outputs_get(conv, NULL)->data = AI_HANDLE_PTR(out);
    observed_run("case static shared by observer\n", by_observer);
    observed_run("case static shared by interrupt\n", by_interrupt);
    observed_run("case static runs already\n", again);
    bad_buffers();
    handles();
}
