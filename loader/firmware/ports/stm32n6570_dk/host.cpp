// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/chip/host.h"

#include "loader/firmware/chip/registers.h"
#include "loader/firmware/chip/state.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/console.h"

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

// GPIO port E, pins 5 and 6 in alternate function 7 are TX and RX of USART1: public board support.
constexpr std::uint32_t kGpioEClock = 1u << 4;   ///< in AHB4ENR
constexpr std::uint32_t kUsart1Clock = 1u << 4;  ///< in APB2ENR
constexpr std::uint32_t kModer = 0x00, kAfrl = 0x20;
constexpr std::uint32_t kPins[] = {5, 6}, kAlternate = 2, kUsart1Function = 7;

void connect_pins() {
    write_register(kRcc + kRccAhb4Enr + kRccSet, kGpioEClock);
    write_register(kRcc + kRccApb2Enr + kRccSet, kUsart1Clock);
    barrier();
    std::uint32_t modes = read_register(kGpioE + kModer);
    std::uint32_t functions = read_register(kGpioE + kAfrl);
    for (const std::uint32_t pin : kPins) {
        modes = (modes & ~(3u << 2 * pin)) | kAlternate << 2 * pin;
        functions = (functions & ~(15u << 4 * pin)) | kUsart1Function << 4 * pin;
    }
    write_register(kGpioE + kAfrl, functions);
    write_register(kGpioE + kModer, modes);
}

/// Before the port is on it would take nothing, for ever.
constinit bool console_is_open = false;

}  // namespace

}  // namespace n6vp::firmware::chip

N6VP_SECTION(".job")
constinit n6vp::firmware::chip::Job n6vp_job_record = n6vp::firmware::chip::board_job();

namespace n6vp::firmware::chip::host {

bool arguments(char* words, std::uint32_t) {
    words[0] = '\0';
    return true;
}

void open() {
    connect_pins();
    console::initialise(job().uart_divider);
    console_is_open = true;
}

void say(const char* text) {
    if (console_is_open) console::print(text);
}

void end(std::uint32_t code) {
    say(code == 0 ? "end: ok\n" : code == 1 ? "end: failed\n" : "end: fault or no such job\n");
    for (;;) wait_for_event();
}

bool hears_phases() {
    return false;
}

void begin_phase(std::uint32_t, const char*) {}

void end_phase(std::uint32_t) {}

bool read_file(const char*, void*, std::uint32_t) {
    return false;
}

bool write_file(const char*, const void*, std::uint32_t) {
    return false;
}

}  // namespace n6vp::firmware::chip::host
