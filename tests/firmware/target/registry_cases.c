/* SPDX-License-Identifier: Apache-2.0 */
/* The list of live instances, and a platform that names too much. */
#include "cases.h"

static NN_Instance_TypeDef second;

static int install_second(uint32_t exec) {
    ll_aton_reloc_config config = config_for(AI_RELOC_RT_LOAD_MODE_XIP);
    config.exec_ram_addr = exec;
    return ll_aton_reloc_install(FILE_AT, &config, &second);
}

static void registry(void) {
    const NN_Instance_TypeDef* slots[1] = {NULL};
    fresh();
    board.registry.slots = slots;
    board.registry.slot_count = 1;
    second = (NN_Instance_TypeDef){0};
    CASE("registry: first install", install_now(AI_RELOC_RT_LOAD_MODE_XIP) == 0);
#if COMPAT
    CASE("registry: not used in Compat",
         slots[0] == NULL && ll_aton_reloc_is_valid(&instance) == 1);
#else
    CASE("registry: the instance is listed",
         slots[0] == &instance && ll_aton_reloc_is_valid(&instance) == 1);
    CASE("registry: full", install_second(SECOND_EXEC_AT) == AI_RELOC_RT_ERR_MEMORY &&
                               word_at(SECOND_EXEC_AT) == 0xA5A5A5A5u);
    CASE("registry: the same instance again", install_now(AI_RELOC_RT_LOAD_MODE_XIP) == 0);
    CASE("registry: forget", n6vp_reloc_forget(&instance) && slots[0] == NULL);
    CASE("registry: forgotten is not a handle",
         ll_aton_reloc_is_valid(&instance) == AI_RELOC_RT_ERR_INVALID_HDL);
    CASE("registry: nothing to forget", !n6vp_reloc_forget(&instance) && !n6vp_reloc_forget(NULL));
    CASE("registry: room for another", install_second(SECOND_EXEC_AT) == 0 && slots[0] == &second);
#endif
}

static void reused_memory(void) {
    const NN_Instance_TypeDef* slots[2] = {NULL, NULL};
    fresh();
    board.registry.slots = slots;
    board.registry.slot_count = 2;
    second = (NN_Instance_TypeDef){0};
    const bool both = install_now(AI_RELOC_RT_LOAD_MODE_XIP) == 0 && install_second(EXEC_AT) == 0;
    CASE("re-used exec RAM: both installs succeed", both);
    CASE("re-used exec RAM: the second is valid", ll_aton_reloc_is_valid(&second) == 1);
    const int first = ll_aton_reloc_is_valid(&instance);
    CASE("re-used exec RAM: the first", COMPAT ? first == 1 : first < 0);
#if !COMPAT
    CASE("re-used exec RAM: the first left the registry", slots[0] == NULL && slots[1] == &second);
#endif
}

static void long_lists(void) {
    static n6vp_reloc_range many[N6VP_RELOC_MAX_RANGES + 1];
    fresh();
    board.grants = many;
    board.grant_count = N6VP_RELOC_MAX_RANGES + 1;
    CASE("platform: too many grants",
         install_now(AI_RELOC_RT_LOAD_MODE_XIP) == AI_RELOC_RT_ERR_ARG);
    board.grant_count = N6VP_RELOC_MAX_RANGES;
    CASE("platform: as many grants as allowed", install_now(AI_RELOC_RT_LOAD_MODE_XIP) == 0);
    fresh();
    ll_aton_reloc_info info;
    CASE("platform: a file outside the mapped memory",
         ll_aton_reloc_get_info(0x40000000u, &info) == AI_RELOC_RT_ERR_INVALID_BIN);
}

void registry_cases(void) {
    registry();
    reused_memory();
    long_lists();
}
