/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LL_ATON_NN_INTERFACE_H
#define LL_ATON_NN_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ll_aton_version.h"

/* Structures that a relocatable model and its firmware share. Layouts are those of the Arm AAPCS
 * with short enums; every documented offset is asserted, so a wrong compiler option is an error
 * here and not a crash later. */

#ifdef __cplusplus
#define N6VP_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define N6VP_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif
#define N6VP_AT(type, member, offset) \
    N6VP_STATIC_ASSERT(offsetof(type, member) == (offset), #type "." #member " is misplaced")
#define N6VP_BYTES(type, bytes) \
    N6VP_STATIC_ASSERT(sizeof(type) == (bytes), #type " has the wrong size")

N6VP_STATIC_ASSERT(sizeof(void*) == 4, "the relocatable-model API is defined for ILP32 only");
N6VP_STATIC_ASSERT(sizeof(bool) == 1, "bool must be one byte");

#ifndef LL_ATON_RT_POLLING
#define LL_ATON_RT_POLLING 1
#endif
#ifndef LL_ATON_RT_ASYNC
#define LL_ATON_RT_ASYNC 2
#endif
#ifndef LL_ATON_RT_MODE
#define LL_ATON_RT_MODE LL_ATON_RT_ASYNC
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LL_ATON_User_IO_NOERROR = 0,
    LL_ATON_User_IO_WRONG_ALIGN = 1,
    LL_ATON_User_IO_WRONG_SIZE = 2,
    LL_ATON_User_IO_WRONG_INDEX = 3
} LL_ATON_User_IO_Result_t;

/* The prefix of these enumerators is assumed, their values are not. */
typedef enum {
    CHPos_UNDEFINED = 0,
    CHPos_First = 1,
    CHPos_Last = 2,
    CHPos_Mixed = 3
} Buffer_CHPos_TypeDef;

#if N6VP_LL_ATON_GENERATION == 21
typedef enum {
    DataType_UNDEFINED = 0,
    DataType_FLOAT = 1,
    DataType_UINT8 = 2,
    DataType_INT8 = 3,
    DataType_UINT16 = 4,
    DataType_INT16 = 5,
    DataType_INT32 = 6,
    DataType_INT64 = 7,
    DataType_STRING = 8,
    DataType_BOOL = 9,
    DataType_FLOAT16 = 10,
    DataType_DOUBLE = 11,
    DataType_UINT32 = 12,
    DataType_UINT64 = 13,
    DataType_COMPLEX64 = 14,
    DataType_COMPLEX128 = 15,
    DataType_BFLOAT16 = 16,
    DataType_FXP = 100
} Buffer_DataType_TypeDef;
#else
typedef enum {
    DataType_UNDEFINED = 0,
    DataType_FLOAT = 1,
    DataType_UINT2 = 2,
    DataType_INT2 = 3,
    DataType_UINT4 = 4,
    DataType_INT4 = 5,
    DataType_UINT8 = 6,
    DataType_INT8 = 7,
    DataType_UINT16 = 8,
    DataType_INT16 = 9,
    DataType_INT32 = 10,
    DataType_INT64 = 11,
    DataType_STRING = 12,
    DataType_BOOL = 13,
    DataType_FLOAT16 = 14,
    DataType_DOUBLE = 15,
    DataType_UINT32 = 16,
    DataType_UINT64 = 17,
    DataType_COMPLEX64 = 18,
    DataType_COMPLEX128 = 19,
    DataType_BFLOAT16 = 20,
    DataType_FXP = 100
} Buffer_DataType_TypeDef;
#endif

/* An address that compiled networks initialise as a pointer, in braces. */
typedef union {
    unsigned char* p;
    uintptr_t i;
} n6vp_address_t;

/* One tensor. A list ends with an entry whose name is NULL. */
typedef struct LL_Buffer_Info {
    const char* name;
    /* If is_user_allocated: where the pointer to the user's buffer is stored. */
    n6vp_address_t addr_base;
    uint32_t offset_start; /* byte offsets from the base; offset_end is one past the last byte */
    uint32_t offset_end;
    uint32_t offset_limit; /* limit of the stream engine's prefetch */
    uint8_t is_user_allocated;
    uint8_t is_param;
    uint16_t epoch;
    uint32_t batch;
    const uint32_t* mem_shape;
    uint16_t mem_ndims;
    Buffer_CHPos_TypeDef chpos;
    Buffer_DataType_TypeDef type;
    int8_t Qm;
    int8_t Qn;
    uint8_t Qunsigned;
    uint8_t ndims;
    uint8_t nbits;
    uint8_t per_channel;
    const uint32_t* shape;
    const float* scale;
    const int16_t* offset; /* zero points */
} LL_Buffer_InfoTypeDef;

N6VP_AT(LL_Buffer_InfoTypeDef, addr_base, 0x04);
N6VP_AT(LL_Buffer_InfoTypeDef, offset_start, 0x08);
N6VP_AT(LL_Buffer_InfoTypeDef, offset_end, 0x0C);
N6VP_AT(LL_Buffer_InfoTypeDef, offset_limit, 0x10);
N6VP_AT(LL_Buffer_InfoTypeDef, is_user_allocated, 0x14);
N6VP_AT(LL_Buffer_InfoTypeDef, is_param, 0x15);
N6VP_AT(LL_Buffer_InfoTypeDef, epoch, 0x16);
N6VP_AT(LL_Buffer_InfoTypeDef, batch, 0x18);
N6VP_AT(LL_Buffer_InfoTypeDef, mem_shape, 0x1C);
N6VP_AT(LL_Buffer_InfoTypeDef, mem_ndims, 0x20);
N6VP_AT(LL_Buffer_InfoTypeDef, chpos, 0x22);
N6VP_AT(LL_Buffer_InfoTypeDef, type, 0x23);
N6VP_AT(LL_Buffer_InfoTypeDef, Qm, 0x24);
N6VP_AT(LL_Buffer_InfoTypeDef, Qn, 0x25);
N6VP_AT(LL_Buffer_InfoTypeDef, Qunsigned, 0x26);
N6VP_AT(LL_Buffer_InfoTypeDef, ndims, 0x27);
N6VP_AT(LL_Buffer_InfoTypeDef, nbits, 0x28);
N6VP_AT(LL_Buffer_InfoTypeDef, per_channel, 0x29);
N6VP_AT(LL_Buffer_InfoTypeDef, shape, 0x2C);
N6VP_AT(LL_Buffer_InfoTypeDef, scale, 0x30);
N6VP_AT(LL_Buffer_InfoTypeDef, offset, 0x34);
N6VP_BYTES(LL_Buffer_InfoTypeDef, 56);

typedef enum {
    EpochBlock_Flags_NONE = 0x000,
    EpochBlock_Flags_epoch_start = 0x001,
    EpochBlock_Flags_epoch_end = 0x002,
    EpochBlock_Flags_blob = 0x004,
    EpochBlock_Flags_last_eb = 0x008,
    EpochBlock_Flags_pure_hw = 0x010,
    EpochBlock_Flags_pure_sw = 0x020,
    EpochBlock_Flags_hybrid = 0x040,
    EpochBlock_Flags_internal = 0x080,
    EpochBlock_Flags_blob_encrypted = 0x100
} EpochBlock_Flags_t;

struct NN_Instance;
struct LL_ATON_RT_EpochBlockItem;

/* What begins or ends an epoch block; 4.x tells it the instance, too. */
#if N6VP_LL_ATON_GENERATION >= 40
typedef void (*EpochBlock_FuncPtr_t)(const struct LL_ATON_RT_EpochBlockItem* epoch_block,
                                     const struct NN_Instance* nn_instance);
#else
typedef void (*EpochBlock_FuncPtr_t)(const void* epoch_block);
#endif

/* One epoch block. The list ends with an item that has the last_eb flag. */
typedef struct LL_ATON_RT_EpochBlockItem {
    EpochBlock_FuncPtr_t start_epoch_block;
    EpochBlock_FuncPtr_t end_epoch_block;
    uintptr_t blob_address;
    uint32_t wait_mask;
    uint16_t flags;
#ifdef LL_ATON_EB_DBG_INFO
    int16_t epoch_num;
    int16_t last_epoch_num;
    uint32_t in_streng_mask;
    uint32_t out_streng_mask;
    uint64_t estimated_npu_cycles;
    uint64_t estimated_tot_cycles;
#endif
} LL_ATON_RT_EpochBlockItem_t;
/* The name up to Core 3.0. */
typedef LL_ATON_RT_EpochBlockItem_t EpochBlock_ItemTypeDef;

N6VP_AT(EpochBlock_ItemTypeDef, end_epoch_block, 0x04);
N6VP_AT(EpochBlock_ItemTypeDef, blob_address, 0x08);
N6VP_AT(EpochBlock_ItemTypeDef, wait_mask, 0x0C);
N6VP_AT(EpochBlock_ItemTypeDef, flags, 0x10);
#ifdef LL_ATON_EB_DBG_INFO
N6VP_AT(EpochBlock_ItemTypeDef, epoch_num, 0x12);
N6VP_AT(EpochBlock_ItemTypeDef, last_epoch_num, 0x14);
N6VP_AT(EpochBlock_ItemTypeDef, in_streng_mask, 0x18);
N6VP_AT(EpochBlock_ItemTypeDef, out_streng_mask, 0x1C);
N6VP_AT(EpochBlock_ItemTypeDef, estimated_npu_cycles, 0x20);
N6VP_AT(EpochBlock_ItemTypeDef, estimated_tot_cycles, 0x28);
N6VP_BYTES(EpochBlock_ItemTypeDef, 48);
#else
N6VP_BYTES(EpochBlock_ItemTypeDef, 20);
#endif

/* Keys of an encrypted stream, 1.1.3 and later. Whoever has the drivers of the NPU's units has the
 * record from them. */
#if defined(__has_include)
#if __has_include("ll_aton_cipher.h")
#define N6VP_CIPHER_OF_DRIVERS
#endif
#endif
#ifdef N6VP_CIPHER_OF_DRIVERS
#include "ll_aton_cipher.h"
#else
typedef struct LL_Streng_Encryption {
    uint32_t enable;
    uint64_t encryption_id; /* 43 bits used */
    uint32_t rounds;        /* 0: 12 rounds, 1: 9 rounds */
    uint32_t key_sel;
    uint32_t increment;
} LL_Streng_EncryptionTypedef;

N6VP_AT(LL_Streng_EncryptionTypedef, encryption_id, 0x08);
N6VP_AT(LL_Streng_EncryptionTypedef, rounds, 0x10);
N6VP_AT(LL_Streng_EncryptionTypedef, key_sel, 0x14);
N6VP_AT(LL_Streng_EncryptionTypedef, increment, 0x18);
#endif
N6VP_BYTES(LL_Streng_EncryptionTypedef, 32);

/* Entry points of a network linked into the firmware; a relocated model sets only network_name
 * here. */
typedef struct NN_Interface {
    const char* network_name;
    bool (*ec_network_init)(void);
    bool (*ec_inference_init)(void);
    LL_ATON_User_IO_Result_t (*input_setter)(uint32_t num, void* buffer, uint32_t size);
    void* (*input_getter)(uint32_t num);
    LL_ATON_User_IO_Result_t (*output_setter)(uint32_t num, void* buffer, uint32_t size);
    void* (*output_getter)(uint32_t num);
    const EpochBlock_ItemTypeDef* (*epoch_block_items)(void);
    const LL_Buffer_InfoTypeDef* (*output_buffers_info)(void);
    const LL_Buffer_InfoTypeDef* (*input_buffers_info)(void);
#if N6VP_LL_ATON_GENERATION >= 30
    const LL_Streng_EncryptionTypedef* (*blob_encryption_info)(void);
    const LL_Streng_EncryptionTypedef* (*weight_encryption_info)(void);
#endif
    const LL_Buffer_InfoTypeDef* (*internal_buffers_info)(void);
} NN_Interface_TypeDef;

N6VP_AT(NN_Interface_TypeDef, ec_network_init, 0x04);
N6VP_AT(NN_Interface_TypeDef, ec_inference_init, 0x08);
N6VP_AT(NN_Interface_TypeDef, input_setter, 0x0C);
N6VP_AT(NN_Interface_TypeDef, input_getter, 0x10);
N6VP_AT(NN_Interface_TypeDef, output_setter, 0x14);
N6VP_AT(NN_Interface_TypeDef, output_getter, 0x18);
N6VP_AT(NN_Interface_TypeDef, epoch_block_items, 0x1C);
N6VP_AT(NN_Interface_TypeDef, output_buffers_info, 0x20);
N6VP_AT(NN_Interface_TypeDef, input_buffers_info, 0x24);
#if N6VP_LL_ATON_GENERATION >= 30
N6VP_AT(NN_Interface_TypeDef, blob_encryption_info, 0x28);
N6VP_AT(NN_Interface_TypeDef, weight_encryption_info, 0x2C);
N6VP_AT(NN_Interface_TypeDef, internal_buffers_info, 0x30);
N6VP_BYTES(NN_Interface_TypeDef, 52);
#else
N6VP_AT(NN_Interface_TypeDef, internal_buffers_info, 0x28);
N6VP_BYTES(NN_Interface_TypeDef, 44);
#endif

/* What callbacks are told. The prefix of these enumerators is assumed, their values are not. */
typedef enum {
    LL_ATON_RT_Callbacktype_PRE_START = 0,
    LL_ATON_RT_Callbacktype_POST_START = 1,
    LL_ATON_RT_Callbacktype_PRE_END = 2,
    LL_ATON_RT_Callbacktype_POST_END = 3,
    LL_ATON_RT_Callbacktype_NN_Init = 4,
    LL_ATON_RT_Callbacktype_NN_DeInit = 5,
    LL_ATON_RT_Callbacktype_RT_Init = 6,
    LL_ATON_RT_Callbacktype_RT_Deinit = 7
} LL_ATON_RT_Callbacktype_t;

N6VP_BYTES(LL_ATON_RT_Callbacktype_t, 1);

typedef void (*TraceEpochBlock_FuncPtr_t)(LL_ATON_RT_Callbacktype_t type,
                                          const struct NN_Instance* instance,
                                          const EpochBlock_ItemTypeDef* epoch_block);

typedef struct NN_Execution_State {
    const EpochBlock_ItemTypeDef* current_epoch_block;
    const EpochBlock_ItemTypeDef* first_epoch_block;
    const EpochBlock_ItemTypeDef* next_epoch_block;
    const EpochBlock_ItemTypeDef* saved_current_epoch_block;
    const EpochBlock_ItemTypeDef* saved_first_epoch_block;
    bool inference_started;
#if LL_ATON_RT_MODE == LL_ATON_RT_ASYNC
    volatile uint32_t triggered_events;
    bool current_epoch_block_started;
#endif
#ifndef NDEBUG
    uint32_t nr_of_epoch_blocks;
    uint32_t saved_nr_of_epoch_blocks;
#endif
    TraceEpochBlock_FuncPtr_t epoch_callback_function;
    uint32_t inst_reloc; /* handle of the relocated model, 0 without one */
} NN_Execution_State_TypeDef;

typedef struct NN_Instance {
    const NN_Interface_TypeDef* network;
    NN_Execution_State_TypeDef exec_state;
} NN_Instance_TypeDef;

N6VP_AT(NN_Instance_TypeDef, exec_state.current_epoch_block, 0x04);
N6VP_AT(NN_Instance_TypeDef, exec_state.first_epoch_block, 0x08);
N6VP_AT(NN_Instance_TypeDef, exec_state.next_epoch_block, 0x0C);
N6VP_AT(NN_Instance_TypeDef, exec_state.saved_current_epoch_block, 0x10);
N6VP_AT(NN_Instance_TypeDef, exec_state.saved_first_epoch_block, 0x14);
N6VP_AT(NN_Instance_TypeDef, exec_state.inference_started, 0x18);
#if LL_ATON_RT_MODE == LL_ATON_RT_ASYNC
N6VP_AT(NN_Instance_TypeDef, exec_state.triggered_events, 0x1C);
N6VP_AT(NN_Instance_TypeDef, exec_state.current_epoch_block_started, 0x20);
#ifndef NDEBUG
N6VP_AT(NN_Instance_TypeDef, exec_state.nr_of_epoch_blocks, 0x24);
N6VP_AT(NN_Instance_TypeDef, exec_state.saved_nr_of_epoch_blocks, 0x28);
N6VP_AT(NN_Instance_TypeDef, exec_state.epoch_callback_function, 0x2C);
N6VP_AT(NN_Instance_TypeDef, exec_state.inst_reloc, 0x30);
N6VP_BYTES(NN_Instance_TypeDef, 0x34);
#else
N6VP_AT(NN_Instance_TypeDef, exec_state.epoch_callback_function, 0x24);
N6VP_AT(NN_Instance_TypeDef, exec_state.inst_reloc, 0x28);
N6VP_BYTES(NN_Instance_TypeDef, 0x2C);
#endif
#else
#ifndef NDEBUG
N6VP_AT(NN_Instance_TypeDef, exec_state.nr_of_epoch_blocks, 0x1C);
N6VP_AT(NN_Instance_TypeDef, exec_state.saved_nr_of_epoch_blocks, 0x20);
N6VP_AT(NN_Instance_TypeDef, exec_state.epoch_callback_function, 0x24);
N6VP_AT(NN_Instance_TypeDef, exec_state.inst_reloc, 0x28);
N6VP_BYTES(NN_Instance_TypeDef, 0x2C);
#else
N6VP_AT(NN_Instance_TypeDef, exec_state.epoch_callback_function, 0x1C);
N6VP_AT(NN_Instance_TypeDef, exec_state.inst_reloc, 0x20);
N6VP_BYTES(NN_Instance_TypeDef, 0x24);
#endif
#endif

#ifdef __cplusplus
}
#endif

#endif
