// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "models/picoseconds.h"

namespace n6vp::models {

/// Returns what sets the interrupt line of that number.
using InterruptLines = std::function<std::function<void(bool)>(unsigned number)>;
/// Returns what gives the DMA request of that number a level from an absolute time on.
using RequestLines =
    std::function<std::function<void(bool level, Picoseconds at)>(unsigned number)>;

/// Returns one function for lines that a unit tells apart by a number from 0 on. Nothing listens to
/// a line beyond the last one.
template <class... Values>
[[nodiscard]] auto numbered_lines(std::vector<std::function<void(Values...)>> lines) {
    return [lines = std::move(lines)](unsigned number, Values... values) {
        if (number < lines.size()) lines[number](values...);
    };
}

}  // namespace n6vp::models
