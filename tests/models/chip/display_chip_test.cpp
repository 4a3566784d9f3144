// SPDX-License-Identifier: Apache-2.0
// LTDC and DMA2D in the chip: clock gates, memories, access rights, interrupt lines.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "memmap/interrupts.h"
#include "models/chip/stm32n6.h"
#include "tests/models/chip/software_board.h"

using namespace n6vp;

namespace {

constexpr std::uint32_t kLtdc = 0x58001000, kRcc = 0x56028000, kRifsc = 0x54024000;
constexpr std::uint32_t kAxiSram1 = 0x34064000;

using Board = test::SoftwareBoard;

}  // namespace

TEST_CASE("LTDC chip: the discovery kit's panel at 62.58 Hz from AXISRAM1") {
    Board board("board");
    CHECK(memmap::interrupt_line("LTDC_UP") == 193);
    CHECK(board.get(kLtdc + 0x18) == 0);  // no clock
    board.set(kRcc + 0x800 + 0x27C, 1u << 1);
    CHECK(board.get(kLtdc + 0x18) == 0x2220);
    board.set(kRcc + 0x150, 2u << 24);  // IC16, which is off: the parameter's 25 MHz stay
    CHECK(board.chip.parameters().ltdc.pixel_clock.value == 25);
    const std::uint32_t back[] = {0x11223344, 0x55667788};
    std::vector<std::uint8_t> bytes(sizeof back);
    std::memcpy(bytes.data(), back, sizeof back);
    REQUIRE(board.chip.store(GuestAddr{kAxiSram1}, bytes));
    board.set(kLtdc + 0x08, 3u << 16 | 3);
    board.set(kLtdc + 0x0C, 7u << 16 | 7);
    board.set(kLtdc + 0x10, 807u << 16 | 487);
    board.set(kLtdc + 0x14, 811u << 16 | 491);
    // Layer 1: RGB565, the whole panel.
    board.set(kLtdc + 0x110, 807u << 16 | 8);
    board.set(kLtdc + 0x114, 487u << 16 | 8);
    board.set(kLtdc + 0x11C, 4);
    board.set(kLtdc + 0x134, kAxiSram1);
    board.set(kLtdc + 0x138, 1600u << 16 | 1607);
    board.set(kLtdc + 0x13C, 480);
    board.set(kLtdc + 0x10C, 1);
    board.set(kLtdc + 0x108, 1);
    board.set(kLtdc + 0x64, 1);  // IER2: lines
    board.set(kLtdc + 0x70, 1);
    board.set(kRifsc + 0xC10 + 4 * 10, 3u << 8 | 1u << 4);  // the layer is secure and privileged
    board.set(kLtdc + 0x18, 1);
    Board::pass_us(16'500);
    const models::Ltdc::Statistics& seen = board.chip.soc().ltdc.statistics();
    CHECK(seen.frames == 1);
    // 812 * 492 / 25 MHz.
    CHECK(seen.frame_ps == 15'980'160'000);
    CHECK(board.pending(193));
    CHECK_FALSE(board.pending(194));
    const models::Picture picture = board.chip.soc().ltdc.picture();
    CHECK(picture.width == 800);
    CHECK(picture.height == 480);
    // 0x3344: 6 of 31, 26 of 63, 4 of 31.
    CHECK(picture.rgb[0] == (6 << 3 | 6 >> 2));
    CHECK(picture.rgb[1] == (26 << 2 | 26 >> 4));
    CHECK(picture.rgb[2] == (4 << 3 | 4 >> 2));
    // The frame buffer goes on in the next bank.
    const auto read_from = [&board](const char* memory) {
        const int target = board.chip.target_of(memory);
        return board.chip.bus()
            .flow(number(models::Initiator::Ltdc), static_cast<unsigned>(target))
            .bytes_read;
    };
    CHECK(read_from("AXISRAM2") == 480 * 1600 - (0x34100000 - kAxiSram1));
    CHECK(read_from("AXISRAM1") >= 0x34100000 - kAxiSram1);
    CHECK(seen.errors == 0);
    CHECK(seen.underruns == 0);
    // Without its clock the scan stops.
    board.set(kRcc + 0x1000 + 0x27C, 1u << 1);
    const std::uint64_t before = seen.bytes;
    Board::pass_us(20'000);
    CHECK(seen.bytes == before);
}

TEST_CASE("LTDC chip: without bus traffic the picture is there and no port was busy") {
    models::ChipParameters parameters;
    parameters.ltdc.bus_traffic.value = 0;
    Board board("board", {}, parameters);
    board.set(kRcc + 0x800 + 0x27C, 1u << 1);
    constexpr std::size_t kPixels = 1024;
    std::vector<std::uint8_t> bytes(kPixels * 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(7 * i);
    REQUIRE(board.chip.store(GuestAddr{kAxiSram1}, bytes));
    // 64 x 16 pixels of RGB565 from line and column 2 on.
    board.set(kLtdc + 0x08, 0);
    board.set(kLtdc + 0x0C, 1u << 16 | 1);
    board.set(kLtdc + 0x10, 65u << 16 | 17);
    board.set(kLtdc + 0x14, 69u << 16 | 19);
    board.set(kLtdc + 0x110, 65u << 16 | 2);
    board.set(kLtdc + 0x114, 17u << 16 | 2);
    board.set(kLtdc + 0x11C, 4);
    board.set(kLtdc + 0x134, kAxiSram1);
    board.set(kLtdc + 0x138, 128u << 16 | 135);
    board.set(kLtdc + 0x13C, 16);
    board.set(kLtdc + 0x10C, 1);
    board.set(kLtdc + 0x108, 1);
    board.set(kLtdc + 0x70, 1);
    board.set(kRifsc + 0xC10 + 4 * 10, 3u << 8 | 1u << 4);
    board.set(kLtdc + 0x18, 1);
    Board::pass_us(150);  // a frame takes 70 x 20 clocks of 25 MHz
    const models::Ltdc::Statistics& seen = board.chip.soc().ltdc.statistics();
    CHECK(seen.frames >= 1);
    CHECK(seen.underruns == 0);
    const models::Picture picture = board.chip.soc().ltdc.picture();
    REQUIRE(picture.rgb.size() == kPixels * 3);
    unsigned wrong = 0;
    for (std::size_t i = 0; i < kPixels; ++i) {
        const unsigned pixel = unsigned{bytes[2 * i]} | unsigned{bytes[2 * i + 1]} << 8;
        const unsigned red = pixel >> 11, green = pixel >> 5 & 63, blue = pixel & 31;
        if (picture.rgb[3 * i] != (red << 3 | red >> 2)) ++wrong;
        if (picture.rgb[3 * i + 1] != (green << 2 | green >> 4)) ++wrong;
        if (picture.rgb[3 * i + 2] != (blue << 3 | blue >> 2)) ++wrong;
    }
    CHECK(wrong == 0);
    const auto& flow = board.chip.bus().flow(
        number(models::Initiator::Ltdc), static_cast<unsigned>(board.chip.target_of("AXISRAM1")));
    CHECK(flow.bytes_read >= bytes.size());
    CHECK(flow.busy == 0);
}

TEST_CASE("DMA2D chip: moves pixels between memories with the rights of its master") {
    constexpr std::uint32_t kDma2d = 0x58021000, kPsram = 0x90000000;
    Board board("board");
    CHECK(board.get(kDma2d + 0x44) == 0);
    board.set(kDma2d + 0x44, 4u << 16 | 1);
    CHECK(board.get(kDma2d + 0x44) == 0);  // no clock
    board.set(kRcc + 0x800 + 0x260, 1u << 1);
    std::vector<std::uint8_t> pixels(16);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(3 * i);
    REQUIRE(board.chip.store(GuestAddr{kAxiSram1}, pixels));
    board.set(kDma2d + 0x0C, kAxiSram1);
    board.set(kDma2d + 0x3C, kPsram);
    board.set(kDma2d + 0x44, 4u << 16 | 1);
    board.set(kRifsc + 0xC10 + 4 * 8, 3u << 8 | 1u << 4);
    board.set(kDma2d + 0x00, 1u << 9 | 1);
    Board::pass_us(5);
    CHECK(board.get(kDma2d + 0x04) == 2);
    CHECK(board.pending(60));
    std::vector<std::uint8_t> seen(16);
    REQUIRE(board.chip.fetch(GuestAddr{kPsram}, seen));
    CHECK(seen == pixels);
    CHECK(board.chip.soc().dma2d.attributes.secure);
    // Nothing is at this address.
    board.set(kDma2d + 0x3C, 0x20000000);
    board.set(kDma2d + 0x00, 1);
    Board::pass_us(5);
    CHECK(board.get(kDma2d + 0x04) == 3);
    // A reset by RCC.
    board.set(kRcc + 0x800 + 0x260 - 0x40, 1u << 1);
    board.set(kRcc + 0x1000 + 0x260 - 0x40, 1u << 1);
    CHECK(board.get(kDma2d + 0x04) == 0);
    CHECK(board.get(kDma2d + 0x44) == 0);
}
