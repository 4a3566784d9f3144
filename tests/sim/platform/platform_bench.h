// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/platform/platform.h"
#include "tests/support/thumb.h"

namespace n6vp::test {

inline constexpr std::uint32_t kFlexmem = 0x34000000, kStack = 0x34060000;

/// A platform with a program in FLEXMEM that ends with Thumb::end, and what it reports.
class Chip {
  public:
    explicit Chip(const sim::PlatformOptions& options = {},
                  const sim::PlatformParameters& parameters = {})
        : platform(parameters, options) {
        platform.events().access_fault.listen(
            sim::kReportPlace,
            [this](const models::AccessFault& fault) { faults.push_back(fault); });
        platform.events().unwritten_read.listen(
            sim::kReportPlace, [this](unsigned target, std::uint32_t offset, models::Picoseconds) {
                unwritten.push_back(platform.target_name(target) + '+' + std::to_string(offset));
            });
    }
    void load(const Thumb& program) {
        REQUIRE(platform.load(GuestAddr{kFlexmem}, program.image(kFlexmem, kStack)));
    }
    /// Runs to the end of the program; returns r0.
    std::uint32_t run() {
        REQUIRE(platform.advance({kLongest, 0}) == sim::RunEnd::Stopped);
        REQUIRE(platform.core().stopped() == models::core::Stop::Semihosting);
        return platform.core().core().reg(0);
    }
    std::uint32_t run(const Thumb& program) {
        load(program);
        return run();
    }
    [[nodiscard]] std::uint32_t word(std::uint32_t address) {
        std::vector<std::uint8_t> bytes(4);
        REQUIRE(platform.fetch(GuestAddr{address}, bytes));
        return static_cast<std::uint32_t>(bytes[0] | bytes[1] << 8 | bytes[2] << 16) |
               static_cast<std::uint32_t>(bytes[3]) << 24;
    }

    static constexpr models::Picoseconds kLongest = 1'000'000'000'000;  // 1 s
    std::vector<models::AccessFault> faults;
    std::vector<std::string> unwritten;
    sim::Platform platform;
};

}  // namespace n6vp::test
