// SPDX-License-Identifier: Apache-2.0
// A serial port with its place on the host.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>

#include "sim/console/console.h"
#include "sim/host/errors.h"

using namespace n6vp;
using namespace n6vp::sim;

namespace {

constexpr models::Picoseconds kFrame = 10'900'000;  // platform-timing.md 1
constexpr std::uint32_t kCr1 = 0x00, kBrr = 0x0C, kIsr = 0x1C, kRdr = 0x24, kTdr = 0x28;
constexpr std::uint32_t kReceived = 1u << 5, kWord = 0xFFFFFFFF;

/// What the place of the test has seen and will say.
struct Host {
    std::string output, input;
    std::size_t largest = 0;
    bool interactive = true, broken = false;
};

class Place : public ConsoleBackend {
  public:
    explicit Place(Host& host) : host_(host) {}
    void put(std::span<const std::uint8_t> bytes) override {
        if (host_.broken) throw UserError("disk full", "make room");
        host_.output.append(bytes.begin(), bytes.end());
    }
    void flush() override {}
    std::size_t take(std::span<std::uint8_t> room) override {
        host_.largest = std::max(host_.largest, room.size());
        const std::size_t count = std::min(room.size(), host_.input.size());
        std::copy_n(host_.input.begin(), count, room.begin());
        host_.input.erase(0, count);
        return count;
    }
    bool has_input() const override { return host_.interactive; }
    std::string place() const override { return "test 7"; }
    bool for_clients() const override { return host_.interactive; }

  private:
    Host& host_;
};

struct Bench {
    explicit Bench(bool interactive = true) {
        host.interactive = interactive;
        uart.set_kernel_hz(100e6);
        console = std::make_unique<Console>("console", uart, std::make_unique<Place>(host));
        set(kBrr, 109);
        set(kCr1, 1 | 4 | 8 | (1u << 29));
    }
    void set(std::uint32_t offset, std::uint32_t value) {
        static_cast<void>(uart.write(offset, value, kWord, sc_core::sc_time_stamp().value()));
    }
    std::uint32_t get(std::uint32_t offset) {
        return uart.read(offset, sc_core::sc_time_stamp().value()).value;
    }
    static void run(models::Picoseconds duration) {
        sc_core::sc_start(models::to_sc_time(duration));
    }

    Host host;
    models::Uart uart{"uart", "USART1", models::Uart::Kind::Usart};
    std::unique_ptr<Console> console;
};

}  // namespace

TEST_CASE("console: what the line carried arrives at the host, not before") {
    Bench bench(false);
    CHECK(bench.console->repeatable());
    bench.set(kTdr, 'h');
    bench.set(kTdr, 'i');
    bench.run(kFrame);  // the kernel stops before what happens at this very time
    CHECK(bench.host.output.empty());
    bench.run(1);
    CHECK(bench.host.output == "h");
    bench.run(kFrame);
    CHECK(bench.host.output == "hi");
    bench.console->finish();
}

TEST_CASE("console: the place is never named to its clients: one line before the program runs") {
    Bench bench;
    std::ostringstream err;
    bench.console->announce(err);
    CHECK(err.str() == "serial port: test 7\n");
}

TEST_CASE("console: a place without clients is not announced") {
    Bench bench(false);
    std::ostringstream err;
    bench.console->announce(err);
    CHECK(err.str().empty());
}

TEST_CASE("console: input comes at poll times and at the speed of the line") {
    Bench bench;
    CHECK_FALSE(bench.console->repeatable());
    bench.run(1);
    std::string all;
    for (int i = 0; i < 100; ++i) all += static_cast<char>('!' + i % 90);
    bench.host.input = all;
    std::string got;
    models::Picoseconds first = 0;
    // The guest looks every 5 us: nothing is lost, and the host is never asked for more than fits.
    for (int i = 0; i < 1000 && got.size() < all.size(); ++i) {
        bench.run(5'000'000);
        while ((bench.get(kIsr) & kReceived) != 0) {
            if (got.empty()) first = sc_core::sc_time_stamp().value();
            got += static_cast<char>(bench.get(kRdr));
        }
    }
    CHECK(got == all);
    CHECK(bench.host.largest <= Console::kMaxAhead);
    // Typed at once, but seen at the next poll (100 us) plus one frame, and the last one 100 frames
    // after that at the earliest.
    CHECK(first >= Console::kPollPeriod + kFrame);
    CHECK(sc_core::sc_time_stamp().value() >= Console::kPollPeriod + 100 * kFrame);
    CHECK(bench.uart.statistics().overrun == 0);
}

TEST_CASE("console: a guest that does not read overruns, as on the board, and no more") {
    Bench bench;
    bench.host.input = std::string(20, 'z');
    bench.run(1'000'000'000);
    CHECK(bench.uart.statistics().received == 8);
    CHECK(bench.uart.statistics().overrun == 12);
}

TEST_CASE("console: a place that breaks ends the run with its own words") {
    Bench bench(false);
    int failures = 0;
    bench.console->on_failure = [&] { ++failures; };
    bench.host.broken = true;
    bench.set(kTdr, 'a');
    bench.set(kTdr, 'b');
    bench.run(3 * kFrame);
    CHECK(failures == 1);
    CHECK_THROWS_WITH_AS(bench.console->finish(), "disk full", UserError);
}
