// SPDX-License-Identifier: Apache-2.0
// The schedule of a port against a queue that looks at every picosecond, and under initiators that
// run ahead of each other.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "models/fabric/port_schedule.h"

using namespace n6vp::models;

namespace {

/// Slow and simple: who has the port in each picosecond; first come, first served.
class BruteForce {
  public:
    explicit BruteForce(Picoseconds length) : user_(length, -1) {}

    PortSchedule::Grant book(Picoseconds arrival, Picoseconds duration, std::uint8_t initiator) {
        Picoseconds start = arrival;
        while (user_[start] >= 0) ++start;
        held_.fill(0);
        for (Picoseconds t = arrival; t < start; ++t) ++held_[static_cast<unsigned>(user_[t])];
        for (Picoseconds t = start; t < start + duration; ++t) user_[t] = initiator;
        return {start, start - arrival, 0};
    }
    /// Returns true if nobody held the port longer than `user` while the last burst waited.
    [[nodiscard]] bool is_longest(unsigned user) const {
        return held_[user] != 0 && held_[user] == *std::max_element(held_.begin(), held_.end());
    }

  private:
    std::vector<int> user_;
    std::array<Picoseconds, 4> held_{};
};

/// A master that keeps some bursts on their way; each takes the place of one that has ended, after
/// a time to think.
struct Master {
    Picoseconds duration = 0, think = 0;
    unsigned outstanding = 1;
    std::uint64_t bursts = 0;
    // Outcome.
    std::uint64_t issued = 0;
    Picoseconds end = 0, served = 0;
    bool in_order = true;
    Picoseconds pace = 0, wake = 0;
    std::vector<Picoseconds> ends{};
};

/// Lets the masters run, each ahead of the one that is last by up to the quantum; stops when the
/// first has issued all its bursts, or when all have.
std::vector<Master> play(PortSchedule& port, std::vector<Master> masters, Picoseconds quantum,
                         bool to_the_end = true) {
    for (Master& each : masters) each.ends.assign(each.outstanding, 0);
    while (true) {
        Master* next = nullptr;
        for (Master& each : masters) {
            if (each.issued == each.bursts) continue;
            if (next == nullptr || each.wake < next->wake) next = &each;
        }
        if (next == nullptr) return masters;
        const Picoseconds now = next->wake;
        while (next->issued < next->bursts) {
            Picoseconds& slot = next->ends[next->issued % next->outstanding];
            const Picoseconds issue = std::max(next->pace, slot);
            next->wake = issue;
            if (issue > now + quantum) break;
            const Picoseconds start =
                port.book(issue, next->duration, static_cast<std::uint8_t>(next - masters.data()))
                    .start;
            next->in_order &= start >= issue && start >= next->end;
            next->end = start + next->duration;
            next->served += next->duration;
            slot = next->end + next->think;
            next->pace = issue + 1;
            ++next->issued;
        }
        if (!to_the_end && next->issued == next->bursts) return masters;
    }
}

[[nodiscard]] Picoseconds sum_of(std::span<const Master> masters) {
    Picoseconds sum = 0;
    for (const Master& each : masters) sum += each.served;
    return sum;
}

constexpr Picoseconds kQuanta[] = {100'000, 1'000'000, 10'000'000};

/// Checks the ends of all masters at every quantum against those without.
void check_ends(const std::vector<Master>& masters, double tolerance) {
    PortSchedule exact;
    const std::vector<Master> expected = play(exact, masters, 0);
    for (const Picoseconds quantum : kQuanta) {
        CAPTURE(quantum);
        PortSchedule port;
        const std::vector<Master> got = play(port, masters, quantum);
        for (std::size_t i = 0; i < masters.size(); ++i) {
            CAPTURE(i);
            CHECK(got[i].in_order);
            CHECK(std::abs(static_cast<double>(got[i].end) / static_cast<double>(expected[i].end) -
                           1) < tolerance);
        }
    }
}

}  // namespace

TEST_CASE("property: bursts that come in order are served in order") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        PortSchedule port;
        BruteForce model(60'000);
        Picoseconds arrival = 0, sum = 0, end = 0;
        const Picoseconds spread = 15 + random() % 30;
        for (unsigned i = 0; i < 300; ++i) {
            arrival += random() % spread;
            const Picoseconds duration = 1 + random() % 40;
            const auto initiator = static_cast<std::uint8_t>(random() % 4);
            const PortSchedule::Grant expected = model.book(arrival, duration, initiator);
            const PortSchedule::Grant grant = port.book(arrival, duration, initiator);
            REQUIRE(grant.start == expected.start);
            REQUIRE(grant.waited == expected.waited);
            if (grant.waited != 0) REQUIRE(model.is_longest(grant.holder));
            end = std::max(end, grant.start + duration);
            sum += duration;
        }
        CHECK(port.end() == end);
        CHECK(sum <= end);
    }
}

TEST_CASE("property: bursts in any order never start before they arrive, and all are served") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        PortSchedule port;
        Picoseconds sum = 0, newest[4] = {}, end[4] = {};
        const Picoseconds spread = 20 + random() % 3000;
        for (unsigned i = 0; i < 3000; ++i) {
            const auto initiator = static_cast<std::uint8_t>(random() % 4);
            const Picoseconds arrival =
                std::max(newest[initiator], Picoseconds{i} * 10 + random() % spread);
            newest[initiator] = arrival;
            const Picoseconds duration = 10 + random() % 40;  // 30 on average, every 10
            const PortSchedule::Grant grant = port.book(arrival, duration, initiator);
            REQUIRE(grant.start >= arrival);
            REQUIRE(grant.waited == grant.start - arrival);
            REQUIRE(grant.start >= end[initiator]);
            end[initiator] = grant.start + duration;
            sum += duration;
        }
        // The port is never idle but at the start, and is not given away twice.
        CHECK(port.end() >= sum);
        CHECK(port.end() <= sum + 2 * spread);
    }
}

TEST_CASE("a burst in the past of another waits for what was there, not for the rest") {
    PortSchedule port;
    // Initiator 1 keeps two bursts of 20 on their way, up to 1000.
    for (Picoseconds at = 0; at <= 960; at += 20) port.book(at < 20 ? 0 : at - 20, 20, 1);
    CHECK(port.end() == 980);
    // At 110 it has one in service until 120 and one behind it.
    const PortSchedule::Grant late = port.book(110, 10, 2);
    CHECK(late.start == 140);
    CHECK(late.waited == 30);
    CHECK(late.holder == 1);
    // The first one pays.
    CHECK(port.end() == 990);
    const PortSchedule::Grant payment = port.book(960, 20, 1);
    CHECK(payment.start == 990);
}

TEST_CASE("a burst in an idle past waits for nobody and makes nobody wait") {
    PortSchedule port;
    port.book(100, 50, 1);
    port.book(500, 50, 1);
    CHECK(port.book(200, 100, 2).start == 200);
    CHECK(port.end() == 550);
    // One that reaches into the burst at 500 moves that.
    CHECK(port.book(480, 30, 2).start == 480);
    CHECK(port.end() == 560);
    CHECK(port.late(490, 2));
    CHECK(!port.late(490, 1));
    // What it owes counts: its burst of 500 has the port from 510 on.
    CHECK(port.late(509, 2));
    CHECK(!port.late(510, 2));
}

TEST_CASE("a burst that arrives in the very moment in which its own was pushed aside") {
    PortSchedule port;
    port.book(20, 10, 1);
    CHECK(port.book(50, 30, 1).start == 50);
    // Has the port from 30 to 60: the burst at 50 comes at 60, and ends at 90.
    CHECK(port.book(30, 30, 2).start == 30);
    CHECK(port.book(50, 20, 2).start == 90);
    CHECK(port.book(60, 20, 2).start == 110);
    // At 50 there are 10 of the burst at 30, 30 of its own and 20 of the other that came at 50:
    // what came at 60 was not there.
    const PortSchedule::Grant grant = port.book(50, 10, 1);
    CHECK(grant.start == 50 + 10 + 30 + 20);
    CHECK(grant.holder == 1);
}

TEST_CASE("who waits for what its own path owes names the creditor") {
    PortSchedule port;
    port.book(100, 50, 1);
    port.book(500, 50, 1);
    // Initiator 2 comes into the past of 1: the burst at 500 ends at 560.
    CHECK(port.book(480, 30, 2).start == 480);
    CHECK(port.end() == 560);
    const PortSchedule::Grant grant = port.book_last(555, 560, 20, 1);
    CHECK(grant.waited == 5);
    CHECK(grant.holder == 2);
}

TEST_CASE("bursts behind all others may be given their start") {
    PortSchedule port;
    port.book(0, 100, 1);
    const PortSchedule::Grant grant = port.book_last(40, 130, 20, 2);
    CHECK(grant.start == 130);
    CHECK(grant.waited == 90);
    CHECK(grant.holder == 1);
    CHECK(port.end() == 150);
}

TEST_CASE("the last burst may become longer") {
    PortSchedule port;
    port.book(0, 10, 1);
    port.extend(90, 1);
    CHECK(port.end() == 100);
    CHECK(port.book(10, 10, 2).start == 100);
}

TEST_CASE("a schedule that was cleared is empty") {
    PortSchedule port;
    port.book(0, 1000, 1);
    port.clear();
    CHECK(port.end() == 0);
    CHECK(port.book(0, 1000, 2).start == 0);
}

TEST_CASE("masters that load a port end as without a quantum") {
    const Master full{20'000, 0, 4, 16384};
    check_ends({full, full}, 0.03);
    check_ends({full, full, full}, 0.03);
    check_ends({full, {10'000, 0, 4, 16384}}, 0.03);
}

TEST_CASE("a stream beside line fills ends as without a quantum") {
    // Bursts of 20 ns, four on their way; fills of 10 ns, each 17.5 ns after the one before.
    const Master stream{20'000, 0, 4, 20000}, fills{10'000, 17'500, 1, 5000};
    PortSchedule exact;
    CHECK(play(exact, {stream, fills}, 0)[0].end == doctest::Approx(450e6).epsilon(0.005));
    for (const auto& masters : {std::vector{stream, fills}, std::vector{fills, stream}}) {
        check_ends(masters, 0.05);
    }
}

TEST_CASE("a port that masters load is given away once only, whatever the quantum") {
    const Master full{20'000, 0, 4, 8192};
    for (const std::size_t count : {2u, 3u}) {
        for (const Picoseconds quantum : kQuanta) {
            CAPTURE(count);
            CAPTURE(quantum);
            PortSchedule port;
            const std::vector<Master> got =
                play(port, std::vector<Master>(count, full), quantum, false);
            // When the first has issued its last burst the port has served what was booked, but
            // for what others had not yet booked of their quantum.
            CHECK(sum_of(got) <= port.end());
            CHECK(sum_of(got) + quantum + Picoseconds{12} * 20'000 >= port.end());
        }
    }
}

TEST_CASE("a master that comes back after a while owes nothing") {
    PortSchedule port;
    for (Picoseconds at = 0; at < 1'000'000; at += 10'000) port.book(at, 10'000, 1);
    for (Picoseconds at = 0; at < 500'000; at += 10'000) port.book(at, 5'000, 2);
    CHECK(port.end() == 1'250'000);
    const PortSchedule::Grant grant = port.book(1'250'000, 10'000, 1);
    CHECK(grant.waited == 0);
    CHECK(port.end() == 1'260'000);
}

TEST_CASE("each of many bursts that wait is waited for once") {
    PortSchedule port;
    for (unsigned i = 0; i < 64; ++i) port.book(0, 10, 1);  // as many as are first kept
    CHECK(port.end() == 640);
    CHECK(port.book(0, 10, 2).start == 640);
}
