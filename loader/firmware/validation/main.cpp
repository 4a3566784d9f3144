// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/chip/host.h"
#include "loader/firmware/chip/models.h"
#include "loader/firmware/chip/set_up.h"
#include "loader/firmware/chip/state.h"
#include "loader/firmware/core.h"
#include "loader/firmware/port.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/ports/stm32n6/console.h"
#include "loader/firmware/text.h"
#include "loader/firmware/validation/state.h"
#include "loader/runtime/capi/ll_aton_runtime.h"
#include "loader/validation/server.h"

/// Installs the models of the flash and serves a client on USART1, 921,600 Bd, for ever. Nothing
/// here needs a host: text leaves by the serial port until the line "READY".

N6VP_SECTION(".result")
constinit n6vp::firmware::chip::Result n6vp_result_record;

namespace n6vp::firmware {

namespace {

constexpr std::uint32_t kAnswerBytes = 16 * 1024;
constexpr std::uint32_t kFaultExitCode = 3;
constexpr std::uint32_t kSilenceCycles = validation::kCoreHz / 5;  ///< 200 ms

N6VP_SECTION(".noinit.answer")
std::uint8_t answer_buffer[kAnswerBytes];

std::int32_t get_byte(void*, bool limited) {
    const std::uint32_t start = chip::cycles();
    for (;;) {
        const std::int32_t value = console::get();
        if (value >= 0) return value;
        if (limited && chip::cycles() - start > kSilenceCycles) return -1;
    }
}

void put_bytes(void*, const std::uint8_t* bytes, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) console::put(static_cast<char>(bytes[i]));
}

}  // namespace

namespace chip {

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
    auto* const words = reinterpret_cast<volatile std::uint32_t*>(&n6vp_result_record);
    for (std::uint32_t i = 0; i < sizeof n6vp_result_record / 4; ++i) words[i] = 0;
    chip::result().magic = chip::kResultMagic;
    chip::result().state = chip::kRunning;
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
    chip::say(line.put(" bfar=").hex(fault.bfar).put("\n").text());
    chip::give_up();
}

}  // namespace port

}  // namespace n6vp::firmware

extern "C" int n6vp_firmware_main() {
    using namespace n6vp::firmware;
    chip::set_up();
    chip::host::open();
    chip::say("\nn6vp validation firmware, protocol 3.1\n");
    caches::enable_npu();
    if (!validation::find_models() || !validation::install_models()) {
        chip::say("error: no model\n");
        return 1;
    }
    chip::say("READY\n");
    validation::be_silent();
    n6vp::validation::Server::Setup setup;
    setup.line = {nullptr, get_byte, put_bytes};
    setup.device = validation::device();
    setup.buffer = answer_buffer;
    setup.buffer_bytes = kAnswerBytes;
    n6vp::validation::Server server(setup);
    server.serve();
    return 0;
}

/// SysTick is not used.
extern "C" void n6vp_tick_interrupt() {}

void n6vp_rt_say(const char* line) {
    n6vp::firmware::chip::say(line);
}

void n6vp_rt_stopped(const char* name, const char* text, uint32_t first, uint32_t second) {
    using namespace n6vp::firmware;
    Text line;
    line.put("runtime stopped: ").put(name).put(": ").put(text);
    chip::say(line.put(" ").hex(first).put(" ").hex(second).put("\n").text());
    chip::give_up();
}
