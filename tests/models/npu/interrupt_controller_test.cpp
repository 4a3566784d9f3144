// SPDX-License-Identifier: Apache-2.0
#include "models/npu/control/interrupt_controller.h"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <random>

#include "memmap/npu/units.h"

namespace {

using namespace n6vp::models::npu;

/// The unit with its own offsets and bits, written from its description one bit at a time.
struct ReferenceInterrupts {
    std::array<bool, 32> latched{}, up{};
    std::array<std::uint32_t, 4> or_mask{}, and_mask{};
    bool enabled = false;

    ReferenceInterrupts() {
        or_mask.fill(0xFFFFFFFF);
        and_mask.fill(0xFFFFFFFF);
    }
    void latch() {
        for (std::size_t i = 0; i < 32; ++i) latched[i] = latched[i] || up[i];
    }
    void write(std::uint32_t offset, std::uint32_t value) {
        for (std::size_t i = 0; i < 32; ++i) {
            const bool one = (value >> i & 1) != 0;
            if (offset == 0x08) latched[i] = one;
            if (offset == 0x0C) latched[i] = latched[i] || one;
            if (offset == 0x10) latched[i] = latched[i] && !one;
        }
        if (offset == 0x00) enabled = (value & 1) != 0;
        if (offset >= 0x14 && offset < 0x24) or_mask[(offset - 0x14) / 4] = value;
        if (offset >= 0x24 && offset < 0x34) and_mask[(offset - 0x24) / 4] = value;
        latch();
    }
    struct Line {
        bool by_or, by_and;
    };
    [[nodiscard]] Line line(unsigned k) const {
        bool any = false, all = true, all_heard = false;
        for (std::size_t i = 0; i < 32; ++i) {
            if ((or_mask[k] >> i & 1) == 0 && latched[i]) any = true;
            if ((and_mask[k] >> i & 1) == 0) {
                all_heard = true;
                all = all && latched[i];
            }
        }
        return {enabled && any, enabled && all_heard && all};
    }
    [[nodiscard]] std::uint32_t word() const {
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 32; ++i) word |= (latched[i] ? 1u : 0u) << i;
        return word;
    }
};

struct Bench {
    RegisterFile registers{n6vp::memmap::npu::kIntctrl};
    InterruptController interrupts{registers};

    void write(std::uint32_t offset, std::uint32_t value) {
        const auto outcome = registers.write(offset, value);
        interrupts.written(*registers.find(offset), outcome);
    }
    [[nodiscard]] std::uint32_t latches() const { return registers.read(0x08); }
};

TEST_CASE("interrupt controller: a latch outlives its source and a source its clearing") {
    Bench bench;
    bench.interrupts.set_source(5, true);
    bench.interrupts.set_source(5, false);
    CHECK(bench.latches() == 1u << 5);
    bench.write(0x10, 1u << 5);
    CHECK(bench.latches() == 0);
    bench.interrupts.set_source(6, true);
    bench.write(0x10, 0xFFFFFFFF);
    CHECK(bench.latches() == 1u << 6);
    bench.interrupts.clear();
    CHECK(bench.latches() == 1u << 6);
    bench.interrupts.set_source(6, false);
    bench.interrupts.clear();
    CHECK(bench.latches() == 0);
    bench.write(0x0C, 0x80000001);
    CHECK(bench.latches() == 0x80000001);
    CHECK(bench.registers.read(0x0C) == 0);
    CHECK(bench.registers.read(0x10) == 0);
}

TEST_CASE("interrupt controller: the masks of the runtime, with and without epoch controller") {
    Bench bench;
    bench.write(0x00, 1);
    bench.write(0x14, 0x000003FF);
    bench.write(0x24, ~0x0000000Cu);  // waits for engines 2 and 3
    bench.interrupts.set_source(2, true);
    CHECK_FALSE(bench.interrupts.line(0));
    bench.interrupts.set_source(3, true);
    CHECK(bench.interrupts.line(0));
    CHECK(bench.interrupts.lines() == 1);
    bench.interrupts.set_source(2, false);
    bench.interrupts.set_source(3, false);
    CHECK(bench.interrupts.line(0));
    bench.write(0x10, 0x0000000C);
    CHECK_FALSE(bench.interrupts.line(0));
    bench.write(0x24, 0xFFFFFC00);
    bench.interrupts.set_source(28, true);
    CHECK(bench.interrupts.lines() == 1);
    bench.write(0x00, 0);
    CHECK(bench.interrupts.lines() == 0);
}

TEST_CASE("interrupt controller: one source on one line, every pair") {
    for (unsigned source = 0; source < 32; ++source) {
        for (unsigned line = 0; line < 4; ++line) {
            for (const std::uint32_t first : {0x14u, 0x24u}) {
                Bench bench;
                bench.write(0x00, 1);
                bench.write(first + 4 * line, ~(1u << source));
                CHECK(bench.interrupts.lines() == 0);
                bench.interrupts.set_source(source, true);
                CHECK(bench.interrupts.lines() == 1u << line);
                CHECK(bench.interrupts.line(line));
            }
        }
    }
}

TEST_CASE("interrupt controller: random accesses against a reference of single bits") {
    std::mt19937 random(4321);
    // Few bits, so that all of them are often up at once.
    const auto sparse = [&random] {
        const std::uint32_t bits = static_cast<std::uint32_t>(random());
        return bits & static_cast<std::uint32_t>(random());
    };
    int by_or = 0, by_and = 0, down = 0;
    for (int round = 0; round < 2000; ++round) {
        Bench bench;
        ReferenceInterrupts reference;
        for (int step = 0; step < 60; ++step) {
            if (random() % 3 == 0) {
                const unsigned source = random() % 32;
                const bool level = random() % 2 == 0;
                bench.interrupts.set_source(source, level);
                reference.up[source] = level;
                reference.latch();
            } else {
                constexpr std::uint32_t kOffsets[] = {0x00, 0x08, 0x0C, 0x0C, 0x10, 0x14, 0x18,
                                                      0x1C, 0x20, 0x24, 0x28, 0x2C, 0x30};
                const std::uint32_t offset = kOffsets[random() % 13];
                std::uint32_t value = sparse();
                if (offset >= 0x14) value = ~(value & sparse());
                if (offset == 0) value = random() % 4 == 0 ? 0 : 1;
                bench.write(offset, value);
                reference.write(offset, value);
            }
            REQUIRE(bench.latches() == reference.word());
            for (unsigned k = 0; k < 4; ++k) {
                const ReferenceInterrupts::Line line = reference.line(k);
                REQUIRE(bench.interrupts.line(k) == (line.by_or || line.by_and));
                by_or += line.by_or && !line.by_and ? 1 : 0;
                by_and += line.by_and && !line.by_or ? 1 : 0;
                down += line.by_or || line.by_and ? 0 : 1;
            }
        }
    }
    CHECK(by_or > 1000);
    CHECK(by_and > 1000);
    CHECK(down > 1000);
}

}  // namespace
