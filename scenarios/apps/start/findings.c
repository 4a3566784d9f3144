/* SPDX-License-Identifier: Apache-2.0 */
#include "findings.h"

#include "ai_reloc_network.h"
#include "board.h"

/* Of client_network.c. */
const char* n6vp_client_type_name(ai_u32 type);
const char* n6vp_client_code_name(ai_u32 code);
void n6vp_client_refused(const char* network, ai_error error, const char* cause);

void print_error(const char* name, ai_error error) {
    board_print(name);
    board_print(" ");
    board_print(n6vp_client_type_name(error.type));
    board_print(" ");
    board_print(n6vp_client_code_name(error.code));
    board_print("\n");
}

void n6vp_client_refused(const char* network, ai_error error, const char* cause) {
    board_print("finding: network ");
    print_error(network, error);
    board_print("finding: ");
    board_print(cause);
    board_print("\n");
}

static void refused(ai_u32 rule, ai_u32 offset, ai_u32 address, ai_u32 expected, ai_u32 found) {
    const ai_u32 numbers[] = {offset, address, expected, found};
    board_print("finding: loader ");
    board_print_words(n6vp_rel_rule_name(rule), numbers, 4);
}

const n6vp_rel_platform_t* n6vp_rel_platform(void) {
    static ai_handle running[2];
    static const n6vp_rel_platform_t platform = {NULL, NULL, NULL, NULL, refused, running, 2};
    return &platform;
}
