/* SPDX-License-Identifier: Apache-2.0 */
/* Written by n6vp generate. */
#ifndef AI_BUFFERS_H
#define AI_BUFFERS_H

#include <stddef.h>

#include "ai_platform.h"

#define AI_BUFFERS_MODEL_NAME "buffers"
#define AI_BUFFERS_ORIGIN_MODEL_NAME "buffers.c"
#define AI_BUFFERS_N_NODES (4)
#define AI_BUFFERS_ACTIVATIONS_ALIGNMENT (4)

#define AI_BUFFERS_IN_NUM (2)
#define AI_BUFFERS_IN ai_buffers_inputs_get(AI_HANDLE_NULL, NULL)
#define AI_BUFFERS_IN_SIZE { AI_BUFFERS_IN_1_SIZE, AI_BUFFERS_IN_2_SIZE }
#define AI_BUFFERS_IN_SIZE_BYTES { AI_BUFFERS_IN_1_SIZE_BYTES, AI_BUFFERS_IN_2_SIZE_BYTES }
#define AI_BUFFERS_IN_1_FORMAT AI_BUFFER_FORMAT_FLOAT
#define AI_BUFFERS_IN_1_HEIGHT (1)
#define AI_BUFFERS_IN_1_WIDTH (1)
#define AI_BUFFERS_IN_1_CHANNEL (12)
#define AI_BUFFERS_IN_1_SIZE (12)
#define AI_BUFFERS_IN_1_SIZE_BYTES (48)
#define AI_BUFFERS_IN_2_FORMAT AI_BUFFER_FORMAT_FLOAT
#define AI_BUFFERS_IN_2_HEIGHT (1)
#define AI_BUFFERS_IN_2_WIDTH (1)
#define AI_BUFFERS_IN_2_CHANNEL (12)
#define AI_BUFFERS_IN_2_SIZE (12)
#define AI_BUFFERS_IN_2_SIZE_BYTES (48)

#define AI_BUFFERS_OUT_NUM (2)
#define AI_BUFFERS_OUT ai_buffers_outputs_get(AI_HANDLE_NULL, NULL)
#define AI_BUFFERS_OUT_SIZE { AI_BUFFERS_OUT_1_SIZE, AI_BUFFERS_OUT_2_SIZE }
#define AI_BUFFERS_OUT_SIZE_BYTES { AI_BUFFERS_OUT_1_SIZE_BYTES, AI_BUFFERS_OUT_2_SIZE_BYTES }
#define AI_BUFFERS_OUT_1_FORMAT AI_BUFFER_FORMAT_FLOAT
#define AI_BUFFERS_OUT_1_HEIGHT (1)
#define AI_BUFFERS_OUT_1_WIDTH (1)
#define AI_BUFFERS_OUT_1_CHANNEL (12)
#define AI_BUFFERS_OUT_1_SIZE (12)
#define AI_BUFFERS_OUT_1_SIZE_BYTES (48)
#define AI_BUFFERS_OUT_2_FORMAT AI_BUFFER_FORMAT_FLOAT
#define AI_BUFFERS_OUT_2_HEIGHT (1)
#define AI_BUFFERS_OUT_2_WIDTH (1)
#define AI_BUFFERS_OUT_2_CHANNEL (12)
#define AI_BUFFERS_OUT_2_SIZE (12)
#define AI_BUFFERS_OUT_2_SIZE_BYTES (48)

#ifdef __cplusplus
extern "C" {
#endif

ai_error ai_buffers_create(ai_handle* network, const ai_buffer* network_config);
ai_bool ai_buffers_init(ai_handle network, const ai_network_params* params);
ai_error ai_buffers_create_and_init(ai_handle* network, const ai_handle activations[],
                                const ai_handle weights[]);
ai_bool ai_buffers_get_report(ai_handle network, ai_network_report* report);
ai_bool ai_buffers_get_info(ai_handle network, ai_network_report* report);
ai_buffer* ai_buffers_inputs_get(ai_handle network, ai_u16* n_buffer);
ai_buffer* ai_buffers_outputs_get(ai_handle network, ai_u16* n_buffer);
ai_i32 ai_buffers_run(ai_handle network, const ai_buffer* input, ai_buffer* output);
ai_i32 ai_buffers_forward(ai_handle network, const ai_buffer* input);
ai_error ai_buffers_get_error(ai_handle network);
ai_handle ai_buffers_destroy(ai_handle network);

#ifdef __cplusplus
}
#endif

#endif /* AI_BUFFERS_H */
