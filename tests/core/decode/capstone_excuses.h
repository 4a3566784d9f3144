// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "tests/core/decode/oracle.h"

namespace n6vp::test {

/// Rows that Capstone 4.0.2 does not know: it prints what the encoding was before.
struct FencedRow {
    std::string_view title;  ///< how it starts
    const char* reason;
};
inline constexpr FencedRow kCapstoneFence[] = {
    {"BF ", "Armv8.1-M branch future"},
    {"BFL", "Armv8.1-M branch future"},
    {"BFX", "Armv8.1-M branch future"},
    {"BFCSEL", "Armv8.1-M branch future"},
    {"WLS", "Armv8.1-M low-overhead loop"},
    {"DLS", "Armv8.1-M low-overhead loop"},
    {"LE ", "Armv8.1-M low-overhead loop"},
    {"CSEL", "Armv8.1-M conditional select, ORRS before"},
    {"CSINC", "Armv8.1-M conditional select, ORRS before"},
    {"CSINV", "Armv8.1-M conditional select, ORRS before"},
    {"CSNEG", "Armv8.1-M conditional select, ORRS before"},
    {"CSET", "Armv8.1-M conditional select, MOVS before"},
    {"CINC", "Armv8.1-M conditional select, ORRS before"},
    {"CINV", "Armv8.1-M conditional select, ORRS before"},
    {"CNEG", "Armv8.1-M conditional select, ORRS before"},
    {"ASRL", "Armv8.1-M long shift, ORRS before"},
    {"LSLL", "Armv8.1-M long shift, ORRS before"},
    {"LSRL", "Armv8.1-M long shift, ORRS before"},
    {"SQRSHR", "Armv8.1-M saturating shift, ORRS before"},
    {"SQSHL", "Armv8.1-M saturating shift, ORRS before"},
    {"SRSHR", "Armv8.1-M rounding shift, ORRS before"},
    {"UQRSHL", "Armv8.1-M saturating shift, ORRS before"},
    {"UQSHL", "Armv8.1-M saturating shift, ORRS before"},
    {"URSHR", "Armv8.1-M rounding shift, ORRS before"},
    {"CLRM", "Armv8.1-M, LDM with PC as base before"},
    {"VSCCLRM", "Armv8.1-M, VLDM before"},
    {"VLDR (System Register)", "Armv8.1-M, LDC before"},
    {"VSTR (System Register)", "Armv8.1-M, STC before"},
    {"VMRS T1 (FPCXTNS)", "Armv8.1-M"},
    {"VMSR T1 (FPCXTNS)", "Armv8.1-M"},
    {"PAC", "Armv8.1-M pointer authentication, a hint before"},
    {"AUT", "Armv8.1-M pointer authentication, a hint before"},
    {"BTI", "Armv8.1-M branch targets, a hint before"},
    {"VLLDM", "Armv8-M security extension"},
    {"VLSTM", "Armv8-M security extension"},
    {"BXNS", "Armv8-M security extension, BX before"},
    {"BLXNS", "Armv8-M security extension"},
    {"SG ", "Armv8-M security extension, LDRD before"},
    {"TT", "Armv8-M security extension, STREX before"},
    {"CDP", "the M profile has no generic coprocessor in Capstone: sha1 or undefined"},
    {"CDP2", "the M profile has no generic coprocessor in Capstone: undefined"},
    {"LDC2", "undefined with Capstone's mode for Armv8"},
    {"STC2", "undefined with Capstone's mode for Armv8"},
    {"MCR2", "undefined with Capstone's mode for Armv8"},
    {"MRC2", "undefined with Capstone's mode for Armv8"},
    {"MCRR2", "undefined with Capstone's mode for Armv8"},
    {"MRRC2", "undefined with Capstone's mode for Armv8"},
};

/// The classic base: integer rows outside of the fence, and what is undefined among 16-bit
/// encodings. LLVM judges the rest.
inline bool capstone_judges(const models::core::isa::Row* row, unsigned bytes) {
    if (row == nullptr) return bytes == 2;
    if (row->unit != models::core::isa::Unit::Integer) return false;
    const std::string_view title = row->title;
    return std::none_of(std::begin(kCapstoneFence), std::end(kCapstoneFence),
                        [title](const FencedRow& one) { return title.starts_with(one.title); });
}

inline bool always(std::uint32_t /*encoding*/) {
    return true;
}
/// FA9x and FABx: the operand stands in both halfwords.
inline bool two_operand_fields_differ(std::uint32_t encoding) {
    return (encoding & 0xFFC0F080) == 0xFA80F080 && (encoding >> 16 & 15) != (encoding & 15);
}
inline bool is_immediate_of_ones(std::uint32_t encoding) {
    return (encoding & 0xFA0070FF) == 0xF00030FF;
}
inline bool pops_into_sp(std::uint32_t encoding) {
    return (encoding & 0xFFFF2000) == 0xE8BD2000;
}
inline bool pops_into_lr_and_pc(std::uint32_t encoding) {
    return (encoding & 0xFFFFC000) == 0xE8BDC000;
}
/// MRS and MSR: the classic registers are APSR to IEPSR, MSP, PSP and PRIMASK to CONTROL.
inline bool names_no_register(std::uint32_t encoding) {
    const std::uint32_t number = encoding & 0xFF;
    const bool is_classic = number <= 9 || (number >= 16 && number <= 20);
    return !is_classic || number == 4;
}
inline bool names_banked_register(std::uint32_t encoding) {
    return (encoding & 0x20) != 0 && names_no_register(encoding);
}
inline bool should_read_ones(std::uint32_t encoding) {
    return (encoding & 0x000F0000) != 0x000F0000;
}
inline bool bases_on_pc(std::uint32_t encoding) {
    return (encoding >> 16 & 15) == 15;
}

inline constexpr Excuse kCapstoneExcuses[] = {
    {"hlt", always, "HLT is an instruction of the A profile only"},
    {"trap", always, "Capstone's name of UDF #254"},
    {"sevl", always, "hint 5 has a name in the A profile only"},
    {"hint", always, "newer than Capstone 4.0.2", {}, "CSDB"},
    {"hint", always, "newer than Capstone 4.0.2", {}, "ESB"},
    {"dsb", always, "newer than Capstone 4.0.2", {}, "SSBB"},
    {"dsb", always, "newer than Capstone 4.0.2", {}, "PSSBB"},
    {"dsb", always, "options for loads only are Armv8-A's", "ld"},
    {"dmb", always, "options for loads only are Armv8-A's", "ld"},
    {"addw", bases_on_pc, "ADR by its older name"},
    {"subw", bases_on_pc, "ADR by its older name"},
    {"rev", two_operand_fields_differ, "unpredictable: the operand's two fields differ"},
    {"rbit", two_operand_fields_differ, "unpredictable: the operand's two fields differ"},
    {"clz", two_operand_fields_differ, "unpredictable: the operand's two fields differ"},
    {"", is_immediate_of_ones, "0xFFFFFFFF as -1", "#-1"},
    {"undefined", pops_into_sp, "unpredictable: pop into sp"},
    {"undefined", pops_into_lr_and_pc, "unpredictable: pop into lr and pc"},
    {"undefined", names_no_register, "this number has no name in Capstone's list", {}, "MRS T1"},
    {"undefined", names_no_register, "this number has no name in Capstone's list", {}, "MSR "},
    {"mrs", names_banked_register, "a banked register of the A profile", {}, "MRS T1"},
    {"msr", names_banked_register, "a banked register of the A profile", {}, "MSR "},
    {"", should_read_ones, "unpredictable, Rn is not 15: vectors of the A profile", {}, "MRS T1"},
};

}  // namespace n6vp::test
