/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INPUTS_H
#define INPUTS_H

#include "ai_platform.h"

/* Inputs of the samples, by a rule that tests can repeat: element i of input `frame`. */
static inline ai_float sample_float(unsigned i, unsigned frame) {
    return (ai_float)((int)((i * 37u + frame * 11u) % 64u) - 32) / 16.0f;
}
static inline ai_i8 sample_byte(unsigned i, unsigned frame) {
    return (ai_i8)((int)((i * 73u + frame * 29u) % 256u) - 128);
}

#endif
