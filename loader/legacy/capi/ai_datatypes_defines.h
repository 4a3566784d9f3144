/* SPDX-License-Identifier: Apache-2.0 */
#ifndef N6VP_AI_DATATYPES_DEFINES_H
#define N6VP_AI_DATATYPES_DEFINES_H

/* Applications include it for types, which ai_platform.h has. */
#include "ai_platform.h"

#endif
