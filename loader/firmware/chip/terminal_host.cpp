// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/chip/terminal_host.h"

#include "loader/firmware/base/host.h"
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/registers.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/console.h"

namespace n6vp::firmware::chip::host {

namespace {

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
constinit bool is_open = false;

}  // namespace

bool arguments(char* words, std::uint32_t) {
    words[0] = '\0';
    return true;
}

void open() {
    connect_pins();
    console::initialise(job().uart_divider);
    is_open = true;
}

void close_terminal() {
    is_open = false;
}

void say(const char* text) {
    if (is_open) console::print(text);
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
