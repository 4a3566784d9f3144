// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/firmware/base/job.h"

/// The two records of the program, in the sections that the linker script puts at their addresses.
extern "C" {
extern n6vp::firmware::chip::Job n6vp_job_record;
extern n6vp::firmware::chip::Result n6vp_result_record;
}

namespace n6vp::firmware::chip {

[[nodiscard]] inline Job& job() {
    return n6vp_job_record;
}
[[nodiscard]] inline Result& result() {
    return n6vp_result_record;
}
[[nodiscard]] inline bool wanted(JobFlag flag) {
    return (n6vp_job_record.flags & flag) != 0;
}
[[nodiscard]] inline bool omitted(Step step) {
    return (n6vp_job_record.omitted >> step & 1u) != 0;
}

/// Prints to the host of the program; takes no simulated time.
void say(const char* text);

/// Ends the run as a fault does.
[[noreturn]] void give_up();

/// Who serves the NPU's line from now on; without one it is counted and switched off.
void handle_npu_interrupts_by(void (*handler)());

/// Puts the result where others than the core see it.
void publish();

}  // namespace n6vp::firmware::chip
