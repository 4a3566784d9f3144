// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/core/timing/issue_model.h"
#include "models/core/timing/issue_parameters.h"

namespace n6vp::models::core {

/// The Cortex-M55's pipeline over straight-line code: in order, one instruction per cycle or two
/// 16-bit ones, waits for operands that are not ready, vector pipes held for two cycles that
/// overlap by one on different pipes.
///
/// Not modelled: what one block leaves unfinished for the next (except for a loop of one block),
/// branch history, forwarding paths finer than one latency per class, structural hazards of the
/// 64-bit data path. Data-dependent costs are elsewhere: division in the instruction, memory in the
/// caches.
class PipelineModel : public IssueModel {
  public:
    explicit PipelineModel(const IssueParameters& parameters) : parameters_(parameters) {}

    void begin(std::uint32_t pc, std::uint8_t state) override;
    unsigned issue(const isa::Row& row, const isa::Fields& fields, bool in_it) override;
    int taken(const isa::Row& row, const BranchShape& shape) override;

  private:
    /// Register files one after the other: r0-r15, then s0-s31 (d and q as what they overlay).
    static constexpr unsigned kVector = 16, kRegisters = 48;
    enum Pipe : std::uint8_t {
        kLoadStore,
        kVectorInteger,
        kVectorMultiply,
        kPipes,
        kNoPipe = kPipes
    };

    struct Operand {
        char letter = 0;
        std::uint8_t base = 0;   ///< first register of its file
        std::uint8_t width = 1;  ///< registers that one number stands for
        bool read = false, written = false;
        bool low_bit_first = false;  ///< the field is D:Vd of a single-precision register Vd:D

        [[nodiscard]] unsigned first(const isa::Fields& fields) const {
            const std::uint32_t number = fields[letter];
            return base + (low_bit_first ? (number << 1 & 31) | number >> 4 : number * width);
        }
    };
    /// Cycles of a class.
    struct Cost {
        unsigned issue = 1;    ///< cycles before the next instruction
        unsigned latency = 1;  ///< cycles before a dependent one
        Pipe pipe = kNoPipe;
    };

    [[nodiscard]] const std::vector<Operand>& operands(const isa::Row& row);
    [[nodiscard]] Cost cost(const isa::Row& row, const isa::Fields& fields) const;
    [[nodiscard]] bool pairs(const isa::Row& row, const isa::Fields& fields,
                             unsigned earliest) const;

    IssueParameters parameters_;
    std::unordered_map<const isa::Row*, std::vector<Operand>> known_;

    unsigned time_ = 0;  ///< when the next instruction may issue
    std::array<unsigned, kRegisters> ready_{};
    std::array<unsigned, kPipes> pipe_free_{};
    std::array<bool, kRegisters> forwards_{};  ///< result of a multiply: stores get it earlier
    bool may_pair_ = false;     ///< the last instruction was 16 bits, alone in its cycle ...
    bool last_simple_ = false;  ///< ... and may be either half of a pair

    // How the block begins, for a loop of one block.
    static constexpr unsigned kNever = 0xFFFFFFFF;
    std::array<unsigned, kRegisters> first_read_{};
    std::array<unsigned, kPipes> first_pipe_{};
};

}  // namespace n6vp::models::core
