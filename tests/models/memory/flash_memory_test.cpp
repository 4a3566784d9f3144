// SPDX-License-Identifier: Apache-2.0
// Flash in time: what a read costs beyond the core's own access, by hand and by a second model.
#include <doctest/doctest.h>

#include <cstdint>
#include <list>
#include <vector>

#include "memmap/chips/chips.h"
#include "models/chip/mcu/core_of_chip.h"

using namespace n6vp::models;

namespace {

constexpr double kHz = 100e6;
constexpr Picoseconds kCycle = 10'000;

struct FlashBench {
    explicit FlashBench(const FlashParameters& parameters)
        : flash("flash", 0x10000, kHz, parameters) {}
    /// Cycles of a read; those to its first beat in `first`.
    std::uint64_t read(std::uint32_t offset, unsigned bytes, bool instruction) {
        std::vector<std::uint8_t> data(bytes);
        tlm::tlm_generic_payload trans;
        trans.set_read();
        trans.set_data_ptr(data.data());
        trans.set_data_length(bytes);
        trans.set_streaming_width(bytes);
        Transfer with;
        with.instruction = instruction;
        with.waited = 77;  // of an access before
        const Picoseconds last = flash.serve(trans, offset, with, 0);
        REQUIRE(trans.is_response_ok());
        CHECK(with.waited == 0);  // one port, nobody to wait for
        CHECK(with.service == last);
        first = with.first_beat / kCycle;
        return last / kCycle;
    }
    FlashMemory flash;
    std::uint64_t first = 0;
};

const n6vp::memmap::Chip& chip(const char* name) {
    return *n6vp::memmap::find_chip(name);
}

/// Fully associative lines, the one used longest ago goes.
class LeastRecent {
  public:
    explicit LeastRecent(std::size_t lines) : lines_(lines) {}
    bool hit(std::uint32_t line) {
        for (auto at = held_.begin(); at != held_.end(); ++at) {
            if (*at != line) continue;
            held_.splice(held_.begin(), held_, at);
            return true;
        }
        held_.push_front(line);
        if (held_.size() > lines_) held_.pop_back();
        return false;
    }

  private:
    std::size_t lines_;
    std::list<std::uint32_t> held_;
};

}  // namespace

TEST_CASE("flash of the STM32L4R5: 128-bit reads, lines of ART, prefetch") {
    FlashBench bench(mcu_chip::parameters_of_chip(chip("stm32l4r5")).flash);
    bench.flash.set(mcu_chip::flash_setting(chip("stm32l4r5"), {0x605, 0, true}));
    CHECK(bench.read(0x100, 4, false) == 12);  // two reads of 5 + 1
    CHECK(bench.read(0x11C, 4, false) == 0);
    CHECK(bench.read(0x100, 32, true) == 12);  // code has lines of its own
    bench.flash.set(mcu_chip::flash_setting(chip("stm32l4r5"), {0x705, 0, true}));
    CHECK(bench.read(0x200, 32, true) == 6);  // the second read is hidden
    CHECK(bench.read(0x220, 32, true) == 0);
    // Two banks: four reads of 64 bits.
    bench.flash.set(mcu_chip::flash_setting(chip("stm32l4r5"), {0x605, 0, false}));
    CHECK(bench.read(0x300, 4, false) == 24);
    // Without lines each word of the array is read when it is needed.
    bench.flash.set(mcu_chip::flash_setting(chip("stm32l4r5"), {0x005, 0, true}));
    CHECK(bench.read(0x400, 4, false) == 6);
    CHECK(bench.read(0x404, 4, false) == 0);
    CHECK(bench.read(0x410, 4, false) == 6);
    CHECK(bench.read(0x400, 4, false) == 6);
}

TEST_CASE("flash of the STM32L4R5: 8 lines for data and 32 for code, against a second model") {
    FlashBench bench(mcu_chip::parameters_of_chip(chip("stm32l4r5")).flash);
    bench.flash.set(mcu_chip::flash_setting(chip("stm32l4r5"), {0x605, 0, true}));
    LeastRecent code(32), data(8);
    std::uint32_t random = 1, misses = 0;
    for (unsigned i = 0; i < 5000; ++i) {
        random = random * 1664525 + 1013904223;
        const bool instruction = (random >> 31) != 0;
        const std::uint32_t line = random >> 16 & (instruction ? 63 : 15);
        const bool hit = (instruction ? code : data).hit(line);
        misses += hit ? 0 : 1;
        CHECK(bench.read(line * 32, instruction ? 32 : 4, instruction) == (hit ? 0 : 12));
    }
    CHECK(misses > 1000);
    CHECK(misses < 4000);
}

TEST_CASE("flash of the STM32U575: one cache for code and data, by its ways") {
    FlashBench bench(mcu_chip::parameters_of_chip(chip("stm32u575")).flash);
    const auto set = [&bench](std::uint32_t icache) {
        bench.flash.set(mcu_chip::flash_setting(chip("stm32u575"), {0x004, icache, false}));
    };
    constexpr std::uint64_t kMiss = 4 + 1;  // wait states and the read itself
    set(5);                                 // two ways of 256 lines
    CHECK(bench.read(0x0000, 4, false) == kMiss);
    CHECK(bench.read(0x0000, 16, true) == 0);
    CHECK(bench.read(0x1000, 4, false) == kMiss);
    CHECK(bench.read(0x0000, 4, false) == 0);
    CHECK(bench.read(0x2000, 4, false) == kMiss);  // 0x1000 goes
    CHECK(bench.read(0x0000, 4, false) == 0);
    CHECK(bench.read(0x1000, 4, false) == kMiss);
    set(1);  // direct mapped, 512 lines
    CHECK(bench.read(0x0000, 4, false) == kMiss);
    CHECK(bench.read(0x1000, 4, false) == kMiss);
    CHECK(bench.read(0x0000, 4, false) == 0);
    CHECK(bench.read(0x2000, 4, false) == kMiss);
    CHECK(bench.read(0x0000, 4, false) == kMiss);
    CHECK(bench.read(0x0100, 32, true) == kMiss + kMiss);  // two lines
}

TEST_CASE("flash of the STM32F746: reads of 256 bits on a bus of 64, one cache for code and data") {
    FlashBench bench(mcu_chip::parameters_of_chip(chip("stm32f746")).flash);
    constexpr std::uint32_t kSevenWaitStates = 7, kArt = 1u << 9;
    bench.flash.set(mcu_chip::flash_setting(chip("stm32f746"), {kSevenWaitStates, 0, false}));
    // One read of the array; of a whole line three more beats follow the first.
    CHECK(bench.read(0x40, 4, false) == 8);
    CHECK(bench.read(0x60, 32, false) == 8 + 3);
    CHECK(bench.first == 8);
    CHECK(bench.read(0x90, 16, false) == 8 + 1);
    bench.flash.set(
        mcu_chip::flash_setting(chip("stm32f746"), {kSevenWaitStates | kArt, 0, false}));
    for (std::uint32_t line = 0; line < 64; ++line) {
        CAPTURE(line);
        const bool instruction = line % 2 != 0;
        CHECK(bench.read(line * 32 + 0x1000, 4, instruction) == 8 + 3);
        CHECK(bench.first == 8);
        CHECK(bench.read(line * 32 + 0x1000, 32, !instruction) == 0);
    }
    CHECK(bench.read(0x1000, 32, true) == 0);
    CHECK(bench.read(0x1000 + 64 * 32, 32, true) == 8 + 3);  // the 65th: the second goes
    CHECK(bench.read(0x1000, 32, true) == 0);
    CHECK(bench.read(0x1020, 32, true) == 8 + 3);
}

TEST_CASE("flash of the STM32H7: beats of a line fill") {
    FlashBench narrow(mcu_chip::parameters_of_chip(chip("stm32h7a3")).flash);
    narrow.flash.set(mcu_chip::flash_setting(chip("stm32h7a3"), {0x36, 0, false}));
    CHECK(narrow.read(0x40, 32, false) == 7 + 7 + 1);  // two reads of 128 bits, one more beat
    CHECK(narrow.first == 7);
    FlashBench wide(mcu_chip::parameters_of_chip(chip("stm32h743")).flash);
    wide.flash.set(mcu_chip::flash_setting(chip("stm32h743"), {0x32, 0, false}));
    CHECK(wide.read(0x40, 32, false) == 3 + 3);  // one read of 256 bits, three more beats
    CHECK(wide.first == 3);
}

TEST_CASE("caches of the Cortex-M7 by chip: 4 KB in the F7, 16 KB in the H7, as CCSIDR says") {
    struct Row {
        const char* name;
        double bytes;
    };
    for (const Row& row :
         {Row{"stm32f746", 4096}, Row{"stm32h743", 16384}, Row{"stm32h7a3", 16384}}) {
        CAPTURE(row.name);
        const auto cache = mcu_chip::parameters_of_chip(chip(row.name)).cache;
        CHECK(cache.dcache_bytes.value == row.bytes);
        CHECK(cache.icache_bytes.value == row.bytes);
        CHECK(cache.dcache_ways.value == 4);
        CHECK(cache.icache_ways.value == 2);
        CHECK(cache.fill_turnaround.value == 0);
        for (const Parameter* const each :
             {&cache.dcache_bytes, &cache.icache_bytes, &cache.dcache_ways, &cache.icache_ways})
            CHECK(each->confidence == Confidence::Documented);
        CHECK(cache.fill_turnaround.confidence == Confidence::Assumed);
        // CCSIDR: sets less one at 13, ways less one at 3, line of 4 << n words at 0.
        const auto core = mcu_chip::core_of_chip(chip(row.name)).core.system.core;
        const auto bytes = [](std::uint32_t ccsidr) {
            return ((ccsidr >> 13 & 0x7FFF) + 1) * ((ccsidr >> 3 & 0x3FF) + 1) *
                   (16u << (ccsidr & 7));
        };
        CHECK(bytes(core.ccsidr_data) == row.bytes);
        CHECK(bytes(core.ccsidr_instruction) == row.bytes);
    }
    CHECK(mcu_chip::parameters_of_chip(chip("stm32f746")).oscillators.hse.value == 25);
}
