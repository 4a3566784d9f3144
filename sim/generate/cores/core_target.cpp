// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/cores/core_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "sim/host/errors.h"
#include "sim/host/nearest.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

// The M7 of the STM32F7 has single precision only; kernels need no more.
constexpr CoreTarget kM4 = {"cortex-m4", 4, "fpv4-sp-d16", "Cortex-M4", false, true};
constexpr CoreTarget kM7 = {"cortex-m7", 7, "fpv5-sp-d16", "Cortex-M7", false, false};
constexpr CoreTarget kM33 = {"cortex-m33", 33, "fpv5-sp-d16", "Cortex-M33", false, false};
constexpr CoreTarget kM55 = {"cortex-m55", 55, "auto", "Cortex-M55", true, false};

constexpr std::string_view kMaker = "stm32";

struct Name {
    std::string_view name;
    const CoreTarget* target;
};
constexpr std::array kNames = {
    Name{"stm32f3", &kM4},   Name{"stm32f4", &kM4},    Name{"stm32g4", &kM4},
    Name{"stm32l4", &kM4},   Name{"stm32l4r", &kM4},   Name{"stm32wb", &kM4},
    Name{"stm32l5", &kM33},  Name{"stm32u5", &kM33},   Name{"stm32f7", &kM7},
    Name{"stm32h7", &kM7},   Name{"cortex-m4", &kM4},  Name{"cortex-m33", &kM33},
    Name{"cortex-m7", &kM7}, Name{"cortex-m55", &kM55}};

/// A family with or without its "stm32", or a chip of one: "u5", "stm32u575".
const Name* target_of(std::string_view lower) {
    const Name* found = nullptr;
    for (const Name& each : kNames) {
        if (each.name == lower) return &each;
        const std::string_view family =
            each.name.starts_with(kMaker) ? each.name.substr(kMaker.size()) : each.name;
        std::string_view part = lower;
        if (part.starts_with(kMaker)) part.remove_prefix(kMaker.size());
        const bool is_family = family != each.name && part.starts_with(family);
        if (is_family && (found == nullptr || each.name.size() > found->name.size())) found = &each;
    }
    return found;
}

std::vector<std::string> names() {
    std::vector<std::string> list;
    std::transform(kNames.begin(), kNames.end(), std::back_inserter(list),
                   [](const Name& each) { return std::string(each.name); });
    return list;
}

}  // namespace

const CoreTarget& core_target(const std::string& name) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char character) {
        return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a')
                                                    : character;
    });
    if (const Name* const found = target_of(lower)) return *found->target;
    const std::vector<std::string> known = names();
    const std::string_view near = nearest(lower, known);
    throw UserError(fmt::format("no target '{}'", traces::terminal_text(name)),
                    fmt::format("{}give stm32n6, {}",
                                near.empty() ? "" : fmt::format("did you mean {}? Else ", near),
                                fmt::join(known, ", ")));
}

std::string core_target_names() {
    return fmt::format("{}", fmt::join(names(), "|"));
}

}  // namespace n6vp::sim::generate
