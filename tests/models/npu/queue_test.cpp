// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/queue.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <deque>

using n6vp::models::npu::Queue;

TEST_CASE("queue: the order of std::deque, while it grows and goes round") {
    Queue<int> queue;
    std::deque<int> expected;
    CHECK(queue.empty());
    int next = 0;
    // Takes away less than it adds, then all.
    for (int round = 0; round < 100; ++round) {
        for (int i = 0; i < round % 7 + 3; ++i) {
            queue.push_back(next);
            expected.push_back(next++);
        }
        for (int i = 0; i < round % 5 + 2; ++i) {
            REQUIRE(queue.front() == expected.front());
            queue.pop_front();
            expected.pop_front();
        }
        REQUIRE(queue.size() == expected.size());
        REQUIRE(queue.back() == expected.back());
        for (std::size_t i = 0; i < expected.size(); ++i) REQUIRE(queue[i] == expected[i]);
    }
    CHECK(queue.size() > 16);
    while (!expected.empty()) {
        CHECK(queue.front() == expected.front());
        queue.pop_front();
        expected.pop_front();
    }
    CHECK(queue.empty());
}

TEST_CASE("queue: a place that is added can be filled where it is") {
    Queue<int> queue;
    queue.add() = 5;
    queue.front() += 2;
    CHECK(queue.front() == 7);
    CHECK(queue.size() == 1);
}
