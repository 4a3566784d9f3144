// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/core/isa/row.h"

namespace n6vp::models::core {

/// What is known about a branch when its block is built.
struct BranchShape {
    bool indirect = false;
    bool conditional = false;
    bool to_own_start = false;  ///< a loop of one block
};

/// Cycles of straight-line code, counted while a block is built.
class IssueModel {
  public:
    IssueModel() = default;
    IssueModel(const IssueModel&) = delete;
    IssueModel& operator=(const IssueModel&) = delete;
    virtual ~IssueModel() = default;

    /// A block begins.
    virtual void begin() = 0;
    /// Returns the cycles that the next instruction adds, without what depends on data: cache
    /// misses, taken branches, division.
    [[nodiscard]] virtual unsigned issue(const isa::Row& row, const isa::Fields& fields) = 0;
    /// Returns the cycles that a branch of `row` costs beside `issue` when it is taken.
    [[nodiscard]] virtual unsigned taken(const isa::Row& row, const BranchShape& shape) = 0;
};

/// One cycle per instruction.
class UnitIssueModel : public IssueModel {
  public:
    void begin() override {}
    unsigned issue(const isa::Row& /*row*/, const isa::Fields& /*fields*/) override { return 1; }
    unsigned taken(const isa::Row& /*row*/, const BranchShape& /*shape*/) override { return 0; }
};

}  // namespace n6vp::models::core
