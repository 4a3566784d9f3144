// SPDX-License-Identifier: Apache-2.0
#include "models/soc/system/gpio.h"

#include <string_view>
#include <utility>

namespace n6vp::models {
namespace {

enum GpioOffset : std::uint32_t {
    kGpioModer = 0x00,
    kGpioOtyper = 0x04,
    kGpioOspeedr = 0x08,
    kGpioPupdr = 0x0C,
    kGpioIdr = 0x10,
    kGpioOdr = 0x14,
    kGpioBsrr = 0x18,
    kGpioLckr = 0x1C,
    kGpioAfrl = 0x20,
    kGpioAfrh = 0x24,
    kGpioBrr = 0x28,
    kGpioSeccfgr = 0x30,
    kGpioPrivcfgr = 0x34,
    kGpioEnd = 0x50,
};
constexpr std::array<const char*, kGpioEnd / 4> kGpioNames{
    "MODER",     "OTYPER", "OSPEEDR", "PUPDR",   "IDR",      "ODR",     "BSRR",
    "LCKR",      "AFRL",   "AFRH",    "BRR",     "HSLVR",    "SECCFGR", "PRIVCFGR",
    "RCFGLOCKR", "",       "DELAYRL", "DELAYRH", "PIOCFGRL", "PIOCFGRH"};
constexpr unsigned kGpioPins = 16, kGpioOutput = 1, kGpioAlternate = 2, kGpioAnalog = 3,
                   kGpioPullUp = 1;
constexpr std::uint32_t kGpioPinBits = 0xFFFF, kGpioLockKey = 1u << 16;

}  // namespace

Gpio::ResetValues Gpio::reset_values(const memmap::Chip& chip, const char* name) {
    const std::string_view port = name;
    // Out of reset a pin is analog, on the F7 an input, but for JTMS, JTCK, JTDI, JTDO, NJTRST.
    const bool inputs = chip.family == memmap::ChipFamily::F7;
    const std::uint32_t others = inputs ? 0 : 0xFFFFFFFF;
    if (port == "GPIOA") return {inputs ? 0xA8000000 : 0xABFFFFFF, 0x0C000000, 0x64000000};
    if (port == "GPIOB") return {inputs ? 0x280 : 0xFFFFFEBFu, inputs ? 0xC0u : 0, 0x100};
    return {others, 0, 0};
}

namespace {

/// Source: CMSIS-SVD file of the STM32N6.
[[nodiscard]] Gpio::ResetValues n6_values(std::string_view port) {
    constexpr std::uint32_t kAll = 0xFFFFFFFF, kSecured = 0xFFFF;
    if (port == "GPIOA") return {0xABFFFFFF, 0x0C000000, 0x64000000, kSecured, true};
    if (port == "GPIOB") return {0xFFFFFAFF, 0xC00, 0x100, kSecured, true};
    return {kAll, 0, 0, kSecured, true};
}

}  // namespace

Gpio::Gpio(const char* name, const ResetValues& values)
    : RegisterBlock(name), reset_values_(values) {
    Gpio::reset();
}

Gpio::Gpio(const memmap::Chip& chip, const char* name) : Gpio(name, reset_values(chip, name)) {}

Gpio::Gpio(const char* name) : Gpio(name, n6_values(name)) {}

void Gpio::reset() {
    held_ = {};
    at(kGpioModer) = reset_values_.moder;
    at(kGpioOspeedr) = reset_values_.ospeedr;
    at(kGpioPupdr) = reset_values_.pupdr;
    at(kGpioSeccfgr) = at(kGpioPrivcfgr) = reset_values_.secured;
    locked_ = lock_pins_ = 0;
    lock_step_ = 0;
    reported_ = inputs();
}

void Gpio::reset_at(Picoseconds at) {
    const std::uint32_t outputs_before = outputs(), levels_before = reported_;
    reset();
    reported_ = levels_before;
    report(outputs_before, at);
    if (on_functions) on_functions(at);
}

std::uint32_t Gpio::floating(const Driven& driven) const {
    std::uint32_t pins = 0;
    for (unsigned pin = 0; pin < kGpioPins; ++pin) {
        const bool outside = mode(pin) != kGpioOutput && mode(pin) != kGpioAnalog &&
                             !driven_by_function(driven, pin);
        const bool pulled = (get(kGpioPupdr) >> (2 * pin) & 3) != 0;
        if (outside && !pulled && (board_drives_ >> pin & 1) == 0) pins |= 1u << pin;
    }
    return pins;
}

void Gpio::set_inputs(std::uint16_t levels, std::uint16_t driven, Picoseconds at) {
    board_levels_ = levels;
    board_drives_ = driven;
    report(outputs(), at);
    if (on_board) on_board(levels, driven, at);
}

void Gpio::drive(unsigned pin, bool level, Picoseconds at) {
    const auto bit = static_cast<std::uint16_t>(1u << pin);
    const auto others = static_cast<std::uint16_t>(board_levels_ & ~bit);
    set_inputs(level ? static_cast<std::uint16_t>(others | bit) : others,
               static_cast<std::uint16_t>(board_drives_ | bit), at);
}

void Gpio::release(unsigned pin, Picoseconds at) {
    const auto others = static_cast<std::uint16_t>(~(1u << pin));
    set_inputs(board_levels_ & others, board_drives_ & others, at);
}

void Gpio::report(std::uint32_t outputs_before, Picoseconds at) {
    if (on_output && outputs() != outputs_before)
        on_output(static_cast<std::uint16_t>(outputs()), at);
    if (on_output_pins) {
        const std::uint16_t pins = output_pins();
        if (pins != std::exchange(reported_pins_, pins))
            on_output_pins(static_cast<std::uint16_t>(outputs()), at);
    }
    const std::uint32_t levels = inputs();
    if (levels == std::exchange(reported_, levels)) return;
    if (on_levels) on_levels(static_cast<std::uint16_t>(levels), at);
}

std::uint16_t Gpio::output_pins() const {
    std::uint32_t pins = 0;
    for (unsigned pin = 0; pin < kGpioPins; ++pin) {
        if (mode(pin) == kGpioOutput || driven_by_function(driven_, pin)) pins |= 1u << pin;
    }
    return static_cast<std::uint16_t>(pins);
}

std::uint32_t Gpio::outputs(const Driven& driven) const {
    std::uint32_t levels = 0;
    for (unsigned pin = 0; pin < kGpioPins; ++pin) {
        if (mode(pin) == kGpioOutput) levels |= get(kGpioOdr) & 1u << pin;
        if (driven_by_function(driven, pin))
            levels |= ((additional_.pins >> pin & 1) != 0 ? additional_ : driven).high & 1u << pin;
    }
    return levels;
}

std::uint32_t Gpio::inputs(const Driven& driven) const {
    std::uint32_t levels = outputs(driven);
    for (unsigned pin = 0; pin < kGpioPins; ++pin) {
        if (mode(pin) == kGpioOutput || mode(pin) == kGpioAnalog) continue;
        if (driven_by_function(driven, pin)) continue;
        const bool pulled_up = (get(kGpioPupdr) >> (2 * pin) & 3) == kGpioPullUp;
        const bool by_board = (board_drives_ >> pin & 1) != 0;
        const bool high = by_board ? (board_levels_ >> pin & 1) != 0 : pulled_up;
        if (high) levels |= 1u << pin;
    }
    return levels;
}

std::uint32_t Gpio::writable(std::uint32_t offset) const {
    std::uint32_t free = 0xFFFFFFFF;
    for (unsigned pin = 0; pin < kGpioPins; ++pin) {
        if ((locked_ >> pin & 1) == 0) continue;
        if (offset == kGpioModer || offset == kGpioOspeedr || offset == kGpioPupdr)
            free &= ~(3u << 2 * pin);
        if (offset == kGpioOtyper) free &= ~(1u << pin);
        if (offset == kGpioAfrl && pin < 8) free &= ~(0xFu << 4 * pin);
        if (offset == kGpioAfrh && pin >= 8) free &= ~(0xFu << 4 * (pin - 8));
    }
    return free;
}

/// Key with pins, pins, key with pins, then a read: the pins are locked until reset.
void Gpio::lock(std::uint32_t value) {
    if (locked_ != 0) return;
    const bool key = (value & kGpioLockKey) != 0;
    const std::uint32_t pins = value & kGpioPinBits;
    const bool goes_on = lock_step_ != 0 && pins == lock_pins_ && key == (lock_step_ == 2);
    lock_step_ = goes_on ? lock_step_ + 1 : (key ? 1 : 0);
    lock_pins_ = pins;
    at(kGpioLckr) = pins;
}

std::optional<unsigned> Gpio::function(unsigned pin) const {
    if (mode(pin) != kGpioAlternate) return std::nullopt;
    return get(pin < 8 ? kGpioAfrl : kGpioAfrh) >> (4 * (pin % 8)) & 0xF;
}

void Gpio::Driven::set(unsigned pin, std::optional<bool> level) {
    const auto bit = static_cast<std::uint16_t>(1u << pin);
    const auto others = static_cast<std::uint16_t>(~bit);
    pins = static_cast<std::uint16_t>((pins & others) | (level ? bit : 0));
    high = static_cast<std::uint16_t>((high & others) | (level.value_or(false) ? bit : 0));
}

void Gpio::drive_function(unsigned pin, std::optional<bool> level, Picoseconds at) {
    const std::uint32_t outputs_before = outputs();
    driven_.set(pin, level);
    report(outputs_before, at);
}

void Gpio::drive_additional(unsigned pin, std::optional<bool> level, Picoseconds at) {
    const std::uint32_t outputs_before = outputs();
    additional_.set(pin, level);
    report(outputs_before, at);
}

RegisterBlock::Answer Gpio::read(std::uint32_t offset, Picoseconds at) {
    if (offset >= kGpioEnd) return {.modelled = false};
    Answer answer{
        .value = get(offset), .modelled = offset <= kGpioBrr, .name = kGpioNames[offset / 4]};
    if (offset == kGpioIdr) {
        const Driven driven = on_look ? on_look(at) : driven_;
        answer.value = inputs(driven);
        answer.modelled = !reset_values_.names_floating || floating(driven) == 0;
    }
    if (offset == kGpioBsrr || offset == kGpioBrr) answer.value = 0;
    if (offset == kGpioLckr && lock_step_ == 3) {
        locked_ = lock_pins_;
        answer.value = locked_ | kGpioLockKey;
    }
    return answer;
}

bool Gpio::reads_freely(std::uint32_t offset) const {
    return offset != kGpioLckr;
}

RegisterBlock::Answer Gpio::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    if (offset >= kGpioEnd) return {.modelled = false};
    const std::uint32_t before = outputs();
    const std::uint32_t written = value & mask;
    switch (offset) {
        case kGpioIdr:
            break;
        case kGpioBsrr:
            // Setting wins over resetting.
            this->at(kGpioOdr) =
                (get(kGpioOdr) & ~(written >> kGpioPins)) | (written & kGpioPinBits);
            break;
        case kGpioBrr:
            this->at(kGpioOdr) &= ~(written & kGpioPinBits);
            break;
        case kGpioLckr:
            lock(written);
            break;
        default: {
            const std::uint32_t bits = mask & writable(offset);
            this->at(offset) = (get(offset) & ~bits) | (value & bits);
            if (offset == kGpioOdr || offset == kGpioOtyper) this->at(offset) &= kGpioPinBits;
            break;
        }
    }
    report(before, at);
    const bool functions = offset == kGpioModer || offset == kGpioAfrl || offset == kGpioAfrh;
    if (functions && on_functions) on_functions(at);
    return {.modelled = offset <= kGpioBrr, .name = kGpioNames[offset / 4]};
}

}  // namespace n6vp::models
