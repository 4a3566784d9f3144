// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "models/core/core.h"
#include "models/picoseconds.h"

namespace n6vp::sim {

/// Ports of the bus through which masters come in.
enum class Initiator : std::uint8_t {
    CoreCode,
    CoreData,
    CoreTcm,  ///< the core's private way to its TCMs: costs no bus
    Npu0,
    Npu1,
    EpochController,
    Host,  ///< the loader on the host, with the core's costs (`n6vp install`)
};
inline constexpr unsigned kInitiators = 7;

[[nodiscard]] constexpr unsigned number(Initiator initiator) {
    return static_cast<unsigned>(initiator);
}
[[nodiscard]] constexpr bool on_npu_side(Initiator from) {
    return from == Initiator::Npu0 || from == Initiator::Npu1 || from == Initiator::EpochController;
}
/// Returns the name for reports, "unknown" for a number that is no port.
[[nodiscard]] constexpr const char* initiator_name(unsigned initiator) {
    constexpr const char* kNames[kInitiators] = {"core code",  "core data",  "core TCM",
                                                 "NPU port 0", "NPU port 1", "epoch controller",
                                                 "host"};
    return initiator < kInitiators ? kNames[initiator] : "unknown";
}

/// State of the chip when the core leaves reset.
enum class BootState : std::uint8_t {
    /// As after the boot ROM and the set-up of platform firmware: memories powered and clocked, NPU
    /// and its cache clocked awake and asleep, the NPU a trusted master, all filters open.
    Ready,
    /// As the hardware comes up: AXISRAM3 to 6 off, most clocks off, filters closed.
    Reset,
};

struct PlatformOptions {
    models::core::Timing timing = models::core::Timing::Approx;
    models::core::Coherence coherence = models::core::Coherence::Ideal;
    models::Picoseconds quantum = 1'000'000;
    BootState boot = BootState::Ready;
    /// The trace hash covers every transaction on the bus, which costs host time.
    bool hash_transactions = false;
    std::uint32_t omitted_set_up = 0;    ///< bits 1 << models::SetUpStep that Ready leaves out
    std::uint32_t vectors = 0x34000000;  ///< VTOR_S out of reset
};

}  // namespace n6vp::sim
