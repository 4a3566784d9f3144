// SPDX-License-Identifier: Apache-2.0
// Standby mode, and the pins that work without the mode of their port.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "models/chip/peripherals.h"

namespace n6vp::models {

namespace {

constexpr std::uint32_t kInitialVectors = 0x10;  ///< SYSCFG.INITSVTORCR

struct BoardPin {
    std::string_view port;
    unsigned number;
};

/// WKUP1 to WKUP4. Source: HAL driver, HAL_PWR_GetWakeupFlag.
constexpr BoardPin kWakeUpPins[Pwr::kPins] = {
    {"GPIOA", 0}, {"GPIOA", 2}, {"GPIOC", 13}, {"GPIOD", 2}};
constexpr BoardPin kStampPin{"GPIOC", 13};  ///< RTC_TS
/// TAMP_IN1 and TAMP_OUT3. Source: the vendor's example RTC_ActiveTamper.
constexpr BoardPin kTamperInput{"GPIOC", 13}, kTamperOutput{"GPIOH", 4};

}  // namespace

void Peripherals::connect_board_pins() {
    for (const char* const name : {"GPIOA", "GPIOC", "GPIOD"}) {
        io.gpio(name)->on_board = [this, name](std::uint16_t levels, std::uint16_t driven,
                                               Picoseconds at) {
            follow_board(name, levels, driven, at);
        };
    }
}

void Peripherals::follow_board(std::string_view port, std::uint16_t levels, std::uint16_t driven,
                               Picoseconds at) {
    const auto level = [=](unsigned pin) -> std::optional<bool> {
        if ((driven >> pin & 1) == 0) return std::nullopt;
        return (levels >> pin & 1) != 0;
    };
    const std::optional<bool> stamp = level(kStampPin.number);
    if (port == kStampPin.port && stamp) rtc.set_stamp_pin(*stamp, at);
    if (port == kTamperInput.port) tamp.set_pin(Tamp::kWiredInput, level(kTamperInput.number), at);
    for (unsigned i = 0; i < Pwr::kPins; ++i)
        if (kWakeUpPins[i].port == port) pwr.set_pin(i, level(kWakeUpPins[i].number));
}

std::string Peripherals::wake_up_pin(unsigned pin) {
    const BoardPin& place = kWakeUpPins[pin];
    return "P" + std::string(place.port.substr(4)) + std::to_string(place.number);
}

void Peripherals::connect_tampers() {
    rcc.on_backup_reset = [this](Picoseconds at) {
        rtc.power_on(at);
        tamp.power_on(at);
    };
    tamp.on_tamper = [this](Picoseconds at) { rtc.note_tamper(at); };
    tamp.on_output = [this](unsigned output, std::optional<bool> level, Picoseconds at) {
        if (output == Tamp::kWiredOutput)
            io.gpio(std::string(kTamperOutput.port))
                ->drive_additional(kTamperOutput.number, level, at);
    };
}

void Peripherals::connect_wake_up() {
    pwr.on_wake_up = [this] {
        if (on_wake_up) on_wake_up();
    };
}

void Peripherals::note_wake_up(unsigned line, bool level) {
    const std::uint32_t bit = 1u << line;
    wake_lines_ = level ? wake_lines_ | bit : wake_lines_ & ~bit;
    if (level && on_wake_up) on_wake_up();
}

void Peripherals::enter_standby(Picoseconds at) {
    const RegisterBlock* const kept[] = {&pwr, &rtc, &tamp, &iwdg};
    bus.reset();
    dma_requests.reset();
    camera.reset();
    for (RegisterBlock* block : blocks_) {
        if (std::find(std::begin(kept), std::end(kept), block) == std::end(kept))
            block->reset_at(at);
    }
    pwr.enter_standby();
    io.update_clocks(at);
}

std::uint32_t Peripherals::initial_vectors(Picoseconds at) {
    return syscfg.read(kInitialVectors, at).value;
}

void Peripherals::set_initial_vectors(std::uint32_t vectors) {
    syscfg.preset(kInitialVectors, vectors);
}

}  // namespace n6vp::models
