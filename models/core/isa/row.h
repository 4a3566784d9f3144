// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/ir/feature.h"
#include "models/core/isa/pattern.h"

namespace n6vp::models::core {
class Builder;
}

namespace n6vp::models::core::isa {

/// What the issue and latency model distinguishes (timing/issue_table.h gives the cycles).
enum class Issue : std::uint8_t {
    Alu,          ///< plain ALU, moves, CSEL, BFI
    AluPairable,  ///< ADD/SUB immediate, MOV, UXTB and the like: may be half of a dual issue
    Shifted,      ///< shift-and-operate, bit-field extract, saturating, parallel DSP, long shifts
    Mul16,        ///< 16-bit MULS
    Mul,          ///< MUL, MLA, SMLA*, long multiplies
    Div,
    Load,        ///< word
    LoadNarrow,  ///< byte, halfword
    LoadDouble,
    LoadMultiple,
    Store,
    StoreDouble,
    StoreMultiple,
    Branch,
    LoopStart,
    LoopEnd,
    It,
    Nop,     ///< the last of those that depend on core registers and memory only
    System,  ///< MRS, MSR, CPS, exclusives' CLREX, hints
    Barrier,
    FpMove,  ///< VMOV, VABS, VNEG, VCMP, VMRS, VSEL
    FpLoad,
    FpStore,
    FpArithmetic,   ///< VADD, VSUB, VMUL, VFMA, VCVT in half and single
    FpMultiplyAdd,  ///< VMLA, VMLS: two roundings
    FpDivideHalf,   ///< VDIV, VSQRT
    FpDivide,
    FpDoubleAdd,
    FpDoubleMultiply,
    FpDoubleFused,
    FpDoubleMultiplyAdd,
    FpDoubleDivide,
    VectorLoad,
    VectorStore,
    VectorGather,
    VectorScatter,
    VectorInterleavedLoad,
    VectorInterleavedStore,
    VectorSimple,    ///< integer pipe, result usable after 1
    VectorShift,     ///< integer pipe, rounding or saturating: usable after 2
    VectorNarrow,    ///< integer pipe, usable after 3, not forwarded to stores
    VectorMultiply,  ///< multiply pipe, usable after 2
    VectorFloatAdd,  ///< multiply pipe, usable after 1
    VectorReduce,    ///< into general registers
    VectorMinMaxAcross,
    VectorPredicate,  ///< VPST, VCTP, VPNOT
    VectorMove,       ///< between vector and general registers
};

/// Which unit must be enabled before a row may execute.
enum class Unit : std::uint8_t { Integer, Fp, Vector };

/// One instruction to be decoded: its bits, its fields by letter, where it stands.
class Fields {
  public:
    Fields(const Pattern& pattern, std::uint32_t encoding) : pattern_(pattern), bits_(encoding) {}

    /// Returns field `letter`, 0 if there is none.
    [[nodiscard]] std::uint32_t operator[](char letter) const {
        return pattern_.extract(letter, bits_);
    }
    /// The same for an operand register.
    [[nodiscard]] std::uint8_t reg(char letter) const {
        return static_cast<std::uint8_t>(pattern_.extract(letter, bits_));
    }
    [[nodiscard]] std::uint32_t bits() const { return bits_; }
    [[nodiscard]] unsigned bytes() const { return pattern_.bytes; }

  private:
    const Pattern& pattern_;
    std::uint32_t bits_;
};

/// What the text of an instruction depends on beside its bits.
struct TextContext {
    std::uint32_t pc = 0;     ///< address of the instruction
    bool in_it = false;       ///< inside an IT block ...
    unsigned condition = 14;  ///< ... under this condition
    /// Inside a VPT block: 't' or 'e' to append to the mnemonic; 0 outside.
    char vector_predicate = 0;
};

/// One row of the instruction set: an encoding with everything that is known about it.
struct Row {
    /// Title and encoding of the Arm Architecture Reference Manual ("ADC (immediate) T1"). Unique.
    const char* title;
    Pattern pattern;
    /// Text, in LLVM's spelling: mnemonic, one blank, operands. `{letter:directive}` prints a field
    /// through a directive of print.cpp or of the family's own list, `{:directive}` one that looks
    /// at the whole instruction.
    const char* text;
    /// Appends the micro-ops of one instruction of this row.
    void (*build)(Builder& builder, const Fields& fields);
    Issue issue = Issue::Alu;
    Unit unit = Unit::Integer;
    /// Further condition for the row to match: null, or a function that returns false for encodings
    /// that are another row or undefined. Unpredictable encodings that real decoders refuse belong
    /// here too.
    bool (*matches)(const Fields& fields) = nullptr;
    /// What a core must have; without it the encoding is undefined or that of a less specific row.
    Feature needs = Feature::Base;
};

/// Returns `row`, which needs `feature` on top of what it says.
[[nodiscard]] constexpr Row needing(Feature feature, Row row) {
    row.needs = row.needs | feature;
    return row;
}
/// Appends `rows`, all of which need `feature` as well.
void append_rows(std::vector<Row>& all, std::span<const Row> rows, Feature feature = Feature::Base);

/// Appends the text of a field's value.
struct Directive {
    std::string_view name;
    void (*print)(std::string& out, std::uint32_t value, const Fields& fields,
                  const TextContext& context);
};

/// A family of rows with the directives that only they use.
struct Family {
    const char* name;
    std::span<const Row> rows;
    std::span<const Directive> directives;
};

/// All families; each is defined in the file of its name.
[[nodiscard]] std::span<const Family> families();

/// The rows that a core with certain features has, ready to be searched.
class InstructionSet {
  public:
    InstructionSet() = default;
    InstructionSet(const InstructionSet&) = delete;
    InstructionSet& operator=(const InstructionSet&) = delete;
    virtual ~InstructionSet() = default;

    /// Returns the one of `features`; it is made once and stays.
    [[nodiscard]] static const InstructionSet& of(Feature features);

    /// Return the row of an encoding (a 16-bit one in the low half), or null if it is undefined.
    [[nodiscard]] virtual const Row* find_16(std::uint32_t encoding) const = 0;
    [[nodiscard]] virtual const Row* find_32(std::uint32_t encoding) const = 0;
};

/// The same, of the set with every feature.
[[nodiscard]] const Row* find_row_16(std::uint32_t encoding);
[[nodiscard]] const Row* find_row_32(std::uint32_t encoding);

/// Returns true if a first halfword belongs to a 32-bit encoding.
[[nodiscard]] constexpr bool is_wide(std::uint32_t first_halfword) {
    return first_halfword >= 0xE800;
}

/// Returns the text of an instruction of `row`.
[[nodiscard]] std::string print(const Row& row, std::uint32_t encoding,
                                const TextContext& context = {});

}  // namespace n6vp::models::core::isa
