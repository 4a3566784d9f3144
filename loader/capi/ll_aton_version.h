/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LL_ATON_VERSION_H
#define LL_ATON_VERSION_H

/* Which vendor release the application is compiled against: 21, 22, 30 or 40 (ST Edge AI
 * Core 2.1, 2.2, 3.0, 4.x). It selects struct and callback layouts below; the library itself serves
 * all of them as data. */
#ifndef N6VP_LL_ATON_GENERATION
#define N6VP_LL_ATON_GENERATION 30
#endif

#define LL_ATON_VERSION_MAJOR 1
#define LL_ATON_VERSION_MINOR 1

#if N6VP_LL_ATON_GENERATION == 21
#define LL_ATON_VERSION_MICRO 0
#define LL_ATON_VERSION_DEV 31
#elif N6VP_LL_ATON_GENERATION == 22
#define LL_ATON_VERSION_MICRO 1
#define LL_ATON_VERSION_DEV 14
#elif N6VP_LL_ATON_GENERATION == 30
#define LL_ATON_VERSION_MICRO 3
#define LL_ATON_VERSION_DEV 8
#elif N6VP_LL_ATON_GENERATION == 40
#define LL_ATON_VERSION_MICRO 3
#define LL_ATON_VERSION_DEV 262
#else
#error "N6VP_LL_ATON_GENERATION must be 21, 22, 30 or 40"
#endif

#endif
