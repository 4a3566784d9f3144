// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::memmap {

/// How sure a fact of the map is.
enum class Confidence : std::uint8_t { Documented, Measured, Assumed };

/// Clock that paces the port of a memory. RM names: sysa is Cpu, sysb Noc, sysc Npu, sysd Nic.
enum class ClockDomain : std::uint8_t { None, Cpu, Noc, Npu, Nic, Ahb, Xspi1, Xspi2, Xspi3, Fmc };

/// Default frequency of one domain; 0 means that nothing published gives one.
struct Clock {
    const char* name;
    std::uint32_t overdrive_hz;     ///< VDDCORE 0.89 to 0.90 V
    std::uint32_t no_overdrive_hz;  ///< VDDCORE 0.80 V
    const char* source;
    ClockDomain domain;
    Confidence confidence;
};

inline constexpr std::uint32_t kMhz = 1000000;

/// One row per domain, in enumerator order.
inline constexpr Clock kClocks[] = {
    {"none", 0, 0, "no port is modelled", ClockDomain::None, Confidence::Documented},
    {"CPU", 800 * kMhz, 600 * kMhz, "validation firmware: PLL1 through IC1", ClockDomain::Cpu,
     Confidence::Documented},
    {"NOC", 400 * kMhz, 400 * kMhz, "validation firmware: PLL1 through IC2", ClockDomain::Noc,
     Confidence::Documented},
    {"NPU", 1000 * kMhz, 800 * kMhz, "validation firmware: PLL2 through IC6", ClockDomain::Npu,
     Confidence::Documented},
    {"NIC", 900 * kMhz, 800 * kMhz, "validation firmware: PLL3 through IC11", ClockDomain::Nic,
     Confidence::Documented},
    {"AHB", 100 * kMhz, 100 * kMhz, "validation firmware: SYSCLK / 4", ClockDomain::Ahb,
     Confidence::Documented},
    {"XSPI1", 200 * kMhz, 200 * kMhz, "validation firmware: IC4 = 800 / 4", ClockDomain::Xspi1,
     Confidence::Documented},
    {"XSPI2", 200 * kMhz, 200 * kMhz, "validation firmware: IC3 = 800 / 4", ClockDomain::Xspi2,
     Confidence::Documented},
    {"XSPI3", 0, 0, "not fitted on the discovery kit", ClockDomain::Xspi3, Confidence::Assumed},
    {"FMC", 0, 0, "not fitted on the discovery kit", ClockDomain::Fmc, Confidence::Assumed},
};

/// Returns the row of a domain.
[[nodiscard]] constexpr const Clock& clock(ClockDomain domain) {
    return kClocks[static_cast<std::uint8_t>(domain)];
}

namespace detail {
[[nodiscard]] constexpr bool clocks_are_in_order() {
    std::uint8_t index = 0;
    for (const Clock& row : kClocks) {
        if (static_cast<std::uint8_t>(row.domain) != index++) return false;
    }
    return index == static_cast<std::uint8_t>(ClockDomain::Fmc) + 1;
}
}  // namespace detail
static_assert(detail::clocks_are_in_order());

}  // namespace n6vp::memmap
