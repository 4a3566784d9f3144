// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/base/host.h"
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/core.h"
#include "loader/firmware/port.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/text.h"

/// What every program for the STM32N6 has around its work: the result in memory, and the end of a
/// run by itself or by a fault.

N6VP_SECTION(".result")
constinit n6vp::firmware::chip::Result n6vp_result_record;

namespace n6vp::firmware {

namespace chip {

namespace {

constexpr std::uint32_t kFaultExitCode = 3;

void clear_result() {
    auto* const words = reinterpret_cast<volatile std::uint32_t*>(&n6vp_result_record);
    for (std::uint32_t i = 0; i < sizeof n6vp_result_record / 4; ++i) words[i] = 0;
    result().magic = kResultMagic;
    result().state = kRunning;
}

}  // namespace

void say(const char* text) {
    host::say(text);
}

void publish() {
    caches::maintain(loader::CacheOp::McuClean, kResultAddress, sizeof n6vp_result_record);
}

void give_up() {
    result().state = kFaulted;
    publish();
    host::end(kFaultExitCode);
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
    chip::host::end(code);
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
