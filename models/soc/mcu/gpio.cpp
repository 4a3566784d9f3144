// SPDX-License-Identifier: Apache-2.0
#include "models/soc/mcu/gpio.h"

#include <string_view>

namespace n6vp::models::mcu {
namespace {

enum GpioOffset : std::uint32_t {
    kModer = 0x00,
    kOtyper = 0x04,
    kOspeedr = 0x08,
    kPupdr = 0x0C,
    kIdr = 0x10,
    kOdr = 0x14,
    kBsrr = 0x18,
    kLckr = 0x1C,
    kAfrl = 0x20,
    kAfrh = 0x24,
    kBrr = 0x28,
    kGpioEnd = 0x34,
};
constexpr std::array<const char*, kGpioEnd / 4> kGpioNames{
    "MODER", "OTYPER", "OSPEEDR", "PUPDR", "IDR",   "ODR",    "BSRR",
    "LCKR",  "AFRL",   "AFRH",    "BRR",   "HSLVR", "SECCFGR"};
constexpr unsigned kPins = 16, kOutput = 1, kAnalog = 3, kPullUp = 1;
constexpr std::uint32_t kPinBits = 0xFFFF, kLockKey = 1u << 16;

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

Gpio::Gpio(const memmap::Chip& chip, const char* name)
    : RegisterBlock(name), reset_values_(reset_values(chip, name)) {
    Gpio::reset();
}

void Gpio::reset() {
    held_ = {};
    at(kModer) = reset_values_.moder;
    at(kOspeedr) = reset_values_.ospeedr;
    at(kPupdr) = reset_values_.pupdr;
    locked_ = lock_pins_ = 0;
    lock_step_ = 0;
}

void Gpio::set_inputs(std::uint16_t levels, std::uint16_t driven) {
    board_levels_ = levels;
    board_drives_ = driven;
}

std::uint32_t Gpio::outputs() const {
    std::uint32_t levels = 0;
    for (unsigned pin = 0; pin < kPins; ++pin) {
        if (mode(pin) == kOutput) levels |= get(kOdr) & 1u << pin;
    }
    return levels;
}

std::uint32_t Gpio::inputs() const {
    std::uint32_t levels = outputs();
    for (unsigned pin = 0; pin < kPins; ++pin) {
        if (mode(pin) == kOutput || mode(pin) == kAnalog) continue;
        const bool pulled_up = (get(kPupdr) >> (2 * pin) & 3) == kPullUp;
        const bool driven = (board_drives_ >> pin & 1) != 0;
        const bool high = driven ? (board_levels_ >> pin & 1) != 0 : pulled_up;
        if (high) levels |= 1u << pin;
    }
    return levels;
}

std::uint32_t Gpio::writable(std::uint32_t offset) const {
    std::uint32_t free = 0xFFFFFFFF;
    for (unsigned pin = 0; pin < kPins; ++pin) {
        if ((locked_ >> pin & 1) == 0) continue;
        if (offset == kModer || offset == kOspeedr || offset == kPupdr) free &= ~(3u << 2 * pin);
        if (offset == kOtyper) free &= ~(1u << pin);
        if (offset == kAfrl && pin < 8) free &= ~(0xFu << 4 * pin);
        if (offset == kAfrh && pin >= 8) free &= ~(0xFu << 4 * (pin - 8));
    }
    return free;
}

/// Key with pins, pins, key with pins, then a read: the pins are locked until reset.
void Gpio::lock(std::uint32_t value) {
    if (locked_ != 0) return;
    const bool key = (value & kLockKey) != 0;
    const std::uint32_t pins = value & kPinBits;
    const bool goes_on = lock_step_ != 0 && pins == lock_pins_ && key == (lock_step_ == 2);
    lock_step_ = goes_on ? lock_step_ + 1 : (key ? 1 : 0);
    lock_pins_ = pins;
    at(kLckr) = pins;
}

RegisterBlock::Answer Gpio::read(std::uint32_t offset, Picoseconds /*at*/) {
    if (offset >= kGpioEnd) return {.modelled = false};
    Answer answer{.value = get(offset), .modelled = offset <= kBrr, .name = kGpioNames[offset / 4]};
    if (offset == kIdr) answer.value = inputs();
    if (offset == kBsrr || offset == kBrr) answer.value = 0;
    if (offset == kLckr && lock_step_ == 3) {
        locked_ = lock_pins_;
        answer.value = locked_ | kLockKey;
    }
    return answer;
}

RegisterBlock::Answer Gpio::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    if (offset >= kGpioEnd) return {.modelled = false};
    const std::uint32_t before = outputs();
    const std::uint32_t written = value & mask;
    switch (offset) {
        case kIdr:
            break;
        case kBsrr:
            // Setting wins over resetting.
            this->at(kOdr) = (get(kOdr) & ~(written >> kPins)) | (written & kPinBits);
            break;
        case kBrr:
            this->at(kOdr) &= ~(written & kPinBits);
            break;
        case kLckr:
            lock(written);
            break;
        default: {
            const std::uint32_t bits = mask & writable(offset);
            this->at(offset) = (get(offset) & ~bits) | (value & bits);
            if (offset == kOdr || offset == kOtyper) this->at(offset) &= kPinBits;
            break;
        }
    }
    if (on_output && outputs() != before) on_output(static_cast<std::uint16_t>(outputs()), at);
    return {.modelled = offset <= kBrr, .name = kGpioNames[offset / 4]};
}

}  // namespace n6vp::models::mcu
