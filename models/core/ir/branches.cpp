// SPDX-License-Identifier: Apache-2.0
#include "models/core/ir/branches.h"

#include <array>
#include <cstddef>
#include <utility>

#include "models/core/ir/block.h"
#include "models/core/ir/dynamic_timing.h"

namespace n6vp::models::core {

namespace {

/// Where threaded code stops between blocks: `op` is the branch whose link is missing.
const MicroOp* stop_at(CpuState& cpu, const MicroOp* op, std::uint32_t target, std::uint8_t itstate,
                       std::uint8_t state = 0) {
    cpu.pc = target;
    cpu.itstate = itstate;
    cpu.issue_state = state;
    cpu.exit = cpu.budget > 0 ? Exit::Lookup : Exit::Budget;
    return op;
}

/// Counts the block and follows the link of `slot`. Inlined, its call is the handler's last; of
/// itself it has too many parameters for N6VP_TAIL.
inline const MicroOp* leave(CpuState& cpu, const MicroOp* op, const MicroOp* slot,
                            unsigned cycles) {
    cpu.instructions += op->index;
    cpu.budget -= cycles;
    const MicroOp* next = slot->link;
    if (next == nullptr || cpu.budget <= 0) [[unlikely]] {
        const bool falls = slot->handler == fall_through;
        return stop_at(cpu, slot, slot->imm, falls ? slot->rd : 0, falls ? slot->rn : slot->rd);
    }
    return go_on(cpu, next);
}

inline const MicroOp* taken(CpuState& cpu, const MicroOp* op) {
    return leave(cpu, op, op, op->cycles_before + op->ra);
}
inline const MicroOp* not_taken(CpuState& cpu, const MicroOp* op) {
    return leave(cpu, op, op + 1, (op + 1)->cycles_before);
}

template <unsigned Code>
const MicroOp* branch_conditional(CpuState& cpu, const MicroOp* op) {
    return condition_holds(cpu, Code) ? taken(cpu, op) : not_taken(cpu, op);
}

template <std::size_t... Codes>
constexpr std::array<Handler, sizeof...(Codes)> all_conditions(
    std::index_sequence<Codes...> /*codes*/) {
    return {branch_conditional<Codes>...};
}
constexpr auto kConditional = all_conditions(std::make_index_sequence<14>());

/// Charges `rm` cycles if the predictor thought otherwise.
inline void check_prediction(CpuState& cpu, const MicroOp* op, bool goes) {
    if (cpu.predictor->mispredicts(op->pc, op->imm <= op->pc, goes)) [[unlikely]]
        cpu.budget -= op->rm;
}

template <unsigned Code>
const MicroOp* predicted_conditional(CpuState& cpu, const MicroOp* op) {
    const bool goes = condition_holds(cpu, Code);
    check_prediction(cpu, op, goes);
    return goes ? taken(cpu, op) : not_taken(cpu, op);
}

template <bool IfZero>
const MicroOp* predicted_compare(CpuState& cpu, const MicroOp* op) {
    const bool goes = (cpu.r[op->rn] == 0) == IfZero;
    check_prediction(cpu, op, goes);
    return goes ? taken(cpu, op) : not_taken(cpu, op);
}

template <std::size_t... Codes>
constexpr std::array<Handler, sizeof...(Codes)> all_predicted(
    std::index_sequence<Codes...> /*codes*/) {
    return {predicted_conditional<Codes>...};
}
constexpr auto kPredicted = all_predicted(std::make_index_sequence<14>());

constexpr std::uint32_t kFunctionReturn = 0xFEFFFFFE;
constexpr std::uint32_t kExceptionReturn = 0xFF000000;

const MicroOp* stop_with(CpuState& cpu, const MicroOp* op, std::uint32_t pc, Exit exit) {
    cpu.pc = pc;
    cpu.itstate = 0;
    cpu.exit = exit;
    return op;
}

template <BranchStyle Style>
const MicroOp* branch_to_register(CpuState& cpu, const MicroOp* op) {
    std::uint32_t target = cpu.r[15];
    cpu.instructions += op->index;
    cpu.budget -= op->cycles_before + op->ra;
    if constexpr (Style != BranchStyle::Simple) {
        if constexpr (Style == BranchStyle::NonSecure || Style == BranchStyle::LinkNonSecure) {
            if ((target & 1) == 0) {
                return stop_with(
                    cpu, op, target,
                    Style == BranchStyle::NonSecure ? Exit::BranchNonSecure : Exit::CallNonSecure);
            }
        }
        // Not before: a call into Non-secure state that faults leaves lr as it was.
        if constexpr (Style == BranchStyle::Link || Style == BranchStyle::LinkNonSecure)
            cpu.r[14] = (op->pc + op->bytes) | 1;
        if (target >= kFunctionReturn) [[unlikely]] {
            const bool function = (target & ~1u) == kFunctionReturn;
            if (function || (target >= kExceptionReturn && cpu.ipsr != 0))
                return stop_with(cpu, op, target, Exit::Return);
        }
        cpu.thumb = (target & 1) != 0;
    }
    target &= ~1u;
    if (cpu.budget > 0 && cpu.thumb) [[likely]] {
        const MicroOp* next = cpu.jump_cache->find(target | (cpu.secure ? 1u : 0u));
        if (next != nullptr) [[likely]]
            N6VP_TAIL return go_on(cpu, next);
    }
    return stop_at(cpu, nullptr, target, 0);
}

}  // namespace

const MicroOp* fall_through(CpuState& cpu, const MicroOp* op) {
    return leave(cpu, op, op, op->cycles_before);
}

const MicroOp* branch_always(CpuState& cpu, const MicroOp* op) {
    return taken(cpu, op);
}

Handler branch_on(unsigned code) {
    return code < 14 ? kConditional[code] : branch_always;
}

const MicroOp* branch_if_zero(CpuState& cpu, const MicroOp* op) {
    return cpu.r[op->rn] == 0 ? taken(cpu, op) : not_taken(cpu, op);
}

const MicroOp* branch_if_not_zero(CpuState& cpu, const MicroOp* op) {
    return cpu.r[op->rn] != 0 ? taken(cpu, op) : not_taken(cpu, op);
}

Handler branch_indirect(BranchStyle style) {
    switch (style) {
        case BranchStyle::Simple:
            return branch_to_register<BranchStyle::Simple>;
        case BranchStyle::Link:
            return branch_to_register<BranchStyle::Link>;
        case BranchStyle::NonSecure:
            return branch_to_register<BranchStyle::NonSecure>;
        case BranchStyle::LinkNonSecure:
            return branch_to_register<BranchStyle::LinkNonSecure>;
        default:
            return branch_to_register<BranchStyle::Interworking>;
    }
}

/// LE must not end a tail-predicated loop.
N6VP_FAR const MicroOp* refuse_loop_end(CpuState& cpu, const MicroOp* op) {
    raise_usage(cpu, cfsr::kInvState);
    --cpu.instructions;  // `index` of a branch counts the branch, which has not been executed
    return op;
}

const MicroOp* loop_again(CpuState& cpu, const MicroOp* op) {
    // Without an active floating-point context LTPSIZE counts as 4.
    if (cpu.ltpsize != 4 && cpu.fp_ready) [[unlikely]]
        return refuse_loop_end(cpu, op);
    if (cpu.r[14] <= 1) return not_taken(cpu, op);
    --cpu.r[14];
    return taken(cpu, op);
}

const MicroOp* tail_loop_again(CpuState& cpu, const MicroOp* op) {
    const std::uint32_t lanes = 16u >> cpu.ltpsize;
    if (cpu.r[14] <= lanes) {
        cpu.ltpsize = 4;
        return not_taken(cpu, op);
    }
    cpu.r[14] -= lanes;
    return taken(cpu, op);
}

const MicroOp* while_loop(CpuState& cpu, const MicroOp* op) {
    if (cpu.r[op->rn] == 0) return taken(cpu, op);
    cpu.r[14] = cpu.r[op->rn];
    if (op->rm < 4) cpu.ltpsize = op->rm;
    return not_taken(cpu, op);
}

const MicroOp* skip_unless(CpuState& cpu, const MicroOp* op) {
    if (condition_holds(cpu, op->rn)) N6VP_TAIL return go_on(cpu, op + 1);
    cpu.budget += op->rm;
    N6VP_TAIL return go_on(cpu, op + 1 + op->imm);
}

bool has_link(const MicroOp& op) {
    if (op.handler == fall_through || op.handler == branch_always || op.handler == branch_if_zero ||
        op.handler == branch_if_not_zero || op.handler == loop_again ||
        op.handler == tail_loop_again || op.handler == while_loop)
        return true;
    if (op.handler == predicted_compare<true> || op.handler == predicted_compare<false>)
        return true;
    for (std::size_t code = 0; code < kConditional.size(); ++code) {
        if (op.handler == kConditional[code] || op.handler == kPredicted[code]) return true;
    }
    return false;
}

Handler predicted(Handler branch) {
    if (branch == branch_if_zero) return predicted_compare<true>;
    if (branch == branch_if_not_zero) return predicted_compare<false>;
    for (std::size_t code = 0; code < kConditional.size(); ++code) {
        if (branch == kConditional[code]) return kPredicted[code];
    }
    return branch;
}

}  // namespace n6vp::models::core
