// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <iosfwd>
#include <string>

#include "sim/host/json_output.h"
#include "sim/install/install_run.h"

namespace n6vp::sim {

/// How far the times of a report can be trusted.
inline constexpr std::string_view kInstallGrade = "estimated, host-run loader";

/// Everything a report on an install needs beside the outcome.
struct InstallReport {
    const InstallPlan& plan;
    const loader::Container& container;
    const InstallOutcome& outcome;
    loader::Policy policy;
    std::string file_path, params_path;
    std::array<CopyRate, 2> rates;
    /// All causes of a refusal as text and JSON; empty: the one that stopped the install.
    std::string causes;
    Json findings = Json::array();
};

[[nodiscard]] std::string install_text(const InstallReport& report);
[[nodiscard]] Json install_json(const InstallReport& report);

}  // namespace n6vp::sim
