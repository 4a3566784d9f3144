// SPDX-License-Identifier: Apache-2.0
// How fast the loader judges and installs on the host. Not a test: numbers depend on the machine.
#include <benchmark/benchmark.h>

#include <stdexcept>
#include <vector>

#include "loader/crc32.h"
#include "loader/ec_check.h"
#include "loader/install.h"
#include "tests/bench/bench_models.h"
#include "tests/loader/epoch_controller/ec_assembler.h"

namespace {

using namespace n6vp;
using namespace n6vp::loader;
using bench::GuestModel;

constexpr std::uint32_t kMegabyte = 1u << 20;

FindingSink ignore() {
    return {nullptr, [](void*, const Diagnosis&) { return true; }};
}

void set_bytes(benchmark::State& state, std::uint64_t bytes_each) {
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes_each) * state.iterations());
}

/// All findings of a file without a request, parameter CRC included.
void check_file_of(benchmark::State& state, const test::ImageSpec& spec) {
    GuestModel model(spec, format::kModeXip);
    Container container(model.port, model.request.file, model.request.file_bytes);
    Diagnosis why;
    if (container.open(why) != Status::Ok) throw std::runtime_error("the model does not open");
    while (state.KeepRunning()) {
        if (check_file(container, GuestAddr{0}, kUnknownBytes, ignore()) != Status::Ok) {
            state.SkipWithError("the model is refused");
            break;
        }
    }
    set_bytes(state, model.request.file_bytes);
}
void BM_CheckFile4MBParameters(benchmark::State& state) {
    check_file_of(state, bench::parameter_model());
}
void BM_CheckFile4MBRelocations(benchmark::State& state) {
    check_file_of(state, bench::relocation_model());
}

void install_of(benchmark::State& state, const test::ImageSpec& spec, Policy policy,
                std::uint64_t bytes) {
    GuestModel model(spec, format::kModeXip);
    model.request.policy = policy;
    while (state.KeepRunning()) {
        InstallResult result;
        Diagnosis why;
        if (install(model.port, model.request, result, why) != Status::Ok) {
            state.SkipWithError("the install is refused");
            break;
        }
    }
    set_bytes(state, bytes);
}
/// The whole install of a model with 4 MB of COPY pools, counted by the bytes of the pools.
void BM_InstallCopyPoolsStrict(benchmark::State& state) {
    install_of(state, bench::copy_model(), Policy::Strict, std::uint64_t{4} * kMegabyte);
}
void BM_InstallCopyPoolsCompat(benchmark::State& state) {
    install_of(state, bench::copy_model(), Policy::Compat, std::uint64_t{4} * kMegabyte);
}
void BM_InstallRelocations(benchmark::State& state) {
    install_of(state, bench::relocation_model(), Policy::Strict, 0);
    state.SetItemsProcessed(state.iterations() * bench::kRelocations);
}

void BM_Crc32(benchmark::State& state) {
    const std::vector<std::uint8_t> bytes = test::pattern(kMegabyte, 1);
    while (state.KeepRunning()) benchmark::DoNotOptimize(crc32(0, bytes.data(), kMegabyte));
    set_bytes(state, kMegabyte);
}

/// An epoch-controller container of 100,000 words with two relocated operands in every twelve.
struct EpochModel {
    test::EcImage image;
    ec::Container container;

    EpochModel() {
        test::EcAssembler code;
        test::Words indices;
        code.label(1).gate(0, true);
        while (code.size() < 100'000) {
            indices.push_back(code.size() + 1);
            code.burst_inc(5, 0x08, {0x1000, 0x1EA});
            indices.push_back(code.size() + 2);
            code.burst_inc(5, 0x34, {0x40, 0x13FF}).burst(5, 0x30, {6, 7}).poll(5, 0x00, 31);
        }
        code.gate(0, false).irq();
        image = test::build_ec(test::kEcMagic0050, code.words(), {{"pool", indices}});
        Diagnosis why;
        const auto size = static_cast<std::uint32_t>(image.bytes.size());
        if (ec::open({image.bytes.data(), size}, container, why) != Status::Ok) {
            throw std::runtime_error("the container does not open");
        }
    }
};

void BM_EpochBlobCheck(benchmark::State& state) {
    const EpochModel model;
    while (state.KeepRunning()) {
        ec::StreamFacts facts;
        if (ec::check_container(model.container, facts, ignore()) != Status::Ok) {
            state.SkipWithError("the stream is refused");
            break;
        }
    }
    state.SetItemsProcessed(state.iterations() * model.container.blob_words);
}

void BM_EpochBlobRelocate(benchmark::State& state) {
    const EpochModel model;
    std::vector<std::uint64_t> ram((model.container.blob_words + 1) / 2);
    auto* blob = reinterpret_cast<std::uint32_t*>(ram.data());
    Diagnosis why;
    std::uint32_t previous = 0;
    std::uint32_t base = 0x34000000;
    if (ec::copy_blob(model.container, blob, model.container.blob_words, why) != Status::Ok) {
        throw std::runtime_error("the blob cannot be copied");
    }
    while (state.KeepRunning()) {
        base += 64;
        if (ec::relocate(model.container, blob, 0, base, previous, why) != Status::Ok) {
            state.SkipWithError("the relocation is refused");
            break;
        }
    }
    ec::Symbol symbol;
    if (ec::symbol(model.container, 0, symbol))
        state.SetItemsProcessed(state.iterations() * symbol.count);
}

BENCHMARK(BM_CheckFile4MBParameters)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_CheckFile4MBRelocations)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_InstallCopyPoolsStrict)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_InstallCopyPoolsCompat)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_InstallRelocations)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Crc32)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_EpochBlobCheck)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_EpochBlobRelocate)->Unit(benchmark::kMillisecond);

}  // namespace
