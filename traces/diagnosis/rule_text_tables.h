// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "traces/diagnosis/rule_text.h"

/// The texts, one table per group of rules.
namespace n6vp::traces {

using loader::Rule;

[[nodiscard]] std::span<const RuleText> file_rules();
[[nodiscard]] std::span<const RuleText> header_rules();
[[nodiscard]] std::span<const RuleText> context_rules();
[[nodiscard]] std::span<const RuleText> firmware_rules();
[[nodiscard]] std::span<const RuleText> request_rules();
[[nodiscard]] std::span<const RuleText> pools_rules();
[[nodiscard]] std::span<const RuleText> image_rules();
[[nodiscard]] std::span<const RuleText> relocation_rules();
[[nodiscard]] std::span<const RuleText> install_rules();

/// Rules that only the older container has.
[[nodiscard]] std::span<const RuleText> legacy_file_rules();
[[nodiscard]] std::span<const RuleText> legacy_header_rules();
[[nodiscard]] std::span<const RuleText> legacy_request_rules();
[[nodiscard]] std::span<const RuleText> legacy_image_rules();

}  // namespace n6vp::traces
