// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/chip_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "memmap/chips/chips.h"
#include "sim/host/errors.h"
#include "sim/host/nearest.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr std::string_view kPrefix = "stm32", kDefaultChip = "stm32n6";

/// Returns the chip that a part number begins with, such as "stm32l4r5zit6", or the nearest name.
[[nodiscard]] std::string_view meant(const std::string& name,
                                     const std::vector<std::string>& names) {
    for (const std::string& each : names) {
        if (name.starts_with(each)) return each;
    }
    return nearest(name, names);
}

}  // namespace

const memmap::Chip* chip_named(std::string_view name, std::string_view origin) {
    std::string full(name);
    for (char& letter : full) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    if (!full.starts_with(kPrefix)) full.insert(0, kPrefix);
    if (full == kDefaultChip) return nullptr;
    if (const memmap::Chip* const chip = memmap::find_chip(full)) return chip;
    std::vector<std::string> names;
    for (const memmap::Chip* chip : memmap::kChips) names.emplace_back(chip->name);
    names.emplace_back(kDefaultChip);
    const std::string_view near = meant(full, names);
    const std::string place =
        origin.empty() || origin.starts_with("--") ? "" : std::string(origin) + ": ";
    throw UserError(fmt::format("{}there is no chip '{}'", place, traces::terminal_text(name)),
                    near.empty()
                        ? fmt::format("give one of {}", fmt::join(names, ", "))
                        : fmt::format("did you mean {}? n6vp map --chip list shows all", near));
}

}  // namespace n6vp::sim
