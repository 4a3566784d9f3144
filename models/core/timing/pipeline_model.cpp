// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/pipeline_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

namespace n6vp::models::core {

using isa::Issue;

namespace {

unsigned whole(const Parameter& parameter) {
    return static_cast<unsigned>(parameter.value);
}

bool is_load(Issue issue) {
    switch (issue) {
        case Issue::Load:
        case Issue::LoadNarrow:
        case Issue::LoadDouble:
        case Issue::LoadMultiple:
        case Issue::FpLoad:
        case Issue::VectorLoad:
        case Issue::VectorGather:
        case Issue::VectorInterleavedLoad:
            return true;
        default:
            return false;
    }
}

bool is_vector_store(Issue issue) {
    return issue == Issue::VectorStore || issue == Issue::VectorScatter ||
           issue == Issue::VectorInterleavedStore || issue == Issue::FpStore;
}

/// Accumulates into its destination: reads it.
bool accumulates(std::string_view text) {
    for (const std::string_view start : {"vfm", "vfnm", "vmla", "vmls", "vnml", "vcmla", "vqdmla",
                                         "vqrdmla", "mla", "mls", "bfi", "movt"}) {
        if (text.starts_with(start)) return true;
    }
    return false;
}

}  // namespace

void PipelineModel::begin(std::uint32_t /*pc*/, std::uint8_t /*state*/) {
    time_ = 0;
    ready_.fill(0);
    pipe_free_.fill(0);
    forwards_.fill(false);
    may_pair_ = last_simple_ = false;
    first_read_.fill(kNever);
    first_pipe_.fill(kNever);
}

const std::vector<PipelineModel::Operand>& PipelineModel::operands(const isa::Row& row) {
    const auto [found, fresh] = known_.try_emplace(&row);
    if (!fresh) return found->second;
    // The text tells which file each register field names.
    const std::string_view text = row.text;
    const bool loads = is_load(row.issue);
    for (std::size_t at = text.find('{'); at != std::string_view::npos;
         at = text.find('{', at + 1)) {
        const std::string_view body = text.substr(at + 1, text.find('}', at) - at - 1);
        if (body.size() < 3 || body[1] != ':') continue;
        Operand operand{body[0]};
        const std::string_view file = body.substr(2);
        if (file == "s" || file == "d" || file == "q") {
            operand.base = kVector;
            operand.width = file == "s" ? 1 : file == "d" ? 2 : 4;
        } else if (file == "sf") {
            operand.base = kVector;
            operand.low_bit_first = true;
        } else if (file != "r" && file != "rz") {
            continue;
        }
        const bool transferred = operand.letter == 't' || operand.letter == 'u';
        const bool in_place = operand.letter == 'D' || operand.letter == 'L';
        operand.written =
            operand.letter == 'd' || operand.letter == 'l' || in_place || (transferred && loads);
        operand.read = !operand.written || in_place || accumulates(text);
        found->second.push_back(operand);
    }
    return found->second;
}

PipelineModel::Cost PipelineModel::cost(const isa::Row& row, const isa::Fields& fields) const {
    const IssueParameters& p = parameters_;
    const unsigned beats = whole(p.vector_beats);
    const auto words = [&](unsigned count) {
        return std::max(1u, (count + whole(p.words_per_cycle) - 1) / whole(p.words_per_cycle));
    };
    // A list of floating-point registers is a number of words, of general ones a bit for each.
    const auto listed = row.unit == isa::Unit::Fp
                            ? fields.bits() & 0xFF
                            : static_cast<unsigned>(std::popcount(fields['l']));
    switch (row.issue) {
        case Issue::Shifted:
            return {1, whole(p.shifted_latency), kNoPipe};
        case Issue::Mul16:
            return {1, whole(p.mul16_latency), kNoPipe};
        case Issue::Mul:
            return {1, whole(p.mul_latency), kNoPipe};
        case Issue::Div:
            return {whole(p.divide_least), 1, kNoPipe};
        case Issue::Load:
            return {1, whole(p.load_word_latency), kNoPipe};
        case Issue::LoadNarrow:
        case Issue::LoadDouble:
            return {1, whole(p.load_narrow_latency), kNoPipe};
        case Issue::LoadMultiple:
        case Issue::StoreMultiple:
            return {words(listed), 1, kNoPipe};
        case Issue::LoopEnd:
            return {0, 1, kNoPipe};
        case Issue::FpArithmetic:
            return {1, whole(p.fp_latency), kNoPipe};
        case Issue::FpMultiplyAdd:
            return {1, whole(p.fp_multiply_add_latency), kNoPipe};
        case Issue::FpLoad:
            return {1, whole(p.fp_load_latency), kNoPipe};
        case Issue::FpDivide:
            return {1, whole(p.fp_divide), kNoPipe};
        case Issue::FpDivideHalf:
            return {1, whole(p.fp_divide_half), kNoPipe};
        case Issue::FpDoubleAdd:
            return {1, whole(p.double_add), kNoPipe};
        case Issue::FpDoubleMultiply:
            return {1, whole(p.double_multiply), kNoPipe};
        case Issue::FpDoubleFused:
            return {1, whole(p.double_fused), kNoPipe};
        case Issue::FpDoubleMultiplyAdd:
            return {1, whole(p.double_multiply_add), kNoPipe};
        case Issue::FpDoubleDivide:
            return {1, whole(p.double_divide), kNoPipe};
        case Issue::VectorLoad:
        case Issue::VectorStore:
            return {beats, whole(p.vector_simple_latency), kLoadStore};
        case Issue::VectorGather:
        case Issue::VectorScatter:
            return {beats, whole(p.vector_gather_latency), kLoadStore};
        case Issue::VectorInterleavedLoad:
        case Issue::VectorInterleavedStore:
            return {beats, whole(p.vector_simple_latency) + 1, kLoadStore};
        case Issue::VectorSimple:
            return {beats, whole(p.vector_simple_latency), kVectorInteger};
        case Issue::VectorShift:
            return {beats, whole(p.vector_multiply_latency), kVectorInteger};
        case Issue::VectorNarrow:
            return {beats, whole(p.vector_narrow_latency), kVectorInteger};
        case Issue::VectorMultiply:
            return {beats, whole(p.vector_multiply_latency), kVectorMultiply};
        case Issue::VectorFloatAdd:
            return {beats, whole(p.vector_float_add_latency), kVectorMultiply};
        case Issue::VectorReduce:
            return {beats, whole(p.vector_reduce_latency), kVectorMultiply};
        case Issue::VectorMinMaxAcross:
            return {beats, whole(p.vector_across_latency), kVectorInteger};
        case Issue::VectorMove:
            return {1, whole(p.vector_simple_latency), kNoPipe};
        default:
            return {1, 1, kNoPipe};
    }
}

bool PipelineModel::pairs(const isa::Row& row, const isa::Fields& fields, unsigned earliest) const {
    if (parameters_.dual_issue.value == 0 || !may_pair_ || fields.bytes() != 2) return false;
    if (row.unit != isa::Unit::Integer || earliest > time_ - 1) return false;
    const bool simple = row.issue == Issue::AluPairable || row.issue == Issue::Branch ||
                        row.issue == Issue::It || row.issue == Issue::Nop;
    return simple || last_simple_;
}

unsigned PipelineModel::issue(const isa::Row& row, const isa::Fields& fields, bool /*in_it*/) {
    const Cost price = cost(row, fields);
    unsigned earliest = 0;  // when every operand is there
    for (const Operand& operand : operands(row)) {
        if (!operand.read) continue;
        const unsigned first = operand.first(fields);
        for (unsigned reg = first; reg < std::min(first + operand.width, kRegisters); ++reg) {
            unsigned ready = ready_[reg];
            if (forwards_[reg] && is_vector_store(row.issue) && ready != 0)
                ready -= std::min(ready, whole(parameters_.vector_multiply_latency) -
                                             whole(parameters_.multiply_to_store));
            earliest = std::max(earliest, ready);
            if (ready_[reg] == 0) first_read_[reg] = std::min(first_read_[reg], time_);
        }
    }
    const unsigned before = time_;
    const bool paired = pairs(row, fields, earliest);
    unsigned start = paired ? time_ - 1 : std::max(time_, earliest);
    if (price.pipe != kNoPipe) {
        start = std::max(start, pipe_free_[price.pipe]);
        if (first_pipe_[price.pipe] == kNever) first_pipe_[price.pipe] = start;
        pipe_free_[price.pipe] = start + price.issue;
        time_ = start + 1;
    } else {
        time_ = std::max(time_, start + price.issue);
    }
    for (const Operand& operand : operands(row)) {
        if (!operand.written) continue;
        const unsigned first = operand.first(fields);
        for (unsigned reg = first; reg < std::min(first + operand.width, kRegisters); ++reg) {
            ready_[reg] = start + price.latency;
            forwards_[reg] = price.pipe == kVectorMultiply;
        }
    }
    may_pair_ =
        !paired && fields.bytes() == 2 && row.unit == isa::Unit::Integer && price.issue == 1;
    last_simple_ =
        row.issue == Issue::AluPairable || row.issue == Issue::It || row.issue == Issue::Nop;
    return time_ - before;
}

int PipelineModel::taken(const isa::Row& row, const BranchShape& shape) {
    const IssueParameters& p = parameters_;
    unsigned extra = 0;
    if (shape.indirect) {
        extra = whole(p.taken_indirect);
    } else if (row.issue != Issue::LoopEnd) {
        extra = whole(p.taken_direct);
        if (shape.conditional)
            extra += static_cast<unsigned>(
                std::lround(p.mispredicted.value * p.mispredicted_share.value));
    }
    if (!shape.to_own_start) return static_cast<int>(extra);
    // The next round waits for what this one has not finished.
    unsigned wait = 0;
    const unsigned next = time_ + extra;
    for (unsigned pipe = 0; pipe < kPipes; ++pipe) {
        if (first_pipe_[pipe] == kNever) continue;
        const unsigned wanted = next + first_pipe_[pipe];
        if (pipe_free_[pipe] > wanted) wait = std::max(wait, pipe_free_[pipe] - wanted);
    }
    for (unsigned reg = 0; reg < kRegisters; ++reg) {
        if (first_read_[reg] == kNever) continue;
        const unsigned wanted = next + first_read_[reg];
        if (ready_[reg] > wanted) wait = std::max(wait, ready_[reg] - wanted);
    }
    return static_cast<int>(extra + wait);
}

}  // namespace n6vp::models::core
