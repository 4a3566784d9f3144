// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tests/core/decode/oracle.h"

namespace n6vp::test {

inline bool any_encoding(std::uint32_t /*encoding*/) {
    return true;
}
inline bool base_is_pc(std::uint32_t encoding) {
    return (encoding >> 16 & 15) == 15;
}
/// FA9x: the operand stands in both halfwords.
inline bool operands_disagree(std::uint32_t encoding) {
    return (encoding & 0xFFC0F080) == 0xFA80F080 && (encoding >> 16 & 15) != (encoding & 15);
}
inline bool gathers_into_its_offsets(std::uint32_t encoding) {
    return (encoding & 0xEF000000) == 0xEC000000 && (encoding >> 13 & 7) == (encoding >> 1 & 7);
}
inline bool gathers_into_its_addresses(std::uint32_t encoding) {
    return (encoding & 0xFF000000) == 0xFD000000 && (encoding >> 13 & 7) == (encoding >> 17 & 7);
}
inline bool multiplies_into_its_operand(std::uint32_t encoding) {
    return (encoding >> 13 & 7) == (encoding >> 1 & 7) ||
           (encoding >> 13 & 7) == (encoding >> 17 & 7);
}
inline bool clears_fp_registers(std::uint32_t encoding) {
    return (encoding & 0xFFBF0E00) == 0xEC9F0A00;
}
inline bool saves_32_doubles(std::uint32_t encoding) {
    return (encoding & 0xFFE0FFFF) == 0xEC200A80;
}
inline bool moves_to_pc_or_sp(std::uint32_t encoding) {
    return (encoding >> 12 & 15) >= 13 || (encoding >> 16 & 15) >= 13 || (encoding & 15) >= 13;
}
inline bool moves_to_one_register(std::uint32_t encoding) {
    return (encoding & 0xFE100000) == 0xEC000000 && (encoding >> 16 & 15) == (encoding & 15);
}
inline bool moves_sp_with_flags(std::uint32_t encoding) {
    return (encoding & 0xFFFF800F) == 0xEA5F000D;
}

inline constexpr Excuse kLlvmExcuses[] = {
    {"rev", operands_disagree, "unpredictable: the operand's two fields differ"},
    {"rbit", operands_disagree, "unpredictable: the operand's two fields differ"},
    {"clz", operands_disagree, "unpredictable: the operand's two fields differ"},
    {"undefined", saves_32_doubles,
     "newer than LLVM 14; the list of 32 registers is the option T2"},
    {"vscclrm", clears_fp_registers, "LLVM prints a register for an empty list"},
    {"undefined", clears_fp_registers, "unpredictable: registers beyond the last"},
    {"ldc2", any_encoding, "coprocessors 8 to 15 are the vector unit's: undefined"},
    {"stc2", any_encoding, "coprocessors 8 to 15 are the vector unit's: undefined"},
    {"vldr", gathers_into_its_offsets, "unpredictable: destination is the offset vector"},
    {"vldr", gathers_into_its_addresses, "unpredictable: destination is the address vector"},
    {"vcadd", multiplies_into_its_operand, "unpredictable: 32-bit destination is a source"},
    {"vcmul", multiplies_into_its_operand, "unpredictable: 32-bit destination is a source"},
    {"vcvt", any_encoding, "unpredictable: more fraction bits than bits", "#-"},
    {"vmrs", any_encoding, "a register of other profiles", "fpsid"},
    {"vmrs", any_encoding, "a register of other profiles", "mvfr"},
    {"vmrs", any_encoding, "a register of other profiles", "fpexc"},
    {"vmsr", any_encoding, "a register of other profiles", "fpsid"},
    {"vmsr", any_encoding, "a register of other profiles", "fpexc"},
    {"vmrs", any_encoding, "a register of other profiles", "fpinst"},
    {"vmsr", any_encoding, "a register of other profiles", "fpinst"},
    {"vmov", moves_to_pc_or_sp, "unpredictable: pc or sp as operand"},
    {"vmov", moves_to_one_register, "unpredictable: two lanes to one register"},
    {"vstr", base_is_pc, "unpredictable: store to a literal"},
    {"vldm", base_is_pc, "unpredictable: pc is written back"},
    {"vstm", base_is_pc, "unpredictable: pc is written back"},
    {"fldm", base_is_pc, "unpredictable: pc is written back"},
    {"fstm", base_is_pc, "unpredictable: pc is written back"},
    {"rrxs", any_encoding, "unpredictable to LLVM, which takes CSEL of zr for RRXS"},
    {"__brkdiv0", any_encoding, "LLVM's name of UDF #249"},
    {"trap", any_encoding, "LLVM's name of UDF #254"},
};

/// For cores before Armv8.1-M, of which only is compared what exists.
inline constexpr Excuse kOlderLlvmExcuses[] = {
    {"rev", operands_disagree, "unpredictable: the operand's two fields differ"},
    {"rbit", operands_disagree, "unpredictable: the operand's two fields differ"},
    {"clz", operands_disagree, "unpredictable: the operand's two fields differ"},
    {"cdp", any_encoding, "coprocessors 8 to 15: none, NOCP as for any other"},
    {"mcr", any_encoding, "coprocessors 8 to 15: none, NOCP as for any other"},
    {"mrc", any_encoding, "coprocessors 8 to 15: none, NOCP as for any other"},
    {"mrrc", any_encoding, "coprocessors 8 to 15: none, NOCP as for any other"},
    {"ldc", any_encoding, "coprocessors 8 to 15: none, NOCP as for any other"},
    {"stc", any_encoding, "coprocessors 8 to 15: none, NOCP as for any other"},
    {"vcvt", any_encoding, "unpredictable: more fraction bits than bits", "#-"},
    {"vmrs", any_encoding, "a register of other profiles", "fpsid"},
    {"vmrs", any_encoding, "a register of other profiles", "mvfr"},
    {"vmrs", any_encoding, "a register of other profiles", "fpexc"},
    {"vmrs", any_encoding, "a register of other profiles", "fpinst"},
    {"vmsr", any_encoding, "a register of other profiles", "fp"},
    {"movs", moves_sp_with_flags, "unpredictable: flags of sp"},
    {"vmov", moves_to_pc_or_sp, "unpredictable: pc or sp as operand"},
    {"vstr", base_is_pc, "unpredictable: store to a literal"},
    {"vldm", base_is_pc, "unpredictable: pc is written back"},
    {"vstm", base_is_pc, "unpredictable: pc is written back"},
    {"fldm", base_is_pc, "unpredictable: pc is written back"},
    {"fstm", base_is_pc, "unpredictable: pc is written back"},
    {"undefined", any_encoding, "a special register that this core lacks: reads zero", {}, "MRS"},
    {"undefined", any_encoding, "a special register that this core lacks: ignored", {}, "MSR"},
};

}  // namespace n6vp::test
