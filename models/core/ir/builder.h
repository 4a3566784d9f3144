// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/ir/micro_op.h"

namespace n6vp::models::core {

/// How a value in r[15] becomes the next address.
enum class BranchStyle : std::uint8_t {
    Simple,         ///< bit 0 is ignored: MOV pc, ADD pc, TBB
    Interworking,   ///< bit 0 must be set; EXC_RETURN and FNC_RETURN act: BX, LDR pc, POP {pc}
    Link,           ///< BLX: Interworking, and lr = return address
    NonSecure,      ///< BXNS: to Non-secure state if bit 0 is clear
    LinkNonSecure,  ///< BLXNS
};

/// Collects the micro-ops of one basic block. Build functions of instruction rows see the current
/// instruction only.
///
/// What the engine does by itself: it skips instructions whose IT condition fails, checks that the
/// unit of a row is enabled (Row::unit), stops blocks at page ends and after 64 instructions, and
/// gives every micro-op pc, index, bytes and cycles.
class Builder {
  public:
    /// Appends a micro-op of the current instruction, with no operands set. The reference is valid
    /// until the next call.
    MicroOp& emit(Handler handler);

    [[nodiscard]] std::uint32_t pc() const { return pc_; }
    [[nodiscard]] unsigned bytes() const { return bytes_; }
    /// Returns the address that the instruction reads as PC.
    [[nodiscard]] std::uint32_t pc_operand() const { return pc_ + 4; }
    [[nodiscard]] bool in_it() const { return itstate_ != 0; }
    [[nodiscard]] bool secure() const { return secure_; }

    /// Writes `pc_operand()` to r[15], for an instruction that names 15 as a general operand.
    void expose_pc();
    /// Clears bits 1:0 of r[13]: after an instruction that may have written anything to it.
    void align_sp();
    /// The block ends after this instruction: it may change what decoding or permission depends on
    /// (MSR, CPS, ISB, VPR or FPSCR context, an enable register).
    void end_block();
    /// The instruction is undefined here: raises UNDEFINSTR.
    void undefined();
    /// The instruction is a coprocessor access that cannot be: raises NOCP.
    void no_coprocessor();

    // Branches. Each ends the block.
    void branch(std::uint32_t target);
    void branch_if(unsigned condition, std::uint32_t target);
    /// BL: writes lr.
    void branch_and_link(std::uint32_t target);
    /// CBZ (`if_zero`) and CBNZ.
    void compare_and_branch(std::uint8_t rn, bool if_zero, std::uint32_t target);
    /// Branches to what earlier micro-ops of the instruction, or `expose`d operands, left in
    /// r[15].
    void branch_to_r15(BranchStyle style);
    /// LE and LETP: `forever` is LE without a count.
    void loop_end(std::uint32_t target, bool forever, bool tail_predicated);
    /// WLS and WLSTP (`ltpsize` below 4): branches to `target` if the count in rn is zero.
    void while_loop_start(std::uint8_t rn, unsigned ltpsize, std::uint32_t target);
    /// IT: the instructions it covers are conditional.
    void it(std::uint8_t itstate);
    /// The instruction executes even where its IT condition fails (BKPT).
    void unconditional();

  private:
    friend class BlockBuilder;
    explicit Builder(std::vector<MicroOp>& ops) : ops_(ops) {}
    MicroOp& emit_branch(Handler handler, std::uint32_t target);

    std::vector<MicroOp>& ops_;
    std::uint32_t pc_ = 0;
    unsigned bytes_ = 2;
    unsigned index_ = 0;
    std::uint8_t itstate_ = 0;       ///< of the current instruction
    std::uint8_t next_itstate_ = 0;  ///< set by `it`
    bool secure_ = true;
    bool starts_it_ = false;      ///< the current instruction is IT
    bool ended_ = false;          ///< the block ends after the current instruction ...
    bool branched_ = false;       ///< ... which leads away by itself
    bool unconditional_ = false;  ///< the current instruction ignores its IT condition
};

}  // namespace n6vp::models::core
