// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/cortex_m33_model.h"

#include <algorithm>
#include <bit>

namespace n6vp::models::core {

namespace {

unsigned whole_cycles(const Parameter& parameter) {
    return static_cast<unsigned>(parameter.value);
}

bool multiplies_float(Kind kind) {
    return kind == Kind::FpMultiplyAdd || kind == Kind::FpFusedAdd;
}

template <class Action>
void for_each_register(Registers set, Action action) {
    for (; set != 0; set &= set - 1) action(static_cast<unsigned>(std::countr_zero(set)));
}

}  // namespace

CortexM33Model::CortexM33Model(const CortexM33Parameters& parameters) : parameters_(parameters) {
    const CortexM33Parameters& p = parameters_;
    dynamic_.divide = {.zero = whole_cycles(p.divide_zero),
                       .smaller = whole_cycles(p.divide_smaller),
                       .base = whole_cycles(p.divide_base),
                       .bias = 0,
                       .bits_per_cycle = std::max(1u, whole_cycles(p.divide_bits)),
                       .most = whole_cycles(p.divide_most),
                       .issued = whole_cycles(p.divide_zero)};
    const unsigned unaligned = whole_cycles(p.unaligned);
    dynamic_.load = dynamic_.store = {unaligned, unaligned, unaligned};
}

void CortexM33Model::begin(std::uint32_t /*pc*/, std::uint8_t state) {
    time_ = 0;
    ready_.fill(0);
    accumulated_.fill(0);
    const State& entered = states_[state];
    for_each_register(entered.in_one, [&](unsigned reg) { ready_[reg] = 1; });
    for_each_register(entered.in_two, [&](unsigned reg) { ready_[reg] = 2; });
    fp_free_ = entered.fp_busy;
    open_ = paired_ = last_flags_ = false;
    loaded_ = 0;
    last_ = {};
    cost_ = taken_ = 0;
}

CortexM33Model::Cost CortexM33Model::cost_of_access(const InstructionShape& shape) const {
    const CortexM33Parameters& p = parameters_;
    const unsigned used = whole_cycles(p.load_latency), added = whole_cycles(p.accumulate_latency);
    switch (shape.kind) {
        case Kind::LoadDouble:
        case Kind::StoreDouble:
            return {whole_cycles(p.load_double), used, added};
        case Kind::LoadMultiple:
        case Kind::StoreMultiple:
            return {std::max(1u, shape.words), used, added};
        case Kind::LoadExclusive:
        case Kind::StoreExclusive:
            return {whole_cycles(p.exclusive), used, used};
        case Kind::FpLoad:
        case Kind::FpStore:
        case Kind::FpLoadMultiple:
        case Kind::FpStoreMultiple:
            return {std::max(1u, shape.words), whole_cycles(p.fp_load_latency),
                    whole_cycles(p.fp_load_latency)};
        default:
            return {1, used, added};
    }
}

CortexM33Model::Cost CortexM33Model::cost_of_float(const InstructionShape& shape) const {
    const CortexM33Parameters& p = parameters_;
    const unsigned latency = whole_cycles(p.fp_latency);
    switch (shape.kind) {
        case Kind::FpMultiplyAdd:
        case Kind::FpFusedAdd:
            return {1, whole_cycles(p.fp_fused_latency), whole_cycles(p.fp_fused_accumulate)};
        case Kind::FpDivide:
        case Kind::FpRoot:
            return {1, whole_cycles(p.fp_divide), whole_cycles(p.fp_divide)};
        case Kind::FpToCore:
            return {1, whole_cycles(p.fp_to_core), whole_cycles(p.fp_to_core)};
        case Kind::FpPairToCore:
        case Kind::FpPairFromCore:
            return {whole_cycles(p.fp_pair), 1, 1};
        case Kind::FpFromCore:
        case Kind::FpMove:
        case Kind::FpStatus:
            return {};
        default:
            return {1, latency, latency};
    }
}

CortexM33Model::Cost CortexM33Model::cost(const InstructionShape& shape) const {
    const CortexM33Parameters& p = parameters_;
    const unsigned added = whole_cycles(p.accumulate_latency);
    if (is_load(shape.kind) || is_store(shape.kind)) return cost_of_access(shape);
    if (is_float(shape.kind)) return cost_of_float(shape);
    switch (shape.kind) {
        case Kind::ShiftedLeft:
            return {1, whole_cycles(p.shifted_left_latency), added};
        case Kind::ShiftedOther:
            return {1, whole_cycles(p.shifted_latency), added};
        case Kind::ShiftedConstant:
            if (shape.sets_flags) return {whole_cycles(p.shifted_flags), 1, 1};
            return {1, whole_cycles(p.shifted_latency), added};
        case Kind::MultiplyNarrow:
            if (shape.sets_flags) return {whole_cycles(p.multiply_narrow), 1, 1};
            return {1, whole_cycles(p.multiply_latency), added};
        case Kind::Multiply:
        case Kind::MultiplyAdd:
        case Kind::MultiplyLong:
        case Kind::MultiplyLongAdd:
            return {1, whole_cycles(p.multiply_latency), added};
        case Kind::ExtendAdd:
            return {1, whole_cycles(p.dsp_latency), added};
        case Kind::Pack:
        case Kind::Parallel:
        case Kind::Saturate:
        case Kind::Difference:
            return {1, whole_cycles(p.dsp_latency), whole_cycles(p.dsp_latency)};
        case Kind::Divide:
            return {whole_cycles(p.divide_zero), 1, 1};
        case Kind::System:
            return {whole_cycles(p.system), 1, 1};
        case Kind::Barrier:
            return {whole_cycles(p.barrier), 1, 1};
        default:
            return {};
    }
}

unsigned CortexM33Model::earliest(const InstructionShape& shape) const {
    unsigned when = 0;
    const auto wait = [&](Registers set, const std::array<unsigned, kTimedRegisters>& ready) {
        for_each_register(set, [&](unsigned reg) { when = std::max(when, ready[reg]); });
    };
    wait(shape.sources | shape.shifted | shape.address, ready_);
    // Stores and additions need what they take a stage later.
    const bool only_products = shape.kind == Kind::ExtendAdd;
    wait(shape.accumulator & ~(only_products ? loaded_ : 0), accumulated_);
    wait(shape.accumulator & loaded_, only_products ? ready_ : accumulated_);
    if (is_float(shape.kind)) {
        wait(shape.data, ready_);
        when = std::max(when, fp_free_);
    }
    return when;
}

bool CortexM33Model::pairs(const InstructionShape& shape, unsigned ready) const {
    if (parameters_.pairs.value == 0 || !open_ || !shape.narrow || ready > time_) return false;
    switch (shape.kind) {
        case Kind::Nop:
        case Kind::It:
        case Kind::Branch:
        case Kind::BranchCompare:
            return true;
        default:
            return false;
    }
}

void CortexM33Model::write(const InstructionShape& shape, const Cost& cost, unsigned start) {
    const unsigned last = start + std::max(1u, cost.issue) - 1;
    const Registers core_results = shape.results & ~one_register(kFlags);
    for_each_register(core_results, [&](unsigned reg) {
        ready_[reg] = last + cost.latency;
        accumulated_[reg] = last + cost.accumulate;
    });
    loaded_ = is_load(shape.kind) ? loaded_ | core_results : loaded_ & ~core_results;
    for_each_register(shape.new_base,
                      [&](unsigned reg) { ready_[reg] = accumulated_[reg] = last + 1; });
    if (shape.sets_flags) {
        const bool shifted = shape.kind == Kind::ShiftedLeft || shape.kind == Kind::ShiftedOther;
        ready_[kFlags] = last + (shifted ? whole_cycles(parameters_.flags_latency) : 1);
    }
    if (multiplies_float(shape.kind))
        fp_free_ = last + 1 + whole_cycles(parameters_.fp_fused_blocks);
    if (shape.kind == Kind::FpDivide || shape.kind == Kind::FpRoot)
        fp_free_ = last + whole_cycles(parameters_.fp_divide);
}

unsigned CortexM33Model::issue(const isa::Row& row, const isa::Fields& fields, bool in_it) {
    last_ = shapes_.of(row, fields, in_it);
    const unsigned before = time_;
    // A branch does not wait for flags: its pairs say what they cost.
    InstructionShape waits = last_;
    if (is_branch(last_.kind)) waits.sources &= ~one_register(kFlags);
    const unsigned ready = earliest(waits);
    const bool behind_flags = last_flags_;
    paired_ = pairs(last_, ready);
    if (paired_) {
        cost_ = 0;
        open_ = false;
        behind_flags_ = behind_flags;
        return 0;
    }
    const Cost price = cost(last_);
    const unsigned start = std::max(time_, ready);
    write(last_, price, start);
    time_ = start + price.issue;
    cost_ = price.issue;
    open_ = last_.narrow && !is_float(last_.kind) && !is_branch(last_.kind) &&
            last_.kind != Kind::It && last_.kind != Kind::Nop;
    last_flags_ = last_.sets_flags;
    return time_ - before;
}

int CortexM33Model::taken(const isa::Row& /*row*/, const BranchShape& /*shape*/) {
    const CortexM33Parameters& p = parameters_;
    unsigned total = whole_cycles(p.taken);
    if (paired_) total = whole_cycles(behind_flags_ ? p.taken_behind_flags : p.taken_paired);
    if (last_.kind == Kind::BranchTable) total = whole_cycles(p.table_branch);
    if (last_.loads_pc) total = cost_ + whole_cycles(p.load_pc);
    taken_ = total - std::min(total, cost_);
    return static_cast<int>(taken_);
}

std::uint8_t CortexM33Model::exit_state(bool taken) {
    const unsigned now = time_ + (taken ? taken_ : 0);
    State left;
    for (unsigned reg = 0; reg < kTimedRegisters; ++reg) {
        if (ready_[reg] > now + 1) {
            left.in_two |= one_register(reg);
        } else if (ready_[reg] > now) {
            left.in_one |= one_register(reg);
        }
    }
    left.fp_busy = static_cast<std::uint8_t>(fp_free_ - std::min(fp_free_, now));
    return states_.number(left);
}

}  // namespace n6vp::models::core
