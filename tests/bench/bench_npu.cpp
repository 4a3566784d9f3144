// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "models/npu/units/convolution.h"

// Arithmetic of the NPU without its time: multiplications per second of host, on one thread. Layers
// are cut into frames as compilers do for the unit's limits; each frame brings its words, as on the
// links.

namespace {

using n6vp::models::npu::Convolution;
using n6vp::models::npu::ConvolutionConfig;
using n6vp::models::npu::Word;

std::vector<Word> random_bytes(std::size_t count) {
    std::vector<Word> words(count);
    std::uint32_t state = 1;
    for (Word& word : words) {
        state = state * 1664525u + 1013904223u;
        word = static_cast<Word>(state >> 24) - 128;
    }
    return words;
}

struct Layer {
    std::uint32_t size, depth, kernels, kernel;  ///< picture edge, channels and kernels of a frame
};

ConvolutionConfig configure(const Layer& layer) {
    ConvolutionConfig config;
    config.ctrl.nosum = true;
    config.ctrl.simd = 1;
    config.kformat = {layer.kernel, layer.kernel, layer.depth, layer.kernels};
    const std::uint32_t pad = layer.kernel / 2;
    config.sample = {pad, pad, pad, pad, 1, 1, 0};
    config.dformat = {0, 6, 1, true, true, false, 2, 1, 16, false};
    config.fformat = {layer.size * layer.depth, layer.size};
    return config;
}

/// One unit with words for its ports.
struct Bench {
    explicit Bench(const ConvolutionConfig& config)
        : unit(config),
          features(random_bytes(unit.feature_words(0))),
          kernels(random_bytes(unit.kernel_words())),
          out(unit.output_words()) {}
    void frame(const std::vector<Word>& sums) { unit.compute(1, features, kernels, sums, out); }

    Convolution unit;
    std::vector<Word> features, kernels, out;
};

void report(benchmark::State& state, std::uint64_t products) {
    state.counters["MAC/s"] =
        benchmark::Counter(static_cast<double>(products) * static_cast<double>(state.iterations()),
                           benchmark::Counter::kIsRate);
}

/// 32 channels are two units of 16 (a line holds 1024 elements), 64 kernels eight frames.
void convolution_3x3_56x56x32_64(benchmark::State& state) {
    ConvolutionConfig config = configure({56, 16, 8, 3});
    config.dformat.outshift = 0;
    config.dformat.obytes = 3;
    Bench first(config);
    config = configure({56, 16, 8, 3});
    config.ctrl.nosum = false;
    Bench second(config);
    for ([[maybe_unused]] auto _ : state) {
        for (int frame = 0; frame < 8; ++frame) {
            first.frame({});
            second.frame(first.out);
        }
    }
    report(state, 16 * first.unit.products());
}
BENCHMARK(convolution_3x3_56x56x32_64)->Unit(benchmark::kMicrosecond);

void run_frames(benchmark::State& state, const ConvolutionConfig& config, int frames) {
    Bench bench(config);
    for ([[maybe_unused]] auto _ : state)
        for (int frame = 0; frame < frames; ++frame) bench.frame({});
    report(state, static_cast<std::uint64_t>(frames) * bench.unit.products());
}

void convolution_1x1_28x28x128_128(benchmark::State& state) {
    run_frames(state, configure({28, 128, 16, 1}), 8);
}
BENCHMARK(convolution_1x1_28x28x128_128)->Unit(benchmark::kMicrosecond);

void convolution_1x1_deep_28x28x128_128(benchmark::State& state) {
    ConvolutionConfig config = configure({28, 128, 16, 1});
    config.ctrl.deepmode = true;
    config.ctrl.kseten = 3;
    config.dformat.fbytes = 3;
    run_frames(state, config, 8);
}
BENCHMARK(convolution_1x1_deep_28x28x128_128)->Unit(benchmark::kMicrosecond);

/// Eight frames of eight channels, each a dense set whose weights are zero off the diagonal. The
/// rate counts a ninth of a kernel's 72 weights: what a depthwise layer is.
void depthwise_3x3_56x56x64(benchmark::State& state) {
    Bench bench(configure({56, 8, 8, 3}));
    for (std::size_t i = 0; i < bench.kernels.size(); ++i)
        if (i % 8 != i / 72) bench.kernels[i] = 0;
    for ([[maybe_unused]] auto _ : state)
        for (int frame = 0; frame < 8; ++frame) bench.frame({});
    report(state, bench.unit.products());
}
BENCHMARK(depthwise_3x3_56x56x64)->Unit(benchmark::kMicrosecond);

}  // namespace
