// SPDX-License-Identifier: Apache-2.0
// Kernels that the speed of the core is measured with: bare metal, semihosting, one kernel per
// program (KERNEL_INT, KERNEL_ALU, KERNEL_DOT, KERNEL_FMA), ROUNDS rounds, then a checksum.
#include <stdint.h>

extern uint32_t stack_top;
void reset_handler(void);

__attribute__((section(".vectors"), used)) static const void* const vectors[16] = {
    &stack_top, (const void*)reset_handler};

static uint32_t semihosting(uint32_t operation, const void* argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void* r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void print_word(uint32_t value) {
    char text[10];
    for (int i = 0; i < 8; ++i) {
        const uint32_t digit = value >> (28 - 4 * i) & 15;
        text[i] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
    text[8] = '\n';
    text[9] = 0;
    semihosting(4, text);  // SYS_WRITE0
}

#ifdef KERNEL_INT
// A mix in the spirit of CoreMark: a list that is searched and reversed, a matrix of halfwords, a
// text scanner, a CRC.
struct node {
    struct node* next;
    int16_t value, index;
};

static struct node nodes[40];
static int16_t a[16][16], b[16][16];
static int32_t c[16][16];
static const char text[] = "5012,+7.25e3,-19,0x1F,T0.3e-1F,-110.700,+0.64400,5.00e+10,999";

static uint16_t crc16(uint32_t value, uint16_t crc) {
    for (int i = 0; i < 16; ++i) {
        const uint32_t mix = (value ^ crc) & 1;
        crc >>= 1;
        value >>= 1;
        if (mix) crc ^= 0xA001;
    }
    return crc;
}

static struct node* build_list(void) {
    for (int i = 0; i < 40; ++i) {
        nodes[i].next = i == 39 ? 0 : &nodes[i + 1];
        nodes[i].value = (int16_t)(i * 37 & 0xFF);
        nodes[i].index = (int16_t)i;
    }
    return nodes;
}

static struct node* reverse(struct node* list) {
    struct node* result = 0;
    while (list) {
        struct node* next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

static int32_t list_kernel(struct node** list, int16_t wanted) {
    int32_t sum = 0;
    for (int round = 0; round < 6; ++round) {
        for (struct node* n = *list; n; n = n->next) {
            if (n->value == wanted) {
                sum += n->index;
                break;
            }
            sum += n->value & 1 ? n->index : -n->index;
        }
        *list = reverse(*list);
        wanted = (int16_t)(wanted + 37);
    }
    return sum;
}

static int32_t matrix_kernel(int16_t seed) {
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) a[i][j] = (int16_t)(seed + i * j);
    for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 16; ++j) {
            int32_t sum = 0;
            for (int k = 0; k < 16; ++k) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    }
    int32_t result = 0, last = 0;
    for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 16; ++j) {
            result += c[i][j] > last ? 10 : 1;
            last = c[i][j];
        }
    }
    return result;
}

enum state { kStart, kSign, kInteger, kFraction, kExponent, kOther };

static int32_t text_kernel(uint32_t* counts) {
    enum state state = kStart;
    for (const char* p = text; *p; ++p) {
        const char ch = *p;
        switch (state) {
            case kStart: state = ch == '+' || ch == '-' ? kSign : ch >= '0' && ch <= '9' ? kInteger : kOther; break;
            case kSign: state = ch >= '0' && ch <= '9' ? kInteger : kOther; break;
            case kInteger: state = ch == '.' ? kFraction : ch == 'e' ? kExponent : ch == ',' ? kStart : ch >= '0' && ch <= '9' ? kInteger : kOther; break;
            case kFraction: state = ch == 'e' ? kExponent : ch == ',' ? kStart : kFraction; break;
            case kExponent: state = ch == ',' ? kStart : kExponent; break;
            default: state = ch == ',' ? kStart : kOther; break;
        }
        ++counts[state];
    }
    return (int32_t)(counts[kInteger] + counts[kFraction] * 3);
}

static uint32_t kernel(uint32_t rounds) {
    uint16_t crc = 0xFFFF;
    uint32_t counts[6] = {0};
    struct node* list = build_list();
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) b[i][j] = (int16_t)(i - j);
    for (uint32_t i = 0; i < rounds; ++i) {
        crc = crc16((uint32_t)list_kernel(&list, (int16_t)(i & 0xFF)), crc);
        crc = crc16((uint32_t)matrix_kernel((int16_t)i), crc);
        crc = crc16((uint32_t)text_kernel(counts), crc);
    }
    return crc;
}
#endif

#ifdef KERNEL_ALU
static uint32_t kernel(uint32_t rounds) {
    uint32_t x = 1, y = 2;
    rounds *= 1000;
    __asm__ volatile(
        "1: add %0, %0, %1\n"
        "eor %1, %1, %0, lsl #3\n"
        "sub %0, %0, #7\n"
        "orr %1, %1, #1\n"
        "lsr r3, %0, #5\n"
        "add %1, %1, r3\n"
        "subs %2, %2, #1\n"
        "bne 1b\n"
        : "+r"(x), "+r"(y), "+r"(rounds)
        :
        : "r3", "cc");
    return x ^ y;
}
#endif

#ifdef KERNEL_DOT
static int8_t left[1024] __attribute__((aligned(16))), right[1024] __attribute__((aligned(16)));

static uint32_t kernel(uint32_t rounds) {
    for (int i = 0; i < 1024; ++i) {
        left[i] = (int8_t)(i * 7);
        right[i] = (int8_t)(i * 13 + 5);
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < rounds; ++i) {
        const int8_t *p = left, *q = right;
        uint32_t count = 1024 - (i & 15);
        __asm__ volatile(
            "wlstp.8 lr, %3, 2f\n"
            "1: vldrb.u8 q0, [%1], #16\n"
            "vldrb.u8 q1, [%2], #16\n"
            "vmlava.s8 %0, q0, q1\n"
            "letp lr, 1b\n"
            "2:\n"
            : "+Te"(sum), "+r"(p), "+r"(q)
            : "r"(count)
            : "lr", "q0", "q1", "memory");
    }
    return sum;
}
#endif

#ifdef KERNEL_FMA
static float x[256] __attribute__((aligned(16))), y[256] __attribute__((aligned(16)));

static uint32_t kernel(uint32_t rounds) {
    for (int i = 0; i < 256; ++i) {
        x[i] = 1.0f + (float)i * 0.001f;
        y[i] = 0.5f;
    }
    for (uint32_t i = 0; i < rounds; ++i) {
        const float* p = x;
        float* q = y;
        __asm__ volatile(
            "vmov q3, q3\n"
            "mov r3, #64\n"
            "dls lr, r3\n"
            "1: vldrw.u32 q0, [%0], #16\n"
            "vldrw.u32 q1, [%1]\n"
            "vfma.f32 q1, q0, %2\n"
            "vstrw.32 q1, [%1], #16\n"
            "le lr, 1b\n"
            : "+r"(p), "+r"(q)
            : "r"(0x3A83126F)  // 0.001f
            : "r3", "lr", "q0", "q1", "memory");
    }
    uint32_t sum = 0;
    for (int i = 0; i < 256; ++i) sum = sum * 31 + ((const uint32_t*)(const void*)y)[i];
    return sum;
}
#endif

__attribute__((noreturn, used)) void start(void) {
    print_word(kernel(ROUNDS));
    semihosting(0x18, (const void*)0x20026);  // SYS_EXIT, ADP_Stopped_ApplicationExit
    while (1) {}
}

// Enables CP10 and CP11 and branch prediction hints, switches both caches on, calls `start`.
__attribute__((naked, noreturn)) void reset_handler(void) {
    __asm__ volatile(
        "ldr r0, =0xE000ED88\n"
        "ldr r1, [r0]\n"
        "orr r1, r1, #0xF00000\n"
        "str r1, [r0]\n"
        "ldr r0, =0xE000ED14\n"  // CCR: instruction and data cache, low-overhead branches
        "ldr r1, [r0]\n"
        "orr r1, r1, #0x30000\n"
        "orr r1, r1, #0x80000\n"
        "str r1, [r0]\n"
        "dsb\n"
        "isb\n"
        "b start\n");
}
