// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/chip/chip_parameters.h"
#include "models/core/system/exception_costs.h"
#include "models/core/timing/cortex_m33_parameters.h"
#include "models/core/timing/cortex_m4_parameters.h"
#include "models/core/timing/cortex_m7_parameters.h"

namespace n6vp::sim {

using models::ClockParameters;

/// What `n6vp epoch` adds, which has no processor.
struct EpochBenchParameters {
    models::Parameter host_start{
        "host_start", 900, "NPU cycles", models::Confidence::Measured,
        "what an epoch that the processor starts takes beyond the model's cycles: adds of 320 to "
        "965 elements in eco8_lisennet, +-40; n6vp epoch only"};
    models::Parameter longest{
        "longest", 100e6, models::ParameterUnit{"NPU cycles", {1, 1e12, true}},
        models::Confidence::Assumed,
        "how long an epoch may take before it counts as endless; n6vp epoch only"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.host_start);
        function(self.longest);
    }
};

/// Every timing parameter of the platform, one struct per block.
struct PlatformParameters : models::ChipParameters {
    EpochBenchParameters epoch_bench;
    // Of other cores, `n6vp exec --core`: their pipelines and, in the same blocks, what their
    // exceptions cost.
    models::core::CortexM4Parameters cortex_m4;
    models::core::CortexM33Parameters cortex_m33;
    models::core::CortexM7Parameters cortex_m7;
    models::core::OtherExceptionParameters other_exceptions;

    /// Returns what exceptions of a core cost.
    [[nodiscard]] const models::core::ExceptionParameters& exceptions_of(
        models::core::Pipeline core) const {
        const models::core::ExceptionParameters* const other = other_exceptions.of(core);
        return other != nullptr ? *other : exception;
    }

    /// Calls `function(block, parameter)` for every parameter, in a fixed order.
    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        ChipParameters::visit(self, function);
        const auto core = [&](const char* block, auto& stages, auto& exceptions) {
            stages.visit(stages, [&](auto& parameter) { function(block, parameter); });
            exceptions.visit(exceptions, [&](auto& parameter) { function(block, parameter); });
        };
        core("cortex_m4", self.cortex_m4, self.other_exceptions.m4);
        core("cortex_m33", self.cortex_m33, self.other_exceptions.m33);
        core("cortex_m7", self.cortex_m7, self.other_exceptions.m7);
        self.epoch_bench.visit(self.epoch_bench,
                               [&](auto& parameter) { function("epoch_bench", parameter); });
    }
};

/// Returns "measured", "documented" or "assumed".
[[nodiscard]] std::string_view confidence_text(models::Confidence confidence);

/// Applies texts of the form block.name=value and marks what they change with the source "set by
/// option". Fails with UserError for an unknown name, for text that is no number, and for a value
/// that the platform cannot be built with.
void apply_settings(PlatformParameters& parameters, const std::vector<std::string>& settings);

}  // namespace n6vp::sim
