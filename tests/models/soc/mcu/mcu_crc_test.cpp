// SPDX-License-Identifier: Apache-2.0
// CRC unit: published check values, an independent bit model, time, the lock of the runtime.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "models/soc/base/register_block_module.h"
#include "models/soc/system/crc_unit.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::test::kWord;

namespace {

constexpr std::uint32_t kDr = 0x00, kIdr = 0x04, kCr = 0x08, kInit = 0x10, kPol = 0x14;

struct CrcBench {
    CrcBench() : crc("CRC", 8) {}
    void set(std::uint32_t offset, std::uint32_t value, std::uint32_t mask = kWord) {
        static_cast<void>(crc.write(offset, value, mask, 0));
    }
    std::uint32_t get(std::uint32_t offset) { return crc.read(offset, 0).value; }
    void feed(std::string_view bytes) {
        for (const char byte : bytes) set(kDr, static_cast<std::uint8_t>(byte), 0xFF);
    }
    CrcUnit crc;
};

/// A shift register as a vector of bits, last bit first; the input as a list of bits in the order
/// in which they enter. Shares no code and no representation with the model.
std::uint32_t shift_register(const std::vector<bool>& input, std::uint32_t polynomial,
                             std::size_t width, std::uint32_t initial) {
    std::vector<bool> stage(width);
    for (std::size_t i = 0; i < width; ++i) stage[i] = (initial >> i) % 2 == 1;
    for (const bool bit : input) {
        const bool out = stage[width - 1] != bit;
        for (std::size_t i = width - 1; i > 0; --i) {
            stage[i] = stage[i - 1] != (out && (polynomial >> i) % 2 == 1);
        }
        stage[0] = out && polynomial % 2 == 1;
    }
    std::uint32_t result = 0;
    for (std::size_t i = 0; i < width; ++i) result += stage[i] ? 1u << i : 0u;
    return result;
}

/// The order in which the bits of one write enter, by REV_IN.
std::vector<bool> in_order(std::uint32_t value, std::size_t bits, unsigned rev_in) {
    const std::array<std::size_t, 4> groups{0, 8, 16, 32};
    const std::size_t group = groups[rev_in] < bits ? groups[rev_in] : bits;
    std::vector<bool> order;
    for (std::size_t place = bits; place-- > 0;) {
        // Inside a group the first to enter is its lowest bit instead of its highest.
        const std::size_t from =
            group == 0 ? place : place / group * group + group - 1 - place % group;
        order.push_back((value >> from) % 2 == 1);
    }
    return order;
}

}  // namespace

TEST_CASE("mcu crc: reset state, scratch register of both widths") {
    CrcBench bench;
    CHECK(bench.get(kDr) == 0xFFFFFFFF);
    CHECK(bench.get(kCr) == 0);
    CHECK(bench.get(kInit) == 0xFFFFFFFF);
    CHECK(bench.get(kPol) == 0x04C11DB7);
    bench.set(kIdr, 0x12345678);
    CHECK(bench.get(kIdr) == 0x78);
    bench.set(kCr, 1);
    CHECK(bench.get(kIdr) == 0x78);
    CrcUnit wide("CRC", 32);
    static_cast<void>(wide.write(kIdr, 0x12345678, kWord, 0));
    CHECK(wide.read(kIdr, 0).value == 0x12345678);
}

TEST_CASE("mcu crc: one word after a reset, with the value that the runtime's lock expects") {
    struct Row {
        std::uint32_t written, result;
    };
    const Row rows[] = {
        {0xF407A5C2, 0xB5E8B5CD}, {0x12345678, 0xDF8A8A2B}, {0x00000000, 0xC704DD7B}};
    for (const Row& row : rows) {
        CrcBench bench;
        bench.set(kCr, 1);
        CHECK(bench.get(kCr) == 0);  // RESET clears itself
        bench.set(kDr, row.written);
        CHECK(bench.get(kDr) == row.result);
    }
}

TEST_CASE("mcu crc: the lock of the network runtime finds the unit and its value") {
    CrcBench bench;
    bench.set(kCr, 0x18);
    CHECK(bench.get(kCr) == 0x18);
    bench.set(kCr, 1);
    CHECK(bench.get(kCr) == 0);
    CHECK(bench.get(kDr) == 0xFFFFFFFF);
    bench.set(kDr, 0xF407A5C2);
    CHECK(bench.get(kDr) == 0xB5E8B5CD);
}

TEST_CASE("mcu crc: check values of published algorithms over 123456789") {
    CrcBench mpeg2;
    mpeg2.feed("123456789");
    CHECK(mpeg2.get(kDr) == 0x0376E6E7);

    CrcBench words;
    words.set(kDr, 0x31323334);
    words.set(kDr, 0x35363738);
    words.set(kDr, 0x39, 0xFF);
    CHECK(words.get(kDr) == 0x0376E6E7);

    CrcBench halves;
    const std::array<std::uint32_t, 4> pairs{0x3132, 0x3334, 0x3536, 0x3738};
    for (const std::uint32_t half : pairs) halves.set(kDr, half, 0xFFFF);
    halves.set(kDr, 0x39, 0xFF);
    CHECK(halves.get(kDr) == 0x0376E6E7);

    CrcBench zlib;
    zlib.set(kCr, 0xA1);
    CHECK(zlib.get(kCr) == 0xA0);
    zlib.feed("123456789");
    CHECK(zlib.get(kDr) == 0x340BC6D9);
    CHECK(~zlib.get(kDr) == 0xCBF43926);

    CrcBench zlib_words;  // memory as little-endian words, reversed as words
    zlib_words.set(kCr, 0xE1);
    zlib_words.set(kDr, 0x34333231);
    zlib_words.set(kDr, 0x38373635);
    zlib_words.set(kDr, 0x39, 0xFF);
    CHECK(~zlib_words.get(kDr) == 0xCBF43926);

    CrcBench ccitt;
    ccitt.set(kPol, 0x1021);
    ccitt.set(kCr, 0x08);
    ccitt.set(kInit, 0xFFFF);
    ccitt.feed("123456789");
    CHECK(ccitt.get(kDr) == 0x29B1);

    CrcBench smbus;
    smbus.set(kPol, 0x07);
    smbus.set(kCr, 0x10);
    smbus.set(kInit, 0);
    smbus.feed("123456789");
    CHECK(smbus.get(kDr) == 0xF4);

    CrcBench mmc;
    mmc.set(kPol, 0x09);
    mmc.set(kCr, 0x18);
    mmc.set(kInit, 0);
    mmc.feed("123456789");
    CHECK(mmc.get(kDr) == 0x75);
}

TEST_CASE("mcu crc: every setting and width of access equals a shift register of bits") {
    const std::array<std::size_t, 4> widths{32, 16, 8, 7};
    std::mt19937 random(4);
    for (unsigned setting = 0; setting < 32; ++setting) {
        const unsigned size = setting % 4, rev_in = setting / 4 % 4, rev_out = setting / 16;
        const std::size_t width = widths[size];
        const std::uint32_t ones = width == 32 ? kWord : (1u << width) - 1;
        const auto draw = [&random] { return static_cast<std::uint32_t>(random()); };
        const std::uint32_t polynomial = (draw() & ones) | 1, initial = draw();
        CrcBench bench;
        bench.set(kPol, polynomial);
        bench.set(kInit, initial);
        bench.set(kCr, size << 3 | rev_in << 5 | rev_out << 7 | 1);
        std::vector<bool> entered;
        for (int i = 0; i < 12; ++i) {
            const std::size_t bits = std::size_t{8} << draw() % 3;
            const std::uint32_t value = draw() & (bits == 32 ? kWord : (1u << bits) - 1);
            bench.set(kDr, value, bits == 32 ? kWord : (1u << bits) - 1);
            const std::vector<bool> order = in_order(value, bits, rev_in);
            entered.insert(entered.end(), order.begin(), order.end());
            std::uint32_t expected = shift_register(entered, polynomial, width, initial & ones);
            if (rev_out == 1) {
                std::uint32_t mirrored = 0;
                for (std::size_t k = 0; k < width; ++k)
                    mirrored += (expected >> k) % 2 << (width - 1 - k);
                expected = mirrored;
            }
            CHECK(bench.get(kDr) == expected);
        }
    }
}

TEST_CASE("mcu crc: a byte at any address of DR is a byte, an even polynomial is not modelled") {
    CrcBench first, third;
    first.set(kDr, 0x31, 0xFF);
    third.set(kDr, 0x310000, 0xFF0000);
    CHECK(first.get(kDr) == third.get(kDr));
    CHECK(first.get(kDr) != 0xFFFFFFFF);
    CHECK(first.crc.write(kPol, 0x1021, kWord, 0).modelled);
    CHECK_FALSE(first.crc.write(kPol, 0x1020, kWord, 0).modelled);
    CHECK_FALSE(first.crc.read(0x0C, 0).modelled);
}

TEST_CASE("timing: a read of DR waits 4, 2 or 1 AHB cycles after a write") {
    CrcUnit crc("CRC", 8);
    crc.set_clock_hz(100e6);
    constexpr Picoseconds kCycle = 10'000;
    CHECK(crc.read(kDr, 5).until == 5);
    static_cast<void>(crc.write(kDr, 1, kWord, 1'000'000));
    CHECK(crc.read(kDr, 1'000'000).until == 1'000'000 + 4 * kCycle);
    CHECK(crc.read(kCr, 1'000'000).until == 0);
    static_cast<void>(crc.write(kDr, 1, 0xFFFF, 1'000'000));
    CHECK(crc.read(kDr, 1'000'001).until == 1'000'000 + 6 * kCycle);
    static_cast<void>(crc.write(kDr, 1, 0xFF, 2'000'000));
    CHECK(crc.read(kDr, 2'000'000).until == 2'000'000 + 1 * kCycle);
    CHECK(crc.read(kDr, 3'000'000).until == 3'000'000);
}

TEST_CASE("timing: the peripheral bus passes the wait on to the initiator") {
    CrcUnit crc("CRC", 8);
    PeripheralBusParameters fast;
    fast.read_cycles.value = 1;
    fast.write_cycles.value = 1;
    RegisterBlockModule module("crc_module", crc, 0x18, fast);
    struct Master : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
        explicit Master(const sc_core::sc_module_name& name) : sc_module(name), port("port") {
            port.bind(*this);
        }
        tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                           sc_core::sc_time&) override {
            return tlm::TLM_ACCEPTED;
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
        std::uint32_t access(bool write, std::uint32_t offset, std::uint32_t value,
                             sc_core::sc_time& delay) {
            tlm::tlm_generic_payload trans;
            trans.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
            trans.set_address(offset);
            trans.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
            trans.set_data_length(4);
            trans.set_streaming_width(4);
            port->b_transport(trans, delay);
            CHECK(trans.is_response_ok());
            return value;
        }
        tlm::tlm_initiator_socket<> port;
    };
    Master master("master");
    master.port.bind(module.port);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    crc.set_clock_hz(1e6);  // so slow that the wait is all of the time: 4 us
    sc_core::sc_time delay;
    master.access(true, kDr, 0x12345678, delay);
    CHECK(delay < sc_core::sc_time(1, sc_core::SC_US));
    CHECK(master.access(false, kDr, 0, delay) == 0xDF8A8A2B);
    CHECK(delay >= sc_core::sc_time(4, sc_core::SC_US));
    CHECK(delay < sc_core::sc_time(4.1, sc_core::SC_US));
    const sc_core::sc_time before = delay;
    master.access(false, kDr, 0, delay);
    CHECK(delay - before == sc_core::sc_time(10, sc_core::SC_NS));
}
