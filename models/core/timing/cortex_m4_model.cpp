// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/cortex_m4_model.h"

#include <algorithm>

namespace n6vp::models::core {

namespace {

unsigned cycles_of(const Parameter& parameter) {
    return static_cast<unsigned>(parameter.value);
}

std::uint8_t less(std::uint8_t busy, unsigned cycles) {
    return static_cast<std::uint8_t>(busy - std::min<unsigned>(busy, cycles));
}

bool divides_float(Kind kind) {
    return kind == Kind::FpDivide || kind == Kind::FpRoot;
}

/// The accesses that overlap with a neighbour.
bool is_single_access(Kind kind) {
    switch (kind) {
        case Kind::Load:
        case Kind::LoadNarrow:
        case Kind::LoadExclusive:
        case Kind::Store:
        case Kind::StoreNarrow:
        case Kind::StoreExclusive:
            return true;
        default:
            return false;
    }
}

}  // namespace

CortexM4Model::CortexM4Model(const CortexM4Parameters& parameters) : parameters_(parameters) {
    const CortexM4Parameters& p = parameters_;
    dynamic_.divide = {.zero = cycles_of(p.divide_zero),
                       .smaller = cycles_of(p.divide_smaller),
                       .base = cycles_of(p.divide_base),
                       .bias = 0,
                       .bits_per_cycle = std::max(1u, cycles_of(p.divide_bits)),
                       .most = cycles_of(p.divide_most),
                       .issued = cycles_of(p.divide_zero)};
    dynamic_.load = {cycles_of(p.unaligned_halfword), cycles_of(p.unaligned_word),
                     cycles_of(p.unaligned_byte)};
}

void CortexM4Model::begin(std::uint32_t pc, std::uint8_t state) {
    pc_ = pc;
    state_ = states_[state];
    last_ = {};
    cost_ = 0;
}

bool CortexM4Model::pipelines(const InstructionShape& shape) const {
    if (state_.before != Neighbour::Load || !is_single_access(shape.kind)) return false;
    if ((shape.address & state_.loaded) != 0) return false;
    return shape.narrow || pc_ % 4 == 0 || parameters_.split_load.value == 0;
}

unsigned CortexM4Model::cost_of_access(const InstructionShape& shape) const {
    const CortexM4Parameters& p = parameters_;
    const bool behind_store =
        state_.before == Neighbour::Store || state_.before == Neighbour::ClosedStore;
    switch (shape.kind) {
        case Kind::Load:
        case Kind::LoadNarrow:
            if (pipelines(shape)) return cycles_of(p.load) - 1;
            return cycles_of(p.load) + (behind_store ? cycles_of(p.store_then_load) : 0);
        case Kind::LoadExclusive:
        case Kind::StoreExclusive:
            return cycles_of(p.exclusive) - (pipelines(shape) ? 1 : 0);
        case Kind::Store:
        case Kind::StoreNarrow:
            if (!shape.index_register || pipelines(shape)) return cycles_of(p.store);
            return cycles_of(p.store_indexed);
        case Kind::FpLoad:
        case Kind::FpStore:
        case Kind::FpLoadMultiple:
        case Kind::FpStoreMultiple:
            return cycles_of(p.fp_memory) + shape.words;
        default:
            return cycles_of(p.multiple) + shape.words;
    }
}

unsigned CortexM4Model::cost_of_float(const InstructionShape& shape) const {
    const CortexM4Parameters& p = parameters_;
    switch (shape.kind) {
        case Kind::FpMultiplyAdd:
        case Kind::FpFusedAdd:
            return cycles_of(p.fp_multiply_add);
        case Kind::FpToCore:
        case Kind::FpFromCore:
        case Kind::FpPairToCore:
        case Kind::FpPairFromCore:
            return cycles_of(p.fp_transfer);
        default:
            return cycles_of(p.fp_arithmetic);
    }
}

unsigned CortexM4Model::cost(const InstructionShape& shape) const {
    const CortexM4Parameters& p = parameters_;
    if (is_load(shape.kind) || is_store(shape.kind)) return cost_of_access(shape);
    if (is_float(shape.kind)) return cost_of_float(shape);
    switch (shape.kind) {
        case Kind::Divide:
            return cycles_of(p.divide_zero);
        case Kind::Branch:
        case Kind::BranchCompare:
        case Kind::BranchIndirect:
        case Kind::BranchTable:
            return cycles_of(p.branch);
        case Kind::It:
            return p.it_folds.value != 0 && state_.narrow_before ? 0 : cycles_of(p.it);
        case Kind::System:
            return cycles_of(p.system);
        case Kind::Barrier:
            return cycles_of(p.barrier);
        default:
            return 1;
    }
}

unsigned CortexM4Model::wait(const InstructionShape& shape) const {
    const CortexM4Parameters& p = parameters_;
    unsigned cycles = 0;
    const bool accesses = is_load(shape.kind) || is_store(shape.kind);
    if (accesses && (shape.address & state_.computed) != 0) cycles = cycles_of(p.address_wait);
    if (((shape.sources | shape.data | shape.shifted) & state_.fp_results) != 0)
        cycles = std::max(cycles, cycles_of(p.fp_use));
    const bool needs_divider =
        is_float(shape.kind) || ((shape.read() | shape.results) & state_.dividing) != 0;
    return needs_divider ? std::max(cycles, unsigned{state_.fp_busy}) : cycles;
}

void CortexM4Model::leave(const InstructionShape& shape, unsigned cycles) {
    const Kind kind = shape.kind;
    State next;
    next.narrow_before = shape.narrow;
    next.wide_left = state_.wide_left;
    if (is_single_access(kind)) {
        next.before = !is_store(kind)        ? Neighbour::Load
                      : shape.index_register ? Neighbour::ClosedStore
                                             : Neighbour::Store;
        if (is_load(kind)) next.loaded = shape.results;
        next.computed = shape.new_base;
    } else if (!is_load(kind) && !is_store(kind) && !is_float(kind)) {
        next.computed = shape.results;
    }
    if (is_float(kind) && !is_load(kind) && !is_store(kind)) next.fp_results = shape.results;
    next.fp_busy = less(state_.fp_busy, cycles);
    if (next.fp_busy != 0) next.dividing = state_.dividing;
    if (divides_float(kind)) {
        next.fp_busy = static_cast<std::uint8_t>(cycles_of(parameters_.fp_divide) - 1);
        next.dividing = shape.results;
        next.fp_results = 0;
    }
    state_ = next;
}

unsigned CortexM4Model::fetch_wait(const InstructionShape& shape, unsigned cycles) {
    // The buffer of three words fills while fewer than two halfwords per cycle leave it, and holds
    // two and a half instructions then.
    constexpr std::uint8_t kHeld = 3;
    if (shape.narrow || cycles > 1) {
        state_.wide_left = kHeld;
        return 0;
    }
    if (pc_ % 4 == 0 || state_.wide_left == 0) {
        state_.wide_left = 0;
        return 0;
    }
    return --state_.wide_left == 0 ? cycles_of(parameters_.wide_run) : 0;
}

unsigned CortexM4Model::issue(const isa::Row& row, const isa::Fields& fields, bool in_it) {
    last_ = shapes_.of(row, fields, in_it);
    cost_ = cost(last_);
    const unsigned executed = wait(last_) + cost_;
    const unsigned cycles = executed + fetch_wait(last_, executed);
    leave(last_, cycles);
    pc_ += fields.bytes();
    return cycles;
}

int CortexM4Model::taken(const isa::Row& /*row*/, const BranchShape& shape) {
    const CortexM4Parameters& p = parameters_;
    unsigned refill = cycles_of(p.refill);
    if (shape.split_target) refill += cycles_of(p.refill_split);
    // From here on to a least total.
    const auto at_least = [&](const Parameter& total) {
        return std::max(refill, cycles_of(total) - std::min(cycles_of(total), cost_));
    };
    if (last_.kind == Kind::BranchTable) refill = at_least(p.table_branch);
    if (last_.kind == Kind::Load) refill = at_least(p.load_pc);
    refill_ = refill;
    return static_cast<int>(refill);
}

std::uint8_t CortexM4Model::exit_state(bool taken) {
    if (!last_.writes_pc) return states_.number(state_);
    // Behind a branch only the divider goes on.
    State left;
    left.fp_busy = less(state_.fp_busy, taken ? refill_ : 0);
    if (left.fp_busy != 0) left.dividing = state_.dividing;
    return states_.number(left);
}

}  // namespace n6vp::models::core
