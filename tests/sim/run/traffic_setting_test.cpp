// SPDX-License-Identifier: Apache-2.0
// What the text of a master with generated traffic becomes, and which text is refused.
#include <doctest/doctest.h>
#include <toml++/toml.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/host/errors.h"
#include "sim/run/traffic_setting.h"
#include "tests/support/refusal.h"

using namespace n6vp;
using namespace n6vp::sim;

namespace {

models::TrafficMaster master(const std::string& text) {
    return traffic_master(traffic_option(text, "--master"));
}
std::string refused_master(const std::string& text) {
    return test::refusal([&] { static_cast<void>(master(text)); });
}

TrafficSetting table_of(const std::string& text) {
    const toml::table document = toml::parse(text);
    return traffic_table(ScenarioNodes("s.toml"), document);
}

constexpr const char* kForm =
    "write NAME:PATTERN:ACCESS@ADDR, such as dcmipp:640x480x2@30:write@0x34200000";

}  // namespace

TEST_CASE("traffic text: pictures have lines, a size and a rate") {
    const models::TrafficMaster camera = master("dcmipp:640x480x2@30:write@0x34200000");
    CHECK(camera.pattern.name == "traffic dcmipp");
    CHECK(camera.pattern.text == "640x480x2@30");
    CHECK(camera.pattern.address == 0x34200000);
    CHECK(camera.pattern.line_bytes == 1280);
    CHECK(camera.pattern.bytes == 1280 * 480);
    CHECK(camera.pattern.bytes_per_second == 30.0 * 1280 * 480);
    CHECK(camera.pattern.write);
    CHECK_FALSE(camera.pattern.fill.has_value());
    CHECK(camera.pattern.burst_bytes == 0);
    CHECK(camera.pattern.fifo_bytes == 0);
    CHECK(camera.pattern.start == 0);
    CHECK(camera.pattern.stop == models::TrafficPattern{}.stop);
    CHECK(camera.granted);
    // A byte and a half per pixel, a rate with a fraction.
    const models::TrafficMaster half = master("x:640x2x1.5@0.5:read@0x34200000");
    CHECK(half.pattern.line_bytes == 960);
    CHECK(half.pattern.bytes == 1920);
    CHECK(half.pattern.bytes_per_second == 960);
    CHECK_FALSE(half.pattern.write);
}

TEST_CASE("traffic text: a rate has a buffer of 64 KiB and no lines, its units are decimal") {
    const std::pair<const char*, double> rows[] = {
        {"1kB/s", 1e3}, {"1.5MB/s", 1.5e6}, {"16GB/s", 16e9}, {"0.001kB/s", 1}};
    for (const auto& row : rows) {
        const models::TrafficMaster one =
            master(std::string("x:") + row.first + ":read@0x34200000");
        CHECK(one.pattern.bytes_per_second == row.second);
        CHECK(one.pattern.bytes == 65536);
        CHECK(one.pattern.line_bytes == 0);
        CHECK(one.pattern.text == row.first);
    }
}

TEST_CASE("traffic text: names that the chip has lead to its attributes in RIFSC") {
    // Numbers of RIMC_ATTR: device header of the chip.
    const std::pair<const char*, int> rows[] = {
        {"usb1", 4},   {"usb2", 5},   {"eth", 6},    {"gpu2d", 7},  {"dma2d", 8},
        {"dcmipp", 9}, {"ltdc", 10},  {"venc", 12},  {"sdmmc1", 2}, {"sdmmc2", 3},
        {"hpdma", -1}, {"gpdma", -1}, {"radio", -1}, {"LTDC", -1}};
    for (const auto& row : rows) {
        CAPTURE(row.first);
        const std::string text = std::string(row.first) + ":1MB/s:read@0x34200000";
        CHECK(master(text).place.rimc == row.second);
        CHECK(master(text).granted);
        const std::string configured = text + ",rights=configured";
        if (row.second >= 0) {
            CHECK_FALSE(master(configured).granted);
        } else {
            CHECK(refused_master(configured) ==
                  "--master: rights = 'configured' | RIFSC holds no attributes of this master: "
                  "give granted");
        }
        CHECK(master(text + ",rights=granted").granted);
    }
}

TEST_CASE("traffic text: every key behind the address") {
    const models::TrafficMaster one = master(
        "a.b-c_9:1MB/s:write@0x34200000,size=128,burst=64,fifo=256,fill=0x5A,start=1us,stop=2us");
    CHECK(one.pattern.name == "traffic a.b-c_9");
    CHECK(one.pattern.bytes == 128);
    CHECK(one.pattern.burst_bytes == 64);
    CHECK(one.pattern.fifo_bytes == 256);
    CHECK(one.pattern.fill == std::uint8_t{0x5A});
    CHECK(one.pattern.start == 1'000'000);
    CHECK(one.pattern.stop == 2'000'000);
    // The size of a buffer for pictures is a multiple of one of them.
    CHECK(master("x:8x2x1@1:write@0x34200000,size=48").pattern.bytes == 48);
    CHECK(refused_master("x:8x2x1@1:write@0x34200000,size=8") ==
          "--master: size = '8' | give 16 to 0x10000000, a multiple of 16");
    CHECK(refused_master("x:8x2x1@1:write@0x34200000,size=40") ==
          "--master: size = '40' | give 16 to 0x10000000, a multiple of 16");
}

TEST_CASE("traffic text: one beyond each limit, with place and remedy") {
    const std::string head = "x:1MB/s:write@0x34200000",
                      keys =
                          "behind the address: ,size=N ,burst=N ,fifo=N ,fill=N ,start=TIME "
                          ",stop=TIME ,rights=granted or configured",
                      unit = "give a number with a unit, such as 10ms or 1us",
                      patterns =
                          "give WIDTHxHEIGHTxBYTES@RATE, such as 640x480x2@30, or a rate, such as "
                          "100MB/s (kB/s, MB/s, GB/s), of 16 GB/s at most";
    const std::pair<std::string, std::string> rows[] = {
        {head + ",burst=4", "burst = '4' | give 8 to 0x1000, a multiple of 8"},
        {head + ",burst=4104", "burst = '4104' | give 8 to 0x1000, a multiple of 8"},
        {head + ",burst=12", "burst = '12' | give 8 to 0x1000, a multiple of 8"},
        {head + ",fifo=8", "fifo = '8' | give 16 to 0x100000, a multiple of 8"},
        {head + ",fifo=20", "fifo = '20' | give 16 to 0x100000, a multiple of 8"},
        {head + ",fifo=1048584", "fifo = '1048584' | give 16 to 0x100000, a multiple of 8"},
        {head + ",burst=64,fifo=120", "fifo = '120' | give two bursts at least"},
        {head + ",fill=256", "fill = '256' | give 0 to 255"},
        {"x:1MB/s:read@0x34200000,fill=0",
         "fill = '0' | only a writer stores bytes: access = \"write\""},
        {head + ",size=4", "size = '4' | give 8 to 0x10000000, a multiple of 8"},
        {head + ",size=12", "size = '12' | give 8 to 0x10000000, a multiple of 8"},
        {head + ",start=1", "start = '1' | " + unit},
        {head + ",stop=x", "stop = 'x' | " + unit},
        {head + ",start=2us,stop=2us", "stop = '2us' | give a time after start"},
        {head + ",rights=none", "rights = 'none' | give granted or configured"},
        {"x:1MB/s:both@0x34200000", "access = 'both' | give write or read"},
        {"x:1MB/s:write@0x34200004",
         "address = '0x34200004' | give 0 to 0xfffffff8, a multiple of 8"},
        {"x:1MB/s:write@0x10000000",
         "address = '0x10000000' | 65536 bytes from there on need memory that masters beside the "
         "core reach; `n6vp map` shows all of it"},
        {"x:1MB/s:write@0xFFFFFFF8",
         "address = '0xFFFFFFF8' | 65536 bytes from there on need memory that masters beside the "
         "core reach; `n6vp map` shows all of it"},
        {"x:1MB/s:write@0x70000000",
         "address = '0x70000000' | the flash is not written over the bus: read, or give RAM"},
        {"a b:1MB/s:write@0x34200000",
         "name = 'a b' | give up to 32 letters, digits, '.', '-' and '_'"},
        {std::string(33, 'n') + ":1MB/s:write@0x34200000",
         "name = '" + std::string(33, 'n') +
             "' | give up to 32 letters, digits, '.', '-' and '_'"}};
    for (const auto& row : rows) {
        CAPTURE(row.first);
        CHECK(refused_master(row.first) == "--master: " + row.second);
    }
    for (const char* const pattern :
         {"0.5B/s",    "0.0009kB/s",     "17GB/s",          "16.1GB/s",    "1 MB/s",   "MB/s",
          "x1x1@1",    "1x@1",           "1x1@1",           "1x1x@1",      "1x1x1@",   "1x1x1@x",
          "0x1x1@1",   "1x0x1@1",        "65537x1x1@1",     "1x65537x1@1", "1x1x17@1", "3x1x1.5@1",
          "1x1x0.5@1", "65536x4097x1@1", "65536x4096x1@60", "1x1x1@0.5"}) {
        CAPTURE(pattern);
        CHECK(refused_master(std::string("x:") + pattern + ":read@0x70000000") ==
              "--master: pattern = '" + std::string(pattern) + "' | " + patterns);
    }
    for (const char* const taken : {"0.001kB/s", "16GB/s", "65536x1x1@1", "1x65536x1@1", "1x1x16@1",
                                    "2x1x1.5@1", "1x1x1@1"}) {
        CAPTURE(taken);
        CHECK(refused_master(std::string("x:") + taken + ":read@0x70000000") == "taken");
    }
    for (const char* const text :
         {",colour=1", ",burst", ",burst=8,burst=8", ",name=y", ",=1", ",,burst=8"}) {
        CAPTURE(text);
        std::string expected = "--master '";
        expected += head;
        expected += text;
        expected += "' | ";
        expected += keys;
        CHECK(refused_master(head + text) == expected);
    }
    for (const char* const text : {"x", "x:1MB/s", "x:1MB/s:read", "x@0x34200000:1MB/s:read"}) {
        CAPTURE(text);
        CHECK(refused_master(text) == "--master '" + std::string(text) + "' | " + kForm);
    }
    CHECK(refused_master(head + ",burst=8,fifo=16") == "taken");
    CHECK(refused_master(head + ",burst=4096,fifo=8192") == "taken");
    CHECK(refused_master(head + ",fifo=1048576") == "taken");
    CHECK(refused_master(std::string(32, 'n') + ":1MB/s:write@0x34200000") == "taken");
}

TEST_CASE("traffic text: a table says the same as an option") {
    const TrafficSetting table = table_of(
        "name = 'ltdc'\npattern = '1MB/s'\naccess = 'read'\naddress = 0x34200000\nburst = 64\n"
        "start = '1ms'\n");
    CHECK(table.origin == "s.toml:1");
    CHECK(table.get("address") == "0x34200000");
    CHECK(table.get("burst") == "64");
    CHECK(table.get("fifo").empty());
    CHECK(table.option() == "ltdc:1MB/s:read@0x34200000,burst=64,start=1ms");
    const TrafficSetting option = traffic_option(table.option(), "--master");
    CHECK(option.option() == table.option());
    CHECK(option.origin == "--master");
    REQUIRE(option.keys.size() == 6);
    for (const TrafficSetting::Key& key : option.keys) CHECK(key.origin == "--master");
    CHECK(traffic_name("a") == "traffic a");
    CHECK(test::refusal([] { static_cast<void>(table_of("name = 'x'\nzzz = 1\n")); }) ==
          "s.toml:2: unknown key 'zzz' in [[master]] | possible: name, pattern, access, address, "
          "size, burst, fifo, fill, start, stop, rights");
    CHECK(test::refusal([] { static_cast<void>(table_of("address = 0x100000000\n")); }) ==
          "s.toml:1: address is not a valid number | give a whole number from 0 to 4294967295");
    for (const char* const missing : {"name", "pattern", "access", "address"}) {
        std::string text;
        for (const char* const line : {"name = 'x'\n", "pattern = '1MB/s'\n", "access = 'read'\n",
                                       "address = 0x34200000\n"}) {
            if (!std::string(line).starts_with(missing)) text += line;
        }
        CHECK(test::refusal([&] { static_cast<void>(traffic_master(table_of(text))); }) ==
              "s.toml:1: master without " + std::string(missing) + " | " + kForm);
    }
}
