// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/base/state.h"
#include "loader/firmware/core.h"

/// The board STM32N6570-DK: text on USART1, and nothing else. A debugger loads the program into RAM
/// (development boot) and may change the job there before it starts it.

namespace n6vp::firmware::chip {

namespace {

/// Where the model is: a convention of this project, changed when the program is built.
#ifndef N6VP_BOARD_MODEL
#define N6VP_BOARD_MODEL to_word(memmap::board::kModel.start)
#endif
constexpr std::uint32_t kModelAddress = N6VP_BOARD_MODEL;

constexpr std::uint32_t kNominalClocks = 1;

constexpr Job board_job() {
    Job job;
    job.kind = kInfer;
    job.flags = kUseConsole | kTensors | kValues | kTable;
    // The fuses of step 11 are programmed for good: that is for the board's owner to decide.
    job.omitted = 1u << kStepFastPins;
    job.models[0].file = kModelAddress;
    job.models[0].generation = 0;
    // Overdrive wants more of the core's supply than it has after power-on.
    job.clocks = kNominalClocks;
    return job;
}

}  // namespace

}  // namespace n6vp::firmware::chip

N6VP_SECTION(".job")
constinit n6vp::firmware::chip::Job n6vp_job_record = n6vp::firmware::chip::board_job();
