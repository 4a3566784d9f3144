/* SPDX-License-Identifier: Apache-2.0 */
/* The network `net` of `n6vp generate --form static`, linked in. Gives it input_0.bin, input_1.bin,
 * ..., one after the other, and writes all outputs to inside.bin, with input and output where the
 * network has them in its activations, and to given.bin, with buffers of this program. */
#include "core_board.h"
#include "net.h"
#include "net_data.h"

enum { kGuardBytes = 256, kGuard = 0xA5 };
AI_ALIGNED(32) static ai_u8 activations[AI_NET_DATA_ACTIVATIONS_SIZE + kGuardBytes];
AI_ALIGNED(4) static ai_u8 input[AI_NET_IN_1_SIZE_BYTES], output[AI_NET_OUT_1_SIZE_BYTES];

_Static_assert(AI_NET_IN_NUM == 1 && AI_NET_OUT_NUM == 1, "one input, one output");
_Static_assert(AI_NET_DATA_ACTIVATIONS_COUNT == 1 && AI_NET_DATA_WEIGHTS_COUNT == 1, "one buffer");

static void fail(const char* what, ai_error error) {
    board_print(what);
    board_leave(" failed\n", 16 + error.type);
}

static void run_all(ai_handle network, ai_buffer* in, ai_buffer* out, const char* name) {
    const int file = board_create(name);
    char recorded[] = "input_0.bin";
    for (; recorded[6] <= '9'; ++recorded[6]) {
        const int bytes = board_read(recorded, in->data, AI_NET_IN_1_SIZE_BYTES);
        if (bytes < 0) break;
        if (bytes != AI_NET_IN_1_SIZE_BYTES) board_leave("an input of another size\n", 3);
        if (ai_net_run(network, in, out) != 1) fail("run", ai_net_get_error(network));
        board_write(file, out->data, AI_NET_OUT_1_SIZE_BYTES);
    }
    board_close(file);
    for (ai_u32 i = 0; i < kGuardBytes; ++i) {
        if (activations[AI_NET_DATA_ACTIVATIONS_SIZE + i] != kGuard)
            board_leave("memory behind the activations changed\n", 5);
    }
}

/* One call sets up; the network says where its tensors are. */
static void run_inside(void) {
    ai_handle network = AI_HANDLE_NULL;
    const ai_handle buffers[] = {activations};
    const ai_error error = ai_net_create_and_init(&network, buffers, NULL);
    ai_u16 inputs = 0, outputs = 0;
    if (error.type != AI_ERROR_NONE) fail("create_and_init", error);
    ai_buffer* const in = ai_net_inputs_get(network, &inputs);
    ai_buffer* const out = ai_net_outputs_get(network, &outputs);
    if (inputs != AI_NET_IN_NUM || outputs != AI_NET_OUT_NUM) board_leave("other tensors\n", 4);
    if (in->data == NULL) in->data = AI_HANDLE_PTR(input);
    if (out->data == NULL) out->data = AI_HANDLE_PTR(output);
    run_all(network, in, out, "inside.bin");
    if (ai_net_destroy(network) != AI_HANDLE_NULL) board_leave("not destroyed\n", 7);
}

/* The calls one by one, with parameters and buffers of the caller. */
static void run_given(void) {
    ai_handle network = AI_HANDLE_NULL;
    ai_network_report report;
    const ai_error error = ai_net_create(&network, AI_NET_DATA_CONFIG);
    if (error.type != AI_ERROR_NONE) fail("create", error);
    const ai_network_params params = AI_NETWORK_PARAMS_INIT(
        AI_NET_DATA_WEIGHTS(ai_net_data_weights_get()), AI_NET_DATA_ACTIVATIONS(activations));
    if (!ai_net_init(network, &params)) fail("init", ai_net_get_error(network));
    if (!ai_net_get_report(network, &report)) board_leave("no report\n", 4);
    if (report.n_nodes != AI_NET_N_NODES || report.n_inputs != 1 || report.n_outputs != 1 ||
        report.inputs[0].size != AI_NET_IN_1_SIZE || report.outputs[0].size != AI_NET_OUT_1_SIZE)
        board_leave("the report differs from the headers\n", 4);
    report.inputs[0].data = AI_HANDLE_PTR(input);
    report.outputs[0].data = AI_HANDLE_PTR(output);
    run_all(network, report.inputs, report.outputs, "given.bin");
    if (ai_net_destroy(network) != AI_HANDLE_NULL) board_leave("not destroyed\n", 7);
}

void program(void) {
    for (ai_u32 i = 0; i < sizeof activations; ++i) activations[i] = kGuard;
    run_inside();
    run_given();
}
