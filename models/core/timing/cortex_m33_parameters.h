// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models::core {

/// Cycles of the Cortex-M33's pipeline: three stages, one instruction per cycle and some pairs of
/// 16-bit ones. "pipetest" is the public measurements of jnk0le on an RP2350, "SLOTHY" the model
/// and micro-benchmarks of that optimiser on the same chip; the core's newer revision is assumed to
/// be like it. A latency is the number of cycles after which a dependent instruction may issue.
struct CortexM33Parameters {
    Parameter pairs{"pairs", 1, kSwitch, Confidence::Documented,
                    "pipetest: two 16-bit instructions, the second NOP, IT or a branch; 0: none"};
    Parameter taken{"taken", 2, kStageCycles, Confidence::Assumed,
                    "taken branch that is half of no pair; SLOTHY: 3, pipetest: 2 in a pair; 2 by "
                    "the keyword-spotting image of MLPerf Tiny v1.2 on an STM32U575"};
    Parameter taken_behind_flags{"taken_behind_flags", 2, kStageCycles, Confidence::Documented,
                                 "pipetest: 16-bit, behind a 16-bit instruction that sets flags"};
    Parameter taken_paired{"taken_paired", 1, kStageCycles, Confidence::Documented,
                           "pipetest: 16-bit, behind another 16-bit instruction"};
    Parameter load_pc{"load_pc", 3, kStageCycles, Confidence::Assumed,
                      "POP, LDM and LDR of pc: beyond the load"};
    Parameter table_branch{"table_branch", 5, kStageCycles, Confidence::Assumed, "TBB, TBH"};
    Parameter shifted_latency{"shifted_latency", 2, kStageCycles, Confidence::Documented,
                              "pipetest: operand shifted by LSR, ASR or ROR, shifted constant"};
    Parameter shifted_left_latency{"shifted_left_latency", 1, kStageCycles, Confidence::Documented,
                                   "SLOTHY; pipetest says 2"};
    Parameter shifted_flags{"shifted_flags", 2, kStageCycles, Confidence::Documented,
                            "pipetest: issue of a shifted constant that sets flags"};
    Parameter flags_latency{"flags_latency", 2, kStageCycles, Confidence::Documented,
                            "pipetest: flags of an operation with a shifted register"};
    Parameter multiply_latency{"multiply_latency", 2, kStageCycles, Confidence::Documented,
                               "SLOTHY: MUL, MLA, SMLAD, SMULL, SMLAL"};
    Parameter multiply_narrow{"multiply_narrow", 2, kStageCycles, Confidence::Documented,
                              "pipetest: issue of MULS in 16 bits"};
    Parameter accumulate_latency{"accumulate_latency", 1, kStageCycles, Confidence::Documented,
                                 "SLOTHY: a product or loaded word into an accumulator"};
    Parameter dsp_latency{"dsp_latency", 2, kStageCycles, Confidence::Documented,
                          "SLOTHY: QADD, UADD8, PKH, UXTA, SXTA"};
    Parameter load_latency{"load_latency", 2, kStageCycles, Confidence::Documented,
                           "pipetest, SLOTHY: LDR, LDRB, LDRH, the last word of LDM"};
    Parameter load_double{"load_double", 2, kStageCycles, Confidence::Documented,
                          "pipetest: LDRD, STRD"};
    Parameter exclusive{"exclusive", 2, kStageCycles, Confidence::Assumed, "LDREX, STREX"};
    Parameter system{"system", 2, kStageCycles, Confidence::Assumed, "MRS, MSR, CPS"};
    Parameter barrier{"barrier", 3, kStageCycles, Confidence::Assumed, "DMB, DSB, ISB"};
    Parameter divide_zero{"divide_zero", 2, kStageCycles, Confidence::Assumed,
                          "an operand is zero; as the Cortex-M4"};
    Parameter divide_smaller{"divide_smaller", 3, kStageCycles, Confidence::Assumed,
                             "dividend has fewer bits than divisor; as the Cortex-M4"};
    Parameter divide_base{"divide_base", 5, kStageCycles, Confidence::Assumed,
                          "else this and one per four bits of difference; as the Cortex-M4"};
    Parameter divide_bits{"divide_bits", 4, counts(32), Confidence::Assumed, "per cycle"};
    Parameter divide_most{"divide_most", 11, kStageCycles, Confidence::Documented, "TRM: 2 to 11"};
    Parameter unaligned{"unaligned", 1, kStageCycles, Confidence::Assumed,
                        "a second access for halfwords and words"};
    Parameter fp_latency{"fp_latency", 2, kStageCycles, Confidence::Documented,
                         "SLOTHY: VADD, VMUL"};
    Parameter fp_fused_accumulate{"fp_fused_accumulate", 3, kStageCycles, Confidence::Documented,
                                  "SLOTHY, pipetest: VFMA, VMLA to an accumulator"};
    Parameter fp_fused_latency{"fp_fused_latency", 4, kStageCycles, Confidence::Documented,
                               "SLOTHY: to anything else; pipetest says 3"};
    Parameter fp_fused_blocks{"fp_fused_blocks", 2, kStageCycles, Confidence::Documented,
                              "pipetest: no FP instruction behind VFMA, VMLA for so long"};
    Parameter fp_load_latency{"fp_load_latency", 1, kStageCycles, Confidence::Documented,
                              "SLOTHY: VLDR"};
    Parameter fp_to_core{"fp_to_core", 2, kStageCycles, Confidence::Documented,
                         "SLOTHY: latency of VMOV from S to a core register"};
    Parameter fp_pair{"fp_pair", 2, kStageCycles, Confidence::Documented,
                      "SLOTHY: issue of VMOV of two registers"};
    Parameter fp_divide{"fp_divide", 14, kStageCycles, Confidence::Assumed,
                        "VDIV, VSQRT; integer instructions overlap; as the Cortex-M4"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.pairs);
        function(self.taken);
        function(self.taken_behind_flags);
        function(self.taken_paired);
        function(self.load_pc);
        function(self.table_branch);
        function(self.shifted_latency);
        function(self.shifted_left_latency);
        function(self.shifted_flags);
        function(self.flags_latency);
        function(self.multiply_latency);
        function(self.multiply_narrow);
        function(self.accumulate_latency);
        function(self.dsp_latency);
        function(self.load_latency);
        function(self.load_double);
        function(self.exclusive);
        function(self.system);
        function(self.barrier);
        function(self.divide_zero);
        function(self.divide_smaller);
        function(self.divide_base);
        function(self.divide_bits);
        function(self.divide_most);
        function(self.unaligned);
        function(self.fp_latency);
        function(self.fp_fused_accumulate);
        function(self.fp_fused_latency);
        function(self.fp_fused_blocks);
        function(self.fp_load_latency);
        function(self.fp_to_core);
        function(self.fp_pair);
        function(self.fp_divide);
    }
};

}  // namespace n6vp::models::core
