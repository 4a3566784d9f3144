/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "ai_platform.h"

/* Linked in, it prints what networks and loader refuse. Static networks say network, error and
 * cause; the loader of relocatable ones says its rule. */

/* Prints a name, then type and code of an error by their names. */
void print_error(const char* name, ai_error error);

#endif
