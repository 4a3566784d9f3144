// SPDX-License-Identifier: Apache-2.0
// The NOR flash without a controller: what a command changes, how long it works, what it gives.
// Opcodes and sizes: data sheet of the MX66UW1G45G.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/memory/nor_flash.h"

using namespace n6vp::models;

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::uint32_t kSize = 1u << 20;
constexpr std::uint8_t kWip = 1, kWel = 2;

struct FlashBench {
    BackingStore cells{kSize, 0xFF};
    NorFlashParameters times;
    NorFlash nor{cells, times};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> changes;
    Picoseconds now = 1'000'000;

    FlashBench() {
        nor.on_change = [this](std::uint32_t offset, std::uint32_t bytes) {
            changes.emplace_back(offset, bytes);
        };
    }
    Bytes run(std::uint32_t opcode, std::uint32_t address = 0, const Bytes& written = {},
              unsigned count = 0) {
        SerialCommand command;
        command.instruction_phase = {1, 1, false};
        command.address_phase = {1, 4, false};
        command.instruction = opcode;
        command.address = address;
        nor.begin(command, now);
        for (const std::uint8_t byte : written) nor.write(byte);
        Bytes result;
        for (unsigned i = 0; i < count; ++i) result.push_back(nor.read(now));
        nor.end(now);
        return result;
    }
    std::uint8_t status() { return run(0x05, 0, {}, 1).front(); }
    void put(std::uint32_t at, std::uint8_t byte) { cells.write(at, &byte, 1); }
    std::uint8_t cell(std::uint32_t at) { return run(0x0C, at, {}, 1).front(); }
};

}  // namespace

TEST_CASE("NOR: what a command changes, and how long it works") {
    FlashBench bench;
    struct Row {
        std::uint32_t opcode, address;
        Bytes written;
        const Parameter* time;
        std::uint32_t start, bytes;
    };
    const NorFlashParameters& times = bench.times;
    const Row rows[] = {
        {0x12, 0x2FF, {0}, &times.page_program, 0x200, 256},
        {0x02, 0x300, {0}, &times.page_program, 0x300, 256},
        {0x20, 0x1FFF, {}, &times.sector_erase, 0x1000, 4096},
        {0x21, 0x2000, {}, &times.sector_erase, 0x2000, 4096},
        {0xD8, 0x1FFFF, {}, &times.block_erase, 0x10000, 65536},
        {0xDC, 0x20000, {}, &times.block_erase, 0x20000, 65536},
        {0x60, 0x123, {}, &times.chip_erase, 0, kSize},
        {0xC7, 0x123, {}, &times.chip_erase, 0, kSize},
        {0x12, kSize + 0x2FF, {0}, &times.page_program, 0x200, 256},  // behind the end: again
    };
    for (const Row& row : rows) {
        CAPTURE(row.opcode);
        CAPTURE(row.address);
        bench.changes.clear();
        bench.run(row.opcode, row.address, row.written);  // without WREN
        CHECK(bench.changes.empty());
        CHECK(bench.status() == 0);
        bench.run(0x06);
        CHECK(bench.status() == kWel);
        bench.run(0x04);
        bench.run(row.opcode, row.address, row.written);  // behind WRDI
        CHECK(bench.changes.empty());
        CHECK(bench.status() == 0);
        bench.run(0x06);
        const Picoseconds end = bench.now + static_cast<Picoseconds>(row.time->value * 1e6);
        bench.run(row.opcode, row.address, row.written);
        CHECK(bench.changes == decltype(bench.changes){{row.start, row.bytes}});
        CHECK(bench.nor.next_change(bench.now) == end);
        bench.now = end - 1;
        CHECK(bench.status() == (kWip | kWel));
        bench.run(0x04);  // not heard
        CHECK(bench.status() == (kWip | kWel));
        bench.now = end;
        CHECK(bench.nor.next_change(bench.now) == 0);
        CHECK(bench.status() == 0);
    }
}

TEST_CASE("NOR: an erase takes all of its cells, and none beside them") {
    struct Row {
        std::uint32_t opcode, address, first, behind;
    };
    const Row rows[] = {
        {0x20, 0x5123, 0x5000, 0x6000}, {0xD8, 0x35123, 0x30000, 0x40000}, {0xC7, 0, 0, kSize}};
    FlashBench bench;
    for (const Row& row : rows) {
        CAPTURE(row.opcode);
        const std::uint32_t before = (row.first - 1) % kSize, last = row.behind - 1;
        for (const std::uint32_t at : {before, row.first, row.address, last, row.behind % kSize})
            bench.put(at, 0x11);
        bench.run(0x06);
        bench.run(row.opcode, row.address);
        bench.now += 1'000'000'000'000'000;
        CHECK(bench.cell(row.first) == 0xFF);
        CHECK(bench.cell(row.address) == 0xFF);
        CHECK(bench.cell(last) == 0xFF);
        const bool all = row.opcode == 0xC7;
        CHECK(bench.cell(before) == (all ? 0xFF : 0x11));
        CHECK(bench.cell(row.behind % kSize) == (all ? 0xFF : 0x11));
    }
}

TEST_CASE("NOR: reads go on behind the end of the array, of the identification, of a register") {
    FlashBench bench;
    bench.put(kSize - 1, 0x12);
    bench.put(0, 0x34);
    for (const std::uint32_t opcode : {0x03u, 0x0Bu, 0x13u, 0x0Cu})
        CHECK(bench.run(opcode, kSize - 1, {}, 2) == Bytes{0x12, 0x34});
    CHECK(bench.run(0x9F, 0, {}, 4) == Bytes{0xC2, 0x81, 0x3B, 0xC2});
    CHECK(bench.run(0x05, 0, {}, 3) == Bytes{0, 0, 0});
    CHECK(bench.run(0x5A, 0, {}, 4) == Bytes{'S', 'F', 'D', 'P'});
    CHECK(bench.run(0x5A, 79 * 4 - 1, {}, 2) == Bytes{0xFF, 0xFF});
    CHECK(bench.run(0x5A, 79 * 4 - 4, {}, 2) == Bytes{0x21, 0xDC});
    // Each 0x100 addresses another byte of configuration register 2.
    for (const std::uint32_t at : {0x200u, 0x300u}) {
        bench.run(0x06);
        bench.run(0x72, at, {static_cast<std::uint8_t>(at >> 8)});
        CHECK(bench.status() == 0);
    }
    CHECK(bench.run(0x71, 0x200, {}, 2) == Bytes{2, 2});
    CHECK(bench.run(0x71, 0x300, {}, 1) == Bytes{3});
    CHECK(bench.run(0x71, 0x000, {}, 1) == Bytes{0});
}

TEST_CASE("NOR: the status register keeps its protection, WIP and WEL are not written") {
    FlashBench bench;
    bench.run(0x06);
    bench.run(0x01, 0, {0x3F});
    CHECK(bench.status() == (0x3C | kWip | kWel));
    bench.now += static_cast<Picoseconds>(bench.times.write_register.value * 1e6);
    CHECK(bench.status() == 0x3C);
    bench.run(0x06);
    bench.run(0x01);  // without a value nothing happens
    CHECK(bench.status() == (0x3C | kWel));
    bench.nor.power_on();
    CHECK(bench.status() == 0);
    // A reset ends what is under way, if its enabling is directly before it.
    bench.run(0x06);
    bench.run(0x20, 0);
    bench.run(0x66);
    CHECK(bench.status() == (kWip | kWel));
    bench.run(0x99);
    CHECK(bench.status() == (kWip | kWel));
    bench.run(0x66);
    bench.run(0x99);
    CHECK(bench.status() == 0);
}
