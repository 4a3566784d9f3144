// SPDX-License-Identifier: Apache-2.0
// CSI and DCMIPP in the chip: clock gates, memories, access rights, interrupt lines, time.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "memmap/interrupts.h"
#include "models/chip/stm32n6.h"
#include "tests/models/chip/software_board.h"

using namespace n6vp;

namespace {

constexpr std::uint32_t kDcmipp = 0x58002000, kCsi = 0x58006000, kRcc = 0x56028000,
                        kRifsc = 0x54024000;
constexpr std::uint32_t kAxiSram1 = 0x34064000, kPipe = kDcmipp + 0x800;

using CameraBoard = test::SoftwareBoard;

}  // namespace

TEST_CASE("camera chip: a frame of the IMX335's size comes to AXISRAM1 as 480 x 480 pixels") {
    CameraBoard board("board");
    CHECK(memmap::interrupt_line("CSI") == 47);
    CHECK(memmap::interrupt_line("DCMIPP") == 48);
    CHECK(board.get(kDcmipp + 8) == 0);  // no clock
    board.set(kRcc + 0x800 + 0x27C, 1u << 2 | 1u << 6);
    CHECK(board.get(kDcmipp + 8) == 1);
    board.set(kRifsc + 0xC10 + 4 * 9, 3u << 8 | 1u << 4);  // DCMIPP is secure and privileged
    board.set(kCsi + 0x04, 0xF);
    board.set(kCsi + 0x1000, 2);
    board.set(kCsi, 1 | 1u << 2);
    board.set(kCsi + 0x80, 1u << 12);  // EOF
    board.set(kDcmipp + 0x204, 1);
    board.set(kDcmipp + 0x3F0, 1u << 17);  // FRAME
    // The middle 1944 columns, downsized by 4.05 to RGB565.
    board.set(kPipe + 0x104, 324);
    board.set(kPipe + 0x108, 1u << 31 | 1944u << 16 | 1944);
    board.set(kPipe + 0x110, 1u << 31 | 252u << 16 | 252);
    board.set(kPipe + 0x114, 33177u << 16 | 33177);
    board.set(kPipe + 0x118, 480u << 16 | 480);
    board.set(kPipe + 0x1C0, 1);
    board.set(kPipe + 0x1C4, kAxiSram1);
    board.set(kPipe + 0x1CC, 960);
    board.set(kPipe + 0x004, 1u << 31 | 0x2B);
    board.set(kPipe + 0x100, 4 | 8);
    models::CameraLink& camera = board.chip.soc().camera;
    camera.show({models::Picture{1, 2, {255, 0, 0, 0, 0, 255}}});  // red above blue
    camera.set_streaming(true, {2592, 1944, 0x2B});
    CameraBoard::pass_us(14'300);  // 1944 lines of 7.41 us take 14.4 ms
    CHECK_FALSE(board.pending(48));
    CameraBoard::pass_us(200);
    CHECK(board.pending(47));
    CHECK(board.pending(48));
    CHECK(board.chip.soc().dcmipp.statistics(1).bytes == 480 * 960);
    CHECK(board.chip.soc().dcmipp.statistics(1).overruns == 0);
    CHECK((board.get(kAxiSram1) & 0xFFFF) == 0xF800);
    CHECK((board.get(kAxiSram1 + 479 * 960 + 956) >> 16) == 0x001F);
    const int target = board.chip.target_of("AXISRAM1");
    const models::Flow& flow =
        board.chip.bus().flow(number(models::Initiator::Dcmipp), static_cast<unsigned>(target));
    CHECK(flow.bytes_written == 480 * 960);
    // Lines of 960 bytes in bursts that end at each 128 bytes.
    CHECK(flow.writes == 480 * 8);
    // The next frame begins 33.3 ms after the first one, without a capture.
    CameraBoard::pass_us(33'333);
    CHECK(camera.statistics().frames == 2);
    CHECK(board.chip.soc().dcmipp.statistics(1).frames == 1);
}
