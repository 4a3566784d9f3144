// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/fabric/bus_events.h"
#include "sim/faults/fault_log.h"

/// What the numbers of a fault mean, in words.
namespace n6vp::sim::fault_report {

/// Returns the name for people: "bus fault".
[[nodiscard]] const char* kind_text(Kind kind);
/// Returns the names of the bits that a fault set: "PRECISERR", "IACCVIOL MSTKERR".
[[nodiscard]] std::string status_text(Kind kind, std::uint32_t status);
/// Returns the rule that those bits say was broken.
[[nodiscard]] std::string rule_text(const FaultMoment& moment);
/// Returns why the bus refused an access.
[[nodiscard]] const char* refusal_text(models::AccessFault::Kind kind);
/// Returns one line of what to do.
[[nodiscard]] std::string remedy_text(const FaultMoment& moment);
/// Returns "exception BusFault" and the like for a number of an exception; "thread" for 0.
[[nodiscard]] std::string exception_text(std::uint32_t number);
/// Returns "AXISRAM3+0x40", "USART1+0x8", or "" where nothing is.
[[nodiscard]] std::string region_text(std::uint32_t address);

}  // namespace n6vp::sim::fault_report
