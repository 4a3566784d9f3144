// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/core/system/system_config.h"

namespace n6vp::models::core {

/// Returns the cycles of exceptions of a core, as far as they differ from the Cortex-M55's.
[[nodiscard]] inline ExceptionParameters exception_parameters(Pipeline pipeline) {
    ExceptionParameters result;
    if (pipeline == Pipeline::CortexM55) return result;
    result.entry_cycles.confidence = Confidence::Documented;
    result.entry_cycles.source = "TRM: basic frame and vectors in zero-wait memory";
    result.exit_cycles.source = "10 to 12 published for cores of the line";
    result.tail_chain_cycles.source = "published for cores of the line";
    if (pipeline == Pipeline::CortexM7) {
        result.fp_frame_cycles.source =
            "18 words over the 64-bit port; stored at the handler's first FP instruction, if any";
        return result;
    }
    result.exit_cycles.value = 12;
    result.fp_frame_cycles.value = 17;
    result.fp_frame_cycles.source =
        "18 words over a 32-bit port: 17 to 18; stored at the handler's first FP instruction, if "
        "any";
    return result;
}

/// Cycles of exceptions of the cores other than the Cortex-M55.
struct OtherExceptionParameters {
    ExceptionParameters m4 = exception_parameters(Pipeline::CortexM4);
    ExceptionParameters m33 = exception_parameters(Pipeline::CortexM33);
    ExceptionParameters m7 = exception_parameters(Pipeline::CortexM7);

    /// Returns null for the Cortex-M55.
    [[nodiscard]] const ExceptionParameters* of(Pipeline pipeline) const {
        switch (pipeline) {
            case Pipeline::CortexM4:
                return &m4;
            case Pipeline::CortexM33:
                return &m33;
            case Pipeline::CortexM7:
                return &m7;
            default:
                return nullptr;
        }
    }
};

}  // namespace n6vp::models::core
