// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/container.h"
#include "loader/profile.h"

namespace n6vp::loader {

/// Receives text piece by piece; `characters` is not terminated. A line ends with "\r\n", as on a
/// UART.
struct TextSink {
    void* context = nullptr;
    void (*write)(void* context, const char* characters, std::uint32_t count) = nullptr;
};

/// Describes an opened container as `ll_aton_reloc_log_info` does: the labels of the vendor's log
/// in the vendor's order. What the file holds is printed beside what `profile` says about the
/// firmware (CPUID, FPU). Words that cannot be read print as 0, names that cannot be read as "?",
/// and other bytes than printable ASCII in a name as '?'.
void log_info(const Container& container, const RuntimeProfile& profile, const TextSink& sink);

}  // namespace n6vp::loader
