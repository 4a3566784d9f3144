// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/npu/registers/register_file.h"
#include "models/npu/units/convolution_config.h"

namespace n6vp::models::npu {

/// Returns what the registers of a CONVACC configure.
[[nodiscard]] ConvolutionConfig decode_convolution(const RegisterFile& registers);

}  // namespace n6vp::models::npu
