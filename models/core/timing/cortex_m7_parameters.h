// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models::core {

/// Cycles of the Cortex-M7's pipeline: two instructions per cycle in order, an early and a late ALU
/// one cycle apart. "pipetest" is the public measurements of jnk0le on an STM32H743, "LLVM" the
/// scheduling model of that compiler, "GCC" that of the other.
struct CortexM7Parameters {
    Parameter pairs{"pairs", 1, kSwitch, Confidence::Documented,
                    "pipetest: two instructions per cycle; 0 switches it off"};
    Parameter bank_known_pairs{
        "bank_known_pairs", 1, kSwitch, Confidence::Documented,
        "pipetest: two loads of one base pair if their words are in different banks (bit 2)"};
    Parameter bank_unknown_pairs{"bank_unknown_pairs", 0, kSwitch, Confidence::Assumed,
                                 "two loads of different or indexed bases: 1 pairs them always, 0 "
                                 "never; which banks they use is not known. 0 by the "
                                 "keyword-spotting image of MLPerf Tiny v1.2 on an STM32H7A3"};
    Parameter load_word{"load_word", 1, kStageCycles, Confidence::Documented,
                        "pipetest, LLVM: LDR to the late ALU; one more to shifter and address"};
    Parameter load_narrow{"load_narrow", 2, kStageCycles, Confidence::Documented,
                          "pipetest: LDRB, LDRH to the late ALU"};
    Parameter multiply_latency{"multiply_latency", 2, kStageCycles, Confidence::Documented,
                               "pipetest, LLVM: 1 into an accumulator"};
    Parameter saturate_latency{"saturate_latency", 2, kStageCycles, Confidence::Documented,
                               "LLVM: QADD, SSAT, USAD8"};
    Parameter words_per_cycle{"words_per_cycle", 2, counts(32), Confidence::Documented,
                              "pipetest: LDM, STM, PUSH, POP: ceil(N / 2)"};
    Parameter divide_least{"divide_least", 3, kStageCycles, Confidence::Assumed,
                           "SDIV, UDIV with a quotient of no bits"};
    Parameter divide_base{"divide_base", 2, kStageCycles, Confidence::Assumed,
                          "and one for every two bits of quotient; LLVM says 7, GCC 4 on average"};
    Parameter divide_bits{"divide_bits", 2, counts(32), Confidence::Assumed,
                          "of the quotient per cycle"};
    Parameter divide_most{"divide_most", 18, kStageCycles, Confidence::Assumed,
                          "of a quotient of 32 bits"};
    Parameter taken{"taken", 1, kStageCycles, Confidence::Documented,
                    "pipetest: predicted taken branch, 0 to 1 by the size of what is before it"};
    Parameter taken_narrow{"taken_narrow", 0, kStageCycles, Confidence::Documented,
                           "pipetest: the same behind at least two 16-bit instructions"};
    Parameter taken_indirect{"taken_indirect", 1, kStageCycles, Confidence::Assumed,
                             "BX, BLX, POP and LDR of pc, predicted"};
    Parameter table_branch{"table_branch", 3, counts(100, "CPU cycles"), Confidence::Assumed,
                           "TBB, TBH, predicted"};
    Parameter mispredicted{"mispredicted", 8, kStageCycles, Confidence::Documented, "pipetest"};
    Parameter mispredicted_early{
        "mispredicted_early", 6, kStageCycles, Confidence::Documented,
        "pipetest: flags set at least `flags_early` cycles before the branch"};
    Parameter flags_early{"flags_early", 3, kStageCycles, Confidence::Documented, "pipetest"};
    Parameter predictor_entries{"predictor_entries", 64, counts(1024), Confidence::Assumed,
                                "two-bit counters; cold: backward taken, forward not"};
    Parameter exclusive{"exclusive", 2, kStageCycles, Confidence::Assumed, "LDREX, STREX"};
    Parameter system{"system", 3, kStageCycles, Confidence::Assumed, "MRS, MSR, CPS"};
    Parameter barrier{"barrier", 4, kStageCycles, Confidence::Assumed, "DMB, DSB, ISB"};
    Parameter unaligned_load{"unaligned_load", 3, kStageCycles, Confidence::Documented,
                             "pipetest: as the older of a pair; 4 as the younger"};
    Parameter fp_latency{"fp_latency", 3, kStageCycles, Confidence::Documented,
                         "pipetest, LLVM: VADD, VMUL, VCVT of singles; 1 to VSTR"};
    Parameter fp_accumulate{"fp_accumulate", 3, kStageCycles, Confidence::Documented,
                            "pipetest: VFMA, VMLA to an accumulator"};
    Parameter fp_fused_latency{"fp_fused_latency", 5, kStageCycles, Confidence::Documented,
                               "pipetest: VFMA to anything else"};
    Parameter fp_multiply_add_latency{"fp_multiply_add_latency", 6, kStageCycles,
                                      Confidence::Documented, "pipetest: VMLA to anything else"};
    Parameter fp_after_fused{
        "fp_after_fused", 3, kStageCycles, Confidence::Documented,
        "pipetest: no VADD, VLDM, VSTM or access of 64 bits behind VFMA for so long"};
    Parameter fp_load_addend{"fp_load_addend", 3, kStageCycles, Confidence::Documented,
                             "pipetest: VLDR to the addend of VFMA; 1 to anything else"};
    Parameter fp_move{"fp_move", 3, kStageCycles, Confidence::Documented,
                      "pipetest: VMOV from a core register or between S registers"};
    Parameter fp_divide{"fp_divide", 16, kStageCycles, Confidence::Documented,
                        "pipetest: VDIV.F32 locks the pipeline"};
    Parameter fp_root{"fp_root", 14, kStageCycles, Confidence::Documented,
                      "pipetest: VSQRT.F32 locks the pipeline"};
    Parameter double_add{"double_add", 2, kStageCycles, Confidence::Documented,
                         "pipetest: VADD.F64 takes 1 to 3 by its operands"};
    Parameter double_multiply{"double_multiply", 5, kStageCycles, Confidence::Documented,
                              "pipetest: VMUL.F64"};
    Parameter double_fused{"double_fused", 7, kStageCycles, Confidence::Documented,
                           "pipetest: VFMA.F64, 6 chained"};
    Parameter double_divide{"double_divide", 30, kStageCycles, Confidence::Documented,
                            "pipetest: VDIV.F64, VSQRT.F64"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.pairs);
        function(self.bank_known_pairs);
        function(self.bank_unknown_pairs);
        function(self.load_word);
        function(self.load_narrow);
        function(self.multiply_latency);
        function(self.saturate_latency);
        function(self.words_per_cycle);
        function(self.divide_least);
        function(self.divide_base);
        function(self.divide_bits);
        function(self.divide_most);
        function(self.taken);
        function(self.taken_narrow);
        function(self.taken_indirect);
        function(self.table_branch);
        function(self.mispredicted);
        function(self.mispredicted_early);
        function(self.flags_early);
        function(self.predictor_entries);
        function(self.exclusive);
        function(self.system);
        function(self.barrier);
        function(self.unaligned_load);
        function(self.fp_latency);
        function(self.fp_accumulate);
        function(self.fp_fused_latency);
        function(self.fp_multiply_add_latency);
        function(self.fp_after_fused);
        function(self.fp_load_addend);
        function(self.fp_move);
        function(self.fp_divide);
        function(self.fp_root);
        function(self.double_add);
        function(self.double_multiply);
        function(self.double_fused);
        function(self.double_divide);
    }
};

}  // namespace n6vp::models::core
