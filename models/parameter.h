// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/clocks.h"

namespace n6vp::models {

using memmap::Confidence;

/// What a number counts, and which values a user may give it, both ends included.
struct ParameterUnit {
    struct Range {
        double least = 0, most = 1e6;
        bool whole = false;  ///< whole numbers only
    };

    // A unit alone is the usual case: the rows of a parameter struct stay short.
    // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions)
    constexpr ParameterUnit(const char* name) : text(name) {}
    constexpr ParameterUnit(const char* name, Range allowed) : text(name), range(allowed) {}

    const char* text;  ///< "" for a count
    Range range = {};
};

constexpr ParameterUnit kSwitch{"", {0, 1, true}};  ///< 0 is off, 1 is on
constexpr ParameterUnit kShare{"", {0, 1}};         ///< part of a whole
constexpr ParameterUnit kMegahertz{"MHz", {1, 10000}};
constexpr ParameterUnit kStageCycles{"CPU cycles", {0, 100, true}};  ///< of a pipeline
/// From one up to that many things.
[[nodiscard]] constexpr ParameterUnit counts(double most, const char* of = "") {
    return {of, {1, most, true}};
}

/// One timing or geometry number of a model with where it comes from. Models take structs of these;
/// reports print them; a scenario or command line may replace `value` within the range of its unit.
/// A parameter struct lists its members in `visit(self, function)` so that every tool sees all of
/// them.
struct Parameter {
    const char* name;
    double value;
    ParameterUnit unit;
    Confidence confidence;
    const char* source;
};

}  // namespace n6vp::models
