// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "loader/memory_port.h"
#include "sim/platform/platform.h"
#include "traces/install_log.h"

namespace n6vp::sim {

/// What the time of an install went into. The loader's phases, in its order, then what cuts across
/// them.
enum class CostRow : std::uint8_t {
    Checks,
    Pools,
    ReadOnlyCopy,
    DataBss,
    Got,
    Relocation,
    Finish,
    CacheMaintenance,
    Console,
};
inline constexpr std::size_t kCostRows = 9;
[[nodiscard]] std::string_view to_text(CostRow row);

struct Cost {
    std::uint64_t bytes = 0;         ///< read, written, copied, cleared or maintained; characters
    std::uint64_t accesses = 0;      ///< loads and stores of the core, cache lines for maintenance
    std::uint64_t transactions = 0;  ///< on the core's bus port
    models::Picoseconds time = 0;

    /// Returns bytes per second in MB/s (10^6), or 0 if no time passed.
    [[nodiscard]] double bandwidth() const {
        return time == 0 ? 0 : static_cast<double>(bytes) * 1e6 / static_cast<double>(time);
    }
};

/// A memory port that accesses memory as the Cortex-M55 would: loops of loads
/// and stores through the data path of a platform, cache maintenance by line. The loader's own
/// instructions between the accesses are in the access costs of the data path (grade "estimated,
/// host-run loader").
/// To be used inside Platform::run.
class TimedPort {
  public:
    explicit TimedPort(Platform& platform);
    TimedPort(const TimedPort&) = delete;
    TimedPort& operator=(const TimedPort&) = delete;

    /// Returns the port for the loader; it points to this object.
    [[nodiscard]] loader::MemoryPort port();

    /// Charges everything that follows to the console row and back to the phase.
    void begin_console() { row_ = CostRow::Console; }
    void end_console() { row_ = row_of(phase_); }
    /// Sends characters through the UART. Their content does not matter.
    void print(std::uint32_t characters);
    /// Waits for the last stores. To be called once at the end.
    void finish();

    [[nodiscard]] const Cost& cost(CostRow row) const {
        return costs_[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] Cost total() const;
    [[nodiscard]] const std::vector<traces::InstallEvent>& events() const { return events_; }

  private:
    friend struct MemberPort;
    /// Charges what happens during its life to one row.
    class Charge;

    [[nodiscard]] static CostRow row_of(loader::Phase phase) { return static_cast<CostRow>(phase); }
    [[nodiscard]] bool read(GuestAddr from, void* to, std::uint32_t bytes);
    [[nodiscard]] bool write(GuestAddr to, const void* from, std::uint32_t bytes);
    [[nodiscard]] bool copy(GuestAddr to, GuestAddr from, std::uint32_t bytes);
    [[nodiscard]] bool clear(GuestAddr to, std::uint32_t bytes);
    void maintain(loader::CacheOp op, GuestAddr start, std::uint32_t bytes);
    void enter(loader::Phase phase);

    Platform& platform_;
    models::DataPath& path_;
    models::Picoseconds origin_;  ///< events count from here
    loader::Phase phase_ = loader::Phase::Checks;
    CostRow row_ = CostRow::Checks;
    std::array<Cost, kCostRows> costs_{};
    std::vector<traces::InstallEvent> events_;
};

/// Returns the rate, in MB/s, at which the core copies `bytes` bytes with cold caches. Resets the
/// platform before and after.
[[nodiscard]] double copy_rate(Platform& platform, GuestAddr to, GuestAddr from,
                               std::uint32_t bytes);

/// A copy rate that published measurements give, and the same of the model.
struct CopyRate {
    std::string_view name;
    double derived = 0;          ///< MB/s
    double fitted = 0;           ///< MB/s
    double least = 0, most = 0;  ///< interval that the rounding of the published times leaves
};
/// Returns NOR to AXISRAM and AXISRAM1 to AXISRAM1. Resets the platform.
[[nodiscard]] std::array<CopyRate, 2> copy_rates(Platform& platform);

}  // namespace n6vp::sim
