// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/cortex_m7_model.h"

#include <algorithm>
#include <bit>

namespace n6vp::models::core {

namespace {

unsigned to_cycles(const Parameter& parameter) {
    return static_cast<unsigned>(parameter.value);
}

template <class Action>
void for_registers(Registers set, Action action) {
    for (; set != 0; set &= set - 1) action(static_cast<unsigned>(std::countr_zero(set)));
}

/// 16-bit instructions that let a taken branch go with its target.
constexpr std::uint8_t kNarrowBefore = 2;

bool is_product(Kind kind) {
    return kind >= Kind::Multiply && kind <= Kind::MultiplyLongAdd;
}

/// One shifter serves both instructions of a pair.
bool is_inline_shift(Kind kind) {
    return kind == Kind::ShiftedLeft || kind == Kind::ShiftedOther || kind == Kind::ShiftedConstant;
}

/// Bit fields, extension and parallel arithmetic: one unit.
bool is_bit_operation(Kind kind) {
    return kind >= Kind::BitInsert && kind <= Kind::Difference;
}

/// Those of them that use the shifter.
bool shifts_bits(Kind kind) {
    return kind == Kind::BitInsert || kind == Kind::BitExtract || kind == Kind::Reverse ||
           kind == Kind::ExtendAdd || kind == Kind::Pack;
}

bool is_word_access(Kind kind) {
    return kind == Kind::Load || kind == Kind::LoadNarrow || kind == Kind::FpLoad;
}

bool is_fused(Kind kind) {
    return kind == Kind::FpMultiplyAdd || kind == Kind::FpFusedAdd;
}

bool computes_float(Kind kind) {
    return kind >= Kind::FpAdd && kind <= Kind::FpRoot;
}

/// Issued alone in their cycles.
bool issues_alone(const InstructionShape& shape) {
    switch (shape.kind) {
        case Kind::LoadMultiple:
        case Kind::StoreMultiple:
        case Kind::LoadDouble:
        case Kind::StoreDouble:
        case Kind::LoadExclusive:
        case Kind::StoreExclusive:
        case Kind::FpLoadMultiple:
        case Kind::FpStoreMultiple:
        case Kind::FpPairToCore:
        case Kind::FpPairFromCore:
        case Kind::BranchTable:
        case Kind::Divide:
        case Kind::System:
        case Kind::Barrier:
            return true;
        case Kind::FpLoad:
        case Kind::FpStore:
            return shape.twice;
        default:
            return false;
    }
}

}  // namespace

CortexM7Model::CortexM7Model(const CortexM7Parameters& parameters) : parameters_(parameters) {
    const CortexM7Parameters& p = parameters_;
    const unsigned bits = std::max(1u, to_cycles(p.divide_bits));
    dynamic_.divide = {.zero = to_cycles(p.divide_least),
                       .smaller = to_cycles(p.divide_least),
                       .base = to_cycles(p.divide_base),
                       .bias = bits,  // the difference is a bit less than the quotient has
                       .bits_per_cycle = bits,
                       .most = to_cycles(p.divide_most),
                       .issued = to_cycles(p.divide_least)};
    const unsigned unaligned = to_cycles(p.unaligned_load);
    dynamic_.load = {unaligned, unaligned, unaligned};
}

std::uint32_t CortexM7Model::predictor_entries() const {
    return std::max(1u, to_cycles(parameters_.predictor_entries));
}

void CortexM7Model::begin(std::uint32_t /*pc*/, std::uint8_t state) {
    const State& entered = states_[state / 2];
    late_.fill(0);
    early_.fill(0);
    stored_.fill(0);
    for_registers(entered.in_one, [&](unsigned reg) { late_[reg] = early_[reg] = kStart + 1; });
    for_registers(entered.in_two, [&](unsigned reg) { late_[reg] = early_[reg] = kStart + 2; });
    loaded_ = 0;
    time_ = kStart;
    open_ = state % 2 != 0;
    older_ = {};
    older_.kind = Kind::Branch;
    last_ = {};
    last_younger_ = false;
    fp_free_ = fp_add_free_ = flags_set_ = taken_ = 0;
    narrow_ = entered.narrow;
}

unsigned CortexM7Model::occupies(const InstructionShape& shape) const {
    const CortexM7Parameters& p = parameters_;
    const unsigned width = std::max(1u, to_cycles(p.words_per_cycle));
    switch (shape.kind) {
        case Kind::LoadMultiple:
        case Kind::StoreMultiple:
        case Kind::FpLoadMultiple:
        case Kind::FpStoreMultiple:
            return std::max(1u, (shape.words + width - 1) / width);
        case Kind::LoadExclusive:
        case Kind::StoreExclusive:
            return to_cycles(p.exclusive);
        case Kind::Divide:
            return to_cycles(p.divide_least);
        case Kind::System:
            return to_cycles(p.system);
        case Kind::Barrier:
            return to_cycles(p.barrier);
        case Kind::FpDivide:
            return to_cycles(shape.twice ? p.double_divide : p.fp_divide);
        case Kind::FpRoot:
            return to_cycles(shape.twice ? p.double_divide : p.fp_root);
        default:
            return 1;
    }
}

unsigned CortexM7Model::earliest_float(const InstructionShape& shape) const {
    unsigned when = fp_free_;
    const auto wait = [&](Registers set, const Times& times) {
        for_registers(set, [&](unsigned reg) { when = std::max(when, times[reg]); });
    };
    constexpr Registers kCore = 0xFFFF | one_register(kFlags);
    wait(shape.sources & ~kCore, early_);
    wait(shape.accumulator & ~kCore, late_);
    wait(shape.data & ~kCore, stored_);
    // Core registers come from any ALU, addresses from the early one.
    for_registers(shape.sources & kCore, [&](unsigned reg) {
        when = std::max(when, late_[reg] - std::min(1u, late_[reg]));
    });
    wait(shape.address, early_);
    const bool blocked = shape.kind == Kind::FpAdd || shape.kind == Kind::FpLoadMultiple ||
                         shape.kind == Kind::FpStoreMultiple || shape.twice;
    return blocked ? std::max(when, fp_add_free_) : when;
}

unsigned CortexM7Model::earliest(const InstructionShape& shape) const {
    if (is_float(shape.kind)) return earliest_float(shape);
    unsigned when = 0;
    // `stages` after issue the operand must be there.
    const auto wait = [&](Registers set, const Times& times, unsigned stages) {
        for_registers(set, [&](unsigned reg) {
            when = std::max(when, times[reg] - std::min(stages, times[reg]));
        });
    };
    Registers sources = shape.sources;
    if (is_branch(shape.kind)) sources &= ~one_register(kFlags);  // predicted
    if (is_product(shape.kind)) {
        wait(sources & loaded_, late_, 0);
        sources &= ~loaded_;
    }
    wait(sources, late_, 1);
    wait(shape.shifted, early_, 0);
    wait(shape.address, early_, 0);
    wait(shape.accumulator, late_, is_product(shape.kind) ? 2 : 1);
    wait(shape.data, late_, 3);
    return when;
}

bool CortexM7Model::loads_pair(const InstructionShape& younger) const {
    const bool known = older_.base == younger.base && !older_.index_register &&
                       !younger.index_register && !older_.writes_back;
    if (!known) return parameters_.bank_unknown_pairs.value != 0;
    const bool same_bank = (older_.offset >> 2 & 1) == (younger.offset >> 2 & 1);
    return parameters_.bank_known_pairs.value != 0 && !same_bank;
}

bool CortexM7Model::pairs(const InstructionShape& younger) const {
    const Kind a = older_.kind, b = younger.kind;
    if (parameters_.pairs.value == 0 || !open_) return false;
    if (issues_alone(older_) || issues_alone(younger)) return false;
    if (is_branch(a) && is_branch(b)) return false;
    if (is_product(a) && (is_product(b) || is_store(b))) return false;
    if (is_product(b) && is_store(a)) return false;
    if (is_store(a) && is_store(b)) return false;
    if (is_word_access(a) && is_word_access(b) && !loads_pair(younger)) return false;
    if (is_inline_shift(b) && (is_inline_shift(a) || shifts_bits(a) || a == Kind::Shift))
        return false;
    if (is_inline_shift(a) && shifts_bits(b)) return false;
    // Bit operations are older ones, except beside a product.
    if (is_bit_operation(b) && !is_product(a)) return false;
    if (computes_float(a) && computes_float(b)) return false;
    const bool moves_b = is_float(b) && !computes_float(b),
               moves_a = is_float(a) && !computes_float(a);
    if ((is_fused(a) && moves_b) || (is_fused(b) && moves_a)) return false;
    const bool divides = a == Kind::FpDivide || a == Kind::FpRoot;
    return !divides || !is_float(b);
}

bool CortexM7Model::runs_early(const InstructionShape& shape, unsigned cycle, bool younger) const {
    switch (shape.kind) {
        case Kind::Reverse:
            return true;
        case Kind::Arithmetic:
            if (younger) return false;
            break;
        case Kind::Shift:
            if (younger && (is_inline_shift(older_.kind) || shifts_bits(older_.kind))) return false;
            break;
        default:
            return false;
    }
    bool there = true;
    for_registers(shape.sources, [&](unsigned reg) { there = there && early_[reg] <= cycle; });
    return there;
}

void CortexM7Model::set_results(Registers results, unsigned late, unsigned early) {
    for_registers(results, [&](unsigned reg) {
        late_[reg] = late;
        early_[reg] = early;
    });
}

void CortexM7Model::write_float(const InstructionShape& shape, unsigned cycle) {
    const CortexM7Parameters& p = parameters_;
    const auto results = [&](unsigned addend, unsigned other, unsigned store) {
        for_registers(shape.results, [&](unsigned reg) {
            late_[reg] = cycle + addend;
            early_[reg] = cycle + other;
            stored_[reg] = cycle + store;
        });
    };
    const unsigned usual = to_cycles(p.fp_latency);
    switch (shape.kind) {
        case Kind::FpMultiplyAdd:
        case Kind::FpFusedAdd: {
            const bool fused = shape.kind == Kind::FpFusedAdd;
            const unsigned other =
                to_cycles(fused ? p.fp_fused_latency : p.fp_multiply_add_latency);
            results(to_cycles(p.fp_accumulate), other, fused ? usual : usual + 1);
            fp_add_free_ = cycle + 1 + to_cycles(p.fp_after_fused);
            if (shape.twice) fp_free_ = cycle + to_cycles(p.double_fused);
            break;
        }
        case Kind::FpLoad:
        case Kind::FpLoadMultiple:
            results(to_cycles(p.fp_load_addend), 1, 0);
            break;
        case Kind::FpFromCore:
        case Kind::FpPairFromCore:
        case Kind::FpMove:
            results(to_cycles(p.fp_move), to_cycles(p.fp_move), 1);
            break;
        case Kind::FpToCore:
        case Kind::FpPairToCore:
            set_results(shape.results, cycle + 2, cycle + 2);
            break;
        case Kind::FpDivide:
        case Kind::FpRoot:
            results(occupies(shape), occupies(shape), occupies(shape));
            break;
        default:
            results(usual, usual, 1);
            if (shape.twice)
                fp_free_ = cycle + to_cycles(shape.kind == Kind::FpMultiply ? p.double_multiply
                                                                            : p.double_add);
    }
    set_results(shape.new_base, cycle + 1, cycle + 1);
}

void CortexM7Model::write(const InstructionShape& shape, unsigned cycle, bool younger) {
    const CortexM7Parameters& p = parameters_;
    if (shape.sets_flags) flags_set_ = cycle;
    if (is_float(shape.kind)) return write_float(shape, cycle);
    const Registers results = shape.results & ~one_register(kFlags);
    loaded_ = is_load(shape.kind) ? loaded_ | results : loaded_ & ~results;
    const unsigned end = cycle + occupies(shape) - 1;  // the last cycle of a multiple
    unsigned late = end + 2;                           // by the late ALU
    unsigned early = late;
    if (is_load(shape.kind)) {
        const bool narrow = shape.kind == Kind::LoadNarrow;
        late = early = end + 1 + to_cycles(narrow ? p.load_narrow : p.load_word);
    } else if (is_product(shape.kind)) {
        late = early = cycle + 1 + to_cycles(p.multiply_latency);
    } else if (shape.kind == Kind::Saturate || shape.kind == Kind::Difference) {
        late = early = cycle + 1 + to_cycles(p.saturate_latency);
    } else if (runs_early(shape, cycle, younger)) {
        late = cycle + 1;
        early = shape.kind == Kind::Reverse ? cycle + 2 : cycle + 1;
    }
    set_results(results, late, early);
    // The late ALU makes flags, wherever the result comes from.
    if (shape.sets_flags) late_[kFlags] = early_[kFlags] = cycle + 2;
    set_results(shape.new_base, cycle + 1, cycle + 1);
}

unsigned CortexM7Model::issue(const isa::Row& row, const isa::Fields& fields, bool in_it) {
    if (last_.narrow && narrow_ < kNarrowBefore) ++narrow_;
    last_ = shapes_.of(row, fields, in_it);
    const unsigned before = time_, ready = earliest(last_);
    // The younger one goes with an older one of the cycle before `time_`, which may be its last.
    const unsigned beside = time_ - 1;
    last_younger_ = pairs(last_) && ready <= beside;
    const unsigned cycle = last_younger_ ? beside : std::max(time_, ready);
    write(last_, cycle, last_younger_);
    if (last_younger_) {
        open_ = false;
        return 0;
    }
    time_ = cycle + occupies(last_);
    open_ = true;
    older_ = last_;
    return time_ - before;
}

unsigned CortexM7Model::mispredicted() const {
    const CortexM7Parameters& p = parameters_;
    if (last_.kind == Kind::BranchCompare) return to_cycles(p.mispredicted);
    // Flags from before the block are old enough.
    const unsigned branch = time_ - 1;
    const bool early = flags_set_ == 0 || branch - flags_set_ >= to_cycles(p.flags_early);
    return to_cycles(early ? p.mispredicted_early : p.mispredicted);
}

int CortexM7Model::taken(const isa::Row& /*row*/, const BranchShape& shape) {
    const CortexM7Parameters& p = parameters_;
    taken_ = to_cycles(narrow_ == kNarrowBefore ? p.taken_narrow : p.taken);
    if (shape.indirect) taken_ = to_cycles(p.taken_indirect);
    if (last_.kind == Kind::BranchTable) taken_ = to_cycles(p.table_branch) - 1;
    return static_cast<int>(taken_);
}

std::uint8_t CortexM7Model::exit_state(bool taken) {
    const unsigned now = time_ + (taken ? taken_ : 0);
    State left;
    if (!taken) left.narrow = narrow_;
    for (unsigned reg = 0; reg < kFirstFloat; ++reg) {
        if (late_[reg] > now + 1) {
            left.in_two |= one_register(reg);
        } else if (late_[reg] > now) {
            left.in_one |= one_register(reg);
        }
    }
    // Behind a taken branch a new cycle begins; a not-taken one may be the older of a pair.
    const bool room = !taken && open_ && !last_younger_ && is_branch(last_.kind);
    // Half of the numbers, so that there is always one for a state with room.
    const std::uint8_t pending = states_.number(left);
    return static_cast<std::uint8_t>(2 * (pending < 128 ? pending : 0) + (room ? 1 : 0));
}

}  // namespace n6vp::models::core
