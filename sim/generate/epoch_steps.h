// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/generate/npu_epoch.h"

/// An epoch as a sequence of register accesses, for the epoch controller or for the core.
namespace n6vp::sim::generate {

/// Stands for the weights in the text of a program.
inline constexpr const char* kWeightsSymbol = "_weights";

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
    Write = 0,
    WriteWeights = 1,  ///< value plus the address of the weights
    SetBits = 2,
    ClearBits = 3,
    WaitZero = 4,  ///< until these bits are zero
};

struct Step {
    StepKind kind = StepKind::Write;
    std::uint32_t offset = 0;  ///< in the NPU's window
    std::uint32_t value = 0;
};

/// The same for the core: what starts an epoch, and what puts the units back after its engines have
/// ended.
struct CoreSteps {
    std::vector<Step> start, end;
};
[[nodiscard]] CoreSteps core_steps(const NpuEpoch& epoch);

}  // namespace n6vp::sim::generate
