// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models::camera {

/// A register of DCMIPP. Source: public register description.
struct DcmippRegister {
    const char* name = "";  ///< "": there is none
    std::uint32_t reset = 0;
    std::uint32_t writable = 0;  ///< bits that software writes
    /// The value in effect has a register of its own, `kDcmippToCurrent` above.
    bool has_current = false;
};

inline constexpr std::uint32_t kDcmippEnd = 0x1000;  ///< bytes
/// From a pipe's register to the value that holds for its frame.
inline constexpr std::uint32_t kDcmippToCurrent = 0x200;
inline constexpr unsigned kDcmippPipes = 3;  ///< dump, main, ancillary
/// Block of a pipe.
[[nodiscard]] constexpr std::uint32_t dcmipp_pipe(unsigned pipe) {
    return 0x400 * (pipe + 1);
}

/// Returns the register at that offset, a multiple of 4.
[[nodiscard]] const DcmippRegister& dcmipp_register(std::uint32_t offset);

// Of the unit.
inline constexpr std::uint32_t kDcmippIpStart = 0x004, kDcmippPrcr = 0x104, kDcmippCmcr = 0x204,
                               kDcmippFrames = 0x208, kDcmippCmier = 0x3F0, kDcmippCmsr1 = 0x3F4,
                               kDcmippCmsr2 = 0x3F8, kDcmippCmfcr = 0x3FC;
// Of a pipe, from its block.
inline constexpr std::uint32_t kPipeFlow = 0x004, kPipeFirstLines = 0x020, kPipeBadPixels = 0x024,
                               kPipeIspDecimation = 0x030, kPipeBlackLevel = 0x040,
                               kPipeExposure = 0x044, kPipeStatistics = 0x050,
                               kPipeStatisticsStart = 0x05C, kPipeStatisticsSize = 0x060,
                               kPipeStatisticsResult = 0x064, kPipeDemosaicing = 0x070,
                               kPipeColours = 0x080, kPipeContrast = 0x0A0, kPipeControl = 0x100,
                               kPipeCropStart = 0x104, kPipeCropSize = 0x108,
                               kPipeDecimation = 0x10C, kPipeDownsize = 0x110, kPipeRatios = 0x114,
                               kPipeSize = 0x118, kPipeRegions = 0x120, kPipeGamma = 0x170,
                               kPipeYuv = 0x180, kPipeDumped = 0x1B0, kPipeLimit = 0x1B4,
                               kPipePacker = 0x1C0, kPipeMemory = 0x1C4, kPipeMemory2 = 0x1C8,
                               kPipePitch = 0x1CC, kPipeMemoryStatus = 0x1D0, kPipeIer = 0x1F4,
                               kPipeSr = 0x1F8, kPipeFcr = 0x1FC;
/// From a plane's address and pitch to those of the next plane.
inline constexpr std::uint32_t kPipePlane = 0x10;

}  // namespace n6vp::models::camera
