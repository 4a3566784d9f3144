/* SPDX-License-Identifier: Apache-2.0 */
/* Written by n6vp generate. */
#ifndef AI_CONV_DATA_H
#define AI_CONV_DATA_H

#include <stddef.h>

#include "conv.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AI_CONV_DATA_CONFIG (NULL)

#define AI_CONV_DATA_ACTIVATIONS_SIZES { 256 }
#define AI_CONV_DATA_ACTIVATIONS_SIZE (256)
#define AI_CONV_DATA_ACTIVATIONS_COUNT (1)
#define AI_CONV_DATA_ACTIVATION_1_SIZE (256)
#define AI_CONV_DATA_ACTIVATIONS_TABLE_GET() (&g_conv_activations_table[1])
extern ai_handle g_conv_activations_table[1 + 2];
/* One buffer at `address`, or the table, as an initialiser. */
#define AI_CONV_DATA_ACTIVATIONS(address) \
    { AI_BUFFER_FORMAT_U8, AI_HANDLE_PTR(address), NULL, 0, 256, { 0, 0, NULL } }

#define AI_CONV_DATA_WEIGHTS_SIZES { 88 }
#define AI_CONV_DATA_WEIGHTS_SIZE (88)
#define AI_CONV_DATA_WEIGHTS_COUNT (1)
#define AI_CONV_DATA_WEIGHT_1_SIZE (88)
#define AI_CONV_DATA_WEIGHTS_TABLE_GET() (&g_conv_weights_table[1])
extern ai_handle g_conv_weights_table[1 + 2];
/* One buffer at `address`, or the table, as an initialiser. */
#define AI_CONV_DATA_WEIGHTS(address) \
    { AI_BUFFER_FORMAT_U8 | AI_BUFFER_FMT_FLAG_CONST, AI_HANDLE_PTR(address), NULL, 0, 88, { 0, 0, NULL } }

ai_bool ai_conv_data_params_get(ai_network_params* params);
ai_handle ai_conv_data_weights_get(void);

#ifdef __cplusplus
}
#endif

#endif /* AI_CONV_DATA_H */
