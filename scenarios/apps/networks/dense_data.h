/* SPDX-License-Identifier: Apache-2.0 */
/* Written by n6vp generate. */
#ifndef AI_DENSE_DATA_H
#define AI_DENSE_DATA_H

#include <stddef.h>

#include "dense.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AI_DENSE_DATA_CONFIG (NULL)

#define AI_DENSE_DATA_ACTIVATIONS_SIZES { 112 }
#define AI_DENSE_DATA_ACTIVATIONS_SIZE (112)
#define AI_DENSE_DATA_ACTIVATIONS_COUNT (1)
#define AI_DENSE_DATA_ACTIVATION_1_SIZE (112)
#define AI_DENSE_DATA_ACTIVATIONS_TABLE_GET() (&g_dense_activations_table[1])
extern ai_handle g_dense_activations_table[1 + 2];
/* One buffer at `address`, or the table, as an initialiser. */
#define AI_DENSE_DATA_ACTIVATIONS(address) \
    { AI_BUFFER_FORMAT_U8, AI_HANDLE_PTR(address), NULL, 0, 112, { 0, 0, NULL } }

#define AI_DENSE_DATA_WEIGHTS_SIZES { 688 }
#define AI_DENSE_DATA_WEIGHTS_SIZE (688)
#define AI_DENSE_DATA_WEIGHTS_COUNT (1)
#define AI_DENSE_DATA_WEIGHT_1_SIZE (688)
#define AI_DENSE_DATA_WEIGHTS_TABLE_GET() (&g_dense_weights_table[1])
extern ai_handle g_dense_weights_table[1 + 2];
/* One buffer at `address`, or the table, as an initialiser. */
#define AI_DENSE_DATA_WEIGHTS(address) \
    { AI_BUFFER_FORMAT_U8 | AI_BUFFER_FMT_FLAG_CONST, AI_HANDLE_PTR(address), NULL, 0, 688, { 0, 0, NULL } }

ai_bool ai_dense_data_params_get(ai_network_params* params);
ai_handle ai_dense_data_weights_get(void);

#ifdef __cplusplus
}
#endif

#endif /* AI_DENSE_DATA_H */
