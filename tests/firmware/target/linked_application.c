/* SPDX-License-Identifier: Apache-2.0 */
/* The documented order of calls for a network that is linked into the firmware. */
#include "ll_aton_rt_user_api.h"

LL_ATON_DECLARE_NAMED_NN_INSTANCE_AND_INTERFACE(sums);

uint32_t n6vp_sums_inferences(void);
uint32_t n6vp_linked_application(unsigned char* input, uint32_t bytes);

/* Returns the number of what was not as it must be. */
uint32_t n6vp_linked_application(unsigned char* input, uint32_t bytes) {
    uint32_t failures = 0;
    const LL_Buffer_InfoTypeDef* const output = LL_ATON_Output_Buffers_Info(&NN_Instance_sums);
    failures += output->addr_base.p != LL_Buffer_addr_start(output);
    failures += output->addr_base.i != (uintptr_t)LL_Buffer_addr_base(output);
    failures += LL_ATON_Set_User_Input_Buffer(&NN_Instance_sums, 0, input + 4, bytes) !=
                LL_ATON_User_IO_WRONG_ALIGN;
    failures += LL_ATON_Set_User_Input_Buffer_sums(0, input, bytes) != LL_ATON_User_IO_NOERROR;
    failures += LL_ATON_Get_User_Input_Buffer(&NN_Instance_sums, 0) != input;
    failures += LL_Buffer_addr_start(LL_ATON_Input_Buffers_Info(&NN_Instance_sums)) != input;
    failures += LL_ATON_Get_User_Input_Buffer(&NN_Instance_sums, 1) != NULL;
    failures += LL_ATON_Get_User_Output_Buffer(&NN_Instance_sums, 1) != NULL;
    failures += LL_ATON_Set_User_Output_Buffer(&NN_Instance_sums, 1, input, bytes - 1) !=
                LL_ATON_User_IO_WRONG_SIZE;
    failures += LL_ATON_Set_User_Output_Buffer(&NN_Instance_sums, 1, input, bytes) !=
                LL_ATON_User_IO_NOERROR;
    failures += LL_ATON_Get_User_Output_Buffer(&NN_Instance_sums, 1) != input;
    failures += LL_ATON_Set_User_Output_Buffer(&NN_Instance_sums, 0, input, bytes) !=
                LL_ATON_User_IO_WRONG_INDEX;
    failures += LL_ATON_Get_User_Output_Buffer(&NN_Instance_sums, 0) != NULL;
    for (uint32_t run = 0; run < 2; ++run) {
        for (uint32_t i = 0; i < bytes; ++i) input[i] = (unsigned char)(i * 5 + run);
        const unsigned char* const results = LL_Buffer_addr_start(output);
        LL_ATON_Cache_MCU_Clean_Invalidate_Range((uintptr_t)results, LL_Buffer_len(output));
        LL_ATON_RT_Main(&NN_Instance_sums);
        LL_ATON_Cache_MCU_Clean_Invalidate_Range((uintptr_t)results, LL_Buffer_len(output));
        for (uint32_t i = 0; i < LL_Buffer_len(output); ++i) {
            const uint32_t from = (i + bytes / 2) % bytes;
            failures += results[i] != (unsigned char)(from * 5 + run + 1);
        }
        failures += n6vp_sums_inferences() != 1;
    }
    return failures;
}
