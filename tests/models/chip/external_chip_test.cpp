// SPDX-License-Identifier: Apache-2.0
// External memories in the chip: behind a cipher engine, and with swapped ports.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "models/chip/stm32n6.h"
#include "tests/models/probe.h"

using namespace n6vp;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kMce1 = 0x5802B800, kXspim = 0x5802B400;
constexpr std::uint32_t kRam = 0x90000000, kFlash = 0x70000000;

/// The chip after the set-up of the validation firmware, and software in place of the core.
struct Board : sc_core::sc_module {
    models::Stm32n6 chip;
    test::Probe master;

    explicit Board(const sc_core::sc_module_name& name)
        : sc_module(name), chip("chip"), master("master") {
        master.port.bind(chip.host);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        set(kRcc + 0x800 + 0x260, 0xFFFFFFFF);
    }
    void put(std::uint32_t address, std::vector<std::uint8_t> bytes) {
        master.data = std::move(bytes);
        const models::Picoseconds now = sc_core::sc_time_stamp().value();
        const auto count = static_cast<std::uint32_t>(master.data.size());
        REQUIRE(master.write(address, count, now).ok());
        sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    }
    void set(std::uint32_t address, std::uint32_t value) {
        std::vector<std::uint8_t> bytes(4);
        std::memcpy(bytes.data(), &value, 4);
        put(address, bytes);
    }
    std::vector<std::uint8_t> look(std::uint32_t address, std::uint32_t count) {
        const models::Picoseconds now = sc_core::sc_time_stamp().value();
        REQUIRE(master.read(address, count, now).ok());
        return master.data;
    }
    std::uint32_t get(std::uint32_t address) {
        std::uint32_t value = 0;
        std::memcpy(&value, look(address, 4).data(), 4);
        return value;
    }
    /// A page of the PSRAM by blocks of AES-128 and context 1.
    void cipher() {
        set(kMce1, 1u << 4);
        for (std::uint32_t i = 0; i < 4; ++i) set(kMce1 + 0x24C + 4 * i, 0x71234567 + i);
        set(kMce1 + 0x240, 2u << 4 | 1);
        set(kMce1 + 0x44, kRam + 0x1000);
        set(kMce1 + 0x48, kRam + 0x1FFF);
        set(kMce1 + 0x40, 2u << 14 | 1u << 9 | 1);
    }
    void region_on(bool on) { set(kMce1 + 0x40, 2u << 14 | 1u << 9 | (on ? 1 : 0)); }
    bool direct(std::uint32_t address) {
        tlm::tlm_generic_payload trans;
        tlm::tlm_dmi dmi;
        trans.set_command(tlm::TLM_READ_COMMAND);
        trans.set_address(address);
        return master.port->get_direct_mem_ptr(trans, dmi);
    }
};

}  // namespace

TEST_CASE("external chip: writes through an encrypted region change what the PSRAM holds") {
    Board board("board");
    board.cipher();
    std::vector<std::uint8_t> plain(64);
    for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = static_cast<std::uint8_t>(i);
    // Across the start of the region; then parts of blocks.
    board.put(kRam + 0xFF0, plain);
    board.put(kRam + 0x1005, {0xAA, 0xBB, 0xCC});
    plain[0x15] = 0xAA;
    plain[0x16] = 0xBB;
    plain[0x17] = 0xCC;
    CHECK(board.look(kRam + 0xFF0, 64) == plain);
    CHECK(board.look(kRam + 0x1006, 1)[0] == 0xBB);
    board.region_on(false);
    const std::vector<std::uint8_t> held = board.look(kRam + 0xFF0, 64);
    CHECK(std::equal(held.begin(), held.begin() + 16, plain.begin()));
    for (std::size_t block = 16; block < 64; block += 16) {
        const auto at = static_cast<std::ptrdiff_t>(block);
        CHECK_FALSE(std::equal(held.begin() + at, held.begin() + at + 16, plain.begin() + at));
    }
    board.region_on(true);
    CHECK(board.look(kRam + 0xFF0, 64) == plain);
}

TEST_CASE("external chip: no direct memory of encrypted pages, as long as they are so") {
    Board board("board");
    board.set(kRam + 0x1000, 1);
    board.set(kRam + 0x3000, 1);
    CHECK(board.direct(kRam + 0x1000));
    board.cipher();
    CHECK_FALSE(board.direct(kRam + 0x1000));
    CHECK(board.direct(kRam + 0x3000));
    board.region_on(false);
    CHECK(board.direct(kRam + 0x1000));
}

TEST_CASE("external chip: debug accesses see plain data, too") {
    Board board("board");
    board.cipher();
    board.set(kRam + 0x1010, 0x12345678);
    board.master.debug(tlm::TLM_READ_COMMAND, kRam + 0x1010, 4);
    CHECK(board.master.data == std::vector<std::uint8_t>{0x78, 0x56, 0x34, 0x12});
}

TEST_CASE("external chip: XSPIM swaps the memories of XSPI1 and XSPI2") {
    Board board("board");
    board.set(kRam + 0x40, 0x11223344);
    CHECK(board.get(kFlash + 0x40) == 0xFFFFFFFF);
    board.set(kXspim, 2);
    CHECK(board.get(kXspim) == 2);
    CHECK(board.get(kFlash + 0x40) == 0x11223344);
    CHECK(board.get(kRam + 0x40) == 0xFFFFFFFF);
    CHECK_FALSE(board.direct(kFlash + 0x40));
    board.set(kFlash + 0x44, 0x55667788);  // the PSRAM can be written
    board.set(kXspim, 0);
    CHECK(board.get(kRam + 0x40) == 0x11223344);
    CHECK(board.get(kRam + 0x44) == 0x55667788);
    CHECK(board.get(kFlash + 0x44) == 0xFFFFFFFF);
    board.set(kXspim, 2);
    board.chip.reset(models::core::Reset::Warm);
    CHECK(board.get(kRam + 0x40) == 0x11223344);
}
