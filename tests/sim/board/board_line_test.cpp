// SPDX-License-Identifier: Apache-2.0
#include "sim/board/board_line.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

/// The port of a board, with a client that the test is.

namespace n6vp::test {

namespace {

class Place : public sim::ConsoleBackend {
  public:
    Place(bool& client, std::string& input, std::string& sent)
        : client_(client), input_(input), sent_(sent) {}

    void put(std::span<const std::uint8_t> bytes) override {
        sent_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void flush() override {}
    std::size_t take(std::span<std::uint8_t> room) override {
        const std::size_t count = input_.copy(reinterpret_cast<char*>(room.data()), room.size());
        input_.erase(0, count);
        return count;
    }
    std::string place() const override { return "test"; }
    bool has_client() const override { return client_; }

  private:
    bool& client_;
    std::string& input_;
    std::string& sent_;
};

struct Port {
    bool client = false;
    std::string input, sent;
    sim::board::LineCounts counts;
    std::string boot_text;
    unsigned ready = 0;
    unsigned deaf = 0;
    bool set_up = true, all_read = true, receives = true;
    sim::board::BoardLine line{std::make_unique<Place>(client, input, sent),
                               {[this](std::string_view text) { boot_text += text; },
                                [this](const std::string&) { ++ready; }, [this] { return set_up; },
                                [this] { return all_read; }, [this] { return receives; }, [] {},
                                [this] { ++deaf; }, false},
                               counts};

    /// The firmware prints.
    void print(std::string_view text) {
        line.put({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    }
    /// So much simulated time passes in which the firmware prints nothing.
    void stay_silent(unsigned seconds) {
        constexpr unsigned kPolls = 10'000;  // the console's, a second
        std::array<std::uint8_t, 16> room{};
        for (unsigned i = 0; i < kPolls * seconds && ready == 0; ++i)
            static_cast<void>(line.take(room));
    }
    /// So many looks of the console, 100 us of simulated time each.
    void poll(unsigned times) {
        std::array<std::uint8_t, 16> room{};
        for (unsigned i = 0; i < times; ++i) static_cast<void>(line.take(room));
    }
    /// A client connects, sends, gets an answer, and leaves.
    void visit(std::string bytes, std::string_view answer) {
        std::array<std::uint8_t, 34> room{};
        client = true;
        input = std::move(bytes);
        static_cast<void>(line.take(room));
        print(answer);
        client = false;
        static_cast<void>(line.take(room));
    }
};

}  // namespace

TEST_CASE("board: a look whether the port is open does not end it") {
    Port looked_at, served;
    looked_at.print("READY\n");
    served.print("READY\n");
    looked_at.visit("", "");
    std::string request("\0\x0B\x0A\x08\1\x10\0\x18\0\x22\0\x28\0", 13);
    std::string answer("\x80\x06\x08\1\x10\0\x52\0", 8);  // state IDLE, the rest left out
    request.resize(34);
    answer.resize(34);
    served.visit(request, answer);
    CHECK_FALSE(looked_at.line.gone());
    CHECK_FALSE(served.line.gone());
    std::this_thread::sleep_for(std::chrono::milliseconds(2100));
    CHECK_FALSE(looked_at.line.gone());
    CHECK(served.line.gone());
    CHECK(served.counts.received == 34);
    CHECK(served.counts.sent == 34);
}

TEST_CASE("board: firmware without READY is ready after a second of silence") {
    Port port;
    port.stay_silent(1);
    CHECK(port.ready == 1);
    Port talks;
    talks.print("booting\n");
    CHECK(talks.ready == 0);
    CHECK(talks.boot_text == "booting\n");
}

TEST_CASE("board: a port that is not set up is never ready") {
    Port port;
    port.set_up = false;
    port.stay_silent(3);
    CHECK(port.ready == 0);
    port.set_up = true;
    port.stay_silent(1);
    CHECK(port.ready == 1);
}

TEST_CASE("board: a client that comes after READY gets no boot text") {
    Port port;
    port.client = true;
    port.print("boot\nREADY\n");
    CHECK(port.ready == 1);
    CHECK(port.sent.empty());
    port.print("answer");
    CHECK(port.sent == "answer");
    CHECK(port.boot_text == "boot\nREADY\n");
}

TEST_CASE("board: a client whose bytes stay unread for 2 s is reported, once") {
    constexpr unsigned kTwoSeconds = 20'000;
    Port port;
    port.print("READY\n");
    port.client = true;
    port.poll(2 * kTwoSeconds);
    CHECK(port.deaf == 0);
    port.input = "?";
    SUBCASE("the receiver is on") {
        port.all_read = false;
    }
    SUBCASE("the receiver is off, where nothing waits to be read") {
        port.receives = false;
    }
    port.poll(1 + kTwoSeconds - 1);
    CHECK(port.deaf == 0);
    port.poll(1);
    CHECK(port.deaf == 1);
    port.poll(2 * kTwoSeconds);
    CHECK(port.deaf == 1);
}

TEST_CASE(
    "board: a client whose bytes stay unread is not reported once the firmware has read some") {
    Port port;
    port.print("READY\n");
    port.client = true;
    port.input = "?";
    port.all_read = false;
    port.poll(10'000);
    port.all_read = true;
    port.poll(1);
    port.all_read = false;  // an inference
    port.input = "?";
    port.poll(50'000);
    CHECK(port.deaf == 0);
}

TEST_CASE("board: half a packet of a pty client that leaves at once is completed") {
    sim::board::LineCounts counts;
    sim::board::BoardLine line{
        sim::open_console("pty"),
        {[](std::string_view) {}, [](const std::string&) {}, [] { return true; },
         [] { return true; }, [] { return true; }, [] {}, [] {}, false},
        counts};
    const std::string ready = "READY\n";
    line.put({reinterpret_cast<const std::uint8_t*>(ready.data()), ready.size()});
    const std::string name = line.place().substr(4);
    const int client = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(client >= 0);
    const std::string half("\0\x0B\x0A\x08\x01\x10", 6);
    REQUIRE(::write(client, half.data(), half.size()) == 6);
    ::close(client);
    std::string heard;
    std::array<std::uint8_t, 16> room{};
    for (unsigned polls = 0; polls < 10; ++polls) {
        const std::size_t count = line.take(room);
        heard.append(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(count));
    }
    constexpr std::size_t kWhole = 34;  // header of 2 bytes and 32 bytes
    CHECK(heard == half + std::string(kWhole - half.size(), '\0'));
    CHECK(counts.clients == 1);
}

}  // namespace n6vp::test
