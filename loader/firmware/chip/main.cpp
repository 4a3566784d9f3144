// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/base/host.h"
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/chip/set_up.h"
#include "loader/firmware/core.h"
#include "loader/firmware/text.h"

/// The program for the STM32N6, simulated or on its board: sets the platform up, does the job,
/// leaves the result in memory and ends the run. Ports differ in who hears of it (host.h).

namespace n6vp::firmware {

namespace chip {

namespace {

constexpr std::uint32_t kBadJob = 2;
constexpr std::uint32_t kArgumentBytes = 2048;

N6VP_SECTION(".noinit.words")
char argument_words[kArgumentBytes];

bool prepare_job() {
    if (job().magic != kJobMagic) {
        job().flags = 0;
        say("error: no job at 0x34000400\n");
        return false;
    }
    const char* bad = "";
    if (!host::arguments(argument_words, sizeof argument_words)) {
        say("error: the arguments do not fit 2047 characters\n");
        return false;
    }
    if (!apply_arguments(job(), argument_words, bad)) {
        Text line;
        line.put("error: not an argument of this program: ").put(bad).put("\n");
        say(line.text());
        return false;
    }
    const std::uint32_t most = job().kind == kInfer ? kMaxModels : 1;
    if (job().model_count != 0 && job().model_count <= most) return true;
    say("error: a job has one model, up to four behind infer\n");
    return false;
}

bool run_job() {
    switch (job().kind) {
        case kSetUpOnly:
            return true;
        case kInstall:
            run_install();
            return true;
        case kCopy:
            run_copies();
            return true;
        case kProbe:
            run_probe();
            return true;
        case kInfer:
            run_inferences();
            return true;
        default:
            say("error: no such kind of job\n");
            return false;
    }
}

}  // namespace

}  // namespace chip

}  // namespace n6vp::firmware

extern "C" int n6vp_firmware_main() {
    using namespace n6vp::firmware;
    using namespace n6vp::firmware::chip;
    if (!prepare_job()) return kBadJob;
    {
        const Phase phase(kPhaseSetUp, "set-up", result().set_up_cycles);
        set_up();
        host::open();
    }
    if (!run_job()) return kBadJob;
    return result().code == 0 ? 0 : 1;
}
