/* SPDX-License-Identifier: Apache-2.0 */
/* The documented order of calls, as an application in C makes them. Compiled for every release:
 * names, types and the number of arguments are those that such applications use. */
#include "ll_aton_reloc_network.h"
#include "ll_aton_rt_user_api.h"

#define FILE_AT 0x71000000u

static NN_Instance_TypeDef instance;
static uint32_t blocks;

static void on_runtime(LL_ATON_RT_Callbacktype_t type) {
    if (type == LL_ATON_RT_Callbacktype_RT_Init) blocks = 0;
}

static void on_block(LL_ATON_RT_Callbacktype_t type, const NN_Instance_TypeDef* network,
                     const EpochBlock_ItemTypeDef* block) {
    if (network == &instance && block != NULL && type == LL_ATON_RT_Callbacktype_POST_END) ++blocks;
}

static void infer(void) {
    LL_ATON_RT_RetValues_t result;
    do {
        result = LL_ATON_RT_RunEpochBlock(&instance);
        if (result == LL_ATON_RT_WFE) LL_ATON_OSAL_WFE();
    } while (result != LL_ATON_RT_DONE);
}

static uint32_t bytes_of(const LL_Buffer_InfoTypeDef* tensors) {
    uint32_t bytes = 0;
    for (; tensors->name != NULL; ++tensors) bytes += LL_Buffer_len(tensors);
    return bytes;
}

uint32_t n6vp_application(void* input, void* output);

uint32_t n6vp_application(void* input, void* output) {
    ll_aton_reloc_info info;
    ll_aton_reloc_config config = {0};
    LL_ATON_RT_SetRuntimeCallback(on_runtime);
    LL_ATON_RT_RuntimeInit();
    if (ll_aton_reloc_get_info(FILE_AT, &info) != AI_RELOC_RT_ERR_NONE) return 0;
    config.exec_ram_addr = 0x34060000u;
    config.exec_ram_size = info.rt_ram_copy;
    config.mode = AI_RELOC_RT_LOAD_MODE_COPY | AI_RELOC_RT_LOAD_MODE_CLEAR;
    if (ll_aton_reloc_install(FILE_AT, &config, &instance) != AI_RELOC_RT_ERR_NONE) return 0;
    LL_ATON_RT_SetNetworkCallback(&instance, on_block);
    LL_ATON_RT_Init_Network(&instance);
    (void)LL_ATON_Set_User_Input_Buffer(&instance, 0, input,
                                        bytes_of(LL_ATON_Input_Buffers_Info(&instance)));
    (void)ll_aton_reloc_set_output(&instance, 0, output,
                                   bytes_of(ll_aton_reloc_get_output_buffers_info(&instance, -1)));
    infer();
    LL_ATON_RT_Reset_Network(&instance);
    infer();
    LL_ATON_RT_DeInit_Network(&instance);
    LL_ATON_RT_RuntimeDeInit();
    return blocks;
}
