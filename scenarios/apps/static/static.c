/* SPDX-License-Identifier: Apache-2.0 */
/* Two networks linked into one application. Each has its own activations; input and output of the
 * first lie within them. */
#include "board.h"
#include "conv.h"
#include "conv_data.h"
#include "dense.h"
#include "dense_data.h"
#include "findings.h"
#include "inputs.h"

AI_ALIGNED(32) static ai_u8 dense_activations[AI_DENSE_DATA_ACTIVATIONS_SIZE];
AI_ALIGNED(32) static ai_u8 conv_activations[AI_CONV_DATA_ACTIVATION_1_SIZE];
AI_ALIGNED(4) static ai_i8 conv_in[AI_CONV_IN_1_SIZE_BYTES];
AI_ALIGNED(4) static ai_i8 conv_out[AI_CONV_OUT_1_SIZE_BYTES];

static int run_dense(void) {
    ai_handle network = AI_HANDLE_NULL;
    const ai_handle activations[] = {dense_activations};
    const ai_error error = ai_dense_create_and_init(&network, activations, NULL);
    if (error.type != AI_ERROR_NONE) {
        print_error("create_and_init", error);
        return 1;
    }
    ai_u16 inputs = 0;
    ai_buffer* const input = ai_dense_inputs_get(network, &inputs);
    ai_buffer* const output = ai_dense_outputs_get(network, NULL);
    if (inputs != AI_DENSE_IN_NUM) return 2;
    for (unsigned i = 0; i < AI_DENSE_IN_1_SIZE; ++i)
        AI_BUFFER_DATA(input, ai_float)[i] = sample_float(i, 0);
    if (ai_dense_run(network, input, output) != 1) return 3;
    board_print_words("dense", output->data, AI_DENSE_OUT_1_SIZE);
    return ai_dense_destroy(network) == AI_HANDLE_NULL ? 0 : 4;
}

/* The calls one by one, with parameters of one weight and one activation buffer. */
static int run_conv(void) {
    ai_handle network = AI_HANDLE_NULL;
    ai_network_report report;
    if (ai_conv_create(&network, AI_CONV_DATA_CONFIG).type != AI_ERROR_NONE) return 5;
    const ai_network_params params =
        AI_NETWORK_PARAMS_INIT(AI_CONV_DATA_WEIGHTS(ai_conv_data_weights_get()),
                               AI_CONV_DATA_ACTIVATIONS(conv_activations));
    if (!ai_conv_init(network, &params)) {
        print_error("init", ai_conv_get_error(network));
        return 6;
    }
    if (!ai_conv_get_report(network, &report)) return 7;
    if (report.n_nodes != AI_CONV_N_NODES || report.n_inputs != AI_CONV_IN_NUM) return 8;
    for (unsigned i = 0; i < AI_CONV_IN_1_SIZE; ++i) conv_in[i] = sample_byte(i, 0);
    report.inputs[0].data = AI_HANDLE_PTR(conv_in);
    report.outputs[0].data = AI_HANDLE_PTR(conv_out);
    if (ai_conv_run(network, report.inputs, report.outputs) != 1) return 9;
    board_print_words("conv", conv_out, 1);
    return 0;
}

int main(void) {
    board_crc_clock(true);
    const int code = run_dense();
    return code != 0 ? code : run_conv();
}
