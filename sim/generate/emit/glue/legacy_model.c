// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>

#define N6VP_LEGACY_FUNCTIONS_ONLY
#include "legacy_network.h"

/// What a relocatable network links besides legacy_network.c.

void legacy_network_tell(const struct legacy_network* self, ai_u32 type, ai_u32 code,
                         const char* cause) {
    (void)self;
    (void)type;
    (void)code;
    (void)cause;
}

// Compilers call these where a model copies or clears structures; there is no library.
void* memcpy(void* to, const void* from, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) ((ai_u8*)to)[i] = ((const ai_u8*)from)[i];
    return to;
}
void* memset(void* to, int value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) ((ai_u8*)to)[i] = (ai_u8)value;
    return to;
}
