/* SPDX-License-Identifier: Apache-2.0 */
#ifndef N6VP_RELOC_PLATFORM_H
#define N6VP_RELOC_PLATFORM_H

#include "ll_aton_reloc_network.h"

/* What the loader needs from a board and has no opinion about. Define `n6vp_reloc_platform` in the
 * application to replace the library's weak default, which has no callbacks, no text, no cache
 * maintenance and grants nothing. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t start;
    uint32_t bytes;
} n6vp_reloc_range;

/* How the firmware was compiled. N6VP_RELOC_PROFILE_INIT fills it from the macros in force where it
 * is used: use it in a file compiled with the application's options, because they decide the layout
 * of NN_Instance_TypeDef. */
typedef struct {
    uint8_t version_major, version_minor, version_micro;
    uint8_t secure;     /* __ARM_FEATURE_CMSE == 3 */
    uint8_t dbg_info;   /* LL_ATON_EB_DBG_INFO */
    uint8_t async_mode; /* LL_ATON_RT_MODE == LL_ATON_RT_ASYNC */
    uint8_t ndebug;     /* NDEBUG */
    uint8_t buffer_info_bytes;
    uint8_t epoch_item_bytes;
    uint8_t reserved[3];
    uint32_t version_dev;
} n6vp_reloc_profile;

#if defined(__ARM_FEATURE_CMSE) && __ARM_FEATURE_CMSE == 3
#define N6VP_RELOC_SECURE 1
#else
#define N6VP_RELOC_SECURE 0
#endif
#ifdef LL_ATON_EB_DBG_INFO
#define N6VP_RELOC_DBG_INFO 1
#else
#define N6VP_RELOC_DBG_INFO 0
#endif
#ifdef NDEBUG
#define N6VP_RELOC_NDEBUG 1
#else
#define N6VP_RELOC_NDEBUG 0
#endif
#define N6VP_RELOC_PROFILE_INIT                                                                 \
    {                                                                                           \
        LL_ATON_VERSION_MAJOR, LL_ATON_VERSION_MINOR, LL_ATON_VERSION_MICRO, N6VP_RELOC_SECURE, \
            N6VP_RELOC_DBG_INFO, LL_ATON_RT_MODE == LL_ATON_RT_ASYNC, N6VP_RELOC_NDEBUG,        \
            (uint8_t)sizeof(LL_Buffer_InfoTypeDef), (uint8_t)sizeof(EpochBlock_ItemTypeDef),    \
            {0, 0, 0}, LL_ATON_VERSION_DEV                                                      \
    }

/* Cache maintenance that the installer asks for. Start and size are 0 for NPU_INVALIDATE_ALL. */
typedef enum {
    N6VP_RELOC_MCU_CLEAN = 0,
    N6VP_RELOC_MCU_CLEAN_INVALIDATE = 1,
    N6VP_RELOC_MCU_INVALIDATE = 2,
    N6VP_RELOC_MCU_INSTRUCTION_INVALIDATE = 3,
    N6VP_RELOC_NPU_CLEAN = 4,
    N6VP_RELOC_NPU_CLEAN_INVALIDATE = 5,
    N6VP_RELOC_NPU_INVALIDATE_ALL = 6
} n6vp_reloc_cache_op;

/* Parts of an install, in their order. */
typedef enum {
    N6VP_RELOC_PART_CHECKS = 0,
    N6VP_RELOC_PART_POOLS = 1,
    N6VP_RELOC_PART_READ_ONLY_COPY = 2,
    N6VP_RELOC_PART_DATA_BSS = 3,
    N6VP_RELOC_PART_GOT = 4,
    N6VP_RELOC_PART_RELOCATION = 5,
    N6VP_RELOC_PART_FINISH = 6
} n6vp_reloc_part;

/* Instances that are installed now, kept by the caller: the library has no variables. Strict
 * refuses a handle that is not in the list, and an install when the list is full. Clear a slot (or
 * call n6vp_reloc_forget) before the exec RAM of an instance gets another use. */
typedef struct {
    const NN_Instance_TypeDef** slots;
    uint32_t slot_count;
} n6vp_reloc_registry;

/* Longest list of grants or of mapped memory; with more, every call fails. */
#define N6VP_RELOC_MAX_RANGES 16

typedef struct {
    n6vp_reloc_profile profile;
    const void* callbacks; /* default callback table, in the layout of `profile`; may be NULL */
    void (*text)(const char* characters, uint32_t count);                      /* may be NULL */
    void (*maintain)(n6vp_reloc_cache_op op, uintptr_t start, uint32_t bytes); /* may be NULL */
    const n6vp_reloc_range* grants; /* where COPY and RESET pools may write */
    uint32_t grant_count;
    /* Memory that exists: accesses elsewhere are refused instead of faulting. NULL: every memory of
     * the STM32N6 in Strict, everything in Compat. */
    const n6vp_reloc_range* mapped;
    uint32_t mapped_count;
    n6vp_reloc_registry registry; /* slots NULL: no registry */
    /* Turns a rule's number into its name for messages: NULL, or n6vp_reloc_rule_name at the cost
     * of its table. */
    const char* (*rule_name)(uint32_t rule);
    /* Hears of the parts of an install as they begin: N6VP_RELOC_PART_*. May be NULL. */
    void (*part)(uint32_t number);
} n6vp_reloc_platform_t;

const n6vp_reloc_platform_t* n6vp_reloc_platform(void);

/* Returns the name of a rule, "?" for an unknown number. */
const char* n6vp_reloc_rule_name(uint32_t rule);

/* Takes an instance out of the registry. Returns true if it was there. */
bool n6vp_reloc_forget(const NN_Instance_TypeDef* nn_instance);

#ifdef __cplusplus
}
#endif

#endif
