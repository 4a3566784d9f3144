// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/board/protocol_client.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>

namespace n6vp::test {

namespace {

constexpr int kLongestWait = 120'000;  ///< ms, for a machine with much else to do

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

std::string encode(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
    bytes.push_back(static_cast<char>(value));
    return bytes;
}

std::string contents(const std::string& text) {
    return "\x22" + encode(text.size()) + text;
}

int connect_tcp(int port) {
    const int file = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(file, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    return file;
}

int open_terminal(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_NOCTTY);
    REQUIRE(file >= 0);
    termios settings{};
    REQUIRE(::tcgetattr(file, &settings) == 0);
    ::cfmakeraw(&settings);
    REQUIRE(::tcsetattr(file, TCSANOW, &settings) == 0);
    return file;
}

}  // namespace

std::uint64_t Fields::number(unsigned field) const {
    const auto found = numbers.find(field);
    REQUIRE(found != numbers.end());
    return found->second;
}

std::string Fields::text(unsigned field) const {
    const auto found = texts.find(field);
    REQUIRE(found != texts.end());
    return found->second;
}

std::vector<std::uint64_t> Fields::all(unsigned field) const {
    std::vector<std::uint64_t> values;
    const auto [first, last] = numbers.equal_range(field);
    for (auto each = first; each != last; ++each) values.push_back(each->second);
    return values;
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

ProtocolClient::ProtocolClient(const std::string& place) {
    int port = 0;
    if (std::sscanf(place.c_str(), "tcp 127.0.0.1:%d", &port) == 1) {
        file_ = connect_tcp(port);
    } else {
        REQUIRE(place.rfind("pty ", 0) == 0);
        file_ = open_terminal(place.substr(4));
    }
}

ProtocolClient::~ProtocolClient() {
    ::close(file_);
}

void ProtocolClient::request(unsigned command, std::uint32_t parameter, const std::string& name,
                             std::uint32_t option) {
    ++number_;
    send("\x08" + encode(number_) + "\x10" + encode(command) + "\x18" + encode(parameter) +
         contents(name) + "\x28" + encode(option));
}

void ProtocolClient::data(const std::string& bytes) {
    send("\x08" + std::string(1, '\0') + "\x10" + encode(bytes.size()) + "\x18" +
         std::string(1, '\0') + contents(bytes));
}

void ProtocolClient::ack() {
    send(std::string("\x08\0\x10\0", 4));
}

Fields ProtocolClient::answer() {
    for (;;) {
        Fields fields = decode(receive());
        CHECK(fields.number(1) == number_);
        if (fields.texts.count(13) == 0) return fields;
        logs.push_back(decode(fields.text(13)).text(2));
        ack();
    }
}

void ProtocolClient::synchronise() {
    request(kSync, 0, "");
    CHECK(decode(answer().text(10)).number(1) == 0x0301);
}

Fields ProtocolClient::model(std::uint32_t index) {
    request(kNetworkInfo, index, "");
    return decode(answer().text(22));
}

Inference ProtocolClient::infer(const std::string& name, Mode mode,
                                const std::vector<std::string>& inputs, std::uint32_t option) {
    constexpr std::uint64_t kProcessing = 2, kDone = 3, kInternal = 1U << 24, kBare = 4U << 24,
                            kLastTensor = 0x100;
    Inference result;
    request(kNetworkRun, mode, name, option);
    static_cast<void>(decode(answer().text(12)));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        data(inputs[i]);
        CHECK(answer().number(2) == (i + 1 == inputs.size() ? kProcessing : 1));
        ack();
    }
    logs.clear();
    for (;;) {
        Fields node = decode(answer().text(16));
        if ((node.number(2) & kInternal) == 0) {
            const std::vector<std::uint64_t> counters = node.all(6);
            REQUIRE(counters.size() == 10);  // five of 64 bits
            result.cycles = counters[6] | counters[7] << 32;
            break;
        }
        bool more = (node.number(2) & kBare) == 0;
        result.nodes.push_back(std::move(node));
        while (more) {
            const Fields tensor = decode(decode(answer().text(17)).text(1));
            more = (tensor.number(9) & kLastTensor) == 0;
            result.tensors.push_back(tensor);
        }
    }
    result.logs = std::move(logs);
    logs.clear();
    for (bool last = false; !last;) {
        const Fields output = answer();
        last = output.number(2) == kDone;
        const Fields data = decode(decode(output.text(17)).text(2));
        result.outputs.push_back(data.texts.count(4) != 0 ? data.text(4) : "");
    }
    return result;
}

void ProtocolClient::send_raw(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t sent = ::write(file_, bytes.data() + at, bytes.size() - at);
        REQUIRE(sent > 0);
        at += static_cast<std::size_t>(sent);
    }
}

void ProtocolClient::send(const std::string& message) {
    const std::string bytes = encode(message.size()) + message;
    for (std::size_t at = 0; at < bytes.size(); at += kPayload) {
        if (at != 0) CHECK(read(1) == "\xAA");
        const std::string part = bytes.substr(at, kPayload);
        std::string packet{'\0', static_cast<char>(part.size())};
        packet += part;
        packet.resize(kPacket);
        send_raw(packet);
    }
}

std::string ProtocolClient::receive() {
    std::string message;
    for (;;) {
        const std::string packet = read(kPacket);
        const auto high = static_cast<std::uint8_t>(packet[0]);
        message += packet.substr(2, static_cast<std::uint8_t>(packet[1]));
        if ((high & 0x80) != 0) return message;
    }
}

std::string ProtocolClient::read(std::size_t bytes) {
    std::string all(bytes, '\0');
    for (std::size_t at = 0; at < bytes;) {
        pollfd wait{file_, POLLIN, 0};
        REQUIRE(::poll(&wait, 1, kLongestWait) == 1);
        const ssize_t count = ::read(file_, all.data() + at, bytes - at);
        REQUIRE(count > 0);
        at += static_cast<std::size_t>(count);
    }
    return all;
}

}  // namespace n6vp::test
