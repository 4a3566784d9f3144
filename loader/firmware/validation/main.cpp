// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/base/host.h"
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/chip/models.h"
#include "loader/firmware/chip/set_up.h"
#include "loader/firmware/chip/terminal_host.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/ports/stm32n6/console.h"
#include "loader/firmware/validation/state.h"
#include "loader/validation/server.h"

/// Installs the models of the flash and serves a client on USART1, 921,600 Bd, for ever. Nothing
/// here needs a host: text leaves by the serial port until the line "READY".

namespace n6vp::firmware {

namespace {

constexpr std::uint32_t kAnswerBytes = 16 * 1024;
constexpr std::uint32_t kSilenceCycles = validation::kCoreHz / 5;  ///< 200 ms

constexpr chip::Job validation_job() {
    chip::Job job;
    job.kind = chip::kInfer;
    job.flags = chip::kUseConsole | chip::kNoImageCrc;
    // The fuses of step 11 are programmed for good: that is for the board's owner to decide.
    job.omitted = 1u << chip::kStepFastPins;
    return job;
}

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

}  // namespace n6vp::firmware

N6VP_SECTION(".job")
constinit n6vp::firmware::chip::Job n6vp_job_record = n6vp::firmware::validation_job();

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
    chip::host::close_terminal();
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
