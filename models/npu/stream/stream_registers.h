// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/npu/registers/register_file.h"
#include "models/npu/stream/stream_config.h"
#include "models/npu/stream/switch.h"

namespace n6vp::models::npu {

/// Returns what the registers of a stream engine configure.
[[nodiscard]] StreamConfig decode_stream(const RegisterFile& registers);

/// Returns what the stream switch's register of destination `destination` (0 to 40) configures.
[[nodiscard]] SwitchConfig decode_switch(const RegisterFile& registers, std::uint32_t destination);

}  // namespace n6vp::models::npu
