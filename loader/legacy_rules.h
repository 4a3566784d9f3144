// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Rules that only the older container has, one line per distinct fault: X(rule, stage, severity,
/// status). What both formats share (order and size of sections, GOT words, names) is a rule of
/// loader/rules.h and is reported by that name for both. That all models are hard-float and use the
/// FPU is assumed (LegacyFlagsFloatAbi, LegacyFlagsFpu: warnings): the format has values for
/// others.
// clang-format off
#define N6VP_LEGACY_RULES(X) \
    X(LegacyFileNull, File, Error, InvalidBinary)                      \
    X(LegacyFileTooShort, File, Error, InvalidBinary)                  \
    X(LegacyOtherFormat, File, Error, InvalidBinary)                   \
    X(LegacyErasedFlash, File, Error, InvalidBinary)                   \
    X(LegacyTrailingBytes, File, Warning, InvalidBinary)               \
    X(LegacyFlagsOld, Header, Error, InvalidBinary)                    \
    X(LegacyFlagsMajor, Header, Error, InvalidBinary)                  \
    X(LegacyFlagsMinor, Header, Error, InvalidBinary)                  \
    X(LegacyFlagsReserved, Header, Warning, InvalidBinary)             \
    X(LegacyFlagsToolchain, Header, Warning, InvalidBinary)            \
    X(LegacyFlagsFloatAbi, Header, Warning, InvalidBinary)             \
    X(LegacyFlagsFpu, Header, Warning, InvalidBinary)                  \
    X(LegacyFlagsCore, Header, Warning, InvalidBinary)                 \
    X(LegacyDataStart, Header, Error, InvalidBinary)                   \
    X(LegacyDataEndSpace, Header, Error, InvalidBinary)                \
    X(LegacyRoAlignment, Header, Error, InvalidBinary)                 \
    X(LegacyRoLimit, Header, Error, InvalidBinary)                     \
    X(LegacyRamLimit, Header, Error, InvalidBinary)                    \
    X(LegacyRelLimit, Header, Error, InvalidBinary)                    \
    X(LegacyInitArrayIgnored, Header, Warning, InvalidBinary)          \
    X(LegacyWeightsSpace, Header, Error, InvalidBinary)                \
    X(LegacyWeightsOrder, Header, Error, InvalidBinary)                \
    X(LegacyWeightsAlignment, Header, Error, InvalidBinary)            \
    X(LegacyWeightsInsideImage, Header, Error, InvalidBinary)          \
    X(LegacyWeightsBeyondFile, Header, Error, InvalidBinary)           \
    X(LegacyWeightsTooShort, Header, Error, InvalidBinary)             \
    X(LegacyWeightsTooLong, Header, Warning, InvalidBinary)            \
    X(LegacyVectorThumb, Header, Error, InvalidBinary)                 \
    X(LegacyContextSpace, Header, Error, InvalidBinary)                \
    X(LegacyContextGeneration, Header, Warning, InvalidBinary)         \
    X(LegacyContextNetwork, Header, Warning, InvalidBinary)            \
    X(LegacyContextHeapBlock, Header, Warning, InvalidBinary)          \
    X(LegacyContextObserver, Header, Warning, InvalidBinary)           \
    X(LegacyContextCrc, Header, Warning, InvalidBinary)                \
    X(LegacyCpuPart, Firmware, Error, InvalidBinary)                   \
    X(LegacyCrcNoRoom, Firmware, Error, InvalidBinary)                 \
    X(LegacyCrcAlwaysOn, Firmware, Hint, InvalidBinary)                \
    X(LegacyHandleNull, Request, Error, Argument)                      \
    X(LegacyModeNone, Request, Error, Argument)                        \
    X(LegacyModeBoth, Request, Error, Argument)                        \
    X(LegacyModeUnknownBits, Request, Error, Argument)                 \
    X(LegacyNothingNeeded, Request, Error, InvalidBinary)              \
    X(LegacyRamAlignment, Request, Error, Memory)                      \
    X(LegacyRamTooSmall, Request, Error, Memory)                       \
    X(LegacyRamHalfGiven, Request, Error, Memory)                      \
    X(LegacyRamWraps, Request, Error, Memory)                          \
    X(LegacyRamPeripheral, Request, Error, Memory)                     \
    X(LegacyRamNeverExecutes, Request, Warning, Memory)                \
    X(LegacyRamOverlapsFile, Request, Error, Memory)                   \
    X(LegacyRamOverlapsWeights, Request, Error, Memory)                \
    X(LegacyRamOverlapsActivations, Request, Error, Memory)            \
    X(LegacyRamFromHeap, Request, Hint, Memory)                        \
    X(LegacyHeapMissing, Request, Error, Memory)                       \
    X(LegacyHeapFull, Request, Error, Memory)                          \
    X(LegacyWeightsApart, Request, Hint, Argument)                     \
    X(LegacyWeightsBoth, Request, Warning, Argument)                   \
    X(LegacyWeightsGivenAlignment, Request, Error, Argument)           \
    X(LegacyWeightsGivenTooShort, Request, Error, Argument)            \
    X(LegacyWeightsGivenWrap, Request, Error, Argument)                \
    X(LegacyActivationsAlignment, Request, Error, Argument)            \
    X(LegacyActivationsTooSmall, Request, Error, Argument)             \
    X(LegacyActivationsWrap, Request, Error, Argument)                 \
    X(LegacyActivationsOverlapFile, Request, Error, Argument)          \
    X(LegacyActivationsOverlapWeights, Request, Error, Argument)       \
    X(LegacyGotZero, Image, Warning, InvalidBinary)                    \
    X(LegacyRelocationInFlash, Relocation, Error, InvalidBinary)       \
    X(LegacyRelocationSpace, Relocation, Error, InvalidBinary)         \
    X(LegacyHandleAlignment, Handle, Error, InvalidHandle)             \
    X(LegacyHandleForeign, Handle, Error, InvalidHandle)               \
    X(LegacyEntry, Handle, Error, InvalidHandle)                       \
    X(LegacyWeightsMissing, Handle, Error, Argument)                   \
    X(LegacyActivationsMissing, Handle, Error, Argument)               \
    X(LegacyNotDestroyed, Handle, Error, InvalidHandle)                \
    X(LegacyHandleStale, Handle, Error, InvalidHandle)                 \
    X(LegacyCrcUnitOff, Handle, Error, InvalidHandle)                  \
    X(LegacyNotCreated, Handle, Error, InvalidHandle)                  \
    X(LegacyNotInitialised, Handle, Error, InvalidHandle)              \
    X(LegacyMissingInit, Handle, Error, InvalidHandle)                 \
    X(LegacyNotRun, Handle, Error, InvalidHandle)                      \
    X(LegacyRunsAlready, Handle, Error, InvalidHandle)                 \
    X(LegacyActivationsInUse, Handle, Error, InvalidHandle)
// clang-format on
