// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models::core {

/// Cycles of the Cortex-M4's pipeline: one instruction at a time, three stages. "TRM" is Arm DDI
/// 0439D; "pipetest" the public measurements of jnk0le on an STM32F407.
struct CortexM4Parameters {
    Parameter refill{"refill", 1, kStageCycles, Confidence::Documented,
                     "TRM: P, 1 to 3; 1 by the keyword-spotting image of MLPerf Tiny v1.2 on an "
                     "STM32L4R5"};
    Parameter refill_split{"refill_split", 1, kStageCycles, Confidence::Documented,
                           "further cycle if the target is 32 bits wide and not word-aligned"};
    Parameter branch{"branch", 1, kStageCycles, Confidence::Documented, "TRM: not taken"};
    Parameter table_branch{"table_branch", 6, kStageCycles, Confidence::Documented,
                           "TBB, TBH at least; TRM: 2 + P"};
    Parameter load{"load", 2, counts(100, "CPU cycles"), Confidence::Documented,
                   "TRM: LDR, LDRB, LDRH; 1 directly after another: n loads take n + 1"};
    Parameter load_pc{"load_pc", 5, kStageCycles, Confidence::Documented,
                      "LDR pc at least; TRM: 2 + P"};
    Parameter address_wait{"address_wait", 0, kStageCycles, Confidence::Assumed,
                           "pipetest: base and index must be there a cycle earlier; 0 by the "
                           "keyword-spotting image, which takes 8 % less than with 1"};
    Parameter split_load{"split_load", 1, kStageCycles, Confidence::Documented,
                         "TRM: 32-bit load or store at an odd halfword is not pipelined"};
    Parameter wide_run{"wide_run", 1, kStageCycles, Confidence::Documented,
                       "compendium, pipetest: the third of three 32-bit instructions at odd "
                       "halfwords, behind a 16-bit one or one of several cycles"};
    Parameter store{"store", 1, kStageCycles, Confidence::Documented,
                    "TRM: STR with immediate offset, write buffer"};
    Parameter store_indexed{"store_indexed", 2, kStageCycles, Confidence::Documented,
                            "TRM: STR with register offset; nothing is pipelined behind it"};
    Parameter store_then_load{"store_then_load", 1, kStageCycles, Confidence::Documented,
                              "pipetest: a load directly behind a store waits for it"};
    Parameter multiple{"multiple", 1, kStageCycles, Confidence::Documented,
                       "TRM: LDM, STM, LDRD, STRD, VLDM: 1 + words"};
    Parameter exclusive{"exclusive", 2, counts(100, "CPU cycles"), Confidence::Documented,
                        "TRM: LDREX, STREX"};
    Parameter system{"system", 2, kStageCycles, Confidence::Documented, "TRM: MRS, MSR, CPS: 1-2"};
    Parameter barrier{"barrier", 1, kStageCycles, Confidence::Documented, "TRM: DMB, DSB: 1 + B"};
    Parameter isb{"isb", 3, kStageCycles, Confidence::Documented, "TRM: 1 + B, B = P"};
    Parameter it{"it", 1, kStageCycles, Confidence::Documented, "TRM: unless folded"};
    Parameter it_folds{"it_folds", 1, kSwitch, Confidence::Documented,
                       "TRM: IT behind a 16-bit instruction takes no cycle; 0: it does"};
    Parameter divide_zero{"divide_zero", 2, kStageCycles, Confidence::Documented,
                          "compendium: an operand is zero"};
    Parameter divide_smaller{"divide_smaller", 3, kStageCycles, Confidence::Documented,
                             "compendium: dividend has fewer bits than divisor"};
    Parameter divide_base{"divide_base", 5, kStageCycles, Confidence::Documented,
                          "compendium: else this and one per four bits of difference"};
    Parameter divide_bits{"divide_bits", 4, counts(32), Confidence::Documented,
                          "compendium: per cycle"};
    Parameter divide_most{"divide_most", 12, kStageCycles, Confidence::Documented, "TRM: 2 to 12"};
    Parameter unaligned_halfword{"unaligned_halfword", 1, kStageCycles, Confidence::Documented,
                                 "compendium: loads; stores are hidden by the write buffer"};
    Parameter unaligned_word{"unaligned_word", 1, kStageCycles, Confidence::Documented,
                             "compendium: word at an odd halfword"};
    Parameter unaligned_byte{"unaligned_byte", 2, kStageCycles, Confidence::Documented,
                             "compendium: word at an odd byte"};
    Parameter fp_arithmetic{"fp_arithmetic", 1, kStageCycles, Confidence::Documented,
                            "TRM: VADD, VSUB, VMUL, VABS, VNEG, VCMP, VCVT"};
    Parameter fp_use{"fp_use", 1, kStageCycles, Confidence::Documented,
                     "TRM: if the next instruction uses the result, unless as addend"};
    Parameter fp_multiply_add{"fp_multiply_add", 3, kStageCycles, Confidence::Documented,
                              "TRM: VMLA, VMLS, VFMA and so on"};
    Parameter fp_divide{"fp_divide", 14, counts(100, "CPU cycles"), Confidence::Documented,
                        "TRM: VDIV, VSQRT; integer instructions overlap"};
    Parameter fp_memory{"fp_memory", 1, kStageCycles, Confidence::Documented,
                        "TRM: VLDR, VSTR, VLDM, VSTM: 1 + words"};
    Parameter fp_transfer{"fp_transfer", 2, kStageCycles, Confidence::Documented,
                          "TRM: VMOV with a core register"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.refill);
        function(self.refill_split);
        function(self.branch);
        function(self.table_branch);
        function(self.load);
        function(self.load_pc);
        function(self.address_wait);
        function(self.split_load);
        function(self.wide_run);
        function(self.store);
        function(self.store_indexed);
        function(self.store_then_load);
        function(self.multiple);
        function(self.exclusive);
        function(self.system);
        function(self.barrier);
        function(self.isb);
        function(self.it);
        function(self.it_folds);
        function(self.divide_zero);
        function(self.divide_smaller);
        function(self.divide_base);
        function(self.divide_bits);
        function(self.divide_most);
        function(self.unaligned_halfword);
        function(self.unaligned_word);
        function(self.unaligned_byte);
        function(self.fp_arithmetic);
        function(self.fp_use);
        function(self.fp_multiply_add);
        function(self.fp_divide);
        function(self.fp_memory);
        function(self.fp_transfer);
    }
};

}  // namespace n6vp::models::core
