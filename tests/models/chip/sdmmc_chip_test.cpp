// SPDX-License-Identifier: Apache-2.0
// SDMMC in the chip: gate, kernel clock, memories, access rights, interrupt line.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "memmap/interrupts.h"
#include "models/chip/stm32n6.h"
#include "tests/models/probe.h"

using namespace n6vp;

namespace {

constexpr std::uint32_t kSdmmc2 = 0x58026800, kRcc = 0x56028000, kRifsc = 0x54024000;
constexpr std::uint32_t kCmdrEnd = 1u << 6, kCmdSent = 1u << 7, kDataEnd = 1u << 8;
constexpr std::uint32_t kAxiSram1 = 0x34064000;

/// The chip after the set-up of the validation firmware, software in place of the core, and a card
/// whose bytes count.
struct Board : sc_core::sc_module {
    models::Stm32n6 chip;
    test::Probe master;
    models::sdmmc::Card card;

    explicit Board(const sc_core::sc_module_name& name)
        : sc_module(name), chip("chip"), master("master"), card(contents()) {
        master.port.bind(chip.host);
        chip.soc().io.sdmmc("SDMMC2")->insert(&card);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    static std::vector<std::uint8_t> contents() {
        std::vector<std::uint8_t> bytes(std::size_t{8} * models::sdmmc::Card::kBlock);
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 3);
        return bytes;
    }
    static models::Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    static void pass_us(double us) { sc_core::sc_start(sc_core::sc_time(us, sc_core::SC_US)); }
    void set(std::uint32_t address, std::uint32_t value) {
        master.data.resize(sizeof value);
        std::memcpy(master.data.data(), &value, sizeof value);
        REQUIRE(master.write(address, sizeof value, now()).ok());
        pass_us(1);
    }
    std::uint32_t get(std::uint32_t address) {
        REQUIRE(master.read(address, 4, now()).ok());
        std::uint32_t value = 0;
        std::memcpy(&value, master.data.data(), sizeof value);
        return value;
    }
    /// Sends a command and waits for its end.
    void send(std::uint32_t command, std::uint32_t argument) {
        set(kSdmmc2 + 0x08, argument);
        set(kSdmmc2 + 0x0C, command | 1u << 12);
        for (unsigned i = 0; i < 1000 && (get(kSdmmc2 + 0x34) & (kCmdrEnd | kCmdSent)) == 0; ++i)
            pass_us(1);
        set(kSdmmc2 + 0x38, kCmdrEnd | kCmdSent);
    }
    void initialise() {
        constexpr std::uint32_t kShort = 1u << 8, kNoCrc = 2u << 8, kLong = 3u << 8;
        send(0, 0);
        send(8 | kShort, 0x1AA);
        do {
            send(55 | kShort, 0);
            send(41 | kNoCrc, 0x40FF8000);
        } while ((get(kSdmmc2 + 0x14) >> 31) == 0 && now() < 1'000'000'000'000);
        send(2 | kLong, 0);
        send(3 | kShort, 0);
        send(7 | kShort, get(kSdmmc2 + 0x14) & 0xFFFF0000);
    }
    bool pending(unsigned line) {
        models::core::Core& core = chip.core().core();
        std::uint32_t word = 0;
        REQUIRE(core.system().read_ppb(core.state(), 0xE000E200 + line / 32 * 4, 4, core.cycles(),
                                       word));
        return (word >> line % 32 & 1) != 0;
    }
};

}  // namespace

TEST_CASE("SDMMC chip: the card's blocks come to AXISRAM1 as the master's attributes say") {
    Board board("board");
    CHECK(memmap::interrupt_line("SDMMC2") == 175);
    board.set(kSdmmc2, 3);
    CHECK(board.get(kSdmmc2) == 0);  // no clock
    board.set(kRcc + 0x800 + 0x260, 1u << 7);
    board.set(kSdmmc2, 3);
    CHECK(board.get(kSdmmc2) == 3);
    board.set(kSdmmc2 + 0x04, 2);  // HCLK of 100 MHz by four
    board.initialise();
    board.set(kRifsc + 0xC10 + 4 * 3, 3u << 8 | 2u << 4);  // secure, privileged, CID 2
    board.set(kSdmmc2 + 0x24, 0xFFFFFFFF);
    board.set(kSdmmc2 + 0x28, 1024);
    board.set(kSdmmc2 + 0x2C, 9u << 4 | 2);
    board.set(kSdmmc2 + 0x58, kAxiSram1);
    board.set(kSdmmc2 + 0x50, 1);
    board.set(kSdmmc2 + 0x3C, kDataEnd);
    board.send(18 | 1u << 8 | 1u << 6, 3);
    CHECK_FALSE(board.pending(175));
    // 200 us of access, and two blocks of 4096 bits and some by one line of 25 MHz.
    Board::pass_us(200 + 2 * 4130 * 0.04);
    CHECK(board.pending(175));
    CHECK_FALSE(board.pending(174));
    std::vector<std::uint8_t> bytes(1024);
    REQUIRE(board.chip.fetch(GuestAddr{kAxiSram1}, bytes));
    CHECK(bytes[0] == static_cast<std::uint8_t>(3 * 512 * 3));
    CHECK(bytes[1023] == static_cast<std::uint8_t>((3 * 512 + 1023) * 3));
    const int target = board.chip.target_of("AXISRAM1");
    CHECK(board.chip.bus()
              .flow(number(models::Initiator::Sdmmc2), static_cast<unsigned>(target))
              .bytes_written == 1024);
}

TEST_CASE("SDMMC chip: the clock of the card is what CCIPR8 selects") {
    Board board("board");
    board.set(kRcc + 0x800 + 0x260, 1u << 7);
    board.set(kSdmmc2, 3);
    const auto command_us = [&board] {
        board.set(kSdmmc2 + 0x38, kCmdSent);
        board.set(kSdmmc2 + 0x0C, 1u << 12);
        double us = 1;
        for (; (board.get(kSdmmc2 + 0x34) & kCmdSent) == 0 && us < 1000; us += 1) Board::pass_us(1);
        return us;
    };
    board.set(kSdmmc2 + 0x04, 100);  // HCLK by 200: 48 bits of 0.5 MHz
    CHECK(command_us() == doctest::Approx(96).epsilon(0.03));
    board.set(kRcc + 0x160, 1u << 4);  // per_ck, which is HSI
    CHECK(command_us() == doctest::Approx(150).epsilon(0.03));
}
