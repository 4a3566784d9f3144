// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/timing/cortex_m4_parameters.h"
#include "models/core/timing/instruction_shape.h"
#include "models/core/timing/issue_model.h"
#include "models/core/timing/state_numbers.h"

namespace n6vp::models::core {

/// The Cortex-M4's pipeline: one instruction at a time, neighbouring loads and stores overlap, a
/// taken branch refills the pipeline, VDIV and VSQRT run beside integer instructions.
///
/// Not modelled: loads from different RAM blocks, which hardware does not overlap; fetch bandwidth
/// of three or more consecutive 32-bit instructions that are not word-aligned; a load that hides a
/// NOP behind it.
class CortexM4Model final : public IssueModel {
  public:
    explicit CortexM4Model(const CortexM4Parameters& parameters);

    void begin(std::uint32_t pc, std::uint8_t state) override;
    unsigned issue(const isa::Row& row, const isa::Fields& fields, bool in_it) override;
    int taken(const isa::Row& row, const BranchShape& shape) override;
    unsigned saved_if_skipped() const override { return cost_ > 1 ? cost_ - 1 : 0; }
    std::uint8_t exit_state(bool taken) override;
    bool has_states() const override { return true; }
    bool wants_targets() const override { return true; }
    const DynamicTiming* dynamic() const override { return &dynamic_; }

  private:
    enum class Neighbour : std::uint8_t { Other, Load, Store, ClosedStore };
    /// What an instruction leaves to the next.
    struct State {
        Neighbour before = Neighbour::Other;
        bool narrow_before = false;
        std::uint8_t wide_left = 0;  ///< 32-bit ones at odd halfwords until fetches are late
        std::uint8_t fp_busy = 0;    ///< cycles until the divider is free
        Registers loaded = 0;        ///< by the load before
        Registers computed = 0;      ///< by the data-processing instruction before
        Registers fp_results = 0;    ///< of the FP instruction before
        Registers dividing = 0;      ///< what the divider will write

        bool operator==(const State&) const = default;
    };

    [[nodiscard]] unsigned cost(const InstructionShape& shape) const;
    [[nodiscard]] unsigned cost_of_access(const InstructionShape& shape) const;
    [[nodiscard]] unsigned cost_of_float(const InstructionShape& shape) const;
    [[nodiscard]] bool pipelines(const InstructionShape& shape) const;
    /// Returns the cycles for which operands or the divider are not ready.
    [[nodiscard]] unsigned wait(const InstructionShape& shape) const;
    void leave(const InstructionShape& shape, unsigned cycles);
    /// Returns the cycles for which the rest of the instruction is not fetched yet.
    [[nodiscard]] unsigned fetch_wait(const InstructionShape& shape, unsigned cycles);

    CortexM4Parameters parameters_;
    DynamicTiming dynamic_;
    InstructionShapes shapes_;
    StateNumbers<State> states_;
    State state_;
    InstructionShape last_;
    unsigned cost_ = 0;    ///< of the last instruction
    unsigned refill_ = 0;  ///< of the last branch, if taken
    std::uint32_t pc_ = 0;
};

}  // namespace n6vp::models::core
