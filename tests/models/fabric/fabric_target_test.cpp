// SPDX-License-Identifier: Apache-2.0
// The bus asks memories that are bound to it without TLM in between: nothing must depend on whether
// something else, such as a monitor, stands before them.
#include <doctest/doctest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/fabric/bus.h"
#include "models/memory/sram.h"
#include "models/memory/xspi_memory.h"
#include "tests/models/traffic/bus_master.h"

using namespace n6vp;
using namespace n6vp::models;
using test::BusMaster;

namespace {

constexpr std::uint32_t kBytes = 0x4000;
constexpr std::uint32_t kDirect = 0x34000000, kBehindTlm = 0x35000000, kFlash = 0x70000000,
                        kFlashBehindTlm = 0x71000000;

/// Passes transactions on, by TLM.
struct Monitor : sc_core::sc_module {
    tlm_utils::simple_target_socket<Monitor> in;
    tlm_utils::simple_initiator_socket<Monitor> out;
    std::uint64_t seen = 0;

    explicit Monitor(const sc_core::sc_module_name& name) : sc_module(name), in("in"), out("out") {
        in.register_b_transport(this, &Monitor::pass);
    }
    void pass(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        ++seen;
        out->b_transport(trans, delay);
    }
};

struct Board {
    Board() {
        for (unsigned i = 0; i < 2; ++i) {
            masters[i].port.bind(bus.from[i]);
            for (unsigned t = 0; t < 4; ++t) bus.set_route(i, t, {10'000, 7500, 3000, 8});
        }
        bus.to[0].bind(ram.port);
        bus.to[1].bind(ram_monitor.in);
        ram_monitor.out.bind(other_ram.port);
        bus.to[2].bind(flash.port);
        bus.to[3].bind(flash_monitor.in);
        flash_monitor.out.bind(other_flash.port);
        for (unsigned t = 0; t < 4; ++t)
            bus.map(t, {GuestAddr{std::array{kDirect, kBehindTlm, kFlash, kFlashBehindTlm}[t]},
                        kBytes});
        bus.on_fault = [this](const AccessFault& fault) { faults.push_back(fault); };
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    /// The same burst to both, and that both answer alike.
    void compare(unsigned master, bool write, std::uint32_t offset, std::uint32_t bytes,
                 Picoseconds at, std::uint32_t direct, std::uint32_t behind) {
        CAPTURE(offset);
        CAPTURE(at);
        std::array<std::uint8_t, 64> one{}, other{};
        for (std::uint32_t i = 0; i < bytes; ++i)
            one[i] = other[i] = static_cast<std::uint8_t>(offset + i);
        const auto ask = [&](std::uint32_t base, std::array<std::uint8_t, 64>& data) {
            BusMaster& from = masters[master];
            return write ? from.write(base + offset, {data.data(), bytes}, at)
                         : from.read(base + offset, std::span(data.data(), bytes), at);
        };
        const BusMaster::Answer a = ask(direct, one), b = ask(behind, other);
        CHECK(a.status == b.status);
        CHECK(a.first == b.first);
        CHECK(a.last == b.last);
        CHECK(a.waited == b.waited);
        CHECK(a.holder == b.holder);
        CHECK(one == other);
    }
    Bus bus{"bus", 2, 4};
    Sram ram{"ram", kBytes, 400e6, {}}, other_ram{"other_ram", kBytes, 400e6, {}};
    XspiMemory flash{"flash", kBytes, 200e6, {}}, other_flash{"other_flash", kBytes, 200e6, {}};
    Monitor ram_monitor{"ram_monitor"}, flash_monitor{"flash_monitor"};
    std::array<BusMaster, 2> masters{BusMaster{"first"}, BusMaster{"second"}};
    std::vector<AccessFault> faults;
};

}  // namespace

TEST_CASE("a memory behind a monitor answers as one that the bus asks at once") {
    Board board;
    Picoseconds waited = 0;
    for (std::uint32_t i = 0; i < 600; ++i) {
        // Bursts of both masters meet, and some come into the past of others.
        const Picoseconds at = 1'000'000 + i * 9'000 - (i % 7 == 0 ? 40'000 : 0);
        const std::uint32_t offset = i * 40 % (kBytes - 64), bytes = i % 3 == 0 ? 64 : 8 + i % 5;
        board.compare(i % 2, i % 4 == 1, offset, bytes, at, kDirect, kBehindTlm);
        board.compare(i % 2, false, offset, bytes, at, kFlash, kFlashBehindTlm);
    }
    CHECK(board.ram_monitor.seen >= 600);
    CHECK(board.flash_monitor.seen >= 600);
    for (unsigned master = 0; master < 2; ++master) {
        for (const unsigned target : {0u, 2u}) {
            const Flow &one = board.bus.flow(master, target),
                       &other = board.bus.flow(master, target + 1);
            CHECK(one.reads == other.reads);
            CHECK(one.writes == other.writes);
            CHECK(one.bytes_read == other.bytes_read);
            CHECK(one.bytes_written == other.bytes_written);
            CHECK(one.waited == other.waited);
            CHECK(one.waited_for == other.waited_for);
            waited += one.waited;
        }
    }
    CHECK(waited > 0);
}

TEST_CASE("a refused write to flash takes both ways of the route, with and without TLM") {
    Board board;
    std::array<std::uint8_t, 8> data{};
    for (const std::uint32_t base : {kFlash, kFlashBehindTlm}) {
        const BusMaster::Answer answer = board.masters[0].write(base, data, 1'000'000);
        CHECK(answer.status == tlm::TLM_COMMAND_ERROR_RESPONSE);
        CHECK(answer.last == 1'000'000 + 10'000 + 7'500);
    }
    REQUIRE(board.faults.size() == 2);
    CHECK(board.faults[0].kind == AccessFault::Kind::ReadOnly);
    CHECK(board.faults[1].kind == AccessFault::Kind::ReadOnly);
}
