// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/core/timing/cortex_m7_parameters.h"
#include "models/core/timing/instruction_shape.h"
#include "models/core/timing/issue_model.h"
#include "models/core/timing/state_numbers.h"

namespace n6vp::models::core {

/// The Cortex-M7's pipeline: up to two instructions per cycle in order; a result of the early ALU
/// is there for a late one in the same cycle. Conditional branches ask a predictor of directions
/// while they run.
///
/// Not modelled: alignment of instructions; byte and halfword stores that clog the store
/// buffer; STM that is not 8-byte aligned; pairs of loads by the banks of unknown addresses;
/// targets of indirect branches, which count as predicted; latencies of FP results across blocks.
class CortexM7Model final : public IssueModel {
  public:
    explicit CortexM7Model(const CortexM7Parameters& parameters);

    void begin(std::uint32_t pc, std::uint8_t state) override;
    unsigned issue(const isa::Row& row, const isa::Fields& fields, bool in_it) override;
    int taken(const isa::Row& row, const BranchShape& shape) override;
    std::uint8_t exit_state(bool taken) override;
    bool has_states() const override { return true; }
    unsigned mispredicted() const override;
    const DynamicTiming* dynamic() const override { return &dynamic_; }
    std::uint32_t predictor_entries() const override;

  private:
    using Times = std::array<unsigned, kTimedRegisters>;
    /// Cycles are counted from here, so that a block may begin in the last cycle of another.
    static constexpr unsigned kStart = 8;

    /// What a block leaves to the next: core registers that the early ALU can have in one and in
    /// two cycles or more, and whether a not-taken branch has left room for a second instruction.
    struct State {
        Registers in_one = 0, in_two = 0;
        std::uint8_t narrow = 0;  ///< 16-bit instructions since the last taken branch, up to two
        bool operator==(const State&) const = default;
    };

    [[nodiscard]] unsigned earliest(const InstructionShape& shape) const;
    [[nodiscard]] unsigned earliest_float(const InstructionShape& shape) const;
    [[nodiscard]] bool pairs(const InstructionShape& younger) const;
    [[nodiscard]] bool loads_pair(const InstructionShape& younger) const;
    /// Returns the cycles for which the instruction has the pipeline to itself; 1 for most.
    [[nodiscard]] unsigned occupies(const InstructionShape& shape) const;
    [[nodiscard]] bool runs_early(const InstructionShape& shape, unsigned cycle,
                                  bool younger) const;
    void write(const InstructionShape& shape, unsigned cycle, bool younger);
    void write_float(const InstructionShape& shape, unsigned cycle);
    void set_results(Registers results, unsigned late, unsigned early);

    CortexM7Parameters parameters_;
    DynamicTiming dynamic_;
    InstructionShapes shapes_;
    StateNumbers<State> states_;

    // By register. Of core registers: the cycle at whose start the early ALU can have it; the late
    // ALU takes its operands one cycle after issue, an accumulator two. Of FP registers: the cycle
    // in which a user may issue.
    Times late_{};    ///< for the late ALU; FP: for an addend
    Times early_{};   ///< for shifter, address, multiplicand after a load; FP: for other operands
    Times stored_{};  ///< FP: for VSTR
    Registers loaded_ = 0;

    unsigned time_ = kStart;  ///< cycle in which the next instruction may issue as an older one
    bool open_ = false;       ///< the last cycle has room for a younger one
    InstructionShape older_;  ///< the instruction in it
    InstructionShape last_;
    bool last_younger_ = false;
    unsigned fp_free_ = 0, fp_add_free_ = 0;
    unsigned flags_set_ = 0;  ///< cycle
    unsigned taken_ = 0;
    std::uint8_t narrow_ = 0;  ///< as in `State`, before the last instruction
};

}  // namespace n6vp::models::core
