/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <string.h>

NN_Instance_TypeDef instance;
uint32_t cache_calls, text_bytes;
char text_seen[2048];

static uint32_t failed, passed;

static void record_text(const char* characters, uint32_t count) {
    for (uint32_t i = 0; i < count && text_bytes + 1 < sizeof text_seen; ++i) {
        text_seen[text_bytes++] = characters[i];
    }
    text_seen[text_bytes] = '\0';
}

static void record_cache(n6vp_reloc_cache_op op, uintptr_t start, uint32_t bytes) {
    (void)op;
    (void)start;
    (void)bytes;
    ++cache_calls;
}

static const struct ll_aton_reloc_callback no_callbacks;
static const n6vp_reloc_range memory[] = {
    {0x60000000u, 0x80000000u}, {0x30000000u, 0x00080000u}, {0x10000000u, 0x00080000u}};

static const n6vp_reloc_platform_t usual_board = {.profile = N6VP_RELOC_PROFILE_INIT,
                                                  .callbacks = &no_callbacks,
                                                  .text = record_text,
                                                  .maintain = record_cache,
                                                  .mapped = memory,
                                                  .mapped_count = 3,
                                                  .rule_name = n6vp_reloc_rule_name};
n6vp_reloc_platform_t board;

const n6vp_reloc_platform_t* n6vp_reloc_platform(void) {
    return &board;
}

void case_result(const char* name, bool good) {
    n6vp_print(good ? "PASS " : "FAIL ");
    n6vp_print(name);
    n6vp_print("\n");
    if (good) {
        ++passed;
    } else {
        ++failed;
    }
}

uint32_t word_at(uint32_t address) {
    uint32_t value;
    memcpy(&value, (const void*)(uintptr_t)address, sizeof value);
    return value;
}

void set_word(uint32_t address, uint32_t value) {
    memcpy((void*)(uintptr_t)address, &value, sizeof value);
}

void fresh(void) {
    memset((void*)(uintptr_t)FILE_AT, 0xFF, 0x4000);
    memcpy((void*)(uintptr_t)FILE_AT, n6vp_model, (size_t)(n6vp_model_end - n6vp_model));
    memset((void*)(uintptr_t)EXEC_AT, 0xA5, EXEC_BYTES);
    memset((void*)(uintptr_t)SECOND_EXEC_AT, 0xA5, EXEC_BYTES);
    memset(&instance, 0, sizeof instance);
    board = usual_board;
    board.profile.secure =
        1; /* the model says so; this program is not compiled for the secure state */
    cache_calls = 0;
    text_bytes = 0;
    text_seen[0] = '\0';
}

ll_aton_reloc_config config_for(uint32_t mode) {
    ll_aton_reloc_config config = {
        .exec_ram_addr = EXEC_AT, .exec_ram_size = EXEC_BYTES, .mode = mode};
    return config;
}

int install_now(uint32_t mode) {
    const ll_aton_reloc_config config = config_for(mode);
    return ll_aton_reloc_install(FILE_AT, &config, &instance);
}

void install_fresh(uint32_t mode) {
    fresh();
    const int code = install_now(mode);
    if (code != 0) {
        n6vp_print(text_seen);
        case_result("an install that the following cases need", false);
    }
}

uint32_t ro_bytes(void) {
    return word_at(FILE_AT + WORD_DATA_DATA) & 0x0FFFFFFFu;
}

uint32_t ram_base(uint32_t mode) {
    return EXEC_AT + ((mode & AI_RELOC_RT_LOAD_MODE_COPY) != 0 ? ro_bytes() : 0);
}

uint32_t context_offset_in_file(void) {
    return ro_bytes() + (word_at(FILE_AT + WORD_CONTEXT) & 0x0FFFFFFFu);
}

static void print_number(uint32_t value) {
    char digits[11] = {0};
    char* at = digits + 10;
    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    n6vp_print(at);
}

int n6vp_firmware_main(void) {
    file_cases();
    install_cases();
    handle_cases();
    model_cases();
    registry_cases();
    n6vp_print("total ");
    print_number(passed);
    n6vp_print(" passed, ");
    print_number(failed);
    n6vp_print(" failed\n");
    return failed == 0 ? 0 : 1;
}
