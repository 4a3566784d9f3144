/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MISUSE_H
#define MISUSE_H

/* Every case prints its name, what was found, and the error that the API has. */
void static_cases(void);
void relocatable_cases(void);

#endif
