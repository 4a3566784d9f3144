// SPDX-License-Identifier: Apache-2.0
// Random numbers, pins, watchdog.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "memmap/chips/chips.h"
#include "models/soc/crypto/rng.h"
#include "models/soc/system/gpio.h"
#include "models/soc/timers/iwdg.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::memmap::find_chip;
using n6vp::test::kMicrosecond;
using n6vp::test::kWord;

namespace {

void set(RegisterBlock& block, std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
    static_cast<void>(block.write(offset, value, kWord, at));
}
std::uint32_t get(RegisterBlock& block, std::uint32_t offset, Picoseconds at = 0) {
    return block.read(offset, at).value;
}

}  // namespace

TEST_CASE("mcu rng: DRDY follows RNGEN and each word, both ways") {
    Rng rng("rng", "RNG");
    CHECK(get(rng, 0x04, 100 * kMicrosecond) == 0);
    CHECK(get(rng, 0x08, 100 * kMicrosecond) == 0);
    set(rng, 0x00, 1u << 2, 100 * kMicrosecond);
    CHECK(get(rng, 0x04, 120 * kMicrosecond - 1) == 0);
    CHECK(get(rng, 0x08, 120 * kMicrosecond - 1) == 0);
    CHECK(get(rng, 0x04, 120 * kMicrosecond) == 1);
    // Published first values of SplitMix64 from seed 1234567, upper halves.
    CHECK(get(rng, 0x08, 120 * kMicrosecond) == 6'457'827'717'110'365'317u >> 32);
    CHECK(get(rng, 0x04, 120 * kMicrosecond) == 0);
    CHECK(get(rng, 0x04, 140 * kMicrosecond) == 1);
    CHECK(get(rng, 0x08, 140 * kMicrosecond) == 3'203'168'211'198'807'973u >> 32);
    CHECK(get(rng, 0x08, 160 * kMicrosecond) == 9'817'491'932'198'370'423u >> 32);
    set(rng, 0x00, 0, 200 * kMicrosecond);
    CHECK(get(rng, 0x04, 900 * kMicrosecond) == 0);
    set(rng, 0x00, 1u << 30, 900 * kMicrosecond);
    CHECK(get(rng, 0x00, 900 * kMicrosecond) == 1u << 30);
    set(rng, 0x00, 0, 900 * kMicrosecond);
    CHECK(get(rng, 0x00, 900 * kMicrosecond) == 0);
    rng.reset();
    set(rng, 0x00, 1u << 2);
    CHECK(get(rng, 0x08, 20 * kMicrosecond) == 6'457'827'717'110'365'317u >> 32);
    CHECK_FALSE(rng.write(0x00, 1u << 3, kWord, 0).modelled);
}

TEST_CASE("mcu gpio: pins of the debug port out of reset") {
    Gpio a(*find_chip("stm32l4r5"), "GPIOA"), c(*find_chip("stm32u575"), "GPIOC");
    Gpio f7(*find_chip("stm32f746"), "GPIOB");
    CHECK(get(a, 0x00) == 0xABFFFFFF);
    CHECK(get(a, 0x0C) == 0x64000000);
    CHECK(get(c, 0x00) == 0xFFFFFFFF);
    CHECK(get(f7, 0x00) == 0x280);
    CHECK(get(f7, 0x0C) == 0x100);
}

TEST_CASE("mcu gpio: outputs by ODR, BSRR and BRR, inputs by the board and by pulls") {
    Gpio port(*find_chip("stm32l4r5"), "GPIOF");
    std::vector<std::uint16_t> levels;
    port.on_output = [&](std::uint16_t level, Picoseconds) { levels.push_back(level); };
    set(port, 0x18, 1u << 13);
    CHECK(get(port, 0x14) == 1u << 13);
    CHECK(get(port, 0x10) == 0);  // still analog
    CHECK(levels.empty());
    set(port, 0x00, 0xFFFFFFFF & ~(2u << 26));
    CHECK(get(port, 0x10) == 1u << 13);
    CHECK(levels == std::vector<std::uint16_t>{1u << 13});
    set(port, 0x18, 1u << 29);
    CHECK(get(port, 0x14) == 0);
    set(port, 0x18, 1u << 29 | 1u << 13);  // setting wins
    CHECK(get(port, 0x14) == 1u << 13);
    set(port, 0x28, 1u << 13);
    CHECK(get(port, 0x10) == 0);
    CHECK(levels == std::vector<std::uint16_t>{1u << 13, 0, 1u << 13, 0});
    CHECK(get(port, 0x18) == 0);

    set(port, 0x00, 0);  // all inputs
    CHECK(get(port, 0x10) == 0);
    port.set_inputs(0x0005, 0x0007);
    CHECK(get(port, 0x10) == 0x0005);
    set(port, 0x0C, 1u << 2 | 1u << 6);  // pull-ups of pins 1 and 3; the board holds pin 1 low
    CHECK(get(port, 0x10) == 0x000D);
    set(port, 0x00, 3u);  // pin 0 analog
    CHECK(get(port, 0x10) == 0x000C);
}

TEST_CASE("mcu gpio: the lock needs its sequence and then holds until reset") {
    Gpio port(*find_chip("stm32f746"), "GPIOC");
    constexpr std::uint32_t kKey = 1u << 16;
    set(port, 0x1C, kKey | 2);
    set(port, 0x1C, 2);
    set(port, 0x1C, kKey | 3);  // other pins: the sequence is broken
    CHECK((get(port, 0x1C) & kKey) == 0);
    set(port, 0x00, 0xC);
    CHECK(get(port, 0x00) == 0xC);
    set(port, 0x1C, kKey | 2);
    set(port, 0x1C, 2);
    set(port, 0x1C, kKey | 2);
    CHECK(get(port, 0x1C) == (kKey | 2));
    set(port, 0x00, 0x11);
    CHECK(get(port, 0x00) == 0x1D);  // pin 1 stays analog
    set(port, 0x20, 0xFF);
    CHECK(get(port, 0x20) == 0x0F);
    port.reset();
    set(port, 0x00, 0x10);
    CHECK(get(port, 0x00) == 0x10);
}

TEST_CASE("timing: the watchdog resets at the end of its count, not if it is reloaded") {
    Iwdg dog("dog", "IWDG");
    std::vector<Picoseconds> resets;
    dog.on_reset = [&] { resets.push_back(sc_core::sc_time_stamp().value()); };
    const auto run_until = [](Picoseconds at) { sc_core::sc_start(delay_until(at)); };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    CHECK(get(dog, 0x08) == 0xFFF);
    set(dog, 0x08, 99);  // locked
    CHECK(get(dog, 0x08) == 0xFFF);
    CHECK(get(dog, 0x0C) == 0);
    set(dog, 0x00, 0x5555);
    set(dog, 0x04, 3);  // LSI / 32: 1 ms a step
    set(dog, 0x08, 99);
    CHECK(get(dog, 0x0C) == 3);
    CHECK(get(dog, 0x0C, 625 * kMicrosecond - 1) == 3);
    CHECK(get(dog, 0x0C, 625 * kMicrosecond) == 0);
    set(dog, 0x00, 0xCCCC);
    run_until(90'000 * kMicrosecond);
    set(dog, 0x00, 0xAAAA, 90'000 * kMicrosecond);
    run_until(190'000 * kMicrosecond - 1);
    CHECK(resets.empty());
    run_until(300'000 * kMicrosecond);
    CHECK(resets == std::vector<Picoseconds>{190'000 * kMicrosecond});
    dog.reset();
    CHECK(get(dog, 0x08, 300'000 * kMicrosecond) == 0xFFF);
}

TEST_CASE("timing: the watchdog of the U5 divides by 1024 with PR = 8, not by 4") {
    Iwdg dog("dog", "IWDG", {}, Iwdg::Traits{4, 8});
    std::vector<Picoseconds> resets;
    dog.on_reset = [&] { resets.push_back(sc_core::sc_time_stamp().value()); };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    set(dog, 0x00, 0x5555);
    set(dog, 0x04, 8);
    set(dog, 0x08, 9);
    CHECK(get(dog, 0x04) == 8);
    set(dog, 0x00, 0xCCCC);
    sc_core::sc_start(delay_until(400'000 * kMicrosecond));
    CHECK(resets == std::vector<Picoseconds>{320'000 * kMicrosecond});  // 10 * 1024 / 32 kHz
}

TEST_CASE("timing: the watchdog of the other families divides by 256 at most") {
    Iwdg dog("dog", "IWDG");
    std::vector<Picoseconds> resets;
    dog.on_reset = [&] { resets.push_back(sc_core::sc_time_stamp().value()); };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    set(dog, 0x00, 0x5555);
    set(dog, 0x04, 15);
    set(dog, 0x08, 9);
    CHECK(get(dog, 0x04) == 7);
    set(dog, 0x00, 0xCCCC);
    sc_core::sc_start(delay_until(100'000 * kMicrosecond));
    CHECK(resets == std::vector<Picoseconds>{80'000 * kMicrosecond});  // 10 * 256 / 32 kHz
}

TEST_CASE("timing: a reload before the window opens is a reset") {
    Iwdg dog("dog", "IWDG");
    std::vector<Picoseconds> resets;
    dog.on_reset = [&] { resets.push_back(sc_core::sc_time_stamp().value()); };
    const auto run_until = [](Picoseconds at) { sc_core::sc_start(delay_until(at)); };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    set(dog, 0x00, 0xCCCC);
    set(dog, 0x00, 0x5555);
    set(dog, 0x04, 3);
    set(dog, 0x08, 99);
    set(dog, 0x10, 49);  // reloads; the window opens when the count is 49, after 50 ms
    CHECK((get(dog, 0x0C) & 4) == 4);
    run_until(50'000 * kMicrosecond);
    set(dog, 0x00, 0xAAAA, 50'000 * kMicrosecond);
    run_until(99'000 * kMicrosecond);
    CHECK(resets.empty());
    set(dog, 0x00, 0xAAAA, 99'000 * kMicrosecond);  // 49 ms after the last one
    run_until(100'000 * kMicrosecond);
    CHECK(resets == std::vector<Picoseconds>{99'000 * kMicrosecond});
}

TEST_CASE("timing: the watchdog's early interrupt comes when EWIT counts are left") {
    Iwdg dog("dog", "IWDG", {}, Iwdg::Traits{4, 8, true});
    constexpr Picoseconds kMs = 1000 * kMicrosecond;
    constexpr std::uint32_t kEarly = 1u << 15, kOn = 1u << 8;
    std::vector<std::pair<bool, Picoseconds>> levels;
    std::vector<Picoseconds> resets;
    dog.on_interrupt = [&](bool level) {
        levels.emplace_back(level, sc_core::sc_time_stamp().value());
    };
    dog.on_reset = [&] { resets.push_back(sc_core::sc_time_stamp().value()); };
    const auto run_until = [](Picoseconds at) { sc_core::sc_start(delay_until(at)); };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    CHECK(get(dog, 0x0C) == 0);
    set(dog, 0x14, kEarly | 30);  // locked
    CHECK(get(dog, 0x14) == 0);
    set(dog, 0x00, 0x5555);
    set(dog, 0x04, 3);  // LSI / 32: 1 ms a count
    set(dog, 0x08, 99);
    set(dog, 0x14, kEarly | 30);
    CHECK(get(dog, 0x14) == (kEarly | 30));
    CHECK(get(dog, 0x0C) == 0xB);
    CHECK(get(dog, 0x0C, 625 * kMicrosecond - 1) == 0xB);
    CHECK(get(dog, 0x0C, 625 * kMicrosecond) == 0);
    set(dog, 0x00, 0xCCCC);
    CHECK(get(dog, 0x0C, 60 * kMs) == kOn);
    run_until(70 * kMs);
    // From 99, the count of 30 is there after 69.
    CHECK(levels == decltype(levels){{true, 69 * kMs}});
    CHECK(get(dog, 0x0C, 70 * kMs) == (kOn | kEarly));
    set(dog, 0x18, kEarly, 70 * kMs);
    CHECK_FALSE(levels.back().first);
    CHECK(get(dog, 0x0C, 70 * kMs) == kOn);
    set(dog, 0x00, 0xAAAA, 80 * kMs);
    run_until(150 * kMs);
    CHECK(levels.back() == std::pair(true, 149 * kMs));
    CHECK(resets.empty());
    run_until(200 * kMs);
    CHECK(resets == std::vector<Picoseconds>{180 * kMs});
    dog.reset();
    CHECK_FALSE(levels.back().first);
    CHECK(get(dog, 0x0C, 200 * kMs) == 0);
    // Without EWIE, or with more counts than there are, no interrupt.
    for (const std::uint32_t early : {30u, kEarly | 100}) {
        CAPTURE(early);
        levels.clear();
        const Picoseconds begin = sc_core::sc_time_stamp().value();
        dog.reset();
        set(dog, 0x00, 0x5555, begin);
        set(dog, 0x04, 3, begin);
        set(dog, 0x08, 99, begin);
        set(dog, 0x14, early, begin);
        set(dog, 0x00, 0xCCCC, begin);
        run_until(begin + 110 * kMs);
        CHECK(levels.empty());
        CHECK(resets.back() == begin + 100 * kMs);
    }
}

TEST_CASE("timing: the watchdog's window opens with the count of WINR, not a count before") {
    Iwdg dog("dog", "IWDG");
    constexpr Picoseconds kMs = 1000 * kMicrosecond;
    std::vector<Picoseconds> resets;
    dog.on_reset = [&] { resets.push_back(sc_core::sc_time_stamp().value()); };
    const auto run_until = [](Picoseconds at) { sc_core::sc_start(delay_until(at)); };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    set(dog, 0x10, 49);  // locked
    CHECK(get(dog, 0x10) == 0xFFF);
    set(dog, 0x00, 0x5555);
    set(dog, 0x04, 3);
    set(dog, 0x08, 99);
    set(dog, 0x10, 49);
    set(dog, 0x00, 0x1234);  // any other key locks
    set(dog, 0x10, 7);
    CHECK(get(dog, 0x10) == 49);
    set(dog, 0x00, 0xAAAA);  // does not run yet
    set(dog, 0x00, 0xCCCC);
    // 99 counts down to 49 in 50 ms.
    run_until(50 * kMs);
    set(dog, 0x00, 0xAAAA, 50 * kMs);
    set(dog, 0x00, 0xCCCC, 50 * kMs);  // runs already
    run_until(100 * kMs - 1);
    CHECK(resets.empty());
    set(dog, 0x00, 0xAAAA, 100 * kMs - 1);
    run_until(100 * kMs);
    CHECK(resets == std::vector<Picoseconds>{100 * kMs - 1});
    // It has stopped: nothing more comes of it.
    set(dog, 0x00, 0xAAAA, 100 * kMs);
    run_until(400 * kMs);
    CHECK(resets.size() == 1);
}
