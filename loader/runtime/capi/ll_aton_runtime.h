/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LL_ATON_RUNTIME_H
#define LL_ATON_RUNTIME_H

#include "ll_aton_rt_user_api.h"

/* What this project's runtime has beside the documented interface. */

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the callback table of a release (21, 22, 30, 40), to be given to the loader as
 * n6vp_reloc_platform()->callbacks: every service is the runtime's own. */
const void* n6vp_rt_callbacks(uint32_t generation);

/* Replace this one: the runtime cannot go on, for the reason `name`. `text` says what the numbers
 * are. The weak default waits for ever; a replacement must not return either. */
void n6vp_rt_stopped(const char* name, const char* text, uint32_t first, uint32_t second);

/* Replace this one: a line about what was wrong. The weak default hands it to the platform's text
 * function, if there is one. */
void n6vp_rt_say(const char* line);

#ifdef __cplusplus
}
#endif

#endif
