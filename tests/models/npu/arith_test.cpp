// SPDX-License-Identifier: Apache-2.0
// ARITH against its scalar reference and the documented epochs.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "models/npu/units/arith.h"
#include "tests/models/npu/reference/arith_reference.h"
#include "tests/models/npu/vector_random.h"

using namespace n6vp::models::npu;
using n6vp::test::Integer;
using n6vp::test::Random;
using n6vp::test::ReferenceArith;
using n6vp::test::VectorTies;
using n6vp::test::words_of;

namespace {

/// A random unit of operation `op`; the words it is given come from `words`.
ReferenceArith random_arith(Random& random, int op) {
    ReferenceArith u;
    u.op = op;
    const bool single = op == 0x13 || op == 0x2F || op == 0x33 || op == 0x37;
    u.two_inputs = !single && (op != 0 || random.one_in(2));
    u.logical = random.one_in(2);
    u.combine = op == 0 && !u.two_inputs && random.one_in(2);
    u.memory_a = random.one_in(2);
    u.memory_b = random.one_in(2);
    u.memory_c = random.one_in(2);
    u.a = random.number(-32768, 32767);
    u.b = random.number(-32768, 32767);
    u.c = random.number(-32768, 32767);
    u.ax = random.one_in(2) ? 0 : random.below(32);
    u.by = random.one_in(2) ? 0 : random.below(32);
    u.c_shift = random.one_in(2) ? 0 : random.below(32);
    u.x_bytes = 1 + random.below(3);
    u.y_bytes = 1 + random.below(3);
    for (auto& entry : u.memory) {
        for (Integer& value : entry) value = random.number(-32768, 32767);
    }
    if (op == 0x37) {  // limits in order
        u.a = random.number(-32768, 0);
        u.c = random.number(0, 32767);
        for (auto& entry : u.memory) entry = {-std::abs(entry[0]), 0, std::abs(entry[2] / 2)};
    }
    u.address = random.in(0, 511);
    u.increment = random.in(-256, 255);
    u.increment_every = random.one_in(2) ? 1 : random.in(1, 40);
    for (std::size_t i = 0; i < 3; ++i) {
        u.counts[i] = random.one_in(2);
        u.period[i] = random.in(1, random.one_in(2) ? 20 : 400);
        u.offset[i] = random.in(-256, 255);
    }
    if (random.one_in(2)) {  // channels that repeat from pixel to pixel
        u.increment_every = 1;
        u.counts[0] = true;
        u.period[0] = random.in(1, 30);
        u.offset[0] = -(u.period[0] - 1) * u.increment;
        u.offset[0] = (u.offset[0] % 512 + 768) % 512 - 256;
        if (random.one_in(2)) u.period[1] = u.period[0] * random.in(1, 40);
        // As in compiled networks, where a plane and a frame end together.
        if (random.one_in(2)) u.period[2] = u.period[1] * random.in(1, 3);
    }
    u.stage = random.stage(op != 0 && op != 7 ? 4 : random.one_in(5) ? 64 : 28);
    auto& s = u.stage;
    s.clip = random.one_in(3);
    s.clip_low = random.number(-32768, 32767);
    s.clip_high = random.in(s.clip_low, 32767);
    return u;
}

ArithConfig config_of(const ReferenceArith& u) {
    ArithConfig c;
    c.op = static_cast<ArithOp>(u.op);
    c.dualin = u.two_inputs;
    c.logicalop = u.logical;
    c.combinebc = u.combine;
    c.coeffa = u.memory_a;
    c.coeffb = u.memory_b;
    c.coeffc = u.memory_c;
    c.a = static_cast<std::int16_t>(u.a);
    c.b = static_cast<std::int16_t>(u.b);
    c.c = static_cast<std::int16_t>(u.c);
    c.ax = static_cast<std::uint8_t>(u.ax);
    c.by = static_cast<std::uint8_t>(u.by);
    c.cshift = static_cast<std::uint8_t>(u.c_shift);
    c.res = static_cast<std::uint8_t>(u.stage.shift);
    c.x = n6vp::test::input_of(u.x_bytes);
    c.y = n6vp::test::input_of(u.y_bytes);
    c.output = n6vp::test::output_of(u.stage);
    c.clipout = u.stage.clip;
    c.clipmin = static_cast<std::int16_t>(u.stage.clip_low);
    c.clipmax = static_cast<std::int16_t>(u.stage.clip_high);
    c.coeffaddr = static_cast<std::uint16_t>(u.address);
    c.incval = static_cast<std::uint32_t>(u.increment_every - 1);
    c.incoffset = static_cast<std::int16_t>(u.increment);
    for (std::size_t i = 0; i < 3; ++i) {
        c.resets[i] = {u.counts[i], static_cast<std::uint32_t>(u.period[i] - 1),
                       static_cast<std::int16_t>(u.offset[i])};
    }
    return c;
}

CoefficientMemory memory_of(const ReferenceArith& u) {
    CoefficientMemory memory;
    for (std::uint32_t i = 0; i < 512; ++i) {
        const auto& m = u.memory[i];
        memory.at(i) = {static_cast<std::int16_t>(m[0]), static_cast<std::int16_t>(m[1]),
                        static_cast<std::int16_t>(m[2])};
    }
    return memory;
}

/// Computes in pieces of random size, as a stream would come.
std::vector<Word> computed(Random& random, Arith& unit, const std::vector<Word>& x,
                           const std::vector<Word>& y) {
    std::vector<Word> out(x.size());
    for (std::size_t at = 0; at < x.size();) {
        const std::size_t part = std::min<std::size_t>(x.size() - at, 1 + random.below(700));
        unit.compute(std::span(x).subspan(at, part), std::span(y).subspan(at, part),
                     std::span(out).subspan(at, part));
        at += part;
    }
    return out;
}

void compare(Random& random, const ReferenceArith& reference, ArithRounding rounding = {}) {
    const ArithConfig config = config_of(reference);
    REQUIRE(judge(config).computable());
    const auto x = random.words(1 + random.below(900));
    const auto y = random.words(x.size());
    Arith unit(config, memory_of(reference), rounding);
    REQUIRE(computed(random, unit, words_of(x), words_of(y)) == words_of(reference.run(x, y)));
}

}  // namespace

TEST_CASE("affine with coefficients from registers and memory") {
    Random random(21);
    for (int i = 0; i < 1500; ++i) {
        CAPTURE(i);
        compare(random, random_arith(random, 0));
    }
}

TEST_CASE("operations other than affine") {
    Random random(22);
    for (const int op : {0x01, 0x02, 0x07, 0x0B, 0x0F, 0x13, 0x17, 0x1B, 0x1F, 0x23, 0x27, 0x2B,
                         0x2F, 0x33, 0x37}) {
        for (int i = 0; i < 400; ++i) {
            CAPTURE(op);
            CAPTURE(i);
            compare(random, random_arith(random, op));
        }
    }
}

TEST_CASE("rules of ties") {
    Random random(23);
    const struct {
        Rounding model;
        VectorTies reference;
    } rules[] = {{Rounding::HalfUp, VectorTies::Up},
                 {Rounding::HalfAway, VectorTies::Away},
                 {Rounding::HalfEven, VectorTies::Even}};
    for (const auto& rule : rules) {
        for (int i = 0; i < 400; ++i) {
            ReferenceArith reference = random_arith(random, 0);
            reference.a = random.in(-2, 2);
            reference.stage.ties = rule.reference;
            reference.stage.shift = random.below(5);
            CAPTURE(i);
            compare(random, reference, {rule.model, Rounding::Floor});
        }
    }
}

TEST_CASE("shifts before the sum may round instead") {
    ArithConfig config;
    config.a = config.b = 1;
    config.ax = 1;
    config.by = 2;
    config.dualin = true;
    config.output = {true, true, 1, 1};
    const std::vector<Word> x{1, -1, 3, -3}, y{2, -2, 6, -6};
    std::vector<Word> out(4);
    const auto with = [&](Rounding inputs) {
        Arith(config, {}, {Rounding::HalfUp, inputs}).compute(x, y, out);
        return out;
    };
    CHECK(with(Rounding::Floor) == std::vector<Word>{0, -2, 2, -4});
    CHECK(with(Rounding::HalfUp) == std::vector<Word>{2, 0, 4, -2});
    CHECK(with(Rounding::HalfAway) == std::vector<Word>{2, -2, 4, -4});
    CHECK(with(Rounding::HalfEven) == std::vector<Word>{0, 0, 4, -4});
}

TEST_CASE("sums beyond 32 bits") {
    ArithConfig config;
    config.a = 32767;
    config.b = 32767;
    config.combinebc = true;
    config.c = -1;
    config.res = 20;
    config.output = {true, true, 1, 3};
    std::vector<Word> out(2);
    Arith(config, {}).compute(std::vector<Word>{32767, -32768}, {}, out);
    // 32767 * 32767 + (2^31 - 1) = 3221159936; 32767 * -32768 + 2^31 - 1 = 1073774591
    CHECK(out == std::vector<Word>{3072, 1024});
    config.combinebc = false;
    config.c = -32768;
    config.cshift = 31;
    config.res = 31;
    config.x.fbytes = config.x.fobytes = 3;
    Arith(config, {}).compute(std::vector<Word>{-8388608, 8388607}, {}, out);
    // 32767 * 2^23 is 127.996 times 2^31
    CHECK(out == std::vector<Word>{-32768 - 128, -32768 + 128});
}

TEST_CASE("unsigned input becomes signed") {
    ArithConfig config;  // the documented requantisation of an image: x - 128
    config.combinebc = true;
    config.a = 16384;
    config.b = -32;
    config.res = 14;
    config.output = {true, true, 1, 1};
    std::vector<Word> x, expected;
    for (int i = 0; i < 256; ++i) {
        x.push_back(i);
        expected.push_back(i - 128);
    }
    std::vector<Word> out(256);
    Arith(config, {}).compute(x, {}, out);
    CHECK(out == expected);
    // and back with wrapping: the byte that a store keeps is x again
    config.b = 32;
    config.x.fbytes = config.x.fobytes = 1;
    config.output = {false, false, 1, 1};
    std::vector<Word> back(256);
    Arith(config, {}).compute(out, {}, back);
    for (int i = 0; i < 256; ++i) CHECK((back[static_cast<std::size_t>(i)] & 0xFF) == i);
    CHECK(back[200] == 200 - 256);
}

TEST_CASE("per-channel multiplier and constant of a documented convolution") {
    // Four channels in groups of four, two pixels a group, two groups; 32 entries in the original.
    CoefficientMemory memory;
    const std::int32_t constants[] = {65589558, -91311695, -260476099, -179869453};
    for (std::uint32_t i = 0; i < 4; ++i) {
        const auto word = static_cast<std::uint32_t>(constants[i]);
        memory.write({i, false}, (word >> 16) << 16 | 21760);
        memory.write({i, true}, word & 0xFFFF);
    }
    ArithConfig config;
    config.coeffa = config.coeffb = config.coeffc = config.combinebc = true;
    config.res = 20;
    config.incoffset = 1;
    config.resets = {CoefficientReset{true, 3, -3}, {true, 7, 1}, {true, 7, -3}};
    config.output = {true, true, 1, 1};
    std::vector<Word> out(8);
    Arith(config, memory).compute(std::vector<Word>{0, 0, 0, 0, 3000, 9000, 12000, 15000}, {}, out);
    // 65589558 / 2^20 = 62.55; -87.08; -248.4 saturates; -171.5 saturates; + 21760 x / 2^20
    CHECK(out == std::vector<Word>{63, -87, -128, -128, 125, 100, 1, 127});
}

TEST_CASE("addition of a documented residual") {
    ArithConfig config;
    config.dualin = true;
    config.a = 29123;
    config.b = 23880;
    config.c = 16817;
    config.by = 1;
    config.cshift = 6;
    config.res = 15;
    config.x.fbytes = config.x.fobytes = config.y.fbytes = config.y.fobytes = 1;
    config.output = {true, true, 1, 1};
    std::vector<Word> out(4);
    Arith(config, {})
        .compute(std::vector<Word>{0, 10, -128, 127}, std::vector<Word>{0, 20, -128, 127}, out);
    // C alone is 1076288 / 32768 = 32.85
    CHECK(out == std::vector<Word>{33, 49, -128, 127});
    CHECK(judge(config).assumptions.size() == 1);  // BY truncates
}

TEST_CASE("limits of an activation inside the range of a byte") {
    ArithConfig config;
    config.a = 1;
    config.clipout = true;
    config.clipmin = -128;
    config.clipmax = -46;
    config.output = {true, true, 1, 1};
    std::vector<Word> out(4);
    Arith(config, {}).compute(std::vector<Word>{-300, -100, -46, 90}, {}, out);
    CHECK(out == std::vector<Word>{-128, -100, -46, -46});
}

TEST_CASE("CLIP of a PReLU was limited by CLIPRANGE: its limits are A and C") {
    ArithConfig config;
    config.op = ArithOp::Clip;
    config.a = -128;
    config.c = -9;
    config.output = {true, true, 1, 1};
    const std::vector<Word> x{-128, -40, -9, -8, 0, 127};
    std::vector<Word> out(x.size());
    SUBCASE("CLIPRANGE as after a reset") {}
    SUBCASE("CLIPRANGE set to other limits") {
        config.clipmin = 3;
        config.clipmax = 5;
    }
    REQUIRE(judge(config).computable());
    CHECK(judge(config).assumptions.empty());
    Arith(config, {}).compute(x, {}, out);
    CHECK(out == std::vector<Word>{-128, -40, -9, -9, -9, -9});
}

TEST_CASE("CLIP with limits of each channel from the coefficient memory") {
    ArithConfig config;
    config.op = ArithOp::Clip;
    config.coeffa = config.coeffc = true;
    config.incoffset = 1;
    config.output = {true, true, 1, 1};
    CoefficientMemory memory;
    memory.at(0) = {-100, 7, -10};
    memory.at(1) = {-20, 7, 30};
    memory.at(2) = {0, 7, 0};
    std::vector<Word> out(3);
    Arith(config, memory).compute(std::vector<Word>{-5, -50, 90}, {}, out);
    CHECK(out == std::vector<Word>{-10, -20, 0});
}

TEST_CASE("modes of broadcast by their documented counters") {
    constexpr Integer kWidth = 3, kHeight = 2, kDepth = 4, kChannels = 8;  // depth: channels a pass
    struct Mode {
        const char* name;
        std::uint32_t incval;
        std::array<CoefficientReset, 3> resets;
        Integer (*entry)(Integer pass, Integer y, Integer x, Integer b);
    };
    const auto count = [](Integer n) { return static_cast<std::uint32_t>(n - 1); };
    const auto back = [](Integer n) { return static_cast<std::int16_t>(1 - n); };
    const Mode modes[] = {
        {"channel",
         0,
         {CoefficientReset{true, count(kDepth), back(kDepth)},
          {true, count(kWidth * kHeight * kDepth), 1},
          {true, count(kWidth * kHeight * kChannels), back(kChannels)}},
         [](Integer pass, Integer, Integer, Integer b) { return pass * kDepth % kChannels + b; }},
        {"height",
         count(kWidth * kDepth),
         {CoefficientReset{true, count(kWidth * kHeight * kDepth), back(kHeight)}, {}, {}},
         [](Integer, Integer y, Integer, Integer) { return y; }},
        {"width",
         count(kDepth),
         {CoefficientReset{true, count(kWidth * kDepth), back(kWidth)}, {}, {}},
         [](Integer, Integer, Integer x, Integer) { return x; }},
        {"height and width",
         count(kDepth),
         {CoefficientReset{true, count(kWidth * kHeight * kDepth), back(kHeight * kWidth)}, {}, {}},
         [](Integer, Integer y, Integer x, Integer) { return y * kWidth + x; }},
    };
    for (const Mode& mode : modes) {
        CAPTURE(mode.name);
        CoefficientSequence sequence(0, mode.incval, 1, mode.resets);
        std::vector<std::uint16_t> entries(kWidth * kHeight * kDepth * 4);
        sequence.next(entries);
        std::size_t at = 0;
        for (Integer pass = 0; pass < 4; ++pass) {
            for (Integer y = 0; y < kHeight; ++y) {
                for (Integer x = 0; x < kWidth; ++x) {
                    for (Integer b = 0; b < kDepth; ++b) {
                        REQUIRE(entries[at++] == mode.entry(pass, y, x, b));
                    }
                }
            }
        }
    }
    CoefficientSequence scalar(7, 0, 0, {CoefficientReset{true, 5, 0}, {}, {}});
    std::vector<std::uint16_t> entries(20);
    scalar.next(entries);
    CHECK(entries == std::vector<std::uint16_t>(20, 7));
}

TEST_CASE("coefficient entries follow the reference") {
    Random random(24);
    for (int i = 0; i < 800; ++i) {
        const ReferenceArith u = random_arith(random, 0);
        const ArithConfig c = config_of(u);
        CoefficientSequence sequence(c.coeffaddr, c.incval, c.incoffset, c.resets);
        const std::vector<Integer> expected = u.entries(3000);
        std::size_t at = 0;
        while (at < 1500) {
            const auto loop = sequence.loop();
            const std::size_t looped = std::min(loop.samples, 600u);
            if (looped != 0 && random.one_in(2)) {
                for (std::size_t k = loop.period; k < looped; ++k) {
                    REQUIRE(expected[at + k] == expected[at + k - loop.period]);
                }
                const std::size_t skipped = looped - looped % loop.period;
                sequence.skip(static_cast<std::uint32_t>(skipped));
                at += skipped;
                continue;
            }
            std::vector<std::uint16_t> part(1 + random.below(90));
            sequence.next(part);
            for (const std::uint16_t entry : part) REQUIRE(entry == expected[at++]);
        }
    }
}

TEST_CASE("windows onto the coefficient memory") {
    const auto place = [](std::uint32_t offset, bool translate) -> int {
        const auto found = CoefficientMemory::place(offset, translate);
        return found ? static_cast<int>(2 * found->entry + (found->second_word ? 1 : 0)) : -1;
    };
    CHECK(place(0x400, true) == 0);
    CHECK(place(0x404, true) == 1);
    CHECK(place(0xFFC, true) == 2 * 383 + 1);
    CHECK(place(0x3FC, true) == -1);
    CHECK(place(0xC00, false) == 2 * 384);
    CHECK(place(0xFFC, false) == 2 * 511 + 1);
    CHECK(place(0xBFC, false) == -1);
    CHECK(place(0x1000, false) == -1);
    CoefficientMemory memory;
    memory.write({383, false}, 0x8001FFFE);
    memory.write({383, true}, 0xABCD8002);
    CHECK(memory.at(383) == Coefficient{-2, -32767, -32766});
    CHECK(memory.read({383, false}) == 0x8001FFFE);
    CHECK(memory.read({383, true}) == 0x8002);
}

TEST_CASE("what an ARITH refuses and what it says is assumed") {
    ArithConfig good;
    good.output = {true, true, 1, 1};
    REQUIRE(judge(good).computable());
    REQUIRE(judge(good).assumptions.empty());
    const auto refusal = [&good](auto change) -> std::string {
        ArithConfig config = good;
        change(config);
        const Verdict verdict = judge(config);
        REQUIRE_FALSE(verdict.computable());
        return verdict.illegal != nullptr ? verdict.illegal : verdict.limits[0].feature;
    };
    CHECK(refusal([](ArithConfig& c) { c.op = ArithOp{3}; }) == "OP names no operation");
    CHECK(refusal([](ArithConfig& c) { c.op = ArithOp::Multiply; }) == "CTRL.OP");
    CHECK(refusal([](ArithConfig& c) { c.x.fshift = 15; }) == "FSHIFT");
    CHECK(refusal([](ArithConfig& c) { c.x.fobytes = 1; }) == "FOBYTES");
    CHECK(refusal([](ArithConfig& c) { c.x.fbytes = 0; }) == "an input has no bytes");
    CHECK(refusal([](ArithConfig& c) { c.output.obytes = 0; }) == "an output has no bytes");
    CHECK(refusal([](ArithConfig& c) { c.clipout = true, c.clipmin = 1; }) == "CLIPRANGE");
    CHECK(refusal([](ArithConfig& c) { c.op = ArithOp::Clip, c.a = 1; }) == "COEFF A, C");
    CHECK(refusal([](ArithConfig& c) { c.op = ArithOp::Clip, c.combinebc = true; }) ==
          "CTRL.COMBINEBC");
    CHECK(refusal([](ArithConfig& c) { c.dualin = true, c.y.fshift = 17; }) == "FSHIFT");
    CHECK(refusal([](ArithConfig& c) { c.output.orndmode = 2, c.res = 1; }) == "ORNDMODE");
    const auto assumption = [&good](auto change) -> std::string {
        ArithConfig config = good;
        change(config);
        const Verdict verdict = judge(config);
        REQUIRE(verdict.computable());
        REQUIRE(verdict.assumptions.size() == 1);
        return verdict.assumptions[0].feature;
    };
    CHECK(assumption([](ArithConfig& c) { c.op = ArithOp::Abs; }) == "CTRL.OP");
    CHECK(assumption([](ArithConfig& c) { c.op = ArithOp::Clip, c.cshift = 1; }) == "SHIFT.C");
    CHECK(assumption([](ArithConfig& c) { c.ax = 7; }) == "SHIFT.AX, BY");
    CHECK(assumption([](ArithConfig& c) { c.combinebc = c.dualin = true; }) == "CTRL.COMBINEBC");
    good.y.fshift = 3;  // of an input that is not used
    good.by = 3;
    CHECK(judge(good).computable());
    CHECK(judge(good).assumptions.empty());
}
