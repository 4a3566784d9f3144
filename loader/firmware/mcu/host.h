// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "loader/firmware/mcu/job.h"

namespace n6vp::firmware::mcu {

/// Tells the host. Returns its answer.
std::uint32_t tell(Event event, std::initializer_list<std::uint32_t> words);

/// The job; only a host writes it.
[[nodiscard]] const Job& job();

}  // namespace n6vp::firmware::mcu
