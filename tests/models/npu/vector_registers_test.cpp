// SPDX-License-Identifier: Apache-2.0
// Vector units as their registers configure them: every field, and the words of documented epochs.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "memmap/npu/activ.h"
#include "memmap/npu/arith.h"
#include "memmap/npu/decun.h"
#include "memmap/npu/pool.h"
#include "models/npu/units/vector_registers.h"
#include "tests/models/npu/register_words.h"

using namespace n6vp::models::npu;
using namespace n6vp::memmap::npu;
using n6vp::test::compare_fields;
using n6vp::test::Placed;
using n6vp::test::registers_with;

TEST_CASE("fields of vector units lie where the register map puts them") {
    compare_fields<ArithConfig>(
        kArith, decode_arith,
        std::vector<Placed<ArithConfig>>{
            {0, 2, 1, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.resets[0].enabled); }},
            {0, 3, 1, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.resets[1].enabled); }},
            {0, 4, 1, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.resets[2].enabled); }},
            {0, 5, 1, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.output.round); }},
            {0, 6, 1, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.output.sat); }},
            {0, 7, 1, false, [](const ArithConfig& c) { return static_cast<long long>(c.coeffa); }},
            {0, 8, 1, false, [](const ArithConfig& c) { return static_cast<long long>(c.dualin); }},
            {0, 9, 6, false, [](const ArithConfig& c) { return static_cast<long long>(c.op); }},
            {0, 21, 1, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.coeffb); }},
            {0, 22, 1, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.coeffc); }},
            {0, 23, 1, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.logicalop); }},
            {0, 24, 2, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.output.orndmode); }},
            {0, 26, 2, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.output.obytes); }},
            {0, 28, 1, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.combinebc); }},
            {0, 29, 1, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.clipout); }},
            {8, 0, 5, false, [](const ArithConfig& c) { return static_cast<long long>(c.ax); }},
            {8, 5, 5, false, [](const ArithConfig& c) { return static_cast<long long>(c.by); }},
            {8, 10, 5, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.cshift); }},
            {8, 15, 6, false, [](const ArithConfig& c) { return static_cast<long long>(c.res); }},
            {0x0C, 0, 27, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.incval); }},
            {0x10, 0, 27, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.resets[0].count); }},
            {0x14, 0, 27, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.resets[1].count); }},
            {0x18, 0, 27, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.resets[2].count); }},
            {0x1C, 0, 16, true, [](const ArithConfig& c) { return static_cast<long long>(c.a); }},
            {0x1C, 16, 16, true, [](const ArithConfig& c) { return static_cast<long long>(c.c); }},
            {0x20, 0, 16, true, [](const ArithConfig& c) { return static_cast<long long>(c.b); }},
            {0x24, 0, 9, true,
             [](const ArithConfig& c) { return static_cast<long long>(c.resets[0].offset); }},
            {0x24, 9, 9, true,
             [](const ArithConfig& c) { return static_cast<long long>(c.resets[1].offset); }},
            {0x24, 18, 9, true,
             [](const ArithConfig& c) { return static_cast<long long>(c.resets[2].offset); }},
            {0x28, 0, 9, true,
             [](const ArithConfig& c) { return static_cast<long long>(c.incoffset); }},
            {0x30, 0, 9, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.coeffaddr); }},
            {0x34, 0, 2, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.x.fbytes); }},
            {0x34, 2, 6, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.x.fshift); }},
            {0x34, 12, 2, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.x.fobytes); }},
            {0x34, 16, 2, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.y.fbytes); }},
            {0x34, 18, 6, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.y.fshift); }},
            {0x34, 28, 2, false,
             [](const ArithConfig& c) { return static_cast<long long>(c.y.fobytes); }},
            {0x38, 0, 16, true,
             [](const ArithConfig& c) { return static_cast<long long>(c.clipmax); }},
            {0x38, 16, 16, true,
             [](const ArithConfig& c) { return static_cast<long long>(c.clipmin); }},
        });
    compare_fields<ActivConfig>(
        kActiv, decode_activ,
        std::vector<Placed<ActivConfig>>{
            {0, 2, 2, false, [](const ActivConfig& c) { return static_cast<long long>(c.type); }},
            {0, 6, 2, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.input.fbytes); }},
            {0, 8, 6, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.input.fshift); }},
            {0, 18, 2, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.input.fobytes); }},
            {0, 20, 1, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.output.round); }},
            {0, 21, 1, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.output.sat); }},
            {0, 22, 2, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.output.obytes); }},
            {0, 24, 2, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.output.orndmode); }},
            {8, 0, 16, true, [](const ActivConfig& c) { return static_cast<long long>(c.param); }},
            {8, 16, 4, false, [](const ActivConfig& c) { return static_cast<long long>(c.func); }},
            {0x0C, 0, 6, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.outshift); }},
            {0x0C, 6, 6, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.cshift); }},
            {0x0C, 12, 5, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.bshift); }},
            {0x0C, 20, 1, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.signedop); }},
            {0x0C, 23, 3, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.bwidth); }},
            {0x10, 0, 16, true,
             [](const ActivConfig& c) { return static_cast<long long>(c.param2); }},
            {0x14, 0, 24, false,
             [](const ActivConfig& c) { return static_cast<long long>(c.fsub); }},
        });
    compare_fields<PoolConfig>(
        kPool, decode_pool,
        std::vector<Placed<PoolConfig>>{
            {0, 2, 4, false, [](const PoolConfig& c) { return static_cast<long long>(c.type); }},
            {0, 6, 1, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.output.round); }},
            {0, 7, 1, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.output.sat); }},
            {0, 8, 6, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.outshift); }},
            {0, 14, 1, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.dualline); }},
            {0, 15, 1, false, [](const PoolConfig& c) { return static_cast<long long>(c.cropen); }},
            {0, 16, 2, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.input.fbytes); }},
            {0, 18, 6, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.input.fshift); }},
            {8, 0, 3, false, [](const PoolConfig& c) { return static_cast<long long>(c.winx); }},
            {8, 3, 3, false, [](const PoolConfig& c) { return static_cast<long long>(c.winy); }},
            {8, 6, 4, false, [](const PoolConfig& c) { return static_cast<long long>(c.strdx); }},
            {8, 10, 4, false, [](const PoolConfig& c) { return static_cast<long long>(c.strdy); }},
            {8, 14, 3, false, [](const PoolConfig& c) { return static_cast<long long>(c.tpad); }},
            {8, 17, 3, false, [](const PoolConfig& c) { return static_cast<long long>(c.bpad); }},
            {8, 20, 3, false, [](const PoolConfig& c) { return static_cast<long long>(c.lpad); }},
            {8, 23, 3, false, [](const PoolConfig& c) { return static_cast<long long>(c.rpad); }},
            {8, 26, 4, false, [](const PoolConfig& c) { return static_cast<long long>(c.bsize); }},
            {0x0C, 0, 12, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.feat_x); }},
            {0x0C, 16, 12, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.feat_y); }},
            {0x10, 0, 12, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.out_x); }},
            {0x10, 16, 12, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.out_y); }},
            {0x14, 0, 16, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.mulval); }},
            {0x18, 0, 12, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.lcrop); }},
            {0x18, 16, 12, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.rcrop); }},
            {0x1C, 0, 12, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.tcrop); }},
            {0x1C, 16, 12, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.bcrop); }},
            {0x20, 0, 2, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.input.fobytes); }},
            {0x20, 16, 2, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.output.obytes); }},
            {0x20, 18, 2, false,
             [](const PoolConfig& c) { return static_cast<long long>(c.output.orndmode); }},
        });
    compare_fields<DecunConfig>(
        kDecun, decode_decun,
        std::vector<Placed<DecunConfig>>{
            {0, 2, 1, false, [](const DecunConfig& c) { return static_cast<long long>(c.dualin); }},
            {0, 3, 1, false, [](const DecunConfig& c) { return static_cast<long long>(c.ow); }},
            {0, 4, 2, false,
             [](const DecunConfig& c) { return static_cast<long long>(c.pageaddr); }},
            {8, 0, 8, false, [](const DecunConfig& c) { return static_cast<long long>(c.cvs); }},
            {8, 8, 3, false, [](const DecunConfig& c) { return static_cast<long long>(c.cws); }},
            {8, 12, 3, false, [](const DecunConfig& c) { return static_cast<long long>(c.osam); }},
            {0x0C, 0, 1, false, [](const DecunConfig& c) { return static_cast<long long>(c.cv8); }},
            {0x0C, 1, 1, false,
             [](const DecunConfig& c) { return static_cast<long long>(c.rawline); }},
            {0x10, 0, 10, false, [](const DecunConfig& c) { return static_cast<long long>(c.bn); }},
        });
}

TEST_CASE("configurations of vector units start with the reset values") {
    CHECK(decode_arith(RegisterFile(kArith)) == ArithConfig{});
    CHECK(decode_activ(RegisterFile(kActiv)) == ActivConfig{});
    CHECK(decode_pool(RegisterFile(kPool)) == PoolConfig{});
    CHECK(decode_decun(RegisterFile(kDecun)) == DecunConfig{});
}

TEST_CASE("documented words of the input requantisation") {
    const ArithConfig config = decode_arith(registers_with(kArith, {{0x00, 0x15000060},
                                                                    {0x08, 0x00070000},
                                                                    {0x1C, 0x00004000},
                                                                    {0x20, 0x0000FFE0},
                                                                    {0x34, 0x10412042}}));
    REQUIRE(judge(config).computable());
    CHECK(judge(config).assumptions.empty());
    std::vector<Word> out(3);
    Arith(config, {}).compute(std::vector<Word>{0, 100, 255}, {}, out);
    CHECK(out == std::vector<Word>{-128, -28, 127});
}

TEST_CASE("documented words of a per-channel multiplier") {
    // 32 channels in eight groups of four: the coefficients of a group repeat over its plane
    const ArithConfig config = decode_arith(registers_with(kArith, {{0x00, 0x096000FC},
                                                                    {0x08, 0x00050000},
                                                                    {0x10, 0x00000003},
                                                                    {0x14, 0x00008FFF},
                                                                    {0x18, 0x00047FFF},
                                                                    {0x1C, 0x00000001},
                                                                    {0x24, 0x078403FD},
                                                                    {0x28, 0x00000001},
                                                                    {0x2C, 0x00000001}}));
    REQUIRE(judge(config).computable());
    CoefficientMemory memory;
    for (std::uint32_t i = 0; i < 32; ++i) memory.at(i).a = static_cast<std::int16_t>(1024 * i);
    const std::vector<Word> x(294912 + 4, 3);
    std::vector<Word> out(x.size());
    Arith(config, memory).compute(x, {}, out);
    for (std::size_t s = 0; s < out.size(); ++s) {
        const std::size_t channel = s / 36864 % 8 * 4 + s % 4;
        REQUIRE(out[s] == static_cast<Word>(3 * channel));
    }
}

TEST_CASE("documented words of streamed coefficients") {
    const ArithConfig multiply = decode_arith(registers_with(
        kArith, {{0x00, 0x09000F60}, {0x08, 0x00058000}, {0x1C, 0x00010001}, {0x20, 0x00000001}}));
    const ArithConfig add = decode_arith(registers_with(
        kArith, {{0x00, 0x05000160}, {0x08, 0x000A3000}, {0x1C, 0x80005500}, {0x20, 0x00005500}}));
    REQUIRE(judge(multiply).computable());
    REQUIRE(judge(add).computable());
    const std::vector<Word> x{100, -2000}, a{12000, 3000}, b{6400, -1500};
    std::vector<Word> scaled(2), out(2);
    Arith(multiply, {}).compute(x, a, scaled);
    CHECK(scaled == std::vector<Word>{586, -2930});  // 585.94, -2929.7
    Arith(add, {}).compute(scaled, b, out);
    // 21760 (586 + 6400) - 2^27 = 17797632: 16.97; 21760 (-4430) - 2^27 saturates
    CHECK(out == std::vector<Word>{17, -128});
}

TEST_CASE("documented words of the sigmoid") {
    const RegisterFile registers = registers_with(
        kActiv, {{0x000, 0x0174104C}, {0x008, 0x00087F80}, {0x00C, 0x0110838F}, {0x400, 0x00000000},
                 {0x404, 0x00000001}, {0x408, 0x00000002}, {0x40C, 0x000000C3}, {0x804, 0x0000FF00},
                 {0x80C, 0x0000FF00}, {0x814, 0x0000FF00}, {0x81C, 0x0000FF00}, {0x824, 0x0000FF00},
                 {0x82C, 0x0000FF00}, {0x830, 0xFEA00222}, {0x834, 0x0000FFE3}, {0x838, 0xE2102800},
                 {0x83C, 0x00001571}, {0x840, 0xB9DA599A}, {0x844, 0x0000360C}, {0x848, 0x40ABC000},
                 {0x84C, 0x0000BFB4}, {0x850, 0x3840C800}, {0x854, 0x0000C871}});
    const ActivConfig config = decode_activ(registers);
    const ActivTables tables = decode_activ_tables(registers);
    REQUIRE(judge(config, tables).computable());
    CHECK(judge(config, tables).assumptions.empty());
    CHECK(tables.rom1[6].a == 546);
    CHECK(tables.rom1[8].b == -17958);
    CHECK(tables.rom1[10].c == -14223);
    std::vector<Word> x, out(256);
    for (int i = -128; i < 128; ++i) x.push_back(i);
    Activ(config, tables).compute(x, out);
    for (std::size_t i = 0; i < 256; ++i) {
        const double real = 256 / (1 + std::exp(-(x[i] - 113) * 0.24362)) - 128;
        CHECK(std::abs(out[i] - real) < 1.5);
    }
}

TEST_CASE("documented words of pooling") {
    const PoolConfig average = decode_pool(registers_with(kPool, {{0x00, 0x0041D5E8},
                                                                  {0x08, 0x1C000440},
                                                                  {0x0C, 0x00190023},
                                                                  {0x10, 0x001A0006},
                                                                  {0x14, 0x00004189},
                                                                  {0x18, 0x00220000},
                                                                  {0x1C, 0x00180000},
                                                                  {0x20, 0x00050001}}));
    REQUIRE(judge(average).computable());
    CHECK(judge(average).assumptions.empty());
    Pool global(average);
    std::vector<Word> out(global.words_out());
    global.compute(std::vector<Word>(global.words_in(), 100), out);
    CHECK(out == std::vector<Word>(7, 100));
    const PoolConfig maximum = decode_pool(registers_with(kPool, {{0x00, 0x0041C0C0},
                                                                  {0x08, 0x0400045B},
                                                                  {0x0C, 0x00170017},
                                                                  {0x10, 0x00150015},
                                                                  {0x18, 0x00160000},
                                                                  {0x1C, 0x00160000},
                                                                  {0x20, 0x00050001}}));
    REQUIRE(judge(maximum).computable());
    CHECK(judge(maximum).assumptions.empty());
    CHECK(Pool(maximum).words_in() == 529);
    CHECK(Pool(maximum).words_out() == 441);
}
