// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/chip/set_up.h"
#include "loader/firmware/chip/state.h"
#include "loader/firmware/core.h"
#include "loader/firmware/port.h"
#include "loader/firmware/ports/stm32n6_sim/caches.h"
#include "loader/firmware/ports/stm32n6_sim/console.h"
#include "loader/firmware/ports/stm32n6_sim/mailbox.h"
#include "loader/firmware/semihosting.h"
#include "loader/firmware/text.h"
#include "memmap/regions.h"

/// The program for the simulated STM32N6: sets the platform up, does the job, leaves the result in
/// memory and ends the run. Its port functions are here because the job decides about them.

N6VP_SECTION(".job")
constinit n6vp::firmware::chip::Job n6vp_job_record;
N6VP_SECTION(".result")
constinit n6vp::firmware::chip::Result n6vp_result_record;

namespace n6vp::firmware {

namespace chip {

namespace {

constexpr std::uint32_t kBadJob = 2;
constexpr std::uint32_t kFaultExitCode = 3;
constexpr std::uint32_t kArgumentBytes = 1024;

bool prepare_job() {
    if (job().magic != kJobMagic) {
        job().flags = 0;
        say("error: no job at 0x34000400\n");
        return false;
    }
    if (!wanted(kUseMailbox) || !wanted(kUseArguments)) return true;
    static char words[kArgumentBytes];
    const char* bad = "";
    if (!mailbox::arguments(words, sizeof words)) {
        say("error: the arguments do not fit 1023 characters\n");
        return false;
    }
    if (apply_arguments(job(), words, bad)) return true;
    Text line;
    line.put("error: not an argument of this program: ").put(bad).put("\n");
    say(line.text());
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

void clear_result() {
    auto* const words = reinterpret_cast<volatile std::uint32_t*>(&n6vp_result_record);
    for (std::uint32_t i = 0; i < sizeof n6vp_result_record / 4; ++i) words[i] = 0;
    result().magic = kResultMagic;
    result().state = kRunning;
}

[[noreturn]] void end(std::uint32_t code) {
    if (wanted(kUseMailbox)) mailbox::exit(code);
    semihosting::exit(code);
}

}  // namespace

void say(const char* text) {
    if (wanted(kUseMailbox)) {
        mailbox::print(text);
    } else {
        semihosting::print(text);
    }
}

void publish() {
    caches::maintain(loader::CacheOp::McuClean, kResultAddress, sizeof n6vp_result_record);
}

void give_up() {
    result().state = kFaulted;
    publish();
    end(kFaultExitCode);
}

}  // namespace chip

namespace port {

void initialise() {
    chip::clear_result();
    chip::start_counting();
}

void finish(std::uint32_t code) {
    chip::result().state = chip::kDone;
    chip::publish();
    chip::end(code);
}

void report(const Fault& fault) {
    chip::result().fault = {fault.exception, fault.pc, fault.lr, fault.cfsr, fault.bfar};
    Text line;
    line.put("fault exception=").decimal(fault.exception).put(" pc=").hex(fault.pc);
    line.put(" lr=").hex(fault.lr).put(" cfsr=").hex(fault.cfsr);
    line.put(" bfar=").hex(fault.bfar).put("\n");
    chip::say(line.text());
    chip::give_up();
}

}  // namespace port

}  // namespace n6vp::firmware

extern "C" int n6vp_firmware_main() {
    using namespace n6vp::firmware;
    using namespace n6vp::firmware::chip;
    if (!prepare_job()) return kBadJob;
    {
        const Phase phase(kPhaseSetUp, "set-up", result().set_up_cycles);
        set_up();
        if (wanted(kUseConsole)) console::initialise(job().uart_divider);
    }
    if (!run_job()) return kBadJob;
    return result().code == 0 ? 0 : 1;
}
