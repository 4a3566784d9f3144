// SPDX-License-Identifier: Apache-2.0
// The serial port of the STM32N6 as console of the older chips: rates and the driver's polls.
#include <doctest/doctest.h>

#include <string>

#include "models/soc/serial/uart.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::test::kWord;

namespace {

constexpr std::uint32_t kHalf = 0xFFFF;
constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kCr3 = 0x08, kBrr = 0x0C, kIsr = 0x1C,
                        kIcr = 0x20, kRdr = 0x24, kTdr = 0x28, kPresc = 0x2C;

struct Console {
    const char* chip;
    Uart::Kind kind;
    double hz;
    std::uint32_t brr;
    double baud;  ///< as the published firmware's divider makes it
};
constexpr Console kConsoles[] = {{"L4R5 LPUART1", Uart::Kind::LowPower, 7.5e6, 0x411B, 115'198},
                                 {"U575 USART1", Uart::Kind::Usart, 10e6, 0x57, 114'943},
                                 {"H7A3 USART3", Uart::Kind::Usart, 17.5e6, 0x98, 115'132}};

void check(const Console& console) {
    CAPTURE(console.chip);
    Uart uart("uart", console.chip, console.kind);
    std::string sent;
    uart.on_character = [&](std::uint8_t character, Picoseconds) {
        sent += static_cast<char>(character);
    };
    bool level = false;
    uart.on_interrupt = [&](bool now) { level = now; };
    uart.set_kernel_hz(console.hz);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto set = [&](std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                         Picoseconds at) { CHECK(uart.write(offset, value, mask, at).modelled); };
    const auto isr = [&](Picoseconds at) { return uart.read(kIsr, at).value; };
    // As the published firmware: set up while off, then TEACK and REACK.
    set(kCr1, 0x0C, kWord, 0);
    set(kCr2, 0, kWord, 0);
    set(kCr3, 0, kWord, 0);
    set(kPresc, 0, kWord, 0);
    set(kBrr, console.brr, kWord, 0);
    CHECK((isr(0) >> 21 & 3) == 0);
    set(kCr1, 0x0D, kWord, 0);
    CHECK((isr(0) >> 21 & 3) == 3);
    const Picoseconds frame = uart.frame_ps();
    CHECK(10e12 / static_cast<double>(frame) == doctest::Approx(console.baud).epsilon(1e-5));
    set(kCr3, 1, kWord, 0);
    set(kCr1, 0x2D, kWord, 0);
    CHECK(!level);
    uart.receive('n');
    sc_core::sc_start(delay_until(frame - 1));
    CHECK(!level);
    sc_core::sc_start(delay_until(frame + 1));  // events of its end are not run
    CHECK(level);
    CHECK((isr(frame + 1) & 1u << 5) != 0);
    // One byte waits while a command runs; the next one is lost and says so.
    uart.receive('a');
    sc_core::sc_start(delay_until(2 * frame + 2));
    CHECK((isr(2 * frame + 2) & 1u << 3) != 0);
    CHECK(uart.read(kRdr, 2 * frame + 2).value == 'n');
    CHECK((isr(2 * frame + 2) & 1u << 5) == 0);
    CHECK(level);  // the overrun still asks
    set(kIcr, 1u << 3, kWord, 2 * frame + 2);
    CHECK(!level);
    // Half-words reach TDR; TXE per character, TC at the end.
    Picoseconds now = 2 * frame + 2;
    for (const char character : std::string("m-ready")) {
        while ((isr(now) & 1u << 7) == 0) now += 1'000'000;
        set(kTdr, static_cast<std::uint8_t>(character), kHalf, now);
    }
    CHECK((isr(now) & 1u << 6) == 0);
    while ((isr(now) & 1u << 6) == 0) now += 1'000'000;
    CHECK(sent == "m-ready");
    CHECK(now - (2 * frame + 2) >= 7 * frame);
    CHECK(now - (2 * frame + 2) < 7 * frame + 2'000'000);
}

}  // namespace

TEST_CASE("shape: console of the L4R5 at 115,198 Bd") {
    check(kConsoles[0]);
}
TEST_CASE("shape: console of the U575 at 114,943 Bd") {
    check(kConsoles[1]);
}
TEST_CASE("shape: console of the H7A3 at 115,132 Bd") {
    check(kConsoles[2]);
}
