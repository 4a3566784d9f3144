// SPDX-License-Identifier: Apache-2.0
// ACTIV against its scalar reference and the documented sigmoid.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/npu/units/activ.h"
#include "tests/models/npu/reference/activ_reference.h"
#include "tests/models/npu/vector_random.h"

using namespace n6vp::models::npu;
using n6vp::test::Integer;
using n6vp::test::Random;
using n6vp::test::ReferenceActiv;
using n6vp::test::words_of;

namespace {

ReferenceActiv random_activ(Random& random, int type) {
    ReferenceActiv u;
    u.type = type;
    u.bytes = 1 + random.below(3);
    u.param = random.number(-32768, 32767);
    u.param2 = random.number(-32768, 32767);
    u.stage = random.stage(type == 3 ? 24 : 3);
    if (type != 3) return u;
    u.func = random.below(16);
    u.b_shift = random.below(std::min(32u, 46 - 8 * u.bytes));
    u.c_shift = random.below(random.one_in(4) ? 45 : 20);
    u.upper_bits = random.below(6);
    for (Integer& part : u.parts) {
        const unsigned further = random.below(4);
        part = Integer{further} * 64 + random.in(0, 64 - (1 << further));
    }
    for (auto& parabola : u.parabolas) {
        for (Integer& value : parabola) value = random.number(-32768, 32767);
    }
    return u;
}

ActivConfig config_of(const ReferenceActiv& u) {
    ActivConfig c;
    c.type = static_cast<ActivType>(u.type);
    c.input = n6vp::test::input_of(u.bytes);
    c.output = n6vp::test::output_of(u.stage);
    c.param = static_cast<std::int16_t>(u.param);
    c.param2 = static_cast<std::int16_t>(u.param2);
    c.func = static_cast<std::uint8_t>(u.func);
    c.outshift = static_cast<std::uint8_t>(u.stage.shift);
    c.cshift = static_cast<std::uint8_t>(u.c_shift);
    c.bshift = static_cast<std::uint8_t>(u.b_shift);
    c.signedop = true;
    c.bwidth = static_cast<std::uint8_t>(u.upper_bits);
    return c;
}

ActivTables tables_of(const ReferenceActiv& u) {
    ActivTables tables;
    for (std::size_t i = 0; i < 32; ++i) tables.rom0[i] = static_cast<std::uint8_t>(u.parts[i]);
    for (std::size_t i = 0; i < 64; ++i) {
        const auto& p = u.parabolas[i];
        tables.rom1[i] = {static_cast<std::int16_t>(p[0]), static_cast<std::int16_t>(p[1]),
                          static_cast<std::int16_t>(p[2])};
    }
    return tables;
}

/// The sigmoid of the documented epoch.
ReferenceActiv sigmoid() {
    ReferenceActiv u;
    u.type = 3;
    u.param = 32640;
    u.func = 8;
    u.upper_bits = 2;
    u.b_shift = 8;
    u.c_shift = 14;
    u.stage.shift = 15;
    u.parts = {0, 1, 2, 0xC3};
    for (std::size_t i = 0; i < 6; ++i) u.parabolas[i] = {0, 0, -256};
    u.parabolas[6] = {546, -352, -29};
    u.parabolas[7] = {10240, -7664, 5489};
    u.parabolas[8] = {22938, -17958, 13836};
    u.parabolas[9] = {-16384, 16555, -16460};
    u.parabolas[10] = {-14336, 14400, -14223};
    return u;
}

}  // namespace

TEST_CASE("activations against the reference") {
    Random random(31);
    for (const int type : {0, 2, 3}) {
        for (int i = 0; i < 600; ++i) {
            const ReferenceActiv reference = random_activ(random, type);
            const ActivConfig config = config_of(reference);
            const ActivTables tables = tables_of(reference);
            CAPTURE(type);
            CAPTURE(i);
            REQUIRE(judge(config, tables).computable());
            const auto x = random.words(300);
            std::vector<Word> out(x.size());
            Activ(config, tables).compute(words_of(x), out);
            for (std::size_t k = 0; k < x.size(); ++k) REQUIRE(out[k] == reference(x[k]));
        }
    }
}

TEST_CASE("the documented sigmoid is one step off at most") {
    const ReferenceActiv reference = sigmoid();
    std::vector<Word> x, out(256);
    for (int i = -128; i < 128; ++i) x.push_back(i);
    Activ(config_of(reference), tables_of(reference)).compute(x, out);
    int equal = 0, worst = 0;
    for (std::size_t i = 0; i < 256; ++i) {
        const double real = (x[i] - 113) * 0.24362;
        const int exact = static_cast<int>(std::lround(256 / (1 + std::exp(-real)))) - 128;
        const int difference = std::abs(out[i] - std::min(exact, 127));
        worst = std::max(worst, difference);
        equal += difference == 0 ? 1 : 0;
    }
    CHECK(worst == 1);
    CHECK(equal == 250);  // 97.7 %
}

TEST_CASE("lower limit of an activation") {
    ActivConfig config;
    config.type = ActivType::Trelu;
    config.output = {true, true, 1, 1};
    config.param = config.param2 = -128;
    std::vector<Word> out(4);
    Activ(config, {}).compute(std::vector<Word>{-128, -127, 0, 127}, out);
    CHECK(out == std::vector<Word>{-128, -127, 0, 127});
    config.param = 5;
    config.param2 = -7;
    Activ(config, {}).compute(std::vector<Word>{4, 5, 6, -100}, out);
    CHECK(out == std::vector<Word>{-7, -7, 6, -7});
    config.type = ActivType::Relu;
    Activ(config, {}).compute(std::vector<Word>{-1, 0, 3, 200}, out);
    CHECK(out == std::vector<Word>{0, 0, 3, 127});
}

TEST_CASE("what an ACTIV refuses and what it says is assumed") {
    const ReferenceActiv reference = sigmoid();
    const ActivConfig good = config_of(reference);
    const ActivTables tables = tables_of(reference);
    REQUIRE(judge(good, tables).computable());
    REQUIRE(judge(good, tables).assumptions.empty());
    const auto refusal = [&](auto change) -> std::string {
        ActivConfig config = good;
        change(config);
        const Verdict verdict = judge(config, tables);
        REQUIRE_FALSE(verdict.computable());
        return verdict.illegal != nullptr ? verdict.illegal : verdict.limits[0].feature;
    };
    CHECK(refusal([](ActivConfig& c) { c.type = ActivType::Prelu; }) == "CTRL.TYPE");
    CHECK(refusal([](ActivConfig& c) { c.fsub = 1; }) == "FSUB");
    CHECK(refusal([](ActivConfig& c) { c.signedop = false; }) == "FUNC.SIGNEDOP");
    CHECK(refusal([](ActivConfig& c) { c.cshift = 45; }) == "FUNC.BSHIFT, CSHIFT");
    CHECK(refusal([](ActivConfig& c) {
              c.input = {3, 16, 3}, c.bshift = 22;
          }) == "FUNC.BSHIFT, CSHIFT");
    CHECK(refusal([](ActivConfig& c) { c.bwidth = 6; }) ==
          "BWIDTH chooses among more entries than ROM0 has");
    CHECK(refusal([](ActivConfig& c) { c.input.fshift = 15; }) == "FSHIFT");
    ActivTables beyond = tables;
    beyond.rom0[3] = 0xC0 | 57;
    CHECK_FALSE(judge(good, beyond).computable());
    beyond.rom0[3] = 0xC0 | 56;
    CHECK(judge(good, beyond).computable());
    ActivConfig shifted = good;
    shifted.type = ActivType::Relu;
    CHECK(judge(shifted, tables).assumptions.size() == 1);
    shifted.outshift = 0;
    CHECK(judge(shifted, tables).assumptions.empty());
}
