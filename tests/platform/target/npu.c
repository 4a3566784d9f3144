/* SPDX-License-Identifier: Apache-2.0 */
#include "target/guest.h"
#include "target/npu_calls.h"

/* One epoch on the NPU, started as runtimes start it: by writes to its registers, or by a blob that
 * the epoch controller runs. Results: interrupts taken, cycles from the last enable to the
 * interrupt, the first word of the output as the core sees it. */

enum {
    NPU = 0x580E0000,
    AHB5RSTR = 0x56028220,
    CLKCTRL = 0,
    INTCTRL = 1,
    BUSIF0 = 2,
    STRSWITCH = 4,
    STRENG0 = 5,
    CONVACC0 = 15,
    EPOCHCTRL = 30,
};
enum { IN = 3, WEIGHTS = 6, OUT = 9, CORES = 0x22222222 };

static volatile uint32_t taken, came_at;
static uint32_t* blob_end; /* null: registers are written by the core */

static volatile uint32_t* at(uint32_t page, uint32_t offset) {
    return REGISTER(NPU + (page << 12) + offset);
}

static uint32_t cycles(void) {
    return *REGISTER(0xE0001004);
}

/* WRITE of a whole register, or the same by the core. */
static void write(uint32_t page, uint32_t offset, uint32_t value) {
    if (blob_end == 0) {
        *at(page, offset) = value;
        return;
    }
    *blob_end++ = page << 26 | offset / 4 << 16 | 31u << 10;
    *blob_end++ = value;
}

static void link(uint32_t destination, uint32_t source) {
    write(STRSWITCH, 0x008 + 4 * destination, 1u | source << 1);
}

static void engine(uint32_t number, uint32_t control, uint32_t address, uint32_t elements,
                   uint32_t bytes) {
    const uint32_t page = STRENG0 + number;
    write(page, 0x000, control);
    write(page, 0x008, address);
    write(page, 0x00C, elements);
    write(page, 0x024, 0x24);                                /* POS: no gaps */
    write(page, 0x028, number == OUT ? 0x180000 : 0x100000); /* EVENT */
    write(page, 0x030, 7);                                   /* LIMITEN */
    write(page, 0x034, 1);                                   /* LIMIT */
    write(page, 0x038, (address + bytes + 0x3F) & ~7u);      /* LIMITADDR */
}

static uint32_t input_of(uint32_t epoch) {
    switch (epoch) {
        case EPOCH_NO_MEMORY:
            return NPU_NOTHING;
        case EPOCH_CACHED_COPY:
            return NPU_PSRAM;
        default:
            return NPU_INPUT;
    }
}

static void configure(uint32_t epoch, uint32_t bytes) {
    enum { ELEMENTS = 64 * 64 * 8 };
    write(STRSWITCH, 0x000, 1);
    if (epoch != EPOCH_CONVOLUTION) {
        engine(IN, 0x00080104, input_of(epoch), bytes, bytes);
        if (epoch == EPOCH_CACHED_COPY) write(STRENG0 + IN, 0x048, 0x18); /* CACHEABLE, ALLOC */
        engine(OUT, 0x0008010C, NPU_OUTPUT, bytes, bytes);
        link(OUT, IN);
        return;
    }
    engine(IN, 0x00080104, NPU_INPUT, ELEMENTS, ELEMENTS);
    engine(WEIGHTS, 0x00080184, NPU_KERNELS, 576, 576);
    engine(OUT, 0x0088010C, NPU_OUTPUT, ELEMENTS, 2 * ELEMENTS);
    write(CONVACC0, 0x008, 0x08080303); /* KFORMAT: 8 kernels of 3 x 3 x 8 */
    write(CONVACC0, 0x00C, 0x00001155); /* SAMPLE: pads of 1, strides of 1 */
    write(CONVACC0, 0x010, 0x10634303); /* DFORMAT: 16 bits, shifted by 3, rounded, saturated */
    write(CONVACC0, 0x014, 0x00400200); /* FFORMAT: 64 lines of 64 x 8 */
    write(CONVACC0, 0x018, 0x01FF0000);
    write(CONVACC0, 0x01C, 0x003F0000);
    link(OUT, 10);
    link(10, IN);
    link(11, WEIGHTS);
}

static void start(uint32_t epoch) {
    const uint32_t convolution = epoch == EPOCH_CONVOLUTION;
    write(STRENG0 + OUT, 0x000, (convolution ? 0x0088010C : 0x0008010C) | 1);
    if (convolution) {
        write(CONVACC0, 0x000, 0x00100035); /* 8 x 8 bits, unsigned features */
        write(STRENG0 + WEIGHTS, 0x000, 0x00080184 | 1);
    }
    if (epoch != EPOCH_NO_SOURCE) write(STRENG0 + IN, 0x000, 0x00080104 | 1);
}

static void run_blob(uint32_t epoch, uint32_t bytes, uint32_t bad, uint32_t clean) {
    uint32_t* const blob = (uint32_t*)(uintptr_t)NPU_BLOB;
    blob_end = blob + 2;
    *blob_end++ = (uint32_t)NPU_LABEL << 5 | 0x1D;
    configure(epoch, bytes);
    if (bad) *blob_end++ = 0x1F;
    start(epoch);
    /* POLL until RUNNING of the output engine is 0. */
    *blob_end++ = (STRENG0 + OUT) << 26 | 31u << 10 | 31u << 5 | 4;
    *blob_end++ = 100;
    *blob_end++ = 0;
    *blob_end++ = 0x0C;
    blob[0] = 0xCA057A7A;
    blob[1] = (uint32_t)(blob_end - blob) - 2;
    blob_end = 0;
    if (clean) maintain(DCCMVAC, NPU_BLOB, 4096);
    *at(EPOCHCTRL, 0x008) = NPU_BLOB;
    *at(EPOCHCTRL, 0x000) = 1;
}

/* As the runtime's handler: the source first, then the latch. */
void npu_interrupt(void) {
    came_at = cycles();
    ++taken;
    const uint32_t sources = *at(INTCTRL, 0x008);
    for (uint32_t i = 0; i < 10; ++i) {
        if ((sources >> i & 0x401u) == 0) continue;
        *at(STRENG0 + i, 0x03C) = *at(STRENG0 + i, 0x03C);
    }
    if ((sources >> 28 & 7u) != 0) *at(EPOCHCTRL, 0x00C) = *at(EPOCHCTRL, 0x00C);
    *at(INTCTRL, 0x010) = sources;
    (void)*at(INTCTRL, 0x008);
    barrier();
}

static void initialise(uint32_t by_core) {
    *REGISTER(0xE000EDFC) |= 1u << 24;
    *REGISTER(0xE0001000) |= 1;
    *at(CLKCTRL, 0x000) = 1;
    *at(CLKCTRL, 0x008) = *at(CLKCTRL, 0x00C) = 0xFFFFFFFF;
    *at(CLKCTRL, 0x010) = 0x07FFFFFF;
    *at(BUSIF0, 0) = *at(BUSIF0 + 1, 0) = 1;
    *at(INTCTRL, 0x014) = 0x3FF;
    *at(INTCTRL, 0x024) = by_core ? ~(1u << OUT) : 0xFFFFFFFF;
    *at(INTCTRL, 0x000) = 1;
    *REGISTER(0xE000E104) = 1u << (53 - 32);
    barrier();
}

int main(void) {
    const uint32_t epoch = host(HOST_JOB, 0), by = host(HOST_JOB, 1), core = host(HOST_JOB, 2),
                   bytes = host(HOST_JOB, 3);
    const uint32_t cached = core >= CORE_MAINTAINS;
    volatile uint32_t* const output = REGISTER(NPU_OUTPUT);
    initialise(by == BY_CORE && core != CORE_POLLS);
    if (cached) {
        enable_caches();
        for (uint32_t i = 0; i < bytes / 4; ++i) REGISTER(NPU_INPUT)[i] = CORES;
        if (core != CORE_FORGETS_CLEAN) maintain(DCCMVAC, NPU_INPUT, bytes);
        (void)*output;
    }
    if (epoch == EPOCH_CACHED_COPY) enable_npu_cache();
    if (by == BY_CORE) configure(epoch, bytes);
    const uint32_t begin = cycles();
    if (by == BY_CORE) {
        start(epoch);
    } else {
        run_blob(epoch, bytes, by == BY_BAD_BLOB, core != CORE_FORGETS_BLOB);
    }
    if (core == CORE_READS_EARLY || core == CORE_RESETS_NPU) {
        /* Behind the epoch controller's set-up, long before the end. */
        const uint32_t started = cycles();
        while (cycles() - started < 4000) {
        }
    }
    if (core == CORE_READS_EARLY) (void)output[0];
    if (core == CORE_RESETS_NPU) {
        const uint32_t before = *at(STRENG0 + OUT, 0);
        *REGISTER(AHB5RSTR) |= 1u << 31;
        *REGISTER(AHB5RSTR) &= ~(1u << 31);
        host(HOST_RESULT, taken);
        host(HOST_RESULT, before);
        host(HOST_RESULT, *at(STRENG0 + OUT, 0));
        return 0;
    }
    if (core == CORE_POLLS) {
        while ((*at(STRENG0 + OUT, 0) >> 31) != 0) {
        }
        came_at = cycles();
    }
    while (taken == 0 && core != CORE_POLLS) __asm volatile("wfe");
    if (cached && core != CORE_FORGETS_INVALIDATE) maintain(DCIMVAC, NPU_OUTPUT, bytes);
    host(HOST_RESULT, taken);
    host(HOST_RESULT, came_at - begin);
    host(HOST_RESULT, output[0]);
    return 0;
}
