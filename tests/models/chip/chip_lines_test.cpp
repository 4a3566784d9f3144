// SPDX-License-Identifier: Apache-2.0
// The wires of the chip: each output of a peripheral sets its own interrupt line of the core, and
// its own request line of the DMA controllers. Numbers: IRQn_Type of the CMSIS device header, and
// the requests of the HAL.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "models/chip/stm32n6.h"
#include "models/soc/audio/mdf.h"
#include "models/soc/audio/sai.h"
#include "models/soc/system/exti.h"
#include "models/soc/timers/low_power_timer.h"
#include "models/soc/timers/timer.h"
#include "tests/models/probe.h"

using namespace n6vp;
using namespace n6vp::models;

namespace {

using Lines = std::vector<unsigned>;

struct WiredChip : sc_core::sc_module {
    Stm32n6 chip;
    test::Probe master;
    std::map<std::string, RegisterBlock*> blocks;  ///< of the serial ports, timers, ...
    Lines high;                                    ///< interrupt lines

    explicit WiredChip(const sc_core::sc_module_name& name)
        : sc_module(name), chip("chip"), master("master") {
        master.port.bind(chip.host);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        soc().io.for_each(
            [this](RegisterBlock& block, const char* unit) { blocks[unit] = &block; });
        soc().connect_interrupts([this](unsigned line) {
            return [this, line](bool level) {
                if (level) {
                    high.push_back(line);
                } else {
                    std::erase(high, line);
                }
            };
        });
    }
    Peripherals& soc() { return chip.soc(); }
    template <class Unit>
    Unit& unit(const char* name) {
        auto* const found = dynamic_cast<Unit*>(blocks.at(name));
        REQUIRE(found != nullptr);
        return *found;
    }
    /// The lines that an output sets, and takes back.
    template <class Output, class... Which>
    Lines interrupts(const Output& output, Which... which) {
        output(which..., true);
        Lines lines = high;
        output(which..., false);
        CHECK(high.empty());
        return lines;
    }
    [[nodiscard]] Lines requested() {
        Lines lines;
        for (unsigned line = 0; line < dma::Requests::kLines; ++line) {
            if (soc().dma_requests.high_since(line) != kNever) lines.push_back(line);
        }
        return lines;
    }
    template <class Output, class... Which>
    Lines requests(const Output& output, Which... which) {
        output(which..., true, 5);
        Lines lines = requested();
        output(which..., false, 6);
        CHECK(requested().empty());
        return lines;
    }
};

}  // namespace

TEST_CASE("chip lines: each output of a unit sets its own interrupt line") {
    WiredChip wired("wired");
    Peripherals& soc = wired.soc();
    CHECK(wired.interrupts(soc.iac.on_interrupt) == Lines{13});
    CHECK(wired.interrupts(soc.rcc.on_interrupt, false) == Lines{3});
    CHECK(wired.interrupts(soc.rcc.on_interrupt, true) == Lines{14});
    CHECK(wired.interrupts(soc.rtc.on_interrupt, true) == Lines{10});
    CHECK(wired.interrupts(soc.rtc.on_interrupt, false) == Lines{16});
    CHECK(wired.interrupts(soc.iwdg.on_interrupt) == Lines{18});
    CHECK(wired.interrupts(soc.wwdg.on_interrupt) == Lines{19});
    CHECK(wired.interrupts(soc.saes.on_interrupt) == Lines{36});
    CHECK(wired.interrupts(soc.cryp.on_interrupt) == Lines{37});
    CHECK(wired.interrupts(soc.pka.on_interrupt) == Lines{38});
    CHECK(wired.interrupts(soc.hash.on_interrupt) == Lines{39});
    CHECK(wired.interrupts(soc.rng.on_interrupt) == Lines{40});
    CHECK(wired.interrupts(soc.csi.on_interrupt) == Lines{47});
    CHECK(wired.interrupts(soc.dcmipp.on_interrupt) == Lines{48});
    CHECK(wired.interrupts(soc.ltdc.on_interrupt) == Lines{58, 193});
    CHECK(wired.interrupts(soc.ltdc.on_error_interrupt) == Lines{59, 194});
    CHECK(wired.interrupts(soc.dma2d.on_interrupt) == Lines{60});
    for (unsigned i = 0; i < 3; ++i)
        CHECK(wired.interrupts(soc.xspi(i + 1).on_interrupt) == Lines{170 + i});
    for (unsigned i = 0; i < 16; ++i) {
        CAPTURE(i);
        CHECK(wired.interrupts(soc.hpdma1.on_interrupt, i) == Lines{68 + i});
        CHECK(wired.interrupts(soc.gpdma1.on_interrupt, i) == Lines{84 + i});
        CHECK(wired.interrupts(wired.unit<Exti>("EXTI").on_interrupt, i) == Lines{20 + i});
    }
    for (unsigned i = 0; i < 6; ++i)
        CHECK(wired.interrupts(wired.unit<Mdf>("MDF1").on_interrupt, i) == Lines{142 + i});
    CHECK(wired.interrupts(wired.unit<Mdf>("ADF1").on_interrupt, 0u) == Lines{141});
    for (unsigned i = 0; i < 2; ++i) {
        CHECK(wired.interrupts(wired.unit<Sai>("SAI1").on_interrupt, i) == Lines{148 + i});
        CHECK(wired.interrupts(wired.unit<Sai>("SAI2").on_interrupt, i) == Lines{150 + i});
    }
}

TEST_CASE("chip lines: serial ports, timers and converters have their own interrupt lines") {
    WiredChip wired("wired");
    IoPeripherals& io = wired.soc().io;
    const std::map<std::string, unsigned> uarts = {
        {"USART1", 159}, {"USART2", 160},  {"USART3", 161}, {"UART4", 162},
        {"UART5", 163},  {"USART6", 164},  {"UART7", 165},  {"UART8", 166},
        {"UART9", 167},  {"USART10", 168}, {"LPUART1", 169}};
    CHECK(io.uarts().size() == uarts.size());
    for (const auto& each : uarts) {
        const auto& [name, line] = each;
        CAPTURE(each.first);
        CHECK(wired.interrupts(io.uart(name)->on_interrupt) == Lines{line});
    }
    for (unsigned i = 0; i < 4; ++i) {
        const I2c& unit = *io.i2c("I2C" + std::to_string(i + 1));
        CHECK(wired.interrupts(unit.on_event_interrupt) == Lines{100 + 2 * i});
        CHECK(wired.interrupts(unit.on_error_interrupt) == Lines{101 + 2 * i});
    }
    for (unsigned i = 0; i < 6; ++i)
        CHECK(wired.interrupts(io.spi("SPI" + std::to_string(i + 1))->on_interrupt) ==
              Lines{153 + i});
    for (unsigned i = 0; i < 2; ++i)
        CHECK(wired.interrupts(io.sdmmc("SDMMC" + std::to_string(i + 1))->on_interrupt) ==
              Lines{174 + i});
    for (unsigned i = 0; i < 5; ++i) {
        const std::string name = "LPTIM" + std::to_string(i + 1);
        CHECK(wired.interrupts(wired.unit<LowPowerTimer>(name.c_str()).on_interrupt) ==
              Lines{136 + i});
    }
    const std::map<std::string, unsigned> timers = {
        {"TIM1", 113},  {"TIM2", 116},  {"TIM3", 117},  {"TIM4", 118},  {"TIM5", 119},
        {"TIM6", 120},  {"TIM7", 121},  {"TIM8", 123},  {"TIM9", 126},  {"TIM10", 127},
        {"TIM11", 128}, {"TIM12", 129}, {"TIM13", 130}, {"TIM14", 131}, {"TIM15", 132},
        {"TIM16", 133}, {"TIM17", 134}, {"TIM18", 135}};
    for (const auto& each : timers) {
        const auto& [name, line] = each;
        CAPTURE(each.first);
        const Timer& timer = wired.unit<Timer>(name.c_str());
        CHECK(wired.interrupts(timer.on_interrupt) == Lines{line});
        // Of the advanced ones, TIMx_TRG_COM and TIMx_CC follow TIMx_UP.
        const bool apart = name == "TIM1" || name == "TIM8";
        REQUIRE(static_cast<bool>(timer.on_compare_interrupt) == apart);
        if (apart) CHECK(wired.interrupts(timer.on_compare_interrupt) == Lines{line + 2});
        REQUIRE(static_cast<bool>(timer.on_trigger_interrupt) == apart);
        if (apart) CHECK(wired.interrupts(timer.on_trigger_interrupt) == Lines{line + 1});
    }
    // Both ADCs share a line, which is high while either is.
    const Adc &first = *io.adc("ADC1"), &second = *io.adc("ADC2");
    CHECK(wired.interrupts(first.on_interrupt) == Lines{46});
    CHECK(wired.interrupts(second.on_interrupt) == Lines{46});
    first.on_interrupt(true);
    second.on_interrupt(true);
    second.on_interrupt(false);
    CHECK_FALSE(wired.high.empty());
    first.on_interrupt(false);
    CHECK(wired.high.empty());
}

TEST_CASE("chip lines: each output of a unit sets its own request of the DMA controllers") {
    WiredChip wired("wired");
    Peripherals& soc = wired.soc();
    CHECK(wired.requests(soc.hash.on_request) == Lines{13});
    CHECK(wired.requests(soc.cryp.on_input_request) == Lines{9});
    CHECK(wired.requests(soc.cryp.on_output_request) == Lines{10});
    CHECK(wired.requests(soc.saes.on_output_request) == Lines{11});
    CHECK(wired.requests(soc.saes.on_input_request) == Lines{12});
    CHECK(wired.requests(soc.io.adc("ADC1")->on_request) == Lines{7});
    CHECK(wired.requests(soc.io.adc("ADC2")->on_request) == Lines{8});
    const auto both = [&](const auto& unit, unsigned receive) {
        CAPTURE(receive);
        CHECK(wired.requests(unit.on_receive_request) == Lines{receive});
        CHECK(wired.requests(unit.on_transmit_request) == Lines{receive + 1});
    };
    for (unsigned i = 0; i < 6; ++i) both(*soc.io.spi("SPI" + std::to_string(i + 1)), 79 + 2 * i);
    for (unsigned i = 0; i < 4; ++i) both(*soc.io.i2c("I2C" + std::to_string(i + 1)), 95 + 2 * i);
    const char* const uarts[] = {"USART1", "USART2", "USART3", "UART4",   "UART5",  "USART6",
                                 "UART7",  "UART8",  "UART9",  "USART10", "LPUART1"};
    unsigned receive = 107;
    for (const char* const name : uarts) {
        both(*soc.io.uart(name), receive);
        receive += 2;
    }
    struct Row {
        const char* timer;
        unsigned channels, update, first;
    };
    const Row rows[] = {{"TIM1", 4, 18, 14},  {"TIM2", 4, 25, 21},  {"TIM3", 4, 31, 27},
                        {"TIM4", 4, 37, 33},  {"TIM5", 4, 43, 39},  {"TIM6", 0, 45, 0},
                        {"TIM7", 0, 46, 0},   {"TIM8", 4, 51, 47},  {"TIM15", 1, 58, 56},
                        {"TIM16", 1, 62, 61}, {"TIM17", 1, 65, 64}, {"TIM18", 0, 68, 0}};
    for (const Row& row : rows) {
        CAPTURE(row.timer);
        const Timer& timer = wired.unit<Timer>(row.timer);
        CHECK(wired.requests(timer.on_request, 0u) == Lines{row.update});
        for (unsigned channel = 1; channel <= row.channels; ++channel)
            CHECK(wired.requests(timer.on_request, channel) == Lines{row.first + channel - 1});
    }
    CHECK_FALSE(static_cast<bool>(wired.unit<Timer>("TIM12").on_request));
    for (unsigned i = 0; i < 2; ++i) {
        CHECK(wired.requests(wired.unit<Sai>("SAI1").on_request, i) == Lines{91 + i});
        CHECK(wired.requests(wired.unit<Sai>("SAI2").on_request, i) == Lines{93 + i});
    }
    CHECK(wired.requests(wired.unit<Mdf>("ADF1").on_request, 0u) == Lines{131});
    for (unsigned i = 0; i < 6; ++i)
        CHECK(wired.requests(wired.unit<Mdf>("MDF1").on_request, i) == Lines{132 + i});
}

TEST_CASE("chip lines: a timer's request falls when a DMA controller has taken it") {
    WiredChip wired("wired");
    Peripherals& soc = wired.soc();
    Timer& timer = wired.unit<Timer>("TIM3");
    (void)timer.write(0x0C, 1u << 8, 0xFFFFFFFF, 0);  // DIER: UDE
    (void)timer.write(0x14, 1, 0xFFFFFFFF, 0);        // EGR: UG
    CHECK(wired.requested() == Lines{31});
    soc.dma_requests.on_take(30, 1);
    CHECK(wired.requested() == Lines{31});
    soc.dma_requests.on_take(31, 1);
    CHECK(wired.requested().empty());
}
