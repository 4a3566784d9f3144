// SPDX-License-Identifier: Apache-2.0
#include "sim/board/board_line.h"

#include <doctest/doctest.h>

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
    Place(bool& client, std::string& input) : client_(client), input_(input) {}

    void put(std::span<const std::uint8_t> /*bytes*/) override {}
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
};

struct Port {
    bool client = false;
    std::string input;
    sim::board::LineCounts counts;
    sim::board::BoardLine line{std::make_unique<Place>(client, input),
                               {[](std::string_view) {}, [](const std::string&) {}, false},
                               counts};

    Port() {
        constexpr std::string_view kReady = "READY\n";
        line.put({reinterpret_cast<const std::uint8_t*>(kReady.data()), kReady.size()});
    }
    /// A client connects, sends, and leaves.
    void visit(std::string bytes) {
        std::array<std::uint8_t, 16> room{};
        client = true;
        input = std::move(bytes);
        static_cast<void>(line.take(room));
        client = false;
        static_cast<void>(line.take(room));
    }
};

}  // namespace

TEST_CASE("board: a look whether the port is open does not end it") {
    Port looked_at, served;
    looked_at.visit("");
    served.visit("request");
    CHECK_FALSE(looked_at.line.gone());
    CHECK_FALSE(served.line.gone());
    std::this_thread::sleep_for(std::chrono::milliseconds(2100));
    CHECK_FALSE(looked_at.line.gone());
    CHECK(served.line.gone());
    CHECK(served.counts.received == 7);
}

}  // namespace n6vp::test
