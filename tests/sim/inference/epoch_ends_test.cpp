// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/epoch_ends.h"

#include <doctest/doctest.h>

#include <vector>

using n6vp::sim::model_run::EpochEnds;

namespace {

struct Log {
    std::vector<std::uint32_t> ended;
    EpochEnds ends{[this](std::uint32_t epoch) { ended.push_back(epoch); }};

    void block(const std::vector<std::uint32_t>& labels, bool inserted = false) {
        ends.begin_block(inserted);
        for (const std::uint32_t label : labels) ends.begin_epoch(label);
        ends.end_block();
    }
};

}  // namespace

TEST_CASE("ends of epochs: labels within a blob, one number for a block without labels") {
    Log log;
    log.block({1, 2, 3});
    log.block({});
    log.block({5, 6});
    log.ends.end_inference();
    CHECK(log.ended == std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("ends of epochs: blocks that an operator inserts are no epochs of the plan") {
    Log log;
    log.block({1});
    log.block({});  // hybrid: epoch 2
    CHECK(log.ended == std::vector<std::uint32_t>{1});
    log.block({}, true);
    log.block({7}, true);
    CHECK(log.ended == std::vector<std::uint32_t>{1});  // what was inserted still writes for it
    log.block({});
    CHECK(log.ended == std::vector<std::uint32_t>{1, 2});
    log.block({4});
    log.ends.end_inference();
    CHECK(log.ended == std::vector<std::uint32_t>{1, 2, 3, 4});
}
