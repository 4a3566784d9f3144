// SPDX-License-Identifier: Apache-2.0
#include "models/memory/psram_device.h"

namespace n6vp::models {

namespace {

enum PsramOpcode : std::uint32_t {
    kReadWrapped = 0x00,
    kReadLinear = 0x20,
    kReadMode = 0x40,
    kWriteWrapped = 0x80,
    kWriteLinear = 0xA0,
    kWriteMode = 0xC0,
    kReset = 0xFF,
};
constexpr std::uint8_t kVendor = 0x0D;           ///< MR1
constexpr std::uint8_t kDensity = 6u << 5 | 7u;  ///< MR2: good die, 256 Mb

}  // namespace

PsramDevice::PsramDevice(BackingStore& cells) : cells_(cells) {
    power_on();
}

void PsramDevice::power_on() {
    mode_ = {};
    mode_[1] = kVendor;
    mode_[2] = kDensity;
    action_ = Action::None;
}

void PsramDevice::begin(const SerialCommand& command, Picoseconds) {
    action_ = Action::None;
    address_ = command.address;
    first_ = true;
    // An opcode of one byte, whatever follows it on the lines.
    if (command.instruction_phase.lines != 8) return;
    switch (command.instruction & 0xFF) {
        case kReadWrapped:
        case kReadLinear:
            action_ = Action::Read;
            return;
        case kWriteWrapped:
        case kWriteLinear:
            action_ = Action::Write;
            return;
        case kReadMode:
            action_ = Action::ReadMode;
            return;
        case kWriteMode:
            action_ = Action::WriteMode;
            return;
        case kReset:
            return power_on();
        default:
            return;
    }
}

std::uint8_t PsramDevice::read(Picoseconds) {
    std::uint8_t byte = kUndrivenLines;
    if (action_ == Action::Read) {
        cells_.read(address_++ % cells_.bytes(), &byte, 1);
    } else if (action_ == Action::ReadMode && address_ < mode_.size()) {
        byte = mode_[address_];
    }
    return byte;
}

void PsramDevice::write(std::uint8_t byte) {
    if (action_ == Action::Write) {
        const std::uint32_t at = address_++ % cells_.bytes();
        if (on_change) on_change(at, 1);
        cells_.write(at, &byte, 1);
        return;
    }
    const bool writable = address_ < mode_.size() && address_ != 1 && address_ != 2;
    if (action_ == Action::WriteMode && first_ && writable) mode_[address_] = byte;
    first_ = false;
}

}  // namespace n6vp::models
