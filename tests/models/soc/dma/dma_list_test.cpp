// SPDX-License-Identifier: Apache-2.0
// GPDMA and HPDMA: linked lists, requests of peripherals, priorities, access rights.
#include <random>

#include "tests/models/soc/dma/dma_bench.h"

using namespace n6vp::models;
using n6vp::test::DmaBench;
using n6vp::test::kNs;
using Bytes = std::vector<std::uint8_t>;

namespace {

// CLLR: update bits.
constexpr std::uint32_t kBr1 = 1u << 29, kSar = 1u << 28, kDar = 1u << 27, kLlr = 1u << 16;
constexpr std::uint32_t kItem = kBr1 | kSar | kDar | kLlr;

/// Four words of an item: CBR1, CSAR, CDAR, CLLR.
void put_item(DmaBench& bench, std::uint32_t at, std::uint32_t bytes, std::uint32_t number,
              std::uint32_t next) {
    bench.memory.put_words(DmaBench::kList + at, {bytes, DmaBench::kSource + 0x100 * number,
                                                  DmaBench::kDest + 0x100 * number, next});
    bench.memory.put(DmaBench::kSource + 0x100 * number,
                     Bytes(bytes, static_cast<std::uint8_t>(0x11 * (number + 1))));
}

/// As HAL starts a list: no data in the registers, CLBAR, CLLR, EN.
void start_list(DmaBench& bench, unsigned channel, std::uint32_t mode, std::uint32_t control = 0) {
    bench.program(channel, DmaBench::kWords | DmaBench::kBoth, DmaBench::kSoftware | mode << 30, 0);
    bench.set(DmaBench::at(channel, 0x00), DmaBench::kList);
    bench.set(DmaBench::at(channel, 0x7C), kItem | 0x100);
    bench.enable(channel, control);
}

}  // namespace

TEST_CASE("DMA list: three items, the last one ends it") {
    DmaBench bench;
    put_item(bench, 0x100, 8, 0, kItem | 0x200);
    put_item(bench, 0x200, 4, 1, kItem | 0x300);
    put_item(bench, 0x300, 8, 2, 0);
    start_list(bench, 0, 3);
    DmaBench::pass_ns(159);
    // 20 ns from EN, 40 ns to the item, which takes 100 ns: nothing is copied yet.
    REQUIRE(bench.memory.seen.size() == 1);
    CHECK(bench.memory.seen[0].at == 60 * kNs);
    CHECK(bench.memory.seen[0].bytes == 16);
    CHECK(bench.memory.seen[0].address == DmaBench::kList + 0x100);
    DmaBench::pass_ns(600);
    CHECK(bench.status(0) == 0);  // events at the end of the list only
    DmaBench::pass_ns(10'000);
    CHECK(bench.status(0) == (1 | DmaBench::kComplete | DmaBench::kHalf));
    CHECK(bench.memory.get(DmaBench::kDest, 8) == Bytes(8, 0x11));
    CHECK(bench.memory.get(DmaBench::kDest + 0x100, 4) == Bytes(4, 0x22));
    CHECK(bench.memory.get(DmaBench::kDest + 0x200, 8) == Bytes(8, 0x33));
}

TEST_CASE("DMA list: a circular list tells each lap and goes on") {
    DmaBench bench;
    put_item(bench, 0x100, 4, 0, kItem | 0x200);
    put_item(bench, 0x200, 4, 1, kItem | 0x100);
    start_list(bench, 5, 0, 1u << 8);
    unsigned laps = 0;
    for (unsigned i = 0; i < 1000; ++i) {
        DmaBench::pass_ns(20);
        if (!bench.lines[5]) continue;
        ++laps;
        bench.set(DmaBench::at(5, 0x0C), 0x7F00);
        CHECK_FALSE(bench.lines[5]);
    }
    // An item takes a load of 100 ns, two accesses, two grants and two times 40 ns of linking:
    // 20 us hold about 50.
    CHECK(laps > 40);
    CHECK(laps < 60);
    CHECK((bench.get(DmaBench::at(5, 0x14)) & 1) == 1);
    CHECK((bench.status(5) & 1) == 0);
}

TEST_CASE("DMA list: events of each item come after the load of the next") {
    DmaBench bench;
    put_item(bench, 0x100, 4, 0, kItem | 0x200);
    put_item(bench, 0x200, 4, 1, 0);
    start_list(bench, 0, 2);
    // The registers hold no data, but the load of the first item is an event: 20 + 40 + 100 ns.
    DmaBench::pass_ns(159);
    CHECK((bench.status(0) & DmaBench::kComplete) == 0);
    DmaBench::pass_ns(1);
    CHECK((bench.status(0) & DmaBench::kComplete) != 0);
}

TEST_CASE("DMA list: step by step") {
    DmaBench bench;
    put_item(bench, 0x100, 4, 0, kItem | 0x200);
    put_item(bench, 0x200, 4, 1, 0);
    start_list(bench, 0, 0, 1u << 16);
    DmaBench::pass_ns(1'000);
    CHECK(bench.memory.seen.size() == 1);
    CHECK(bench.status(0) == 1);
    CHECK(bench.get(DmaBench::at(0, 0x48)) == 4);
    bench.enable(0, 1u << 16);
    DmaBench::pass_ns(1'000);
    CHECK(bench.memory.get(DmaBench::kDest, 4) == Bytes(4, 0x11));
    CHECK(bench.memory.seen.size() == 4);
    CHECK(bench.get(DmaBench::at(0, 0x7C)) == 0);
}

TEST_CASE("DMA list: a block that no item replaces is repeated without end") {
    DmaBench bench;
    bench.program(0, DmaBench::kWords, DmaBench::kSoftware, 4);
    bench.set(DmaBench::at(0, 0x7C), 0x40);  // an address, no updates
    bench.enable(0);
    DmaBench::pass_ns(10'000);
    CHECK((bench.get(DmaBench::at(0, 0x14)) & 1) == 1);
    CHECK(bench.memory.seen.size() > 20);
}

TEST_CASE("DMA hangs on an endless list without data: it takes simulated time") {
    DmaBench bench;
    bench.program(0, DmaBench::kWords, DmaBench::kSoftware, 0);
    bench.set(DmaBench::at(0, 0x7C), 0x40);
    bench.enable(0);
    DmaBench::pass_ns(100'000);
    CHECK((bench.get(DmaBench::at(0, 0x14)) & 1) == 1);
    CHECK(bench.memory.seen.empty());
}

TEST_CASE("DMA request: one burst for each time a source asks") {
    DmaBench bench;
    constexpr unsigned kLine = 107;
    bench.memory.put(DmaBench::kSource, {1, 2, 3, 4});
    bench.program(2, 1u << 19, kLine, 3);  // bytes from one address
    bench.enable(2);
    DmaBench::pass_ns(1'000);
    CHECK(bench.memory.seen.empty());
    for (std::size_t burst = 1; burst <= 3; ++burst) {
        bench.requests.set(kLine, true, DmaBench::now());
        DmaBench::pass_ns(50);
        bench.requests.set(kLine, false, DmaBench::now());
        DmaBench::pass_ns(1'000);
        CHECK(bench.memory.seen.size() == 2 * burst);
    }
    CHECK(bench.status(2) == (1 | DmaBench::kComplete | DmaBench::kHalf));
    CHECK(bench.memory.get(DmaBench::kDest, 3) == Bytes(3, 1));
}

TEST_CASE("DMA request: a destination asks for each burst, the FIFO is filled before") {
    DmaBench bench;
    constexpr unsigned kLine = 108, kDestAsks = 1u << 10;
    bench.memory.put(DmaBench::kSource, {1, 2, 3, 4});
    bench.program(0, 1u << 3, kLine | kDestAsks, 4);
    bench.enable(0);
    DmaBench::pass_ns(1'000);
    CHECK(bench.memory.seen.empty());
    bench.requests.set(kLine, true, DmaBench::now());
    DmaBench::pass_ns(250);
    bench.requests.set(kLine, false, DmaBench::now());
    DmaBench::pass_ns(2'000);
    // All four bytes are read, one is written.
    CHECK(bench.memory.seen.size() == 5);
    CHECK(bench.get(DmaBench::at(0, 0x48)) == 0);
    CHECK(bench.status(0) == 3u << 16);
    CHECK(bench.memory.bytes[DmaBench::kDest] == 1);
}

TEST_CASE("DMA request: a block for each request") {
    DmaBench bench;
    constexpr unsigned kLine = 13, kBlock = 1u << 11;
    bench.program(0, DmaBench::kWords | DmaBench::kBoth, kLine | kBlock, 16);
    bench.enable(0);
    bench.requests.set(kLine, true, DmaBench::now());
    DmaBench::pass_ns(50);
    bench.requests.set(kLine, false, DmaBench::now());
    DmaBench::pass_ns(5'000);
    CHECK(bench.memory.seen.size() == 8);
    CHECK(bench.status(0) == (1 | DmaBench::kComplete | DmaBench::kHalf));
}

TEST_CASE("DMA request: one that comes ahead of time is served at its time") {
    DmaBench bench;
    bench.program(0, 0, 1, 1);
    bench.enable(0);
    bench.requests.set(1, true, 700 * kNs);
    DmaBench::pass_ns(2'000);
    REQUIRE(bench.memory.seen.size() == 2);
    CHECK(bench.memory.seen[0].at == 700 * kNs);
}

TEST_CASE("DMA priorities: the highest goes first, the others share by their weights") {
    DmaBench bench;
    const auto count = [&bench](std::uint32_t source) {
        std::size_t accesses = 0;
        for (const auto& each : bench.memory.seen) accesses += each.address == source ? 1 : 0;
        return accesses;
    };
    const auto start = [&bench](unsigned channel, std::uint32_t priority) {
        bench.program(channel, DmaBench::kWords, DmaBench::kSoftware, 0xFFFC);
        bench.set(DmaBench::at(channel, 0x4C), 0x1000 + 0x100 * channel);
        bench.enable(channel, priority << 22);
    };
    for (const unsigned channel : {0u, 1u, 2u}) start(channel, channel);
    DmaBench::pass_ns(140'000);
    const std::size_t low = count(0x1000), mid = count(0x1100), high = count(0x1200);
    // Weights 1, 2 and 4, of which each burst has a read and a write.
    CHECK(high > mid);
    CHECK(mid > low);
    CHECK(low > 0);
    bench.memory.seen.clear();
    start(3, 3);
    DmaBench::pass_ns(10'000);
    // A channel on one port leaves gaps of two grants for others.
    CHECK(count(0x1300) > count(0x1200));
}

TEST_CASE("DMA priorities: a reset forgets which channel was served last") {
    DmaBench bench;
    const auto first = [&bench](std::initializer_list<unsigned> channels) {
        bench.memory.seen.clear();
        for (const unsigned channel : channels) {
            bench.program(channel, DmaBench::kWords, DmaBench::kSoftware, 4);
            bench.set(DmaBench::at(channel, 0x4C), 0x1000 + 0x100 * channel);
            bench.enable(channel);
        }
        DmaBench::pass_ns(5'000);
        REQUIRE(bench.memory.seen.size() == 2 * channels.size());
        return bench.memory.seen[0].address;
    };
    CHECK(first({0, 1}) == 0x1000);
    // Of two that ask at once the one that has waited longer goes first.
    CHECK(first({0}) == 0x1000);
    CHECK(first({0, 1}) == 0x1100);
    CHECK(first({0}) == 0x1000);
    bench.dma.reset();
    CHECK(first({0, 1}) == 0x1000);
}

TEST_CASE("DMA rights: attributes of a channel on the bus") {
    DmaBench bench(dma::Controller::Kind::HighPerformance);
    constexpr std::uint32_t kSourceSecure = 1u << 15, kDestSecure = 1u << 31;
    const auto run = [&bench](unsigned channel, std::uint32_t more) {
        bench.memory.seen.clear();
        bench.program(channel, DmaBench::kWords | more, DmaBench::kSoftware, 4);
        bench.enable(channel);
        DmaBench::pass_ns(1'000);
        REQUIRE(bench.memory.seen.size() == 2);
    };
    run(0, kSourceSecure | kDestSecure);
    CHECK_FALSE(bench.memory.seen[0].secure);
    CHECK_FALSE(bench.memory.seen[0].privileged);
    CHECK(bench.memory.seen[0].compartment == 0);
    bench.set(0x00, 1u << 4);
    bench.set(0x04, 1u << 4);
    bench.set(DmaBench::at(4, 0x04), 1u | 5u << 4);
    run(4, kSourceSecure);
    CHECK(bench.memory.seen[0].secure);
    CHECK_FALSE(bench.memory.seen[1].secure);
    CHECK(bench.memory.seen[1].privileged);
    CHECK(bench.memory.seen[1].compartment == 5);
    // A channel that becomes non-secure loses SSEC and DSEC.
    CHECK((bench.get(DmaBench::at(4, 0x40)) & kSourceSecure) != 0);
    bench.set(0x00, 0);
    CHECK((bench.get(DmaBench::at(4, 0x40)) & kSourceSecure) == 0);
}

TEST_CASE("DMA rights: registers of a channel, and its flags") {
    DmaBench bench(dma::Controller::Kind::HighPerformance);
    bench.set(0x00, 1u << 4);
    bench.set(0x04, 1u << 5);
    bench.set(DmaBench::at(6, 0x04), 1u | 2u << 4);
    const auto passes = [&bench](std::uint32_t offset, bool secure, bool privileged,
                                 std::uint8_t compartment = 1, bool write = true) {
        Transfer transfer;
        transfer.secure = secure;
        transfer.privileged = privileged;
        transfer.compartment = compartment;
        return bench.dma.guard().passes(transfer, {offset, 4, write, 0});
    };
    CHECK(passes(DmaBench::at(3, 0x40), false, false));
    CHECK_FALSE(passes(DmaBench::at(4, 0x40), false, true));
    CHECK(passes(DmaBench::at(4, 0x40), true, false));
    CHECK_FALSE(passes(DmaBench::at(5, 0x40), true, false));
    CHECK_FALSE(passes(DmaBench::at(6, 0x40), true, true));
    CHECK(passes(DmaBench::at(6, 0x40), true, true, 2));
    CHECK(passes(DmaBench::at(6, 0x04), true, true));
    CHECK_FALSE(passes(0x00, false, true));
    CHECK(passes(0x00, false, true, 1, false));
    CHECK_FALSE(passes(0x10, false, true, 1, false));
    // A locked bit stays.
    bench.set(0x08, 1u << 4);
    bench.set(0x00, 0);
    CHECK(bench.get(0x00) == 1u << 4);
    // Flags of secure channels are in SMISR.
    for (const unsigned channel : {3u, 4u}) {
        bench.program(channel, DmaBench::kWords, DmaBench::kSoftware, 4);
        bench.enable(channel, 1u << 8);
    }
    DmaBench::pass_ns(2'000);
    CHECK(bench.get(0x0C) == 1u << 3);
    CHECK(bench.get(0x10) == 1u << 4);
}

TEST_CASE("DMA: triggers without a source, flow control, semaphores: named as not modelled") {
    DmaBench bench(dma::Controller::Kind::HighPerformance);
    CHECK(bench.set(DmaBench::at(0, 0x44), DmaBench::kSoftware));
    CHECK_FALSE(bench.set(DmaBench::at(0, 0x44), DmaBench::kSoftware | 1u << 24));
    CHECK_FALSE(bench.set(DmaBench::at(0, 0x44), 1u << 12));
    CHECK_FALSE(bench.set(DmaBench::at(0, 0x08), 1));
    CHECK_FALSE(bench.dma.read(0x900, 0).modelled);
    CHECK(std::string(bench.dma.read(DmaBench::at(15, 0x7C), 0).name) == "C15LLR");
}

TEST_CASE("DMA: any values in the registers take simulated time and end the test") {
    DmaBench bench(dma::Controller::Kind::HighPerformance);
    std::mt19937 random(1);
    for (unsigned round = 0; round < 40; ++round) {
        for (unsigned channel = 0; channel < 16; ++channel) {
            for (std::uint32_t offset = 0; offset < 0x80; offset += 4)
                bench.set(DmaBench::at(channel, offset), static_cast<std::uint32_t>(random()));
            bench.enable(channel);
        }
        bench.requests.set(static_cast<unsigned>(random() % 256), true, DmaBench::now());
        DmaBench::pass_ns(2'000);
    }
    for (const auto& access : bench.memory.seen) CHECK(access.bytes <= 64);
    bench.dma.reset();
    const std::size_t before = bench.memory.seen.size();
    DmaBench::pass_ns(10'000);
    CHECK(bench.memory.seen.size() == before);
}

TEST_CASE("DMA rights: registers of the unit, reading and writing apart") {
    DmaBench bench(dma::Controller::Kind::HighPerformance);
    const auto passes = [&bench](std::uint32_t offset, bool secure, bool privileged, bool write,
                                 std::uint8_t compartment = 1) {
        Transfer transfer;
        transfer.secure = secure;
        transfer.privileged = privileged;
        transfer.compartment = compartment;
        return bench.dma.guard().passes(transfer, {offset, 4, write, 0});
    };
    for (const bool secure : {false, true}) {
        for (const bool privileged : {false, true}) {
            for (const bool write : {false, true}) {
                CAPTURE(secure);
                CAPTURE(privileged);
                CAPTURE(write);
                for (const std::uint32_t part : {0u, 1u, 3u}) {  // bytes of a register, too
                    CHECK(passes(0x00 + part, secure, privileged, write) == (!write || secure));
                    CHECK(passes(0x08 + part, secure, privileged, write) == (!write || secure));
                    CHECK(passes(0x04 + part, secure, privileged, write) == (!write || privileged));
                    CHECK(passes(0x10 + part, secure, privileged, write) == secure);
                    CHECK(passes(0x0C + part, secure, privileged, write));
                }
                // Open channels, and what is behind the last one.
                for (const unsigned channel : {0u, 15u})
                    CHECK(passes(DmaBench::at(channel, 0x40), secure, privileged, write));
                CHECK(passes(DmaBench::at(16, 0x00), secure, privileged, write));
            }
        }
    }
    // Isolated: CID filtering without and with a semaphore; only CID 1 changes it, all read it.
    bench.set(DmaBench::at(2, 0x04), 1u | 3u << 4);
    bench.set(DmaBench::at(7, 0x04), 3u | 3u << 4);
    for (std::uint8_t compartment = 0; compartment < 7; ++compartment) {
        CAPTURE(static_cast<unsigned>(compartment));
        for (const bool write : {false, true}) {
            CHECK(passes(DmaBench::at(2, 0x40), true, true, write, compartment) ==
                  (compartment == 3));
            CHECK(passes(DmaBench::at(7, 0x40), true, true, write, compartment));
            for (const unsigned channel : {2u, 7u, 9u})
                CHECK(passes(DmaBench::at(channel, 0x04), true, true, write, compartment) ==
                      (!write || compartment == 1));
        }
    }
}
