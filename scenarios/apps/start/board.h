/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

/* What the sample applications need of a chip: STM32L4R5, U575 or H7A3. Console and end go by
 * semihosting. */

/* Prints a text; a name with a number; a name with words in hexadecimal, and a new line. */
void board_print(const char* text);
void board_print_number(const char* name, int32_t value);
void board_print_words(const char* name, const void* words, unsigned count);

/* Ends the program with this exit code. */
void board_end(int code);

/* Switches the clock of the CRC unit, which is off after reset. */
void board_crc_clock(bool on);

/* Interrupts at once; `handler` runs before this returns. */
void board_interrupt(void (*handler)(void));

#endif
