/* SPDX-License-Identifier: Apache-2.0 */
/* Written by n6vp generate. */
#ifndef AI_CONV_H
#define AI_CONV_H

#include <stddef.h>

#include "ai_platform.h"

#define AI_CONV_MODEL_NAME "conv"
#define AI_CONV_ORIGIN_MODEL_NAME "conv.c"
#define AI_CONV_N_NODES (2)
#define AI_CONV_ACTIVATIONS_ALIGNMENT (4)

#define AI_CONV_IN_NUM (1)
#define AI_CONV_IN ai_conv_inputs_get(AI_HANDLE_NULL, NULL)
#define AI_CONV_IN_SIZE { AI_CONV_IN_1_SIZE }
#define AI_CONV_IN_SIZE_BYTES { AI_CONV_IN_1_SIZE_BYTES }
#define AI_CONV_IN_1_FORMAT AI_BUFFER_FORMAT_S8
#define AI_CONV_IN_1_HEIGHT (10)
#define AI_CONV_IN_1_WIDTH (10)
#define AI_CONV_IN_1_CHANNEL (2)
#define AI_CONV_IN_1_SIZE (200)
#define AI_CONV_IN_1_SIZE_BYTES (200)

#define AI_CONV_OUT_NUM (1)
#define AI_CONV_OUT ai_conv_outputs_get(AI_HANDLE_NULL, NULL)
#define AI_CONV_OUT_SIZE { AI_CONV_OUT_1_SIZE }
#define AI_CONV_OUT_SIZE_BYTES { AI_CONV_OUT_1_SIZE_BYTES }
#define AI_CONV_OUT_1_FORMAT AI_BUFFER_FORMAT_S8
#define AI_CONV_OUT_1_HEIGHT (1)
#define AI_CONV_OUT_1_WIDTH (1)
#define AI_CONV_OUT_1_CHANNEL (4)
#define AI_CONV_OUT_1_SIZE (4)
#define AI_CONV_OUT_1_SIZE_BYTES (4)

#ifdef __cplusplus
extern "C" {
#endif

ai_error ai_conv_create(ai_handle* network, const ai_buffer* network_config);
ai_bool ai_conv_init(ai_handle network, const ai_network_params* params);
ai_error ai_conv_create_and_init(ai_handle* network, const ai_handle activations[],
                                const ai_handle weights[]);
ai_bool ai_conv_get_report(ai_handle network, ai_network_report* report);
ai_bool ai_conv_get_info(ai_handle network, ai_network_report* report);
ai_buffer* ai_conv_inputs_get(ai_handle network, ai_u16* n_buffer);
ai_buffer* ai_conv_outputs_get(ai_handle network, ai_u16* n_buffer);
ai_i32 ai_conv_run(ai_handle network, const ai_buffer* input, ai_buffer* output);
ai_i32 ai_conv_forward(ai_handle network, const ai_buffer* input);
ai_error ai_conv_get_error(ai_handle network);
ai_handle ai_conv_destroy(ai_handle network);

#ifdef __cplusplus
}
#endif

#endif /* AI_CONV_H */
