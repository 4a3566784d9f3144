// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The chip's own machine under the runtime: see loader/runtime/machine.h.
namespace n6vp::runtime::cortex_m {

/// Takes over how the firmware says it was built, which no operation changes.
void read_profile();
/// Prints one line of pieces; nullptr ends the list.
void say(const char* const* pieces);

}  // namespace n6vp::runtime::cortex_m
