// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"

namespace n6vp::models::core {

/// Cycles of the Cortex-M55's pipeline. The sources are LLVM's scheduling model of the core and
/// SLOTHY's model, which its authors call approximate; where they disagree the value says which one
/// it follows and the source names the other. A latency is the number of cycles after which a
/// dependent instruction may issue; 1 is the very next cycle.
struct IssueParameters {
    Parameter dual_issue{
        "dual_issue", 1, kSwitch, Confidence::Documented,
        "LLVM scheduling model: two 16-bit instructions, one of them simple; 0 switches it off"};
    Parameter shifted_latency{
        "shifted_latency", 2, kStageCycles, Confidence::Documented,
        "LLVM and SLOTHY models: shift-and-operate, bit fields, DSP, long shifts"};
    Parameter mul16_latency{"mul16_latency", 1, kStageCycles, Confidence::Documented,
                            "LLVM scheduling model; SLOTHY model says 2"};
    Parameter mul_latency{"mul_latency", 2, kStageCycles, Confidence::Documented,
                          "LLVM and SLOTHY models"};
    Parameter load_word_latency{"load_word_latency", 1, kStageCycles, Confidence::Documented,
                                "SLOTHY model; LLVM scheduling model says 2. 1 brings CoreMark to "
                                "the published 4.2 per MHz"};
    Parameter load_narrow_latency{"load_narrow_latency", 2, kStageCycles, Confidence::Documented,
                                  "LLVM and SLOTHY models: bytes, halfwords, LDRD"};
    Parameter words_per_cycle{"words_per_cycle", 2, counts(32), Confidence::Assumed,
                              "LDM, STM, PUSH, POP over the 64-bit data path"};
    Parameter divide_least{
        "divide_least", 2, kStageCycles, Confidence::Assumed,
        "SDIV, UDIV of a quotient of no bits; LLVM scheduling model says at least 2"};
    Parameter divide_bits_per_cycle{"divide_bits_per_cycle", 4, counts(32), Confidence::Assumed,
                                    "of the quotient: at most 2 + 32 / 4 = 10 cycles"};
    Parameter taken_direct{"taken_direct", 0, kStageCycles, Confidence::Assumed,
                           "taken branch to a known target; 0 brings CoreMark to 4.2 per MHz"};
    Parameter taken_indirect{"taken_indirect", 1, kStageCycles, Confidence::Assumed,
                             "BX, BLX, LDR pc, POP {pc}, TBB"};
    Parameter mispredicted{"mispredicted", 3, kStageCycles, Confidence::Documented,
                           "LLVM scheduling model: refill of the pipeline"};
    Parameter mispredicted_share{"mispredicted_share", 0.0, kShare, Confidence::Assumed,
                                 "share of conditional taken branches that are mispredicted: a "
                                 "static model has no history"};
    Parameter fp_latency{"fp_latency", 2, kStageCycles, Confidence::Documented,
                         "LLVM scheduling model"};
    Parameter fp_multiply_add_latency{"fp_multiply_add_latency", 4, kStageCycles,
                                      Confidence::Documented, "LLVM scheduling model: VMLA, VMLS"};
    Parameter fp_load_latency{"fp_load_latency", 2, kStageCycles, Confidence::Documented,
                              "LLVM scheduling model"};
    Parameter fp_divide{"fp_divide", 16, kStageCycles, Confidence::Documented,
                        "LLVM scheduling model: VDIV, VSQRT F32"};
    Parameter fp_divide_half{"fp_divide_half", 9, kStageCycles, Confidence::Documented,
                             "LLVM scheduling model"};
    Parameter double_add{"double_add", 15, kStageCycles, Confidence::Documented,
                         "LLVM scheduling model"};
    Parameter double_multiply{"double_multiply", 21, kStageCycles, Confidence::Documented,
                              "LLVM scheduling model"};
    Parameter double_fused{"double_fused", 24, kStageCycles, Confidence::Documented,
                           "LLVM scheduling model"};
    Parameter double_multiply_add{"double_multiply_add", 36, kStageCycles, Confidence::Documented,
                                  "LLVM scheduling model"};
    Parameter double_divide{"double_divide", 30, kStageCycles, Confidence::Documented,
                            "LLVM scheduling model"};
    Parameter vector_beats{
        "vector_beats", 2, kStageCycles, Confidence::Documented,
        "LLVM scheduling model: a vector instruction holds its pipe for two beats of two"};
    Parameter vector_simple_latency{"vector_simple_latency", 1, kStageCycles,
                                    Confidence::Documented,
                                    "LLVM and SLOTHY models: loads, integer, chained"};
    Parameter vector_float_add_latency{"vector_float_add_latency", 1, kStageCycles,
                                       Confidence::Documented,
                                       "LLVM scheduling model; SLOTHY model says 2"};
    Parameter vector_multiply_latency{
        "vector_multiply_latency", 2, kStageCycles, Confidence::Documented,
        "LLVM and SLOTHY models: multiply, MAC, FMA, rounding shifts, VADC"};
    Parameter vector_narrow_latency{"vector_narrow_latency", 3, kStageCycles,
                                    Confidence::Documented,
                                    "LLVM scheduling model: VMOVN, VQMOVN, V*SHRN, VABAV"};
    Parameter vector_reduce_latency{"vector_reduce_latency", 3, kStageCycles,
                                    Confidence::Documented,
                                    "LLVM and SLOTHY models: into a general register"};
    Parameter vector_across_latency{
        "vector_across_latency", 4, kStageCycles, Confidence::Documented,
        "LLVM scheduling model: VMAXV, VMINV, 2 to 4 by element; the largest is taken"};
    Parameter vector_gather_latency{"vector_gather_latency", 6, kStageCycles,
                                    Confidence::Documented,
                                    "LLVM scheduling model: from offsets to loaded value"};
    Parameter multiply_to_store{"multiply_to_store", 1, kStageCycles, Confidence::Documented,
                                "SLOTHY model: forwarded"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.dual_issue);
        function(self.shifted_latency);
        function(self.mul16_latency);
        function(self.mul_latency);
        function(self.load_word_latency);
        function(self.load_narrow_latency);
        function(self.words_per_cycle);
        function(self.divide_least);
        function(self.divide_bits_per_cycle);
        function(self.taken_direct);
        function(self.taken_indirect);
        function(self.mispredicted);
        function(self.mispredicted_share);
        function(self.fp_latency);
        function(self.fp_multiply_add_latency);
        function(self.fp_load_latency);
        function(self.fp_divide);
        function(self.fp_divide_half);
        function(self.double_add);
        function(self.double_multiply);
        function(self.double_fused);
        function(self.double_multiply_add);
        function(self.double_divide);
        function(self.vector_beats);
        function(self.vector_simple_latency);
        function(self.vector_float_add_latency);
        function(self.vector_multiply_latency);
        function(self.vector_narrow_latency);
        function(self.vector_reduce_latency);
        function(self.vector_across_latency);
        function(self.vector_gather_latency);
        function(self.multiply_to_store);
    }
};

}  // namespace n6vp::models::core
