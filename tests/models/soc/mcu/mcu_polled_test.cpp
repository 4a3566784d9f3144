// SPDX-License-Identifier: Apache-2.0
// Peripherals without model: what the start-up code of programs waits for. Offsets and bits are
// those of the CMSIS device headers.
#include <doctest/doctest.h>

#include "memmap/chips/chips.h"
#include "models/soc/mcu/set_up_block.h"
#include "models/soc/mcu/set_up_tables.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::memmap::find_chip;
using n6vp::test::kMicrosecond;
using n6vp::test::kWord;

namespace {

constexpr const char* kChips[] = {"stm32l475", "stm32l4r5", "stm32u575", "stm32u585",
                                  "stm32f746", "stm32h743", "stm32h7a3"};

struct Unit {
    Unit(const char* chip, const char* peripheral)
        : block(*mcu::set_up_table(*find_chip(chip), peripheral), peripheral) {}
    void set(std::uint32_t offset, std::uint32_t value) {
        static_cast<void>(block.write(offset, value, kWord, now));
    }
    std::uint32_t get(std::uint32_t offset) { return block.read(offset, now).value; }
    bool bit(std::uint32_t offset, unsigned position) { return (get(offset) >> position & 1) != 0; }
    /// Returns true if the bit has the value after at most 10 ms.
    bool comes(std::uint32_t offset, unsigned position, bool value = true) {
        const Picoseconds end = now + 10'000 * kMicrosecond;
        while (bit(offset, position) != value && now < end) now += kMicrosecond;
        return bit(offset, position) == value;
    }

    mcu::SetUpBlock block;
    Picoseconds now = 0;
};

bool has(const char* chip, const char* peripheral) {
    return n6vp::memmap::peripheral_of(*find_chip(chip), peripheral) != nullptr;
}

}  // namespace

TEST_CASE("mcu polled: setting the calendar does not wait for ever") {
    for (const char* chip : kChips) {
        CAPTURE(chip);
        Unit rtc(chip, "RTC");
        CHECK(rtc.bit(0xC, 5));  // RSF
        CHECK_FALSE(rtc.bit(0xC, 6));
        rtc.set(0xC, 1u << 7);  // INIT: INITF
        CHECK(rtc.comes(0xC, 6));
        rtc.set(0x4, 0x240101);
        rtc.set(0xC, 0);
        CHECK(rtc.comes(0xC, 6, false));
        CHECK(rtc.comes(0xC, 5));
        CHECK(rtc.bit(0xC, 2));  // WUTWF: the wake-up timer is off
        CHECK((rtc.get(0x10) & 0x7F7FFF) == 0x7F00FF);
    }
}

TEST_CASE("mcu polled: the alarms of the old RTC can be changed only while they are off") {
    for (const char* chip : {"stm32l475", "stm32l4r5", "stm32f746", "stm32h743"}) {
        CAPTURE(chip);
        Unit rtc(chip, "RTC");
        CHECK(rtc.bit(0xC, 0));  // ALRAWF
        rtc.set(0x8, 1u << 8);   // ALRAE
        CHECK(rtc.comes(0xC, 0, false));
        rtc.set(0x8, 0);
        CHECK(rtc.comes(0xC, 0));
    }
}

TEST_CASE("mcu polled: the USB core is idle and comes out of its reset") {
    for (const char* chip : kChips) {
        for (const char* name : {"USB_OTG_FS", "USB_OTG_HS", "USB1_OTG_HS", "USB2_OTG_FS"}) {
            if (!has(chip, name)) continue;
            CAPTURE(chip);
            CAPTURE(name);
            Unit usb(chip, name);
            CHECK(usb.bit(0x10, 31));  // AHBIDL
            usb.set(0x10, usb.get(0x10) | 1);
            CHECK_FALSE(usb.bit(0x10, 0));  // CSRST
            usb.set(0x10, 1u << 5 | 0x10u << 6);
            CHECK_FALSE(usb.bit(0x10, 5));  // TXFFLSH
            usb.set(0xC, 1u << 29);         // FHMOD: CMOD
            CHECK(usb.comes(0x14, 0));
            usb.set(0xC, 1u << 30);  // FDMOD
            CHECK(usb.comes(0x14, 0, false));
        }
    }
}

TEST_CASE("mcu polled: a command to serial flash that is not there ends") {
    for (const char* chip : {"stm32l475", "stm32f746", "stm32h743"}) {
        CAPTURE(chip);
        Unit flash(chip, "QUADSPI");
        CHECK_FALSE(flash.bit(0x8, 1));
        flash.set(0x14, 0x166);  // CCR: an instruction alone
        CHECK(flash.comes(0x8, 1));
        CHECK_FALSE(flash.bit(0x8, 5));  // BUSY
        flash.set(0xC, 2);
        CHECK_FALSE(flash.bit(0x8, 1));
        flash.set(0x0, 3);  // ABORT
        CHECK_FALSE(flash.bit(0x0, 1));
    }
    for (const char* chip : {"stm32l4r5", "stm32u575", "stm32u585", "stm32h7a3"}) {
        CAPTURE(chip);
        Unit flash(chip, "OCTOSPI1");
        flash.set(0x110, 0x66);
        CHECK(flash.comes(0x20, 1));
        CHECK_FALSE(flash.bit(0x20, 5));
        flash.set(0x24, 2);
        CHECK_FALSE(flash.bit(0x20, 1));
    }
}

TEST_CASE("mcu polled: an ADC calibrates, gets ready and converts") {
    for (const char* chip : {"stm32l475", "stm32l4r5", "stm32u575", "stm32h743", "stm32h7a3"}) {
        CAPTURE(chip);
        Unit adc(chip, "ADC1");
        CHECK(adc.bit(0x8, 29));  // DEEPPWD out of reset
        adc.set(0x8, 1u << 28);
        adc.set(0x8, 1u << 28 | 1u << 31);
        CHECK(adc.comes(0x8, 31, false));
        adc.set(0x8, 1u << 28 | 1);
        CHECK(adc.comes(0x0, 0));
        adc.set(0x8, 1u << 28 | 1 | 1u << 2);
        CHECK(adc.comes(0x0, 2));
        CHECK(adc.get(0x40) == 0);
        CHECK_FALSE(adc.bit(0x0, 2));
        adc.set(0x8, 1u << 28 | 1 | 1u << 1);  // ADDIS
        CHECK_FALSE(adc.bit(0x8, 0));
        CHECK_FALSE(adc.bit(0x8, 1));
    }
    Unit adc("stm32f746", "ADC1");
    adc.set(0x8, 1);
    adc.set(0x8, 1 | 1u << 30);
    CHECK(adc.comes(0x0, 1));
    CHECK(adc.get(0x4C) == 0);
    CHECK_FALSE(adc.bit(0x0, 1));
}

TEST_CASE("mcu polled: a frame of SPI is over, and something has come back") {
    for (const char* chip : {"stm32l475", "stm32l4r5", "stm32f746"}) {
        CAPTURE(chip);
        Unit spi(chip, "SPI1");
        CHECK(spi.get(0x8) == 2);  // TXE
        spi.set(0xC, 0x9F);
        CHECK(spi.comes(0x8, 0));
        CHECK_FALSE(spi.bit(0x8, 7));
        static_cast<void>(spi.get(0xC));
        CHECK(spi.get(0x8) == 2);
    }
    Unit spi("stm32h743", "SPI1");
    CHECK(spi.bit(0x14, 1));  // TXP
}

TEST_CASE("mcu polled: nobody answers on I2C, and START ends") {
    for (const char* chip : kChips) {
        CAPTURE(chip);
        Unit i2c(chip, "I2C1");
        i2c.set(0x0, 1);
        i2c.set(0x4, 1u << 13 | 1u << 25);
        CHECK(i2c.comes(0x18, 4));  // NACKF
        CHECK(i2c.comes(0x18, 15, false));
    }
}

TEST_CASE("mcu polled: a card that is not there lets commands time out") {
    struct Row {
        const char* chip;
        unsigned enable, response;
    };
    for (const Row row : {Row{"stm32l475", 10, 6}, Row{"stm32f746", 10, 6}, Row{"stm32l4r5", 12, 8},
                          Row{"stm32u575", 12, 8}, Row{"stm32h743", 12, 8}}) {
        CAPTURE(row.chip);
        Unit card(row.chip, "SDMMC1");
        card.set(0xC, 1u << row.enable);
        CHECK(card.comes(0x34, 7));  // CMDSENT
        CHECK_FALSE(card.bit(0x34, 2));
        card.set(0x38, kWord);
        card.set(0xC, 8u | 1u << row.enable | 1u << row.response);
        CHECK(card.comes(0x34, 2));  // CTIMEOUT
        card.set(0x38, kWord);
        CHECK(card.get(0x34) == 0);
    }
}

TEST_CASE("mcu polled: a low-power timer takes its period over") {
    for (const char* chip : kChips) {
        CAPTURE(chip);
        Unit timer(chip, "LPTIM1");
        timer.set(0x10, 1);
        timer.set(0x18, 999);
        CHECK(timer.comes(0x0, 4));
        timer.set(0x4, 1u << 4);
        CHECK_FALSE(timer.bit(0x0, 4));
    }
}

TEST_CASE("mcu polled: bxCAN leaves sleep, enters and leaves its set-up") {
    for (const char* chip : {"stm32l475", "stm32l4r5", "stm32f746"}) {
        CAPTURE(chip);
        Unit can(chip, "CAN1");
        CHECK(can.bit(0x4, 1));
        can.set(0x0, 1);
        CHECK(can.comes(0x4, 1, false));
        CHECK(can.comes(0x4, 0));
        can.set(0x0, 0);
        CHECK(can.comes(0x4, 0, false));
    }
}

TEST_CASE("mcu polled: drawing is over at once") {
    for (const char* chip : {"stm32l4r5", "stm32u575", "stm32f746", "stm32h743", "stm32h7a3"}) {
        CAPTURE(chip);
        Unit draw(chip, "DMA2D");
        draw.set(0x0, 3u << 16 | 1);
        CHECK_FALSE(draw.bit(0x0, 0));
        CHECK(draw.bit(0x4, 1));
        draw.set(0x8, 2);
        CHECK_FALSE(draw.bit(0x4, 1));
    }
}

TEST_CASE("mcu polled: a DMA channel of the U5 resets, and is idle") {
    Unit channel("stm32u575", "GPDMA1_Channel3");
    CHECK(channel.bit(0x10, 0));
    channel.set(0x14, 1u << 1);
    CHECK_FALSE(channel.bit(0x14, 1));
    channel.set(0x14, 1);
    channel.set(0x14, 1 | 1u << 2);
    CHECK(channel.comes(0x10, 13));  // SUSPF
}
