// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/core/timing/cortex_m33_parameters.h"
#include "models/core/timing/instruction_shape.h"
#include "models/core/timing/issue_model.h"
#include "models/core/timing/state_numbers.h"

namespace n6vp::models::core {

/// The Cortex-M33's pipeline: in order, waits for operands that are not ready, the second of two
/// 16-bit instructions is free if it is NOP, IT or a branch.
///
/// Not modelled: alignment of branch targets; fetch bandwidth; accumulators across blocks, which
/// count as ready.
class CortexM33Model final : public IssueModel {
  public:
    explicit CortexM33Model(const CortexM33Parameters& parameters);

    void begin(std::uint32_t pc, std::uint8_t state) override;
    unsigned issue(const isa::Row& row, const isa::Fields& fields, bool in_it) override;
    int taken(const isa::Row& row, const BranchShape& shape) override;
    unsigned saved_if_skipped() const override { return cost_ > 1 ? cost_ - 1 : 0; }
    std::uint8_t exit_state(bool taken) override;
    bool has_states() const override { return true; }
    const DynamicTiming* dynamic() const override { return &dynamic_; }

  private:
    /// What a block leaves to the next: registers that are ready in one and in two cycles, cycles
    /// for which the FP unit is busy.
    struct State {
        Registers in_one = 0, in_two = 0;
        std::uint8_t fp_busy = 0;

        bool operator==(const State&) const = default;
    };
    struct Cost {
        unsigned issue = 1;       ///< cycles before the next instruction
        unsigned latency = 1;     ///< cycles before a dependent one, from the last of `issue`
        unsigned accumulate = 1;  ///< the same if it only adds the result
    };

    [[nodiscard]] Cost cost(const InstructionShape& shape) const;
    [[nodiscard]] Cost cost_of_access(const InstructionShape& shape) const;
    [[nodiscard]] Cost cost_of_float(const InstructionShape& shape) const;
    /// Returns the cycle from which all operands are there.
    [[nodiscard]] unsigned earliest(const InstructionShape& shape) const;
    [[nodiscard]] bool pairs(const InstructionShape& shape, unsigned ready) const;
    void write(const InstructionShape& shape, const Cost& cost, unsigned start);

    CortexM33Parameters parameters_;
    DynamicTiming dynamic_;
    InstructionShapes shapes_;
    StateNumbers<State> states_;

    unsigned time_ = 0;                                    ///< when the next instruction may issue
    std::array<unsigned, kTimedRegisters> ready_{};        ///< by register: for any use
    std::array<unsigned, kTimedRegisters> accumulated_{};  ///< the same, for adding it to a product
    /// Loaded: early to add to a product, not to an extended byte or halfword.
    Registers loaded_ = 0;
    unsigned fp_free_ = 0;
    bool open_ = false;          ///< the last instruction may be the first of a pair
    bool last_flags_ = false;    ///< ... and sets flags
    bool paired_ = false;        ///< the last instruction is the second of one
    bool behind_flags_ = false;  ///< ... whose first sets flags
    InstructionShape last_;
    unsigned cost_ = 0, taken_ = 0;
};

}  // namespace n6vp::models::core
