// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "memmap/regions.h"
#include "models/core/data_path.h"
#include "models/fabric/bus.h"
#include "models/memory/sram.h"
#include "models/memory/xspi_memory.h"
#include "sim/platform_parameters.h"

namespace n6vp::sim {

/// The chip and its board memories, elaborated and bound: the one place that gives models
/// addresses, neighbours and clocks. SystemC elaborates once per process, so there is one platform
/// per process.
///
/// Present: RAM on NOC and NIC (FLEXMEM, AXISRAM1 to 6, RAM of the disabled NPU cache, VENC RAM),
/// NOR flash on XSPI2, PSRAM on XSPI1, the bus, the core's data path. Absent: TCMs, AHB RAMs, ROM,
/// peripherals, NPU; an access there is a bus error.
class Platform {
  public:
    /// Fails with std::logic_error if this process elaborated before.
    explicit Platform(const PlatformParameters& parameters);
    ~Platform();
    Platform(const Platform&) = delete;
    Platform& operator=(const Platform&) = delete;

    [[nodiscard]] const PlatformParameters& parameters() const { return parameters_; }
    [[nodiscard]] models::DataPath& data_path() { return *data_path_; }

    /// Runs `work`, which drives the data path from outside the simulated chip (it is no SystemC
    /// process), then lets kernel time catch up. Must not be called from a process.
    void run(const std::function<void()>& work);
    /// Lets kernel time catch up with the data path, so that processes see what happened so far.
    void synchronise();

    /// Returns true if every byte of `range` has memory behind it.
    [[nodiscard]] bool present(AddressRange range) const;
    /// Puts bytes into memory without time passing, read-only memories included, as a programmer
    /// does. Returns false, with nothing guaranteed, if part of the range is not present.
    [[nodiscard]] bool store(GuestAddr to, std::span<const std::uint8_t> bytes);
    [[nodiscard]] bool fetch(GuestAddr from, std::span<std::uint8_t> bytes);

    /// Returns memories to their power-up state, caches to empty and statistics to zero. Simulated
    /// time goes on.
    void reset();

    struct Memory {
        const memmap::Region* region = nullptr;
        std::unique_ptr<models::TimedMemory> model;
    };
    [[nodiscard]] const std::vector<Memory>& memories() const { return memories_; }

  private:
    void add_memory(const memmap::Region& region);
    void connect();
    [[nodiscard]] models::Route route(const memmap::Region& region) const;
    [[nodiscard]] unsigned debug(tlm::tlm_command command, GuestAddr at, std::uint8_t* bytes,
                                 std::size_t count);

    PlatformParameters parameters_;
    std::vector<Memory> memories_;
    std::unique_ptr<models::Bus> bus_;
    std::unique_ptr<models::DataPath> data_path_;
};

}  // namespace n6vp::sim
