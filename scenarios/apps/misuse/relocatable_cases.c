/* SPDX-License-Identifier: Apache-2.0 */
/* Misuse of relocatable models: one file, two instances. */
#include "ai_reloc_network.h"
#include "board.h"
#include "findings.h"
#include "misuse.h"

extern const ai_u8 dense_file[];

AI_ALIGNED(32) static ai_u8 ram[2][8192];
AI_ALIGNED(32) static ai_u8 shared[112];
static ai_handle networks[2];
static ai_rel_network_info info;

static ai_error create(unsigned which) {
    return ai_rel_network_load_and_create(dense_file, AI_HANDLE_PTR(ram[which]), sizeof ram[which],
                                          AI_RELOC_RT_LOAD_MODE_XIP, &networks[which]);
}

static void init_with(unsigned which, ai_u8* activations) {
    const ai_handle weights[] = {info.weights};
    const ai_handle addresses[] = {AI_HANDLE_PTR(activations)};
    board_print_number("initialised", ai_rel_network_init(networks[which], weights, addresses));
}

static void run(unsigned which) {
    ai_network_report report;
    if (!ai_rel_network_get_report(networks[which], &report)) board_print("no report\n");
    board_print_number("batches",
                       ai_rel_network_run(networks[which], report.inputs, report.outputs));
    print_error("error", ai_rel_network_get_error(networks[which]));
}

static void run_second(void) {
    run(1);
}

static ai_u32 by_interrupt(const ai_handle cookie, const ai_u32 flags,
                           const ai_observer_node* node) {
    (void)cookie;
    (void)flags;
    if (node->c_idx == 1) board_interrupt(run_second);
    return 0;
}

static ai_u32 again(const ai_handle cookie, const ai_u32 flags, const ai_observer_node* node) {
    (void)cookie;
    (void)flags;
    if (node->c_idx == 0) run(0);
    return 0;
}

static void observed_run(const char* name, ai_observer_node_cb callback) {
    board_print(name);
    (void)ai_rel_platform_observer_register(networks[0], callback, AI_HANDLE_NULL,
                                            AI_OBSERVER_PRE_EVT);
    run(0);
    (void)ai_rel_platform_observer_unregister(networks[0], callback, AI_HANDLE_NULL);
}

static void bad_buffers(void) {
    ai_network_report report;
    (void)ai_rel_network_get_report(networks[0], &report);
    const ai_handle data = report.inputs[0].data;
    board_print("case relocatable data NULL\n");
    report.inputs[0].data = AI_HANDLE_NULL;
    run(0);
    report.inputs[0].data = data;
    board_print("case relocatable batch 0\n");
    AI_BUFFER_N_BATCHES(&report.inputs[0]) = 0;
    run(0);
    AI_BUFFER_N_BATCHES(&report.inputs[0]) = 1;
}

void relocatable_cases(void) {
    board_print_number("information", ai_rel_network_rt_get_info(dense_file, &info).type);
    if (create(0).type != AI_ERROR_NONE || create(1).type != AI_ERROR_NONE) board_print("failed\n");
    board_print("case relocatable missing init\n");
    run(0);
    board_print("case relocatable alignment\n");
    init_with(0, shared + 2);
    board_print("case relocatable activations NULL\n");
    init_with(0, NULL);
    init_with(0, shared);
    init_with(1, shared);
    observed_run("case relocatable shared by interrupt\n", by_interrupt);
    observed_run("case relocatable runs already\n", again);
    bad_buffers();
    board_print("case relocatable stale handle\n");
    (void)ai_rel_network_destroy(networks[1]);
    run(1);
}
