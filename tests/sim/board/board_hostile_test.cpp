// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/sim/board/protocol_client.h"
#include "tests/sim/board/served_board.h"
#include "tests/support/toolbox.h"

/// Clients that break off, send nonsense or leave, and users who err.

namespace n6vp::test {

namespace {

struct Model {
    Toolbox box{N6VP_BINARY};
    Model() { REQUIRE(box.run("generate '" N6VP_NETWORK "' -o net").exit_code == 0); }
    [[nodiscard]] std::string file() const { return box.path().string() + "/net/network_rel.bin"; }
};

void put_half(std::vector<std::uint8_t>& bytes, std::uint32_t value) {
    bytes.push_back(static_cast<std::uint8_t>(value));
    bytes.push_back(static_cast<std::uint8_t>(value >> 8));
}

void put_word(std::vector<std::uint8_t>& bytes, std::uint32_t value) {
    put_half(bytes, value & 0xFFFF);
    put_half(bytes, value >> 16);
}

/// A program for the Cortex-M55.
std::vector<std::uint8_t> program_of(const std::vector<std::uint16_t>& code) {
    constexpr std::uint32_t kBase = 0x34000000, kHeader = 52, kProgram = 32, kVectors = 64 * 4;
    std::vector<std::uint8_t> elf{0x7F, 'E', 'L', 'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    put_half(elf, 2);     // executable
    put_half(elf, 0x28);  // Arm
    put_word(elf, 1);
    put_word(elf, (kBase + kVectors) | 1);
    put_word(elf, kHeader);
    put_word(elf, 0);
    put_word(elf, 0x05000400);  // EABI 5, hard float
    for (const std::uint32_t each : {kHeader, kProgram, 1U, 40U, 0U, 0U}) put_half(elf, each);
    const auto bytes = static_cast<std::uint32_t>(kVectors + 2 * code.size());
    for (const std::uint32_t each : {1U, kHeader + kProgram, kBase, kBase, bytes, bytes, 5U, 4U})
        put_word(elf, each);
    put_word(elf, kBase + 0x10000);
    for (std::uint32_t i = 1; i < kVectors / 4; ++i) put_word(elf, (kBase + kVectors) | 1);
    for (const std::uint16_t each : code) put_half(elf, each);
    return elf;
}

constexpr std::uint16_t kEndlessLoop = 0xE7FE;  // b .

/// Sets USART1 up, as for boot text, and never reads it.
std::vector<std::uint8_t> deaf_program(std::uint16_t control_1) {
    constexpr auto kMoveToR1 = static_cast<std::uint16_t>(0x2100);
    return program_of({
        0x4804,                                             // ldr r0, the first address
        0x2110,                                             // movs r1, #0x10: USART1EN
        0x6001,                                             // str r1, [r0]
        0x4804,                                             // ldr r0, the second address
        0x2146,                                             // movs r1, #70: 64 MHz to 914,286 Bd
        0x60C1,                                             // str r1, [r0, #12]: BRR
        static_cast<std::uint16_t>(kMoveToR1 | control_1),  // movs r1
        0x6001,                                             // str r1, [r0]: CR1
        kEndlessLoop, kEndlessLoop,                         //
        0x8A6C, 0x5602,                                     // RCC.APB2ENSR
        0x1000, 0x5200,                                     // USART1
    });
}

/// Lines of a message of the tool.
std::size_t causes_in(const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("n6vp: ", at)) != std::string::npos; ++at) ++count;
    return count;
}

}  // namespace

TEST_CASE("board: a client that breaks off, or sends nonsense, does not block the next") {
    const Model model;
    ServedBoard board({model.file(), "--uart", "tcp:0", "--keep"});
    std::string name;
    {
        ProtocolClient client(board.place());
        client.synchronise();
        name = client.model(0).text(1);
    }
    const std::string input(N6VP_NETWORK_INPUT, '\x11');
    std::vector<std::string> expected;
    {
        ProtocolClient client(board.place());
        expected = client.infer(name, kIoOnly, {input}).outputs;
    }
    const auto still_serves = [&] {
        ProtocolClient client(board.place());
        client.synchronise();
        CHECK(client.infer(name, kIoOnly, {input}).outputs == expected);
    };
    SUBCASE("half a packet") {
        ProtocolClient(board.place()).send_raw(std::string("\0\x0B\x0A\x08\x01\x10", 6));
        still_serves();
    }
    SUBCASE("a length that no packet has") {
        ProtocolClient(board.place()).send_raw(std::string(2, '\x7F') + std::string(32, '\x55'));
        still_serves();
    }
    SUBCASE("random bytes") {
        std::mt19937 random(7);
        std::string bytes(5000, '\0');
        for (char& each : bytes) each = static_cast<char>(random());
        ProtocolClient(board.place()).send_raw(bytes);
        still_serves();
    }
    SUBCASE("gone before the input, in the middle of it, before the result") {
        {
            ProtocolClient client(board.place());
            client.request(kNetworkRun, kIoOnly, name);
        }
        still_serves();
        {
            ProtocolClient client(board.place());
            client.request(kNetworkRun, kPerLayer, name);
            static_cast<void>(client.answer());
            // The first of 16 packets.
            client.send_raw(std::string("\0\x20\xF3\x03\x08\0\x10\xEA\x03\x18\0\x22\xEA\x03", 14) +
                            std::string(20, '\1'));
        }
        still_serves();
        {
            ProtocolClient client(board.place());
            client.request(kNetworkRun, kPerLayer, name);
            static_cast<void>(client.answer());
            client.data(input);
        }
        still_serves();
    }
    SUBCASE("an input that is too long, and requests out of order") {
        ProtocolClient client(board.place());
        client.synchronise();
        client.request(kNetworkRun, kIoOnly, name);
        static_cast<void>(client.answer());
        client.data(input + "more");
        CHECK(client.answer().number(2) == 4);
        client.request(kNetworkRun, kIoOnly, name);
        static_cast<void>(client.answer());
        client.request(kNetworkInfo, 7, "");  // where the input should be
        CHECK(client.answer().number(2) == 4);
        CHECK(client.infer(name, kIoOnly, {input}).outputs == expected);
    }
}

TEST_CASE("board: mistakes have one cause and a remedy") {
    const Toolbox box(N6VP_BINARY);
    const ToolResult none = box.run("board");
    CHECK(none.exit_code == 2);
    box.save("not_a_model.bin", {1, 2, 3, 4});
    CHECK(box.run("board not_a_model.bin").exit_code != 0);
    CHECK(box.run("board no_such_file.bin").exit_code == 2);
    const ToolResult place = box.run("board not_a_model.bin --uart stdout");
    CHECK(place.exit_code == 2);
    CHECK(place.err.find("--uart tcp:10000") != std::string::npos);
}

TEST_CASE("board: firmware that is none, and firmware that never sets the port up") {
    const Model model;
    model.box.save("text.elf", {'t', 'e', 'x', 't'});
    model.box.save("loop.elf", program_of({kEndlessLoop, kEndlessLoop}));
    const ToolResult text = model.box.run("board net/network_rel.bin --elf text.elf");
    CHECK(text.exit_code == 2);
    CHECK(causes_in(text.err) == 1);
    const ToolResult host = model.box.run("board net/network_rel.bin --elf '" N6VP_BINARY "'");
    CHECK(host.exit_code == 2);
    CHECK(causes_in(host.err) == 1);
    const ToolResult loop = model.box.run("board net/network_rel.bin --elf loop.elf --uart tcp:0");
    CHECK(loop.exit_code == 3);
    CHECK(loop.out.empty());
    CHECK(loop.err.find("has not set USART1 up in 2 s of simulated time") != std::string::npos);
    CHECK(loop.err.find("0x34000100") != std::string::npos);
}

TEST_CASE("board: a client of firmware that never reads the port does not wait for ever") {
    constexpr std::uint16_t kUe = 1, kRe = 4, kTe = 8;  // CR1
    const Model model;
    std::uint16_t control_1 = kUe | kTe;
    SUBCASE("the receiver is off") {}
    SUBCASE("the receiver is on") {
        control_1 |= kRe;
    }
    model.box.save("deaf.elf", deaf_program(control_1));
    const std::string elf = model.box.path().string() + "/deaf.elf";
    ServedBoard board({model.file(), "--elf", elf, "--uart", "tcp:0"});
    ProtocolClient client(board.place());
    client.send_raw("?");
    const Outcome outcome = board.wait();
    CHECK(outcome.exit_code == 3);
    CHECK(outcome.err.find("does not read USART1; is it a build for USB?") != std::string::npos);
}

TEST_CASE("board: a client that never comes, or leaves without a byte, keeps no board for ever") {
    const Model model;
    const ToolResult alone =
        model.box.run("board net/network_rel.bin --uart tcp:0 --max-host-time 1s");
    CHECK(alone.exit_code == 5);
    CHECK(alone.err.find("no client has come within --max-host-time 1s") != std::string::npos);
    CHECK(causes_in(alone.err) == 1);
    ServedBoard board({model.file(), "--uart", "tcp:0", "--max-host-time", "2s"});
    { const ProtocolClient look(board.place()); }
    const Outcome outcome = board.wait();
    CHECK(outcome.exit_code == 5);
    CHECK(outcome.err.find("no client has ended the board within") != std::string::npos);
    CHECK(model.box.run("board net/network_rel.bin --max-host-time soon").exit_code == 2);
}

TEST_CASE("board: a TCP port in use is named") {
    const Model model;
    const int other = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::bind(other, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(other, 1) == 0);
    socklen_t bytes = sizeof address;
    REQUIRE(::getsockname(other, reinterpret_cast<sockaddr*>(&address), &bytes) == 0);
    const std::string port = std::to_string(ntohs(address.sin_port));
    const ToolResult taken = model.box.run("board net/network_rel.bin --uart tcp:" + port);
    CHECK(taken.exit_code == 2);
    CHECK(causes_in(taken.err) == 1);
    CHECK(taken.err.find(port) != std::string::npos);
    ::close(other);
}

}  // namespace n6vp::test
