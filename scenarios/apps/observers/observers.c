/* SPDX-License-Identifier: Apache-2.0 */
/* Observers: what a static and a relocatable network say before and after each node. */
#include "ai_platform_interface.h"
#include "ai_reloc_network.h"
#include "board.h"
#include "dense.h"
#include "dense_data.h"
#include "findings.h"
#include "inputs.h"

extern const ai_u8 dense_file[];

AI_ALIGNED(32) static ai_u8 ram[8192];
AI_ALIGNED(32) static ai_u8 activations[AI_DENSE_DATA_ACTIVATIONS_SIZE];

struct record {
    ai_u32 calls, first, last;
};

/* Flags, index, type and id of the node. */
static ai_u32 on_node(const ai_handle cookie, const ai_u32 flags, const ai_observer_node* node) {
    struct record* const record = cookie;
    const ai_u32 words[] = {flags, node->c_idx, node->type, node->id};
    ++record->calls;
    record->first += (flags & AI_OBSERVER_FIRST_EVT) != 0;
    record->last += (flags & AI_OBSERVER_LAST_EVT) != 0;
    board_print_words("node", words, 4);
    return 0;
}

static const ai_u32 kEvents = AI_OBSERVER_INIT_EVT | AI_OBSERVER_PRE_EVT | AI_OBSERVER_POST_EVT;

static void print(const struct record* record) {
    const ai_u32 words[] = {record->calls, record->first, record->last};
    board_print_words("calls", words, 3);
}

static int observe_static(void) {
    ai_handle network = AI_HANDLE_NULL;
    struct record record = {0, 0, 0};
    ai_observer_node node = {.c_idx = 1};
    const ai_handle addresses[] = {activations};
    if (ai_dense_create_and_init(&network, addresses, NULL).type != AI_ERROR_NONE) return 1;
    if (!ai_platform_observer_register(network, on_node, &record, kEvents)) return 2;
    ai_buffer* const input = ai_dense_inputs_get(network, NULL);
    for (unsigned i = 0; i < AI_DENSE_IN_1_SIZE; ++i)
        AI_BUFFER_DATA(input, ai_float)[i] = sample_float(i, 0);
    if (ai_dense_forward(network, input) != 1) return 3;
    if (!ai_platform_observer_node_info(network, &node) || node.type != 2) return 4;
    if (!ai_platform_observer_unregister(network, on_node, &record)) return 5;
    if (ai_dense_forward(network, input) != 1) return 6;
    print(&record);
    board_print_words("dense", ai_dense_outputs_get(network, NULL)->data, AI_DENSE_OUT_1_SIZE);
    return 0;
}

static int observe_relocatable(void) {
    ai_handle network = AI_HANDLE_NULL;
    struct record record = {0, 0, 0};
    ai_rel_network_info info;
    ai_network_report report;
    if (ai_rel_network_rt_get_info(dense_file, &info).type != AI_ERROR_NONE) return 7;
    if (ai_rel_network_load_and_create(dense_file, AI_HANDLE_PTR(ram), sizeof ram,
                                       AI_RELOC_RT_LOAD_MODE_XIP, &network)
            .type != AI_ERROR_NONE)
        return 8;
    const ai_handle weights[] = {info.weights};
    const ai_handle addresses[] = {AI_HANDLE_PTR(activations)};
    if (!ai_rel_network_init(network, weights, addresses) ||
        !ai_rel_network_get_report(network, &report))
        return 9;
    if (!ai_rel_platform_observer_register(network, on_node, &record, kEvents)) return 10;
    if (ai_rel_network_run(network, report.inputs, report.outputs) != 1) return 11;
    if (!ai_rel_platform_observer_unregister(network, on_node, &record)) return 12;
    print(&record);
    return 0;
}

int main(void) {
    board_crc_clock(true);
    const int code = observe_static();
    return code != 0 ? code : observe_relocatable();
}
