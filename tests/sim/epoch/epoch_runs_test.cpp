// SPDX-License-Identifier: Apache-2.0
// `n6vp epoch`: several epochs, programs of the epoch controller, ends that never come, files.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/support/toolbox.h"

namespace {

using namespace n6vp::test;
using nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

ToolResult epoch(const Toolbox& room, const std::string& text, const std::string& words = "") {
    room.save("e.toml", {text.begin(), text.end()});
    return room.run("epoch e.toml " + words);
}

Toolbox room() {
    return Toolbox(N6VP_BINARY);
}

/// A copy of `bytes` bytes by two engines; `more` are further registers of both.
std::string copy(int input, int output, const std::string& from, const std::string& to, int bytes,
                 const std::string& more = "") {
    std::string text;
    const auto engine = [&](int number, int direction, const std::string& buffer) {
        text += "[epoch.STRENG" + std::to_string(number) +
                "]\nCTRL = { RAW = 1, SINGLE = 1, SIZE0 = 8, DIR = " + std::to_string(direction) +
                " }\nADDR = \"" + buffer + "\"\nLIMITADDR = \"" + buffer +
                ".end+63\"\nLIMIT = 1\nFSIZE = " + std::to_string(bytes) + "\n" + more;
    };
    engine(input, 0, from);
    engine(output, 1, to);
    return text;
}

std::string link(int input, int output) {
    return "\"STRENG" + std::to_string(input) + " -> STRENG" + std::to_string(output) + "\"";
}

constexpr const char* kBuffers = R"([[buffer]]
name = "input"
at = 0x342e0000
bytes = [1, 2, 3, 4]
[[buffer]]
name = "result"
at = 0x34270000
size = 4
expect = { bytes = [1, 2, 3, 4] }
[[buffer]]
name = "other"
at = 0x34350000
size = 4
[defaults.STRENG]
LIMITEN = 7
POS = 0x24
)";

}  // namespace

TEST_CASE("gates that an epoch sets are as before in the next") {
    const std::string one = "[[epoch]]\nlinks = [" + link(0, 5) + "]\n" +
                            copy(0, 5, "input", "result", 4) +
                            "[epoch.CLKCTRL]\nAGATES0 = 15\nAGATES1 = 15\n";
    const Toolbox tool = room();
    const ToolResult result = epoch(tool, kBuffers + one + one, "--json");
    CHECK(result.exit_code == 0);
    const json document = json::parse(result.out);
    REQUIRE(document["epochs"].size() == 2);
    for (const json& row : document["epochs"]) CHECK(row["problems"].empty());
}

TEST_CASE("an epoch that waits beside a stream without an end is given up") {
    std::string text = kBuffers;
    text += "[[epoch]]\nwait = [\"STRENG5\"]\nlinks = [" + link(1, 6) + "]\n" +
            copy(0, 5, "input", "result", 4) +
            copy(1, 6, "input", "other", 4, "LIMITEN.FRAMELIMIT = 0\n");
    const Toolbox tool = room();
    const ToolResult result = epoch(tool, text, "--set epoch_bench.longest=50000");
    CHECK(result.exit_code == 5);
    CHECK(contains(result.err,
                   "epoch 1: the epoch did not end: still running after 50000 cycles "
                   "(epoch_bench.longest)"));
    // With its link it ends, whatever goes on beside it.
    const std::size_t at = text.find("links = [");
    text.insert(at + 9, link(0, 5) + ", ");
    CHECK(epoch(tool, text, "--set epoch_bench.longest=50000").exit_code == 0);
}

TEST_CASE("buffers whose names are alike get files of their own") {
    std::string text = kBuffers;
    text.insert(0,
                "[[buffer]]\nname = \"x/y\"\nat = 0x34270100\nbytes = [7]\n"
                "[[buffer]]\nname = \"x_y\"\nat = 0x34270200\nbytes = [8]\n");
    text += "[[epoch]]\nlinks = [" + link(0, 5) + "]\n" + copy(0, 5, "input", "result", 4);
    const Toolbox tool = room();
    CHECK(epoch(tool, text, "--dump out").exit_code == 0);
    CHECK(tool.bytes("out/x_y.bin") == std::vector<std::uint8_t>{7});
    CHECK(tool.bytes("out/x_y-34270200.bin") == std::vector<std::uint8_t>{8});
    CHECK(tool.bytes("out/result.bin") == std::vector<std::uint8_t>{1, 2, 3, 4});
}

TEST_CASE("streams that share the NPU cache wait for its port, not for a bank") {
    std::string text;
    const auto buffer = [&text](const char* name, const char* at) {
        text += std::string("[[buffer]]\nname = \"") + name + "\"\nat = " + at +
                "\nsize = 16384\nfill = 1\n";
    };
    buffer("one", "0x90000000");
    buffer("two", "0x90100000");
    buffer("to_one", "0x34270000");
    buffer("to_two", "0x34350000");
    text += "[defaults.STRENG]\nLIMITEN = 7\n[[epoch]]\nlinks = [" + link(0, 5) + ", " +
            link(1, 6) + "]\n";
    const std::string cached = "CID_CACHE = { CACHEABLE = 1, ALLOC = 1 }\n";
    text += copy(0, 5, "one", "to_one", 16384, cached) + copy(1, 6, "two", "to_two", 16384, cached);
    const Toolbox tool = room();
    const ToolResult result = epoch(tool, text, "--json");
    REQUIRE(result.exit_code == 0);
    double port = 0, bank = 0;
    const json document = json::parse(result.out);
    for (const json& part : document["epochs"][0]["bound"]) {
        if (part["cause"] == "port conflict") port = part["share"];
        if (part["cause"] == "bank conflict") bank = part["share"];
    }
    CHECK(port > 0.2);
    CHECK(bank < 0.01);
}

namespace {

/// Registers of a copy of four bytes from `from` to `to`, from enabling to clearing.
void append_copy(EcAssembler& code, std::uint32_t label, std::uint32_t from, std::uint32_t to) {
    constexpr std::uint32_t kSwitch = 4, kIn = 5, kOut = 10;
    code.label(label).write(0, 0x10, 1u << 0 | 1u << 5 | 1u << 25);
    const auto engine = [&code](std::uint32_t page, std::uint32_t control, std::uint32_t address) {
        code.write(page, 0x00, control).burst_inc(page, 0x08, {address, 4});
        code.write(page, 0x24, 0x24).burst_inc(page, 0x30, {6, 1});
    };
    engine(kIn, 0x00080104, from);
    engine(kOut, 0x0008010C, to);
    code.write(kSwitch, 0x1C, 1);
    code.field(kOut, 0, 0, 1).field(kIn, 0, 0, 1).poll(kOut, 0, 31);
    code.write(kIn, 0, 2).write(kOut, 0, 2).write(kSwitch, 0x1C, 0);
}

constexpr const char* kProgram = R"([[buffer]]
name = "program"
at = 0x34100000
file = "p.bin"
[[epoch]]
name = "net"
blob = "program"
)";

}  // namespace

TEST_CASE("a blob is run by the epoch controller, an epoch for each label") {
    EcAssembler code;
    append_copy(code, 3, 0x342E0000, 0x34350000);
    append_copy(code, 4, 0x34350000, 0x34270000);
    code.irq();
    const Toolbox tool = room();
    tool.save("p.bin", blob_bytes(code.words()));
    // An epoch of the processor behind it finds everything as before.
    const std::string text = std::string(kBuffers) + kProgram +
                             "[[epoch]]\nname = \"table\"\nlinks = [" + link(0, 5) + "]\n" +
                             copy(0, 5, "result", "other", 4);
    for (const char* timing : {"approx", "functional"}) {
        CAPTURE(timing);
        const ToolResult result = epoch(tool, text, std::string("--json --timing ") + timing);
        CHECK(result.err == "");
        CHECK(result.exit_code == 0);
        const json document = json::parse(result.out);
        REQUIRE(document["epochs"].size() == 3);
        CHECK(document["epochs"][0]["name"] == "net label 3");
        CHECK(document["epochs"][1]["name"] == "net label 4");
        CHECK(document["epochs"][2]["name"] == "table");
        for (const json& row : document["epochs"]) {
            CHECK(row["ended"] == true);
            CHECK(row["problems"].empty());
            CHECK(row["engines"].size() == 2);
            CHECK(row["engines"][1]["bytes"] == 4);
        }
        if (std::string(timing) == "functional") continue;
        // 16 fetches at least, of 16 cycles, between the two labels.
        CHECK(document["epochs"][0]["cycles"] > 16 * 16);
        CHECK(document["epochs"][0]["cycles"] < 1000);
        CHECK(document["epochs"][0]["start_cycles"] == 900);
        CHECK(document["epochs"][1]["start_cycles"] == 0);
        CHECK(document["epochs"][1]["cycles"] > 16 * 16);
        CHECK(document["epochs"][1]["cycles"] < 1000);
    }
}

TEST_CASE("a label at the end of a blob in which no unit works has no cycles without end") {
    EcAssembler code;
    append_copy(code, 3, 0x342E0000, 0x34270000);
    code.label(4).irq();
    const Toolbox tool = room();
    tool.save("p.bin", blob_bytes(code.words()));
    const ToolResult result = epoch(tool, std::string(kBuffers) + kProgram, "--json");
    const json document = json::parse(result.out);
    REQUIRE(document["epochs"].size() == 2);
    CHECK(document["epochs"][0]["npu_cycles"] > 4);
    const json& last = document["epochs"][1];
    CHECK(last["name"] == "net label 4");
    CHECK(last["cycles"] < 1000);
    CHECK(last["npu_cycles"] == 0);
    CHECK(last["mac_utilisation"] == 0);
    CHECK(last["bound"].empty());
}

TEST_CASE("a last label in which no unit runs had 18446744073709280 cycles") {
    EcAssembler code;
    append_copy(code, 3, 0x342E0000, 0x34350000);
    append_copy(code, 4, 0x34350000, 0x34270000);
    code.label(5);  // and no interrupt
    const Toolbox tool = room();
    tool.save("p.bin", blob_bytes(code.words()));
    for (const char* timing : {"approx", "functional"}) {
        CAPTURE(timing);
        const std::string words = std::string(" --timing ") + timing;
        const ToolResult result = epoch(tool, std::string(kBuffers) + kProgram, "--json" + words);
        CHECK(result.exit_code == 0);
        const json document = json::parse(result.out);
        REQUIRE(document["epochs"].size() == 3);
        const json& row = document["epochs"][2];
        CHECK(row["name"] == "net label 5");
        CHECK(row["engines"].empty());
        CHECK(row["cycles"] == 0);
        CHECK(row["total_cycles"] == 0);
        CHECK(document["epochs"][1]["cycles"] > 16 * 16);
        const ToolResult text = epoch(tool, std::string(kBuffers) + kProgram, words);
        CHECK_FALSE(contains(text.out, "1844674407"));
    }
}

TEST_CASE("a blob that cannot go on ends with exit code 3 and its fault") {
    const Toolbox tool = room();
    tool.save("p.bin", {1, 2, 3, 4, 5, 6, 7, 8});
    const ToolResult result = epoch(tool, kProgram);
    CHECK(result.exit_code == 3);
    CHECK(contains(result.err, "net: the epoch did not end: "));
    CHECK(contains(result.err, "the blob at 0x34100000"));
}
