// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "memmap/regions.h"
#include "tests/models/traffic/traffic_generator.h"

namespace n6vp::test {

/// Ports of the fabric, by their numbers.
enum class Master : std::uint8_t {
    CoreCode,
    CoreData,
    CoreTcm,
    Npu0,
    Npu1,
    EpochController,
    Host,
};
inline constexpr Master kMasters[] = {Master::CoreCode, Master::CoreData, Master::CoreTcm,
                                      Master::Npu0,     Master::Npu1,     Master::EpochController,
                                      Master::Host};
[[nodiscard]] const char* name_of(Master master);

/// Clocks in MHz.
struct Clocks {
    double cpu = 800, noc = 400, npu = 1000, nic = 900, xspi1 = 200, xspi2 = 200;
};

/// The platform with its default parameters and a traffic generator at every port of the fabric,
/// in place of the core, the NPU and the host's loader, which stand still. The header shows no
/// parameter of a model: what tests expect, they compute themselves.
///
/// Left out, as in no row of the timing tables: ROM, peripherals, streams through the NPU cache,
/// which lets pass unchanged what is not marked cacheable.
class Chip {
  public:
    explicit Chip(const Clocks& clocks = {});
    ~Chip();
    Chip(const Chip&) = delete;
    Chip& operator=(const Chip&) = delete;

    [[nodiscard]] TrafficGenerator& master(Master which);
    /// How far the generators at the core's ports run ahead of kernel time: 0 at first. All others
    /// make each burst at its own time, as the bus asks of them.
    void set_core_quantum(models::Picoseconds quantum);
    /// Simulates until every generator has ended its plan.
    void run();
    /// Plays one plan alone.
    const TrafficResult& run(Master which, const TrafficPlan& plan);
    /// Memories as after power-up, ports idle, serial memories released: what came before leaves no
    /// trace in what follows.
    void settle();

    /// Every memory that is there.
    [[nodiscard]] std::vector<const memmap::Region*> regions() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Returns the first address of the region that bus masters use.
[[nodiscard]] std::uint32_t base_of(const memmap::Region& region);

}  // namespace n6vp::test
