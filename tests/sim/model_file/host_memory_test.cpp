// SPDX-License-Identifier: Apache-2.0
// Memory of the host that stands in for a chip's: borders, refusals and what is recorded.
#include "sim/model_file/host_memory.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace n6vp;
using namespace n6vp::sim;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Kind = MemoryEvent::Kind;

/// 16 bytes of RAM, 8 of ROM behind them, 8 of RAM behind those; a hole; 16 bytes at the end.
struct Memory {
    HostMemory memory;
    loader::MemoryPort port;

    Memory() {
        memory.map({GuestAddr{0x1010}, 8}, 0xEE, false);
        memory.map({GuestAddr{0x1018}, 8}, 0x22);
        memory.map({GuestAddr{0x1000}, 16}, 0x11);
        memory.map({GuestAddr{0xFFFFFFF0}, 16});
        port = memory.port();
        memory.record(true);
    }
    bool read(std::uint32_t from, std::uint32_t bytes) {
        found.assign(bytes, 0xAA);
        return port.read(port.context, GuestAddr{from}, found.data(), bytes);
    }
    bool write(std::uint32_t to, const Bytes& bytes) {
        return port.write(port.context, GuestAddr{to}, bytes.data(),
                          static_cast<std::uint32_t>(bytes.size()));
    }
    bool copy(std::uint32_t to, std::uint32_t from, std::uint32_t bytes) {
        return port.copy(port.context, GuestAddr{to}, GuestAddr{from}, bytes);
    }
    bool clear(std::uint32_t to, std::uint32_t bytes) {
        return port.clear(port.context, GuestAddr{to}, bytes);
    }
    Bytes at(std::uint32_t from, std::uint32_t bytes) {
        CHECK(read(from, bytes));
        return found;
    }
    Bytes found;
};

AddressRange range(std::uint32_t start, std::uint32_t bytes) {
    return {GuestAddr{start}, bytes};
}

}  // namespace

TEST_CASE("host memory: mappings neither overlap nor wrap, and are in order") {
    Memory bench;
    HostMemory& memory = bench.memory;
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {
        {0x1000, 16}, {0x1010, 8}, {0x1018, 8}, {0xFFFFFFF0, 16}};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    found.reserve(expected.size());
    for (const AddressRange& one : memory.mappings())
        found.emplace_back(to_word(one.start), one.bytes);
    CHECK(found == expected);
    for (const AddressRange& wrong :
         {range(0x1000, 0), range(0xFFF, 2), range(0x101F, 1), range(0x1008, 4), range(0x1000, 16),
          range(0xF00, 0x400), range(0xFFFFFFE0, 17), range(0xFFFFFFFF, 2)}) {
        CHECK_THROWS_AS(memory.map(wrong), std::invalid_argument);
    }
    memory.map(range(0xFFF, 1));
    memory.map(range(0x1020, 1), 7);
    CHECK(bench.at(0x1020, 1) == Bytes{7});
    CHECK(memory.mappings().size() == 6);
}

TEST_CASE("host memory: reads go over borders and end at holes") {
    Memory bench;
    CHECK(bench.at(0x100E, 12) ==
          Bytes{0x11, 0x11, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0x22, 0x22});
    CHECK(bench.at(0xFFFFFFFF, 1) == Bytes{0});
    CHECK(bench.at(0x5000, 0).empty());
    CHECK_FALSE(bench.read(0xFFF, 1));
    CHECK_FALSE(bench.read(0x1020, 1));
    CHECK_FALSE(bench.read(0x101F, 2));
    CHECK_FALSE(bench.read(0xFFFFFFFF, 2));
    CHECK_FALSE(bench.read(0xFFF, 4));
    CHECK(bench.memory.events().empty());
    CHECK(bench.memory.accessible(range(0x1000, 32), false));
    CHECK_FALSE(bench.memory.accessible(range(0x1000, 32), true));
    CHECK(bench.memory.accessible(range(0x1000, 16), true));
    CHECK_FALSE(bench.memory.accessible(range(0x1000, 17), true));
    CHECK(bench.memory.accessible(range(0x1018, 8), true));
    CHECK_FALSE(bench.memory.accessible(range(0x1018, 9), false));
    CHECK(bench.memory.accessible(range(0x5000, 0), true));
    CHECK(bench.memory.accessible(range(0xFFFFFFF0, 16), true));
}

TEST_CASE("host memory: bytes of one mapping, stored ones also in read-only memory") {
    Memory bench;
    HostMemory& memory = bench.memory;
    const HostMemory& constant = memory;
    CHECK(memory.bytes(range(0x1010, 8)).size() == 8);
    CHECK(constant.bytes(range(0x1017, 1))[0] == 0xEE);
    CHECK_THROWS_AS((void)memory.bytes(range(0x1010, 9)), std::out_of_range);
    CHECK_THROWS_AS((void)constant.bytes(range(0x100F, 2)), std::out_of_range);
    CHECK_THROWS_AS((void)memory.bytes(range(0x1020, 1)), std::out_of_range);
    CHECK_THROWS_AS((void)constant.bytes(range(0xFFF, 1)), std::out_of_range);
    memory.store(GuestAddr{0x100F}, Bytes{1, 2, 3});
    CHECK(bench.at(0x100E, 5) == Bytes{0x11, 1, 2, 3, 0xEE});
    CHECK_THROWS_AS(memory.store(GuestAddr{0x101F}, Bytes{1, 2}), std::out_of_range);
    CHECK(bench.at(0x101F, 1) == Bytes{0x22});
    CHECK(memory.events().empty());
}

TEST_CASE("host memory: what is refused changes nothing, and is recorded as refused") {
    Memory bench;
    CHECK_FALSE(bench.write(0x100F, {1, 2}));
    CHECK_FALSE(bench.write(0x1010, {1}));
    CHECK_FALSE(bench.clear(0x100F, 2));
    CHECK_FALSE(bench.copy(0x1010, 0x1000, 4));
    CHECK_FALSE(bench.copy(0x1000, 0x1020, 1));
    CHECK_FALSE(bench.copy(0x100E, 0x1000, 4));
    CHECK(bench.at(0x1000, 16) == Bytes(16, 0x11));
    CHECK(bench.at(0x1010, 8) == Bytes(8, 0xEE));
    REQUIRE(bench.memory.events().size() == 6);
    for (const MemoryEvent& event : bench.memory.events()) CHECK(event.refused);
    CHECK(bench.memory.bytes_written() == 0);
}

TEST_CASE("host memory: writes, clears and copies with the phase that they are in") {
    Memory bench;
    CHECK(bench.write(0x1004, {0xEF, 0xBE, 0xAD, 0xDE, 0x55}));
    CHECK(bench.at(0x1003, 7) == Bytes{0x11, 0xEF, 0xBE, 0xAD, 0xDE, 0x55, 0x11});
    bench.port.enter(bench.port.context, loader::Phase::ReadOnlyCopy);
    CHECK(bench.write(0x1000, {0x34, 0x12}));
    CHECK(bench.clear(0x1018, 3));
    CHECK(bench.at(0x1017, 5) == Bytes{0xEE, 0, 0, 0, 0x22});
    CHECK(bench.copy(0x1008, 0x1010, 8));
    CHECK(bench.at(0x1008, 8) == Bytes(8, 0xEE));
    bench.port.maintain(bench.port.context, loader::CacheOp{}, GuestAddr{0x1000}, 32);
    const std::vector<MemoryEvent>& events = bench.memory.events();
    REQUIRE(events.size() == 6);
    CHECK(events[0].kind == Kind::Write);
    CHECK(events[0].address == GuestAddr{0x1004});
    CHECK(events[0].bytes == 5);
    CHECK(events[0].value == 0xDEADBEEF);
    CHECK(events[0].phase == loader::Phase::Checks);
    CHECK_FALSE(events[0].refused);
    CHECK(events[1].kind == Kind::Phase);
    CHECK(events[1].phase == loader::Phase::ReadOnlyCopy);
    CHECK(events[1].bytes == 0);
    CHECK(events[2].value == 0x1234);
    CHECK(events[2].bytes == 2);
    CHECK(events[2].phase == loader::Phase::ReadOnlyCopy);
    CHECK(events[3].kind == Kind::Clear);
    CHECK(events[3].address == GuestAddr{0x1018});
    CHECK(events[3].bytes == 3);
    CHECK(events[4].kind == Kind::Copy);
    CHECK(events[4].address == GuestAddr{0x1008});
    CHECK(events[4].from == GuestAddr{0x1010});
    CHECK(events[4].bytes == 8);
    CHECK(events[5].kind == Kind::Maintain);
    CHECK(events[5].address == GuestAddr{0x1000});
    CHECK(events[5].bytes == 32);
    CHECK(bench.memory.bytes_written() == 5 + 2 + 3 + 8);
    bench.memory.forget();
    CHECK(events.empty());
    bench.memory.record(false);
    CHECK(bench.write(0x1000, {1}));
    CHECK(events.empty());
    CHECK(bench.at(0x1000, 1) == Bytes{1});
}

TEST_CASE("host memory: bytes of a copy move in ascending order") {
    // What a loop of byte accesses does, for every distance and length.
    for (std::uint32_t from = 0; from < 8; ++from) {
        for (std::uint32_t to = 0; to < 8; ++to) {
            for (std::uint32_t bytes = 0; bytes <= 8; ++bytes) {
                Memory bench;
                Bytes expected;
                for (std::uint8_t i = 0; i < 16; ++i) expected.push_back(i);
                bench.memory.store(GuestAddr{0x1000}, expected);
                for (std::uint32_t i = 0; i < bytes; ++i) expected[to + i] = expected[from + i];
                CHECK(bench.copy(0x1000 + to, 0x1000 + from, bytes));
                CHECK(bench.at(0x1000, 16) == expected);
            }
        }
    }
}
