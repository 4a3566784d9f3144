/* SPDX-License-Identifier: Apache-2.0 */
#ifndef N6VP_TESTS_CORE_BOARD_H
#define N6VP_TESTS_CORE_BOARD_H

#include <stdint.h>

/* What the test programs need of `n6vp exec`: files and end by semihosting. core_board.c has the
 * start-up as well, which calls `program`. */

void program(void);

/* Ends the program with this exit code, after printing `why` unless it is NULL. */
__attribute__((noreturn)) void board_leave(const char* why, uint32_t code);
void board_print(const char* text);

/* Reads a file of at most `most` bytes. Returns its length, -1 if there is none; a longer one ends
 * the program. */
int board_read(const char* name, void* to, uint32_t most);

/* A new file, to be written piece by piece. What the host refuses ends the program. */
int board_create(const char* name);
void board_write(int file, const void* from, uint32_t bytes);
void board_close(int file);

#endif
