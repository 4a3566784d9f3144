// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/generate/lower/npu_epoch.h"

/// An epoch as a sequence of register accesses, for the epoch controller or for the core.
namespace n6vp::sim::generate {

/// Returns what stands for a base in the text of a program: "_weights", "_external" or "_user_0".
[[nodiscard]] std::string base_symbol(Base base);
/// Returns the base of such a symbol; Absolute for any other text.
[[nodiscard]] Base base_of_symbol(std::string_view symbol);

/// An epoch with the number that its label carries.
struct NumberedEpoch {
    std::uint32_t number = 0;
    const NpuEpoch* epoch = nullptr;
};

/// Returns the program of a blob in the form of `n6vp ecdump`: each epoch configured, started,
/// waited for and put back; an interrupt at the end.
[[nodiscard]] std::string controller_program(std::span<const NumberedEpoch> epochs);

/// What the core does to a register. The numbers stand in generated sources.
enum class StepKind : std::uint8_t {
    Write = 0,  ///< value plus the address of the base
    SetBits = 1,
    ClearBits = 2,
    WaitZero = 3,  ///< until these bits are zero
};

struct Step {
    StepKind kind = StepKind::Write;
    std::uint32_t offset = 0;  ///< in the NPU's window
    std::uint32_t value = 0;
    Base base = Base::Absolute;
};

/// The same for the core: what starts an epoch, and what puts the units back after its engines have
/// ended.
struct CoreSteps {
    std::vector<Step> start, end;
};
[[nodiscard]] CoreSteps core_steps(const NpuEpoch& epoch);

}  // namespace n6vp::sim::generate
