/* SPDX-License-Identifier: Apache-2.0 */
/* What applications do wrong, one case after the other: the API returns an error, and the findings
 * name the cause. */
#include "misuse.h"

#include "ai_reloc_network.h"
#include "board.h"
#include "dense.h"
#include "findings.h"

extern const ai_u8 dense_file[];

AI_ALIGNED(32) static ai_u8 ram[8192];

static void clock_off(void) {
    ai_handle network = AI_HANDLE_NULL;
    board_crc_clock(false);
    board_print("case static clock of CRC unit off\n");
    print_error("error", ai_dense_create(&network, NULL));
    (void)ai_dense_destroy(network);
    board_print("case relocatable clock of CRC unit off\n");
    print_error("error", ai_rel_network_load_and_create(dense_file, AI_HANDLE_PTR(ram), sizeof ram,
                                                        AI_RELOC_RT_LOAD_MODE_XIP, &network));
    board_crc_clock(true);
}

int main(void) {
    clock_off();
    static_cases();
    relocatable_cases();
    board_print("case end\n");
    return 0;
}
