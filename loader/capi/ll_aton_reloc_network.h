/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LL_ATON_RELOC_NETWORK_H
#define LL_ATON_RELOC_NETWORK_H

#include "ll_aton_NN_interface.h"
#include "ll_aton_reloc_callbacks.h"

/* Installs and uses a runtime loadable model of the STM32N6 (`network_rel.bin`). Names, structures
 * and return codes are the documented ones, so application code written for the vendor's stack
 * compiles against this header unchanged.
 *
 * Two builds of the library exist. The Strict one (default) refuses what would corrupt memory and
 * answers `internal buffers` and `encryption` with the entry that the model was built with. The
 * Compat one gives the vendor loader's verdicts, image and edge cases; where they differ, a comment
 * below says how. */

#ifdef __cplusplus
extern "C" {
#endif

/* File magic, bytes "NBIN". */
#define AI_RELOC_MAGIC 0x4E49424EUL

#define AI_RELOC_RT_VERSION_MAJOR 8
#define AI_RELOC_RT_VERSION_MINOR 0

/* Install modes: XIP or COPY, with or without CLEAR. */
#define AI_RELOC_RT_LOAD_MODE_XIP 1U
#define AI_RELOC_RT_LOAD_MODE_COPY 2U
#define AI_RELOC_RT_LOAD_MODE_CLEAR 4U

#define AI_RELOC_RT_ERR_NONE 0
#define AI_RELOC_RT_ERR_INVALID_BIN (-1)
#define AI_RELOC_RT_ERR_MEMORY (-2)
#define AI_RELOC_RT_ERR_NOT_SUPPORTED (-3)
#define AI_RELOC_RT_ERR_ARG (-4)
#define AI_RELOC_RT_ERR_INVALID_HDL (-5)
#define AI_RELOC_RT_ERR_INSTALL (-6) /* never returned */
#define AI_RELOC_RT_ERR_PARAM_ADDR (-7)
#define AI_RELOC_RT_ERR_PARAM_DESC (-8)

#define AI_RELOC_RT_STATE_NOT_INITIALIZED 0U
#define AI_RELOC_RT_STATE_INITIALIZED 1U
#define AI_RELOC_RT_STATE_XIP_MODE 2U

/* The flags word, bits 22..20. */
#define AI_RELOC_RT_SECURE 1U
#define AI_RELOC_RT_DBG_INFO 2U
#define AI_RELOC_RT_ASYNC_MODE 4U
#define AI_RELOC_RT_GET_EXTRA(flags) (((uint32_t)(flags) >> 20) & 0xFU)
#define AI_RELOC_RT_GET_MAJOR(flags) ((uint32_t)(flags) >> 28)
#define AI_RELOC_RT_GET_MINOR(flags) (((uint32_t)(flags) >> 24) & 0xFU)
#define AI_RELOC_RT_GET_COMPILER(flags) (((uint32_t)(flags) >> 16) & 0xFU)
#define AI_RELOC_RT_GET_FPEABI(flags) (((uint32_t)(flags) >> 13) & 3U)
#define AI_RELOC_RT_FPU_USED(flags) (((uint32_t)(flags) >> 12) & 1U)
#define AI_RELOC_RT_GET_CPUID(flags) ((uint32_t)(flags)&0xFFFU)

#define AI_RELOC_TOOLCHAIN_GCC_EMBEDDED 8
#define AI_RELOC_TOOLCHAIN_CLANG_EMBEDDED 9
#define AI_RELOC_TOOLCHAIN_ST_CLANG_EMBEDDED 0xA

/* Flags of a memory-pool descriptor. */
#define AI_RELOC_MPOOL_GET_TYPE(flags) (((uint32_t)(flags) >> 24) & 0xFFU)
#define AI_RELOC_MPOOL_GET_DTYPE(flags) (((uint32_t)(flags) >> 16) & 0xFFU)
#define AI_RELOC_MPOOL_GET_DATTR(flags) (((uint32_t)(flags) >> 8) & 0xFFU)
#define AI_RELOC_MPOOL_GET_ID(flags) ((uint32_t)(flags)&0xFFU)
#define AI_RELOC_MPOOL_TYPE_RELOC 1
#define AI_RELOC_MPOOL_TYPE_COPY 2
#define AI_RELOC_MPOOL_TYPE_RESET 3
#define AI_RELOC_MPOOL_DTYPE_PARAM 1
#define AI_RELOC_MPOOL_DTYPE_ACTIV 2
#define AI_RELOC_MPOOL_DTYPE_MIXED 3
#define AI_RELOC_MPOOL_DATTR_READ 1
#define AI_RELOC_MPOOL_DATTR_WRITE 2
#define AI_RELOC_MPOOL_DATTR_CACHEABLE 4

typedef struct {
    uintptr_t exec_ram_addr;
    uint32_t exec_ram_size;
    uintptr_t ext_ram_addr;
    uint32_t ext_ram_size;
    uintptr_t ext_param_addr; /* 0 unless the parameters are in a file of their own */
    uint32_t mode;
} ll_aton_reloc_config;

N6VP_AT(ll_aton_reloc_config, exec_ram_size, 0x04);
N6VP_AT(ll_aton_reloc_config, ext_ram_addr, 0x08);
N6VP_AT(ll_aton_reloc_config, ext_ram_size, 0x0C);
N6VP_AT(ll_aton_reloc_config, ext_param_addr, 0x10);
N6VP_AT(ll_aton_reloc_config, mode, 0x14);
N6VP_BYTES(ll_aton_reloc_config, 24);

typedef struct {
    const char* c_name;
    uint32_t variant;     /* the file's flags word (assumed) */
    uint32_t code_sz;     /* align8 of the read-only part */
    uint32_t params_off;  /* offset of the parameters in the file, 0 if it has none */
    uint32_t params_sz;   /* bytes */
    uint32_t acts_sz;     /* bytes */
    uint32_t ext_ram_sz;  /* bytes, a multiple of 8 */
    uint32_t rt_ram_xip;  /* exec RAM for XIP, bytes */
    uint32_t rt_ram_copy; /* exec RAM for COPY, bytes */
    const char* rt_version_desc;
    uint32_t rt_version; /* major << 24 | minor << 16 | micro << 8 */
    uint32_t rt_version_extra;
} ll_aton_reloc_info;

N6VP_AT(ll_aton_reloc_info, variant, 0x04);
N6VP_AT(ll_aton_reloc_info, code_sz, 0x08);
N6VP_AT(ll_aton_reloc_info, params_off, 0x0C);
N6VP_AT(ll_aton_reloc_info, params_sz, 0x10);
N6VP_AT(ll_aton_reloc_info, acts_sz, 0x14);
N6VP_AT(ll_aton_reloc_info, ext_ram_sz, 0x18);
N6VP_AT(ll_aton_reloc_info, rt_ram_xip, 0x1C);
N6VP_AT(ll_aton_reloc_info, rt_ram_copy, 0x20);
N6VP_AT(ll_aton_reloc_info, rt_version_desc, 0x24);
N6VP_AT(ll_aton_reloc_info, rt_version, 0x28);
N6VP_AT(ll_aton_reloc_info, rt_version_extra, 0x2C);
N6VP_BYTES(ll_aton_reloc_info, 48);

typedef struct {
    const char* name; /* a link address: the string is at file + (name & 0x0FFFFFFF) */
    uint32_t flags;
    uint32_t foff;
    uint32_t dst;
    uint32_t size;
} ll_aton_reloc_mem_pool_desc;

N6VP_AT(ll_aton_reloc_mem_pool_desc, flags, 0x04);
N6VP_AT(ll_aton_reloc_mem_pool_desc, foff, 0x08);
N6VP_AT(ll_aton_reloc_mem_pool_desc, dst, 0x0C);
N6VP_AT(ll_aton_reloc_mem_pool_desc, size, 0x10);
N6VP_BYTES(ll_aton_reloc_mem_pool_desc, 20);

/* Fills `rt` from the file alone. Returns INVALID_BIN for a null or misaligned file, a wrong magic
 * or a null `rt`. Strict also refuses a file of another family and a header of unknown
 * length. */
int ll_aton_reloc_get_info(const uintptr_t file_ptr, ll_aton_reloc_info* rt);

/* Returns descriptor `index` inside the file, or NULL if there is none. Strict returns NULL for a
 * misaligned file. */
ll_aton_reloc_mem_pool_desc* ll_aton_reloc_get_mem_pool_desc(const uintptr_t file_ptr, int index);

/* Prints what the file holds through the platform's text function, if there is one. */
void ll_aton_reloc_log_info(const uintptr_t file_ptr);

/* Installs a model. Returns 0, or a negative AI_RELOC_RT_ERR_* code. */
int ll_aton_reloc_install(const uintptr_t file_ptr, const ll_aton_reloc_config* config,
                          NN_Instance_TypeDef* nn_instance);

/* Returns 1 for a usable instance, INVALID_HDL for NULL or no model, INVALID_BIN for a damaged one.
 */
int ll_aton_reloc_is_valid(const NN_Instance_TypeDef* nn_instance);

/* Writes the address of the installed file. Returns 0, INVALID_HDL or INVALID_BIN. */
int ll_aton_reloc_get_file_ptr(const NN_Instance_TypeDef* nn_instance, uintptr_t* file_ptr);

/* Makes the model use `cbs`, which must stay alive. Returns 0, or INVALID_BIN for a null argument
 * or no model. For a damaged instance Compat returns 0 and does nothing; Strict returns
 * INVALID_HDL. */
int ll_aton_reloc_set_callbacks(const NN_Instance_TypeDef* nn_instance,
                                const struct ll_aton_reloc_callback* cbs);

/* Returns tensor `num`, the first one for a negative `num`, or NULL. Compat walks past the end of
 * the list, as the vendor's does; Strict returns NULL there. */
const LL_Buffer_InfoTypeDef* ll_aton_reloc_get_input_buffers_info(
    const NN_Instance_TypeDef* nn_instance, int32_t num);
const LL_Buffer_InfoTypeDef* ll_aton_reloc_get_output_buffers_info(
    const NN_Instance_TypeDef* nn_instance, int32_t num);
/* Returns the list of internal tensors, or NULL. On 1.1.3 models Compat calls the entry that the
 * vendor's calls, which is `blob_encryption_info`. */
const LL_Buffer_InfoTypeDef* ll_aton_reloc_get_internal_buffers_info(
    const NN_Instance_TypeDef* nn_instance);

const EpochBlock_ItemTypeDef* ll_aton_reloc_get_epoch_items(const NN_Instance_TypeDef* nn_instance);

/* Sets or gets the address of a user-allocated tensor. WRONG_INDEX and NULL also stand for an
 * unusable instance. */
LL_ATON_User_IO_Result_t ll_aton_reloc_set_input(const NN_Instance_TypeDef* nn_instance,
                                                 uint32_t num, void* buffer, uint32_t size);
LL_ATON_User_IO_Result_t ll_aton_reloc_set_output(const NN_Instance_TypeDef* nn_instance,
                                                  uint32_t num, void* buffer, uint32_t size);
void* ll_aton_reloc_get_input(const NN_Instance_TypeDef* nn_instance, uint32_t num);
void* ll_aton_reloc_get_output(const NN_Instance_TypeDef* nn_instance, uint32_t num);

/* For the runtime: `inst` is exec_state.inst_reloc. */
bool ai_rel_network_ec_network_init(uint32_t inst);
bool ai_rel_network_ec_inference_init(uint32_t inst);
const EpochBlock_ItemTypeDef* ai_rel_network_get_epoch_items(uint32_t inst);
LL_ATON_User_IO_Result_t ai_rel_network_set_input(uint32_t inst, uint32_t num, void* buffer,
                                                  uint32_t size);
LL_ATON_User_IO_Result_t ai_rel_network_set_output(uint32_t inst, uint32_t num, void* buffer,
                                                   uint32_t size);
void* ai_rel_network_get_input(uint32_t inst, uint32_t num);
void* ai_rel_network_get_output(uint32_t inst, uint32_t num);
/* The names of these three are assumed. */
const LL_Buffer_InfoTypeDef* ai_rel_network_get_input_buffers_info(uint32_t inst);
const LL_Buffer_InfoTypeDef* ai_rel_network_get_output_buffers_info(uint32_t inst);
const LL_Buffer_InfoTypeDef* ai_rel_network_get_internal_buffers_info(uint32_t inst);
/* Returns NULL for models before 1.1.3. Compat calls with r9 = 0 and through the vendor's vector
 * order. */
const LL_Streng_EncryptionTypedef* ai_rel_network_blob_encryption_info(uint32_t inst);
const LL_Streng_EncryptionTypedef* ai_rel_network_weight_encryption_info(uint32_t inst);
/* Calls an epoch function of the model (`fct` is absolute) with the model's r9. Checks nothing. */
#if N6VP_LL_ATON_GENERATION >= 40
void ai_rel_call_start_end_function(uint32_t inst, uintptr_t fct, const void* epoch_block,
                                    const NN_Instance_TypeDef* nn_instance);
#else
void ai_rel_call_start_end_function(uint32_t inst, uintptr_t fct, const void* epoch_block);
#endif

#ifdef __cplusplus
}
#endif

#endif
