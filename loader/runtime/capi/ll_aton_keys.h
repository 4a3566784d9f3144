/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LL_ATON_KEYS_H
#define LL_ATON_KEYS_H

#include "ll_aton_NN_interface.h"

/* Keys and cipher settings of encrypted weights, for applications without the vendor's drivers of
 * the NPU's units. In this order: RuntimeInit, keys of both bus interfaces, then inferences; a
 * RuntimeInit resets nothing of a key. The cipher is not published: the simulated NPU refuses a
 * stream that is encrypted.
 *
 * All return 0, or LL_ATON_INVALID_ID for a unit or key that does not exist. */

#define LL_ATON_OK 0
#define LL_ATON_INVALID_ID (-1)

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the four words of key 0 or 1 of bus interface `id` (0, 1), the lowest first; the key is
 * valid when all four are written. Engines 0 to 4 are on interface 0, the others on interface 1,
 * as is the epoch controller. */
int LL_Busif_SetKeys(int id, int key, uint64_t key_low, uint64_t key_hi);
/* Sets the cipher of a stream engine (0 to 9). */
int LL_Streng_EncryptionInit(int id, LL_Streng_EncryptionTypedef* encryption);
/* The same with identifier 0, 12 rounds and key 0. */
int LL_Streng_WeightEncryptionInit(int id);
/* Sets the cipher of the epoch controller (0). */
int LL_EpochCtrl_EncryptionInit(int id, LL_Streng_EncryptionTypedef* conf);

#ifdef __cplusplus
}
#endif

#endif
