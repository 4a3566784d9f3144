// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "loader/diagnosis.h"
#include "loader/install.h"
#include "sim/install/timed_port.h"
#include "sim/model_file/model_source.h"
#include "sim/platform/platform.h"

namespace n6vp::sim {

/// What an install on the platform did.
struct InstallOutcome {
    loader::Status status = loader::Status::Ok;
    loader::Diagnosis why;         ///< of a refusal
    loader::InstallResult result;  ///< of a success
    bool console = false;
    std::uint32_t characters = 0;  ///< printed on the console
    std::array<Cost, kCostRows> costs{};
    Cost total;
    std::vector<traces::InstallEvent> events;

    [[nodiscard]] bool ok() const { return status == loader::Status::Ok; }
    [[nodiscard]] const Cost& cost(CostRow row) const {
        return costs[static_cast<std::size_t>(row)];
    }
};

/// Returns true if the vendor's library of this generation prints the model description while it
/// installs: it does up to 1.1.1.
[[nodiscard]] bool prints_by_default(const loader::RuntimeProfile& profile);

/// Puts the files where the plan has them; `place_faults` has found memory there.
void place_files(Platform& platform, const InstallPlan& plan, const ModelFiles& files);

/// Prints the model description if `console`, then installs, all through a timed port.
[[nodiscard]] InstallOutcome run_install(Platform& platform, const loader::InstallRequest& request,
                                         bool console);

}  // namespace n6vp::sim
