// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>

#include "models/core/ir/block.h"
#include "models/core/ir/profile.h"
#include "models/core/isa/row.h"
#include "models/core/timing/issue_model.h"

namespace n6vp::models::core {

/// Called before every instruction.
using InstructionHook =
    std::function<void(const CpuState& cpu, std::uint32_t pc, std::uint32_t encoding)>;

/// Where code comes from.
class CodeSource {
  public:
    CodeSource() = default;
    CodeSource(const CodeSource&) = delete;
    CodeSource& operator=(const CodeSource&) = delete;
    virtual ~CodeSource() = default;

    /// Fetches the halfword at `address`. Returns false, with `fault` set, if it may not be
    /// executed or does not exist. `gateway_only`: from here only SG may run, in this state.
    virtual bool fetch(std::uint32_t address, std::uint16_t& halfword, bool& gateway_only,
                       PendingFault& fault) = 0;
};

/// Returns true if `op` is a breakpoint of a debugger rather than BKPT.
[[nodiscard]] bool is_debugger_stop(const MicroOp& op);

/// Returns the IT state of the instruction that `op` belongs to.
[[nodiscard]] std::uint8_t itstate_of(const MicroOp& op);

/// Turns code into blocks.
class BlockBuilder {
  public:
    /// A block holds at most this many instructions: the longest time an interrupt waits.
    static constexpr unsigned kMaxInstructions = 64;

    BlockBuilder(CodeSource& source, IssueModel& issue, const CoreProfile& profile)
        : source_(source),
          issue_(issue),
          rows_(isa::InstructionSet::of(profile.features)),
          architecture_(profile.architecture) {}

    /// Returns the block at `key`. A first instruction that cannot be fetched makes a block that
    /// raises its fault.
    [[nodiscard]] std::unique_ptr<Block> build(const BlockKey& key);

    unsigned max_instructions = kMaxInstructions;
    bool model_fetches = false;  ///< blocks touch the instruction cache
    InstructionHook hook;        ///< empty: none
    std::set<std::uint32_t> breakpoints;

  private:
    struct Decoded {
        const isa::Row* row = nullptr;  ///< null if undefined
        std::uint32_t encoding = 0;
        unsigned bytes = 2;
    };
    [[nodiscard]] bool decode(std::uint32_t pc, Decoded& decoded, PendingFault& fault);
    void emit_undefined(Builder& builder, const Decoded& decoded, bool& fp_checked);
    void emit_checks(Builder& builder, const Decoded& decoded, bool& fp_checked);
    void emit_instruction(Builder& builder, const Decoded& decoded, bool& fp_checked);
    /// Gives the micro-ops from `first` the cycles of their instruction.
    void charge(Builder& builder, const Decoded& decoded, std::size_t first, unsigned& cycles);
    /// Returns true if there is an instruction of 32 bits that is not word-aligned.
    [[nodiscard]] bool is_split(std::uint32_t address);
    void finish(Block& block, Builder& builder, unsigned instructions, unsigned cycles);

    CodeSource& source_;
    IssueModel& issue_;
    const isa::InstructionSet& rows_;
    Architecture architecture_;
    std::uint32_t start_ = 0;  ///< of the block being built
    /// Its micro-ops: a block keeps a copy of exactly their size.
    std::vector<MicroOp> ops_;
};

}  // namespace n6vp::models::core
