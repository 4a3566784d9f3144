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
        result.fp_frame_cycles.source = "18 words of FP context over the 64-bit port";
        return result;
    }
    result.exit_cycles.value = 12;
    result.fp_frame_cycles.value = 17;
    result.fp_frame_cycles.source = "18 words of FP context over a 32-bit port: 17 to 18";
    return result;
}

}  // namespace n6vp::models::core
