/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LL_ATON_RT_USER_API_H
#define LL_ATON_RT_USER_API_H

#include "ll_aton_NN_interface.h"
#include "ll_aton_caches_interface.h"
#include "ll_aton_osal.h"

/* Runs networks: names, arguments and results are the documented ones, so that an application
 * written for the vendor's stack compiles against this header. In this order: RuntimeInit, install,
 * set a callback, Init_Network, set user buffers, fill inputs and clean the caches, RunEpochBlock
 * until DONE, invalidate and read the outputs; Reset_Network before the next inference;
 * DeInit_Network, RuntimeDeInit. */

#ifdef __cplusplus
extern "C" {
#endif

/* What RunEpochBlock says: call again; sleep until an event, then call again; the inference is
 * over. */
typedef enum {
    LL_ATON_RT_NO_WFE = 0,
    LL_ATON_RT_WFE = 1,
    LL_ATON_RT_DONE = 2
} LL_ATON_RT_RetValues_t;

typedef void (*TraceRuntime_FuncPtr_t)(LL_ATON_RT_Callbacktype_t type);

/* Sets up NPU and interrupt; the application's handler of the NPU's line 0 calls
 * LL_ATON_RT_IrqHandler (whose name is this project's). */
void LL_ATON_RT_RuntimeInit(void);
void LL_ATON_RT_RuntimeDeInit(void);
void LL_ATON_RT_IrqHandler(void);

/* One callback for all networks, called at both ends of the runtime's life. */
void LL_ATON_RT_SetRuntimeCallback(TraceRuntime_FuncPtr_t rt_callback);
/* Around every epoch block of a network. After the install, which clears it, and before
 * Init_Network. The second form is the older one. */
void LL_ATON_RT_SetNetworkCallback(NN_Instance_TypeDef* nn_instance,
                                   TraceEpochBlock_FuncPtr_t epoch_block_callback);
void LL_ATON_RT_SetEpochCallback(TraceEpochBlock_FuncPtr_t epoch_block_callback,
                                 NN_Instance_TypeDef* nn_instance);

/* Nothing happens for NULL, or for an instance without a network. */
void LL_ATON_RT_Init_Network(NN_Instance_TypeDef* nn_instance);
void LL_ATON_RT_DeInit_Network(NN_Instance_TypeDef* nn_instance);
void LL_ATON_RT_Reset_Network(NN_Instance_TypeDef* nn_instance);
LL_ATON_RT_RetValues_t LL_ATON_RT_RunEpochBlock(NN_Instance_TypeDef* nn_instance);
/* All of it: one inference from RuntimeInit to RuntimeDeInit. */
void LL_ATON_RT_Main(NN_Instance_TypeDef* network_instance);

/* User buffers and tensor lists, of installed models and of networks linked into the firmware
 * alike; the vendor's releases before 1.1.3 have them for the latter only. */
LL_ATON_User_IO_Result_t LL_ATON_Set_User_Input_Buffer(const NN_Instance_TypeDef* nn_instance,
                                                       uint32_t num, void* buffer, uint32_t size);
void* LL_ATON_Get_User_Input_Buffer(const NN_Instance_TypeDef* nn_instance, uint32_t num);
LL_ATON_User_IO_Result_t LL_ATON_Set_User_Output_Buffer(const NN_Instance_TypeDef* nn_instance,
                                                        uint32_t num, void* buffer, uint32_t size);
void* LL_ATON_Get_User_Output_Buffer(const NN_Instance_TypeDef* nn_instance, uint32_t num);
const LL_Buffer_InfoTypeDef* LL_ATON_Input_Buffers_Info(const NN_Instance_TypeDef* nn_instance);
const LL_Buffer_InfoTypeDef* LL_ATON_Output_Buffers_Info(const NN_Instance_TypeDef* nn_instance);
const LL_Buffer_InfoTypeDef* LL_ATON_Internal_Buffers_Info(const NN_Instance_TypeDef* nn_instance);

/* For networks that are linked into the firmware: the functions that the compiler has written for
 * network `name`, a table of them, and an instance NN_Instance_<name> of it. */
#if N6VP_LL_ATON_GENERATION >= 30
#define N6VP_NN_ENCRYPTION_PROTOS(name)                                          \
    const LL_Streng_EncryptionTypedef* LL_ATON_BlobEncryption_Info_##name(void); \
    const LL_Streng_EncryptionTypedef* LL_ATON_WeightEncryption_Info_##name(void);
#define N6VP_NN_ENCRYPTION_ENTRIES(name)                        \
    .blob_encryption_info = LL_ATON_BlobEncryption_Info_##name, \
    .weight_encryption_info = LL_ATON_WeightEncryption_Info_##name,
#else
#define N6VP_NN_ENCRYPTION_PROTOS(name)
#define N6VP_NN_ENCRYPTION_ENTRIES(name)
#endif

#define LL_ATON_DECLARE_NAMED_NN_PROTOS(name)                                                  \
    bool LL_ATON_EC_Network_Init_##name(void);                                                 \
    bool LL_ATON_EC_Inference_Init_##name(void);                                               \
    LL_ATON_User_IO_Result_t LL_ATON_Set_User_Input_Buffer_##name(uint32_t num, void* buffer,  \
                                                                  uint32_t size);              \
    void* LL_ATON_Get_User_Input_Buffer_##name(uint32_t num);                                  \
    LL_ATON_User_IO_Result_t LL_ATON_Set_User_Output_Buffer_##name(uint32_t num, void* buffer, \
                                                                   uint32_t size);             \
    void* LL_ATON_Get_User_Output_Buffer_##name(uint32_t num);                                 \
    const EpochBlock_ItemTypeDef* LL_ATON_EpochBlockItems_##name(void);                        \
    const LL_Buffer_InfoTypeDef* LL_ATON_Output_Buffers_Info_##name(void);                     \
    const LL_Buffer_InfoTypeDef* LL_ATON_Input_Buffers_Info_##name(void);                      \
    N6VP_NN_ENCRYPTION_PROTOS(name)                                                            \
    const LL_Buffer_InfoTypeDef* LL_ATON_Internal_Buffers_Info_##name(void)

#define LL_ATON_DECLARE_NAMED_NN_INTERFACE(name)                   \
    LL_ATON_DECLARE_NAMED_NN_PROTOS(name);                         \
    static const NN_Interface_TypeDef NN_Interface_##name = {      \
        .network_name = #name,                                     \
        .ec_network_init = LL_ATON_EC_Network_Init_##name,         \
        .ec_inference_init = LL_ATON_EC_Inference_Init_##name,     \
        .input_setter = LL_ATON_Set_User_Input_Buffer_##name,      \
        .input_getter = LL_ATON_Get_User_Input_Buffer_##name,      \
        .output_setter = LL_ATON_Set_User_Output_Buffer_##name,    \
        .output_getter = LL_ATON_Get_User_Output_Buffer_##name,    \
        .epoch_block_items = LL_ATON_EpochBlockItems_##name,       \
        .output_buffers_info = LL_ATON_Output_Buffers_Info_##name, \
        .input_buffers_info = LL_ATON_Input_Buffers_Info_##name,   \
        N6VP_NN_ENCRYPTION_ENTRIES(name).internal_buffers_info =   \
            LL_ATON_Internal_Buffers_Info_##name}

#define LL_ATON_DECLARE_NAMED_NN_INSTANCE(name, interface) \
    static NN_Instance_TypeDef NN_Instance_##name = {.network = (interface)}

#define LL_ATON_DECLARE_NAMED_NN_INSTANCE_AND_INTERFACE(name) \
    LL_ATON_DECLARE_NAMED_NN_INTERFACE(name);                 \
    LL_ATON_DECLARE_NAMED_NN_INSTANCE(name, &NN_Interface_##name)

/* Address range of a tensor's contents, and how far engines may read ahead. The names are
 * assumed. */
static inline unsigned char* LL_Buffer_addr_base(const LL_Buffer_InfoTypeDef* buffer) {
    return buffer->is_user_allocated ? *(unsigned char**)buffer->addr_base.i : buffer->addr_base.p;
}
static inline unsigned char* LL_Buffer_addr_start(const LL_Buffer_InfoTypeDef* buffer) {
    return LL_Buffer_addr_base(buffer) + buffer->offset_start;
}
static inline unsigned char* LL_Buffer_addr_end(const LL_Buffer_InfoTypeDef* buffer) {
    return LL_Buffer_addr_base(buffer) + buffer->offset_end;
}
static inline unsigned char* LL_Buffer_addr_limit(const LL_Buffer_InfoTypeDef* buffer) {
    return LL_Buffer_addr_base(buffer) + buffer->offset_limit;
}
static inline uint32_t LL_Buffer_len(const LL_Buffer_InfoTypeDef* buffer) {
    return buffer->offset_end - buffer->offset_start;
}
static inline uint32_t LL_Buffer_bits(const LL_Buffer_InfoTypeDef* buffer) {
    return (uint32_t)(buffer->Qm + buffer->Qn + (buffer->Qunsigned ? 0 : 1));
}

#ifdef __cplusplus
}
#endif

#endif
