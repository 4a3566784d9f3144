// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "memmap/interrupts.h"
#include "memmap/peripherals.h"
#include "tests/support/process.h"

namespace {

using namespace n6vp::test;
using nlohmann::json;

Outcome map(std::vector<std::string> words) {
    words.insert(words.begin(), {N6VP_TOOL, "map"});
    return run_process(words);
}

json parsed(std::vector<std::string> words) {
    words.emplace_back("--json");
    const Outcome outcome = map(words);
    CHECK(outcome.exit_code == 0);
    json document = json::parse(outcome.out, nullptr, false);
    REQUIRE(document.is_object());
    CHECK(document.value("schema", "") == "n6vp.map/1");
    return document;
}

bool mentions(const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
}

const char* const kPools = R"({ "memory": { "mempools": [
  { "fname": "AXISRAM3", "name": "npuRAM3", "fformat": "FORMAT_RAW",
    "prop": { "rights": "ACC_WRITE", "throughput": "HIGH", "latency": "LOW", "byteWidth": 8 },
    "offset": { "value": "0x34200000", "magnitude": "BYTES" },
    "size": { "value": "448", "magnitude": "KBYTES" } },
  { "fname": "X", "name": "bad", "fformat": "FORMAT_RAW",
    "prop": { "rights": "ACC_WRITE", "byteWidth": 8 },
    "offset": { "value": "0x34500000", "magnitude": "BYTES" },
    "size": { "value": "1", "magnitude": "KBYTES" }, "odd": true } ] } })";

}  // namespace

TEST_CASE("the map lists every memory with both addresses, and is plain in a pipe") {
    const Outcome outcome = map({});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    for (const char* text : {"AXISRAM1", "0x24064000 0x34064000 624 KiB", "CACHEAXIRAM", "XSPI2",
                             "256 MiB (128 MiB fitted)", "NIC 900 MHz", "DTCM"}) {
        CAPTURE(text);
        CHECK(mentions(outcome.out, text));
    }
    CHECK_FALSE(mentions(outcome.out, "\x1b"));
    CHECK_FALSE(mentions(outcome.out, "0x580e0000"));
    const Outcome all = map({"--all"});
    CHECK(mentions(all.out, "0x580e0000 0x480e0000"));
    CHECK(mentions(all.out, "NPU0"));
    CHECK(mentions(all.out, "no overdrive"));
}

TEST_CASE("addresses resolve to region, alias and offset, or to what is nearest") {
    const Outcome outcome =
        map({"0x34210000", "0x24210000", "0x580e0100", "0x34420000", "0xe000ed00", "0x98000000"});
    CHECK(outcome.exit_code == 0);
    CHECK(mentions(outcome.out,
                   "0x34210000  AXISRAM3 + 0x10000 (secure alias; non-secure is 0x24210000)"));
    CHECK(mentions(outcome.out,
                   "0x24210000  AXISRAM3 + 0x10000 (non-secure alias; secure is 0x34210000)"));
    CHECK(mentions(outcome.out, "NPU + 0x100 (secure alias)"));
    CHECK(mentions(outcome.out, "no memory; nearest is VENCRAM at 0x34400000, 1 bytes below"));
    CHECK(mentions(outcome.out, "private peripheral bus"));
    CHECK(mentions(outcome.out, "the discovery kit has nothing at this address"));
}

TEST_CASE("a block that the map does not know was given as a part of the one below") {
    const Outcome outcome = map({"0x56003C00", "0x460033FC"});
    CHECK(mentions(outcome.out,
                   "0x56003c00  peripheral space: no known peripheral; the last one below is "
                   "LPTIM5 at 0x56003000, 1024 bytes\n"));
    CHECK(
        mentions(outcome.out, "0x460033fc  peripheral space: LPTIM5 + 0x3fc (non-secure alias)\n"));
    const json row = json::parse(map({"--json", "0x56003C00"}).out)["resolved"][0]["peripheral"];
    CHECK(row["within"] == false);
}

TEST_CASE("a window has what is fitted up to the last byte, and nothing behind it") {
    const std::string nothing = "the discovery kit has nothing at this address";
    // 32 MiB at XSPI1, 128 MiB at XSPI2.
    for (const char* last : {"0x91ffffff", "0x77ffffff"}) {
        CAPTURE(last);
        CHECK_FALSE(mentions(map({last}).out, nothing));
    }
    for (const char* behind : {"0x92000000", "0x78000000", "0x60000000"}) {
        CAPTURE(behind);
        CHECK(mentions(map({behind}).out, nothing));
    }
}

TEST_CASE("ranges are split into banks") {
    const Outcome outcome = map({"0x341f0000:128K"});
    CHECK(mentions(outcome.out, "AXISRAM2     0x341f0000..0x341fffff  65536 bytes"));
    CHECK(mentions(outcome.out, "AXISRAM3     0x34200000..0x3420ffff  65536 bytes"));
    CHECK(mentions(map({"0x3441fff0:32"}).out, "16 bytes lie in no memory"));
}

TEST_CASE("the JSON document holds the tables and what was asked") {
    const json document = parsed({"0x34100010", "0x34420000", "0x341f0000:128K"});
    REQUIRE(document["regions"].size() == 23);
    for (const json& region : document["regions"]) {
        for (const char* key : {"name", "kind", "non_secure", "secure", "clock", "core_path",
                                "d_cache", "confidence", "source", "note"}) {
            CAPTURE(key);
            CHECK(region[key].is_string());
        }
        for (const char* key : {"bytes", "largest_bytes", "fitted_bytes", "width_bits", "risaf"}) {
            CAPTURE(key);
            CHECK(region[key].is_number_unsigned());
        }
        CHECK(region["npu"].is_boolean());
    }
    CHECK(document["clocks"].size() == 9);
    CHECK(document["peripherals"].size() == n6vp::memmap::kPeripheralCount);
    CHECK(document["interrupts"].size() == n6vp::memmap::kInterrupts.size());
    const json& resolved = document["resolved"];
    REQUIRE(resolved.size() == 3);
    CHECK(resolved[0]["region"] == "AXISRAM2");
    CHECK(resolved[0]["offset"] == 16);
    CHECK(resolved[0]["alias"] == "secure");
    CHECK(resolved[1]["region"].is_null());
    CHECK(resolved[1]["nearest"]["region"] == "VENCRAM");
    CHECK(resolved[1]["nearest"]["distance"] == 1);
    CHECK(resolved[2]["pieces"].size() == 2);
    CHECK(resolved[2]["bytes_outside_map"] == 0);
}

TEST_CASE("the JSON document has both addresses of a peripheral, where there are two") {
    const json document = parsed({"0x34210010", "0x500000a4", "0x78000000", "0x34420004"});
    const auto named = [&document](const char* list, const std::string& name) {
        for (const json& row : document[list]) {
            if (row["name"] == name) return row;
        }
        return json();
    };
    // Addresses and lines of the CMSIS device header; IAC is secure only.
    CHECK(named("peripherals", "TIM2") ==
          json{{"name", "TIM2"}, {"secure", "0x50000000"}, {"non_secure", "0x40000000"}});
    CHECK(named("peripherals", "IAC") ==
          json{{"name", "IAC"}, {"secure", "0x54025000"}, {"non_secure", nullptr}});
    for (const json& row : document["peripherals"]) {
        CAPTURE(row.dump());
        REQUIRE(row.size() == 3);
        const std::string secure = row["secure"];
        CHECK(secure.rfind("0x5", 0) == 0);
        // The non-secure alias is 256 MiB below.
        if (!row["non_secure"].is_null()) CHECK(row["non_secure"] == "0x4" + secure.substr(3));
    }
    CHECK(named("interrupts", "TIM2") == json{{"name", "TIM2"}, {"line", 116}, {"count", 1}});
    CHECK(named("interrupts", "NPU0")["line"] == 53);
    const json nic = named("clocks", "NIC");
    CHECK(nic["overdrive_hz"] == 900'000'000);
    CHECK(nic["no_overdrive_hz"].is_number_unsigned());
    CHECK(nic["confidence"].is_string());
    CHECK(nic["source"].is_string());
    const json bank = named("regions", "AXISRAM3");
    CHECK(bank["secure"] == "0x34200000");
    CHECK(bank["non_secure"] == "0x24200000");
    CHECK(bank["bytes"] == 448 * 1024);
    CHECK(bank["largest_bytes"] == bank["bytes"]);
    CHECK(bank["fitted_bytes"] == bank["bytes"]);
    CHECK(named("regions", "XSPI2")["fitted_bytes"] == 128 << 20);
    CHECK(named("regions", "XSPI2")["bytes"] == 256 << 20);

    const json& resolved = document["resolved"];
    CHECK(resolved[0]["address"] == "0x34210010");
    CHECK(resolved[0]["bytes"] == 1);
    CHECK(resolved[0]["offset"] == 0x10010);
    CHECK(resolved[0]["fitted"] == true);
    CHECK_FALSE(resolved[0].contains("peripheral"));
    CHECK_FALSE(resolved[0].contains("pieces"));
    CHECK(resolved[1]["peripheral"] ==
          json{{"name", "TIM2"}, {"offset", 0xA4}, {"within", true}, {"alias", "secure"}});
    CHECK(resolved[1]["region"].is_null());
    CHECK_FALSE(resolved[1].contains("alias"));
    CHECK(resolved[2]["region"] == "XSPI2");  // the first byte behind 128 MiB
    CHECK(resolved[2]["fitted"] == false);
    CHECK(resolved[3]["nearest"] == json{{"region", "VENCRAM"}, {"distance", 5}, {"above", false}});
}

TEST_CASE("a memory-pool file without remarks has an empty list of them") {
    const ScratchFolder folder;
    const std::string good = R"({ "fname": "AXISRAM3", "name": "npuRAM3", "fformat": "FORMAT_RAW",
        "prop": { "rights": "ACC_WRITE", "throughput": "HIGH", "latency": "LOW", "byteWidth": 8,
                  "freqRatio": 1.25, "read_power": 18.5, "write_power": 16.25 },
        "offset": { "value": "0x34200000", "magnitude": "BYTES" },
        "size": { "value": "448", "magnitude": "KBYTES" } })";
    const json plain =
        parsed({"--mpool", folder.write("good.mpool", R"({ "memory": { "mempools": [)" + good +
                                                          "] } }")})["mpool"];
    for (const char* list : {"parameters", "caches", "remarks", "unknown"}) {
        CAPTURE(list);
        CHECK(plain.at(list) == json::array());
    }
    REQUIRE(plain["pools"].size() == 1);
    const json& pool = plain["pools"][0];
    CHECK(pool["name"] == "npuRAM3");
    CHECK(pool["fname"] == "AXISRAM3");
    CHECK(pool["fformat"] == "FORMAT_RAW");
    CHECK(pool["offset"] == "0x34200000");
    CHECK(pool["bytes"] == 458752);
    CHECK(pool["relative"] == false);
    CHECK(pool["used"] == true);
    CHECK(pool["bytes_outside_map"] == 0);
    CHECK(pool["pieces"] ==
          json::array({{{"region", "AXISRAM3"}, {"start", "0x34200000"}, {"bytes", 458752}}}));
    const json& properties = pool["properties"];
    CHECK(properties["rights"] == "ACC_WRITE");
    CHECK(properties["throughput"] == "HIGH");
    CHECK(properties["latency"] == "LOW");
    CHECK(properties["cacheable"] == false);
    CHECK(properties["byte_width"] == 8);
    CHECK(properties["freq_ratio"] == 1.25);
    CHECK(properties["read_power"] == 18.5);
    CHECK(properties["write_power"] == 16.25);
    CHECK(properties["constants_preferred"] == false);
}

TEST_CASE("a memory-pool file is laid over the map") {
    const ScratchFolder folder;
    const std::string file = folder.write("test.mpool", std::string(kPools));
    const Outcome outcome = map({"--mpool", file});
    CHECK(outcome.exit_code == 0);
    CHECK(mentions(outcome.out, "npuRAM3"));
    CHECK(mentions(outcome.out, "warning: bad: no memory at 0x34500000..0x345003ff"));
    CHECK(mentions(outcome.out, "ignored: /memory/mempools/1/odd"));
    const json document = parsed({"--mpool", file});
    CHECK(document["mpool"]["pools"].size() == 2);
    CHECK(document["mpool"]["pools"][0]["pieces"][0]["region"] == "AXISRAM3");
    CHECK(document["mpool"]["remarks"][0]["kind"] == "outside-map");
    CHECK(document["mpool"]["remarks"][0]["path"] == "/memory/mempools/1");
    CHECK(document["mpool"]["remarks"][0]["severity"] == "warning");
    CHECK(document["mpool"]["remarks"][0]["pool"] == "bad");
    CHECK(mentions(document["mpool"]["remarks"][0]["text"], "0x34500000..0x345003ff"));
    CHECK(document["mpool"]["pools"][1]["bytes_outside_map"] == 1024);
    CHECK(document["mpool"]["pools"][1]["pieces"] == json::array());
    CHECK(document["mpool"]["unknown"] == json{"/memory/mempools/1/odd"});
}

TEST_CASE("wrong addresses and files end with 2 and nothing on standard output") {
    const ScratchFolder folder;
    const std::string broken = folder.write("broken.mpool", std::string("{ \"memory\": "));
    const std::vector<std::vector<std::string>> cases = {
        {"zzz"},
        {"0x100000000"},
        {"0x0:"},
        {"--mpool", folder.file("absent")},
        {"--mpool", broken},
        {"--frob"},
        {"--mpool", "/dev/null"},
    };
    for (const std::vector<std::string>& words : cases) {
        CAPTURE(words.back());
        const Outcome outcome = map(words);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(outcome.err.rfind("n6vp: ", 0) == 0);
    }
}

TEST_CASE("older chips have maps, too") {
    const Outcome list = map({"--chip", "list"});
    CHECK(list.exit_code == 0);
    for (const char* text : {"stm32l475  cortex-m4     80 MHz 1 MiB    128 KiB",
                             "stm32f746  cortex-m7    216 MHz 1 MiB", "stm32u585", "stm32n6"}) {
        CAPTURE(text);
        CHECK(mentions(list.out, text));
    }
    // Facts: reference manuals of the two chips.
    const Outcome l4r5 = map({"--chip", "l4r5"});
    CHECK(mentions(l4r5.out, "sram2          0x10000000 0x20030000"));
    CHECK(mentions(l4r5.out, "64 KiB"));
    CHECK_FALSE(mentions(l4r5.out, "0x40013800"));
    CHECK(mentions(map({"--chip", "l4r5", "--all"}).out, "0x40013800"));
    const Outcome f746 = map({"--chip", "stm32f746"});
    CHECK(mentions(f746.out, "0x08000000 0x00200000"));
    CHECK(mentions(f746.out, "ITCM"));
    CHECK(mentions(f746.out, "DTCM"));
}

TEST_CASE("addresses resolve on an older chip, at aliases as well") {
    const Outcome outcome = map({"--chip", "u575", "0x0e030004", "0x50013804", "0xe000ed00",
                                 "0x60000000", "0x2002fff0:32", "0x280003ff:16K"});
    CHECK(outcome.exit_code == 0);
    CHECK(mentions(outcome.out, "0x0e030004  sram2 + 0x4 (alias of 0x20030004)"));
    CHECK(mentions(outcome.out, "0x50013804  USART1 + 0x4"));
    CHECK(mentions(outcome.out, "clock in RCC: 0x0a4 bit 14, lines: 61"));
    CHECK(mentions(outcome.out, "private peripheral bus"));
    CHECK(mentions(outcome.out, "no memory or peripheral of the STM32U575"));
    CHECK(mentions(outcome.out, "sram1         0x2002fff0..0x2002ffff  16 bytes"));
    CHECK(mentions(outcome.out, "sram2         0x20030000..0x2003000f  16 bytes"));
    CHECK(mentions(outcome.out, "1023 bytes lie in no memory"));
}

TEST_CASE("the document of an older chip holds its tables and what was asked") {
    const json document = parsed({"--chip", "h743", "0x10020010", "0x58024400", "0x37fffff0:32"});
    CHECK(document["chip"]["core"] == "cortex-m7");
    CHECK(document["chip"]["vectors"] == "0x08000000");
    CHECK(document["memories"].size() == 10);
    CHECK(document["memories"][0]["kind"] == "itcm");
    CHECK(document["interrupts"].size() == 139);
    CHECK(document["resolved"][0]["memory"] == "sram2");
    CHECK(document["resolved"][0]["offset"] == 16);
    CHECK(document["resolved"][1]["memory"].is_null());
    CHECK(document["resolved"][1]["peripheral"]["name"] == "RCC");
    CHECK(document["resolved"][2]["pieces"][0]["memory"] == "sram4");
    CHECK(document["resolved"][2]["bytes_outside_map"] == 16);
    CHECK(parsed({"--chip", "list"})["chips"].size() == 8);
}

TEST_CASE("what --chip of a map refuses, and how") {
    const Outcome unknown = map({"--chip", "stm32l4r55"});
    CHECK(unknown.exit_code == 2);
    CHECK(mentions(unknown.err, "did you mean stm32l4r5"));
    CHECK(mentions(map({"--chip", "l475", "--mpool", "a.mpool"}).err, "leave out --chip"));
    CHECK(mentions(map({"--chip", "list", "0x08000000"}).err, "name the chip"));
    CHECK(map({"--chip", "list", "--all"}).exit_code == 2);
}
