// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/registers/register_report.h"

using namespace n6vp::sim;
using n6vp::models::RegisterAccess;

namespace {

RegisterAccess access(std::uint32_t address, bool write, std::uint32_t value, const char* block,
                      const char* name, bool modelled) {
    RegisterAccess result;
    result.block = block;
    result.address = address;
    result.offset = address & 0xFFC;
    result.value = value;
    result.write = write;
    result.modelled = modelled;
    result.name = name;
    result.at = 2'500'000;
    return result;
}

}  // namespace

TEST_CASE("register report: counts per register over both aliases, by address") {
    RegisterReport report(StrictRegisters::Off);
    CHECK(report.accessed(access(0x56028260, true, 0x80000000, "RCC", "AHB5ENR", true)));
    CHECK(report.accessed(access(0x46028260, false, 0x80000000, "RCC", "AHB5ENR", true)));
    CHECK(report.accessed(access(0x46028263, false, 0x80000001, "RCC", "AHB5ENR", true)));
    CHECK(report.accessed(access(0x50003000, false, 0, "", "", false)));
    CHECK(report.accessed(access(0x56024820, true, 1, "PWR", "VOSCR", false)));
    CHECK(report.accessed(access(0x560248FC, true, 7, "PWR", "", false)));
    const auto lines = report.lines();
    REQUIRE(lines.size() == 4);
    CHECK(lines[0].name == "0x50003000");
    CHECK(lines[1].name == "PWR.VOSCR");
    CHECK(lines[2].name == "PWR+0x8FC");
    CHECK(lines[3].name == "RCC.AHB5ENR");
    CHECK(lines[3].reads == 2);
    CHECK(lines[3].writes == 1);
    CHECK(lines[3].last_read == 0x80000001);
    CHECK(lines[3].first == 2'500'000);
    const auto missing = report.not_modelled();
    REQUIRE(missing.size() == 3);
    CHECK_FALSE(missing[0].known);
    CHECK(missing[1].known);
    CHECK_FALSE(report.refused().has_value());
    report.reset();
    CHECK(report.lines().empty());
}

TEST_CASE("register report: strict runs refuse what is not modelled") {
    const RegisterAccess stub = access(0x56024820, true, 1, "PWR", "VOSCR", false);
    const RegisterAccess hole = access(0x50003000, false, 0, "", "", false);
    const RegisterAccess real = access(0x56028260, false, 0, "RCC", "AHB5ENR", true);
    RegisterReport unknown(StrictRegisters::Unknown);
    CHECK(unknown.accessed(stub));
    CHECK(unknown.accessed(real));
    CHECK_FALSE(unknown.accessed(hole));
    REQUIRE(unknown.refused().has_value());
    CHECK(unknown.refused()->name == "0x50003000");
    RegisterReport all(StrictRegisters::All);
    CHECK(all.accessed(real));
    CHECK_FALSE(all.accessed(stub));
    CHECK_FALSE(all.accessed(hole));
    CHECK(all.refused()->name == "PWR.VOSCR");
}

TEST_CASE("register report: names of the user's file come first") {
    RegisterNames names;
    names.add(0x46024820, 4, {"SEC_PWR", "PWR_VOSCR"});
    RegisterReport report(StrictRegisters::Off, &names);
    (void)report.accessed(access(0x56024820, true, 1, "PWR", "VOSCR", false));
    (void)report.accessed(access(0x56024824, true, 1, "PWR", "BDCR1", false));
    CHECK(report.lines()[0].name == "SEC_PWR.PWR_VOSCR");
    CHECK(report.lines()[1].name == "PWR.BDCR1");
}

TEST_CASE("register report: text and JSON, with hostile names escaped") {
    RegisterNames names;
    names.add(0x56024820, 4, {"A", "\x1b[31m\n"});
    RegisterReport report(StrictRegisters::Off, &names);
    CHECK(RegisterReport::text(report.lines()).empty());
    (void)report.accessed(access(0x56024820, true, 0xAB, "PWR", "VOSCR", false));
    (void)report.accessed(access(0x50003000, false, 0, "", "", false));
    const std::string text = RegisterReport::text(report.lines());
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find("0x000000AB") != std::string::npos);
    CHECK(text.find("nothing known") != std::string::npos);
    CHECK(text.find("stub") != std::string::npos);
    const auto json = RegisterReport::json(report.lines());
    REQUIRE(json.size() == 2);
    CHECK(json[0]["register"] == "0x50003000");
    CHECK(json[1]["writes"] == 1);
    CHECK(json[1]["first_us"] == 2.5);
}

TEST_CASE(
    "register report: a text of 65,569 lines ends after 200 rows and says where the rest is") {
    RegisterReport report(StrictRegisters::Off);
    for (std::uint32_t i = 0; i < 65'566; ++i) {
        (void)report.accessed(access(0x50000000 + 4 * i, false, i, "", "", false));
    }
    const std::string text = RegisterReport::text(report.lines());
    CHECK(std::count(text.begin(), text.end(), '\n') == 202);  // titles, rows, what is not shown
    CHECK(text.ends_with("and 65336 more rows: the JSON report has all (--json)\n"));
    CHECK(RegisterReport::json(report.lines()).size() == RegisterReport::kMaxKept);
    // Up to the limit nothing is left out.
    const std::vector<RegisterReport::Line> all = report.lines();
    const std::vector<RegisterReport::Line> some(all.begin(), all.begin() + 200);
    CHECK(RegisterReport::text(some).find(" more rows") == std::string::npos);
}

TEST_CASE("register report: registers without number are counted, not kept") {
    RegisterReport report(StrictRegisters::All);
    const auto touch = [&report](std::uint32_t i) {
        return report.accessed(access(0x50000000 + 4 * i, false, i, "", "", true));
    };
    for (std::uint32_t i = 0; i < RegisterReport::kMaxKept + 10; ++i) CHECK(touch(i));
    CHECK(touch(7));
    CHECK(touch(RegisterReport::kMaxKept));
    CHECK(report.lines().size() == RegisterReport::kMaxKept);
    CHECK(report.lines()[7].reads == 2);
    CHECK(report.not_kept() == 11);
    // One that is not kept still ends a strict run, by its own name.
    CHECK_FALSE(report.accessed(access(0x5A000000, true, 0, "", "", false)));
    REQUIRE(report.refused().has_value());
    CHECK(report.refused()->name == "0x5A000000");
    report.reset();
    CHECK(report.not_kept() == 0);
}
