// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace n6vp::sim::generate {

/// A core without an NPU that models of the older family are made for.
struct CoreTarget {
    const char* name;           ///< of the compiler's -mcpu
    unsigned number;            ///< of N6VP_LEGACY_CORE
    const char* fpu;            ///< of the compiler's -mfpu: what all chips with this core have
    const char* title;          ///< "Cortex-M4"
    bool helium;                ///< vectors of 16 bytes, instead of the DSP extension
    bool flash_cache_is_small;  ///< reading weights again takes the time of the flash
};

/// Returns the target of a core, a chip series or a chip ("cortex-m33", "u5", "stm32u575"), upper
/// or lower case. Fails with UserError, which names the known ones.
[[nodiscard]] const CoreTarget& core_target(const std::string& name);
/// Returns "stm32f4|stm32g4|...": what `core_target` takes.
[[nodiscard]] std::string core_target_names();

}  // namespace n6vp::sim::generate
