// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <xnnpack.h>

#include <cstdint>
#include <limits>
#include <vector>

// The yardstick of bench_npu.cpp: XNNPACK's int8 convolution of the same layers, whole, one thread.

namespace {

struct Layer {
    std::size_t size;             ///< picture edge
    std::size_t inputs, outputs;  ///< channels of a group
    std::uint32_t kernel, groups;
};

class Operator {
  public:
    explicit Operator(const Layer& layer)
        : input_(layer.size * layer.size * layer.inputs * layer.groups + XNN_EXTRA_BYTES, 3),
          output_(layer.size * layer.size * layer.outputs * layer.groups) {
        const std::size_t taps = std::size_t{layer.kernel} * layer.kernel;
        const std::vector<std::int8_t> kernel(layer.groups * layer.outputs * taps * layer.inputs,
                                              1);
        const std::vector<std::int32_t> bias(layer.groups * layer.outputs, 0);
        const std::uint32_t pad = layer.kernel / 2;
        using Limits = std::numeric_limits<std::int8_t>;
        ok_ = xnn_initialize(nullptr) == xnn_status_success &&
              xnn_create_convolution2d_nhwc_qs8(
                  pad, pad, pad, pad, layer.kernel, layer.kernel, 1, 1, 1, 1, layer.groups,
                  layer.inputs, layer.outputs, layer.inputs * layer.groups,
                  layer.outputs * layer.groups, 0, 1.0f, 1.0f, kernel.data(), bias.data(), 0, 64.0f,
                  Limits::min(), Limits::max(), 0, &operator_) == xnn_status_success &&
              xnn_setup_convolution2d_nhwc_qs8(operator_, 1, layer.size, layer.size, input_.data(),
                                               output_.data(), nullptr) == xnn_status_success;
    }
    Operator(const Operator&) = delete;
    Operator& operator=(const Operator&) = delete;
    ~Operator() { xnn_delete_operator(operator_); }

    [[nodiscard]] bool run() {
        return ok_ && xnn_run_operator(operator_, nullptr) == xnn_status_success;
    }

  private:
    std::vector<std::int8_t> input_, output_;
    xnn_operator_t operator_ = nullptr;
    bool ok_ = false;
};

void run(benchmark::State& state, const Layer& layer) {
    Operator convolution(layer);
    for ([[maybe_unused]] auto _ : state) {
        if (convolution.run()) continue;
        state.SkipWithError("XNNPACK refuses this layer or this host");
        break;
    }
    const double products = static_cast<double>(layer.size * layer.size * layer.kernel *
                                                layer.kernel * layer.inputs * layer.outputs) *
                            layer.groups;
    state.counters["MAC/s"] = benchmark::Counter(products * static_cast<double>(state.iterations()),
                                                 benchmark::Counter::kIsRate);
}

void xnnpack_3x3_56x56x32_64(benchmark::State& state) {
    run(state, {56, 32, 64, 3, 1});
}
BENCHMARK(xnnpack_3x3_56x56x32_64)->Unit(benchmark::kMicrosecond);

void xnnpack_1x1_28x28x128_128(benchmark::State& state) {
    run(state, {28, 128, 128, 1, 1});
}
BENCHMARK(xnnpack_1x1_28x28x128_128)->Unit(benchmark::kMicrosecond);

void xnnpack_depthwise_3x3_56x56x64(benchmark::State& state) {
    run(state, {56, 1, 1, 3, 64});
}
BENCHMARK(xnnpack_depthwise_3x3_56x56x64)->Unit(benchmark::kMicrosecond);

}  // namespace
