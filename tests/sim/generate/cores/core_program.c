/* SPDX-License-Identifier: Apache-2.0 */
/* Installs network_rel.bin in place and copied, gives it input_0.bin, input_1.bin, ..., and writes
 * all outputs to xip.bin and copy.bin. Files go by semihosting. */
#include <stdint.h>

#include "ai_reloc_network.h"

extern uint32_t stack_top[];
/* Of the linker script: room for the file, and for the image with its activations. */
extern uint8_t file_start[], file_end[], room_start[], room_end[];

enum { kOpen = 1, kClose = 2, kPrint = 4, kWrite = 5, kRead = 6, kLength = 12, kExit = 0x20 };
enum { kReadBinary = 1, kWriteBinary = 5 };

static int semihosting(int operation, const void* arguments) {
    register int result __asm__("r0") = operation;
    register const void* second __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xAB" : "+r"(result) : "r"(second) : "memory");
    return result;
}

__attribute__((noreturn)) static void leave(const char* why, uint32_t code) {
    const uint32_t block[2] = {0x20026, code};
    if (why != 0) semihosting(kPrint, why);
    for (;;) semihosting(kExit, block);
}

static int open_file(const char* name, uint32_t mode) {
    uint32_t length = 0;
    while (name[length] != 0) ++length;
    const uint32_t block[3] = {(uint32_t)name, mode, length};
    const int file = semihosting(kOpen, block);
    if (file < 0) leave(name, 1);
    return file;
}

static void read_file(const char* name, void* to, uint32_t most) {
    const int file = open_file(name, kReadBinary);
    const int length = semihosting(kLength, &file);
    const uint32_t block[3] = {(uint32_t)file, (uint32_t)to, (uint32_t)length};
    if (length < 0 || (uint32_t)length > most || semihosting(kRead, block) != 0)
        leave("file too long\n", 2);
    semihosting(kClose, &file);
}

static void fail(const char* what, ai_error error) {
    semihosting(kPrint, what);
    leave(" failed\n", 16 + error.type);
}

static void run_in(uint32_t mode, const char* name) {
    ai_rel_network_info info;
    ai_handle network = 0;
    ai_error error = ai_rel_network_rt_get_info(file_start, &info);
    if (error.type != AI_ERROR_NONE) fail("info", error);
    const uint32_t image = mode == AI_RELOC_RT_LOAD_MODE_XIP ? info.rt_ram_xip : info.rt_ram_copy;
    uint8_t* const activations = room_start + ((image + 31) & ~31u);
    if (activations + info.acts_sz > room_end) leave("no room\n", 3);
    for (uint8_t* at = room_start; at < room_end; ++at) *at = 0xA5;
    error = ai_rel_network_load_and_create(file_start, room_start, image, mode, &network);
    if (error.type != AI_ERROR_NONE) fail("create", error);
    const ai_handle weights[1] = {info.weights}, buffers[1] = {activations};
    if (!ai_rel_network_init(network, weights, buffers))
        fail("init", ai_rel_network_get_error(network));
    ai_network_report report;
    if (!ai_rel_network_get_report(network, &report)) leave("no report\n", 4);
    for (uint32_t i = 0; i < report.n_inputs; ++i) {
        char input[] = "input_0.bin";
        input[6] = (char)('0' + i);
        read_file(input, report.inputs[i].data, report.inputs[i].size);
    }
    if (ai_rel_network_run(network, report.inputs, report.outputs) != 1)
        fail("run", ai_rel_network_get_error(network));
    // Nothing behind the activations is written.
    for (uint8_t* at = activations + info.acts_sz; at < room_end; ++at) {
        if (*at != 0xA5) leave("memory behind the activations changed\n", 5);
    }
    const int file = open_file(name, kWriteBinary);
    for (uint32_t i = 0; i < report.n_outputs; ++i) {
        const uint32_t block[3] = {(uint32_t)file, (uint32_t)report.outputs[i].data,
                                   report.outputs[i].size};
        if (semihosting(kWrite, block) != 0) leave("cannot write\n", 6);
    }
    semihosting(kClose, &file);
}

__attribute__((used)) static void start(void) {
    *(volatile uint32_t*)0xE000ED88 |= 0xFu << 20; /* CPACR: FPU, vectors */
    __asm__ volatile("dsb\n\tisb");
    read_file("network_rel.bin", file_start, (uint32_t)(file_end - file_start));
    run_in(AI_RELOC_RT_LOAD_MODE_XIP, "xip.bin");
    run_in(AI_RELOC_RT_LOAD_MODE_COPY, "copy.bin");
    leave(0, 0);
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
