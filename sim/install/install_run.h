// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "loader/diagnosis.h"
#include "loader/install.h"
#include "sim/model_file/model_source.h"
#include "sim/platform/platform.h"
#include "sim/install/timed_port.h"

namespace n6vp::sim {

/// One pool of the model that an install writes, with where it went.
struct PoolImage {
    std::string name;  ///< as in the file: hostile text
    std::uint32_t index = 0;
    loader::format::PoolType type{};
    AddressRange range;  ///< rounded up to 8 bytes, as written
};

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

/// Puts the files where the plan has them. Fails with UserError if a place that the plan names has
/// no memory on this platform.
void place_files(Platform& platform, const InstallPlan& plan, const ModelFiles& files);

/// Prints the model description if `console`, then installs, all through a timed port.
[[nodiscard]] InstallOutcome run_install(Platform& platform, const loader::InstallRequest& request,
                                         bool console);

/// Returns the COPY and RESET pools of the file, and the external RAM pool, that were in reach of
/// an install with this request. Reads the file only; empty for a file that cannot be opened.
[[nodiscard]] std::vector<PoolImage> pools_of(const loader::Container& container,
                                              const loader::InstallRequest& request);

}  // namespace n6vp::sim
