// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/control/build.h"
#include "models/core/isa/control/coprocessor.h"
#include "models/core/isa/control/operands.h"
#include "models/core/isa/families.h"

namespace n6vp::models::core::isa::control {

namespace {

constexpr Issue kHint = Issue::Nop;

/// Conditions 14 and 15 are other instructions.
bool is_conditional(const Fields& fields) {
    return fields['c'] < 14;
}

/// A mask of 0 is a hint.
bool is_if_then(const Fields& fields) {
    return fields['k'] != 0;
}

bool has_branch_future_offset(const Fields& fields) {
    return fields['b'] != 0;
}

bool is_branch_future_select(const Fields& fields) {
    return fields['b'] != 0 && fields['c'] < 14;
}

bool counts_in_register(const Fields& fields) {
    return fields['n'] != 15;
}

/// These numbers are banked registers of other profiles.
bool is_special(const Fields& fields) {
    return (fields['s'] & 0x78) != 0x20;
}

constexpr Row kRows[] = {
    // Branches.
    {"B T1", "1101 cccc iiiiiiii", "b{c:cond} {:to_8}", build_branch_conditional_narrow,
     Issue::Branch, Unit::Integer, is_conditional},
    {"B T2", "11100 iiiiiiiiiii", "b{:it} {:to_11}", build_branch_narrow, Issue::Branch},
    {"B T3", "11110 S cccc iiiiii 10 J 0 K iiiiiiiiiii", "b{c:cond}.w {:to_20}",
     build_branch_conditional_wide, Issue::Branch, Unit::Integer, is_conditional},
    {"B T4", "11110 S iiiiiiiiii 10 J 1 K iiiiiiiiiii", "b{:it}.w {:to_24}", build_branch_wide,
     Issue::Branch},
    {"BL T1", "11110 S iiiiiiiiii 11 J 1 K iiiiiiiiiii", "bl{:it} {:to_24}", build_branch_with_link,
     Issue::Branch},
    {"BX T1", "010001110 mmmm 0--", "bx{:it} {m:r}", build_branch_exchange, Issue::Branch},
    {"BLX (register) T1", "010001111 mmmm 000", "blx{:it} {m:r}", build_branch_link_exchange,
     Issue::Branch},
    needing(Feature::Security, {"BXNS T1", "010001110 mmmm 1--", "bxns{:it} {m:r}",
                                build_branch_non_secure, Issue::Branch}),
    needing(Feature::Security, {"BLXNS T1", "010001111 mmmm 1--", "blxns{:it} {m:r}",
                                build_branch_link_non_secure, Issue::Branch}),
    {"CBZ T1", "1011 00i1 iiiiinnn", "cbz {n:r}, {i:to_compare}", build_compare_and_branch<true>,
     Issue::Branch},
    {"CBNZ T1", "1011 10i1 iiiiinnn", "cbnz {n:r}, {i:to_compare}", build_compare_and_branch<false>,
     Issue::Branch},
    {"TBB T1", "1110 1000 1101 nnnn 1111 0000 0000 mmmm", "tbb{:it} [{n:r}, {m:r}]",
     build_table_branch<false>, Issue::Branch},
    {"TBH T1", "1110 1000 1101 nnnn 1111 0000 0001 mmmm", "tbh{:it} [{n:r}, {m:r}, lsl #1]",
     build_table_branch<true>, Issue::Branch},
    {"IT T1", "1011 1111 cccc kkkk", "it{:it_pattern} {c:it_cond}", build_if_then, Issue::It,
     Unit::Integer, is_if_then},

    // Loops.
    needing(Feature::LowOverhead,
            {"DLS T1", "1111 0000 0100 nnnn 1110 0000 0000 0001", "dls lr, {n:r}",
             build_do_loop_start, Issue::LoopStart, Unit::Integer, counts_in_register}),
    needing(Feature::Vector,
            {"DLSTP T1", "1111 0000 00ss nnnn 1110 0--- ---- ---1", "dlstp{s:size} lr, {n:r}",
             build_do_loop_start_tail, Issue::LoopStart, Unit::Vector}),
    needing(Feature::LowOverhead,
            {"WLS T1", "1111 0000 0100 nnnn 1100 j iiiiiiiiii 1", "wls lr, {n:r}, {:to_loop}",
             build_while_loop_start, Issue::LoopStart}),
    needing(Feature::Vector, {"WLSTP T1", "1111 0000 00ss nnnn 1100 j iiiiiiiiii 1",
                              "wlstp{s:size} lr, {n:r}, {:to_loop}", build_while_loop_start_tail,
                              Issue::LoopStart, Unit::Vector}),
    needing(Feature::LowOverhead, {"LE T1", "1111 0000 0000 1111 1100 j iiiiiiiiii 1",
                                   "le lr, {:to_start}", build_loop_end, Issue::LoopEnd}),
    needing(Feature::LowOverhead, {"LE T2", "1111 0000 0010 1111 1100 j iiiiiiiiii 1",
                                   "le {:to_start}", build_loop_end_forever, Issue::LoopEnd}),
    needing(Feature::Vector,
            {"LETP T1", "1111 0000 0001 1111 1100 j iiiiiiiiii 1", "letp lr, {:to_start}",
             build_loop_end_tail, Issue::LoopEnd, Unit::Vector}),
    needing(Feature::Vector, {"LCTP T1", "1111 0000 00-- 1111 1110 0--- ---- ---1", "lctp{:it}",
                              build_loop_clear, Issue::LoopStart, Unit::Vector}),

    // Branch future announces a branch that is also in the program: the core need not remember it.
    needing(Feature::LowOverhead,
            {"BF T1", "11110 bbbb 10 iiiii 1110 j kkkkkkkkkk 1", "bf{:it} {b:u2}, {:to_bf}",
             build_nothing, kHint, Unit::Integer, has_branch_future_offset}),
    needing(Feature::LowOverhead, {"BFCSEL T2", "11110 bbbb 0 cccc T i 1110 j kkkkkkkkkk 1",
                                   "bfcsel {b:u2}, {:to_bfcsel}, {T:else}, {c:it_cond}",
                                   build_nothing, kHint, Unit::Integer, is_branch_future_select}),
    needing(Feature::LowOverhead,
            {"BFX T3", "11110 bbbb 110 nnnn 1110 0000 0000 0001", "bfx{:it} {b:u2}, {n:r}",
             build_nothing, kHint, Unit::Integer, has_branch_future_offset}),
    needing(Feature::LowOverhead,
            {"BFL T4", "11110 bbbb iiiiiii 1100 j kkkkkkkkkk 1", "bfl{:it} {b:u2}, {:to_bfl}",
             build_nothing, kHint, Unit::Integer, has_branch_future_offset}),
    needing(Feature::LowOverhead,
            {"BFLX T5", "11110 bbbb 111 nnnn 1110 0000 0000 0001", "bflx{:it} {b:u2}, {n:r}",
             build_nothing, kHint, Unit::Integer, has_branch_future_offset}),

    // Exceptions by request.
    {"SVC T1", "1101 1111 iiiiiiii", "svc{:it} {i:u}", build_supervisor_call, Issue::System},
    {"UDF T1", "1101 1110 iiiiiiii", "udf {i:u}", build_undefined, Issue::System},
    {"UDF T2", "1111 0111 1111 iiii 1010 iiii iiii iiii", "udf.w {i:u}", build_undefined,
     Issue::System},
    {"BKPT T1", "1011 1110 iiiiiiii", "bkpt {i:u}", build_breakpoint, Issue::System},

    // Hints. What the architecture has not named yet is a NOP.
    {"NOP T1", "1011 1111 0000 0000", "nop{:it}", build_nothing, kHint},
    {"YIELD T1", "1011 1111 0001 0000", "yield{:it}", build_nothing, kHint},
    {"WFE T1", "1011 1111 0010 0000", "wfe{:it}", build_wait_for_event, Issue::System},
    {"WFI T1", "1011 1111 0011 0000", "wfi{:it}", build_wait_for_interrupt, Issue::System},
    {"SEV T1", "1011 1111 0100 0000", "sev{:it}", build_send_event, Issue::System},
    {"HINT T1", "1011 1111 iiii 0000", "hint{:it} {i:u}", build_nothing, kHint},
    {"NOP T2", "1111 0011 1010 1111 1000 0000 0000 0000", "nop{:it}.w", build_nothing, kHint},
    {"YIELD T2", "1111 0011 1010 1111 1000 0000 0000 0001", "yield{:it}.w", build_nothing, kHint},
    {"WFE T2", "1111 0011 1010 1111 1000 0000 0000 0010", "wfe{:it}.w", build_wait_for_event,
     Issue::System},
    {"WFI T2", "1111 0011 1010 1111 1000 0000 0000 0011", "wfi{:it}.w", build_wait_for_interrupt,
     Issue::System},
    {"SEV T2", "1111 0011 1010 1111 1000 0000 0000 0100", "sev{:it}.w", build_send_event,
     Issue::System},
    {"PACBTI T1", "1111 0011 1010 ++++ 10-0 -000 0000 1101", "pacbti r12, lr, sp", build_nothing,
     kHint},
    {"BTI T1", "1111 0011 1010 ++++ 10-0 -000 0000 1111", "bti", build_nothing, kHint},
    {"ESB T1", "1111 0011 1010 1111 1000 0000 0001 0000", "esb{:it}.w", build_nothing, kHint},
    {"CSDB T1", "1111 0011 1010 1111 1000 0000 0001 0100", "csdb{:it}", build_nothing, kHint},
    {"PAC T1", "1111 0011 1010 ++++ 10-0 -000 0001 1101", "pac r12, lr, sp", build_nothing, kHint},
    {"AUT T1", "1111 0011 1010 ++++ 10-0 -000 0010 1101", "aut r12, lr, sp", build_nothing, kHint},
    {"DBG T1", "1111 0011 1010 1111 1000 0000 1111 iiii", "dbg{:it} {i:u}", build_nothing, kHint},
    {"HINT T2", "1111 0011 1010 1111 1000 0000 iiiiiiii", "hint{:it}.w {i:u}", build_nothing,
     kHint},

    // Barriers.
    {"SSBB T1", "1111 0011 1011 1111 1000 1111 0100 0000", "ssbb", build_nothing, Issue::Barrier},
    {"PSSBB T1", "1111 0011 1011 1111 1000 1111 0100 0100", "pssbb", build_nothing, Issue::Barrier},
    {"DSB T1", "1111 0011 1011 1111 1000 1111 0100 iiii", "dsb{:it} {i:barrier}",
     build_data_barrier, Issue::Barrier},
    {"DMB T1", "1111 0011 1011 1111 1000 1111 0101 iiii", "dmb{:it} {i:barrier}", build_nothing,
     Issue::Barrier},
    {"ISB T1", "1111 0011 1011 1111 1000 1111 0110 iiii", "isb{:it} {i:isb}",
     build_instruction_barrier, Issue::Barrier},

    // Special registers and security.
    {"CPS T1", "1011 0110 011D 0AIF", "cps{D:cps} {:flags}", build_change_processor_state,
     Issue::System},
    {"MRS T1", "1111 0011 111- ++++ 10-0 dddd ssssssss", "mrs{:it} {d:r}, {s:special}",
     build_read_special, Issue::System, Unit::Integer, is_special},
    {"MSR (register) T1", "1111 0011 100- nnnn 10-0 kk-- ssssssss", "msr{:it} {s:masked}, {n:r}",
     build_write_special, Issue::System, Unit::Integer, is_special},
    needing(Feature::V8, {"TT T1", "1110 1000 0100 nnnn 1111 dddd 00------", "tt{:it} {d:r}, {n:r}",
                          build_test_target<false, false>, Issue::System}),
    needing(Feature::V8, {"TTT T1", "1110 1000 0100 nnnn 1111 dddd 01------",
                          "ttt{:it} {d:r}, {n:r}", build_test_target<false, true>, Issue::System}),
    needing(Feature::Security,
            {"TTA T1", "1110 1000 0100 nnnn 1111 dddd 10------", "tta{:it} {d:r}, {n:r}",
             build_test_target<true, false>, Issue::System}),
    needing(Feature::Security,
            {"TTAT T1", "1110 1000 0100 nnnn 1111 dddd 11------", "ttat{:it} {d:r}, {n:r}",
             build_test_target<true, true>, Issue::System}),
    needing(Feature::Security, {"SG T1", "1110 1001 0111 1111 1110 1001 0111 1111", "sg{:it}",
                                build_secure_gateway, Issue::Branch}),
};

}  // namespace

}  // namespace n6vp::models::core::isa::control

namespace n6vp::models::core::isa {

Family control_family() {
    return {"control", control::kRows, control::control_directives()};
}

Family coprocessor_family() {
    return {"coprocessor", control::coprocessor_rows(), control::control_directives()};
}

}  // namespace n6vp::models::core::isa
