// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/chip/host.h"

#include "loader/firmware/chip/registers.h"
#include "loader/firmware/chip/state.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/console.h"
#include "loader/firmware/validation/state.h"

/// A terminal at USART1 (PE5 and PE6) until a client of the protocol takes its place.

namespace n6vp::firmware::chip {

namespace {

constexpr Job validation_job() {
    Job job;
    job.kind = kInfer;
    job.flags = kUseConsole | kNoImageCrc;
    // The fuses of step 11 are programmed for good: that is for the board's owner to decide.
    job.omitted = 1u << kStepFastPins;
    return job;
}

// GPIO port E, pins 5 and 6 in alternate function 7 are TX and RX of USART1: public board support.
constexpr std::uint32_t kGpioEClock = 1u << 4;   ///< in AHB4ENR
constexpr std::uint32_t kUsart1Clock = 1u << 4;  ///< in APB2ENR
constexpr std::uint32_t kModer = 0x00, kAfrl = 0x20;
constexpr std::uint32_t kPinTx = 5, kPinRx = 6, kAlternate = 2, kUsart1Function = 7;

void set_field(std::uint32_t address, std::uint32_t bits, std::uint32_t number,
               std::uint32_t value) {
    const std::uint32_t mask = ((1u << bits) - 1) << bits * number;
    write_register(address, (read_register(address) & ~mask) | value << bits * number);
}

void connect_pins() {
    write_register(kRcc + kRccAhb4Enr + kRccSet, kGpioEClock);
    write_register(kRcc + kRccApb2Enr + kRccSet, kUsart1Clock);
    barrier();
    for (std::uint32_t pin = kPinTx; pin <= kPinRx; ++pin) {
        set_field(kGpioE + kAfrl, 4, pin, kUsart1Function);
        set_field(kGpioE + kModer, 2, pin, kAlternate);
    }
}

/// Before the port is on it would take nothing, for ever.
constinit bool speaks = false;

}  // namespace

void say(const char* text) {
    host::say(text);
}

}  // namespace n6vp::firmware::chip

N6VP_SECTION(".job")
constinit n6vp::firmware::chip::Job n6vp_job_record = n6vp::firmware::chip::validation_job();

namespace n6vp::firmware::validation {

void be_silent() {
    chip::speaks = false;
}

}  // namespace n6vp::firmware::validation

namespace n6vp::firmware::chip::host {

bool arguments(char* words, std::uint32_t) {
    words[0] = '\0';
    return true;
}

void open() {
    connect_pins();
    console::initialise(job().uart_divider);
    speaks = true;
}

void say(const char* text) {
    if (speaks) console::print(text);
}

void end(std::uint32_t) {
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
