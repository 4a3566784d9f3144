/* SPDX-License-Identifier: Apache-2.0 */
/* A relocatable model, installed with its code in place and with a copy of it, then the same of
 * other tools: the application does not see the difference of their reports. */
#include "ai_reloc_network.h"
#include "board.h"
#include "findings.h"
#include "inputs.h"

extern const ai_u8 dense_file[], dense_72_file[]; /* network_rel.bin */

AI_ALIGNED(32) static ai_u8 ram[8192];
AI_ALIGNED(32) static ai_u8 activations[112];

static int run(const ai_u8* file, ai_u32 mode, const char* name) {
    ai_handle network = AI_HANDLE_NULL;
    ai_rel_network_info info;
    ai_network_report report;
    ai_error error = ai_rel_network_rt_get_info(file, &info);
    if (error.type != AI_ERROR_NONE || info.acts_sz != sizeof activations) return 1;
    error = ai_rel_network_load_and_create(file, AI_HANDLE_PTR(ram), sizeof ram, mode, &network);
    if (error.type != AI_ERROR_NONE) {
        print_error("load_and_create", error);
        return 2;
    }
    const ai_handle weights[] = {info.weights};
    const ai_handle addresses[] = {AI_HANDLE_PTR(activations)};
    if (!ai_rel_network_init(network, weights, addresses)) return 3;
    if (!ai_rel_network_get_report(network, &report)) return 4;
    const ai_u32 numbers[] = {report.n_nodes, (ai_u32)report.n_macc, report.n_inputs,
                              report.n_outputs, report.map_activations.buffer[0].size};
    board_print_words("report", numbers, 5);
    for (unsigned i = 0; i < AI_BUFFER_SIZE(&report.inputs[0]); ++i)
        AI_BUFFER_DATA(&report.inputs[0], ai_float)[i] = sample_float(i, 0);
    if (ai_rel_network_run(network, report.inputs, report.outputs) != 1) return 5;
    board_print_words(name, report.outputs[0].data, 4);
    return ai_rel_network_destroy(network) == AI_HANDLE_NULL ? 0 : 6;
}

int main(void) {
    board_crc_clock(true);
    int code = run(dense_file, AI_RELOC_RT_LOAD_MODE_XIP, "dense_xip");
    if (code == 0) code = run(dense_file, AI_RELOC_RT_LOAD_MODE_COPY, "dense_copy");
    if (code == 0) code = run(dense_72_file, AI_RELOC_RT_LOAD_MODE_XIP, "dense_72");
    return code;
}
