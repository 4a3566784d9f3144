/* SPDX-License-Identifier: Apache-2.0 */
/* Written by n6vp generate. */
#ifndef AI_BUFFERS_DATA_H
#define AI_BUFFERS_DATA_H

#include <stddef.h>

#include "buffers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AI_BUFFERS_DATA_CONFIG (NULL)

#define AI_BUFFERS_DATA_ACTIVATIONS_SIZES { 48, 64 }
#define AI_BUFFERS_DATA_ACTIVATIONS_SIZE (112)
#define AI_BUFFERS_DATA_ACTIVATIONS_COUNT (2)
#define AI_BUFFERS_DATA_ACTIVATION_1_SIZE (48)
#define AI_BUFFERS_DATA_ACTIVATION_2_SIZE (64)
#define AI_BUFFERS_DATA_ACTIVATIONS_TABLE_GET() (&g_buffers_activations_table[1])
extern ai_handle g_buffers_activations_table[2 + 2];
/* One buffer at `address`, or the table, as an initialiser. */
#define AI_BUFFERS_DATA_ACTIVATIONS(address) \
    { AI_BUFFER_FORMAT_U8, AI_HANDLE_PTR(address), NULL, 0, 112, { 0, 0, NULL } }

#define AI_BUFFERS_DATA_WEIGHTS_SIZES { 48, 48 }
#define AI_BUFFERS_DATA_WEIGHTS_SIZE (96)
#define AI_BUFFERS_DATA_WEIGHTS_COUNT (2)
#define AI_BUFFERS_DATA_WEIGHT_1_SIZE (48)
#define AI_BUFFERS_DATA_WEIGHT_2_SIZE (48)
#define AI_BUFFERS_DATA_WEIGHTS_TABLE_GET() (&g_buffers_weights_table[1])
extern ai_handle g_buffers_weights_table[2 + 2];
/* One buffer at `address`, or the table, as an initialiser. */
#define AI_BUFFERS_DATA_WEIGHTS(address) \
    { AI_BUFFER_FORMAT_U8 | AI_BUFFER_FMT_FLAG_CONST, AI_HANDLE_PTR(address), NULL, 0, 96, { 0, 0, NULL } }

ai_bool ai_buffers_data_params_get(ai_network_params* params);
ai_handle ai_buffers_data_weights_get(void);

#ifdef __cplusplus
}
#endif

#endif /* AI_BUFFERS_DATA_H */
