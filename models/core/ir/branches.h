// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/core/ir/builder.h"
#include "models/core/ir/micro_op.h"

// Micro-ops that end blocks. In all of them
//   imm            target
//   index          instructions of the block, this one included
//   cycles_before  cycles of the block, this instruction included, if the branch is not taken
//   ra             cycles more if it is taken
//   rd             issue state in which it is left if taken; of `fall_through` rn
//   link           block at the target
// and a conditional branch is followed by a `fall_through`.
namespace n6vp::models::core {

/// Goes on at `imm` under IT state `rd`: not an instruction.
const MicroOp* fall_through(CpuState& cpu, const MicroOp* op);
const MicroOp* branch_always(CpuState& cpu, const MicroOp* op);
/// Branches if condition `code` holds.
[[nodiscard]] Handler branch_on(unsigned code);
/// CBZ and CBNZ of rn.
const MicroOp* branch_if_zero(CpuState& cpu, const MicroOp* op);
const MicroOp* branch_if_not_zero(CpuState& cpu, const MicroOp* op);
/// To r[15].
[[nodiscard]] Handler branch_indirect(BranchStyle style);
/// LE with a count, LETP; LE without a count is `branch_always`.
const MicroOp* loop_again(CpuState& cpu, const MicroOp* op);
const MicroOp* tail_loop_again(CpuState& cpu, const MicroOp* op);
/// WLS and WLSTP (rm = LTPSIZE): to the target if rn is zero.
const MicroOp* while_loop(CpuState& cpu, const MicroOp* op);

/// Returns the handler that also asks `CpuState::predictor` and charges `rm` cycles where that was
/// wrong, for conditional branches; others are as they are.
[[nodiscard]] Handler predicted(Handler branch);

/// Skips `imm` micro-ops if condition `rn` fails: before an instruction under IT state `rd`. The
/// instruction then takes `rm` cycles less.
const MicroOp* skip_unless(CpuState& cpu, const MicroOp* op);

/// Returns true if `link` of this micro-op leads to a block.
[[nodiscard]] bool has_link(const MicroOp& op);

}  // namespace n6vp::models::core
