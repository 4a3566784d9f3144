// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Bits of DCMIPP's registers. Source: public register description.
namespace n6vp::models::camera {

// Of a pipe in CMSR2, CMIER, CMFCR and its own registers.
inline constexpr std::uint32_t kLineFlag = 1, kFrameFlag = 2, kVsyncFlag = 4, kLimitFlag = 1u << 6,
                               kOverrunFlag = 1u << 7;
inline constexpr std::uint32_t kPixelFlags = 0x87, kDumpFlags = 0xC7;
/// CMSR2.ATXERRF.
inline constexpr std::uint32_t kTransferError = 1u << 5;
// Of a pipe in CMSR1: LSTLINE and LSTFRM, CPTACT.
inline constexpr std::uint32_t kLastLine = 1, kLastFrame = 2, kLastBits = 3,
                               kCaptureActive = 1u << 7;
// CMCR.
inline constexpr std::uint32_t kSerialInput = 1, kClearFrames = 1u << 4;
// PRCR.
inline constexpr std::uint32_t kParallelEnable = 1u << 14;
// PxFSCR.
inline constexpr std::uint32_t kPipeEnable = 1u << 31, kPipesDiffer = 1u << 18;
// PxFCTCR.
inline constexpr std::uint32_t kSnapshot = 1u << 2, kCaptureRequest = 1u << 3;
// PxPPCR.
inline constexpr std::uint32_t kDoubleBuffer = 1u << 16, kAddressWrap = 1u << 20,
                               kSwapRedBlue = 1u << 4, kPadLow = 1u << 5;
/// Of the dump pipe: SWAPYUV, HEADEREN, BSM, LSM.
inline constexpr std::uint32_t kDumpSelections = 1u | 1u << 6 | 3u << 7 | 1u << 10;
// PxCMRICR.
inline constexpr std::uint32_t kRegionEnables = 0xFFu << 16;

[[nodiscard]] constexpr std::uint32_t bits(std::uint32_t word, unsigned position, unsigned count) {
    return word >> position & ((1u << count) - 1);
}

}  // namespace n6vp::models::camera
