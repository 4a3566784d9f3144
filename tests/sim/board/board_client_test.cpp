// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/toolbox.h"

/// A client of its own, with its own decoder, against `n6vp board`; `n6vp run` is the oracle.

namespace n6vp::test {

namespace {

using Json = nlohmann::json;
/// Fields by number: numbers as such, contents as text.
struct Fields {
    std::multimap<unsigned, std::uint64_t> numbers;
    std::multimap<unsigned, std::string> texts;

    [[nodiscard]] std::uint64_t number(unsigned field) const {
        const auto found = numbers.find(field);
        REQUIRE(found != numbers.end());
        return found->second;
    }
    [[nodiscard]] std::string text(unsigned field) const {
        const auto found = texts.find(field);
        REQUIRE(found != texts.end());
        return found->second;
    }
};

std::uint64_t varint(const std::string& bytes, std::size_t& at) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        REQUIRE(at < bytes.size());
        REQUIRE(shift < 64);
        const auto byte = static_cast<std::uint8_t>(bytes[at++]);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) return value;
    }
}

Fields decode(const std::string& bytes) {
    Fields fields;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::uint64_t tag = varint(bytes, at);
        const auto field = static_cast<unsigned>(tag >> 3);
        if ((tag & 7) == 0) {
            fields.numbers.emplace(field, varint(bytes, at));
        } else {
            const std::uint64_t length = (tag & 7) == 2 ? varint(bytes, at) : 4;
            REQUIRE(length <= bytes.size() - at);
            fields.texts.emplace(field, bytes.substr(at, length));
            at += length;
        }
    }
    return fields;
}

std::string encode(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
    bytes.push_back(static_cast<char>(value));
    return bytes;
}

std::string contents(const std::string& text) {
    return "\x22" + encode(text.size()) + text;
}

class Client {
  public:
    explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const timeval limit{120, 0};
        REQUIRE(::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
        REQUIRE(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    }
    ~Client() { ::close(socket_); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    void request(unsigned command, std::uint32_t parameter, const std::string& name) {
        ++number_;
        send("\x08" + encode(number_) + "\x10" + encode(command) + "\x18" + encode(parameter) +
             contents(name) + "\x28\x01");
    }
    void data(const std::string& bytes) {
        send("\x08" + std::string(1, '\0') + "\x10" + encode(bytes.size()) + "\x18" +
             std::string(1, '\0') + contents(bytes));
    }
    void ack() { send(std::string("\x08\0\x10\0", 4)); }
    /// The next answer that is no log.
    Fields answer() {
        for (;;) {
            Fields fields = decode(receive());
            CHECK(fields.number(1) == number_);
            if (fields.texts.count(13) == 0) return fields;
            ack();
        }
    }

  private:
    void send(const std::string& message) {
        const std::string bytes = encode(message.size()) + message;
        for (std::size_t at = 0; at < bytes.size(); at += 32) {
            if (at != 0) CHECK(read(1) == "\xAA");
            const std::string part = bytes.substr(at, 32);
            std::string packet{'\0', static_cast<char>(part.size())};
            packet += part;
            packet.resize(34);
            REQUIRE(::send(socket_, packet.data(), packet.size(), MSG_NOSIGNAL) == 34);
        }
    }
    std::string receive() {
        std::string message;
        for (;;) {
            const std::string packet = read(34);
            const auto high = static_cast<std::uint8_t>(packet[0]);
            message += packet.substr(2, static_cast<std::uint8_t>(packet[1]));
            if ((high & 0x80) != 0) return message;
        }
    }
    std::string read(std::size_t bytes) {
        std::string all(bytes, '\0');
        REQUIRE(::recv(socket_, all.data(), bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes));
        return all;
    }

    int socket_;
    unsigned number_ = 0;
};

/// Waits until the board is ready, for 100 s at most.
int port_of(const RunningProcess& board) {
    constexpr int kWaits = 5;
    int port = 0;
    const auto ready = [&] {
        const std::string out = board.out();
        return out.find('\n') != std::string::npos &&
               std::sscanf(out.c_str(), "tcp 127.0.0.1:%d", &port) == 1;
    };
    for (int i = 0; i < kWaits && port == 0; ++i) {
        if (RunningProcess::wait_until(ready)) break;
    }
    REQUIRE(port != 0);
    return port;
}

void check_close(std::uint64_t found, std::uint64_t expected) {
    CAPTURE(found);
    CAPTURE(expected);
    CHECK(found * 100 <= expected * 102);
    CHECK(found * 102 >= expected * 100);
}

}  // namespace

TEST_CASE("board: outputs and cycles are those of a run") {
    const Toolbox box(N6VP_BINARY);
    REQUIRE(box.run("generate '" N6VP_NETWORK "' -o net").exit_code == 0);
    const ToolResult oracle = box.run("run net/network_rel.bin --input random --json -o out");
    REQUIRE(oracle.exit_code == 0);
    const Json model = Json::parse(oracle.out).at("model");
    const std::string output = box.text("out/output_0.npy").substr(128);

    std::vector<std::uint8_t> pattern(model.at("inputs")[0].at("bytes").get<std::size_t>());
    for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<std::uint8_t>(i * 37);
    box.save("in.bin", pattern);
    const ToolResult run = box.run("run net/network_rel.bin -i in.bin --json -o out2");
    REQUIRE(run.exit_code == 0);
    const Json nodes = Json::parse(run.out).at("model").at("nodes");
    const std::string expected = box.text("out2/output_0.npy").substr(128);
    CHECK(expected != output);

    RunningProcess board(
        {N6VP_BINARY, "board", box.path().string() + "/net/network_rel.bin", "--uart", "tcp:0"});
    const int port = port_of(board);
    {
        Client client(port);
        client.request(0, 0, "");
        CHECK(decode(client.answer().text(10)).number(1) == 0x0301);
        client.request(10, 0, "");
        const Fields info = decode(client.answer().text(22));
        CHECK(info.number(8) == nodes.size());
        client.request(10, 1, "");
        CHECK(client.answer().number(2) == 4);
        // The nodes of the run are those of its first inference, with cold caches.
        for (const std::uint32_t mode : {3U, 1U}) {
            client.request(11, mode, info.text(1));
            CHECK(decode(client.answer().text(12)).number(1) == pattern.size());
            client.data(std::string(pattern.begin(), pattern.end()));
            CHECK(client.answer().number(2) == 2);
            client.ack();
            for (std::size_t i = 0; mode == 3 && i < nodes.size(); ++i) {
                const Fields node = decode(client.answer().text(16));
                std::uint64_t cycles = 0;
                const auto [first, last] = node.numbers.equal_range(6);
                for (auto each = first; each != last; ++each) cycles += each->second;
                check_close(cycles, nodes[i].at("pre_cycles").get<std::uint64_t>() +
                                        nodes[i].at("core_cycles").get<std::uint64_t>() +
                                        nodes[i].at("post_cycles").get<std::uint64_t>());
            }
            CHECK(decode(client.answer().text(16)).text(1) == info.text(1));
            const Fields last = client.answer();
            CHECK(last.number(2) == 3);
            CHECK(decode(decode(last.text(17)).text(2)).text(4) == expected);
        }
    }
    // The board ends when its client has left.
    CHECK(board.wait().exit_code == 0);
}

TEST_CASE("board: mistakes have a remedy") {
    const Toolbox box(N6VP_BINARY);
    const ToolResult none = box.run("board");
    CHECK(none.exit_code == 2);
    box.save("not_a_model.bin", {1, 2, 3, 4});
    CHECK(box.run("board not_a_model.bin").exit_code != 0);
    const ToolResult place = box.run("board not_a_model.bin --uart stdout");
    CHECK(place.exit_code == 2);
    CHECK(place.err.find("--uart tcp:10000") != std::string::npos);
}

}  // namespace n6vp::test
