// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models {

/// Ports of the bus through which masters come in.
enum class Initiator : std::uint8_t {
    CoreCode,
    CoreData,
    CoreTcm,  ///< the core's private way to its TCMs: costs no bus
    Npu0,
    Npu1,
    EpochController,
    Host,  ///< the loader on the host, with the core's costs (`n6vp install`)
    Gpdma0,
    Gpdma1,
    Hpdma0,  ///< AXI
    Hpdma1,  ///< AHB
    Ltdc,
    Dma2d,
    Dcmipp,
    Sdmmc1,
    Sdmmc2,
};
inline constexpr unsigned kInitiators = 16;

[[nodiscard]] constexpr unsigned number(Initiator initiator) {
    return static_cast<unsigned>(initiator);
}
[[nodiscard]] constexpr bool on_npu_side(Initiator from) {
    return from == Initiator::Npu0 || from == Initiator::Npu1 || from == Initiator::EpochController;
}
/// Ports of the DMA controllers.
[[nodiscard]] constexpr bool of_dma(Initiator from) {
    return from >= Initiator::Gpdma0 && from <= Initiator::Hpdma1;
}
/// Ports of the units that move pixels, on AXI.
[[nodiscard]] constexpr bool moves_pixels(Initiator from) {
    return from == Initiator::Ltdc || from == Initiator::Dma2d || from == Initiator::Dcmipp;
}
/// Internal DMA of the SDMMC controllers.
[[nodiscard]] constexpr bool of_sdmmc(Initiator from) {
    return from == Initiator::Sdmmc1 || from == Initiator::Sdmmc2;
}
/// Returns the name for reports, "unknown" for a number that is no port.
[[nodiscard]] constexpr const char* initiator_name(unsigned initiator) {
    constexpr const char* kNames[kInitiators] = {
        "core code",    "core data",        "core TCM",     "NPU port 0",
        "NPU port 1",   "epoch controller", "host",         "GPDMA port 0",
        "GPDMA port 1", "HPDMA port 0",     "HPDMA port 1", "LTDC",
        "DMA2D",        "DCMIPP",           "SDMMC1",       "SDMMC2"};
    return initiator < kInitiators ? kNames[initiator] : "unknown";
}

}  // namespace n6vp::models
