// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loader/firmware/base/job.h"
#include "sim/console/mailbox_service.h"
#include "sim/faults/run_faults.h"
#include "sim/faults/run_verdict.h"
#include "sim/platform/platform.h"

/// Models run by the firmware of the simulated chip, any number of them on one platform.
namespace n6vp::test {

namespace chip = firmware::chip;

struct ModelRunEnd {
    sim::RunVerdict verdict{};
    std::uint32_t exit_code = 0;
    std::string said;  ///< by the firmware, as it was
    std::vector<sim::fault_report::FaultReport> reports;
    bool by_fault = false;  ///< a fault ended the run
    bool hung = false;      ///< the host's time was up
};

class ModelBench {
  public:
    struct Setup {
        std::string firmware;  ///< ELF file
        std::string folder;    ///< granted to the program; empty: none
        models::core::Timing timing = models::core::Timing::Approx;
        std::vector<std::string> symbols;
    };
    explicit ModelBench(const Setup& setup);

    struct Limits {
        models::Picoseconds time = 0;  ///< simulated
        double host_seconds = 60;      ///< CPU time
    };
    /// Power on, the file at 0x71000000, parameters at `job.models[0].params`, then the job.
    [[nodiscard]] ModelRunEnd run(const std::vector<std::uint8_t>& file,
                                  const std::vector<std::uint8_t>& params, const chip::Job& job,
                                  const Limits& limits);

  private:
    struct Refused : models::RegisterLog {
        [[nodiscard]] bool accessed(const models::RegisterAccess&) override { return true; }
    };
    [[nodiscard]] sim::PhaseCounters sample() const;

    Setup setup_;
    Refused log_;
    std::unique_ptr<sim::ElfFile> symbols_;
    sim::RegisterNames names_;
    std::unique_ptr<sim::PhaseRecorder> phases_;
    std::unique_ptr<sim::RunMailbox> mailbox_;
    std::unique_ptr<sim::Platform> platform_;
    std::unique_ptr<sim::fault_report::RunFaults> faults_;
    std::string said_;
    std::optional<std::uint32_t> exit_code_;
    bool reset_asked_ = false;
};

}  // namespace n6vp::test
