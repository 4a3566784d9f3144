/* SPDX-License-Identifier: Apache-2.0 */
#include "core_board.h"

extern uint32_t stack_top[]; /* of the linker script */

enum { kOpen = 1, kClose = 2, kPrint = 4, kWrite = 5, kRead = 6, kLength = 12, kExit = 0x20 };
enum { kReadBinary = 1, kWriteBinary = 5 };

static int semihosting(int operation, const void* arguments) {
    register int result __asm__("r0") = operation;
    register const void* second __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xAB" : "+r"(result) : "r"(second) : "memory");
    return result;
}

void board_print(const char* text) {
    semihosting(kPrint, text);
}

void board_leave(const char* why, uint32_t code) {
    const uint32_t block[2] = {0x20026, code};
    if (why != 0) board_print(why);
    for (;;) semihosting(kExit, block);
}

static int open_file(const char* name, uint32_t mode) {
    uint32_t length = 0;
    while (name[length] != 0) ++length;
    const uint32_t block[3] = {(uint32_t)name, mode, length};
    return semihosting(kOpen, block);
}

int board_read(const char* name, void* to, uint32_t most) {
    const int file = open_file(name, kReadBinary);
    if (file < 0) return -1;
    const int length = semihosting(kLength, &file);
    const uint32_t block[3] = {(uint32_t)file, (uint32_t)to, (uint32_t)length};
    if (length < 0 || (uint32_t)length > most || semihosting(kRead, block) != 0)
        board_leave("file too long\n", 2);
    board_close(file);
    return length;
}

int board_create(const char* name) {
    const int file = open_file(name, kWriteBinary);
    if (file < 0) board_leave("cannot create a file\n", 1);
    return file;
}

void board_write(int file, const void* from, uint32_t bytes) {
    const uint32_t block[3] = {(uint32_t)file, (uint32_t)from, bytes};
    if (semihosting(kWrite, block) != 0) board_leave("cannot write\n", 6);
}

void board_close(int file) {
    semihosting(kClose, &file);
}

__attribute__((used)) static void start(void) {
    *(volatile uint32_t*)0xE000ED88 |= 0xFu << 20; /* CPACR: FPU, vectors */
    __asm__ volatile("dsb\n\tisb");
    program();
    board_leave(0, 0);
}

__attribute__((section(".vectors"), used)) static void* const vectors[16] = {stack_top,
                                                                             (void*)start};

void* memcpy(void* to, const void* from, unsigned bytes);
void* memcpy(void* to, const void* from, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) ((uint8_t*)to)[i] = ((const uint8_t*)from)[i];
    return to;
}
void* memset(void* to, int value, unsigned bytes);
void* memset(void* to, int value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) ((uint8_t*)to)[i] = (uint8_t)value;
    return to;
}
void* memmove(void* to, const void* from, unsigned bytes);
void* memmove(void* to, const void* from, unsigned bytes) {
    if ((uint8_t*)to < (const uint8_t*)from) return memcpy(to, from, bytes);
    while (bytes-- > 0) ((uint8_t*)to)[bytes] = ((const uint8_t*)from)[bytes];
    return to;
}
