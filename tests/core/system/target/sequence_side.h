/* SPDX-License-Identifier: Apache-2.0 */
/* One security state's half of sequences.c, included once for each. Needs from there:
   SIDE_SECURE  1 or 0
   CODE         where functions go
   NAME(x)      their prefix
   TO           the shared variables as this side addresses them

   What a sequence must not do, because one of both machines would lock up, or because the
   architecture leaves it open:
   - SVC, UDEF and invalid returns where HardFault cannot be taken
   - stacks and modes exchanged under a frame of the other state
   - S0-S15 and FPSCR read in a handler that has not written them */

CODE static uint32_t NAME(draw)(void) {
    uint32_t value = TO->random;
    value ^= value << 13;
    value ^= value >> 17;
    value ^= value << 5;
    TO->random = value;
    return value * 0x9E3779B1u >> 4;
}

CODE static void NAME(note)(uint32_t tag, uint32_t value) {
    TO->hash = ((TO->hash << 5 | TO->hash >> 27) ^ value) * 0x01000193u + tag;
    const uint32_t at = TO->logged;
    if (!TO->dump || at >= kLogEntries) return;
    TO->log[at].tag = tag;
    TO->log[at].value = value;
    TO->logged = at + 1;
}

#define READ_SPECIAL(name)                                        \
    ({                                                            \
        uint32_t value_;                                          \
        __asm volatile("mrs %0, " name : "=r"(value_)::"memory"); \
        value_;                                                   \
    })
#define WRITE_SPECIAL(name, value) __asm volatile("msr " name ", %0\n\tisb" ::"r"(value) : "memory")

CODE static uint32_t NAME(privileged)(void) {
    return READ_SPECIAL("ipsr") != 0 || (READ_SPECIAL("control") & 1) == 0;
}

/* ICSR without RETTOBASE while both instances of an exception are active: see ACCURACY.md of
   models/core. */
CODE static uint32_t NAME(interrupt_state)(void) {
    const uint32_t value = ICSR;
    return TO->twice ? value & ~0x800u : value;
}

CODE static void NAME(observe)(void) {
    NAME(note)(TAG('C', 'T', 'L'), READ_SPECIAL("control"));
    NAME(note)(TAG('I', 'P', 'S'), READ_SPECIAL("ipsr"));
    NAME(note)(TAG('P', 'R', 'I'), READ_SPECIAL("primask"));
    NAME(note)(TAG('B', 'A', 'S'), READ_SPECIAL("basepri"));
    NAME(note)(TAG('F', 'M', 'K'), READ_SPECIAL("faultmask"));
    NAME(note)(TAG('P', 'S', 'P'), READ_SPECIAL("psp"));
    NAME(note)(TAG('M', 'S', 'P'), READ_SPECIAL("msp"));
#if SIDE_SECURE
#if TWO_STATES
    NAME(note)(TAG('C', 'T', 'n'), READ_SPECIAL("control_ns"));
    NAME(note)(TAG('P', 'R', 'n'), READ_SPECIAL("primask_ns"));
    NAME(note)(TAG('B', 'A', 'n'), READ_SPECIAL("basepri_ns"));
    NAME(note)(TAG('F', 'M', 'n'), READ_SPECIAL("faultmask_ns"));
    NAME(note)(TAG('P', 'S', 'n'), READ_SPECIAL("psp_ns"));
    NAME(note)(TAG('M', 'S', 'n'), READ_SPECIAL("msp_ns"));
#endif
    TO->faultmask_secure = READ_SPECIAL("faultmask");
#endif
    if (!NAME(privileged)()) return;
    NAME(note)(TAG('I', 'C', 'S'), NAME(interrupt_state)());
    NAME(note)(TAG('S', 'H', 'C'), SHCSR);
    NAME(note)(TAG('A', 'C', 'T'), IABR(0));
    NAME(note)(TAG('P', 'N', 'D'), ISPR(0));
}

/* A fault that cannot become HardFault would be lockup. */
CODE static uint32_t NAME(may_fault)(void) {
    return TO->negative == 0 && TO->faultmask_secure == 0 && READ_SPECIAL("faultmask") == 0;
}

/* Writes S0-S15, FPSCR and VPR, reads all registers. */
CODE static void NAME(use_fp)(uint32_t fill) {
    uint32_t values[34];
    if (!TO->owns_fp[TO->depth]) {
        /* Where a context is made automatically, FPSCR comes from FPDSCR. */
        if (TO->automatic_fp) NAME(note)(TAG('F', 'P', 'D'), NAME(fp_status)());
        fill |= 1;
    }
    if (fill & 1) NAME(fp_fill)(NAME(draw)());
    TO->owns_fp[TO->depth] = 1;
    NAME(fp_read)(values);
    for (uint32_t i = 0; i < 34; ++i) NAME(note)(TAG('F', 'P', i), values[i]);
}

/* QEMU lets Non-secure code pend Secure interrupts by STIR. */
CODE static uint32_t NAME(may_trigger)(uint32_t number) {
    if (!NAME(privileged)() && !TO->user_pends[SIDE_SECURE]) return 0;
    return SIDE_SECURE || (TO->non_secure_interrupts >> number & 1);
}

CODE static void NAME(pend_interrupts)(uint32_t choice) {
    ISPR(0) = 1u << choice % kInterrupts | 1u << (choice >> 4) % kInterrupts;
    BARRIER();
}

CODE static void NAME(pend_system)(uint32_t choice) {
    uint32_t bits = 0;
    if (choice & 1) bits |= 1u << 28;
    if (choice & 2) bits |= 1u << 26;
    if ((choice & 0x1C) == 0x1C) bits |= 1u << 31;
    ICSR = bits;
    BARRIER();
#if SIDE_SECURE && TWO_STATES
    if (choice & 0x20) REG(0xE002ED04) = bits;
    BARRIER();
#endif
}

CODE static void NAME(clear_pending)(uint32_t choice) {
    ICPR(0) = choice;
    BARRIER();
    ICSR = (choice & 1 ? 1u << 27 : 0) | (choice & 2 ? 1u << 25 : 0);
    BARRIER();
}

CODE static void NAME(change_priority)(uint32_t choice) {
    const uint8_t value = (uint8_t)(choice >> 8);
    if (choice & 1) {
        IPR((choice >> 1) % kInterrupts) = value;
    } else {
        const uint32_t which = choice >> 1 & 7;
        SHPR(which < 4 ? 4 + which : which == 4 ? 11 : which == 5 ? 14 : 15) = value;
    }
    BARRIER();
}

CODE static void NAME(change_enables)(uint32_t choice) {
    if (choice & 1) {
        ISER(0) = choice >> 1;
    } else {
        ICER(0) = 1u << (choice >> 1) % kInterrupts;
    }
    BARRIER();
    if (choice & 0x80000) SHCSR = (SHCSR & ~0xF0000u) | (choice >> 4 & TO->fault_enables);
    BARRIER();
}

CODE static void NAME(change_masks)(uint32_t choice) {
    /* FAULTMASK ends with the handler of its own state, or the thread may still clear it. QEMU sets
       it at negative priorities as well. */
    const uint32_t may_set = TO->negative == 0 && OTHER_FAULTMASK == 0 &&
                             (TO->own_handler[TO->depth] || READ_SPECIAL("ipsr") == 0);
    if ((choice & 7) == 3 && !may_set) return;
    switch (choice & 7) {
        case 0:
            __asm volatile("cpsid i\n\tisb" ::: "memory");
            break;
        case 1:
        case 2:
            __asm volatile("cpsie i\n\tisb" ::: "memory");
            break;
        case 3:
            __asm volatile("cpsid f\n\tisb" ::: "memory");
            break;
        case 4:
            __asm volatile("cpsie f\n\tisb" ::: "memory");
            break;
        case 5:
            WRITE_SPECIAL("basepri", choice >> 8 & 0xFF);
            break;
        case 6:
            WRITE_SPECIAL("basepri_max", choice >> 8 & 0xFF);
            break;
        default:
            WRITE_SPECIAL("basepri", 0);
            break;
    }
}

/* Several at once, held back and then let go: the most urgent first, the others tail-chained. */
CODE static void NAME(pend_behind_mask)(uint32_t choice) {
    const uint32_t mask = READ_SPECIAL("primask");
    __asm volatile("cpsid i" ::: "memory");
    ISPR(0) = choice;
    ICSR = (choice & 0x10000 ? 1u << 28 : 0) | (choice & 0x20000 ? 1u << 26 : 0);
    BARRIER();
    WRITE_SPECIAL("primask", mask);
}

CODE static void NAME(change_control)(uint32_t choice) {
    if (TO->faultmask_secure || READ_SPECIAL("faultmask")) return;
    uint32_t value = READ_SPECIAL("control");
    /* Only the thread itself gives privilege away: it may stand before a privileged access. */
    const uint32_t thread = READ_SPECIAL("ipsr") == 0;
    if (choice & 1) value = thread ? value | 1 : value & ~1u;
    /* In a handler SPSEL chooses no stack, but the next EXC_RETURN shows it. */
    if (TO->own_handler[TO->depth] && (choice & 2)) value ^= 2;
    if (thread && (choice & 12) == 12) value &= ~12u;
    WRITE_SPECIAL("control", value);
}

CODE static void NAME(deactivate_own)(void) {
    if (!TO->own_handler[TO->depth] || !NAME(may_fault)()) return;
    const uint32_t number = READ_SPECIAL("ipsr");
    const uint32_t bit = number == 11 ? 7 : number == 14 ? 10 : number == 15 ? 11 : 0;
    if (bit != 0) SHCSR = SHCSR & ~(1u << bit);
    BARRIER();
}

CODE static void NAME(act)(void);

#if TWO_STATES
CODE static void NAME(call_other)(uint32_t choice) {
    if (TO->depth >= kMaxDepth || TO->faultmask_secure || READ_SPECIAL("faultmask")) return;
    const uint32_t depth = ++TO->depth;
    TO->own_handler[depth] = TO->owns_fp[depth] = 0;
    CALL_OTHER(1 + choice % 3);
    TO->depth = depth - 1;
}
#else
CODE static void NAME(call_other)(uint32_t choice) {
    (void)choice;
}
#endif

CODE static void NAME(act)(void) {
    if (TO->steps == 0) return;
    --TO->steps;
    const uint32_t kind = NAME(draw)() & 31, choice = NAME(draw)();
    const uint32_t privileged = NAME(privileged)();
    NAME(note)(TAG('a', 'c', 't'), kind);
    if (kind < 4) {
        if (privileged) NAME(pend_interrupts)(choice);
    } else if (kind < 7) {
        if (privileged) NAME(pend_system)(choice);
    } else if (kind < 9) {
        if (NAME(may_fault)()) __asm volatile("svc 0\n\tisb" ::: "memory");
    } else if (kind == 9) {
        if (NAME(may_fault)()) __asm volatile("udf 0\n\tisb" ::: "memory");
    } else if (kind == 10) {
        if (privileged) NAME(change_priority)(choice);
    } else if (kind == 11) {
        if (privileged) NAME(change_enables)(choice);
    } else if (kind == 12) {
        if (privileged) NAME(clear_pending)(choice);
    } else if (kind < 16) {
        NAME(change_masks)(choice);
    } else if (kind < 20) {
        NAME(use_fp)(choice);
    } else if (kind < 23) {
        uint32_t registers[16];
        const uint32_t target = privileged ? 0xE000E200 : 0xE000EF00;
        const uint32_t value = privileged ? choice >> 8 & 0xFFFF : choice >> 8 & 15;
        if (!privileged && !NAME(may_trigger)(value)) return;
        NAME(disturb)(target, value, choice, registers);
        for (uint32_t i = 0; i < 16; ++i) NAME(note)(TAG('R', 'G', i), registers[i]);
    } else if (kind == 23) {
        if (privileged) NAME(change_control)(choice);
    } else if (kind < 27) {
        NAME(call_other)(choice);
    } else if (kind < 30) {
        if (privileged) NAME(pend_behind_mask)(choice);
    } else if (kind == 30) {
        if (privileged) NAME(deactivate_own)();
    } else if (NAME(may_trigger)(choice % kInterrupts)) {
        STIR = choice % kInterrupts;
        BARRIER();
    }
    NAME(observe)();
}

CODE __attribute__((used)) void NAME(acts)(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) NAME(act)();
}

/* Returns the frame of what the handler interrupted; 0 if it is out of reach. */
CODE static const Frame* NAME(frame)(uint32_t code, uint32_t sp) {
    const uint32_t secure = code >> 6 & 1, thread = code >> 3 & 1;
    if (secure == SIDE_SECURE) {
        const uint32_t process = thread && (code & 4);
        const uint32_t at = process ? READ_SPECIAL("psp") : sp;
        return (const Frame*)(at + (secure && !(code & 0x20) ? 0x28 : 0));
    }
#if SIDE_SECURE && TWO_STATES
    const uint32_t process = thread && (READ_SPECIAL("control_ns") & 2);
    return (const Frame*)(process ? READ_SPECIAL("psp_ns") : READ_SPECIAL("msp_ns"));
#else
    return 0;
#endif
}

CODE static void NAME(note_frame)(uint32_t code, const Frame* frame) {
    const uint32_t* words = (const uint32_t*)frame;
    NAME(note)(TAG('F', 'R', 'M'), (uint32_t)frame);
    for (uint32_t i = 0; i < 8; ++i) NAME(note)(TAG('F', 'R', i), words[i]);
    if ((code >> 6 & 1) != SIDE_SECURE || (code & 0x10)) return;
    const uint32_t control = FPCCR;
    NAME(note)(TAG('F', 'P', 'C'), control);
    NAME(note)(TAG('F', 'P', 'A'), FPCAR);
    if (control & 1) return; /* still in the registers */
    for (uint32_t i = 8; i < 26; ++i) NAME(note)(TAG('F', 'X', i), words[i]);
}

/* Undefined instructions are passed; whatever happened is noted and cleared. */
CODE static void NAME(answer_fault)(uint32_t number, Frame* frame) {
    (void)number;
    uint32_t status = CFSR;
    NAME(note)(TAG('C', 'F', 'S'), status);
    CFSR = status;
#if SIDE_SECURE && TWO_STATES
    const uint32_t other = REG(0xE002ED28), secure = SFSR;
    if (number == 3) {
        NAME(note)(TAG('C', 'F', 'n'), other);
        REG(0xE002ED28) = other;
        status |= other;
    }
    NAME(note)(TAG('S', 'F', 'S'), secure);
    SFSR = secure;
#endif
    NAME(note)(TAG('H', 'F', 'S'), HFSR);
    HFSR = HFSR;
    if ((status & 1u << 16) != 0 && frame != 0) frame->pc += 2;
}

/* Returns the EXC_RETURN value with which the handler ends; kSwapStacks with it exchanges this
   side's stack pointers. */
CODE static uint32_t NAME(choose_return)(uint32_t code, uint32_t number) {
    const uint32_t kind = NAME(draw)() & 31, own_frame = (code >> 6 & 1) == SIDE_SECURE;
    const uint32_t thread = code >> 3 & 1;
    if (TO->steps == 0 || number == 3 || number == 2 || !NAME(may_fault)()) return code;
    if (kind < 5 && own_frame && thread) return code | kSwapStacks;
    if (kind == 5 && own_frame && !(code & 4)) {
        TO->flipped = 1;
        return code ^ 8;
    }
#if !SIDE_SECURE
    if (kind == 6) return code | 1;
    if (kind == 7) return code & ~0x20u;
#endif
    return code;
}

CODE __attribute__((used)) uint32_t NAME(entered)(uint32_t caller_saved, uint32_t* saved) {
    const uint32_t number = READ_SPECIAL("ipsr");
    uint32_t code = saved[8];
    const uint32_t sp = (uint32_t)(saved + 9);
    const uint32_t depth = ++TO->depth;
    const uint32_t flipped = TO->flipped;
    TO->flipped = 0;
    NAME(note)(TAG('E', 'X', 'C'), number);
    NAME(note)(TAG('L', 'R', ' '), code);
    if (flipped) code ^= 8;
    if (number < 16 && ++TO->active[number] > 1) ++TO->twice;
    if (number == 2 || number == 3) ++TO->negative;
    TO->own_handler[depth] = 1;
    TO->owns_fp[depth] = 0;
    for (uint32_t i = 0; i < 8; ++i) {
        /* A return that failed may have loaded them: they are on the stack. */
        if (flipped && (code & 0x60) == 0x40) saved[i] = 0;
        NAME(note)(TAG('S', 'V', i), saved[i]);
    }
    if (!SIDE_SECURE && (code & 0x40)) NAME(note)(TAG('C', 'L', 'R'), caller_saved);
    Frame* frame = (Frame*)NAME(frame)(code, sp);
    if (frame != 0) NAME(note_frame)(code, frame);
    if (number >= 3 && number <= 7) NAME(answer_fault)(number, frame);
    NAME(observe)();
    if (depth < kMaxDepth) {
        for (uint32_t count = NAME(draw)() % 3; count != 0; --count) NAME(act)();
    }
    if (frame != 0 && TO->owns_fp[depth]) NAME(note_frame)(code, frame);
#if SIDE_SECURE
    if (TO->over) WRITE_SPECIAL("control", READ_SPECIAL("control") & ~1u);
#endif
    if (number < 16 && TO->active[number]-- > 1) --TO->twice;
    if (number == 2 || number == 3) --TO->negative;
    code = NAME(choose_return)(code, number);
    if (SIDE_SECURE && number != 2) TO->faultmask_secure = 0;
    NAME(note)(TAG('R', 'E', 'T'), code);
    TO->depth = depth - 1;
    return code;
}
