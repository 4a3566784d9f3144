/* SPDX-License-Identifier: Apache-2.0 */
/* is_valid, get_file_ptr, set_callbacks, and what every function answers for a damaged instance. */
#include <string.h>

#include "cases.h"

static uint32_t context(void) {
    return instance.exec_state.inst_reloc;
}

/* Returns true if every call that needs a usable model refuses this instance. */
static bool all_refuse(void) {
    const uint32_t inst = context();
    uintptr_t file = 1;
    return ll_aton_reloc_get_file_ptr(&instance, &file) < 0 && file == 1 &&
           ll_aton_reloc_get_input_buffers_info(&instance, 0) == NULL &&
           ll_aton_reloc_get_output_buffers_info(&instance, -1) == NULL &&
           ll_aton_reloc_get_internal_buffers_info(&instance) == NULL &&
           ll_aton_reloc_get_epoch_items(&instance) == NULL &&
           ll_aton_reloc_set_input(&instance, 0, (void*)BUFFER_AT, 16) ==
               LL_ATON_User_IO_WRONG_INDEX &&
           ll_aton_reloc_set_output(&instance, 0, (void*)BUFFER_AT, 16) ==
               LL_ATON_User_IO_WRONG_INDEX &&
           ll_aton_reloc_get_input(&instance, 0) == NULL &&
           ll_aton_reloc_get_output(&instance, 0) == NULL &&
           !ai_rel_network_ec_network_init(inst) && !ai_rel_network_ec_inference_init(inst) &&
           ai_rel_network_get_epoch_items(inst) == NULL &&
           ai_rel_network_get_input(inst, 0) == NULL &&
           ai_rel_network_set_input(inst, 0, (void*)BUFFER_AT, 16) == LL_ATON_User_IO_WRONG_INDEX &&
           ai_rel_network_get_input_buffers_info(inst) == NULL &&
           ai_rel_network_blob_encryption_info(inst) == NULL &&
           ai_rel_network_weight_encryption_info(inst) == NULL;
}

static void validity_cases(void) {
    fresh();
    CASE("is_valid: no instance", ll_aton_reloc_is_valid(NULL) == AI_RELOC_RT_ERR_INVALID_HDL);
    CASE("is_valid: nothing installed",
         ll_aton_reloc_is_valid(&instance) == AI_RELOC_RT_ERR_INVALID_HDL);
    CASE("nothing installed: every other call refuses", all_refuse());
    install_fresh(AI_RELOC_RT_LOAD_MODE_XIP);
    CASE("is_valid: 1 for XIP", ll_aton_reloc_is_valid(&instance) == 1);
    set_word(context() + CTX_ROM, 0);
    CASE("is_valid: no RO base", ll_aton_reloc_is_valid(&instance) == AI_RELOC_RT_ERR_INVALID_BIN);
    CASE("no RO base: every other call refuses", all_refuse());
    install_fresh(AI_RELOC_RT_LOAD_MODE_COPY);
    CASE("is_valid: 1 for COPY", ll_aton_reloc_is_valid(&instance) == 1);
    set_word(EXEC_AT, 0);
    CASE("is_valid: magic gone", ll_aton_reloc_is_valid(&instance) == AI_RELOC_RT_ERR_INVALID_BIN);
    CASE("magic gone: every other call refuses", all_refuse());
    install_fresh(AI_RELOC_RT_LOAD_MODE_COPY);
    set_word(context() + CTX_STATE, 2);
    CASE("is_valid: not initialised",
         ll_aton_reloc_is_valid(&instance) == AI_RELOC_RT_ERR_INVALID_BIN);
    CASE("not initialised: every other call refuses", all_refuse());
}

static void file_pointer_cases(void) {
    uintptr_t file = 1;
    install_fresh(AI_RELOC_RT_LOAD_MODE_COPY);
    CASE("get_file_ptr: no instance",
         ll_aton_reloc_get_file_ptr(NULL, &file) == AI_RELOC_RT_ERR_INVALID_HDL);
    CASE("get_file_ptr: nowhere to write",
         ll_aton_reloc_get_file_ptr(&instance, NULL) == AI_RELOC_RT_ERR_INVALID_HDL);
    CASE("get_file_ptr: the file",
         ll_aton_reloc_get_file_ptr(&instance, &file) == 0 && file == FILE_AT);
    set_word(context() + CTX_STATE, 0);
    CASE("get_file_ptr: damaged",
         ll_aton_reloc_get_file_ptr(&instance, &file) == AI_RELOC_RT_ERR_INVALID_BIN);
    fresh();
    CASE("get_file_ptr: nothing installed",
         ll_aton_reloc_get_file_ptr(&instance, &file) == AI_RELOC_RT_ERR_INVALID_HDL);
}

static void callback_cases(void) {
    static struct ll_aton_reloc_callback table;
    install_fresh(AI_RELOC_RT_LOAD_MODE_XIP);
    CASE("set_callbacks: no instance",
         ll_aton_reloc_set_callbacks(NULL, &table) == AI_RELOC_RT_ERR_INVALID_BIN);
    CASE("set_callbacks: no table",
         ll_aton_reloc_set_callbacks(&instance, NULL) == AI_RELOC_RT_ERR_INVALID_BIN);
    CASE("set_callbacks: stores the pointer",
         ll_aton_reloc_set_callbacks(&instance, &table) == 0 &&
             word_at(context() + CTX_CALLBACKS) == (uintptr_t)&table);
    set_word((uint32_t)(uintptr_t)&table, 0x10000100u);
    const int even = ll_aton_reloc_set_callbacks(&instance, &table);
    set_word((uint32_t)(uintptr_t)&table, 0);
    CASE("set_callbacks: entry that is no Thumb function",
         even == (COMPAT ? 0 : AI_RELOC_RT_ERR_INVALID_BIN));
    set_word(context() + CTX_CALLBACKS, 0x12345678u);
    set_word(context() + CTX_STATE, 0);
    CASE("set_callbacks: damaged", ll_aton_reloc_set_callbacks(&instance, &table) ==
                                       (COMPAT ? 0 : AI_RELOC_RT_ERR_INVALID_HDL));
    CASE("set_callbacks: damaged, nothing stored",
         word_at(context() + CTX_CALLBACKS) == 0x12345678u);
    fresh();
    CASE("set_callbacks: nothing installed",
         ll_aton_reloc_set_callbacks(&instance, &table) == AI_RELOC_RT_ERR_INVALID_BIN);
}

static void stale_cases(void) {
    NN_Instance_TypeDef first;
    install_fresh(AI_RELOC_RT_LOAD_MODE_XIP);
    first = instance;
    CASE("is_valid: a copy of the instance is not its owner",
         ll_aton_reloc_is_valid(&first) == (COMPAT ? 1 : AI_RELOC_RT_ERR_INVALID_BIN));
    install_fresh(AI_RELOC_RT_LOAD_MODE_COPY);
    set_word(context() + CTX_RAM, EXEC_AT + 0x800);
    CASE("is_valid: RAM base that does not lead to the handle",
         ll_aton_reloc_is_valid(&instance) == (COMPAT ? 1 : AI_RELOC_RT_ERR_INVALID_BIN));
}

void handle_cases(void) {
    validity_cases();
    file_pointer_cases();
    callback_cases();
    stale_cases();
}
