/* SPDX-License-Identifier: Apache-2.0 */
/* Two activation buffers, in places of their own; two inputs and two outputs. Static and
 * relocatable. */
#include "ai_reloc_network.h"
#include "board.h"
#include "buffers.h"
#include "buffers_data.h"
#include "findings.h"
#include "inputs.h"

extern const ai_u8 buffers_file[], buffers_data_file[];

AI_ALIGNED(32) static ai_u8 ram[8192];
AI_ALIGNED(32) static ai_u8 first[AI_BUFFERS_DATA_ACTIVATION_1_SIZE];
AI_ALIGNED(32) static ai_u8 second[AI_BUFFERS_DATA_ACTIVATION_2_SIZE];
static ai_float in[2][AI_BUFFERS_IN_1_SIZE], out[2][AI_BUFFERS_OUT_1_SIZE];

static void place(ai_buffer* inputs, ai_buffer* outputs) {
    for (unsigned i = 0; i < 2; ++i) {
        inputs[i].data = AI_HANDLE_PTR(in[i]);
        outputs[i].data = AI_HANDLE_PTR(out[i]);
    }
}

static void print(const char* one, const char* two) {
    board_print_words(one, out[0], AI_BUFFERS_OUT_1_SIZE);
    board_print_words(two, out[1], AI_BUFFERS_OUT_2_SIZE);
}

static int run_static(void) {
    ai_handle network = AI_HANDLE_NULL;
    ai_network_params params;
    if (ai_buffers_create(&network, AI_BUFFERS_DATA_CONFIG).type != AI_ERROR_NONE) return 1;
    if (!ai_buffers_data_params_get(&params)) return 2;
    if (!AI_BUFFER_ARRAY_ITEM_SET_ADDRESS(&params.map_activations, 0, first) ||
        !AI_BUFFER_ARRAY_ITEM_SET_ADDRESS(&params.map_activations, 1, second) ||
        AI_BUFFER_ARRAY_ITEM_SET_ADDRESS(&params.map_activations, 2, second))
        return 3;
    if (!ai_buffers_init(network, &params)) {
        print_error("init", ai_buffers_get_error(network));
        return 4;
    }
    ai_buffer* const inputs = ai_buffers_inputs_get(network, NULL);
    ai_buffer* const outputs = ai_buffers_outputs_get(network, NULL);
    place(inputs, outputs);
    if (ai_buffers_run(network, inputs, outputs) != 1) return 5;
    print("scaled_static", "maximum_static");
    return 0;
}

static int run_relocatable(void) {
    ai_handle network = AI_HANDLE_NULL;
    ai_network_report report;
    if (ai_rel_network_load_and_create(buffers_file, AI_HANDLE_PTR(ram), sizeof ram,
                                       AI_RELOC_RT_LOAD_MODE_COPY, &network)
            .type != AI_ERROR_NONE)
        return 6;
    const ai_handle weights[] = {AI_HANDLE_PTR(buffers_data_file),
                                 AI_HANDLE_PTR(buffers_data_file + AI_BUFFERS_DATA_WEIGHT_1_SIZE)};
    const ai_handle activations[] = {AI_HANDLE_PTR(first), AI_HANDLE_PTR(second)};
    if (!ai_rel_network_init(network, weights, activations) ||
        !ai_rel_network_get_report(network, &report))
        return 7;
    if (report.n_inputs != AI_BUFFERS_IN_NUM || report.n_outputs != AI_BUFFERS_OUT_NUM) return 9;
    place(report.inputs, report.outputs);
    if (ai_rel_network_run(network, report.inputs, report.outputs) != 1) return 8;
    print("scaled_relocatable", "maximum_relocatable");
    return 0;
}

int main(void) {
    board_crc_clock(true);
    for (unsigned i = 0; i < AI_BUFFERS_IN_1_SIZE; ++i) {
        in[0][i] = sample_float(i, 0);
        in[1][i] = sample_float(i, 1);
    }
    const int code = run_static();
    return code != 0 ? code : run_relocatable();
}
