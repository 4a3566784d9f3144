/* SPDX-License-Identifier: Apache-2.0 */
#ifndef N6VP_TESTS_CASES_H
#define N6VP_TESTS_CASES_H

#include "n6vp_reloc_platform.h"

/* Shared by the programs that test the C API on a core: one line per case, PASS or FAIL, then a
 * total. */

#ifdef N6VP_RELOC_POLICY_COMPAT
#define COMPAT 1
#else
#define COMPAT 0
#endif

#define FILE_AT 0x70000000u
#define EXEC_AT 0x90000000u
#define SECOND_EXEC_AT 0x90100000u
#define BUFFER_AT 0x90200000u
#define EXEC_BYTES 0x1000u

/* Offsets in the model's data; model.S has the same numbers. */
#define AT_INIT_CALLS 0x00u
#define AT_INIT_BASE 0x04u
#define AT_EPOCH_ITEM 0x0Cu
#define AT_EPOCH_INSTANCE 0x10u
#define AT_EPOCH_BASE 0x14u
#define AT_WEIGHT_ENCRYPTION 0x40u
#define AT_BLOB_ENCRYPTION 0x60u
#define AT_INTERFACE 0x80u
#define AT_INPUTS 0xC0u
#define AT_INTERNALS (AT_INPUTS + 2 * 56u)
#define AT_OUTPUTS (AT_INPUTS + 4 * 56u)
#define AT_ITEMS 0x248u

/* Header words of the container. */
#define WORD_MAGIC 0x00u
#define WORD_FLAGS 0x04u
#define WORD_DATA_START 0x08u
#define WORD_DATA_DATA 0x10u
#define WORD_BSS_END 0x18u
#define WORD_REL_START 0x24u
#define WORD_PARAMS_START 0x2Cu
#define WORD_PARAMS_OFFSET 0x30u
#define WORD_CONTEXT (N6VP_LL_ATON_GENERATION >= 30 ? 0x64u : 0x5Cu)

/* The model's flags word, which fits this firmware; model.S composes the same. */
#define FLAG_ASYNC 0x00400000u
#define FLAG_DBG_INFO 0x00200000u
#ifdef LL_ATON_EB_DBG_INFO
#define FLAGS_DBG_INFO FLAG_DBG_INFO
#else
#define FLAGS_DBG_INFO 0u
#endif
#if LL_ATON_RT_MODE == LL_ATON_RT_ASYNC
#define MODEL_FLAGS (0x80185D22u | FLAG_ASYNC | FLAGS_DBG_INFO)
#else
#define MODEL_FLAGS (0x80185D22u | FLAGS_DBG_INFO)
#endif

/* Fields of rt_ctx. */
#define CTX_STATE 0x00u
#define CTX_FILE 0x04u
#define CTX_RAM 0x08u
#define CTX_ROM 0x0Cu
#define CTX_CALLBACKS 0x10u
#define CTX_VERSION 0x28u
#define CTX_SIZES 0x38u

extern const uint8_t n6vp_model[], n6vp_model_end[];
uint32_t n6vp_r9_after(bool (*function)(uint32_t), uint32_t argument);
void n6vp_print(const char* text);

void case_result(const char* name, bool good);
#define CASE(name, condition) case_result(name, (condition))

/* Reads and writes memory as words. */
uint32_t word_at(uint32_t address);
void set_word(uint32_t address, uint32_t value);

/* Puts the model at FILE_AT, fills exec RAM with 0xA5, clears the instance and the platform's
 * records. */
void fresh(void);
/* `fresh`, then an install that must succeed. */
void install_fresh(uint32_t mode);
ll_aton_reloc_config config_for(uint32_t mode);
/* Installs the file at FILE_AT as it is now. */
int install_now(uint32_t mode);

uint32_t ro_bytes(void);
uint32_t ram_base(uint32_t mode);
uint32_t context_offset_in_file(void);

extern NN_Instance_TypeDef instance;
extern n6vp_reloc_platform_t board;
extern uint32_t cache_calls, text_bytes;
extern char text_seen[2048];

void file_cases(void);
void install_cases(void);
void handle_cases(void);
void model_cases(void);
void registry_cases(void);

#endif
