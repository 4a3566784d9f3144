// SPDX-License-Identifier: Apache-2.0
// RAM with check bits: what is read when data and check bits do not match.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "models/memory/ecc_sram.h"
#include "tests/models/probe.h"

using namespace n6vp;
using namespace n6vp::models;

namespace {

constexpr std::uint32_t kRight = 0xAA55AA55, kOneBit = 0xAA55AA54, kTwoBits = 0xAA55AA50;

struct Bench {
    Bench() : ram("ram", 8192, 200e6, {}) {
        probe.port.bind(ram.port);
        ram.on_error = [this](EccSram::Error error, std::uint32_t offset) {
            errors.push_back({error, offset});
        };
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void write(std::uint32_t offset, std::uint32_t value) {
        probe.data.resize(4);
        std::memcpy(probe.data.data(), &value, 4);
        REQUIRE(probe.write(offset, 4, 0).ok());
    }
    std::uint32_t read(std::uint32_t offset) {
        REQUIRE(probe.read(offset, 4, 0).ok());
        std::uint32_t value = 0;
        std::memcpy(&value, probe.data.data(), 4);
        return value;
    }
    /// With the checks on `kRight`, with the checks off `value`; then on again.
    void spoil(std::uint32_t offset, std::uint32_t value) {
        ram.set_checks(true);
        write(offset, kRight);
        ram.set_checks(false);
        write(offset, value);
        ram.set_checks(true);
    }
    struct Seen {
        EccSram::Error error;
        std::uint32_t offset;
        bool operator==(const Seen&) const = default;
    };
    test::Probe probe{"probe"};
    EccSram ram;
    std::vector<Seen> errors;
};

using Error = EccSram::Error;

}  // namespace

TEST_CASE("ecc: a word with one wrong bit is read right, each time with a report") {
    Bench bench;
    bench.spoil(0x40, kOneBit);
    CHECK(bench.read(0x40) == kRight);
    CHECK(bench.read(0x40) == kRight);
    CHECK(bench.errors == std::vector<Bench::Seen>{{Error::Single, 0x40}, {Error::Single, 0x40}});
    // Check bits off: the cells themselves, and nobody is told.
    bench.ram.set_checks(false);
    CHECK(bench.read(0x40) == kOneBit);
    CHECK(bench.errors.size() == 2);
}

TEST_CASE("ecc: a word with two wrong bits is read as stored, with a report") {
    Bench bench;
    bench.spoil(0x1FFC, kTwoBits);
    CHECK(bench.read(0x1FFC) == kTwoBits);
    CHECK(bench.errors == std::vector<Bench::Seen>{{Error::Double, 0x1FFC}});
}

TEST_CASE("ecc: a write with the checks on mends a word, by parts too") {
    Bench bench;
    bench.spoil(0x10, kTwoBits);
    bench.write(0x10, 7);
    CHECK(bench.read(0x10) == 7);
    bench.spoil(0x20, kOneBit);
    bench.probe.data = {0x12};
    REQUIRE(bench.probe.write(0x23, 1, 0).ok());
    CHECK((bench.read(0x20) & 0xFF000000) == 0x12000000);
    CHECK(bench.errors.empty());
}

TEST_CASE("ecc: a burst corrects each of its words, and bytes of a word are corrected alone") {
    Bench bench;
    bench.spoil(0x80, kOneBit);
    bench.spoil(0x84, kTwoBits);
    bench.spoil(0x8C, kOneBit);
    bench.ram.set_checks(true);
    bench.write(0x88, 1);
    REQUIRE(bench.probe.read(0x80, 16, 0).ok());
    std::uint32_t words[4] = {};
    std::memcpy(words, bench.probe.data.data(), sizeof words);
    CHECK(words[0] == kRight);
    CHECK(words[1] == kTwoBits);
    CHECK(words[2] == 1);
    CHECK(words[3] == kRight);
    CHECK(bench.errors == std::vector<Bench::Seen>{
                              {Error::Single, 0x80}, {Error::Double, 0x84}, {Error::Single, 0x8C}});
    REQUIRE(bench.probe.read(0x80, 1, 0).ok());
    CHECK(bench.probe.data[0] == 0x55);
}

TEST_CASE("ecc: no direct memory while the checks are on") {
    Bench bench;
    tlm::tlm_generic_payload question;
    question.set_command(tlm::TLM_READ_COMMAND);
    question.set_address(0);
    tlm::tlm_dmi dmi;
    CHECK(bench.probe.port->get_direct_mem_ptr(question, dmi));
    bench.ram.set_checks(true);
    CHECK_FALSE(bench.probe.port->get_direct_mem_ptr(question, dmi));
}

TEST_CASE("ecc: after power-up, and after a debugger's write, data and check bits match") {
    Bench bench;
    bench.ram.set_checks(true);
    CHECK(bench.read(0x100) == 0xA5A5A5A5);
    bench.ram.set_checks(false);
    tlm::tlm_generic_payload store;
    std::uint8_t bytes[4] = {1, 2, 3, 4};
    store.set_command(tlm::TLM_WRITE_COMMAND);
    store.set_address(0x100);
    store.set_data_ptr(bytes);
    store.set_data_length(4);
    REQUIRE(bench.probe.port->transport_dbg(store) == 4);
    bench.ram.set_checks(true);
    CHECK(bench.read(0x100) == 0x04030201);
    CHECK(bench.errors.empty());
}
