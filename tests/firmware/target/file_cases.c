/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that look at a file only: get_info, get_mem_pool_desc, log_info. */
#include <string.h>

#include "cases.h"

static void info_refusals(void) {
    ll_aton_reloc_info info;
    fresh();
    CASE("get_info: no file", ll_aton_reloc_get_info(0, &info) == AI_RELOC_RT_ERR_INVALID_BIN);
    CASE("get_info: nowhere to write",
         ll_aton_reloc_get_info(FILE_AT, NULL) == AI_RELOC_RT_ERR_INVALID_BIN);
    memmove((void*)(uintptr_t)(FILE_AT + 2), (const void*)(uintptr_t)FILE_AT, 0x1000);
    CASE("get_info: misaligned file",
         ll_aton_reloc_get_info(FILE_AT + 2, &info) == AI_RELOC_RT_ERR_INVALID_BIN);
    fresh();
    set_word(FILE_AT + WORD_MAGIC, 0x4E49424Fu);
    CASE("get_info: wrong magic",
         ll_aton_reloc_get_info(FILE_AT, &info) == AI_RELOC_RT_ERR_INVALID_BIN);
    fresh();
    set_word(FILE_AT + WORD_FLAGS, 0x21785D22u);
    set_word(FILE_AT + WORD_DATA_START, 0x80000000u);
    CASE("get_info: a file of the legacy family",
         ll_aton_reloc_get_info(FILE_AT, &info) == (COMPAT ? 0 : AI_RELOC_RT_ERR_INVALID_BIN));
}

static void info_fields(void) {
    ll_aton_reloc_info info;
    fresh();
    memset(&info, 0xEE, sizeof info);
    const uint32_t ro = (ro_bytes() + 7) & ~7u;
    const uint32_t rw = ((word_at(FILE_AT + WORD_BSS_END) & 0x0FFFFFFFu) + 7) & ~7u;
    const uint32_t context = FILE_AT + context_offset_in_file();
    CASE("get_info: succeeds", ll_aton_reloc_get_info(FILE_AT, &info) == 0);
    CASE("get_info: c_name", strcmp(info.c_name, "capi") == 0 && (uintptr_t)info.c_name > FILE_AT);
    CASE("get_info: variant", info.variant == word_at(FILE_AT + WORD_FLAGS));
    CASE("get_info: code_sz", info.code_sz == ro);
    CASE("get_info: params_off", info.params_off == word_at(FILE_AT + WORD_PARAMS_OFFSET));
    CASE("get_info: params_sz", info.params_sz == 8);
    CASE("get_info: acts_sz", info.acts_sz == 32);
    CASE("get_info: ext_ram_sz", info.ext_ram_sz == 0);
    CASE("get_info: rt_ram_xip", info.rt_ram_xip == rw);
    CASE("get_info: rt_ram_copy", info.rt_ram_copy == rw + ro);
    CASE("get_info: rt_version_desc", strcmp(info.rt_version_desc, "atonn-test (RELOC.GCC)") == 0);
    CASE("get_info: rt_version",
         info.rt_version == ((uint32_t)LL_ATON_VERSION_MAJOR << 24 | LL_ATON_VERSION_MINOR << 16 |
                             LL_ATON_VERSION_MICRO << 8));
    CASE("get_info: rt_version_extra", info.rt_version_extra == LL_ATON_VERSION_DEV);
    set_word(context + 0x20, 0x1C);
    CASE("get_info: ext_ram_sz is rounded up to 8",
         ll_aton_reloc_get_info(FILE_AT, &info) == 0 && info.ext_ram_sz == 0x20);
    CASE("get_info: nothing is installed or maintained",
         cache_calls == 0 && word_at(EXEC_AT) == 0xA5A5A5A5u);
}

static void pool_cases(void) {
    fresh();
    const uint32_t table =
        FILE_AT + ro_bytes() + (word_at(FILE_AT + WORD_PARAMS_START) & 0x0FFFFFFFu);
    const ll_aton_reloc_mem_pool_desc* first = ll_aton_reloc_get_mem_pool_desc(FILE_AT, 0);
    CASE("pool: no file", ll_aton_reloc_get_mem_pool_desc(0, 0) == NULL);
    CASE("pool: negative index", ll_aton_reloc_get_mem_pool_desc(FILE_AT, -1) == NULL);
    CASE("pool: a pointer into the file", (uintptr_t)first == table);
    CASE("pool: flags and size", first != NULL && first->flags == 0x01010500u && first->size == 8);
    CASE("pool: the name is still a link address",
         first != NULL && ((uintptr_t)first->name >> 28) == 2 &&
             strcmp((const char*)(uintptr_t)(FILE_AT + ((uintptr_t)first->name & 0x0FFFFFFFu)),
                    "xSPI2") == 0);
    CASE("pool: the terminator is no entry", ll_aton_reloc_get_mem_pool_desc(FILE_AT, 1) == NULL);
    set_word(FILE_AT + WORD_PARAMS_START, 0x20000000u);
    CASE("pool: table not in RAM space", ll_aton_reloc_get_mem_pool_desc(FILE_AT, 0) == NULL);
    fresh();
    set_word(FILE_AT + WORD_MAGIC, 0);
    CASE("pool: wrong magic", ll_aton_reloc_get_mem_pool_desc(FILE_AT, 0) == NULL);
    fresh();
    memmove((void*)(uintptr_t)(FILE_AT + 2), (const void*)(uintptr_t)FILE_AT, 0x1000);
    const bool found = ll_aton_reloc_get_mem_pool_desc(FILE_AT + 2, 0) != NULL;
    CASE("pool: alignment of the file", found == (COMPAT != 0));
}

static void long_pool_table(void) {
    fresh();
    const uint32_t table = FILE_AT + ro_bytes() + 0x2000;
    set_word(FILE_AT + WORD_PARAMS_START, 0x40002000u);
    for (uint32_t i = 0; i < 12; ++i) {
        set_word(table + i * 20, 0x20000070u);
        set_word(table + i * 20 + 4, 0x03020200u);
    }
    CASE("pool: ten entries are listed",
         (uintptr_t)ll_aton_reloc_get_mem_pool_desc(FILE_AT, 9) == table + 9 * 20);
    CASE("pool: an eleventh is not", ll_aton_reloc_get_mem_pool_desc(FILE_AT, 10) == NULL);
}

#ifdef LL_ATON_EB_DBG_INFO
#define DBG_TEXT "1"
#else
#define DBG_TEXT "0"
#endif
#if LL_ATON_RT_MODE == LL_ATON_RT_ASYNC
#define ASYNC_TEXT "1"
#else
#define ASYNC_TEXT "0"
#endif

static void log_cases(void) {
    static const char* const labels[] = {"0x70000000",
                                         "c-name",
                                         "capi",
                                         "act sz",
                                         "params sz",
                                         "params off",
                                         "ext ram sz",
                                         "exec ram xip",
                                         "for XIP mode",
                                         "exec ram copy",
                                         "for COPY mode",
                                         "rt_desc",
                                         "rt_version",
                                         "C-mempool descriptors",
                                         "xSPI2",
                                         "Binary header",
                                         "magic",
                                         "NBIN",
                                         "flags",
                                         "v8.0 compil=8 feabi=2 (0x80",
                                         "fpu=1 is_enabled=1",
                                         "cpuid=0xD22 0xD22",
                                         "extra dbg=" DBG_TEXT " async=" ASYNC_TEXT " secure=1",
                                         "size",
                                         ".txt/.rodata",
                                         ".data",
                                         ".got",
                                         ".rel",
                                         ".bss"};
    fresh();
    ll_aton_reloc_log_info(FILE_AT);
    const char* at = text_seen;
    for (uint32_t i = 0; at != NULL && i < sizeof labels / sizeof labels[0]; ++i)
        at = strstr(at, labels[i]);
    CASE("log_info: the labels in their order", at != NULL);
    text_bytes = 0;
    ll_aton_reloc_log_info(0);
    CASE("log_info: no file prints nothing", text_bytes == 0);
    set_word(FILE_AT + WORD_MAGIC, 0);
    ll_aton_reloc_log_info(FILE_AT);
    CASE("log_info: no container prints nothing", text_bytes == 0);
    fresh();
    board.text = NULL;
    ll_aton_reloc_log_info(FILE_AT);
    CASE("log_info: nowhere to print", text_bytes == 0);
}

void file_cases(void) {
    info_refusals();
    info_fields();
    pool_cases();
    long_pool_table();
    log_cases();
}
