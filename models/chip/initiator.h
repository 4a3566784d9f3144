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

}  // namespace n6vp::models
