// SPDX-License-Identifier: Apache-2.0
// POOL against its scalar reference and the documented epochs.
#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "models/npu/units/pool.h"
#include "tests/models/npu/reference/pool_reference.h"
#include "tests/models/npu/vector_random.h"

using namespace n6vp::models::npu;
using n6vp::test::Integer;
using n6vp::test::Random;
using n6vp::test::ReferencePool;
using n6vp::test::words_of;

namespace {

ReferencePool random_pool(Random& random, int type) {
    ReferencePool u;
    u.kind = static_cast<ReferencePool::Kind>(type % 8);
    u.global = type >= 8;
    u.bytes = 1 + random.below(3);
    u.channels = random.in(1, 15);
    u.width = random.in(1, 14);
    u.height = random.in(1, 14);
    if (random.one_in(3)) {
        u.crop_left = random.in(0, (u.width - 1) / 2);
        u.crop_right = random.in(0, (u.width - 1) / 2);
        u.crop_top = random.in(0, (u.height - 1) / 2);
        u.crop_bottom = random.in(0, (u.height - 1) / 2);
    }
    if (!u.global) {
        if (random.one_in(2)) {
            u.left = random.in(0, 7);
            u.right = random.in(0, 7);
            u.top = random.in(0, 7);
            u.bottom = random.in(0, 7);
        }
        u.window_x = random.in(1, std::min<Integer>(7, u.inner_width() + u.left + u.right));
        u.window_y = random.in(1, std::min<Integer>(7, u.inner_height() + u.top + u.bottom));
        u.stride_x = random.in(1, random.one_in(4) ? 15 : 3);
        u.stride_y = random.in(1, random.one_in(4) ? 15 : 3);
    }
    const bool average = type % 8 == 2;
    u.factor = random.in(1, 65535);
    u.stage = random.stage(average ? 30 : 4);
    return u;
}

PoolConfig config_of(const ReferencePool& u) {
    const auto byte = [](Integer value) { return static_cast<std::uint8_t>(value); };
    const auto half = [](Integer value) { return static_cast<std::uint16_t>(value); };
    PoolConfig c;
    c.type = static_cast<PoolType>(u.kind + (u.global ? 8 : 0));
    c.input = n6vp::test::input_of(u.bytes);
    c.output = n6vp::test::output_of(u.stage);
    c.outshift = byte(u.stage.shift);
    c.dualline = c.cropen = true;
    c.winx = byte(u.window_x);
    c.winy = byte(u.window_y);
    c.strdx = byte(u.stride_x);
    c.strdy = byte(u.stride_y);
    c.lpad = byte(u.left);
    c.rpad = byte(u.right);
    c.tpad = byte(u.top);
    c.bpad = byte(u.bottom);
    c.bsize = byte(u.channels);
    c.feat_x = half(u.width * u.channels);
    c.feat_y = half(u.height);
    c.out_x = half(u.out_width());
    c.out_y = half(u.out_height());
    c.mulval = half(u.factor);
    c.lcrop = half(u.crop_left * u.channels);
    c.rcrop = half((u.width - u.crop_right) * u.channels - 1);
    c.tcrop = half(u.crop_top);
    c.bcrop = half(u.height - u.crop_bottom - 1);
    return c;
}

/// Computes a frame whose words come in portions, each output some time after it can be.
std::vector<Word> in_portions(Random& random, Pool& pool, const std::vector<Word>& words) {
    std::vector<Word> out(pool.words_out());
    pool.begin();
    std::size_t came = 0, given = 0;
    while (came < words.size() || given < out.size()) {
        const auto most = static_cast<Integer>(words.size() - came);
        const auto some = static_cast<std::size_t>(
            random.in(0, random.one_in(2) ? std::min<Integer>(most, 20) : most));
        pool.add_features(std::span(words).subspan(came, some));
        came += some;
        const std::size_t ready = pool.computable();
        REQUIRE(ready <= out.size());
        REQUIRE((ready == 0 || pool.features_needed(ready - 1) <= came));
        REQUIRE((ready == out.size() || pool.features_needed(ready) > came));
        const auto pixels = static_cast<Integer>((ready - given) / pool.pixel_words());
        const std::size_t count =
            static_cast<std::size_t>(random.one_in(2) ? pixels : random.in(0, pixels)) *
            pool.pixel_words();
        pool.compute(std::span(out).subspan(given, count));
        given += count;
    }
    return out;
}

/// Checks that an output depends on the last word it waits for and on none behind.
void check_needed(Random& random, ReferencePool reference) {
    reference.kind = ReferencePool::Average;
    reference.factor = 1;
    reference.stage = {};
    reference.stage.bytes = 3;
    reference.bytes = 1;
    const Pool pool(config_of(reference));
    std::vector<Integer> words(pool.words_in());
    for (Integer& word : words) word = random.in(-100, 100);
    const std::vector<Integer> before = reference.run(words);
    const auto output =
        static_cast<std::size_t>(random.in(0, static_cast<Integer>(before.size()) - 1));
    // The last channel of the pixel is what comes last.
    const std::size_t last = output / pool.pixel_words() * pool.pixel_words() + pool.pixel_words();
    const std::size_t needed = pool.features_needed(output);
    const auto changed = [&](const std::vector<Integer>& other) {
        const std::vector<Integer> after = reference.run(other);
        return !std::equal(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(last),
                           after.begin());
    };
    if (needed > 0) {
        std::vector<Integer> other = words;
        ++other[needed - 1];
        REQUIRE(changed(other));
    }
    std::vector<Integer> later = words;
    for (std::size_t i = needed; i < later.size(); ++i) ++later[i];
    REQUIRE_FALSE(changed(later));
}

void compare(Random& random, const ReferencePool& reference) {
    const PoolConfig config = config_of(reference);
    REQUIRE(judge(config).computable());
    Pool pool(config), other(config);
    for (int frame = 0; frame < 3; ++frame) {  // one after the other through the same unit
        const auto words = random.words(pool.words_in());
        const std::vector<Integer> expected = reference.run(words);
        std::vector<Word> out(pool.words_out());
        pool.compute(words_of(words), out);
        REQUIRE(out == words_of(expected));
        REQUIRE(in_portions(random, other, words_of(words)) == out);
    }
}

}  // namespace

TEST_CASE("pooling by windows against the reference") {
    Random random(41);
    for (const int type : {0, 1, 2}) {
        for (int i = 0; i < 500; ++i) {
            CAPTURE(type);
            CAPTURE(i);
            compare(random, random_pool(random, type));
        }
    }
}

TEST_CASE("global pooling against the reference") {
    Random random(42);
    for (const int type : {8, 9, 10}) {
        for (int i = 0; i < 500; ++i) {
            CAPTURE(type);
            CAPTURE(i);
            compare(random, random_pool(random, type));
        }
    }
}

TEST_CASE("a pixel waits for the words it depends on") {
    Random random(43);
    for (int i = 0; i < 800; ++i) {
        CAPTURE(i);
        check_needed(random, random_pool(random, i % 4 == 0 ? 10 : 2));
    }
}

TEST_CASE("documented average of five by twenty-five pixels") {
    PoolConfig config;
    config.type = PoolType::GlobalAverage;
    config.input = {1, 16, 1};
    config.output = {true, true, 1, 1};
    config.outshift = 21;
    config.dualline = config.cropen = true;
    config.strdx = config.strdy = 1;
    config.bsize = 7;
    config.feat_x = 35;
    config.feat_y = 25;
    config.out_x = 6;
    config.out_y = 26;
    config.mulval = 16777;
    config.rcrop = 34;
    config.bcrop = 24;
    REQUIRE(judge(config).computable());
    CHECK(judge(config).assumptions.empty());
    Pool pool(config);
    CHECK(pool.words_in() == 875);
    CHECK(pool.words_out() == 7);
    std::vector<Word> frame(875), out(7);
    // channel c holds 10 c - 30 in all pixels but the first, which adds 63: 0.504 of a step
    for (std::size_t i = 0; i < frame.size(); ++i) {
        frame[i] = static_cast<Word>(i % 7) * 10 - 30 + (i < 7 ? 63 : 0);
    }
    pool.compute(frame, out);
    CHECK(out == std::vector<Word>{-29, -19, -9, 1, 11, 21, 31});
}

TEST_CASE("documented maxima") {
    PoolConfig config;
    config.input = {1, 16, 1};
    config.output = {true, true, 1, 1};
    config.dualline = config.cropen = true;
    config.winx = config.winy = 3;
    config.bsize = 1;
    SUBCASE("23 by 23 to 21 by 21, step 1") {
        config.strdx = config.strdy = 1;
        config.feat_x = config.feat_y = 23;
        config.out_x = config.out_y = 21;
        config.rcrop = config.bcrop = 22;
        Pool pool(config);
        std::vector<Word> frame(529, -128), out(441);
        frame[4 * 23 + 5] = 17;
        pool.compute(frame, out);
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::size_t y = i / 21, x = i % 21;
            REQUIRE(out[i] == (y >= 2 && y <= 4 && x >= 3 && x <= 5 ? 17 : -128));
        }
    }
    SUBCASE("66 by 130, cropped to 65 by 129, step 2") {
        config.strdx = config.strdy = 2;
        config.feat_x = 66;
        config.feat_y = 130;
        config.out_x = 32;
        config.out_y = 64;
        config.rcrop = 64;
        config.bcrop = 128;
        REQUIRE(judge(config).computable());
        Pool pool(config);
        std::vector<Word> frame(std::size_t{66} * 130), out(std::size_t{32} * 64);
        for (std::size_t i = 0; i < frame.size(); ++i) {
            frame[i] = i % 66 == 65 || i / 66 == 129 ? 127 : static_cast<Word>(i % 66);
        }
        pool.compute(frame, out);
        for (std::size_t i = 0; i < out.size(); ++i) {
            REQUIRE(out[i] == static_cast<Word>(2 * (i % 32) + 2));
        }
    }
}

TEST_CASE("what a POOL refuses and what it says is assumed") {
    ReferencePool reference;
    reference.channels = 4;
    reference.width = reference.height = 6;
    reference.window_x = reference.window_y = 3;
    const PoolConfig good = config_of(reference);
    REQUIRE(judge(good).computable());
    REQUIRE(judge(good).assumptions.empty());
    const auto refusal = [&good](auto change) -> std::string {
        PoolConfig config = good;
        change(config);
        const Verdict verdict = judge(config);
        REQUIRE_FALSE(verdict.computable());
        return verdict.illegal != nullptr ? verdict.illegal : verdict.limits[0].feature;
    };
    constexpr const char* kCrop = "the crop window is not pixels of the frame";
    CHECK(refusal([](PoolConfig& c) { c.type = PoolType{5}; }) == "TYPE names no pooling");
    CHECK(refusal([](PoolConfig& c) { c.type = PoolType::GlobalMaxIndex; }) == "CTRL.TYPE");
    CHECK(refusal([](PoolConfig& c) { c.type = PoolType::GlobalMinIndex; }) == "CTRL.TYPE");
    CHECK(refusal([](PoolConfig& c) { c.bsize = 0; }) == "a pixel without channels");
    CHECK(refusal([](PoolConfig& c) { c.winy = 0; }) == "a window without pixels");
    CHECK(refusal([](PoolConfig& c) { c.strdx = 0; }) == "a stride of 0");
    CHECK(refusal([](PoolConfig& c) { c.winx = 7; }) == "a window larger than the feature map");
    CHECK(refusal([](PoolConfig& c) { c.out_x = 5; }) == "OUTDIMS");
    CHECK(refusal([](PoolConfig& c) { c.out_y = 3; }) == "OUTDIMS");
    CHECK(refusal([](PoolConfig& c) { c.rcrop = 24; }) == kCrop);
    CHECK(refusal([](PoolConfig& c) { c.rcrop = 22; }) == kCrop);
    CHECK(refusal([](PoolConfig& c) { c.lcrop = 2; }) == kCrop);
    CHECK(refusal([](PoolConfig& c) { c.bcrop = 6; }) == kCrop);
    CHECK(refusal([](PoolConfig& c) { c.tcrop = 6; }) == kCrop);
    CHECK(refusal([](PoolConfig& c) { c.cropen = false, c.feat_x = 22; }) == kCrop);
    CHECK(refusal([](PoolConfig& c) { c.cropen = false, c.feat_y = 0; }) == kCrop);
    CHECK(refusal([](PoolConfig& c) { c.type = PoolType::GlobalMax, c.tpad = 1; }) == "PDIMS pads");
    CHECK(refusal([](PoolConfig& c) {
              c.type = PoolType::GlobalAverage, c.bsize = 1, c.feat_x = c.feat_y = 4095;
              c.input = {3, 16, 3}, c.mulval = 65535;
          }) == "MULVAL");
    const auto assumption = [&good](auto change) -> std::string {
        PoolConfig config = good;
        change(config);
        const Verdict verdict = judge(config);
        REQUIRE(verdict.computable());
        REQUIRE(verdict.assumptions.size() == 1);
        return verdict.assumptions[0].feature;
    };
    CHECK(assumption([](PoolConfig& c) { c.dualline = false; }) == "CTRL.DUALLINE");
    CHECK(assumption([](PoolConfig& c) { c.cropen = false, c.rcrop = 1; }) == "CTRL.CROPEN");
    CHECK(assumption([](PoolConfig& c) { c.lpad = 1, c.out_x = 5; }) == "PDIMS pads");
    CHECK(assumption([](PoolConfig& c) {
              c.type = PoolType::Average;
              c.mulval = 40000;
          }) == "MULVAL");
    CHECK(assumption([](PoolConfig& c) { c.feat_x = 1028, c.rcrop = 1027, c.out_x = 255; }) ==
          "FDIMS.FEATX");
}
