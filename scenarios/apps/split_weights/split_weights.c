/* SPDX-License-Identifier: Apache-2.0 */
/* Weights apart from the network: of a relocatable model in a file of their own, of a static one
 * moved to RAM before it is created. */
#include "ai_reloc_network.h"
#include "board.h"
#include "conv.h"
#include "conv_data.h"
#include "findings.h"
#include "inputs.h"

extern const ai_u8 conv_file[], conv_data_file[]; /* network_rel.bin, network_data.bin */

AI_ALIGNED(32) static ai_u8 ram[8192];
AI_ALIGNED(32) static ai_u8 activations[AI_CONV_DATA_ACTIVATIONS_SIZE];
AI_ALIGNED(8) static ai_u8 weights_in_ram[AI_CONV_DATA_WEIGHTS_SIZE];
AI_ALIGNED(4) static ai_i8 in[AI_CONV_IN_1_SIZE_BYTES], out[AI_CONV_OUT_1_SIZE_BYTES];

static int run_relocatable(void) {
    ai_handle network = AI_HANDLE_NULL;
    ai_rel_network_info info;
    ai_network_report report;
    if (ai_rel_network_rt_get_info(conv_file, &info).type != AI_ERROR_NONE) return 1;
    if (info.weights != NULL || info.weights_sz != AI_CONV_DATA_WEIGHTS_SIZE) return 2;
    if (ai_rel_network_load_and_create(conv_file, AI_HANDLE_PTR(ram), sizeof ram,
                                       AI_RELOC_RT_LOAD_MODE_XIP, &network)
            .type != AI_ERROR_NONE)
        return 3;
    const ai_handle weights[] = {AI_HANDLE_PTR(conv_data_file)};
    const ai_handle addresses[] = {AI_HANDLE_PTR(activations)};
    if (!ai_rel_network_init(network, weights, addresses) ||
        !ai_rel_network_get_report(network, &report))
        return 4;
    report.inputs[0].data = AI_HANDLE_PTR(in);
    report.outputs[0].data = AI_HANDLE_PTR(out);
    if (ai_rel_network_run(network, report.inputs, report.outputs) != 1) return 5;
    board_print_words("conv_relocatable", out, 1);
    return 0;
}

static int run_static(void) {
    ai_handle network = AI_HANDLE_NULL;
    const ai_u8* const embedded = AI_CONV_DATA_WEIGHTS_TABLE_GET()[0];
    for (unsigned i = 0; i < sizeof weights_in_ram; ++i) weights_in_ram[i] = embedded[i];
    AI_CONV_DATA_WEIGHTS_TABLE_GET()[0] = AI_HANDLE_PTR(weights_in_ram);
    AI_CONV_DATA_ACTIVATIONS_TABLE_GET()[0] = AI_HANDLE_PTR(activations);
    const ai_error error = ai_conv_create_and_init(&network, AI_CONV_DATA_ACTIVATIONS_TABLE_GET(),
                                                   AI_CONV_DATA_WEIGHTS_TABLE_GET());
    if (error.type != AI_ERROR_NONE) {
        print_error("create_and_init", error);
        return 6;
    }
    ai_buffer* const input = ai_conv_inputs_get(network, NULL);
    ai_buffer* const output = ai_conv_outputs_get(network, NULL);
    input->data = AI_HANDLE_PTR(in);
    output->data = AI_HANDLE_PTR(out);
    if (ai_conv_run(network, input, output) != 1) return 7;
    board_print_words("conv_static", out, 1);
    return 0;
}

int main(void) {
    board_crc_clock(true);
    for (unsigned i = 0; i < AI_CONV_IN_1_SIZE; ++i) in[i] = sample_byte(i, 0);
    const int code = run_relocatable();
    return code != 0 ? code : run_static();
}
