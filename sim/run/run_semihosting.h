// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "models/core/core.h"
#include "models/picoseconds.h"
#include "sim/console/semihosting.h"
#include "sim/run/run_config.h"

namespace n6vp::sim {

/// Semihosting of a run: its services work on copies of the guest's memory, of which those that
/// were written go back after the call.
class RunSemihosting {
  public:
    /// Both return false if part of the range is no memory, or none that takes bytes.
    struct Memory {
        std::function<bool(std::uint32_t from, std::span<std::uint8_t> bytes)> fetch;
        std::function<bool(std::uint32_t to, std::span<const std::uint8_t> bytes)> store;
    };

    /// `services` brings what differs between runs: streams and budget. `hz` are the ticks per
    /// second that a program sees (SYS_TICKFREQ): they count simulated time, `now`, whatever the
    /// clock of the core is at the moment.
    RunSemihosting(const RunPlan& plan, Semihosting::Setup services, Memory memory, double hz,
                   std::function<models::Picoseconds()> now);
    RunSemihosting(const RunSemihosting&) = delete;
    RunSemihosting& operator=(const RunSemihosting&) = delete;

    /// Performs the call of r0 and r1; r0 is the result. A result that memory does not take is a
    /// failed call.
    void answer(models::core::Core& core);
    void finish() { host_.finish(); }
    [[nodiscard]] const std::optional<std::uint32_t>& exit_code() const {
        return host_.exit_code();
    }

  private:
    struct Buffer {
        std::uint32_t address = 0;
        std::vector<std::uint8_t> bytes;
        bool written = false;
    };

    [[nodiscard]] Semihosting::Setup completed(const RunPlan& plan, Semihosting::Setup services);
    [[nodiscard]] std::span<std::uint8_t> view(std::uint32_t address, std::uint32_t bytes);
    [[nodiscard]] std::uint64_t ticks() const;

    Memory memory_;
    double hz_;
    std::function<models::Picoseconds()> now_;
    std::deque<Buffer> buffers_;  ///< of the call that is being answered
    Semihosting host_;
};

}  // namespace n6vp::sim
