// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "sim/host/errors.h"

namespace n6vp::sim {

namespace {

using firmware::mcu::Step;
using memmap::Chip;
using memmap::ChipFamily;

constexpr std::uint32_t kMegahertz = 1'000'000;

[[nodiscard]] constexpr std::uint32_t bit(unsigned number) {
    return 1u << number;
}

/// Accesses, each as the register's address, the bits concerned and their value.
class Steps {
  public:
    void set(std::uint32_t address, std::uint32_t mask, std::uint32_t value) {
        steps_.push_back({address, mask, value, 0});
    }
    void set(std::uint32_t address, std::uint32_t bits) { set(address, bits, bits); }
    void write(std::uint32_t address, std::uint32_t value) { set(address, 0xFFFFFFFF, value); }
    void wait(std::uint32_t address, std::uint32_t mask, std::uint32_t value) {
        steps_.push_back({address, mask, value, 1});
    }
    void wait(std::uint32_t address, std::uint32_t bits) { wait(address, bits, bits); }
    [[nodiscard]] std::vector<Step> take() { return std::move(steps_); }

  private:
    std::vector<Step> steps_;
};

/// Upper bounds in MHz of the clock that flash reads count in, by number of wait states, at the
/// supply that the steps choose.
constexpr std::uint32_t kLimitsL475[] = {16, 32, 48, 64, 80};
constexpr std::uint32_t kLimitsL4R5[] = {20, 40, 60, 80, 100, 120};
constexpr std::uint32_t kLimitsU5[] = {32, 64, 96, 128, 160};
constexpr std::uint32_t kLimitsF7[] = {30, 60, 90, 120, 150, 180, 210, 216};
constexpr std::uint32_t kLimitsH743[] = {70, 140, 210, 225, 240};
constexpr std::uint32_t kLimitsH7A3[] = {42, 84, 126, 168, 210, 252, 280};

[[nodiscard]] bool is(const Chip& chip, std::string_view name) {
    return name == chip.name;
}

[[nodiscard]] std::span<const std::uint32_t> limits_of(const Chip& chip) {
    switch (chip.family) {
        case ChipFamily::L4:
            return is(chip, "stm32l475") ? std::span<const std::uint32_t>(kLimitsL475)
                                         : std::span<const std::uint32_t>(kLimitsL4R5);
        case ChipFamily::U5:
            return kLimitsU5;
        case ChipFamily::F7:
            return kLimitsF7;
        case ChipFamily::H7:
            break;
    }
    return is(chip, "stm32h743") ? std::span<const std::uint32_t>(kLimitsH743)
                                 : std::span<const std::uint32_t>(kLimitsH7A3);
}

[[nodiscard]] std::uint32_t wait_states_of(const Chip& chip, std::uint32_t mhz) {
    const auto limits = limits_of(chip);
    const auto found = std::find_if(limits.begin(), limits.end(),
                                    [mhz](std::uint32_t limit) { return mhz <= limit; });
    return static_cast<std::uint32_t>(found - limits.begin());
}

/// The PLL of a family: core = reference * n / divider, with the VCO between two bounds, in MHz.
struct Pll {
    std::uint32_t reference, least_vco, most_vco, least_n, most_n;
    std::array<std::uint32_t, 3> dividers;  ///< tried in this order; 0: none
};
[[nodiscard]] Pll pll_of(const Chip& chip) {
    switch (chip.family) {
        case ChipFamily::L4:
            return {8, 64, 344, 8, 86, {2, 4, 0}};
        case ChipFamily::U5:
            return {16, 128, 544, 4, 512, {1, 2, 4}};
        case ChipFamily::F7:
            return {2, 100, 432, 50, 432, {2, 4, 0}};
        case ChipFamily::H7:
            break;
    }
    return {16, 192, 960, 4, 512, {2, 4, 0}};
}

struct PllSetting {
    std::uint32_t n = 0, divider = 0;
};
[[nodiscard]] std::optional<PllSetting> pll_setting(const Pll& pll, std::uint32_t mhz) {
    for (const std::uint32_t divider : pll.dividers) {
        const std::uint32_t vco = mhz * divider;
        if (vco == 0 || vco < pll.least_vco || vco > pll.most_vco || vco % pll.reference != 0)
            continue;
        const std::uint32_t n = vco / pll.reference;
        if (n >= pll.least_n && n <= pll.most_n) return PllSetting{n, divider};
    }
    return std::nullopt;
}

void l4(Steps& steps, const Chip& chip, const PllSetting& pll, std::uint32_t waits) {
    constexpr std::uint32_t kRcc = 0x40021000, kFlash = 0x40022000, kPwrCr5 = 0x40007080;
    steps.set(kRcc + 0x58, bit(28));  // clock of PWR
    steps.set(kRcc, bit(8));          // HSI16
    steps.wait(kRcc, bit(10));
    // Boost of range 1; the STM32L475 has none.
    if (!is(chip, "stm32l475")) steps.set(kPwrCr5, bit(8), 0);
    // Source HSI16, divided by 2; main output R.
    steps.write(kRcc + 0x0C, 2u | 1u << 4 | pll.n << 8 | bit(24) | (pll.divider / 2 - 1) << 25);
    steps.set(kRcc, bit(24));
    steps.wait(kRcc, bit(25));
    steps.write(kFlash, 7u << 8 | waits);  // prefetch, both caches
    steps.wait(kFlash, 7, waits);
    steps.set(kRcc + 0x08, 3, 3);
    steps.wait(kRcc + 0x08, 3u << 2);
}

void u5(Steps& steps, const PllSetting& pll, std::uint32_t waits) {
    constexpr std::uint32_t kRcc = 0x46020C00, kPwrVosr = 0x4602080C, kFlash = 0x40022000,
                            kIcache = 0x40030400;
    steps.set(kRcc + 0x94, bit(2));  // clock of PWR
    steps.set(kPwrVosr, 3u << 16 | bit(18));
    steps.wait(kPwrVosr, bit(15) | bit(14));  // range 1 and its booster are ready
    steps.set(kRcc, bit(8));                  // HSI16
    steps.wait(kRcc, bit(10));
    // Source HSI16, input range 8 to 16 MHz, output R.
    steps.write(kRcc + 0x28, 2u | 3u << 2 | bit(18));
    steps.write(kRcc + 0x34, (pll.n - 1) | 1u << 9 | 1u << 16 | (pll.divider - 1) << 24);
    steps.set(kRcc, bit(24));
    steps.wait(kRcc, bit(25));
    steps.write(kFlash, bit(8) | waits);  // prefetch
    steps.wait(kFlash, 15, waits);
    steps.set(kIcache, bit(0));
    steps.set(kRcc + 0x1C, 3, 3);
    steps.wait(kRcc + 0x1C, 3u << 2);
}

void f7(Steps& steps, const PllSetting& pll, std::uint32_t waits, std::uint32_t mhz) {
    constexpr std::uint32_t kRcc = 0x40023800, kPwr = 0x40007000, kFlash = 0x40023C00;
    constexpr std::uint32_t kMostWithoutOverDrive = 180;
    steps.set(kRcc + 0x40, bit(28));  // clock of PWR
    steps.set(kPwr, 3u << 14);        // scale 1
    // Source HSI, divided by 8; Q must not be below 2.
    steps.write(kRcc + 0x04, 8u | pll.n << 6 | (pll.divider / 2 - 1) << 16 | 9u << 24);
    steps.set(kRcc, bit(24));
    steps.wait(kRcc, bit(25));
    if (mhz > kMostWithoutOverDrive) {
        steps.set(kPwr, bit(16));
        steps.wait(kPwr + 4, bit(16));
        steps.set(kPwr, bit(17));
        steps.wait(kPwr + 4, bit(17));
    }
    steps.write(kFlash, 3u << 8 | waits);  // prefetch and accelerator of the ITCM's way
    steps.wait(kFlash, 15, waits);
    // APB1 and APB2 run at a quarter and half of the clock.
    steps.set(kRcc + 0x08, 3u | 7u << 10 | 7u << 13, 2u | 5u << 10 | 4u << 13);
    steps.wait(kRcc + 0x08, 3u << 2, 2u << 2);
}

void h7(Steps& steps, const Chip& chip, const PllSetting& pll, std::uint32_t waits,
        std::uint32_t signal_delay, bool halves_bus) {
    constexpr std::uint32_t kRcc = 0x58024400, kPwr = 0x58024800, kFlash = 0x52002000,
                            kSyscfg = 0x58000400;
    const bool h743 = is(chip, "stm32h743");
    steps.set(kPwr + 0x0C, h743 ? bit(2) : bit(1), 0);  // one regulator; the setting is locked then
    steps.wait(kPwr + 0x04, bit(13));
    steps.set(kPwr + 0x18, 3u << 14);
    steps.wait(kPwr + 0x18, bit(13));
    if (h743) {  // scale 0 is scale 1 and an over-drive
        steps.set(kRcc + 0xF4, bit(1));
        steps.set(kSyscfg + 0x2C, bit(0));
        steps.wait(kPwr + 0x18, bit(13));
    }
    steps.write(kRcc + 0x28, 4u << 4);      // HSI, divided by 4
    steps.set(kRcc + 0x2C, 0xFu, 3u << 2);  // input range 8 to 16 MHz, wide VCO
    steps.write(kRcc + 0x30, (pll.n - 1) | (pll.divider - 1) << 9 | 1u << 16 | 1u << 24);
    steps.set(kRcc, bit(24));
    steps.wait(kRcc, bit(25));
    steps.write(kFlash, waits | signal_delay << 4);
    steps.wait(kFlash, 15, waits);
    if (halves_bus) steps.set(kRcc + 0x18, 0xFu, 8u);
    steps.set(kRcc + 0x10, 7, 3);
    steps.wait(kRcc + 0x10, 7u << 3, 3u << 3);
    // Clocks of the RAMs behind the AHB.
    steps.set(kRcc + (h743 ? 0xDC : 0x13C), (h743 ? 7u : 3u) << 29);
}

/// WRHIGHFREQ of the H7 by number of wait states.
[[nodiscard]] std::uint32_t signal_delay(const Chip& chip, std::uint32_t waits) {
    constexpr std::uint32_t kH743[] = {0, 1, 1, 2, 2}, kH7A3[] = {0, 0, 1, 1, 2, 2, 3};
    return is(chip, "stm32h743") ? kH743[waits] : kH7A3[waits];
}

void enable_crc(Steps& steps, const Chip& chip) {
    const memmap::ChipPeripheral* const crc = memmap::peripheral_of(chip, "CRC");
    const memmap::ChipPeripheral* const rcc = memmap::peripheral_of(chip, "RCC");
    if (crc == nullptr || rcc == nullptr || crc->clock_register < 0) return;
    steps.set(rcc->base + static_cast<std::uint32_t>(crc->clock_register),
              bit(static_cast<unsigned>(crc->clock_bit)));
}

/// Without PLL: the wait states of reset suffice, accelerators are enabled all the same.
void keep_clock(Steps& steps, const Chip& chip) {
    switch (chip.family) {
        case ChipFamily::L4:
            return steps.set(0x40022000, 7u << 8);
        case ChipFamily::U5:
            return steps.set(0x40030400, bit(0));
        case ChipFamily::F7:
            return steps.set(0x40023C00, 3u << 8);
        case ChipFamily::H7:
            return;
    }
}

[[noreturn]] void refuse(const Chip& chip, std::uint32_t hz) {
    throw UserError(
        fmt::format("--clock: the {} does not run at {} Hz", chip.title, hz),
        fmt::format("give {} (out of reset), {} (the maximum), or a frequency that its "
                    "PLL makes, for instance {}",
                    chip.reset_hz, chip.max_hz, chip.max_hz / 2 / 8 / kMegahertz * 8 * kMegahertz));
}

}  // namespace

McuClocks plan_clocks(const memmap::Chip& chip, std::uint32_t hz) {
    McuClocks plan;
    plan.hz = hz == 0 ? chip.max_hz : hz;
    Steps steps;
    if (plan.hz == chip.reset_hz) {
        keep_clock(steps, chip);
        enable_crc(steps, chip);
        plan.steps = steps.take();
        return plan;
    }
    const std::uint32_t mhz = plan.hz / kMegahertz;
    const auto pll = pll_setting(pll_of(chip), mhz);
    if (plan.hz > chip.max_hz || plan.hz % kMegahertz != 0 || !pll) refuse(chip, plan.hz);
    constexpr std::uint32_t kMostOfH7Bus = 240;
    const bool halves_bus = is(chip, "stm32h743") && mhz > kMostOfH7Bus;
    plan.wait_states = wait_states_of(chip, halves_bus ? mhz / 2 : mhz);
    switch (chip.family) {
        case ChipFamily::L4:
            l4(steps, chip, *pll, plan.wait_states);
            break;
        case ChipFamily::U5:
            u5(steps, *pll, plan.wait_states);
            break;
        case ChipFamily::F7:
            f7(steps, *pll, plan.wait_states, mhz);
            break;
        case ChipFamily::H7:
            h7(steps, chip, *pll, plan.wait_states, signal_delay(chip, plan.wait_states),
               halves_bus);
            break;
    }
    enable_crc(steps, chip);
    plan.steps = steps.take();
    return plan;
}

}  // namespace n6vp::sim
