// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/core/isa/row.h"

namespace n6vp::models::core {

/// What the pipelines of Cortex-M4, M33 and M7 distinguish. The classes of `isa::Issue` are the
/// Cortex-M55's; these are finer where the tables of the older cores are.
enum class Kind : std::uint8_t {
    Arithmetic,    ///< ADD, SUB, MOV and their kin; second operand plain
    Logic,         ///< AND, EOR, BIC, TST and the like; second operand plain
    ShiftedLeft,   ///< an ALU operation with an operand shifted by LSL
    ShiftedOther,  ///< the same by LSR, ASR, ROR or RRX
    ShiftedConstant,
    Shift,       ///< LSL, LSR, ASR, ROR as an instruction
    BitInsert,   ///< BFI, BFC
    BitExtract,  ///< UBFX, SBFX
    Reverse,     ///< REV, REV16, REVSH, RBIT
    CountZeros,
    Extend,      ///< UXTB, SXTH, SXTB16 and so on
    ExtendAdd,   ///< UXTAB and so on
    Pack,        ///< PKHBT, PKHTB
    Parallel,    ///< SADD8, USUB16, SEL and so on
    Saturate,    ///< QADD, SSAT, UQADD8 and so on
    Difference,  ///< USAD8, USADA8
    Multiply,
    MultiplyNarrow,  ///< MULS in 16 bits
    MultiplyAdd,
    MultiplyLong,
    MultiplyLongAdd,
    Divide,
    Load,
    LoadNarrow,  ///< byte, halfword
    LoadDouble,
    LoadMultiple,
    LoadExclusive,
    Store,
    StoreNarrow,
    StoreDouble,
    StoreMultiple,
    StoreExclusive,
    Branch,          ///< to a known target
    BranchCompare,   ///< CBZ, CBNZ
    BranchIndirect,  ///< BX, BLX of a register
    BranchTable,     ///< TBB, TBH
    It,
    Nop,
    System,
    Barrier,
    FpMove,  ///< VMOV between registers or of a constant, VABS, VNEG, VSEL
    FpCompare,
    FpStatus,  ///< VMRS, VMSR
    FpToCore,
    FpFromCore,
    FpPairToCore,  ///< two registers
    FpPairFromCore,
    FpAdd,  ///< VADD, VSUB
    FpMultiply,
    FpConvert,
    FpMultiplyAdd,  ///< VMLA, VMLS, VNMLA, VNMLS
    FpFusedAdd,     ///< VFMA, VFMS, VFNMA, VFNMS
    FpDivide,
    FpRoot,
    FpLoad,
    FpStore,
    FpLoadMultiple,
    FpStoreMultiple,
};

/// A set of registers: r0-r15 in bits 15:0, s0-s31 in bits 47:16 (d as what it overlays), the flags
/// in bit 48.
using Registers = std::uint64_t;
inline constexpr unsigned kFirstFloat = 16, kFlags = 48, kTimedRegisters = 49;
[[nodiscard]] constexpr Registers one_register(unsigned number) {
    return Registers{1} << number;
}

/// One instruction as a pipeline sees it.
struct InstructionShape {
    Kind kind = Kind::Arithmetic;
    bool narrow = false;  ///< 16 bits
    bool twice = false;   ///< of doubles
    bool sets_flags = false;
    bool conditional = false;     ///< in an IT block, or a conditional branch
    bool loads_pc = false;        ///< LDR pc, LDM and POP with pc
    bool writes_pc = false;       ///< any branch
    bool writes_back = false;     ///< of a load or store: changes its base
    bool index_register = false;  ///< of a load or store: [Rn, Rm]
    unsigned words = 1;           ///< of a multiple
    std::uint8_t base = 0;        ///< of a load or store
    std::int32_t offset = 0;      ///< of a load or store without an index register

    // Registers read, by when they are needed.
    Registers sources = 0;  ///< as usual
    Registers shifted = 0;  ///< through the shifter or the extracting unit
    Registers address = 0;
    Registers accumulator = 0;
    Registers data = 0;  ///< of a store
    // Registers written.
    Registers results = 0;
    Registers new_base = 0;

    [[nodiscard]] Registers read() const {
        return sources | shifted | address | accumulator | data;
    }
};

[[nodiscard]] bool is_float(Kind kind);
[[nodiscard]] bool is_load(Kind kind);  ///< of any register
[[nodiscard]] bool is_store(Kind kind);
[[nodiscard]] bool is_branch(Kind kind);

/// Finds the shape of instructions. What follows from the row alone is found once.
class InstructionShapes {
  public:
    /// `in_it`: a condition of IT governs the instruction, 16-bit operations then set no flags.
    [[nodiscard]] InstructionShape of(const isa::Row& row, const isa::Fields& fields, bool in_it);

  private:
    struct Operand {
        enum class File : std::uint8_t { Core, Single, SingleSplit, Double };
        enum class Use : std::uint8_t { Source, Shifted, Address, Accumulator, Data };
        char letter = 0;
        File file = File::Core;
        Use use = Use::Source;
        bool read = false, written = false;

        [[nodiscard]] Registers registers(const isa::Fields& fields) const;
    };
    struct Known {
        Kind kind = Kind::Arithmetic;
        bool twice = false, writes_back = false;
        bool moves_stack = false;  ///< its destination is sp, without a field for it
        std::vector<Operand> operands;
    };

    [[nodiscard]] const Known& known(const isa::Row& row);
    static void add_operands(InstructionShape& shape, const Known& known,
                             const isa::Fields& fields);
    static void add_lists(InstructionShape& shape, const isa::Row& row, const isa::Fields& fields);
    static void add_flags(InstructionShape& shape, const isa::Row& row, const isa::Fields& fields,
                          bool in_it);

    std::unordered_map<const isa::Row*, Known> known_;
};

}  // namespace n6vp::models::core
