// SPDX-License-Identifier: Apache-2.0
// Text and document of an install, from an outcome whose numbers are given.
#include "sim/install/install_report.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "sim/model_file/model_image.h"
#include "tests/support/image_builder.h"

using namespace n6vp;
using namespace n6vp::sim;

namespace {

/// An install of the small model of Core 2.2 with round numbers: row i moves 1000 i bytes in 10 i
/// accesses and i transactions within i microseconds.
struct Given {
    test::Image built = test::build_image(test::sample_spec(test::ImageGeneration::Core22));
    ModelFiles files{"m.bin", "", built.file, {}};
    ModelOptions options;
    InstallOutcome outcome;
    loader::Policy policy = loader::Policy::Strict;
    std::string causes;

    Given() {
        for (std::size_t row = 0; row < kCostRows; ++row)
            outcome.costs[row] = {1000 * row, 10 * row, row, 1'000'000 * row};
        outcome.total = {36000, 360, 36, 36'000'000};
        outcome.result.ro_base = GuestAddr{0x71000000};
        outcome.result.ram_base = GuestAddr{0x34060000};
        outcome.result.param0 = GuestAddr{0x71000800};
        outcome.result.param1 = GuestAddr{0x90100000};
        outcome.result.context = GuestAddr{0x34060040};
        outcome.result.state = 5;
        outcome.result.pools = 6;
        outcome.result.got_words = 7;
        outcome.result.relocations = 8;
    }
    [[nodiscard]] std::pair<std::string, Json> write() const {
        const InstallPlan plan(options, files);
        const report::ModelImage image(files);
        const InstallReport report{plan,
                                   image.container(),
                                   outcome,
                                   policy,
                                   "m\x1b.bin",
                                   "",
                                   {CopyRate{"one", 1.25, 2, 3, 4}, CopyRate{"two", 5, 6.5, 7, 8}},
                                   causes,
                                   Json::array()};
        return {install_text(report), install_json(report)};
    }
    [[nodiscard]] std::string text() const { return write().first; }
    [[nodiscard]] Json json() const { return write().second; }
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const std::string kRates =
    "\nCopy rates of the core (derived from xSPI phases, line fills and bus)\n"
    "  one                       1.2 MB/s   fitted to published times: 2 (3 to 4)\n"
    "  two                       5.0 MB/s   fitted to published times: 6 (7 to 8)\n";

}  // namespace

TEST_CASE("install report: the text of a success, line by line") {
    Given given;
    const std::string size = std::to_string(given.built.file.size());
    CHECK(given.text() ==
          "Install of m\\x1b.bin (\"sample\")\n"
          "  mode XIP, policy strict\n"
          "  firmware   ll_aton 1.1.1-14 (ST Edge AI Core 2.2), secure, dbg, async, debug, "
          "short-enums, CPU part 0xd22, FPU enabled (chosen to fit the file)\n"
          "  file       0x71000000, " +
              size +
              " bytes\n"
              "  exec RAM   0x34060000, 655360 bytes\n"
              "  ext RAM    0x90100000, 28311552 bytes\n"
              "  console    off\n\n"
              "  phase                    bytes    accesses         bus     time [us]        MB/s\n"
              "  checks                       0           0           0         0.000           -\n"
              "  pools                     1000          10           1         1.000      1000.0\n"
              "  RO copy                   2000          20           2         2.000      1000.0\n"
              "  data/bss                  3000          30           3         3.000      1000.0\n"
              "  GOT                       4000          40           4         4.000      1000.0\n"
              "  REL                       5000          50           5         5.000      1000.0\n"
              "  finish                    6000          60           6         6.000      1000.0\n"
              "  cache maintenance         7000          70           7         7.000           -\n"
              "  total                                                         36.000\n"
              "  times: " +
              std::string(kInstallGrade) +
              "\n"
              "  not timed: arithmetic of the parameter CRC (its memory accesses are timed)\n"
              "\nInstalled\n"
              "  RO base 0x71000000   RAM base 0x34060000   param0 0x71000800   param1 "
              "0x90100000\n"
              "  rt_ctx 0x34060040    state 5\n"
              "  6 pools, 7 GOT words, 8 relocations\n" +
              kRates);
}

TEST_CASE("install report: console, policy, modes and memories as they were chosen") {
    Given given;
    given.outcome.console = true;
    given.outcome.characters = 12;
    const std::string with = given.text();
    CHECK(has(with, "  console    on, 12 characters\n"));
    CHECK(has(with,
              "\n  console                   8000          80           8         8.000"
              "           -\n"));
    CHECK(has(with,
              "  total                                                         36.000\n"
              "  total without console                                         28.000\n"));
    given.policy = loader::Policy::Compat;
    CHECK(has(given.text(), ", policy compat\n"));
    CHECK_FALSE(has(given.text(), "not timed"));
    const std::pair<std::string, std::string> modes[] = {
        {"1", "XIP"},   {"2", "COPY"},           {"3", "XIP|COPY"},
        {"4", "CLEAR"}, {"7", "XIP|COPY|CLEAR"}, {"0", "0x0"},
        {"8", "0x8"},   {"13", "XIP|CLEAR|0x8"}};
    for (const auto& mode : modes) {
        given.options.mode = mode.first;
        CHECK(has(given.text(), "\n  mode " + mode.second + ", policy compat\n"));
        CHECK(given.json().at("mode") == mode.second);
    }
    given.options.mode = "xip";
    given.options.ext = "0:0";
    CHECK_FALSE(has(given.text(), "ext RAM"));
    given.options.firmware = "nonsecure";
    CHECK(has(given.text(), ", nonsecure, "));
    CHECK_FALSE(has(given.text(), "chosen to fit the file"));
    given.options.exec = "0x34100000:1M";
    CHECK(has(given.text(), "  exec RAM   0x34100000, 1048576 bytes\n"));
    CHECK_FALSE(has(given.text(), "  parameters "));
    given.files.params = {1, 2, 3};
    given.files.params_path = "p.bin";
    CHECK(has(given.text(), "  parameters 0x71800000, 3 bytes\n"));
}

TEST_CASE("install report: a refusal has its code and its causes, and no result") {
    Given given;
    given.outcome.status = loader::Status::Memory;
    given.outcome.why.status = loader::Status::Memory;
    given.causes = "all of it\n";
    const std::string text = given.text();
    CHECK(has(text, "\nRefused, vendor code AI_RELOC_RT_ERR_MEMORY (-2)\n"));
    CHECK(has(text, "\nall of it\n" + kRates));
    CHECK_FALSE(has(text, "Installed"));
    const Json document = given.json();
    CHECK(document.at("installed") == false);
    CHECK_FALSE(document.contains("result"));
    CHECK(document.contains("diagnosis"));
    for (const char* const key :
         {"rule", "severity", "stage", "vendor_code", "file_offset", "section", "index", "address",
          "expected", "found", "what", "why", "remedy"})
        CHECK(document.at("diagnosis").contains(key));
}

TEST_CASE("install report: the document has every number of the text") {
    Given given;
    const Json document = given.json();
    CHECK(document.at("schema") == "n6vp.install/1");
    CHECK(document.at("file") == "m\x1b.bin");
    CHECK_FALSE(document.contains("params_file"));
    CHECK(document.at("model") == "sample");
    CHECK(document.at("mode") == "XIP");
    CHECK(document.at("policy") == "strict");
    CHECK(document.at("memory").at("exec_ram") ==
          Json{{"address", "0x34060000"}, {"bytes", 655360}});
    CHECK(document.at("memory").at("ext_ram") ==
          Json{{"address", "0x90100000"}, {"bytes", 28311552}});
    CHECK(document.at("memory").at("file") ==
          Json{{"address", "0x71000000"}, {"bytes", given.built.file.size()}});
    CHECK(document.at("memory").at("params").at("bytes") == 0);
    CHECK(document.at("installed") == true);
    CHECK(document.at("result") == Json{{"ro_base", "0x71000000"},
                                        {"ram_base", "0x34060000"},
                                        {"param0", "0x71000800"},
                                        {"param1", "0x90100000"},
                                        {"rt_ctx", "0x34060040"},
                                        {"state", 5},
                                        {"pools", 6},
                                        {"got_words", 7},
                                        {"relocations", 8}});
    CHECK_FALSE(document.contains("diagnosis"));
    CHECK(document.at("grade") == std::string(kInstallGrade));
    CHECK(document.at("not_timed").is_string());
    CHECK(document.at("console") == Json{{"on", false}, {"characters", 0}});
    REQUIRE(document.at("phases").size() == 9);
    const char* const names[] = {"checks", "pools",  "RO copy",           "data/bss", "GOT",
                                 "REL",    "finish", "cache maintenance", "console"};
    for (std::size_t row = 0; row < 9; ++row) {
        const Json& phase = document.at("phases").at(row);
        CHECK(phase.at("name") == names[row]);
        CHECK(phase.at("bytes") == 1000 * row);
        CHECK(phase.at("accesses") == 10 * row);
        CHECK(phase.at("bus_transactions") == row);
        CHECK(phase.at("time_us") == static_cast<double>(row));
        // Bytes in no time, lines of a cache and characters have no rate.
        if (row == 0 || row > 6) {
            CHECK(phase.at("bandwidth_mb_s").is_null());
        } else {
            CHECK(phase.at("bandwidth_mb_s") == 1000.0);
        }
    }
    CHECK(document.at("total_us") == 36.0);
    CHECK(document.at("copy_rates").at(0) == Json{{"name", "one"},
                                                  {"derived_mb_s", 1.25},
                                                  {"fitted_mb_s", 2.0},
                                                  {"fitted_least_mb_s", 3.0},
                                                  {"fitted_most_mb_s", 4.0}});
    CHECK(document.at("copy_rates").at(1).at("name") == "two");
}
