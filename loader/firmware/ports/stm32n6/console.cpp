// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/ports/stm32n6/console.h"

#include "loader/firmware/core.h"

namespace n6vp::firmware::console {

namespace {

// Base, offsets and bits: public device header.
constexpr std::uint32_t kUsart1 = 0x52001000;
constexpr std::uint32_t kCr1 = kUsart1 + 0x00, kCr2 = kUsart1 + 0x04, kCr3 = kUsart1 + 0x08,
                        kBrr = kUsart1 + 0x0C, kIsr = kUsart1 + 0x1C, kRdr = kUsart1 + 0x24,
                        kTdr = kUsart1 + 0x28, kPresc = kUsart1 + 0x2C;
constexpr std::uint32_t kEnable = 1u << 0, kReceiver = 1u << 2, kTransmitter = 1u << 3;
constexpr std::uint32_t kReceived = 1u << 5, kComplete = 1u << 6, kEmpty = 1u << 7;

void wait_for(std::uint32_t flag) {
    while ((read_register(kIsr) & flag) == 0) {
    }
}

}  // namespace

void initialise(std::uint32_t divider) {
    write_register(kCr1, 0);
    write_register(kCr2, 0);
    write_register(kCr3, 0);
    write_register(kPresc, 0);
    write_register(kBrr, divider);
    write_register(kCr1, kEnable | kReceiver | kTransmitter);
}

void put(char character) {
    wait_for(kEmpty);
    write_register(kTdr, static_cast<std::uint8_t>(character));
    wait_for(kComplete);
}

void print(const char* text) {
    while (*text != '\0') put(*text++);
}

std::int32_t get() {
    if ((read_register(kIsr) & kReceived) == 0) return -1;
    return static_cast<std::int32_t>(read_register(kRdr) & 0xFF);
}

}  // namespace n6vp::firmware::console
