// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "models/npu/stream/packing.h"
#include "models/npu/units/activ.h"
#include "models/npu/units/arith.h"
#include "models/npu/units/pool.h"

// Words per second of host through the units that take one word a cycle on the chip, one thread.

namespace {

using namespace n6vp::models::npu;

constexpr std::size_t kWords = std::size_t{1} << 20;

std::vector<Word> bytes_as_words() {
    std::vector<Word> words(kWords);
    std::uint32_t state = 1;
    for (Word& word : words) {
        state = state * 1664525u + 1013904223u;
        word = static_cast<Word>(state >> 24) - 128;
    }
    return words;
}

void report(benchmark::State& state, std::size_t words) {
    state.SetItemsProcessed(static_cast<std::int64_t>(words) *
                            static_cast<std::int64_t>(state.iterations()));
}

/// Requantisation of int8, as at the inputs of compiled networks.
ArithConfig affine() {
    ArithConfig config;
    config.combinebc = true;
    config.a = 16384;
    config.b = -32;
    config.res = 14;
    config.x = config.y = {1, 16, 1};
    config.output = {true, true, 1, 1};
    return config;
}

void run_arith(benchmark::State& state, const ArithConfig& config) {
    const std::vector<Word> x = bytes_as_words();
    std::vector<Word> out(kWords);
    Arith unit(config, {});
    for (auto _ : state) {
        unit.compute(x, x, out);
        benchmark::ClobberMemory();
    }
    report(state, kWords);
}

void NpuArithAffine(benchmark::State& state) {
    run_arith(state, affine());
}
void NpuArithChannels(benchmark::State& state) {
    ArithConfig config = affine();
    const auto depth = static_cast<std::uint32_t>(state.range(0));
    const auto back = static_cast<std::int16_t>(1 - state.range(0));
    config.coeffa = config.coeffb = config.coeffc = true;
    config.incoffset = 1;
    config.resets = {CoefficientReset{true, depth - 1, back},
                     {true, 3136 * depth - 1, 1},
                     {true, 8 * 3136 * depth - 1, static_cast<std::int16_t>(8 * back)}};
    run_arith(state, config);
}
void NpuArithSum(benchmark::State& state) {
    ArithConfig config = affine();
    config.combinebc = false;
    config.dualin = true;
    config.by = 1;
    run_arith(state, config);
}

void run_activ(benchmark::State& state, std::uint8_t bytes) {
    ActivConfig config;
    config.type = ActivType::Function;
    config.signedop = true;
    config.input = {bytes, 16, bytes};
    config.output = {true, true, 1, 1};
    const std::vector<Word> x = bytes_as_words();
    std::vector<Word> out(kWords);
    for (auto _ : state) {
        Activ(config, {}).compute(x, out);
        benchmark::ClobberMemory();
    }
    report(state, kWords);
}
void NpuActivFunction(benchmark::State& state) {
    run_activ(state, static_cast<std::uint8_t>(state.range(0)));
}

void run_pool(benchmark::State& state, PoolType type) {
    PoolConfig config;
    config.type = type;
    config.input = {1, 16, 1};
    config.output = {true, true, 1, 1};
    config.dualline = config.cropen = true;
    config.winx = config.winy = 3;
    config.strdx = config.strdy = 1;
    config.bsize = 8;
    config.feat_x = 448;
    config.feat_y = 56;
    config.out_x = config.out_y = 54;
    config.mulval = 7282;
    config.outshift = type == PoolType::Max ? 0 : 16;
    config.rcrop = 447;
    config.bcrop = 55;
    Pool unit(config);
    const std::vector<Word> x = bytes_as_words();
    std::vector<Word> out(unit.words_out());
    for (auto _ : state) {
        unit.compute(std::span(x).first(unit.words_in()), out);
        benchmark::ClobberMemory();
    }
    report(state, unit.words_in());
}
void NpuPoolMax(benchmark::State& state) {
    run_pool(state, PoolType::Max);
}
void NpuPoolAverage(benchmark::State& state) {
    run_pool(state, PoolType::Average);
}

void NpuUnpackAndPack(benchmark::State& state) {
    const ElementFormat format{static_cast<std::uint32_t>(state.range(0)), true};
    std::vector<std::uint8_t> bytes(kWords * format.bytes);
    std::vector<Word> words(kWords);
    for (auto _ : state) {
        unpack(format, bytes, words);
        pack(format, words, bytes);
        benchmark::ClobberMemory();
    }
    report(state, kWords);
}

BENCHMARK(NpuArithAffine);
BENCHMARK(NpuArithChannels)->Arg(4)->Arg(24);
BENCHMARK(NpuArithSum);
BENCHMARK(NpuActivFunction)->Arg(1)->Arg(2);
BENCHMARK(NpuPoolMax);
BENCHMARK(NpuPoolAverage);
BENCHMARK(NpuUnpackAndPack)->DenseRange(1, 3);

}  // namespace
