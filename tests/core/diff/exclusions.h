// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace n6vp::test::diff {

/// Rows that single-instruction vectors do not judge, by the start of their titles, and why.
struct Exclusion {
    std::string_view title;
    const char* reason;
};

inline constexpr Exclusion kExclusions[] = {
    {"WFI", "sleeps until an interrupt that nobody sends; tests/core/system judges it"},
    {"WFE", "QEMU returns at once; tests/core/system judges it by specification"},
    {"BKPT", "QEMU without a debugger raises HardFault, the core stops for its user"},
    {"HLT", "QEMU offers it to semihosting, the core treats it as undefined"},
    {"BXNS", "leaves the Secure state; tests/core/system judges it"},
    {"BLXNS", "leaves the Secure state; tests/core/system judges it"},
    {"SG", "acts by the attributes of the memory it stands in; tests/core/system judges it"},
    {"TT ", "answers by MPU, SAU and chip; tests/core/system judges it"},
    {"TTT", "answers by MPU, SAU and chip; tests/core/system judges it"},
    {"TTA", "answers by MPU, SAU and chip; tests/core/system judges it"},
    {"VLSTM", "acts on the FP context of a Secure caller; tests/core/system judges it"},
    {"VLLDM", "acts on the FP context of a Secure caller; tests/core/system judges it"},
    {"VSCCLRM", "acts on the FP context of a Secure caller; tests/core/system judges it"},
    {"IT T1", "means nothing without instructions under it; blocks judge it"},
    {"MSR", "moves the ground under the runner; pairs of MSR and MRS are vectors of their own"},
    {"MRS", "shows the runner's state; pairs of MSR and MRS are vectors of their own"},
    {"CPS", "moves the ground under the runner; pairs of CPS and MRS are vectors of their own"},
};

/// Rows that are not judged when they resume in the middle (ECI), although they are otherwise.
inline constexpr Exclusion kNotResumed[] = {
    {"VQDMULL", "undefined where QEMU calls the beats invalid: 32-bit destination is a source"},
    {"VIDUP", "QEMU steps Rn for the beats done before a second time"},
    {"VDDUP", "QEMU steps Rn for the beats done before a second time"},
    {"VIWDUP", "QEMU steps Rn for the beats done before a second time"},
    {"VDWDUP", "QEMU steps Rn for the beats done before a second time"},
};

}  // namespace n6vp::test::diff
