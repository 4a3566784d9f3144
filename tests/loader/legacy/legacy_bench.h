// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "loader/legacy/install.h"
#include "sim/model_file/host_memory.h"
#include "tests/support/legacy_builder.h"

/// A container of the older family, placed in guest memory and ready to install.
namespace n6vp::test {

struct LegacyAddresses {
    const char* name = "";
    std::uint32_t file = 0, ram = 0, weights = 0, activations = 0;
    std::uint32_t core = 0;  ///< CPUID part
};

/// Returns address sets as they occur on these chips: internal and external flash, SRAM, TCM,
/// secure aliases.
[[nodiscard]] std::span<const LegacyAddresses> legacy_addresses();

inline constexpr std::uint8_t kLegacyFill = 0xA5;
/// Bytes mapped, but not given, on both sides of RAM: a stray write lands here.
inline constexpr std::uint32_t kLegacyMargin = 64;

class LegacyBench {
  public:
    /// Maps the file read-only and exactly the RAM that the mode needs, with margins.
    LegacyBench(const LegacyImage& image, const LegacyAddresses& place, std::uint32_t mode,
                loader::Policy policy = loader::Policy::Strict);

    loader::Status run() { return loader::legacy::install(memory.port(), request, result, why); }
    /// Returns all findings of a check, in order.
    [[nodiscard]] std::vector<loader::Diagnosis> findings();
    /// Returns the RAM of the request with its margins.
    [[nodiscard]] std::vector<std::uint8_t> ram_with_margins() const;
    /// Returns true if every recorded write stayed inside the RAM of the request.
    [[nodiscard]] bool wrote_inside() const;
    [[nodiscard]] std::vector<sim::MemoryEvent> cache_calls() const;

    sim::HostMemory memory;
    loader::legacy::Request request;
    loader::legacy::Result result;
    loader::Diagnosis why;

  private:
    AddressRange mapped_;
};

}  // namespace n6vp::test
