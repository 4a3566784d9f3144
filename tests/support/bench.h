// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "loader/install.h"
#include "sim/model_file/host_memory.h"
#include "tests/support/image_builder.h"
#include "tests/support/oracle.h"

/// A container, placed in guest memory and ready to install: what most loader tests start from.
namespace n6vp::test {

/// One choice of addresses.
struct Placement {
    const char* name = "";
    std::uint32_t file = 0, params = 0;
    std::uint32_t exec_ram = 0, ext_ram = 0;
    std::uint32_t instance = 0, callbacks = 0;
    std::uint32_t copy_dst = 0, mixed_dst = 0, reset_dst = 0;  ///< for sample_spec and mixed_spec
};

/// Returns address sets as they occur on the chip: flash or PSRAM for the file, AXISRAM or PSRAM
/// for the rest, secure and non-secure aliases.
[[nodiscard]] std::span<const Placement> n6_placements();

[[nodiscard]] loader::Generation loader_generation(ImageGeneration generation);
/// Returns the profile of a firmware that fits the file: generation by rt_version, options by
/// flags.
[[nodiscard]] loader::RuntimeProfile profile_for(const Image& image);

/// Returns what the oracle must know of a request. Offsets inside the instance come from the
/// documented table, not from the loader.
[[nodiscard]] OracleRequest oracle_request_for(const loader::InstallRequest& request);

/// The byte that fills all mapped memory before an install.
inline constexpr std::uint8_t kFill = 0xA5;
/// Bytes mapped, but not granted, on both sides of every region: a stray write lands here.
inline constexpr std::uint32_t kMargin = 64;
inline constexpr std::uint32_t kExternalBytes = 512;
inline constexpr std::uint32_t kPoolBytes = 512;

class Bench {
  public:
    /// Maps the file (and the parameter file of a split image) read-only and every region the
    /// placement names, each with margins; the request grants the three pool destinations, gives
    /// exactly the exec RAM the mode needs and a firmware profile that fits.
    Bench(const Image& image, const Placement& placement, std::uint32_t mode,
          loader::Policy policy = loader::Policy::Strict);

    /// Installs with the present `request`; `result` and `why` hold the outcome.
    loader::Status run();
    /// Returns the oracle's request that matches `request`.
    [[nodiscard]] OracleRequest oracle_request() const { return oracle_request_for(request); }
    /// Returns the first address at which memory differs from what the oracle expects after an
    /// install, described, or an empty string. Covers all mapped memory.
    [[nodiscard]] std::string difference(const OracleImage& expected) const;
    /// Returns the recorded cache operations, in order.
    [[nodiscard]] std::vector<sim::MemoryEvent> cache_calls() const;

    sim::HostMemory memory;
    loader::InstallRequest request;
    loader::InstallResult result;
    loader::Diagnosis why;

  private:
    void map_with_margin(std::uint32_t start, std::uint32_t bytes);

    std::vector<AddressRange> grants_;
    struct Before {
        AddressRange range;
        std::vector<std::uint8_t> bytes;
    };
    std::vector<Before> before_;
};

}  // namespace n6vp::test
