/* SPDX-License-Identifier: Apache-2.0 */
/* Written by n6vp generate. */
#ifndef AI_DENSE_H
#define AI_DENSE_H

#include <stddef.h>

#include "ai_platform.h"

#define AI_DENSE_MODEL_NAME "dense"
#define AI_DENSE_ORIGIN_MODEL_NAME "dense.c"
#define AI_DENSE_N_NODES (3)
#define AI_DENSE_ACTIVATIONS_ALIGNMENT (4)

#define AI_DENSE_IN_NUM (1)
#define AI_DENSE_IN ai_dense_inputs_get(AI_HANDLE_NULL, NULL)
#define AI_DENSE_IN_SIZE { AI_DENSE_IN_1_SIZE }
#define AI_DENSE_IN_SIZE_BYTES { AI_DENSE_IN_1_SIZE_BYTES }
#define AI_DENSE_IN_1_FORMAT AI_BUFFER_FORMAT_FLOAT
#define AI_DENSE_IN_1_HEIGHT (1)
#define AI_DENSE_IN_1_WIDTH (1)
#define AI_DENSE_IN_1_CHANNEL (16)
#define AI_DENSE_IN_1_SIZE (16)
#define AI_DENSE_IN_1_SIZE_BYTES (64)

#define AI_DENSE_OUT_NUM (1)
#define AI_DENSE_OUT ai_dense_outputs_get(AI_HANDLE_NULL, NULL)
#define AI_DENSE_OUT_SIZE { AI_DENSE_OUT_1_SIZE }
#define AI_DENSE_OUT_SIZE_BYTES { AI_DENSE_OUT_1_SIZE_BYTES }
#define AI_DENSE_OUT_1_FORMAT AI_BUFFER_FORMAT_FLOAT
#define AI_DENSE_OUT_1_HEIGHT (1)
#define AI_DENSE_OUT_1_WIDTH (1)
#define AI_DENSE_OUT_1_CHANNEL (4)
#define AI_DENSE_OUT_1_SIZE (4)
#define AI_DENSE_OUT_1_SIZE_BYTES (16)

#define AI_DENSE_INPUTS_IN_ACTIVATIONS (1)
#define AI_DENSE_OUTPUTS_IN_ACTIVATIONS (1)
#ifdef __cplusplus
extern "C" {
#endif

ai_error ai_dense_create(ai_handle* network, const ai_buffer* network_config);
ai_bool ai_dense_init(ai_handle network, const ai_network_params* params);
ai_error ai_dense_create_and_init(ai_handle* network, const ai_handle activations[],
                                const ai_handle weights[]);
ai_bool ai_dense_get_report(ai_handle network, ai_network_report* report);
ai_bool ai_dense_get_info(ai_handle network, ai_network_report* report);
ai_buffer* ai_dense_inputs_get(ai_handle network, ai_u16* n_buffer);
ai_buffer* ai_dense_outputs_get(ai_handle network, ai_u16* n_buffer);
ai_i32 ai_dense_run(ai_handle network, const ai_buffer* input, ai_buffer* output);
ai_i32 ai_dense_forward(ai_handle network, const ai_buffer* input);
ai_error ai_dense_get_error(ai_handle network);
ai_handle ai_dense_destroy(ai_handle network);

#ifdef __cplusplus
}
#endif

#endif /* AI_DENSE_H */
