// SPDX-License-Identifier: Apache-2.0
// External interrupts in the three register layouts.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "memmap/chips/chips.h"
#include "models/soc/system/exti.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::memmap::find_chip;
using n6vp::test::kWord;

namespace {

/// Offsets of the device headers, typed a second time. `pending_fall` is the same register as
/// `pending` but on the U5.
struct Row {
    const char* chip;
    std::uint32_t imr, rtsr, ftsr, swier, pending, pending_fall;
    unsigned first;  ///< line of bit 0
};
constexpr Row kRows[] = {
    {"stm32l4r5", 0x00, 0x08, 0x0C, 0x10, 0x14, 0x14, 0},
    {"stm32l475", 0x20, 0x28, 0x2C, 0x30, 0x34, 0x34, 32},
    {"stm32u575", 0x80, 0x00, 0x04, 0x08, 0x0C, 0x10, 0},
    {"stm32f746", 0x00, 0x08, 0x0C, 0x10, 0x14, 0x14, 0},
    {"stm32h743", 0x80, 0x00, 0x04, 0x08, 0x88, 0x88, 0},
    {"stm32h743", 0x90, 0x20, 0x24, 0x28, 0x98, 0x98, 32},
    {"stm32h7a3", 0xA0, 0x40, 0x44, 0x48, 0xA8, 0xA8, 64},
};

struct ExtiBench {
    explicit ExtiBench(const char* chip) : exti(*find_chip(chip), "EXTI") {
        exti.on_interrupt = [this](unsigned line, bool level) { seen.emplace_back(line, level); };
    }
    void set(std::uint32_t offset, std::uint32_t value) {
        static_cast<void>(exti.write(offset, value, kWord, 0));
    }
    std::uint32_t get(std::uint32_t offset) { return exti.read(offset, 0).value; }

    Exti exti;
    std::vector<std::pair<unsigned, bool>> seen;
};

}  // namespace

TEST_CASE("mcu exti: a selected edge pends its line, a one clears it, the mask decides") {
    using Seen = std::vector<std::pair<unsigned, bool>>;
    for (const Row& row : kRows) {
        CAPTURE(row.chip);
        CAPTURE(row.first);
        ExtiBench bench(row.chip);
        const unsigned line = row.first + 5;
        bench.set(row.imr, 0);
        bench.exti.set_line(line, true);  // no edge selected
        CHECK(bench.get(row.pending) == 0);
        bench.exti.set_line(line, false);
        bench.set(row.rtsr, 1u << 5);
        bench.exti.set_line(line, true);
        CHECK(bench.get(row.pending) == 1u << 5);
        CHECK(bench.seen.empty());
        bench.set(row.imr, 1u << 5);
        CHECK(bench.seen == Seen{{line, true}});
        bench.set(row.pending, ~(1u << 5));
        CHECK(bench.get(row.pending) == 1u << 5);
        bench.set(row.pending, 1u << 5);
        CHECK(bench.get(row.pending) == 0);
        CHECK(bench.seen == Seen{{line, true}, {line, false}});
        bench.exti.set_line(line, false);  // the falling edge is not selected
        CHECK(bench.get(row.pending_fall) == 0);
        bench.set(row.rtsr, 0);
        bench.set(row.ftsr, 1u << 5);
        bench.exti.set_line(line, true);
        CHECK(bench.get(row.pending) == 0);
        bench.exti.set_line(line, false);
        CHECK(bench.get(row.pending_fall) == 1u << 5);
        CHECK(bench.seen.size() == 3);
        if (row.pending != row.pending_fall) CHECK(bench.get(row.pending) == 0);
        bench.set(row.pending_fall, 1u << 5);
        CHECK(bench.seen.back() == std::pair(line, false));
    }
}

TEST_CASE("mcu exti: software triggers a line once, until its pending flag is cleared") {
    for (const Row& row : kRows) {
        CAPTURE(row.chip);
        ExtiBench bench(row.chip);
        bench.set(row.imr, 2);
        bench.set(row.swier, 2);
        CHECK(bench.get(row.pending) == 2);
        CHECK(bench.get(row.swier) == 2);
        CHECK(bench.seen.size() == 1);
        bench.set(row.pending, 2);
        CHECK(bench.get(row.swier) == 0);
        CHECK(bench.seen.size() == 2);
        bench.set(row.swier, 2);
        CHECK(bench.get(row.pending) == 2);
        bench.exti.reset();
        CHECK(bench.get(row.pending) == 0);
        CHECK(bench.seen.back() == std::pair(row.first + 1, false));
    }
}

TEST_CASE("mcu exti: masks of direct lines out of reset, names, what is not modelled") {
    ExtiBench l4("stm32l4r5"), u5("stm32u575");
    CHECK(l4.get(0x00) == 0xFF820000);
    CHECK(l4.get(0x20) == 0xFFFFFF87);
    CHECK(u5.get(0x80) == 0);
    CHECK(l4.exti.read(0x14, 0).name == std::string("PR"));
    CHECK(u5.exti.read(0x10, 0).name == std::string("FPR"));
    CHECK(u5.exti.write(0x60, 5, kWord, 0).name == std::string("EXTICR"));
    CHECK(u5.get(0x60) == 5);
    CHECK_FALSE(l4.exti.read(0x04, 0).modelled);
    CHECK(l4.exti.read(0x00, 0).modelled);
}
