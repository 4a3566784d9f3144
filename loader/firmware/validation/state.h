// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/validation/device.h"

/// The validation firmware: models of the flash behind the protocol of loader/validation.
namespace n6vp::firmware::validation {

/// Core, bus, NPU and interconnect clocks of the overdrive set-up, Hz.
inline constexpr std::uint32_t kCoreHz = 800'000'000, kBusHz = 400'000'000, kNpuHz = 1'000'000'000,
                               kNicHz = 900'000'000;

/// Puts the models that the flash announces into the job. Fails if there are none.
[[nodiscard]] bool find_models();
/// Installs them, each once or, if they share memory, the first one. Fails if none can be.
[[nodiscard]] bool install_models();
[[nodiscard]] n6vp::validation::Device device();

}  // namespace n6vp::firmware::validation
