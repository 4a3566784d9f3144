/* SPDX-License-Identifier: Apache-2.0 */
/* Text for a debug probe: ITM as CMSIS writes it (port 0, a character at a time) and RTT by the public
   layout of its control block, with a buffer that is smaller than the text. The exit code says what the
   program found: 1 if nobody takes the text out of the buffer. CACHED: behind the data cache. */
#include <stdint.h>

#define REG(address) (*(volatile uint32_t*)(address))
#define REG8(address) (*(volatile uint8_t*)(address))

enum { SYS_EXIT_EXTENDED = 0x20, UP_BUFFERS = 2, SMALL = 16, PATIENCE = 4000000 };
enum { ITM_TER = 0xE0000E00u, ITM_TCR = 0xE0000E80u, CCR = 0xE000ED14u };

struct up_buffer {
    const char* name;
    char* memory;
    uint32_t size, write;
    volatile uint32_t read;
    uint32_t flags;
};
struct control_block {
    char id[16];
    int32_t up_buffers, down_buffers;
    struct up_buffer up[UP_BUFFERS];
};
struct control_block _SEGGER_RTT;
static char terminal[SMALL], log_memory[64];

static void end(uint32_t code) {
    const uint32_t block[2] = {0x20026, code}; /* ADP_Stopped_ApplicationExit */
    register uint32_t r0 __asm__("r0") = SYS_EXIT_EXTENDED;
    register const void* r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    for (;;) {
    }
}

static void itm_put(uint32_t port, char character) {
    if ((REG(ITM_TCR) & 1) == 0 || (REG(ITM_TER) >> port & 1) == 0) return;
    while (REG(0xE0000000u + 4 * port) == 0) {
    }
    REG8(0xE0000000u + 4 * port) = (uint8_t)character;
}

/* The identifier comes last, its end first: a search must not find a block that is not ready. */
static void rtt_begin(void) {
    static const char id[] = "SEGGER RTT";
    struct control_block* const block = &_SEGGER_RTT;
    block->up_buffers = UP_BUFFERS;
    block->up[0] = (struct up_buffer){"Terminal", terminal, sizeof terminal, 0, 0, 2};
    block->up[1] = (struct up_buffer){"Log", log_memory, sizeof log_memory, 0, 0, 2};
    for (int i = sizeof id - 1; i >= 0; --i) {
        __asm__ volatile("dmb" ::: "memory");
        ((volatile char*)block->id)[i] = id[i];
    }
}

static void rtt_put(struct up_buffer* buffer, char character) {
    const uint32_t next = buffer->write + 1 == buffer->size ? 0 : buffer->write + 1;
    for (uint32_t i = 0; next == buffer->read; ++i) {
        if (i == PATIENCE) end(1);
    }
    buffer->memory[buffer->write] = character;
    __asm__ volatile("dmb" ::: "memory");
    *(volatile uint32_t*)&buffer->write = next;
}

static void print(const char* text) {
    for (; *text != 0; ++text) rtt_put(&_SEGGER_RTT.up[0], *text);
}

static void enable_data_cache(void) {
#ifdef CACHED
    REG(0xE000ED84) = 0; /* CSSELR: the level 1 data cache */
    const uint32_t sizes = REG(0xE000ED80), sets = sizes >> 13 & 0x7FFF, ways = sizes >> 3 & 0x3FF;
    for (uint32_t set = 0; set <= sets; ++set) {
        for (uint32_t way = 0; way <= ways; ++way) REG(0xE000EF60) = set << 5 | way << 30;
    }
    __asm__ volatile("dsb");
    REG(CCR) |= 1u << 16;
    __asm__ volatile("dsb\n isb");
#endif
}

extern uint32_t bss_start[], bss_end[], stack_top[];

static void start(void) {
    for (uint32_t* word = bss_start; word < bss_end; ++word) *word = 0;
    enable_data_cache();
    for (const char* text = "itm: hello\n"; *text != 0; ++text) itm_put(0, *text);
    if ((REG(ITM_TER) & 2) != 0) REG(0xE0000004) = 0x0A676F6C; /* "log\n" in one write */
    rtt_begin();
    print("rtt: count");
    for (char digit = '0'; digit <= '9'; ++digit) {
        rtt_put(&_SEGGER_RTT.up[0], ' ');
        rtt_put(&_SEGGER_RTT.up[0], digit);
        rtt_put(&_SEGGER_RTT.up[1], digit);
    }
    print("\n");
    end(0);
}

__attribute__((section(".vectors"), used)) void (*const vectors[2])(void) = {
    (void (*)(void))stack_top,
    start,
};
