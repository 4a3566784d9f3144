/* SPDX-License-Identifier: Apache-2.0 */
/* Random sequences of exceptions, each from a seed: nested, tail-chained, masked, faulting, with
   both stacks, both privileges, both security states and the floating-point context.

   Command line: NAME FIRST COUNT DUMP, decimal. Prints "seed hash" for each sequence; with DUMP 1
   everything that went into the hash as well.

   DATA is where the board's data memory starts, at the Secure alias if it has two; VPR is 1 on a
   core with vectors, CHECKED_MEMORY on a board whose memory asks for the state of an access. A core
   with one state runs the Secure half alone. */
#include "support.h"

#if defined(__ARM_FEATURE_CMSE)
#define TWO_STATES ((__ARM_FEATURE_CMSE & 2) != 0)
#else
#define TWO_STATES 0
#endif
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define NS_ALIAS(address) ((uint32_t)(address)-0x10000000u)
#define TAG(a, b, c) ((uint32_t)(a) << 16 | (uint32_t)(b) << 8 | (uint32_t)(c))

enum { kInterrupts = 16, kMaxDepth = 8, kLogEntries = 0x3000, kSwapStacks = 2 };

typedef struct {
    uint32_t tag, value;
} Note;

typedef struct {
    uint32_t random, hash, steps, over;
    uint32_t depth;                       /* of handlers and calls between the states */
    uint32_t own_handler[kMaxDepth + 24]; /* not a function that the other state called */
    uint32_t owns_fp[kMaxDepth + 24];     /* S0-S15 are its own */
    uint32_t active[16], twice;           /* handlers per exception; exceptions with two */
    uint32_t negative;                    /* handlers of NMI and HardFault */
    uint32_t faultmask_secure;
    uint32_t flipped; /* the last return claimed the wrong mode */
    uint32_t automatic_fp, user_pends[2], non_secure_interrupts, fault_enables;
    uint32_t dump, logged;
    Note log[kLogEntries];
} Shared;
static volatile Shared shared __attribute__((section(".shared")));

#if VPR
/* Compiled for a core without low-overhead loops: they would depend on LTPSIZE. */
__asm(".arch armv8.1-m.main\n.arch_extension mve.fp\n.arch_extension dsp\n");
#define WRITE_VPR "uxth r1, r0\n vmsr p0, r1\n"
#define READ_VPR "vmrs r1, p0\n"
#else
#define WRITE_VPR
#define READ_VPR "movs r1, #0\n"
#endif

#define INLINE_STUB(name, section, acts) \
    __asm(".section " section ", \"ax\"\n.thumb_func\n" name ":\n" acts "\n.text\n")

/* Handlers: r4 to r11 and lr in one piece; scratch registers and flags lose what the architecture
   leaves open. Bit 1 of the EXC_RETURN value exchanges the stack pointers. */
#define HANDLER(name, entered, section)                                                 \
    INLINE_STUB(name, section,                                                          \
                "orr r0, r0, r1\n orr r0, r0, r2\n orr r0, r0, r3\n orr r0, r0, r12\n"  \
                "mov r12, #0\n msr apsr_nzcvqg, r12\n push {r4-r11, lr}\n"              \
                "mov r1, sp\n sub sp, #4\n movs r2, #0\n movs r3, #0\n bl " entered     \
                "\n add sp, #4\n pop {r4-r11, lr}\n tst r0, #2\n beq 1f\n bic r0, #2\n" \
                "mrs r1, psp\n mov r2, sp\n mov sp, r1\n msr psp, r2\n eor r0, #4\n"    \
                "1: mov r1, #0\n movs r2, #0\n bx r0\n")
HANDLER("secure_handler", "secure_entered", ".text");
#if TWO_STATES
HANDLER("ns_handler", "ns_entered", ".nonsecure");
#endif

/* disturb(address, value, choice, to): a register is stored to while flags and registers hold a
   pattern, on a stack that may be aligned to four only, maybe inside an IT block. */
#define DISTURB(name, section)                                                               \
    INLINE_STUB(name, section,                                                               \
                "push {r3-r11, lr}\n"                                                        \
                "mov r4, r2\n add r5, r4, #1\n add r6, r4, #2\n add r7, r4, #3\n"            \
                "add r8, r4, #4\n add r9, r4, #5\n add r10, r4, #6\n add r11, r4, #7\n"      \
                "mov r12, r4\n mov r3, r4\n"                                                 \
                "lsls r2, r4, #30\n bpl 1f\n sub sp, #4\n"                                   \
                "1: msr apsr_nzcvqg, r4\n ands r2, r4, #4\n bne 2f\n"                        \
                "str r1, [r0]\n dsb\n isb\n b 3f\n"                                          \
                "2: cmp r2, #4\n itett eq\n streq r1, [r0]\n movne r3, #1\n dsbeq\n isbeq\n" \
                "itee eq\n addeq r3, #5\n addne r3, #6\n movne r12, #7\n"                    \
                "3: mrs r2, apsr\n lsls r14, r4, #30\n it mi\n addmi sp, #4\n"               \
                "ldr r14, [sp]\n stmia r14!, {r0-r12}\n movs r0, #0\n"                       \
                "str r0, [r14]\n str r0, [r14, #4]\n str r0, [r14, #8]\n"                    \
                "mov r12, r0\n pop {r3-r11, pc}\n")
DISTURB("secure_disturb", ".text");
#if TWO_STATES
DISTURB("ns_disturb", ".nonsecure");
#endif

#define FP_FUNCTIONS(prefix, section)                                                        \
    __asm(".section " section                                                                \
          ", \"ax\"\n"                                                                       \
          ".thumb_func\n" prefix                                                             \
          "fp_fill:\n"                                                                       \
          "vmov s0, r0\n add r0, #1\n vmov s1, r0\n add r0, #1\n vmov s2, r0\n add r0, #1\n" \
          "vmov s3, r0\n add r0, #1\n vmov s4, r0\n vmov s5, r0\n vmov s6, r0\n"             \
          "vmov s7, r0\n vmov s8, r0\n vmov s9, r0\n vmov s10, r0\n vmov s11, r0\n"          \
          "vmov s12, r0\n vmov s13, r0\n add r0, #1\n vmov s14, r0\n add r0, #1\n"           \
          "vmov s15, r0\n add r0, #1\n"                                                      \
          "lsls r1, r0, #31\n itt mi\n vmovmi s16, r0\n vmovmi s31, r0\n"                    \
          "and r1, r0, #0xF0000000\n orr r1, r1, #0x40000\n vmsr fpscr, r1\n"                \
          WRITE_VPR "movs r1, #0\n bx lr\n"                                                 \
          ".thumb_func\n" prefix                                                             \
          "fp_read:\n"                                                                       \
          "vmrs r1, fpscr\n str r1, [r0, #128]\n" READ_VPR "str r1, [r0, #132]\n"           \
          "vstmia r0, {s0-s31}\n movs r1, #0\n bx lr\n"                                      \
          ".thumb_func\n" prefix                                                             \
          "fp_status:\n"                                                                     \
          "vmrs r0, fpscr\n bx lr\n"                                                         \
          ".text\n")
FP_FUNCTIONS("secure_", ".text");
#if TWO_STATES
FP_FUNCTIONS("ns_", ".nonsecure");

/* The way into the other state; what it does is `acts`. */
__asm(
    ".section .gateway, \"ax\"\n.balign 32\n.global gate\n.thumb_func\n"
    "gate:\n sg\n b.w secure_service\n"
    ".text\n.thumb_func\n"
    "secure_service:\n push {r4, lr}\n bl secure_acts\n pop {r4, lr}\n movs r0, #0\n"
    "movs r1, #0\n movs r2, #0\n movs r3, #0\n bxns lr\n"
    ".section .nonsecure, \"ax\"\n.global ns_service\n.thumb_func\n"
    "ns_service:\n b.w ns_acts\n"
    ".text\n");
__asm(
    ".section .ns_vectors, \"a\"\n.balign 512\n.global both_vectors\nboth_vectors:\n"
    ".word 0, 0\n.rept 14 + 96\n.word ns_handler + 1 - 0x10000000\n.endr\n.text\n");
#endif

__asm(
    ".text\n.thumb_func\n"
    /* run_thread(acts, control, psp): on the stack and with the privilege of `control`. */
    "run_thread:\n push {r3-r11, lr}\n mov r4, sp\n msr psp, r2\n isb\n msr control, r1\n isb\n"
    "bl secure_acts\n"
    "bl secure_finish\n"
    "movs r0, #0\n msr control, r0\n isb\n mov sp, r4\n pop {r3-r11, pc}\n");

__asm(
    ".text\n.balign 512\n.global own_vectors\nown_vectors:\n"
    ".word 0, 0\n.rept 14 + 96\n.word secure_handler + 1\n.endr\n");

#define SERVICE(name)                   \
    void name##_fp_fill(uint32_t seed); \
    void name##_fp_read(uint32_t* to);  \
    uint32_t name##_fp_status(void);    \
    void name##_disturb(uint32_t, uint32_t, uint32_t, uint32_t*)
SERVICE(secure);
extern uint32_t own_vectors[];
#if TWO_STATES
SERVICE(ns);
extern uint32_t both_vectors[];
extern uint8_t ns_service[], gate[];
#endif
void run_thread(uint32_t count, uint32_t control, uint32_t psp);

#define SIDE_SECURE 1
#define CODE __attribute__((noinline))
#define NAME(x) secure_##x
#define TO (&shared)
#define CALL_OTHER(count)                                                                \
    do {                                                                                 \
        register uint32_t r0_ __asm("r0") = (count);                                     \
        register uint32_t r1_ __asm("r1") = NS_ALIAS(ns_service) & ~1u;                  \
        __asm volatile("movs r2, #0\n\tmovs r3, #0\n\tblxns r1"                          \
                       : "+r"(r0_), "+r"(r1_)::"r2", "r3", "r12", "lr", "cc", "memory"); \
    } while (0)
#if TWO_STATES
#define OTHER_FAULTMASK READ_SPECIAL("faultmask_ns")
#else
#define OTHER_FAULTMASK 0
#endif
#include "sequence_side.h"
#undef OTHER_FAULTMASK
#undef SIDE_SECURE
#undef CODE
#undef NAME
#undef TO
#undef CALL_OTHER

#if TWO_STATES
#define SIDE_SECURE 0
#define CODE __attribute__((section(".nonsecure"), noinline))
#define NAME(x) ns_##x
#define TO ((volatile Shared*)(NS_ALIAS(DATA) + 0x40000))
#define CALL_OTHER(count)                                                                \
    do {                                                                                 \
        register uint32_t r0_ __asm("r0") = (count);                                     \
        register uint32_t r1_ __asm("r1") = (uint32_t)gate | 1;                          \
        __asm volatile("movs r2, #0\n\tmovs r3, #0\n\tblx r1"                            \
                       : "+r"(r0_), "+r"(r1_)::"r2", "r3", "r12", "lr", "cc", "memory"); \
    } while (0)
#define OTHER_FAULTMASK TO->faultmask_secure
#include "sequence_side.h"
#endif

void on_exception(uint32_t ipsr, Frame* frame, uint32_t exc_return) {
    show_fault(ipsr, frame, exc_return);
    finish(1);
}

/* The end of a sequence, on whatever stack and with whatever privilege: handlers give it back. */
void secure_finish(void) {
    shared.steps = 0;
    shared.over = 1;
    if (READ_SPECIAL("control") & 1) __asm volatile("svc 0\n\tisb" ::: "memory");
    ICER(0) = 0xFFFFFFFF;
    ICPR(0) = 0xFFFFFFFF;
    ICSR = 1u << 30 | 1u << 27 | 1u << 25;
#if TWO_STATES
    REG(0xE002ED04) = 1u << 27 | 1u << 25;
#endif
    BARRIER();
    __asm volatile("cpsie i\n\tcpsie f" ::: "memory");
    WRITE_SPECIAL("basepri", 0);
#if TWO_STATES
    WRITE_SPECIAL("basepri_ns", 0);
    WRITE_SPECIAL("primask_ns", 0);
    WRITE_SPECIAL("faultmask_ns", 0);
#endif
    secure_observe();
}

#if TWO_STATES
static void configure_non_secure(void) {
    REG(0xE002ED08) = NS_ALIAS(both_vectors);
    WRITE_SPECIAL("control_ns", 0);
    WRITE_SPECIAL("msp_ns", NS_ALIAS(DATA) + 0x70000);
    WRITE_SPECIAL("psp_ns", NS_ALIAS(DATA) + 0x78000);
}

static void configure_faults(uint32_t choice) {
    /* QEMU weighs SecureFault as a Non-secure exception when it escalates. */
    const uint32_t same = (choice & 0x18) != 0 && (choice & 7) == (choice >> 8 & 7);
    shared.fault_enables = same ? 0xF0000 : 0x70000;
    SHCSR = choice >> 12 & shared.fault_enables;
    REG(0xE002ED24) = choice >> 8 & 0x70000;
    AIRCR = 0x05FA0000 | (choice & 7) << 8 | ((choice & 0x18) == 0 ? 1u << 14 : 0) |
            ((choice & 0xE0) == 0 ? 1u << 13 : 0);
    REG(0xE002ED0C) = 0x05FA0000 | (choice >> 8 & 7) << 8;
}

static void configure_targets(uint32_t choice) {
    ITNS(0) = choice & 0xFFFF;
    shared.non_secure_interrupts = ITNS(0);
}

static void configure_control(uint32_t choice) {
    CCR = CCR & ~2u;
    CCR = CCR | (choice & 2);
    REG(0xE002ED14) = (REG(0xE002ED14) & ~2u) | (choice >> 1 & 2);
    shared.user_pends[1] = choice & 2;
    shared.user_pends[0] = choice >> 1 & 2;
    FPCCR = (choice & 3 ? 1u << 31 : 0) | (choice & 0x7C000000);
    REG(0xE002EF34) = choice & 0xC ? 1u << 31 : 0;
    shared.automatic_fp = (choice & 3) && (choice & 0xC);
    REG(0xE000EF3C) = (secure_draw() & 0x07C00000) | 0x40000;
    REG(0xE002EF3C) = (secure_draw() & 0x07C00000) | 0x40000;
}
#else
static void configure_non_secure(void) {}
static void configure_targets(uint32_t choice) { (void)choice; }

static void configure_faults(uint32_t choice) {
    shared.fault_enables = 0x70000;
    SHCSR = choice >> 12 & shared.fault_enables;
    AIRCR = 0x05FA0000 | (choice & 7) << 8;
}

static void configure_control(uint32_t choice) {
    /* USERSETMPEND, and STKALIGN where it can be chosen. QEMU does not align frames with FP context
       without it, so then there are none. */
    const uint32_t unaligned = STACK_ALIGNMENT_CHOSEN && (choice & 3) == 0 && (choice & 0x200);
    CCR = (CCR & ~0x202u) | (choice & 2) | (unaligned ? 0 : 0x200);
    shared.user_pends[1] = choice & 2;
    FPCCR = (choice & 3 ? 1u << 31 : 0) | (choice & 1u << 30);
    shared.automatic_fp = choice & 3;
    REG(0xE000EF3C) = secure_draw() & 0x07C00000;
}
#endif

static void configure(void) {
    uint32_t choice = secure_draw();
    if (choice & 0x1000000) choice = (choice & ~0x700u) | (choice & 7) << 8;
    configure_faults(choice);
    /* The board keeps what an earlier sequence left in disabled states. */
    configure_targets(secure_draw());
    ISER(0) = secure_draw() | secure_draw();
    for (uint32_t i = 0; i < kInterrupts; ++i) IPR(i) = (uint8_t)secure_draw();
    for (uint32_t i = 4; i < 16; ++i) {
        SHPR(i) = (uint8_t)secure_draw();
        if (TWO_STATES) REG8(0xE002ED14 + i) = (uint8_t)secure_draw();
    }
    configure_control(secure_draw());
    BARRIER();
}

static void run_sequence(uint32_t seed) {
    for (volatile uint32_t* at = &shared.hash; at != &shared.dump; ++at) *at = 0;
    shared.logged = 0;
    shared.random = (seed + 1) * 0x9E3779B1u ^ seed << 16;
    if (shared.random == 0) shared.random = 1;
    configure_non_secure();
    configure();
    const uint32_t choice = secure_draw();
#if TWO_STATES
    WRITE_SPECIAL("control_ns", choice & 3);
#endif
    shared.owns_fp[0] = 1;
    secure_fp_fill(seed);
    shared.steps = 6 + (choice >> 8) % 40;
    const uint32_t fp = TWO_STATES ? 12 : CCR & 0x200 ? 4 : 0;
    run_thread(shared.steps, fp | (choice >> 2 & 3), DATA + 0x30000);
}

static void clean_up(void) {
    SHCSR = 0;
    FPCCR = 0;
#if TWO_STATES
    REG(0xE002ED24) = 0;
    REG(0xE002EF34) = 0;
#endif
    AIRCR = 0x05FA0000;
    BARRIER();
    secure_fp_fill(0);
    /* s16 to s31 are in d8 to d15. */
    __asm volatile(
        "vmov d8, %0, %0\n\tvmov d9, %0, %0\n\tvmov d10, %0, %0\n\tvmov d11, %0, %0\n\t"
        "vmov d12, %0, %0\n\tvmov d13, %0, %0\n\tvmov d14, %0, %0\n\t"
        "vmov d15, %0, %0" ::"r"(0));
    WRITE_SPECIAL("control", 0);
}

static void print_log(void) {
    for (uint32_t i = 0; i < shared.logged; ++i) {
        const uint32_t tag = shared.log[i].tag;
        char text[4] = {(char)(tag >> 16), (char)(tag >> 8), (char)tag, 0};
        if ((tag & 0xFF) < 0x20) text[2] = 0;
        print(text);
        print_hex(tag & 0xFF);
        show("", shared.log[i].value);
        line();
    }
}

static uint32_t number_at(const char** text) {
    while (**text != 0 && **text != ' ') ++*text;
    while (**text == ' ') ++*text;
    uint32_t value = 0;
    for (const char* at = *text; *at >= '0' && *at <= '9'; ++at)
        value = value * 10 + (uint32_t)(*at - '0');
    return value;
}

static void command_line(char* text, uint32_t bytes) {
    uint32_t block[2] = {(uint32_t)text, bytes};
    register uint32_t r0 __asm("r0") = 0x15;
    register uint32_t* r1 __asm("r1") = block;
    __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

#if CHECKED_MEMORY
/* Gives blocks of memory behind a protection controller to Non-secure accesses, which alone may then
   make them. Block numbers count from the start of that memory. */
static void open_blocks(uint32_t controller, uint32_t start, uint32_t end) {
    const uint32_t bytes = 32u << (REG(controller + 0x14) & 15);
    REG(controller) = REG(controller) & ~(1u << 8); /* the index stays */
    for (uint32_t block = start / bytes; block < end / bytes; ++block) {
        REG(controller + 0x18) = block / 32;
        REG(controller + 0x1C) = REG(controller + 0x1C) | 1u << block % 32;
    }
}
#endif

#if TWO_STATES
static void set_attribute(uint32_t number, uint32_t start, uint32_t end, uint32_t bits) {
    SAU_RNR = number;
    SAU_RBAR = start;
    SAU_RLAR = (end & ~31u) | bits;
}

static void divide_states(void) {
    const uint32_t data = NS_ALIAS(DATA);
    set_attribute(0, 0x00000000, 0x0007FFFF, 1);
    set_attribute(1, data, data + 0x7FFFF, 1);
    set_attribute(2, 0x10020000, 0x1002001F, 3);
    SAU_CTRL = 1;
    /* The board's own unit marks the gateway callable. */
    REG(0x50080014) = 3;
    REG(0xE002ED88) = 0xF << 20;
    NSACR = 0xC00;
    BARRIER();
#if CHECKED_MEMORY
    open_blocks(0x58007000, 0x10000, 0x20000);
    open_blocks(0x58008000, 0x40000, 0x80000);
    BARRIER();
#endif
}
#else
static void divide_states(void) {}
#endif

int main(void) {
    static char text[80];
    command_line(text, sizeof text);
    const char* at = text;
    const uint32_t first = number_at(&at), count = number_at(&at), dump = number_at(&at);
    CPACR = 0xF << 20;
    BARRIER();
    divide_states();
    VTOR = (uint32_t)own_vectors;
    shared.dump = dump;
    for (uint32_t seed = first; seed != first + count; ++seed) {
        run_sequence(seed);
        clean_up();
        if (dump) print_log();
        show("seed", seed);
        show("hash", shared.hash);
        line();
    }
    VTOR = (uint32_t)vectors;
    print("done\n");
    return 0;
}
