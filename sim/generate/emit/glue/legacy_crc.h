// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_LEGACY_CRC_H
#define N6VP_LEGACY_CRC_H

#include "legacy_network.h"

/// Networks of this family use the chip's CRC unit when they are created. Built with
/// -DN6VP_LEGACY_CRC, ours do so as well: with the unit's clock off, create fails instead of
/// waiting for ever. Without the option create succeeds on a core that has no such unit.

#if defined(N6VP_LEGACY_CRC)

static inline volatile ai_u32* legacy_register(ai_u32 address) {
    return (volatile ai_u32*)(uintptr_t)address;
}

enum { kLegacyCrcData = 0, kLegacyCrcControl = 2 };  ///< in words

/// Where the unit is: by the chip's identity in DBGMCU on Cortex-M4 and M7; on the M33 as the
/// application's callback says, else the secure alias if the other does not answer.
static inline volatile ai_u32* legacy_crc_unit(ai_u32 id) {
    const ai_u32 part = *legacy_register(0xE000ED00u) >> 4 & 0xFFFu;
    const ai_u32 identity = part == 0xD21u ? 0 : *legacy_register(0xE0042000u);
    volatile ai_u32* unit = legacy_register(0x40023000u);
    if (part == 0xD21u) {
        if (id == 0x40023000u || id == 0x50023000u) return legacy_register(id);
        unit[kLegacyCrcControl] = 0x18;
        return unit[kLegacyCrcControl] == 0x18 ? unit : legacy_register(0x50023000u);
    }
    if (part == 0xC27u) {
        const ai_u32 of_f7 = identity & 0x7FFu;
        const ai_u32 of_h7 = of_f7 == 0x449u || of_f7 == 0x451u || of_f7 == 0x452u
                                 ? 0
                                 : *legacy_register(0x5C001000u) & 0x7FFu;
        return of_h7 == 0x450u || of_h7 == 0x483u ? legacy_register(0x58024C00u) : unit;
    }
    /* 0: the unit does not answer. */
    return (identity & 0x700u) == 0x400u || identity == 0 ? unit : legacy_register(0x58024C00u);
}

/// A word with a known result. The unit answers zeros while its clock is off; 20 reads for the end
/// of its reset are those of the family.
static inline ai_bool legacy_crc_answers(volatile ai_u32* unit) {
    ai_u32 tries = 20;
    unit[kLegacyCrcControl] = 0x18;
    if (unit[kLegacyCrcControl] != 0x18) return false;
    unit[kLegacyCrcControl] = 1;
    while (unit[kLegacyCrcControl] != 0 && tries != 0) --tries;
    if (tries == 0) return false;
    unit[kLegacyCrcData] = 0xF407A5C2u;
    return unit[kLegacyCrcData] == 0xB5E8B5CDu;
}

static inline ai_bool legacy_crc_passes(const struct legacy_crc_callbacks* callbacks) {
    ai_u32 id = 0;
    ai_bool passes = false;
    if (callbacks != NULL && callbacks->acquire != NULL) id = callbacks->acquire();
    passes = legacy_crc_answers(legacy_crc_unit(id));
    if (callbacks != NULL && callbacks->release != NULL) callbacks->release(id);
    return passes;
}

#else

static inline ai_bool legacy_crc_passes(const struct legacy_crc_callbacks* callbacks) {
    (void)callbacks;
    return true;
}

#endif

#endif
