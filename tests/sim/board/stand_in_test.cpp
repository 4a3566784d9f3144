// SPDX-License-Identifier: Apache-2.0
#include "sim/board/stand_in.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "sim/board/board_line.h"
#include "tests/sim/board/protocol_client.h"

/// Clients that leave firmware which waits for ever for each byte, as ST's does.

namespace n6vp::test {

namespace {

constexpr unsigned kInputBytes = 100;

std::string varint_of(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
    bytes.push_back(static_cast<char>(value));
    return bytes;
}

std::string number_field(unsigned field, std::uint64_t value) {
    return varint_of(field << 3) + varint_of(value);
}

std::string bytes_field(unsigned field, const std::string& bytes) {
    return varint_of(field << 3 | 2) + varint_of(bytes.size()) + bytes;
}

std::string request_of(unsigned number, unsigned command, const std::string& name) {
    return number_field(1, number) + number_field(2, command) + number_field(3, 1) +
           bytes_field(4, name) + number_field(5, 1);
}

std::string data_of(std::size_t bytes) {
    return number_field(1, 0) + number_field(2, bytes) + number_field(3, 0) +
           bytes_field(4, std::string(bytes, '\7'));
}

const std::string kAck = number_field(1, 0) + number_field(2, 0);

/// The packets of a message of the client, one after the other.
std::string packets_of(const std::string& message) {
    const std::string bytes = varint_of(message.size()) + message;
    std::string packets;
    for (std::size_t at = 0; at < bytes.size(); at += kPayload) {
        std::string packet = bytes.substr(at, kPayload);
        packet.insert(0, {'\0', static_cast<char>(packet.size())});
        packet.resize(kPacket);
        packets += packet;
    }
    return packets;
}

/// Firmware with one model: a log after its input, then an operator and its output.
class PatientFirmware {
  public:
    std::string out;  ///< to be sent
    unsigned inferences = 0;

    void feed(std::uint8_t byte) {
        packet_.push_back(static_cast<char>(byte));
        if (packet_.size() < kPacket) return;
        message_ += packet_.substr(2, static_cast<std::uint8_t>(packet_[1]));
        packet_.clear();
        std::size_t length = 0, at = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto each = static_cast<std::uint8_t>(message_.at(at++));
            length |= static_cast<std::size_t>(each & 0x7F) << shift;
            if (each < 0x80) break;
        }
        if (message_.size() < at + length) {
            out += '\xAA';
            return;
        }
        const std::string whole = message_.substr(at, length);
        message_.clear();
        // A request that lacks its last field is not answered.
        if (wait_ == Wait::Request && (length < 2 || whole[length - 2] != '\x28')) return;
        answer(decode(whole));
    }

  private:
    enum class Wait : std::uint8_t { Request, Input, InputAck, LogAck };
    enum State : unsigned { kIdle, kWaiting, kProcessing, kDone, kFailed };

    void send(State state, unsigned field, const std::string& content) {
        std::string left =
            number_field(1, request_) + number_field(2, state) + bytes_field(field, content);
        for (bool last = false; !last;) {
            last = left.size() < kPayload;
            const std::string part = left.substr(0, kPayload);
            left.erase(0, part.size());
            std::string packet{last ? '\x80' : '\0', static_cast<char>(part.size())};
            packet += part;
            packet.resize(kPacket, '\x5A');  // stale bytes
            out += packet;
        }
    }
    void send_ack(State state, unsigned error) {
        send(state, 12, number_field(1, 0) + number_field(2, error));
    }
    void answer(const Fields& message) {
        switch (wait_) {
            case Wait::Request:
                return answer_request(message);
            case Wait::Input: {
                const bool fits =
                    message.texts.count(4) != 0 && message.text(4).size() == kInputBytes;
                wait_ = fits ? Wait::InputAck : Wait::Request;
                return send_ack(fits ? kProcessing : kFailed, fits ? 0 : 1);
            }
            case Wait::InputAck:
                wait_ = Wait::LogAck;
                return send(kWaiting, 13, number_field(1, 1) + bytes_field(2, "s:node:any text"));
            case Wait::LogAck:
                wait_ = Wait::Request;
                ++inferences;
                send(kProcessing, 16, bytes_field(1, "model") + number_field(2, 0));
                return send(kDone, 17, bytes_field(1, std::string(40, 'd')));
        }
    }
    void answer_request(const Fields& message) {
        request_ = message.number(1);
        if (message.number(2) == kSync) return send(kIdle, 10, number_field(1, 0x0301));
        if (message.number(2) != kNetworkRun) return send_ack(kFailed, 4);
        wait_ = Wait::Input;
        send_ack(kWaiting, 0);
    }

    Wait wait_ = Wait::Request;
    std::uint64_t request_ = 0;
    std::string packet_, message_;
};

/// What the host has of a port: one client, whose input it hands over.
struct Host {
    bool client = false;
    std::string input, received;
};

class HostPlace : public sim::ConsoleBackend {
  public:
    explicit HostPlace(Host& host) : host_(host) {}
    void put(std::span<const std::uint8_t> bytes) override {
        host_.received.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void flush() override {}
    std::size_t take(std::span<std::uint8_t> room) override {
        const std::size_t count =
            host_.input.copy(reinterpret_cast<char*>(room.data()), room.size());
        host_.input.erase(0, count);
        return count;
    }
    std::string place() const override { return "test"; }
    bool has_client() const override { return host_.client; }

  private:
    Host& host_;
};

struct Bench {
    Host host;
    PatientFirmware firmware;
    bool listens = true;  ///< the firmware reads the port
    bool sends = true;    ///< and sends what it has to
    std::string unread;   ///< in the port
    unsigned lost = 0, stuck = 0;
    sim::board::LineCounts counts;
    sim::board::BoardLine line{
        std::make_unique<HostPlace>(host),
        {[](std::string_view) {}, [](const std::string&) {}, [] { return true; },
         [this] { return unread.empty(); }, [] { return true; }, [this] { ++stuck; }, [] {}, true},
        counts};

    Bench() {
        constexpr std::string_view kReady = "READY\n";
        line.put({reinterpret_cast<const std::uint8_t*>(kReady.data()), kReady.size()});
    }
    void poll(unsigned times) {
        for (unsigned i = 0; i < times; ++i) {
            std::array<std::uint8_t, 9> room{};
            line.flush();
            const std::size_t count = line.take(room);
            for (std::size_t each = 0; each < count; ++each) {
                if (!listens && !unread.empty()) {
                    ++lost;
                } else {
                    unread.push_back(static_cast<char>(room[each]));
                }
                if (listens) read();
            }
            if (listens) read();
            if (!sends) continue;
            for (const char each : std::exchange(firmware.out, {})) {
                const auto byte = static_cast<std::uint8_t>(each);
                line.put({&byte, 1});
            }
        }
    }
    void come() {
        host.client = true;
        host.received.clear();
        poll(2);
    }
    /// The client sends and reads what comes.
    std::string send(const std::string& bytes) {
        host.received.clear();
        host.input = bytes;
        poll(200);
        return host.received;
    }
    /// The client has left, and the next one waits.
    void leave() {
        host.client = false;
        poll(1);
    }
    /// The next client, whose first request must get its answer and nothing else.
    void check_next(unsigned polls) {
        host.client = true;
        host.received.clear();
        host.input = packets_of(request_of(1, kSync, ""));
        poll(polls);
        REQUIRE(host.received.size() == kPacket);
        const Fields answer =
            decode(host.received.substr(2, static_cast<std::uint8_t>(host.received[1])));
        CHECK(answer.number(1) == 1);
        CHECK(answer.number(2) == 0);
        CHECK(answer.texts.count(10) == 1);
        CHECK(lost == 0);
        CHECK(stuck == 0);
    }

  private:
    void read() {
        for (const char each : std::exchange(unread, {}))
            firmware.feed(static_cast<std::uint8_t>(each));
    }
};

/// 300 ms and what is sent before and after.
constexpr unsigned kSilence = 3000, kSome = 500;

}  // namespace

TEST_CASE("board: what a client left half done is ended before the next one is heard") {
    Bench bench;
    bench.come();
    const std::string run = packets_of(request_of(7, kNetworkRun, "model"));
    const std::string data = packets_of(data_of(kInputBytes));
    SUBCASE("in the first packet") {
        bench.send(run.substr(0, 9));
        bench.leave();
        bench.check_next(kSilence + kSome);
        CHECK(bench.firmware.inferences == 0);
    }
    SUBCASE("between the packets of a request") {
        CHECK(bench.send(packets_of(request_of(7, kNetworkRun, std::string(60, 'm')))
                             .substr(0, kPacket)) == "\xAA");
        bench.leave();
        bench.check_next(kSilence + kSome);
    }
    SUBCASE("before the input") {
        CHECK(bench.send(run).size() == kPacket);
        bench.leave();
        bench.check_next(kSome);
        CHECK(bench.firmware.inferences == 0);
    }
    SUBCASE("before the answer to its request was sent") {
        bench.sends = false;
        CHECK(bench.send(run).empty());
        bench.leave();
        bench.sends = true;
        bench.check_next(kSome);
    }
    SUBCASE("in the middle of the input") {
        bench.send(run);
        CHECK(bench.send(data.substr(0, kPacket)) == "\xAA");
        CHECK(bench.send(data.substr(kPacket, 20)).empty());
        bench.leave();
        bench.check_next(kSome);
        CHECK(bench.firmware.inferences == 1);
    }
    SUBCASE("before the acknowledgements") {
        bench.send(run);
        bench.send(data);
        bench.leave();
        bench.check_next(kSome);
        CHECK(bench.firmware.inferences == 1);
    }
    SUBCASE("after its acknowledgement, and the firmware is busy") {
        bench.send(run);
        bench.send(data);
        bench.send(packets_of(kAck));
        bench.listens = false;
        bench.leave();
        bench.poll(3 * kSilence);
        CHECK(bench.host.received.size() == kPacket);  // the log, of its own time
        bench.listens = true;
        bench.check_next(kSome);
    }
}

TEST_CASE("board: a client that left nothing half done costs the next one no time") {
    Bench bench;
    bench.come();
    bench.send(packets_of(request_of(3, kSync, "")));
    bench.send(packets_of(request_of(4, kNetworkRun, "model")));
    bench.send(packets_of(data_of(kInputBytes)));
    bench.send(packets_of(kAck));
    CHECK(bench.send(packets_of(kAck)).size() > 2 * kPacket);
    CHECK(bench.firmware.inferences == 1);
    bench.leave();
    // Four polls for a packet, one for its answer.
    bench.check_next(5);
    CHECK(bench.counts.clients == 2);
}

TEST_CASE("board: firmware that never comes back is said to be stuck, once") {
    Bench bench;
    bench.come();
    bench.send(packets_of(request_of(7, kNetworkRun, "model")));
    bench.listens = false;
    bench.leave();
    constexpr unsigned kLongest = 1'000'000;  // 100 s, in polls
    bench.poll(kLongest - 100);
    CHECK(bench.stuck == 0);
    bench.poll(200);
    CHECK(bench.stuck == 1);
    CHECK(bench.lost == 0);
}

}  // namespace n6vp::test
