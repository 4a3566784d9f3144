/* SPDX-License-Identifier: Apache-2.0 */
/* Return codes of ll_aton_reloc_install and what a success leaves behind. The image itself is
 * compared elsewhere. */
#include <string.h>

#include "cases.h"

#define XIP AI_RELOC_RT_LOAD_MODE_XIP
#define COPY AI_RELOC_RT_LOAD_MODE_COPY
#define CLEAR AI_RELOC_RT_LOAD_MODE_CLEAR

/* Nothing of exec RAM or the instance was written. */
static bool untouched(void) {
    for (uint32_t at = 0; at < EXEC_BYTES; at += 4) {
        if (word_at(EXEC_AT + at) != 0xA5A5A5A5u) return false;
    }
    return instance.network == NULL && instance.exec_state.inst_reloc == 0;
}

static bool refused(int code, int expected) {
    return code == expected && untouched() && text_bytes != 0;
}

static int install_with(ll_aton_reloc_config config) {
    return ll_aton_reloc_install(FILE_AT, &config, &instance);
}

static void argument_cases(void) {
    ll_aton_reloc_config config = config_for(XIP);
    fresh();
    CASE("install: no instance",
         ll_aton_reloc_install(FILE_AT, &config, NULL) == AI_RELOC_RT_ERR_INVALID_BIN);
    CASE("install: no file",
         refused(ll_aton_reloc_install(0, &config, &instance), AI_RELOC_RT_ERR_INVALID_BIN));
    CASE("install: no configuration",
         refused(ll_aton_reloc_install(FILE_AT, NULL, &instance), AI_RELOC_RT_ERR_ARG));
    CASE("install: none of these touches a cache", cache_calls == 0);
    set_word(FILE_AT + WORD_MAGIC, 0);
    CASE("install: the magic is judged before the configuration",
         refused(ll_aton_reloc_install(FILE_AT, NULL, &instance), AI_RELOC_RT_ERR_INVALID_BIN));
    fresh();
    CASE("install: mode 0", refused(install_now(0), AI_RELOC_RT_ERR_ARG));
    fresh();
    CASE("install: CLEAR alone", refused(install_now(CLEAR), AI_RELOC_RT_ERR_ARG));
    fresh();
    memmove((void*)(uintptr_t)(FILE_AT + 2), (const void*)(uintptr_t)FILE_AT, 0x1000);
    CASE("install: misaligned file", refused(ll_aton_reloc_install(FILE_AT + 2, &config, &instance),
                                             AI_RELOC_RT_ERR_INVALID_BIN));
}

static void memory_cases(void) {
    ll_aton_reloc_info info;
    ll_aton_reloc_config config;
    fresh();
    (void)ll_aton_reloc_get_info(FILE_AT, &info);
    config = config_for(COPY);
    config.exec_ram_size = info.rt_ram_copy - 1;
    CASE("install: one byte short of COPY", refused(install_with(config), AI_RELOC_RT_ERR_MEMORY));
    fresh();
    config.exec_ram_size = info.rt_ram_copy;
    CASE("install: exactly enough for COPY", install_with(config) == 0);
    fresh();
    config = config_for(XIP);
    config.exec_ram_size = info.rt_ram_xip - 1;
    CASE("install: one byte short of XIP", refused(install_with(config), AI_RELOC_RT_ERR_MEMORY));
    fresh();
    config.exec_ram_size = info.rt_ram_xip;
    CASE("install: exactly enough for XIP", install_with(config) == 0);
    fresh();
    config.mode = XIP | COPY;
    CASE("install: both modes with the memory of XIP",
         install_with(config) == (COMPAT ? AI_RELOC_RT_ERR_INVALID_BIN : AI_RELOC_RT_ERR_ARG));
    fresh();
    config = config_for(XIP | COPY);
    CASE("install: both modes with enough memory",
         install_with(config) == (COMPAT ? 0 : AI_RELOC_RT_ERR_ARG));
    fresh();
    config = config_for(XIP);
    config.exec_ram_addr = 0;
    CASE("install: no exec RAM", refused(install_with(config), AI_RELOC_RT_ERR_MEMORY));
    fresh();
    config = config_for(XIP);
    config.exec_ram_size = 0;
    CASE("install: empty exec RAM", refused(install_with(config), AI_RELOC_RT_ERR_MEMORY));
    fresh();
    config = config_for(XIP);
    config.exec_ram_addr += 2;
    CASE("install: misaligned exec RAM", refused(install_with(config), AI_RELOC_RT_ERR_MEMORY));
    fresh();
    config = config_for(XIP);
    config.ext_ram_addr = 0x90300002u;
    config.ext_ram_size = 64;
    CASE("install: misaligned external RAM",
         refused(install_with(config), AI_RELOC_RT_ERR_PARAM_ADDR));
}

static void parameter_cases(void) {
    ll_aton_reloc_config config = config_for(XIP);
    fresh();
    config.ext_param_addr = 0x90300002u;
    CASE("install: misaligned parameters",
         refused(install_with(config), AI_RELOC_RT_ERR_PARAM_ADDR));
    fresh();
    set_word(FILE_AT + WORD_PARAMS_OFFSET, 0);
    CASE("install: no parameters anywhere", refused(install_now(XIP), AI_RELOC_RT_ERR_PARAM_ADDR));
    fresh();
    const uint32_t table =
        FILE_AT + ro_bytes() + (word_at(FILE_AT + WORD_PARAMS_START) & 0x0FFFFFFFu);
    set_word(table + 4, 0x01010502u);
    CASE("install: pool id 2", refused(install_now(XIP), AI_RELOC_RT_ERR_PARAM_DESC));
    fresh();
    set_word(table + 4, 0x01030500u);
    CASE("install: MIXED pool with id 0", refused(install_now(XIP), AI_RELOC_RT_ERR_PARAM_DESC));
    fresh();
    set_word(table + 4, 0x01010700u);
    CASE("install: writable pool with id 0", refused(install_now(XIP), AI_RELOC_RT_ERR_PARAM_DESC));
    fresh();
    memset((void*)(uintptr_t)BUFFER_AT, 0, 64);
    config.ext_param_addr = BUFFER_AT;
    CASE("install: parameters elsewhere", install_with(config) == 0);
}

static void firmware_cases(void) {
    const uint32_t context = FILE_AT + context_offset_in_file();
    fresh();
    set_word(FILE_AT + WORD_FLAGS, MODEL_FLAGS - 1);
    CASE("install: another core", refused(install_now(XIP), AI_RELOC_RT_ERR_INVALID_BIN));
    fresh();
    board.profile.secure = 0;
    CASE("install: secure model, non-secure firmware",
         refused(install_now(XIP), AI_RELOC_RT_ERR_INVALID_BIN));
    fresh();
    set_word(FILE_AT + WORD_FLAGS, MODEL_FLAGS ^ FLAG_DBG_INFO);
    CASE("install: debug information on one side only",
         refused(install_now(XIP), AI_RELOC_RT_ERR_INVALID_BIN));
    fresh();
    set_word(FILE_AT + WORD_FLAGS, MODEL_FLAGS ^ FLAG_ASYNC);
    CASE("install: asynchronous mode on one side only",
         refused(install_now(XIP), AI_RELOC_RT_ERR_INVALID_BIN));
    fresh();
    set_word(context + CTX_VERSION, 0x01020000u);
    CASE("install: other runtime version", refused(install_now(XIP), AI_RELOC_RT_ERR_INVALID_BIN));
#if N6VP_LL_ATON_GENERATION > 21
    fresh();
    set_word(context + CTX_SIZES, sizeof(EpochBlock_ItemTypeDef) << 8 | 0x40u);
    CASE("install: other size of a tensor record",
         refused(install_now(XIP), AI_RELOC_RT_ERR_INVALID_BIN));
    fresh();
    set_word(context + CTX_SIZES, (sizeof(EpochBlock_ItemTypeDef) ^ 0x24u) << 8 | 0x38u);
    CASE("install: other size of an epoch item",
         refused(install_now(XIP), AI_RELOC_RT_ERR_INVALID_BIN));
    fresh();
    set_word(FILE_AT + (word_at(FILE_AT + WORD_REL_START) & 0x0FFFFFFFu), 0x20000070u);
    CASE("install: relocation in RO needs COPY", install_now(XIP) == AI_RELOC_RT_ERR_INVALID_BIN);
#endif
}

static void success_cases(uint32_t mode, const char* const names[6]) {
    fresh();
    memset(&instance, 0x77, sizeof instance);
    const int code = install_now(mode);
    const uint32_t base = ram_base(mode);
    const uint32_t context = base + (word_at(FILE_AT + WORD_CONTEXT) & 0x0FFFFFFFu);
    const uint32_t rom = (mode & COPY) != 0 ? EXEC_AT : FILE_AT;
    CASE(names[0], code == 0);
    CASE(names[1], instance.exec_state.inst_reloc == context);
    CASE(names[2], (uintptr_t)instance.network == base + AT_INTERFACE &&
                       strcmp(instance.network->network_name, "capi") == 0);
    const NN_Execution_State_TypeDef* state = &instance.exec_state;
    CASE(names[3], state->current_epoch_block == NULL && state->first_epoch_block == NULL &&
                       state->next_epoch_block == NULL &&
                       state->saved_current_epoch_block == NULL &&
                       state->saved_first_epoch_block == NULL && !state->inference_started &&
                       state->epoch_callback_function == NULL);
    CASE(names[4], word_at(context + CTX_STATE) == ((mode & COPY) != 0 ? 1u : 3u) &&
                       word_at(context + CTX_FILE) == FILE_AT &&
                       word_at(context + CTX_RAM) == base && word_at(context + CTX_ROM) == rom &&
                       word_at(context + CTX_CALLBACKS) == (uintptr_t)board.callbacks);
    CASE(names[5], cache_calls != 0);
}

void install_cases(void) {
    static const char* const xip[6] = {"install: XIP",          "install: XIP, handle",
                                       "install: XIP, network", "install: XIP, state zeroed",
                                       "install: XIP, rt_ctx",  "install: XIP, caches"};
    static const char* const copy[6] = {"install: COPY",          "install: COPY, handle",
                                        "install: COPY, network", "install: COPY, state zeroed",
                                        "install: COPY, rt_ctx",  "install: COPY, caches"};
    argument_cases();
    memory_cases();
    parameter_cases();
    firmware_cases();
    success_cases(XIP, xip);
    success_cases(COPY | CLEAR, copy);
}
