// SPDX-License-Identifier: Apache-2.0
#include "models/core/engine/block_builder.h"

#include <algorithm>
#include <limits>

#include "models/core/ir/access.h"
#include "models/core/ir/branches.h"
#include "models/core/ir/builder.h"
#include "models/core/ir/instruction_cache.h"
#include "models/core/ir/system.h"

namespace n6vp::models::core {

namespace {

void touch_instruction_cache(CpuState& cpu, const MicroOp& op) {
    cpu.instruction_cache->touch(cpu, op.imm, op.rd);
}

bool check_fp(CpuState& cpu, const MicroOp& op) {
    return cpu.fp_ready || cpu.system->prepare_fp(cpu, op.pc, op.rd != 0);
}

bool stop_at_breakpoint(CpuState& cpu, const MicroOp& op) {
    if (cpu.resume_pc == op.pc) {
        cpu.resume_pc = 1;
        return true;
    }
    cpu.exit = Exit::Breakpoint;
    return false;
}

N6VP_FAR void call_hook(CpuState& cpu, const MicroOp& op) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): micro-ops have one word for whatever they carry
    const auto* hook = reinterpret_cast<const InstructionHook*>(op.extra);
    (*hook)(cpu, op.pc, op.imm);
}

/// Raises the fault of a fetch: exception in rd, CFSR or SFSR bits in `extra`, address in `imm`.
bool raise_fetch_fault(CpuState& cpu, const MicroOp& op) {
    cpu.fault = {static_cast<Exception>(op.rd), static_cast<std::uint32_t>(op.extra), op.imm,
                 op.rn != 0};
    cpu.exit = Exit::Fault;
    return false;
}

constexpr std::uint32_t kGateway = 0xE97FE97F;  // SG

std::uint8_t next_itstate(std::uint8_t itstate) {
    if ((itstate & 7) == 0) return 0;
    return static_cast<std::uint8_t>((itstate & 0xE0) | (itstate << 1 & 0x1F));
}

/// Returns true for an instruction that depends on, and changes, core registers and memory only.
bool is_plain(const isa::Row* row) {
    return row != nullptr && row->unit == isa::Unit::Integer && row->issue <= isa::Issue::Nop;
}

}  // namespace

bool is_debugger_stop(const MicroOp& op) {
    return op.handler == handler<stop_at_breakpoint>;
}

std::uint8_t itstate_of(const MicroOp& op) {
    if (is_debugger_stop(op)) return op.rd;
    if (op.handler == handler<raise_fetch_fault>) return op.rm;
    for (const MicroOp* before = &op; before->pc == op.pc; --before) {
        if (before->handler == skip_unless) return before->rd;
    }
    return 0;
}

bool BlockBuilder::decode(std::uint32_t pc, Decoded& decoded, PendingFault& fault) {
    std::uint16_t first = 0, second = 0;
    bool gateway_only = false, second_gateway_only = false;
    if (!source_.fetch(pc, first, gateway_only, fault)) return false;
    if (gateway_only && first != kGateway >> 16) {
        fault = {Exception::SecureFault, sfsr::kInvEp, 0, false};
        return false;
    }
    if (!isa::is_wide(first)) {
        decoded = {rows_.find_16(first), first, 2};
        return true;
    }
    if (!source_.fetch(pc + 2, second, second_gateway_only, fault)) return false;
    const std::uint32_t encoding = std::uint32_t{first} << 16 | second;
    if (gateway_only && encoding != kGateway) {
        fault = {Exception::SecureFault, sfsr::kInvEp, 0, false};
        return false;
    }
    decoded = {rows_.find_32(encoding), encoding, 4};
    return true;
}

/// Emits what an encoding does that is no instruction. Coprocessors that do not exist are refused
/// before anything is looked at; those of the floating-point unit if it is disabled.
void BlockBuilder::emit_undefined(Builder& builder, const Decoded& decoded, bool& fp_checked) {
    constexpr std::uint32_t kCoprocessorSpace = 0xEC000000;
    if ((decoded.encoding & kCoprocessorSpace) != kCoprocessorSpace) {
        builder.undefined();
        return;
    }
    const bool vector_space = (decoded.encoding >> 24 & 15) == 15;
    // Before Armv8.1-M the vector space is undefined, and only coprocessors 10 and 11 are the FPU.
    const bool v81 = architecture_ == Architecture::Armv81M;
    if (vector_space && !v81) {
        builder.undefined();
        return;
    }
    const unsigned coprocessor = vector_space ? 10 : decoded.encoding >> 8 & 15;
    const bool of_unit = coprocessor == 10 || coprocessor == 11;
    const bool reserved = coprocessor < 8 || coprocessor == 12 || coprocessor == 13;
    if (reserved || (!v81 && !of_unit)) {
        builder.no_coprocessor();
        return;
    }
    if (!fp_checked) builder.emit(handler<check_fp>);
    builder.undefined();
}

void BlockBuilder::emit_checks(Builder& builder, const Decoded& decoded, bool& fp_checked) {
    if (decoded.row == nullptr || decoded.row->unit == isa::Unit::Integer || fp_checked) return;
    builder.emit(handler<check_fp>).rd = decoded.row->unit == isa::Unit::Vector ? 1 : 0;
    // A conditional check may be skipped and proves nothing for the next instruction.
    if (!builder.in_it()) fp_checked = true;
}

void BlockBuilder::emit_instruction(Builder& builder, const Decoded& decoded, bool& fp_checked) {
    if (breakpoints.contains(builder.pc()))
        builder.emit(handler<stop_at_breakpoint>).rd = builder.itstate_;
    if (hook) {
        MicroOp& op = builder.emit(handler<call_hook>);
        op.imm = decoded.encoding;
        op.extra = reinterpret_cast<std::uintptr_t>(&hook);
    }
    const std::size_t skip = builder.ops_.size();
    if (builder.in_it()) {
        MicroOp& op = builder.emit(skip_unless);
        op.rn = builder.itstate_ >> 4;
        op.rd = builder.itstate_;
    }
    emit_checks(builder, decoded, fp_checked);
    if (decoded.row == nullptr) {
        emit_undefined(builder, decoded, fp_checked);
    } else {
        decoded.row->build(builder, isa::Fields(decoded.row->pattern, decoded.encoding));
    }
    if (builder.in_it()) {
        MicroOp& op = builder.ops_[skip];
        op.imm = static_cast<std::uint32_t>(builder.ops_.size() - skip - 1);
        if (builder.unconditional_) op.rn = 14;
    }
}

void BlockBuilder::charge(Builder& builder, const Decoded& decoded, std::size_t first,
                          unsigned& cycles) {
    constexpr unsigned kMost = std::numeric_limits<std::uint16_t>::max();
    for (std::size_t i = first; i < builder.ops_.size(); ++i)
        builder.ops_[i].cycles_before = static_cast<std::uint16_t>(cycles);
    if (decoded.row == nullptr) return;
    const isa::Fields fields(decoded.row->pattern, decoded.encoding);
    cycles = std::min(cycles + issue_.issue(*decoded.row, fields, builder.in_it()), kMost);
    if (builder.in_it() && builder.ops_[first].handler == skip_unless)
        builder.ops_[first].rm = static_cast<std::uint8_t>(issue_.saved_if_skipped());
    if (!builder.branched_) return;
    MicroOp& branch = builder.ops_.back();
    branch.cycles_before = static_cast<std::uint16_t>(cycles);
    BranchShape shape{!has_link(branch), branch.handler != branch_always, branch.imm == start_,
                      branch.imm};
    if (issue_.wants_targets() && !shape.indirect) shape.split_target = is_split(branch.imm);
    const int extra = issue_.taken(*decoded.row, shape);
    if (extra < 0) {
        const unsigned less = std::min(cycles, static_cast<unsigned>(-extra));
        branch.cycles_before = static_cast<std::uint16_t>(cycles - less);
    } else {
        branch.ra = static_cast<std::uint8_t>(std::min(extra, 255));
    }
    // A loop of nothing but its end must take time, or it would never give control back. With
    // states, at most one round of it takes none.
    if (!issue_.has_states() && cycles + branch.ra == 0) branch.ra = 1;
    if (shape.indirect) return;
    branch.rd = issue_.exit_state(true);
    if (const unsigned wrong = issue_.mispredicted(); wrong != 0 && shape.conditional) {
        branch.handler = predicted(branch.handler);
        branch.rm = static_cast<std::uint8_t>(std::min(wrong, 255u));
    }
}

bool BlockBuilder::is_split(std::uint32_t address) {
    if (address % 4 == 0) return false;
    std::uint16_t first = 0;
    bool gateway_only = false;
    PendingFault fault;
    return source_.fetch(address, first, gateway_only, fault) && isa::is_wide(first);
}

void BlockBuilder::finish(Block& block, Builder& builder, unsigned instructions, unsigned cycles) {
    // Unconditional ways out need nothing behind them, but an IT condition may skip them.
    MicroOp& op = builder.ops_.emplace_back();
    op.handler = fall_through;
    op.imm = builder.pc_;
    op.rd = builder.itstate_;
    op.rn = issue_.exit_state(false);
    op.pc = builder.pc_;
    op.index = static_cast<std::uint8_t>(instructions);
    op.cycles_before = static_cast<std::uint16_t>(cycles);
    block.bytes = builder.pc_ - block.key.pc;
    const auto is_once = [](const MicroOp& first) {
        return first.handler == handler<touch_instruction_cache> ||
               first.handler == handler<check_fp>;
    };
    while (is_once(builder.ops_[1 + block.once])) ++block.once;
    if (!model_fetches) return;
    MicroOp& fetch = builder.ops_[1];
    const std::uint32_t line = InstructionCache::kLineBytes;
    const std::uint32_t last = block.key.pc + std::max(block.bytes, 2u) - 1;
    fetch.imm = block.key.pc;
    fetch.rd = static_cast<std::uint8_t>(last / line - block.key.pc / line + 1);
    block.lines = fetch.rd;
}

std::unique_ptr<Block> BlockBuilder::build(const BlockKey& key) {
    auto block = std::make_unique<Block>();
    block->key = key;
    ops_.clear();
    Builder builder(ops_);
    builder.pc_ = start_ = key.pc;
    builder.itstate_ = key.itstate;
    builder.secure_ = key.secure;
    ops_.emplace_back().pc = 1;  // sentinel
    if (model_fetches) builder.emit(handler<touch_instruction_cache>);
    issue_.begin(key.pc, key.issue_state);
    unsigned cycles = 0, instructions = 0;
    bool fp_checked = false;
    while (!builder.ended_ && instructions < max_instructions) {
        if (instructions != 0 && builder.pc_ / kPageBytes != key.pc / kPageBytes) break;
        Decoded decoded;
        PendingFault fault;
        if (!decode(builder.pc_, decoded, fault)) {
            if (instructions != 0) break;
            if (breakpoints.contains(builder.pc_))
                builder.emit(handler<stop_at_breakpoint>).rd = builder.itstate_;
            MicroOp& op = builder.emit(handler<raise_fetch_fault>);
            op.rd = static_cast<std::uint8_t>(fault.exception);
            op.rn = fault.address_valid ? 1 : 0;
            op.imm = fault.address;
            op.extra = fault.status;
            op.rm = builder.itstate_;
            builder.pc_ += 2;
            block->transient = true;
            break;
        }
        block->plain = block->plain && is_plain(decoded.row);
        builder.bytes_ = decoded.bytes;
        builder.index_ = instructions;
        builder.starts_it_ = builder.unconditional_ = false;
        const std::size_t first = builder.ops_.size();
        emit_instruction(builder, decoded, fp_checked);
        charge(builder, decoded, first, cycles);
        builder.itstate_ =
            builder.starts_it_ ? builder.next_itstate_ : next_itstate(builder.itstate_);
        builder.pc_ += decoded.bytes;
        ++instructions;
    }
    finish(*block, builder, instructions, cycles);
    block->ops = std::vector<MicroOp>(ops_.begin(), ops_.end());
    return block;
}

}  // namespace n6vp::models::core
