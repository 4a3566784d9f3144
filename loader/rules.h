// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/legacy_rules.h"

/// The rules of container and install, one line per distinct fault: X(rule, stage, severity,
/// status). The status is what a refusal reports, so that callers that use the vendor's numbers
/// see the expected number. Names, explanations, remedies and the weakness of the vendor's loader
/// that a rule closes are in `traces/diagnosis/rule_text.cpp`, whose table is total. Names that end
/// in the same words (…ValueRamRange, …NameOutside) stand in the same order everywhere: the checks
/// count on it.
// clang-format off

/// Where the file is and whether it is one.
#define N6VP_FILE_RULES(X) \
    X(FileNull, File, Error, InvalidBinary)            \
    X(FileUnreadable, File, Error, InvalidBinary)      \
    X(FileTooShort, File, Error, InvalidBinary)        \
    X(FileAlignment, File, Error, InvalidBinary)       \
    X(FileAlignment8, File, Error, InvalidBinary)      \
    X(FileCacheLine, File, Warning, InvalidBinary)     \
    X(FileWraps, File, Error, InvalidBinary)           \
    X(Magic, File, Error, InvalidBinary)               \
    X(LegacyFormat, File, Error, InvalidBinary)        \
    X(HeaderLength, File, Error, InvalidBinary)        \
    X(HeaderLengthVersion, File, Error, InvalidBinary) \
    X(ErasedFlash, File, Error, InvalidBinary)         \
    X(SectionUnreadable, File, Error, InvalidBinary)   \
    X(FileTrailingBytes, File, Warning, InvalidBinary) \
    X(FileLengthUnknown, File, Hint, InvalidBinary)

/// Flags, section bounds and the vector.
#define N6VP_HEADER_RULES(X) \
    X(FlagsMajor, Header, Error, InvalidBinary)                 \
    X(FlagsMinor, Header, Error, InvalidBinary)                 \
    X(FlagsReserved, Header, Warning, InvalidBinary)            \
    X(FlagsFloatAbi, Header, Error, InvalidBinary)              \
    X(FlagsFpu, Header, Error, InvalidBinary)                   \
    X(FlagsToolchain, Header, Warning, InvalidBinary)           \
    X(DataStart, Header, Error, InvalidBinary)                  \
    X(DataLoadSpace, Header, Error, InvalidBinary)              \
    X(DataEndSpace, Header, Error, InvalidBinary)               \
    X(BssStartSpace, Header, Error, InvalidBinary)              \
    X(BssEndSpace, Header, Error, InvalidBinary)                \
    X(GotStartSpace, Header, Error, InvalidBinary)              \
    X(GotEndSpace, Header, Error, InvalidBinary)                \
    X(RelStartSpace, Header, Error, InvalidBinary)              \
    X(RelEndSpace, Header, Error, InvalidBinary)                \
    X(PoolTableSpace, Header, Error, InvalidBinary)             \
    X(ParamsOffsetSpace, Header, Error, InvalidBinary)          \
    X(RoAlignment, Header, Error, InvalidBinary)                \
    X(RoAlignment8, Header, Error, InvalidBinary)               \
    X(RoTooSmall, Header, Error, InvalidBinary)                 \
    X(RoLimit, Header, Error, InvalidBinary)                    \
    X(DataEndOrder, Header, Error, InvalidBinary)               \
    X(GotStartOrder, Header, Error, InvalidBinary)              \
    X(GotEndOrder, Header, Error, InvalidBinary)                \
    X(BssStartOrder, Header, Error, InvalidBinary)              \
    X(BssEndOrder, Header, Error, InvalidBinary)                \
    X(BssEndLimit, Header, Error, InvalidBinary)                \
    X(GotAlignment, Header, Error, InvalidBinary)               \
    X(GotEntrySize, Header, Error, InvalidBinary)               \
    X(BssAlignment, Header, Warning, InvalidBinary)             \
    X(RelOrder, Header, Error, InvalidBinary)                   \
    X(RelAlignment, Header, Error, InvalidBinary)               \
    X(RelEntrySize, Header, Error, InvalidBinary)               \
    X(RelInsideImage, Header, Error, InvalidBinary)             \
    X(RoBeyondFile, Header, Error, InvalidBinary)               \
    X(DataBeyondFile, Header, Error, InvalidBinary)             \
    X(GapBeyondFile, Header, Error, InvalidBinary)              \
    X(RelBeyondFile, Header, Error, InvalidBinary)              \
    X(InitArrayIgnored, Header, Warning, InvalidBinary)         \
    X(BssGapHoldsRelocations, Header, Hint, InvalidBinary)      \
    X(ParamsOffsetAlignment, Header, Error, ParameterAddress)   \
    X(ParamsOffsetBeyondFile, Header, Error, ParameterAddress)  \
    X(ParamsOffsetInsideImage, Header, Error, ParameterAddress) \
    X(VectorSpace, Header, Error, InvalidBinary)                \
    X(VectorThumb, Header, Error, InvalidBinary)                \
    X(VectorInHeader, Header, Error, InvalidBinary)             \
    X(VectorOutside, Header, Error, InvalidBinary)

/// `rt_ctx` as stored in the file.
#define N6VP_CONTEXT_RULES(X) \
    X(ContextAlignment, Header, Error, InvalidBinary)          \
    X(ContextOutsideData, Header, Error, InvalidBinary)        \
    X(ContextState, Header, Warning, InvalidBinary)            \
    X(ContextFileAddress, Header, Warning, InvalidBinary)      \
    X(ContextRamAddress, Header, Warning, InvalidBinary)       \
    X(ContextRomAddress, Header, Warning, InvalidBinary)       \
    X(ContextCallbacks, Header, Warning, InvalidBinary)        \
    X(ContextInstance, Header, Warning, InvalidBinary)         \
    X(ContextVersion, Header, Warning, InvalidBinary)          \
    X(ContextVersionLowByte, Header, Warning, InvalidBinary)   \
    X(ContextDev, Header, Hint, InvalidBinary)                 \
    X(ContextNetworkSpace, Header, Error, InvalidBinary)       \
    X(ContextNetworkOutside, Header, Error, InvalidBinary)     \
    X(ContextStructSizes, Header, Warning, InvalidBinary)      \
    X(ContextStructDbg, Header, Warning, InvalidBinary)        \
    X(ContextStructReserved, Header, Warning, InvalidBinary)   \
    X(ContextExtRamSize, Header, Warning, InvalidBinary)       \
    X(ContextParamsSize, Header, Error, InvalidBinary)         \
    X(ContextActsSize, Header, Error, InvalidBinary)           \
    X(ContextNameSpace, Header, Error, InvalidBinary)          \
    X(ContextNameOutside, Header, Error, InvalidBinary)        \
    X(ContextNameUnterminated, Header, Error, InvalidBinary)   \
    X(ContextNameTooLong, Header, Error, InvalidBinary)        \
    X(ContextNameEmpty, Header, Hint, InvalidBinary)           \
    X(ContextNameUnprintable, Header, Warning, InvalidBinary)  \
    X(VersionTextSpace, Header, Error, InvalidBinary)          \
    X(VersionTextOutside, Header, Error, InvalidBinary)        \
    X(VersionTextUnterminated, Header, Error, InvalidBinary)   \
    X(VersionTextTooLong, Header, Error, InvalidBinary)        \
    X(VersionTextEmpty, Header, Hint, InvalidBinary)           \
    X(VersionTextUnprintable, Header, Warning, InvalidBinary)  \
    X(ContextNameNotRelocated, Header, Warning, InvalidBinary) \
    X(VersionTextNotRelocated, Header, Warning, InvalidBinary) \
    X(NetworkNotRelocated, Header, Error, InvalidBinary)

/// Model against firmware.
#define N6VP_FIRMWARE_RULES(X) \
    X(FirmwareCpuPart, Firmware, Error, InvalidBinary)        \
    X(FirmwareFpuOff, Firmware, Error, InvalidBinary)         \
    X(FirmwareNonSecure, Firmware, Error, InvalidBinary)      \
    X(FirmwareSecureOnly, Firmware, Error, InvalidBinary)     \
    X(FirmwareSecure, Firmware, Warning, InvalidBinary)       \
    X(FirmwareNoDbgInfo, Firmware, Error, InvalidBinary)      \
    X(FirmwareDbgInfo, Firmware, Error, InvalidBinary)        \
    X(FirmwarePolling, Firmware, Error, InvalidBinary)        \
    X(FirmwareAsync, Firmware, Error, InvalidBinary)          \
    X(FirmwareVersion, Firmware, Error, InvalidBinary)        \
    X(FirmwareHeaderLength, Firmware, Error, InvalidBinary)   \
    X(FirmwareGeneration, Firmware, Error, InvalidBinary)     \
    X(FirmwareDev, Firmware, Hint, InvalidBinary)             \
    X(FirmwareToolchain, Firmware, Error, InvalidBinary)      \
    X(FirmwareBufferInfoSize, Firmware, Error, InvalidBinary) \
    X(FirmwareEpochItemSize, Firmware, Error, InvalidBinary)

/// The caller's addresses, sizes and mode.
#define N6VP_REQUEST_RULES(X) \
    X(InstanceNull, Request, Error, InvalidBinary)              \
    X(InstanceAlignment, Request, Error, Argument)              \
    X(InstanceWraps, Request, Error, Argument)                  \
    X(InstancePeripheral, Request, Error, Argument)             \
    X(InstanceOverlapsExec, Request, Error, Argument)           \
    X(InstanceOverlapsExt, Request, Error, Argument)            \
    X(InstanceOverlapsFile, Request, Error, Argument)           \
    X(InstanceOverlapsParams, Request, Error, Argument)         \
    X(CallbacksNull, Request, Warning, Argument)                \
    X(GrantWraps, Request, Error, Argument)                     \
    X(ModeNone, Request, Error, Argument)                       \
    X(ModeBoth, Request, Error, Argument)                       \
    X(ModeUnknownBits, Request, Warning, Argument)              \
    X(ExecNull, Request, Error, Memory)                         \
    X(ExecSizeZero, Request, Error, Memory)                     \
    X(ExecNothingNeeded, Request, Error, InvalidBinary)         \
    X(ExecTooSmall, Request, Error, Memory)                     \
    X(ExecAlignment, Request, Error, Memory)                    \
    X(ExecAlignment8, Request, Error, Memory)                   \
    X(ExecCacheLine, Request, Warning, Memory)                  \
    X(ExecWraps, Request, Error, Memory)                        \
    X(ExecPeripheral, Request, Error, Memory)                   \
    X(ExecNeverExecutes, Request, Warning, Memory)              \
    X(ExecOverlapsFile, Request, Error, Memory)                 \
    X(ExecOverlapsExt, Request, Error, Memory)                  \
    X(ExecOverlapsParams, Request, Error, Memory)               \
    X(ExtAlignment, Request, Error, ParameterAddress)           \
    X(ExtAlignment8, Request, Error, ParameterAddress)          \
    X(ExtCacheLine, Request, Warning, ParameterAddress)         \
    X(ExtWraps, Request, Error, ParameterAddress)               \
    X(ExtPeripheral, Request, Error, ParameterAddress)          \
    X(ExtOverlapsFile, Request, Error, ParameterAddress)        \
    X(ExtOverlapsParams, Request, Error, ParameterAddress)      \
    X(ExtUnused, Request, Hint, ParameterAddress)               \
    X(ParamsMissing, Request, Error, ParameterAddress)          \
    X(ParamsAlignment, Request, Error, ParameterAddress)        \
    X(ParamsAlignment8, Request, Error, ParameterAddress)       \
    X(ParamsCacheLine, Request, Warning, ParameterAddress)      \
    X(ParamsEmbeddedCacheLine, Request, Hint, ParameterAddress) \
    X(ParamsWrap, Request, Error, ParameterAddress)             \
    X(ParamsBoth, Request, Warning, ParameterAddress)           \
    X(ParamsOverlapImage, Request, Error, ParameterAddress)

/// Parameters and memory-pool descriptors.
#define N6VP_POOL_RULES(X) \
    X(ParamsTooShort, Pools, Error, ParameterAddress)                    \
    X(ParamsUnreadable, Pools, Error, ParameterAddress)                  \
    X(ParamsCrc, Pools, Error, ParameterAddress)                         \
    X(ParamsCrcUnknown, Pools, Hint, ParameterAddress)                   \
    X(PoolTableOutside, Pools, Error, InvalidBinary)                     \
    X(PoolTableAlignment, Pools, Error, InvalidBinary)                   \
    X(PoolTableUnterminated, Pools, Error, InvalidBinary)                \
    X(PoolTableTen, Pools, Error, InvalidBinary)                         \
    X(PoolTableEmpty, Pools, Hint, InvalidBinary)                        \
    X(PoolTerminatorPartial, Pools, Error, InvalidBinary)                \
    X(PoolNameSpace, Pools, Error, InvalidBinary)                        \
    X(PoolNameOutside, Pools, Error, InvalidBinary)                      \
    X(PoolNameUnterminated, Pools, Error, InvalidBinary)                 \
    X(PoolNameTooLong, Pools, Error, InvalidBinary)                      \
    X(PoolNameEmpty, Pools, Hint, InvalidBinary)                         \
    X(PoolNameUnprintable, Pools, Warning, InvalidBinary)                \
    X(PoolNameNotRelocated, Pools, Warning, InvalidBinary)               \
    X(PoolTypeUnused, Pools, Error, ParameterTable)                      \
    X(PoolTypeUnknown, Pools, Error, ParameterTable)                     \
    X(PoolTypeUnsupported, Pools, Error, ParameterTable)                 \
    X(PoolDataUnknown, Pools, Error, ParameterTable)                     \
    X(PoolAttributesUnknown, Pools, Warning, ParameterTable)             \
    X(PoolIdUnknown, Pools, Error, ParameterTable)                       \
    X(PoolIdIgnored, Pools, Warning, ParameterTable)                     \
    X(PoolParamMixed, Pools, Error, ParameterTable)                      \
    X(PoolParamWrite, Pools, Error, ParameterTable)                      \
    X(PoolParamActivation, Pools, Error, ParameterTable)                 \
    X(PoolExternalParam, Pools, Error, ParameterTable)                   \
    X(PoolParamTwice, Pools, Error, ParameterTable)                      \
    X(PoolExternalTwice, Pools, Error, ParameterTable)                   \
    X(PoolCopyActivation, Pools, Warning, ParameterTable)                \
    X(PoolResetParam, Pools, Warning, ParameterTable)                    \
    X(PoolSizeZero, Pools, Error, ParameterTable)                        \
    X(PoolSizeWraps, Pools, Error, ParameterTable)                       \
    X(PoolSourceOutside, Pools, Error, ParameterAddress)                 \
    X(PoolSourceRounding, Pools, Error, ParameterAddress)                \
    X(PoolSourceWraps, Pools, Error, ParameterAddress)                   \
    X(PoolSourceAlignment, Pools, Warning, ParameterAddress)             \
    X(PoolParamShift, Pools, Warning, ParameterTable)                    \
    X(PoolParamShiftsBlobs, Pools, Error, ParameterTable)                \
    X(PoolMixedReadsBlobs, Pools, Error, ParameterTable)                 \
    X(PoolCopyReadsBlobs, Pools, Error, ParameterTable)                  \
    X(PoolParamOnChip, Pools, Error, ParameterAddress)                   \
    X(PoolParamAtLimit, Pools, Hint, ParameterAddress)                   \
    X(PoolParamOnChipUncached, Pools, Hint, ParameterAddress)            \
    X(PoolExternalMissing, Pools, Error, ParameterAddress)               \
    X(PoolExternalTooSmall, Pools, Error, ParameterAddress)              \
    X(PoolExternalOnChip, Pools, Error, ParameterAddress)                \
    X(PoolExternalAtLimit, Pools, Hint, ParameterAddress)                \
    X(PoolDestinationIgnored, Pools, Hint, ParameterTable)               \
    X(PoolDestinationNull, Pools, Error, ParameterAddress)               \
    X(PoolDestinationAlignment, Pools, Warning, ParameterAddress)        \
    X(PoolDestinationWraps, Pools, Error, ParameterAddress)              \
    X(PoolDestinationPeripheral, Pools, Error, ParameterAddress)         \
    X(PoolDestinationExternal, Pools, Hint, ParameterAddress)            \
    X(PoolDestinationNotGranted, Pools, Error, ParameterAddress)         \
    X(PoolDestinationRoundingNotGranted, Pools, Error, ParameterAddress) \
    X(PoolOverlapsExec, Pools, Error, ParameterAddress)                  \
    X(PoolOverlapsExt, Pools, Error, ParameterAddress)                   \
    X(PoolOverlapsFile, Pools, Error, ParameterAddress)                  \
    X(PoolOverlapsParams, Pools, Error, ParameterAddress)                \
    X(PoolOverlapsInstance, Pools, Error, ParameterAddress)              \
    X(PoolOverlapsPool, Pools, Error, ParameterAddress)

/// GOT words.
#define N6VP_IMAGE_RULES(X) \
    X(GotShort, Image, Warning, InvalidBinary)             \
    X(GotReserved, Image, Warning, InvalidBinary)          \
    X(GotZero, Image, Error, InvalidBinary)                \
    X(GotClang, Image, Warning, InvalidBinary)             \
    X(GotValueNull, Image, Error, InvalidBinary)           \
    X(GotValueSpace, Image, Error, InvalidBinary)          \
    X(GotValueParam2, Image, Error, InvalidBinary)         \
    X(GotValueTrash, Image, Error, InvalidBinary)          \
    X(GotValueRamRange, Image, Error, InvalidBinary)       \
    X(GotValueRamInsideGot, Image, Warning, InvalidBinary) \
    X(GotValueFlashRange, Image, Error, InvalidBinary)     \
    X(GotValueParam0Range, Image, Error, InvalidBinary)    \
    X(GotValueParam1Range, Image, Error, InvalidBinary)    \
    X(GotValueParam1NoPool, Image, Error, InvalidBinary)

/// Relocation entries and the words they patch.
#define N6VP_RELOCATION_RULES(X) \
    X(RelocationSpace, Relocation, Error, InvalidBinary)               \
    X(RelocationAlignment, Relocation, Error, InvalidBinary)           \
    X(RelocationOutsideRam, Relocation, Error, InvalidBinary)          \
    X(RelocationInBss, Relocation, Error, InvalidBinary)               \
    X(RelocationInGap, Relocation, Error, InvalidBinary)               \
    X(RelocationInGot, Relocation, Error, InvalidBinary)               \
    X(RelocationOutsideRo, Relocation, Error, InvalidBinary)           \
    X(RelocationInHeader, Relocation, Error, InvalidBinary)            \
    X(RelocationNeedsCopy, Relocation, Error, NotSupported)            \
    X(RelocationRoGeneration, Relocation, Error, NotSupported)         \
    X(RelocationRoGcc, Relocation, Warning, InvalidBinary)             \
    X(RelocationTwice, Relocation, Error, InvalidBinary)               \
    X(RelocationOrder, Relocation, Hint, InvalidBinary)                \
    X(RelocationUnsorted, Relocation, Error, InvalidBinary)            \
    X(RelocationContextRuntime, Relocation, Warning, InvalidBinary)    \
    X(RelocationContextNumber, Relocation, Error, InvalidBinary)       \
    X(RelocationPoolNumber, Relocation, Warning, InvalidBinary)        \
    X(RelocationValueNull, Relocation, Error, InvalidBinary)           \
    X(RelocationValueSpace, Relocation, Error, InvalidBinary)          \
    X(RelocationValueParam2, Relocation, Error, InvalidBinary)         \
    X(RelocationValueTrash, Relocation, Error, InvalidBinary)          \
    X(RelocationValueRamRange, Relocation, Error, InvalidBinary)       \
    X(RelocationValueRamInsideGot, Relocation, Warning, InvalidBinary) \
    X(RelocationValueFlashRange, Relocation, Error, InvalidBinary)     \
    X(RelocationValueParam0Range, Relocation, Error, InvalidBinary)    \
    X(RelocationValueParam1Range, Relocation, Error, InvalidBinary)    \
    X(RelocationValueParam1NoPool, Relocation, Error, InvalidBinary)   \
    X(RelocationValueZero, Relocation, Hint, InvalidBinary)

/// Found while installing or at a later call.
#define N6VP_INSTALL_RULES(X) \
    X(VendorOverwrite, Image, Error, WouldOverwrite)  \
    X(VendorReadsOutside, Image, Error, WouldFault)   \
    X(InstallReadFailed, Image, Error, BusError)      \
    X(InstallWriteFailed, Image, Error, BusError)     \
    X(HandleNull, Handle, Error, InvalidHandle)       \
    X(HandleUnreadable, Handle, Error, InvalidBinary) \
    X(HandleRoNull, Handle, Error, InvalidBinary)     \
    X(HandleMagic, Handle, Error, InvalidBinary)      \
    X(HandleState, Handle, Error, InvalidBinary)
#define N6VP_CONTAINER_RULES(X) \
    N6VP_FILE_RULES(X) \
    N6VP_HEADER_RULES(X) \
    N6VP_CONTEXT_RULES(X) \
    N6VP_FIRMWARE_RULES(X) \
    N6VP_REQUEST_RULES(X) \
    N6VP_POOL_RULES(X) \
    N6VP_IMAGE_RULES(X) \
    N6VP_RELOCATION_RULES(X) \
    N6VP_INSTALL_RULES(X)
// clang-format on

namespace n6vp::loader {

/// What can be wrong, one enumerator per distinct fault: two different faults never share one.
enum class Rule : std::uint16_t {
    None = 0,
#define N6VP_ENUMERATOR(rule, stage, severity, status) rule,
    N6VP_CONTAINER_RULES(N6VP_ENUMERATOR)
#undef N6VP_ENUMERATOR
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
    EcIndicesTooLong,   ///< index arrays out of order, or shared, and too long to judge
    EcEncryptedTables,  ///< encrypted stream with words to relocate or patch (E11)
    EcNotEncrypted,     ///< flagged as encrypted, yet decodes completely (E11)
// The older container (loader/legacy)
#define N6VP_ENUMERATOR(rule, stage, severity, status) rule,
    N6VP_LEGACY_RULES(N6VP_ENUMERATOR)
#undef N6VP_ENUMERATOR
        kCount  ///< number of enumerators, not a rule
};

}  // namespace n6vp::loader
