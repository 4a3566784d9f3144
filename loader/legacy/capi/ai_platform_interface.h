/* SPDX-License-Identifier: Apache-2.0 */
#ifndef N6VP_AI_PLATFORM_INTERFACE_H
#define N6VP_AI_PLATFORM_INTERFACE_H

/* Applications include it for observers, which ai_platform.h has. */
#include "ai_platform.h"

#endif
