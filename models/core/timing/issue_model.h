// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/ir/dynamic_timing.h"
#include "models/core/isa/row.h"

namespace n6vp::models::core {

/// What is known about a branch when its block is built.
struct BranchShape {
    bool indirect = false;
    bool conditional = false;
    bool to_own_start = false;  ///< a loop of one block
    std::uint32_t target = 0;   ///< unless indirect
    /// The target is an instruction of 32 bits that is not word-aligned. Only for models that
    /// `want_targets`.
    bool split_target = false;
};

/// Cycles of straight-line code, counted while a block is built.
///
/// A model may carry what a block leaves unfinished to the next one: `exit_state` gives it a
/// number, and the successor is built for that number. 0 is a pipeline that has nothing to finish.
class IssueModel {
  public:
    IssueModel() = default;
    IssueModel(const IssueModel&) = delete;
    IssueModel& operator=(const IssueModel&) = delete;
    virtual ~IssueModel() = default;

    /// A block begins at `pc`, entered in `state`.
    virtual void begin(std::uint32_t pc, std::uint8_t state) = 0;
    /// Returns the cycles that the next instruction adds, without what depends on data: cache
    /// misses, taken branches, division. `in_it`: under a condition of IT.
    [[nodiscard]] virtual unsigned issue(const isa::Row& row, const isa::Fields& fields,
                                         bool in_it) = 0;
    /// Returns the cycles that a branch of `row`, the last instruction issued, costs beside `issue`
    /// when it is taken. May be negative.
    [[nodiscard]] virtual int taken(const isa::Row& row, const BranchShape& shape) = 0;

    /// Returns what the last instruction issued costs less if its IT condition fails.
    [[nodiscard]] virtual unsigned saved_if_skipped() const { return 0; }
    /// Returns the state in which the block is left after its last instruction, `taken` if that is
    /// a branch and is taken.
    [[nodiscard]] virtual std::uint8_t exit_state(bool /*taken*/) { return 0; }
    /// Returns true if `exit_state` is ever other than 0.
    [[nodiscard]] virtual bool has_states() const { return false; }
    [[nodiscard]] virtual bool wants_targets() const { return false; }
    /// Returns the cost of a misprediction of the last branch issued; 0: branches are not
    /// predicted.
    [[nodiscard]] virtual unsigned mispredicted() const { return 0; }
    /// Returns what depends on data, or null.
    [[nodiscard]] virtual const DynamicTiming* dynamic() const { return nullptr; }
    /// Returns the entries of the branch predictor; 0: there is none.
    [[nodiscard]] virtual std::uint32_t predictor_entries() const { return 0; }
};

/// One cycle per instruction.
class UnitIssueModel : public IssueModel {
  public:
    void begin(std::uint32_t /*pc*/, std::uint8_t /*state*/) override {}
    unsigned issue(const isa::Row& /*row*/, const isa::Fields& /*fields*/,
                   bool /*in_it*/) override {
        return 1;
    }
    int taken(const isa::Row& /*row*/, const BranchShape& /*shape*/) override { return 0; }
};

}  // namespace n6vp::models::core
