// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Bits of system registers that more than one source file needs, by register.
namespace n6vp::models::core {

namespace control {
inline constexpr std::uint32_t kUnprivileged = 1, kProcessStack = 2, kFpActive = 4,
                               kSecureFpActive = 8;
}

namespace ccr {
inline constexpr std::uint32_t kThreadFromAnyLevel = 1u << 0, kAlignStack = 1u << 9;
inline constexpr std::uint32_t kReset = kThreadFromAnyLevel | kAlignStack;  ///< RES1 in Armv8-M
inline constexpr std::uint32_t kUserSetPending = 1u << 1, kUnalignedTrap = 1u << 3,
                               kDivideTrap = 1u << 4, kIgnoreBusFaults = 1u << 8,
                               kIgnoreStackLimit = 1u << 10, kDataCache = 1u << 16,
                               kInstructionCache = 1u << 17, kBranchPrediction = 1u << 18,
                               kLowOverhead = 1u << 19, kNoReentry = 1u << 20;
}  // namespace ccr

namespace scr {
inline constexpr std::uint32_t kSleepOnExit = 2, kSleepDeep = 4, kSleepDeepSecure = 8,
                               kEventOnPending = 16;
}

namespace fpccr {
inline constexpr std::uint32_t kPreservationActive = 1u << 0, kUser = 1u << 1,
                               kOwnerSecure = 1u << 2, kThread = 1u << 3, kHardFaultReady = 1u << 4,
                               kMemManageReady = 1u << 5, kBusFaultReady = 1u << 6,
                               kSecureFaultReady = 1u << 7, kMonitorReady = 1u << 8,
                               kBelowLimit = 1u << 9, kUsageFaultReady = 1u << 10,
                               kTreatSecure = 1u << 26, kClearOnReturnSecure = 1u << 27,
                               kClearOnReturn = 1u << 28, kLazySecure = 1u << 29, kLazy = 1u << 30,
                               kAutomatic = 1u << 31;
/// Those that exist per security state; the others live in the Secure one.
inline constexpr std::uint32_t kBanked = kPreservationActive | kUser | kThread | kMemManageReady |
                                         kBelowLimit | kUsageFaultReady | kAutomatic;
}  // namespace fpccr

namespace xpsr {
inline constexpr std::uint32_t kException = 0x1FF, kAligned = 1u << 9, kSecureFp = 1u << 20,
                               kThumb = 1u << 24;
}

namespace hfsr {
inline constexpr std::uint32_t kVectorTable = 1u << 1, kForced = 1u << 30, kDebug = 1u << 31;
}

namespace demcr {
inline constexpr std::uint32_t kMonitorEnable = 1u << 16, kMonitorPending = 1u << 17,
                               kMonitorSecure = 1u << 20, kTraceEnable = 1u << 24;
}

/// Bytes of stack frames: basic, with the FP context, with all FP registers, of Secure callees.
inline constexpr std::uint32_t kBasicFrame = 0x20, kFpFrame = 0x68, kWholeFpFrame = 0xA8,
                               kCalleeFrame = 0x28;
inline constexpr std::uint32_t kBusStatus = 0xFF00;            ///< BFSR in CFSR
inline constexpr std::uint32_t kNoTailPredication = 4u << 16;  ///< FPSCR.LTPSIZE
inline constexpr std::uint32_t kIntegritySignature = 0xFEFA125A;
inline constexpr std::uint32_t kFunctionReturn = 0xFEFFFFFF;
inline constexpr std::uint32_t kExceptionReturnStart = 0xFF000000;

}  // namespace n6vp::models::core
