// SPDX-License-Identifier: Apache-2.0
// Sound units in the chip: clock gates, kernel clocks of RCC, interrupt lines, DMA to memory.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "models/chip/stm32n6.h"
#include "tests/models/probe.h"

using namespace n6vp;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kMdf1 = 0x52025000, kAdf1 = 0x52026000,
                        kSai1 = 0x52005800, kSai2 = 0x52005C00, kGpdma = 0x50021000;
constexpr std::uint32_t kBuffer = 0x34064000;

/// The chip after the set-up of the validation firmware, and software in place of the core.
struct Board : sc_core::sc_module {
    models::Stm32n6 chip;
    test::Probe master;

    explicit Board(const sc_core::sc_module_name& name)
        : sc_module(name), chip("chip"), master("master") {
        master.port.bind(chip.host);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        set(kRcc + 0x800 + 0x250, 1u << 4);              // GPDMA1EN
        set(kRcc + 0x800 + 0x254, 1u << 16 | 1u << 17);  // MDF1EN, ADF1EN
        set(kRcc + 0x800 + 0x26C, 1u << 21 | 1u << 22);  // SAI1EN, SAI2EN
        set(kRcc + 0x154, 5u << 16);                     // MDF1SEL: HSI
        set(kRcc + 0x15C, 5u << 20);                     // SAI1SEL: HSI
    }
    void set(std::uint32_t address, std::uint32_t value) {
        master.data.resize(sizeof value);
        std::memcpy(master.data.data(), &value, sizeof value);
        const models::Picoseconds now = sc_core::sc_time_stamp().value();
        REQUIRE(master.write(address, sizeof value, now).ok());
        pass_us(1);
    }
    std::uint32_t get(std::uint32_t address) {
        const models::Picoseconds now = sc_core::sc_time_stamp().value();
        REQUIRE(master.read(address, 4, now).ok());
        std::uint32_t value = 0;
        std::memcpy(&value, master.data.data(), sizeof value);
        return value;
    }
    static void pass_us(double us) { sc_core::sc_start(sc_core::sc_time(us, sc_core::SC_US)); }
    bool pending(unsigned line) {
        models::core::Core& core = chip.core().core();
        std::uint32_t word = 0;
        REQUIRE(core.system().read_ppb(core.state(), 0xE000E200 + line / 32 * 4, 4, core.cycles(),
                                       word));
        return (word >> line % 32 & 1) != 0;
    }
    /// A secure and privileged channel of GPDMA1 with single words.
    void start_channel(unsigned channel, std::uint32_t request, std::uint32_t from,
                       std::uint32_t to, bool to_unit, std::uint32_t bytes) {
        const std::uint32_t at = kGpdma + 0x50 + channel * 0x80;
        set(kGpdma, 0xFFFF);
        set(kGpdma + 4, 0xFFFF);
        const std::uint32_t increments = to_unit ? 1u << 3 : 1u << 19;
        set(at + 0x40, 2u | 2u << 16 | increments | 1u << 15 | 1u << 31);
        set(at + 0x44, request | (to_unit ? 1u << 10 : 0));
        set(at + 0x48, bytes);
        set(at + 0x4C, from);
        set(at + 0x50, to);
        set(at + 0x14, 1);
    }
};

}  // namespace

TEST_CASE("sound chip: a digital microphone comes to memory by GPDMA1") {
    Board board("board");
    models::SoundSource& microphone = board.chip.soc().io.sound.microphone;
    std::vector<std::int16_t> ramp;
    for (std::int16_t i = 0; i < 100; ++i) ramp.push_back(static_cast<std::int16_t>(100 * i));
    microphone.play({15'625, 1, ramp});
    board.set(kMdf1 + 0x04, 1u << 24 | 15u << 16 | 1u << 1 | 1);  // 64 MHz / 2 / 16
    board.set(kMdf1 + 0x80, 1u << 4 | 1);
    board.set(kMdf1 + 0x8C, 2u << 20 | 31u << 8 | 4u << 4);
    board.start_channel(0, 132, kMdf1 + 0xF0, kBuffer, false, 16);
    board.set(kMdf1 + 0x88, 2 | 1);  // a sample each 64 us
    Board::pass_us(400);
    std::vector<std::uint8_t> bytes(16);
    REQUIRE(board.chip.fetch(GuestAddr{kBuffer}, bytes));
    std::int32_t samples[4];
    std::memcpy(samples, bytes.data(), bytes.size());
    // The gain of the settings: 0.745 of the recording, in 24 bits above an empty byte.
    const std::int32_t expected[] = {0, 75, 149, 224};
    for (unsigned i = 0; i < 4; ++i) CHECK(samples[i] / 256 == expected[i]);
    // The channel is done: the FIFO is not read any more.
    CHECK((board.get(kMdf1 + 0xB0) & 1) != 0);
    board.set(kMdf1 + 0xAC, 1);
    CHECK(board.pending(142));
    CHECK_FALSE(board.pending(143));
}

TEST_CASE("sound chip: SAI1 sends from memory by GPDMA1 at the clock that RCC selects") {
    Board board("board");
    std::vector<std::string> names;
    std::vector<models::AudioFrame> frames;
    board.chip.soc().io.sound.on_frame = [&](std::string_view unit, unsigned block,
                                             const models::AudioFrame& frame) {
        names.push_back(std::string(unit) + (block == 0 ? "_A" : "_B"));
        frames.push_back(frame);
    };
    const std::uint32_t words[] = {0x11, 0x22, 0x33, 0x44};
    std::vector<std::uint8_t> bytes(sizeof words);
    std::memcpy(bytes.data(), words, sizeof words);
    REQUIRE(board.chip.store(GuestAddr{kBuffer}, bytes));
    board.set(kSai1 + 0x08, 1);
    board.set(kSai1 + 0x0C, 15u << 8 | 31);
    board.set(kSai1 + 0x10, 3u << 16 | 1u << 8 | 1u << 6);
    board.start_channel(1, 91, kBuffer, kSai1 + 0x20, true, sizeof words);
    const std::uint32_t control = 10u << 20 | 4u << 5 | 1u << 17;
    board.set(kSai1 + 0x04, control);
    CHECK((board.get(kSai1 + 0x18) >> 16 & 7) != 0);  // filled before it is enabled
    board.set(kSai1 + 0x04, control | 1u << 16);
    Board::pass_us(130);
    REQUIRE(frames.size() >= 2);
    CHECK(names[0] == "SAI1_A");
    CHECK(frames[0].hz == doctest::Approx(25'000));  // 64 MHz / 10 / 256
    CHECK(frames[0].words[0] == 0x11);
    CHECK(frames[0].words[1] == 0x22);
    CHECK(frames[1].words[0] == 0x33);
    CHECK(frames[1].words[1] == 0x44);
    // Nothing follows: an underrun, with its interrupt.
    CHECK_FALSE(board.pending(148));
    board.set(kSai1 + 0x14, 1);
    CHECK(board.pending(148));
}

TEST_CASE("sound chip: each unit has its gate") {
    Board board("board");
    CHECK(board.get(kSai2 + 0x18) == 8);
    CHECK(board.get(kAdf1 + 0x80) == 0x1F00);
    board.set(kRcc + 0x1000 + 0x26C, 1u << 22);
    board.set(kRcc + 0x1000 + 0x254, 1u << 17);
    CHECK(board.get(kSai2 + 0x18) == 0);
    CHECK(board.get(kAdf1 + 0x80) == 0);
}
