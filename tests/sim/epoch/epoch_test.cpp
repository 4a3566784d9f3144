// SPDX-License-Identifier: Apache-2.0
// `n6vp epoch`: the file with its mistakes, results, report and exit codes.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/toolbox.h"

namespace {

using namespace n6vp::test;
using nlohmann::json;

/// y = x + 1 for four bytes: links, fields by name, buffers by name.
constexpr const char* kIncrement = R"(title = "add 1"
[[buffer]]
name = "input"
at = 0x342e0000
bytes = [1, 2, -3, 127]
[[buffer]]
name = "result"
memory = "AXISRAM4"
size = 4
expect = { bytes = "02 03 fe 7f" }
[defaults.STRENG]
LIMITEN = 7
[[epoch]]
name = "increment"
links = ["STRENG0 -> ARITH0.x", "ARITH0 -> STRENG5"]
[epoch.STRENG0]
CTRL = { RAW = 1, SINGLE = 1, SIZE0 = 8 }
ADDR = "input"
FSIZE = 4
LIMIT = 1
LIMITADDR = "input.end+63"
[epoch.arith0]
CTRL = { OBYTES = 1, SAT = 1, ROUND = 1, ORNDMODE = 1 }
COEFFAC = { A = 1, C = 1 }
INSHIFTER.FBYTESX = 1
[epoch.STRENG5]
CTRL = 0x0008010c
ADDR = "result"
FSIZE = 4
LIMIT = 1
LIMITADDR = "result.end+0x3f"
)";

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, part.size(), by);
}

ToolResult epoch(const Toolbox& room, const std::string& text, const std::string& words = "") {
    room.save("e.toml", {text.begin(), text.end()});
    return room.run("epoch e.toml " + words);
}

Toolbox room() {
    return Toolbox(N6VP_BINARY);
}

}  // namespace

TEST_CASE("an epoch by names computes what it should and says so") {
    const Toolbox tool = room();
    const ToolResult result = epoch(tool, kIncrement);
    CHECK(result.err == "");
    CHECK(result.exit_code == 0);
    CHECK(contains(result.out, "add 1\n"));
    CHECK(contains(result.out, "increment: "));
    CHECK(contains(result.out, "bound by bus port "));
    CHECK(contains(result.out, "1 of 1 buffers have the expected content"));
    CHECK(contains(result.out, "timing grade: approx"));
}

TEST_CASE("the document has time, its causes, engines, bursts and traffic") {
    const Toolbox tool = room();
    const ToolResult result = epoch(tool, kIncrement, "--json");
    REQUIRE(result.exit_code == 0);
    const json document = json::parse(result.out);
    CHECK(document["schema"] == "n6vp.epoch/2");
    CHECK(document["timing"] == "approx");
    CHECK(document["buffers_checked"] == 1);
    CHECK(document["differences"].empty());
    REQUIRE(document["epochs"].size() == 1);
    const json& one = document["epochs"][0];
    CHECK(one["name"] == "increment");
    CHECK(one["ended"] == true);
    CHECK(one["cycles"] > 4);
    CHECK(one["cycles"] < 200);
    CHECK(one["start_cycles"] == 900);
    CHECK(one["total_cycles"] == one["cycles"].get<double>() + 900);
    double shares = 0;
    for (const json& part : one["bound"]) shares += part["share"].get<double>();
    CHECK(shares == doctest::Approx(1).epsilon(1e-6));
    // Shares are of the epoch alone; the processor's start comes before it.
    CHECK(one["bound"][0]["cause"] == "bus port");
    CHECK(one["npu_cycles"] == one["cycles"]);
    CHECK(one["npu_ps"] == 1000 * one["cycles"].get<double>());
    CHECK(one["bytes_read"] == 4);
    CHECK(one["bytes_written"] == 4);
    REQUIRE(one["engines"].size() == 2);
    CHECK(one["engines"][0]["engine"] == "STRENG0");
    CHECK(one["engines"][0]["direction"] == "in");
    CHECK(one["engines"][0]["words"] == 4);
    CHECK(one["engines"][0]["bursts"] == json::array({1, 0, 0, 0}));
    CHECK(one["engines"][1]["active_cycles"] == one["cycles"]);
    CHECK(one["bursts"][0] == json{{"port", 0},
                                   {"direction", "read"},
                                   {"beats", {{"1", 1}, {"2", 0}, {"4", 0}, {"8", 0}}}});
    CHECK(one["bursts"][3]["beats"]["1"] == 1);
    const json expected = json::array({{{"master", "NPU port 0"},
                                        {"memory", "AXISRAM5"},
                                        {"bytes_read", 4},
                                        {"bytes_written", 0}},
                                       {{"master", "NPU port 1"},
                                        {"memory", "AXISRAM4"},
                                        {"bytes_read", 0},
                                        {"bytes_written", 4}}});
    CHECK(one["traffic"] == expected);
    CHECK(one["macs"] == 0);
}

TEST_CASE("what a buffer holds in the end is compared, the first difference named") {
    const Toolbox tool = room();
    SUBCASE("bytes") {
        const ToolResult result = epoch(tool, replaced(kIncrement, "02 03 fe 7f", "02 03 ff 7e"));
        CHECK(result.exit_code == 1);
        CHECK(contains(result.err,
                       "e.toml:10: buffer 'result': byte 2 at 0x34270002 is 0xfe, 0xff "
                       "was expected; 2 of 4 differ"));
    }
    SUBCASE("a CRC of the first bytes") {
        const std::string right =
            replaced(kIncrement, "{ bytes = \"02 03 fe 7f\" }", "{ crc32 = 0xa01a6099, size = 1 }");
        // zlib.crc32(b"\x02")
        CHECK(epoch(tool, replaced(right, "0xa01a6099", "0x3c0c8ea1")).exit_code == 0);
        const ToolResult wrong = epoch(tool, replaced(right, "0xa01a6099", "0x3c0c8ea2"));
        CHECK(wrong.exit_code == 1);
        CHECK(contains(wrong.err, "CRC-32 of 1 bytes is 0x3c0c8ea1, 0x3c0c8ea2 was expected"));
    }
    SUBCASE("a file") {
        tool.save("want.bin", {2, 3, 0xFE, 0x7F});
        const std::string text =
            replaced(kIncrement, "{ bytes = \"02 03 fe 7f\" }", "{ file = \"want.bin\" }");
        CHECK(epoch(tool, text).exit_code == 0);
        tool.save("want.bin", {2, 4, 0xFE, 0x7F});
        CHECK(contains(epoch(tool, text).err, "byte 1 at 0x34270001 is 0x03, 0x04 was expected"));
    }
}

TEST_CASE("functional runs give the same bytes, buffers are dumped") {
    const Toolbox tool = room();
    const ToolResult result = epoch(tool, kIncrement, "--timing functional --dump out --json");
    CHECK(result.exit_code == 0);
    CHECK(json::parse(result.out)["timing"] == "functional");
    CHECK(tool.bytes("out/result.bin") == std::vector<std::uint8_t>{2, 3, 0xFE, 0x7F});
    CHECK(tool.bytes("out/input.bin") == std::vector<std::uint8_t>{1, 2, 0xFD, 0x7F});
}

TEST_CASE("a dump that a full disk refuses took the report with it") {
    const Toolbox tool = room();
    const std::string text =
        std::string(kIncrement) + "[[buffer]]\nname = \"large\"\nat = 0x342c0000\nsize = 2048\n";
    tool.save("e.toml", {text.begin(), text.end()});
    const Outcome outcome = run_after("ulimit -f 1", {N6VP_BINARY, "epoch", tool.path() / "e.toml",
                                                      "--dump", tool.path() / "out"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 7);
    CHECK(contains(outcome.err, "large.bin': File too large"));
    CHECK(contains(outcome.out, "increment"));
}

TEST_CASE("parameters come from the file, then from the command line") {
    const Toolbox tool = room();
    const std::string text = replaced(kIncrement, "title = ",
                                      "[parameters]\nepoch_bench.host_start = 1000\n[ignored]\n"
                                      "title = ");
    const std::string good = replaced(text, "[ignored]\ntitle = \"add 1\"\n", "");
    CHECK(json::parse(epoch(tool, good, "--json").out)["epochs"][0]["start_cycles"] == 1000);
    const ToolResult set = epoch(tool, good, "--json --set epoch_bench.host_start=0");
    CHECK(json::parse(set.out)["epochs"][0]["start_cycles"] == 0);
    CHECK(epoch(tool, text).exit_code == 2);
}

TEST_CASE("an epoch that cannot go on ends with exit code 3 and the reason") {
    const Toolbox tool = room();
    const ToolResult result = epoch(tool, replaced(kIncrement, "\"STRENG0 -> ARITH0.x\", ", ""));
    CHECK(result.exit_code == 3);
    CHECK(contains(result.err, "increment: the epoch did not end: "));
    CHECK(contains(result.err, "STRENG5"));
    CHECK(contains(result.out, "did not end"));
}

TEST_CASE("an epoch whose engines refuse to begin ends with exit code 3") {
    const Toolbox tool = room();
    const std::string lane = "{ DIR = 1, RAW = 1, SINGLE = 1, SIZE0 = 9 }";
    std::string text = replaced(kIncrement, "0x0008010c", lane);
    const ToolResult output = epoch(tool, text);
    CHECK(output.exit_code == 3);
    CHECK(contains(output.err, "increment: the epoch did not end: "));
    CHECK(contains(output.err, "STRENG0 waits for its link to take word 3 (received by ARITH0.x)"));
    CHECK(contains(output.out, "STRENG5: breaks a rule: a lane has more than 8 bits"));
    text =
        replaced(text, "{ RAW = 1, SINGLE = 1, SIZE0 = 8 }", "{ RAW = 1, SINGLE = 1, SIZE0 = 9 }");
    const ToolResult both = epoch(tool, text);
    CHECK(both.exit_code == 3);
    CHECK(contains(both.err, "all units are idle"));
}

TEST_CASE("files without epochs, with deep keys or with more buffers than memory are refused") {
    const Toolbox tool = room();
    std::string deep = "[parameters]\na";
    for (int i = 0; i < 100000; ++i) deep += ".a";
    std::string many;
    for (int i = 0; i < 300; ++i) {
        many += "[[buffer]]\nname = \"b" + std::to_string(i) +
                "\"\nat = 0x71000000\nsize = 0x4000000\nfill = 1\n";
    }
    const std::pair<std::string, const char*> files[] = {
        {"epoch = []\n", "the file has no epoch"},
        {"title = \"nothing\"\n", "the file has no epoch"},
        {deep + " = 1\n", "e.toml:2: more than 32 dots in a key"},
        {many, "'b0' (e.toml:1) and 'b1' (e.toml:6) overlap"},
    };
    for (const auto& [text, cause] : files) {
        const ToolResult result = epoch(tool, text);
        CHECK(result.exit_code == 2);
        CAPTURE(result.err);
        CHECK(contains(result.err, cause));
    }
}

TEST_CASE("cycles are those of the NPU's clock") {
    const Toolbox tool = room();
    // 600 MHz: 1667 ps, as the NPU rounds.
    const ToolResult result =
        epoch(tool, kIncrement, "--json --timing functional --set clock.npu=600");
    const double cycles = json::parse(result.out)["epochs"][0]["engines"][1]["active_cycles"];
    CHECK(cycles > 0);
    CHECK(cycles == std::floor(cycles));
}

TEST_CASE("every mistake is one line with file and line, and one of remedy") {
    struct Mistake {
        const char *part, *by, *cause, *remedy;
    };
    const std::vector<Mistake> mistakes{
        {"[epoch.arith0]", "[epoch.arithh0]", "e.toml:22: there is no unit 'ARITHH0'",
         "did you mean ARITH0?"},
        {"FSIZE = 4", "FSIZEE = 4", ":19: there is no register of STRENG0 'FSIZEE'", "FSIZE?"},
        {"RAW = 1,", "ROW = 1,", ":17: there is no field of STRENG0.CTRL 'ROW'",
         "did you mean RAW?"},
        {"SIZE0 = 8", "SIZE0 = 16", ":17: STRENG0.CTRL.SIZE0 = 16 is too wide", "-8 to 15"},
        {"CTRL = 0x0008010c", "CTRL = 0x100000000", "is too wide", "it has 32 bits"},
        {"CTRL = 0x0008010c", "CTRL.RUNNING = 1", "STRENG5.CTRL.RUNNING is read-only",
         "leave it out"},
        {"ADDR = \"input\"", "ADDR = \"inputs\"", ":18: there is no buffer 'inputs'",
         "did you mean input?"},
        {"input.end+63", "input.end+x", "'x' is not an offset", "buffer+64"},
        {"\"STRENG0 -> ARITH0.x\"", "\"STRENG0 - ARITH0.x\"", ":15: a link without '->'", "write"},
        {"STRENG0 -> ARITH0.x", "STRENG0 -> ARITH0.z", "there is no destination of a link",
         "ARITH0.x"},
        {"STRENG0 -> ARITH0.x", "STRENG10 -> ARITH0.x", "there is no source of a link 'STRENG10'",
         "did you mean STRENG"},
        {"STRENG0 -> ARITH0.x", "STRENG0 [maybe 1] -> ARITH0.x",
         "'maybe 1' is not a turn of a link", "[off 1, on 1]"},
        {"STRENG0 -> ARITH0.x", "STRENG0 [on 256] -> ARITH0.x", "'on 256' is not a turn",
         "1 to 255"},
        {"\"ARITH0 -> STRENG5\"", "\"ARITH0 -> ARITH0.x\"", "two links to the same destination",
         "both turns in it"},
        {"at = 0x342e0000", "at = 0x34270002",
         "buffers 'result' (e.toml:6) and 'input' (e.toml:2) "
         "overlap at 0x34270002",
         "move one"},
        {"at = 0x342e0000", "at = 0x10000000", "is outside the memory that the NPU reaches",
         "n6vp map"},
        {"at = 0x342e0000\n", "", "buffer 'input' has no place", "at = 0x342e0000"},
        {"memory = \"AXISRAM4\"", "memory = \"AXISRAM9\"", "there is no memory 'AXISRAM9'",
         "AXISRAM4"},
        {"name = \"result\"", "name = \"input\"", "a second buffer 'input'", "e.toml:2"},
        {"name = \"result\"", "name = \"a b\"", "a buffer needs a name", "write name"},
        {"size = 4", "sice = 4", "unknown key 'sice' in [[buffer]]", "did you mean size?"},
        {"size = 4", "fill = 0", "buffer 'result' has no size", "give size"},
        {"bytes = [1, 2, -3, 127]", "bytes = [1, 2, -3, 127]\noffset = 1",
         ":6: buffer 'input' has an offset and no file", "leave it out"},
        {"name = \"increment\"", "blob = \"input\"", "beside a blob", "use a separate [[epoch]]"},
        {"bytes = [1, 2, -3, 127]", "bytes = [1, 2, -3, 300]", "bytes = 300 is too wide", "8 bits"},
        {"02 03 fe 7f", "02 03 fg 7f", "'fg' is not a byte", "pairs"},
        {"02 03 fe 7f", "02 03 fe 7f 00", "5 bytes are expected of a buffer of 4", "at most"},
        {"FSIZE = 4", "FSIZE = 5",
         ":16: STRENG0 reads 0x342e0000 to 0x342e0004, buffer 'input' is "
         "0x342e0000 to 0x342e0003",
         "check FSIZE"},
        {"ADDR = \"result\"", "ADDR = 0x50000000", "where the NPU has no memory", "check ADDR"},
        {"[epoch.STRENG5]\nCTRL = 0x0008010c", "[epoch.STRENG5]\nCTRL = 0x00080104",
         "'increment' has no output engine", "CTRL.DIR = 1"},
        {"name = \"increment\"", "enable = [\"STRENG9\"]", "STRENG9 has no settings in 'epoch 1'",
         "[epoch.STRENG9]"},
        {"name = \"increment\"", "wait = [\"ARITH0\"]", "ARITH0 is not a stream engine", "output"},
        {"[defaults.STRENG]", "[defaults.STRENGTH]", "[defaults.STRENGTH]: no such kind of unit",
         "STRENG"},
        {"COEFFAC = { A = 1, C = 1 }", "coefficients = [[1]]", "a coefficient has two or three",
         "[[A, BC], ...]"},
        {"\"02 03 fe 7f\"", "\"02 03 fe 7f\", size = 2", "size is for crc32 only",
         "leave size out"},
        {"[defaults.STRENG]\nLIMITEN = 7\n", "",
         ":24: STRENG5 has no limit of frames: 'increment' would never end",
         "LIMITEN.FRAMELIMIT = 1"},
        {"title = \"add 1\"", "titel = \"add 1\"", ":1: unknown key 'titel'",
         "did you mean title?"},
        {"title = \"add 1\"", "title = add 1", "e.toml:1: ", "scenarios are TOML"},
    };
    const Toolbox tool = room();
    for (const Mistake& one : mistakes) {
        CAPTURE(one.by);
        const ToolResult result = epoch(tool, replaced(kIncrement, one.part, one.by));
        CHECK(result.exit_code == 2);
        CHECK(result.out == "");
        CAPTURE(result.err);
        CHECK(result.err.starts_with("n6vp: e.toml:"));
        CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 2);
        CHECK(contains(result.err, one.cause));
        CHECK(contains(result.err, one.remedy));
    }
}

TEST_CASE("texts of the file do not reach the terminal raw") {
    const Toolbox tool = room();
    const ToolResult named =
        epoch(tool, replaced(kIncrement, "name = \"increment\"", "name = \"a\\u001b[31m\""));
    CHECK(named.exit_code == 0);
    CHECK(contains(named.out, "a\\x1b[31m"));
    CHECK_FALSE(contains(named.out, "\x1b"));
    const ToolResult wrong =
        epoch(tool, replaced(kIncrement, "name = \"result\"", "name = \"\\u001b[31m\""));
    CHECK(wrong.exit_code == 2);
    CHECK_FALSE(contains(wrong.err, "\x1b"));
}

TEST_CASE("all 512 coefficients reach their place, those beyond the window too") {
    // One frame of 512 channels, A = 1 and C = the channel's number: the result is the numbers.
    std::string text = R"([[buffer]]
name = "input"
at = 0x342e0000
size = 512
fill = 0
[[buffer]]
name = "result"
at = 0x34270000
size = 1024
expect = { bytes = "@" }
[defaults.STRENG]
LIMITEN = 7
LIMIT = 1
FSIZE = 512
[[epoch]]
links = ["STRENG0 -> ARITH1.x", "ARITH1 -> STRENG5"]
[epoch.STRENG0]
CTRL = { RAW = 1, SINGLE = 1, SIZE0 = 8 }
ADDR = "input"
LIMITADDR = "input.end+63"
[epoch.ARITH1]
CTRL = { OBYTES = 2, COEFFA = 1, COEFFB = 1, COEFFC = 1, CNT1 = 1 }
INCOFFSET = 1
TRANSLATEADDR = 1
RSTCNT1 = 511
ADDROFFSET.OFFSET1 = 1
coefficients = [@]
[epoch.STRENG5]
CTRL = { DIR = 1, RAW = 1, SINGLE = 1, SIZE0 = 8, SIZE1 = 8 }
ADDR = "result"
LIMITADDR = "result.end+63"
)";
    std::string bytes, coefficients;
    for (int i = 0; i < 512; ++i) {
        constexpr const char* kDigits = "0123456789abcdef";
        for (const int nibble : {i >> 4 & 15, i & 15, i >> 12 & 15, i >> 8 & 15}) {
            bytes += kDigits[nibble];
        }
        coefficients += "[1, 0, " + std::to_string(i) + "], ";
    }
    text = replaced(replaced(text, "@", bytes), "@", coefficients);
    const Toolbox tool = room();
    const ToolResult result = epoch(tool, text);
    CHECK(result.err == "");
    CHECK(result.exit_code == 0);
}
