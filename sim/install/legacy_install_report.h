// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/host/json_output.h"
#include "sim/install/legacy_install.h"
#include "sim/model_file/legacy_model.h"

namespace n6vp::sim {

struct LegacyInstallReport {
    const LegacyModel& model;
    const LegacyPlan& plan;
    const LegacyOutcome& outcome;
    loader::Policy policy;
    const memmap::Chip* chip = nullptr;  ///< null: none named
    /// All causes of a refusal as text and JSON; empty: the one that stopped the install.
    std::string causes;
    Json findings = Json::array();
};

[[nodiscard]] std::string legacy_install_text(const LegacyInstallReport& report);
/// Returns the document of schema n6vp.install/1, `family` "legacy".
[[nodiscard]] Json legacy_install_json(const LegacyInstallReport& report);

}  // namespace n6vp::sim
