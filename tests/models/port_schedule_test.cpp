// SPDX-License-Identifier: Apache-2.0
// The schedule of a port against one that looks at every picosecond.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "models/fabric/port_schedule.h"

using namespace n6vp::models;

namespace {

struct Booked {
    Picoseconds start, end;
    unsigned initiator;
};

/// Slow and simple: who has the port in each picosecond.
class BruteForce {
  public:
    explicit BruteForce(Picoseconds length) : user_(length, -1) {}

    PortSchedule::Grant book(Picoseconds arrival, Picoseconds duration, std::uint8_t initiator) {
        Picoseconds start = arrival;
        while (!is_free(start, duration)) ++start;
        PortSchedule::Grant grant{start, start - arrival, 0};
        std::map<int, Picoseconds> held;
        for (Picoseconds t = arrival; t < start; ++t) {
            if (user_[t] >= 0) ++held[user_[t]];
        }
        most_ = 0;
        for (const auto& [user, time] : held) most_ = std::max(most_, time);
        held_ = held;
        for (Picoseconds t = start; t < start + duration; ++t) user_[t] = initiator;
        return grant;
    }
    /// Returns true if nobody held the port longer than `user` while the last burst waited.
    [[nodiscard]] bool is_longest(int user) const {
        const auto found = held_.find(user);
        return found != held_.end() && found->second == most_;
    }

  private:
    [[nodiscard]] bool is_free(Picoseconds start, Picoseconds duration) const {
        return std::all_of(user_.begin() + static_cast<std::ptrdiff_t>(start),
                           user_.begin() + static_cast<std::ptrdiff_t>(start + duration),
                           [](int user) { return user < 0; });
    }
    std::vector<int> user_;
    std::map<int, Picoseconds> held_;
    Picoseconds most_ = 0;
};

}  // namespace

TEST_CASE("property: random bursts are served in the first gap that is long enough") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        PortSchedule port;
        BruteForce model(60'000);
        std::vector<Booked> booked;
        Picoseconds sum = 0;
        const Picoseconds spread = 20 + random() % 3000;
        for (unsigned i = 0; i < 300; ++i) {
            const Picoseconds arrival = i * (random() % 2 == 0 ? 10 : 20) + random() % spread;
            const Picoseconds duration = 1 + random() % 40;
            const auto initiator = static_cast<std::uint8_t>(random() % 4);
            const Picoseconds announced = port.find(arrival, duration);
            const PortSchedule::Grant expected = model.book(arrival, duration, initiator);
            const PortSchedule::Grant grant = port.book(arrival, duration, initiator);
            REQUIRE(announced == expected.start);
            REQUIRE(grant.start == expected.start);
            REQUIRE(grant.waited == expected.start - arrival);
            if (grant.waited != 0) REQUIRE(model.is_longest(grant.holder));
            booked.push_back({grant.start, grant.start + duration, initiator});
            sum += duration;
        }
        std::sort(booked.begin(), booked.end(),
                  [](const Booked& a, const Booked& b) { return a.start < b.start; });
        Picoseconds served = booked.front().end - booked.front().start;
        for (std::size_t i = 1; i < booked.size(); ++i) {
            REQUIRE(booked[i].start >= booked[i - 1].end);
            served += booked[i].end - booked[i].start;
        }
        CHECK(served == sum);
        CHECK(port.end() == booked.back().end);
    }
}

TEST_CASE("a gap is taken on the picosecond, and not one too short") {
    PortSchedule port;
    port.book(100, 50, 1);  // 100 to 150
    port.book(200, 50, 2);  // 200 to 250
    CHECK(port.find(0, 100) == 0);
    CHECK(port.find(0, 101) == 250);
    CHECK(port.find(120, 50) == 150);
    CHECK(port.find(120, 51) == 250);
    const PortSchedule::Grant late = port.book(120, 51, 3);
    CHECK(late.start == 250);
    CHECK(late.waited == 130);
    CHECK(late.holder == 2);  // 50 ps; initiator 1 held it for 30
}

TEST_CASE("bursts behind all others may be given their start") {
    PortSchedule port;
    port.book(0, 100, 1);
    const PortSchedule::Grant grant = port.book_last(40, 130, 20, 2);
    CHECK(grant.start == 130);
    CHECK(grant.waited == 90);
    CHECK(grant.holder == 1);
    CHECK(port.end() == 150);
    CHECK(port.book(0, 30, 3).start == 100);
}

TEST_CASE("gaps older than the horizon are forgotten, younger ones are not") {
    PortSchedule port;
    // Gaps of 1 ns between bursts of 1 ns, for four horizons.
    constexpr Picoseconds kStep = 2000;
    const Picoseconds end = 4 * PortSchedule::kHorizon;
    for (Picoseconds at = 0; at < end; at += kStep) CHECK(port.book(at, 1000, 1).start == at);
    const Picoseconds young = end - PortSchedule::kHorizon + 10 * kStep;
    CHECK(port.book(young, 1000, 2).start == young + 1000);
    CHECK(port.book(0, 1000, 2).start > 0);
    port.clear();
    CHECK(port.book(0, 1000, 2).start == 0);
}

TEST_CASE("two masters at full load share the port without loss") {
    PortSchedule port;
    // Both want one burst of 10 ns after the other; the second runs ahead by 200 of them.
    Picoseconds first = 0, second = 0, sum = 0;
    for (unsigned i = 0; i < 1200; ++i) {
        if (i >= 200) {
            first = port.book(first, 10'000, 0).start + 10'000;
            sum += 10'000;
        }
        second = port.book(second, 10'000, 1).start + 10'000;
        sum += 10'000;
    }
    CHECK(port.end() == sum);
}
