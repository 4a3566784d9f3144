// SPDX-License-Identifier: Apache-2.0
// On-chip RAM and the contents that all memories share.
#include <doctest/doctest.h>

#include <numeric>

#include "models/memory/sram.h"
#include "tests/models/probe.h"

using namespace n6vp;
using namespace n6vp::models;
using n6vp::test::Probe;

namespace {

struct Bench {
    explicit Bench(const SramParameters& parameters = {}, double hz = 400e6)
        : ram("ram", 256 * 1024, hz, parameters) {
        probe.port.bind(ram.port);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    Probe probe{"probe"};
    Sram ram;
};

}  // namespace

TEST_CASE("shape: a RAM burst takes one clock per beat") {
    Bench bench;
    for (const std::uint32_t beats : {1u, 2u, 4u, 8u, 16u}) {
        const Picoseconds start = Picoseconds{1'000'000} * beats;
        const Probe::Answer answer = bench.probe.read(0, beats * 8, start);
        CHECK(answer.ok());
        CHECK(answer.first == start + 2500);
        CHECK(answer.last == start + Picoseconds{2500} * beats);
    }
}

TEST_CASE("shape: an unaligned burst touches one beat more") {
    Bench bench;
    CHECK(bench.probe.read(4, 8, 0).last == 5000);
    CHECK(bench.probe.read(7, 1, 100'000).last == 102'500);
}

TEST_CASE("shape: back-to-back bursts reach 3.2 GB/s") {
    Bench bench;
    Picoseconds last = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) last = bench.probe.read(i * 64, 64, 0).last;
    CHECK(last == Picoseconds{64'000} * 1000 / 3200 * 1000);
    CHECK(bench.ram.statistics().bytes_read == 64'000);
    CHECK(bench.ram.statistics().reads == 1000);
}

TEST_CASE("timing: a busy port delays the next burst, an idle one does not") {
    Bench bench;
    bench.probe.read(0, 32, 0);  // busy until 10 ns
    CHECK(bench.probe.read(32, 8, 9'999).last == 12'500);
    CHECK(bench.ram.statistics().waited == 1);
    CHECK(bench.probe.read(32, 8, 12'500).last == 15'000);
    CHECK(bench.ram.statistics().waited == 1);
}

TEST_CASE("order: one port serves reads and writes in turn, two serve them together") {
    SramParameters single, twofold;
    twofold.separate_write_port.value = 1;
    Sram other("other", 4096, 400e6, twofold);
    Probe second("second");
    second.port.bind(other.port);
    Bench bench(single);
    bench.probe.read(0, 32, 0);
    CHECK(bench.probe.write(0, 32, 0).last == 20'000);
    second.read(0, 32, 0);
    CHECK(second.write(0, 32, 0).last == 10'000);
    CHECK(second.write(0, 32, 0).last == 20'000);
}

TEST_CASE("a RAM keeps what is written and shows its power-up pattern elsewhere") {
    Bench bench;
    bench.probe.data.resize(100);
    std::iota(bench.probe.data.begin(), bench.probe.data.end(), std::uint8_t{1});
    // Across a page border of the sparse store.
    CHECK(bench.probe.write(BackingStore::kBlockBytes - 50, 100, 0).ok());
    CHECK(bench.probe.read(BackingStore::kBlockBytes - 51, 102, 0).ok());
    CHECK(bench.probe.data.front() == 0xA5);
    CHECK(bench.probe.data.back() == 0xA5);
    for (std::uint32_t i = 0; i < 100; ++i) CHECK(bench.probe.data[i + 1] == i + 1);
    CHECK(bench.ram.contents().allocated_bytes() == std::uint64_t{2} * BackingStore::kBlockBytes);
}

TEST_CASE("byte enables move only what they enable") {
    Bench bench;
    bench.probe.data = {1, 2, 3, 4};
    bench.probe.enables = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
    CHECK(bench.probe.write(0, 4, 0).ok());
    bench.probe.enables.clear();
    CHECK(bench.probe.read(0, 4, 0).ok());
    CHECK(bench.probe.data == std::vector<std::uint8_t>{1, 0xA5, 3, 0xA5});
}

TEST_CASE("a burst that leaves the memory is refused and changes nothing") {
    Bench bench;
    bench.probe.data.assign(16, 0);
    CHECK(bench.probe.write(256 * 1024 - 8, 16, 0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(bench.probe.write(~std::uint64_t{7}, 16, 0).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(bench.probe.read(0, 0, 0).status == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(bench.ram.contents().allocated_bytes() == 0);
    CHECK(bench.probe.debug(tlm::TLM_READ_COMMAND, 256 * 1024 - 8, 16) == 8);
}

TEST_CASE("reset returns contents, time and statistics, and withdraws direct access") {
    Bench bench;
    bench.probe.data.assign(64, 0x11);
    bench.probe.write(0, 64, 0);
    bench.ram.reset();
    CHECK(bench.probe.invalidations == 1);
    CHECK(bench.ram.statistics().writes == 0);
    CHECK(bench.probe.read(0, 8, 0).last == 2500);
    CHECK(bench.probe.data == std::vector<std::uint8_t>(8, 0xA5));
    CHECK(bench.ram.contents().allocated_bytes() == 0);
}

TEST_CASE("128 MB of memory cost what is used of them") {
    BackingStore store(128 * 1024 * 1024, 0xFF);
    const std::uint8_t byte = 1;
    store.write(100 * 1024 * 1024, &byte, 1);
    std::vector<std::uint8_t> all(std::size_t{1024} * 1024);
    store.read(99 * 1024 * 1024 + 512 * 1024, all.data(), 1024 * 1024);
    CHECK(store.allocated_bytes() == BackingStore::kBlockBytes);
    CHECK(all[0x80000] == 1);
    CHECK(all[0x7FFFF] == 0xFF);
    CHECK(all.back() == 0xFF);
}
