// SPDX-License-Identifier: Apache-2.0
// Serial ports, I2C, timers, GPIO and EXTI through the chip: addresses, gates, clocks, interrupts.
#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "memmap/interrupts.h"
#include "models/chip/stm32n6.h"
#include "models/soc/serial/i2c_register_device.h"
#include "tests/models/probe.h"

using namespace n6vp;
using n6vp::models::Picoseconds;
using n6vp::models::Stm32n6;
using n6vp::test::Probe;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kApb1 = kRcc + 0xA64, kApb2 = kRcc + 0xA6C,
                        kAhb1 = kRcc + 0xA50, kAhb4 = kRcc + 0xA5C;  ///< set aliases
constexpr std::uint32_t kTim2 = 0x50000000, kTim3 = 0x50000400, kTim6 = 0x50001000,
                        kTim1 = 0x52000000, kAdc1 = 0x50022000, kI2c1 = 0x50005400,
                        kUsart2 = 0x50004400, kGpioC = 0x56020800, kGpioD = 0x56020C00,
                        kGpioE = 0x56021000, kExti = 0x56025000, kLptim1 = 0x50002400;
constexpr Picoseconds kUs = 1'000'000;

struct Board : sc_core::sc_module {
    explicit Board(const sc_core::sc_module_name& name)
        : sc_module(name), chip("chip"), master("master") {
        master.port.bind(chip.host);
    }
    void write(std::uint32_t address, std::uint32_t value) {
        master.data.resize(sizeof value);
        std::memcpy(master.data.data(), &value, sizeof value);
        REQUIRE(master.write(address, sizeof value, now()).ok());
    }
    std::uint32_t read(std::uint32_t address) {
        REQUIRE(master.read(address, 4, now()).ok());
        std::uint32_t value = 0;
        std::memcpy(&value, master.data.data(), sizeof value);
        return value;
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    static void pass(Picoseconds time) { sc_core::sc_start(models::to_sc_time(time)); }
    /// The line of the NVIC pends.
    bool pending(unsigned line) {
        models::core::Core& core = chip.core().core();
        const std::uint32_t ispr = 0xE000E200 + line / 32 * 4;
        std::uint32_t word = 0;
        CHECK(core.system().read_ppb(core.state(), ispr, 4, core.cycles(), word));
        return (word >> line % 32 & 1) != 0;
    }
    models::IoPeripherals& io() { return chip.soc().io; }

    Stm32n6 chip;
    Probe master;
};

}  // namespace

TEST_CASE(
    "chip io: TIM6 interrupts at the system clock by TIMPRE, and stands still without clock") {
    Board board("board");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.write(kApb1, 1u << 4);
    board.write(kTim6 + 0x28, 399);  // 400 MHz / 400
    board.write(kTim6 + 0x2C, 99);
    board.write(kTim6 + 0x14, 1);
    board.write(kTim6 + 0x10, 0);
    board.write(kTim6 + 0x0C, 1);
    board.write(kTim6, 1);
    board.pass(99 * kUs);
    CHECK_FALSE(board.pending(120));
    board.pass(2 * kUs);
    CHECK(board.pending(120));
    // TIMPRE = 2: a quarter.
    board.write(kRcc + 0x24, 1u << 20 | 2u << 24);
    const std::uint32_t first = board.read(kTim6 + 0x24);
    board.pass(40 * kUs);
    const std::uint32_t passed = board.read(kTim6 + 0x24) - first;
    CHECK(passed >= 10);
    CHECK(passed <= 11);
    board.write(kRcc + 0x1264, 1u << 4);  // APB1ENCR1
    board.pass(1'000 * kUs);
    board.write(kApb1, 1u << 4);
    CHECK(board.read(kTim6 + 0x24) - first <= 12);
}

TEST_CASE("chip io: TIM1 has a line for updates and one for compare events") {
    Board board("board");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.write(kApb2, 1);
    board.write(kTim1 + 0x2C, 39'999);  // 100 us
    board.write(kTim1 + 0x34, 20'000);  // 50 us
    board.write(kTim1 + 0x0C, 3);
    board.write(kTim1, 1);
    board.pass(60 * kUs);
    CHECK(board.pending(115));
    CHECK_FALSE(board.pending(113));
    board.pass(60 * kUs);
    CHECK(board.pending(113));
}

TEST_CASE("chip io: updates of TIM2 start conversions of ADC1 by EXTSEL 7, those of TIM3 do not") {
    Board board("board");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.write(kApb1, 3);
    board.write(kAhb1, 1u << 5);
    for (const std::uint32_t timer : {kTim2, kTim3}) {
        board.write(timer + 0x2C, timer == kTim2 ? 39'999 : 3'999);  // 100 us, 10 us
        board.write(timer + 0x04, 2u << 4);                          // MMS: update
        board.write(timer, 1);
    }
    board.write(kAdc1 + 0x08, 0);
    board.write(kAdc1 + 0x08, 1);  // ADEN
    board.pass(20 * kUs);
    board.write(kAdc1 + 0x0C, 1u << 10 | 7u << 5);
    board.write(kAdc1 + 0x08, 5);  // ADSTART
    const auto conversions = [&] { return board.io().adc("ADC1")->statistics().conversions; };
    board.pass(70 * kUs);
    CHECK(conversions() == 0);
    board.pass(360 * kUs);
    CHECK(conversions() == 4);
    CHECK(board.read(kAdc1 + 0x08) == 5);
    CHECK(board.io().adc("ADC2")->statistics().conversions == 0);
}

TEST_CASE("chip io: a timer counts the updates of that timer whose number its trigger has") {
    Board board("board");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.write(kApb1, 3);
    board.write(kApb2, 1);
    struct {
        std::uint32_t timer, period;
    } const masters[] = {{kTim1, 3'999}, {kTim2, 7'999}, {kTim3, 15'999}};  // 10, 20, 40 us
    struct {
        std::uint32_t timer, trigger;  // ITR0 is TIM1, ITR1 TIM2, ITR2 TIM3
        std::uint32_t counts;          // in 400 us
    } const slaves[] = {{kTim2, 0, 40}, {kTim3, 1, 20}, {kTim2, 2, 10}, {kTim1, 1, 20}};
    for (const auto& slave : slaves) {
        CAPTURE(slave.timer);
        CAPTURE(slave.trigger);
        for (const auto& master : masters) {
            board.write(master.timer, 0);
            board.write(master.timer + 0x08, 0);
            board.write(master.timer + 0x2C, master.period);
            board.write(master.timer + 0x04, 2u << 4);  // MMS: update
            board.write(master.timer + 0x24, 0);
            if (master.timer != slave.timer) board.write(master.timer, 1);
        }
        board.write(slave.timer + 0x2C, 0xFFFF);
        board.write(slave.timer + 0x08, slave.trigger << 4 | 7);
        board.write(slave.timer, 1);
        board.pass(5 * kUs);
        const std::uint32_t before = board.read(slave.timer + 0x24);
        board.pass(400 * kUs);
        const std::uint32_t counted = board.read(slave.timer + 0x24) - before;
        CHECK(counted >= slave.counts - 1);
        CHECK(counted <= slave.counts + 1);
    }
}

TEST_CASE("chip io: a timer of 32 bits, a low-power timer on LSI") {
    Board board("board");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.write(kApb1, 1 | 1u << 9);
    CHECK(board.read(kTim2 + 0x2C) == 0xFFFFFFFF);
    board.write(kRcc + 0x800, 1);        // LSION
    board.write(kRcc + 0x170, 4u << 8);  // LPTIM1SEL
    board.write(kLptim1 + 0x10, 1);
    board.write(kLptim1 + 0x18, 31);  // 32 cycles of 32 kHz: 1 ms
    board.write(kLptim1 + 0x08, 2);
    board.write(kLptim1 + 0x10, 5);
    board.pass(900 * kUs);
    CHECK_FALSE(board.pending(136));
    board.pass(150 * kUs);
    CHECK(board.pending(136));
}

TEST_CASE("chip io: clocks of other units that come and go do not hold a timer up") {
    Board board("board");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.write(kApb1, 1 | 1u << 9);
    board.write(kRcc + 0x800, 1);        // LSION
    board.write(kRcc + 0x170, 4u << 8);  // LPTIM1SEL
    board.write(kLptim1 + 0x10, 1);
    board.write(kLptim1 + 0x18, 31);  // 32 cycles of 32 kHz: 1 ms
    board.write(kLptim1 + 0x08, 2);
    board.write(kLptim1 + 0x10, 5);
    constexpr std::uint32_t kApb1Clear = kRcc + 0x1264, kTim3Enable = 2;
    // A period of LSI is 31 us: clocks of TIM3 change three times within each.
    for (unsigned i = 0; i < 90; ++i) {
        board.write(i % 2 == 0 ? kApb1 : kApb1Clear, kTim3Enable);
        board.pass(10 * kUs);
        CHECK_FALSE(board.pending(136));
    }
    board.pass(150 * kUs);
    CHECK(board.pending(136));
}

TEST_CASE("chip io: a low-power timer counts edges at PE4 and drives PD13") {
    Board board("board");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.write(kApb1, 1u << 9);
    board.write(kAhb4, 1u << 3 | 1u << 4);
    board.write(kRcc + 0x800, 1);        // LSION
    board.write(kRcc + 0x170, 4u << 8);  // LPTIM1SEL
    board.write(kGpioE + 0x20, 1u << 16);
    board.write(kGpioE, ~(1u << 8));
    board.write(kGpioD + 0x24, 1u << 20);
    board.write(kGpioD, ~(1u << 26));
    board.write(kLptim1 + 0x0C, 1u << 23);  // COUNTMODE
    board.write(kLptim1 + 0x2C, 2);         // CC1E
    board.write(kLptim1 + 0x10, 1);
    board.write(kLptim1 + 0x18, 4);
    board.write(kLptim1 + 0x14, 1);
    board.write(kLptim1 + 0x08, 2);
    board.pass(200 * kUs);
    board.write(kLptim1 + 0x10, 5);
    models::Gpio& pins = *board.io().gpio("GPIOE");
    for (unsigned i = 1; i <= 4; ++i) {
        CHECK_FALSE(board.pending(136));
        pins.drive(4, true, board.now());
        pins.drive(4, false, board.now());
        board.pass(100 * kUs);
        CHECK(board.read(kLptim1 + 0x1C) == i);
        CHECK((board.read(kGpioD + 0x10) == 1u << 13) == (i > 1));
    }
    CHECK(board.pending(136));
    const auto outputs = board.io().timer_outputs(board.now());
    REQUIRE(outputs.size() == 1);
    CHECK(outputs[0].signal == "LPTIM1_CH1");
    CHECK(outputs[0].pin == "PD13");
    CHECK(outputs[0].wave.high_share == 1);
}

TEST_CASE("chip io: I2C1 reads a device of the board, with its event interrupt") {
    Board board("board");
    auto device =
        std::make_unique<models::I2cRegisterDevice>(models::I2cRegisterDevice::Layout{0x3C, 1, 1});
    device->set(0, 0xA5);
    board.io().i2c("I2C1")->attach(std::move(device));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.write(kApb1, 1u << 21);
    board.write(kI2c1 + 0x10, 0x90003131);  // 10.05 us at 100 MHz
    board.write(kI2c1, 1 | 1u << 5);        // STOPIE
    board.write(kI2c1 + 0x04, 0x78 | 1u << 16 | 1u << 10 | 1u << 13 | 1u << 25);
    board.pass(180 * kUs);
    CHECK_FALSE(board.pending(100));
    CHECK((board.read(kI2c1 + 0x18) & 4) == 4);
    board.pass(20 * kUs);
    CHECK(board.pending(100));
    CHECK(board.read(kI2c1 + 0x24) == 0xA5);
    CHECK_FALSE(board.pending(101));
}

TEST_CASE("chip io: an edge of a pin reaches the core through EXTI") {
    Board board("board");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.write(kAhb4, 1u << 2);
    board.write(kGpioC, ~(3u << 26));     // PC13: input
    board.write(kExti + 0x6C, 2u << 8);   // line 13: port C
    board.write(kExti + 0x04, 1u << 13);  // falling
    board.write(kExti + 0x80, 1u << 13);
    models::Gpio& port = *board.io().gpio("GPIOC");
    port.drive(13, true, board.now());
    CHECK(board.read(kGpioC + 0x10) == 1u << 13);
    CHECK_FALSE(board.pending(33));
    port.drive(13, false, board.now());
    CHECK(board.pending(33));
    CHECK(board.read(kExti + 0x10) == 1u << 13);
    // The pin of another port is another line's.
    board.io().gpio("GPIOD")->drive(13, true, board.now());
    board.write(kExti + 0x10, 1u << 13);
    CHECK(board.read(kExti + 0x10) == 0);
}

TEST_CASE("chip io: serial ports have lines, kernel clocks and DMA requests of their own") {
    Board board("board");
    std::vector<unsigned> requests;
    board.io().connect_requests([&requests](unsigned number) {
        return [&requests, number](bool level, Picoseconds) {
            if (level) requests.push_back(number);
        };
    });
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.write(kApb1, 1u << 17);
    models::Uart& port = *board.io().uart("USART2");
    std::string sent;
    port.on_character = [&](std::uint8_t character, Picoseconds) {
        sent += static_cast<char>(character);
    };
    board.write(kUsart2 + 0x0C, 100);
    board.write(kUsart2 + 0x08, 1u << 7);
    board.write(kUsart2, 1 | 1u << 3 | 1u << 6);  // UE, TE, TCIE
    CHECK(port.frame_ps() == 10 * kUs);           // 10 bits at 1 MBd
    CHECK(requests == std::vector<unsigned>{110});
    board.write(kUsart2 + 0x1C + 0x04, 1u << 6);  // TC was set
    board.write(kUsart2 + 0x28, 'x');
    board.pass(11 * kUs);
    CHECK(sent == "x");
    CHECK(board.pending(160));
    // HSI as kernel clock: 64 MHz.
    board.write(kRcc + 0x174, 6u << 4);
    CHECK(port.frame_ps() == 15'625'000);
    for (const char* const name : {"USART1", "USART3", "UART4", "UART5", "USART6", "UART7", "UART8",
                                   "UART9", "USART10", "LPUART1"}) {
        CAPTURE(name);
        CHECK(board.io().uart(name) != nullptr);
    }
    CHECK(board.io().uart("USART4") == nullptr);
}

TEST_CASE("chip io: RCC interrupts once HSE is ready") {
    Board board("board");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    board.write(kRcc + 0x124, 1u << 4);
    board.write(kRcc + 0x800, 1u << 4);
    board.pass(990 * kUs);
    CHECK_FALSE(board.pending(3));
    board.pass(20 * kUs);
    CHECK(board.pending(3));
    CHECK_FALSE(board.pending(14));
    CHECK(board.read(kRcc + 0x128) == 1u << 4);
}
