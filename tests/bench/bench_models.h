// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/install.h"
#include "sim/model_file/host_memory.h"
#include "tests/support/image_builder.h"

/// Legal containers of about 4 MB, the size that the time limits of the tools are stated for.
namespace n6vp::bench {

inline constexpr std::uint32_t kRelocations = 250'000;

/// Nearly everything is parameters that the NPU reads in place.
[[nodiscard]] test::ImageSpec parameter_model();
/// As many relocations as fit: data and table of 1 MB each, the rest parameters.
[[nodiscard]] test::ImageSpec relocation_model();
/// 4 MB of parameters in two COPY pools.
[[nodiscard]] test::ImageSpec copy_model();

/// A container in guest memory, with a request that installs it at addresses of the chip.
struct GuestModel {
    GuestModel(const test::ImageSpec& spec, std::uint32_t mode);

    sim::HostMemory memory;
    loader::MemoryPort port;
    loader::InstallRequest request;
    AddressRange grants[2];
};

}  // namespace n6vp::bench
