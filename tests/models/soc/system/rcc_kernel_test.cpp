// SPDX-License-Identifier: Apache-2.0
// The kernel clock of every peripheral by every code of its selection. Fields: CMSIS device header.
// Codes: LL driver. Frequencies are chosen so that no two sources are alike.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/soc/system/rcc.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::memmap::ClockDomain;
using n6vp::test::kWord;

namespace {

constexpr std::uint32_t kCr = 0x000, kCfgr2 = 0x024, kCcipr1 = 0x144, kCcipr3 = 0x14C,
                        kCcipr4 = 0x150, kCcipr5 = 0x154, kCcipr7 = 0x15C, kCcipr8 = 0x160,
                        kCcipr9 = 0x164, kCcipr12 = 0x170, kCcipr13 = 0x174, kCcipr14 = 0x178;

/// Bus clock 100 MHz, system bus 400 MHz; PPRE1 2, PPRE2 4, PPRE4 8, PPRE5 16, TIMPRE 2.
constexpr double kHclk = 100, kPclk1 = 50, kPclk2 = 25, kPclk4 = 12.5, kPclk5 = 6.25, kTimers = 200;
constexpr double kLse = 0.032768, kLsi = 0.032, kMsi = 4, kHsi = 64, kHse = 48;

/// PLL 1 has 64 MHz / 4 * 75 = 1200 MHz; divider n divides by n + 20.
double ic(unsigned number) {
    return 1200.0 / (number + 20);
}

struct Bench {
    ClockTree clocks;
    Rcc rcc{{}, clocks};

    Bench() {
        clocks.set(ClockDomain::Ahb, kHclk * 1e6);
        clocks.set(ClockDomain::Noc, 400e6);
        write(0x1000, 1u << 8);            // CCR: PLL 1 off
        write(0x80, 4u << 20 | 75u << 8);  // from HSI
        write(0x84, 0);
        write(0x88, 1u << 30 | 1u << 27 | 1u << 24);
        write(0x800, 1u << 8);  // CSR: PLL 1 on
        for (unsigned i = 1; i <= 20; ++i) write(0xC4 + 4 * (i - 1), (i + 19) << 16);
        write(0xA40, 0xFFFFF);  // DIVENSR
        write(kCfgr2, 1u << 0 | 2u << 4 | 3u << 12 | 4u << 16 | 1u << 24);
        write(0x800, 0x1F);  // every oscillator
    }
    void write(std::uint32_t offset, std::uint32_t value) {
        (void)rcc.write(offset, value, kWord, 0);
    }
    double mhz(const std::string& unit) { return rcc.kernel_hz(unit) / 1e6; }
};

struct Row {
    const char* unit;
    std::uint32_t offset;
    unsigned position;
    std::vector<double> mhz;  ///< by code
};

/// Per_ck is HSI here; 0 is a pin that nothing drives, or no clock.
std::vector<Row> rows() {
    const auto i2c = [](double bus) {
        return std::vector<double>{bus, kHsi, ic(10), ic(15), kMsi, kHsi, 0, 0};
    };
    const auto serial = [](double bus) {
        return std::vector<double>{bus, kHsi, ic(9), ic(14), kLse, kMsi, kHsi, 0};
    };
    const auto spi = [](double bus) {
        return std::vector<double>{bus, kHsi, ic(8), ic(9), kMsi, kHsi, 0, 0};
    };
    const auto limited_spi = [](double bus) {
        return std::vector<double>{bus, kHsi, ic(9), ic(14), kMsi, kHsi, kHse, 0};
    };
    const auto low_power = [](double bus) {
        return std::vector<double>{bus, kHsi, ic(15), kLse, kLsi, kTimers, 0, 0};
    };
    const auto sound = [](double bus, double last) {
        return std::vector<double>{bus, kHsi, ic(7), ic(8), kMsi, kHsi, 0, last};
    };
    const std::vector<double> card{kHclk, kHsi, ic(4), ic(5)};
    return {{"ADF1", kCcipr1, 0, sound(kHclk, kTimers)},
            {"ADC1", kCcipr1, 4, sound(kHclk, kTimers)},
            {"ADC2", kCcipr1, 4, sound(kHclk, kTimers)},
            {"FDCAN1", kCcipr3, 0, {kPclk1, kHsi, ic(19), kHse}},
            {"I2C1", kCcipr4, 0, i2c(kPclk1)},
            {"I2C2", kCcipr4, 4, i2c(kPclk1)},
            {"I2C3", kCcipr4, 8, i2c(kPclk1)},
            {"I2C4", kCcipr4, 12, i2c(kPclk4)},
            {"LTDC", kCcipr4, 24, {kPclk5, kHsi, ic(16), kHsi}},
            {"MDF1", kCcipr5, 16, sound(kHclk, kTimers)},
            {"RTC", kCcipr7, 8, {0, kLse, kLsi, kHse}},
            {"SAI1", kCcipr7, 20, sound(kPclk2, 0)},
            {"SAI2", kCcipr7, 24, sound(kPclk2, 0)},
            {"SDMMC1", kCcipr8, 0, card},
            {"SDMMC2", kCcipr8, 4, card},
            {"SPI1", kCcipr9, 4, spi(kPclk2)},
            {"SPI2", kCcipr9, 8, spi(kPclk1)},
            {"SPI3", kCcipr9, 12, spi(kPclk1)},
            {"SPI4", kCcipr9, 16, limited_spi(kPclk2)},
            {"SPI5", kCcipr9, 20, limited_spi(kPclk2)},
            {"SPI6", kCcipr9, 24, spi(kPclk4)},
            {"LPTIM1", kCcipr12, 8, low_power(kPclk1)},
            {"LPTIM2", kCcipr12, 12, low_power(kPclk4)},
            {"LPTIM3", kCcipr12, 16, low_power(kPclk4)},
            {"LPTIM4", kCcipr12, 20, low_power(kPclk4)},
            {"LPTIM5", kCcipr12, 24, low_power(kPclk4)},
            {"USART1", kCcipr13, 0, serial(kPclk2)},
            {"USART2", kCcipr13, 4, serial(kPclk1)},
            {"USART3", kCcipr13, 8, serial(kPclk1)},
            {"UART4", kCcipr13, 12, serial(kPclk1)},
            {"UART5", kCcipr13, 16, serial(kPclk1)},
            {"USART6", kCcipr13, 20, serial(kPclk2)},
            {"UART7", kCcipr13, 24, serial(kPclk1)},
            {"UART8", kCcipr13, 28, serial(kPclk1)},
            {"UART9", kCcipr14, 0, serial(kPclk2)},
            {"USART10", kCcipr14, 4, serial(kPclk2)},
            {"LPUART1", kCcipr14, 8, serial(kPclk4)}};
}

}  // namespace

TEST_CASE("rcc: every selection of a kernel clock gives its source, and nobody else's") {
    Bench bench;
    const std::vector<Row> all = rows();
    for (const Row& row : all) {
        for (std::uint32_t code = 0; code < row.mhz.size(); ++code) {
            CAPTURE(row.unit);
            CAPTURE(code);
            bench.write(row.offset, code << row.position);
            CHECK(bench.mhz(row.unit) == doctest::Approx(row.mhz[code]).epsilon(1e-9));
            // Units whose field is another one stay with code 0.
            for (const Row& other : all) {
                if (other.offset == row.offset && other.position == row.position) continue;
                CAPTURE(other.unit);
                CHECK(bench.mhz(other.unit) == doctest::Approx(other.mhz[0]).epsilon(1e-9));
            }
        }
        bench.write(row.offset, 0);
    }
}

TEST_CASE("rcc: PERSEL gives HSI, MSI, HSE, IC19, IC5, IC10, IC15, IC20") {
    Bench bench;
    bench.write(kCcipr13, 1);
    const std::vector<double> sources{kHsi, kMsi, kHse, ic(19), ic(5), ic(10), ic(15), ic(20)};
    for (std::uint32_t code = 0; code < 8; ++code) {
        CAPTURE(code);
        bench.write(kCcipr7, code);
        CHECK(bench.mhz("USART1") == doctest::Approx(sources[code]).epsilon(1e-9));
    }
}

TEST_CASE("rcc: every code of the bus and timer prescalers") {
    Bench bench;
    struct Bus {
        const char* unit;
        unsigned position;
    };
    for (const Bus& bus :
         {Bus{"USART2", 0}, Bus{"USART1", 4}, Bus{"LPUART1", 12}, Bus{"LTDC", 16}}) {
        CAPTURE(bus.unit);
        for (std::uint32_t code = 0; code < 8; ++code) {
            CAPTURE(code);
            bench.write(kCfgr2, code << bus.position);
            CHECK(bench.mhz(bus.unit) == doctest::Approx(kHclk / (1u << code)));
        }
    }
    for (const char* const unit : {"TIM1", "TIM2", "TIM18"}) {
        CAPTURE(unit);
        for (std::uint32_t code = 0; code < 4; ++code) {
            CAPTURE(code);
            bench.write(kCfgr2, code << 24);
            CHECK(bench.mhz(unit) == doctest::Approx(400.0 / (1u << code)));
        }
    }
}

TEST_CASE("rcc: ADCPRE divides for both converters, RTCPRE only HSE") {
    Bench bench;
    for (const std::uint32_t by : {1u, 2u, 129u, 256u}) {
        CAPTURE(by);
        bench.write(kCcipr1, (by - 1) << 8 | 1u << 4);
        CHECK(bench.mhz("ADC1") == doctest::Approx(kHsi / by));
        CHECK(bench.mhz("ADC2") == doctest::Approx(kHsi / by));
        CHECK(bench.mhz("ADF1") == doctest::Approx(kHclk));
    }
    for (const std::uint32_t by : {1u, 2u, 33u, 64u}) {
        CAPTURE(by);
        for (std::uint32_t code = 0; code < 4; ++code) {
            CAPTURE(code);
            const double source = code == 0 ? 0 : code == 1 ? kLse : code == 2 ? kLsi : kHse;
            bench.write(kCcipr7, (by - 1) << 12 | code << 8);
            CHECK(bench.mhz("RTC") == doctest::Approx(code == 3 ? source / by : source));
            CHECK(bench.mhz("SAI1") == doctest::Approx(kPclk2));
        }
    }
}

TEST_CASE("rcc: a source that is off gives no kernel clock") {
    Bench bench;
    struct Source {
        std::uint32_t bit;  ///< in CR
        std::uint32_t offset, select;
        const char* unit;
        double mhz;
    };
    const Source sources[] = {{0, kCcipr12, 4u << 8, "LPTIM1", kLsi},
                              {1, kCcipr12, 3u << 8, "LPTIM1", kLse},
                              {2, kCcipr13, 5, "USART1", kMsi},
                              {3, kCcipr13, 6, "USART1", kHsi},
                              {4, kCcipr9, 6u << 16, "SPI4", kHse}};
    for (const Source& source : sources) {
        CAPTURE(source.unit);
        bench.write(source.offset, source.select);
        CHECK(bench.mhz(source.unit) == doctest::Approx(source.mhz));
        bench.write(kCr, 0x11F & ~(1u << source.bit));
        CHECK(bench.mhz(source.unit) == 0);
        bench.write(kCr, 0x11F);
    }
    bench.write(0xC4, 0);
    bench.write(kCcipr13, 2);
    CHECK(bench.mhz("USART1") == doctest::Approx(ic(9)));
    bench.write(0x1240, 1u << 8);  // DIVENCR
    CHECK(bench.mhz("USART1") == 0);
    CHECK(bench.mhz("DTS") == 0);
    CHECK(bench.mhz("") == 0);
}
