// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/loader/validation/board.h"

/// A recorded session of a published client with a board's firmware, byte by byte. The network has
/// one byte of input and one of output.

namespace n6vp::tests {

namespace {

using namespace std::string_literals;

constexpr const char* kSyncRequest = "000b 0a 08011000180022002800";
constexpr const char* kSystemRequest = "000b 0a 08021001180022002800";
constexpr const char* kInfoRequest = "000b 0a 0803100a180022002800";
const std::string kName = "68656c6c6f5f776f726c645f696e7438";

std::string run_request(const char* mode) {
    return "001b 1a 0805100b18" + std::string(mode) + "2210" + kName + "2801";
}

std::string log_of(const char* request, const std::string& text, const char* inner,
                   const char* length) {
    return hex(request) + hex("1001 6a") + hex(inner) + hex("0801 12") + hex(length) + text;
}

std::string description(const char* tag, const char* scale, const char* zero, const char* address,
                        const char* flags, const std::string& name) {
    std::string text = hex(tag) + name + hex("10c0889004 1801 2004 2801280128012801");
    return text + hex(scale) + hex(zero) + hex(address) + hex(flags);
}

std::string output_description(const char* flags) {
    return description("0a19", "35cbd6073c", "3805", "408080b8a103", flags,
                       "StatefulPartitionedCall:0");
}

std::string pool(const char* size, const char* dimension) {
    return hex("0a00 10c08810") + hex(size) + hex("2001") + hex(dimension) +
           hex("3500000000 3800 4000 4808");
}

std::string model_info() {
    return hex("0803 1000 b201ad02 0a10") + "hello_world_int8" + hex("1084888820 1a00 2214") +
           "Jun 16 2025 21:44:29" + hex("2880808850 3080828408 3800 4001 5001 5a49") +
           description("0a1d", "35868ac83c", "3880ffffffffffffffff01", "408081b8a103", "488108",
                       "serving_default_dense_input:0") +
           hex("6001 6a3c") + output_description("488208") + hex("7001 7a19") +
           pool("18c001", "28c001") + hex("800101 8a0119") + pool("18b202", "28b202") +
           hex("a20124") + "atonn-v1.1.1-14 (RELOC.GCC) 10582946";
}

std::string output_answer() {
    return hex("0805 1003 8a014d 0a3c") + output_description("488202") +
           hex("120d 0800 1001 188080b8a103 2201 4c");
}

}  // namespace

TEST_CASE("validation: identification as recorded") {
    ScriptedBoard board;
    const Unframed sent = unframe(board.packet(kSyncRequest).packet(kSystemRequest).serve());
    REQUIRE(sent.messages.size() == 2);
    CHECK(sent.messages[0] == hex("08011000 5209 088106 2001 28848008"));
    CHECK(sent.headers[0] == "800f");
    CHECK(sent.messages[1] == hex("08021000 5a26 088609 108090bcfd02 188088debe01 2080988428 2800"
                                  "3000 308094ebdc03 3080d293ad03 3000"));
    CHECK(sent.headers[1] == "0020 800c");
    CHECK(sent.asked == 0);
}

TEST_CASE("validation: description of a model as recorded") {
    ScriptedBoard board;
    board.packet(kInfoRequest).acks(7).packet("000b 0a 0804100a180122002800");
    const Unframed sent = unframe(board.serve());
    REQUIRE(sent.messages.size() == 9);
    CHECK(sent.messages[0] == log_of("0803", "s:config:version:1.0", "18", "14"));
    CHECK(sent.messages[1] == log_of("0803", "s:config:dev_id:0x486", "19", "15"));
    CHECK(sent.messages[2] == log_of("0803", "s:config:mcu_freq:800000000", "1f", "1b"));
    CHECK(sent.messages[3] == log_of("0803", "s:config:noc_freq:400000000", "1f", "1b"));
    CHECK(sent.messages[4] == log_of("0803", "s:config:npu_freq:1000000000", "20", "1c"));
    CHECK(sent.messages[5] == log_of("0803", "s:config:nic_freq:900000000", "1f", "1b"));
    CHECK(sent.messages[6] == log_of("0803", "s:config:npu_cache:1", "18", "14"));
    CHECK(sent.headers[4] == "0020 8006");
    CHECK(sent.messages[7] == model_info());
    CHECK(sent.headers[7] == "0020 0020 0020 0020 0020 0020 0020 0020 0020 8015");
    CHECK(sent.messages[8] == hex("0804 1004 6204 0804 1004"));
}

TEST_CASE("validation: times of a model are two fields at the end") {
    ScriptedBoard board;
    board.with_times = true;
    const Unframed sent = unframe(board.packet(kInfoRequest).acks(7).serve());
    REQUIRE(sent.messages.size() == 8);
    // Twelve bytes more: 0x12D and 0x139.
    std::string expected = model_info() + hex("ad0100000000 b50100000000");
    expected.replace(4, 4, hex("b201b902"));
    CHECK(sent.messages[7] == expected);
}

TEST_CASE("validation: inference as recorded") {
    ScriptedBoard board;
    board.packet(run_request("01")).packet("000a 09 0800 1001 1800 2201e6").acks(1);
    const Unframed sent = unframe(board.serve());
    REQUIRE(sent.messages.size() == 4);
    CHECK(sent.messages[0] == hex("0805 1001 6204 0801 1000"));
    CHECK(sent.messages[1] == hex("0805 1002 6204 0801 1000"));
    CHECK(sent.messages[2] ==
          hex("0805 1002 820148 0a10") + hex(kName) +
              hex("1000 1800 2550aa7d3c 2800 300030003000300030003000 30e260 300030003000"
                  "38ffffffffffffffffff01 40ffffffffffffffffff01"));
    CHECK(sent.headers[2] == "0020 0020 800f");
    CHECK(sent.messages[3] == output_answer());
    CHECK(sent.headers[3] == "0020 0020 8014");
    CHECK(board.input[0] == 0xE6);
}

TEST_CASE("validation: nodes as recorded") {
    ScriptedBoard board;
    board.packet(run_request("03")).packet("000a 09 0800 1001 1800 2201e6").acks(4);
    const Unframed sent = unframe(board.serve());
    REQUIRE(sent.messages.size() == 8);
    CHECK(sent.messages[2] ==
          log_of("0805", "s:node:evt_pre_start:0:1:1:3:00000017:05000004:EC", "35", "31"));
    CHECK(sent.messages[3] == log_of("0805", "s:node:evt_post_end:0:1:1:3:0", "21", "1d"));
    CHECK(sent.messages[4] == log_of("0805", "s:node:mcu_cycles:354:8289:401", "22", "1e"));
    CHECK(sent.messages[5] ==
          hex("0805 1002 820133 0a00 1084808028 1881800c 259b38393c 28808004 30e202 30e140 309103"
              "38ffffffffffffffffff01 40ffffffffffffffffff01"));
    CHECK(sent.messages[6] ==
          hex("0805 1002 82014b 0a10") + hex(kName) +
              hex("1000 1800 254f75483c 2800 30e202 3000 30e140 3000 309103 3000 30bc4c"
                  "300030003000 38ffffffffffffffffff01 40ffffffffffffffffff01"));
    CHECK(sent.messages[7] == output_answer());
}

TEST_CASE("validation: tensors of a node have no data") {
    ScriptedBoard board;
    board.with_tensor = true;
    board.packet(run_request("07")).packet("000a 09 0800 1001 1800 2201e6").acks(4);
    const Unframed sent = unframe(board.serve());
    REQUIRE(sent.messages.size() == 9);
    // Type 0x01000004: nothing of "no tensors follow"; flags 0x304.
    CHECK(sent.messages[5].substr(7, 7) == hex("0a00 1084808008"));
    CHECK(sent.messages[6].find(hex("488406 120c 0800 1000 188080b8a103 2200")) !=
          std::string::npos);
}

TEST_CASE("validation: one element for all, and outputs without data") {
    ScriptedBoard board;
    board.input.assign(10, 0);
    board.packet("001c 1b 0805100b1889042210" + kName + "2801");
    board.packet("000a 09 0800 1001 1800 220107").acks(1);
    const Unframed sent = unframe(board.serve());
    REQUIRE(sent.messages.size() == 4);
    CHECK(sent.messages[0] == hex("0805 1001 6204 080a 1000"));
    CHECK(board.input == std::vector<std::uint8_t>(10, 7));
    CHECK(sent.messages[3].find(hex("488206 120c 0800 1000 188080b8a103 2200")) !=
          std::string::npos);
}

TEST_CASE("validation: 490 bytes of input take 16 packets and 15 requests for the next") {
    ScriptedBoard board;
    board.input.assign(490, 0);
    board.packet(run_request("01"));
    std::string message = hex("f403 0800 10ea03 1800 22ea03");
    for (int i = 0; i < 490; ++i) message.push_back(static_cast<char>(i));
    for (std::size_t at = 0; at < message.size(); at += 32) {
        std::string part = message.substr(at, 32);
        std::string packet(1, '\0');
        packet.push_back(static_cast<char>(part.size()));
        packet += part;
        packet.resize(34);
        board.bytes(packet);
    }
    const Unframed sent = unframe(board.acks(1).serve());
    CHECK(sent.asked == 15);
    REQUIRE(sent.messages.size() == 4);
    CHECK(sent.messages[1] == hex("0805 1002 6205 08ea03 1000"));
    CHECK(board.input[489] == static_cast<std::uint8_t>(489));
}

TEST_CASE("validation: a message of exactly one packet ends with an empty one") {
    ScriptedBoard board;
    // The log of 20 characters has 30 bytes; a request number of three bytes makes them 32.
    board.packet("000d 0c 08 818001 100a 1800 2200 2800").acks(7);
    const Unframed sent = unframe(board.serve());
    REQUIRE(!sent.messages.empty());
    CHECK(sent.messages[0].size() == 32);
    CHECK(sent.headers[0] == "0020 8000");
}

namespace {

/// The logs of an inference by nodes whose request has an option of one to three bytes, from the
/// first one behind the core's cycles on.
std::vector<std::string> counter_logs(ScriptedBoard& board, const std::string& option) {
    constexpr const char* kLengths[] = {"001b 1a", "001c 1b", "001d 1c"};
    board.packet(kLengths[option.size() / 2 - 1] + std::string("0805100b18032210") + kName + "28" +
                 option);
    board.packet("000a 09 0800 1001 1800 2201e6").acks(30);
    std::vector<std::string> logs;
    bool counts = false;
    for (const std::string& message : unframe(board.serve()).messages) {
        const std::size_t at = message.find("s:node:");
        if (at == std::string::npos) continue;
        if (counts) logs.push_back(message.substr(at + 7));
        counts = counts || message.find("mcu_cycles", at) != std::string::npos;
    }
    return logs;
}

/// A board that counted: node of engines 0 (input) and 2 (both ways).
ScriptedBoard& counted(ScriptedBoard& board) {
    auto& c = board.counted;
    c.before = 11;
    c.core = 1000;
    c.after = 33;
    c.input_engines = 0b101;
    c.output_engines = 0b100;
    c.inputs[0] = 400;
    c.inputs[1] = 20;
    c.inputs[2] = 1001;
    c.outputs[2] = 900;
    c.outputs[9] = 21;
    c.writes[0][3] = 5;
    c.reads[1][0] = 3;
    for (std::uint32_t i = 0; i < 8; ++i) c.cache[i] = i + 1;
    return board;
}

}  // namespace

using Logs = std::vector<std::string>;

TEST_CASE("validation: NPU cycles of a node, as its first log behind the core's") {
    ScriptedBoard board;
    CHECK(counter_logs(counted(board), "8102") == Logs{"npu_cycles:11:1000:33"});  // 0x101
}

TEST_CASE("validation: engines of the whole NPU in one direction, above 20 cycles") {
    ScriptedBoard inputs, outputs;
    CHECK(counter_logs(counted(inputs), "8140") ==  // 0x2001
          Logs{"npu_cycles:11:1000:33", "streng_active:i:0:400:600", "streng_active:i:2:1001:-1",
               "streng_active:max:i:2:1001"});
    CHECK(counter_logs(counted(outputs), "818001") ==  // 0x4001
          Logs{"npu_cycles:11:1000:33", "streng_active:o:2:900:100", "streng_active:o:9:21:979",
               "streng_active:max:o:2:900"});
}

TEST_CASE("validation: engines of a node, and their valid words") {
    ScriptedBoard engines, words;
    CHECK(counter_logs(counted(engines), "8104") ==  // 0x201
          Logs{"npu_cycles:11:1000:33", "streng_active:i:0:400:600", "streng_active:i:2:1001:-1",
               "streng_active:o:2:900:100", "streng_active:max:i:2:1001"});
    CHECK(counter_logs(counted(words), "810a") ==  // 0x501
          Logs{"npu_cycles:11:1000:33", "streng_henv:i:0:400:600", "streng_henv:i:2:1001:-1"});
}

TEST_CASE("validation: bursts need all counters, the cache has its own") {
    ScriptedBoard board;
    CHECK(counter_logs(counted(board), "8132") ==  // 0x1901
          Logs{"port0:burst:w:0:0:0:5", "port0:burst:r:0:0:0:0", "port1:burst:w:0:0:0:0",
               "port1:burst:r:3:0:0:0", "portx:burst:rw:24:320:344:0", "npu_cache:r:1:2:3:4",
               "npu_cache:w:5:6:7:8"});
}

TEST_CASE("validation: no option, no counters") {
    ScriptedBoard board;
    CHECK(counter_logs(counted(board), "01").empty());
}

}  // namespace n6vp::tests
