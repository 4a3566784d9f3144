// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::loader {

/// What can be wrong, one enumerator per distinct fault: two different faults never share one.
/// Names, explanations and remedies are in `traces/rule_text.cpp`, whose table is total. Letters in
/// comments are the weakness of the vendor's loader that the rule closes.
enum class Rule : std::uint16_t {
    None = 0,
    // File
    FileUnreadable,
    FileTooShort,
    FileAlignment,
    FileCacheLine,
    Magic,
    LegacyFormat,
    HeaderLength,
    // Epoch-controller containers: core part (loader/ec_container.h)
    EcTooShort,     ///< fewer bytes than the header of its magic
    EcMagic,        ///< none of the three container magics (E9)
    EcPlainBlob,    ///< word 0 is the blob magic: not a container (E9)
    EcGeneration,   ///< container generation differs from the firmware's (E9)
    EcRelocOffset,  ///< relocation table outside the container (E1)
    EcRelocAlignment,
    EcPatchOffset,
    EcPatchAlignment,
    EcDebugOffset,
    EcDebugAlignment,
    EcBlobMissing,  ///< blob offset is 0
    EcBlobOffset,
    EcBlobAlignment,  ///< blob offset not a multiple of 8 (E8)
    EcSectionOrder,   ///< relocation < patch < debug <= blob does not hold (E7)
    EcBlobMagic,      ///< (E8)
    EcBlobLength,     ///< N + 2 words do not fit (E8)
    EcSymbolTable,    ///< symbol entries do not fit into the relocation table (E1)
    EcSymbolLimit,    ///< more symbols than this loader accepts
    EcSymbolName,     ///< name offset outside the table's string part (E1)
    EcSymbolNameEnd,  ///< name not terminated, or longer than the limit (E1)
    EcSymbolNameEmpty,
    EcSymbolDuplicate,  ///< (E5)
    EcSymbolIndicesAlignment,
    EcSymbolIndices,      ///< index array outside the table (E1)
    EcSymbolTarget,       ///< index not below N (E1)
    EcSymbolTargetCount,  ///< more indices than words: some word would move twice
    EcPatchTable,
    EcPatchLimit,
    EcPatchName,
    EcPatchNameEnd,
    EcPatchNameEmpty,
    EcPatchDuplicate,  ///< 0030 only: the vendor's patcher takes the first of two equal names
    EcPatchIndicesAlignment,
    EcPatchIndices,
    EcPatchTarget,
    EcPatchTargetCount,
    EcPatchShift,            ///< shift outside -31 .. 63 (E6)
    EcDestinationMissing,    ///< no RAM for the blob
    EcDestinationAlignment,  ///< RAM blob not 8-aligned: the controller would keep its old ADDR
                             ///< (E10)
    EcDestinationSize,
    EcDestinationContent,  ///< RAM blob is not a copy of this container's blob
    EcSymbolUnknown,       ///< symbol index not below the count (E3)
    EcSymbolNotFound,      ///< no symbol of that name
    EcPatchUnknown,
    EcPatchNotFound,
    // Epoch-controller streams: deep check (loader/ec_check.h)
    EcStreamShort,  ///< plain blob without room for its two header words
    EcStreamEmpty,
    EcOpcode,
    EcOperandMissing,
    EcBurstEmpty,
    EcBurstTruncated,
    EcReservedBit,
    EcFieldOrder,  ///< msb below lsb
    EcPartialWrite,
    EcUnit,  ///< IP number above 31
    EcRegister,
    EcBurstRegister,  ///< incrementing burst leaves the unit's registers
    EcReadOnlyRegister,
    EcFieldWide,    ///< writefield with bits 20..14 or 12..10 set
    EcFieldRange,   ///< writefield past bit 31
    EcPollOperand,  ///< poll word 1 is not 100
    EcPollValue,    ///< expected value does not fit the polled field: endless wait
    EcClockGate,    ///< access to a unit whose clock gate is off
    EcClockGateLeftOn,
    EcFirstLabel,
    EcLabelOrder,
    EcIrqMissing,
    EcIrqEarly,
    EcIrqNumber,
    EcRelocOnInstruction,  ///< relocation index hits an instruction word (E2)
    EcRelocOnOperand,      ///< ... an operand that is no STRENG ADDR or LIMITADDR (E2)
    EcRelocTwice,          ///< two indices move the same word
    EcRelocUnpaired,       ///< ADDR and LIMITADDR are not moved together
    EcPatchOnInstruction,
    EcPatchOnOperand,   ///< patched word is not written to STRENG ENCR_LSB or ENCR_MSB
    EcEncryptedTables,  ///< encrypted stream with words to relocate or patch (E11)
    EcNotEncrypted,     ///< flagged as encrypted, yet decodes completely (E11)
    // Install, Compat policy
    VendorOverwrite,
    VendorReadsOutside,
    kCount  ///< number of enumerators, not a rule
};

}  // namespace n6vp::loader
