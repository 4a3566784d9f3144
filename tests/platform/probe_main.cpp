// SPDX-License-Identifier: Apache-2.0
// One run of a program on the platform with the traffic that belongs to it, for tests that compare
// runs: probe PROGRAM TIMING QUANTUM_NS JOB... Each burst of the masters is made at its own time.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/platform/scene.h"
#include "tests/platform/target/npu_calls.h"

using namespace n6vp;
using models::Picoseconds;
using test::Scene;
using test::TrafficPlan;

namespace {

constexpr Picoseconds kMicrosecond = 1'000'000;
constexpr std::uint32_t kBuffer = 0x34200000, kMarks = 16;
/// Loads from here on are the same for the core, alone.
constexpr std::uint32_t kWithoutTraffic = 16;

/// The other master fills the buffer every microsecond, or reads it, while its epoch has a claim.
std::vector<std::size_t> plan_visibility(Scene& scene, bool fills, bool cached) {
    // Switching the caches on takes some 85 us.
    const Picoseconds start = (cached ? 119 : 19) * kMicrosecond;
    std::vector<std::size_t> reads;
    for (std::uint32_t i = 1; i <= kMarks; ++i) {
        const Picoseconds at = start + i * kMicrosecond;
        if (fills) {
            std::vector<std::uint8_t> bytes(32);
            std::memcpy(bytes.data(), &i, sizeof i);
            scene.npu(0).write_at(at, kBuffer, std::move(bytes));
        } else {
            reads.push_back(scene.npu(0).read_at(at, kBuffer, 32));
        }
    }
    sim::Platform& platform = scene.platform();
    const int target = platform.target_of("AXISRAM3");
    platform.elaborate();
    (void)platform.bus().claim(number(sim::Initiator::Npu0), static_cast<unsigned>(target), 0, 32,
                               fills, "epoch 7");
    return reads;
}

TrafficPlan plan(std::uint32_t base, TrafficPlan::Mix mix, Picoseconds issue) {
    TrafficPlan plan;
    plan.base = base;
    plan.span = 0x8000;
    plan.mix = mix;
    plan.bursts = 1'000'000'000;
    plan.issue = issue;
    plan.keep_records = false;
    return plan;
}

/// As much traffic as an epoch of moderate load: a burst of 64 bytes every 40 to 400 ns.
void start_traffic(Scene& scene, std::uint32_t which) {
    using Mix = TrafficPlan::Mix;
    if (which >= kWithoutTraffic) return;
    switch (which) {
        case 0:
            scene.npu(0).begin(plan(0x34240000, Mix::Alternating, 40'000));
            break;
        case 1:
            scene.npu(0).begin(plan(0x71000000, Mix::Reads, 400'000));
            break;
        case 2:
            scene.npu(0).begin(plan(0x34220000, Mix::Reads, 60'000));
            scene.npu(1).begin(plan(0x34230000, Mix::Writes, 60'000));
            break;
        case 3:
            scene.npu(0).begin(plan(0x34100000, Mix::Alternating, 50'000));
            break;
        default:
            scene.npu(0).begin(plan(0x342E0000, Mix::Alternating, 40'000));
            scene.npu(1).begin(plan(0x34100000, Mix::Reads, 100'000));
            break;
    }
}

/// What epochs of target/npu.c read.
void load_epoch_data(Scene& scene) {
    constexpr std::uint32_t kInput = 65536, kKernels = 576;
    for (const auto& [start, count] :
         {std::pair{std::uint32_t{NPU_INPUT}, kInput}, {std::uint32_t{NPU_KERNELS}, kKernels}}) {
        std::vector<std::uint8_t> bytes(count);
        for (std::uint32_t i = 0; i < count; ++i)
            bytes[i] = static_cast<std::uint8_t>(i * 37 + i / 256);
        if (!scene.platform().load(GuestAddr{start}, std::move(bytes))) std::abort();
    }
}

void print(const Scene::Result& result) {
    std::cout << "finished " << result.finished << "\ntime " << result.time << "\ncycles "
              << result.cycles << "\ninstructions " << result.instructions << "\nhash "
              << result.hash << "\nin_use " << result.in_use.size() << "\nevents "
              << result.events() << "\nresults";
    for (const std::uint32_t value : result.results) std::cout << ' ' << value;
    std::cout << '\n';
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) return 2;
    const std::string program = arguments[1], timing = arguments[2];
    sim::PlatformOptions options;
    options.timing = timing == "precise"      ? models::core::Timing::Precise
                     : timing == "functional" ? models::core::Timing::Functional
                                              : models::core::Timing::Approx;
    options.quantum = std::strtoull(arguments[3], nullptr, 10) * 1000;
    std::vector<std::uint32_t> job;
    for (int i = 4; i < count; ++i)
        job.push_back(static_cast<std::uint32_t>(std::strtoul(arguments[i], nullptr, 0)));

    Scene scene(program, options);
    scene.platform().hash_transactions();
    std::vector<std::size_t> reads;
    scene.on_start = [&scene](std::uint32_t which) { start_traffic(scene, which); };
    if (program == "visibility") reads = plan_visibility(scene, job.at(0) == 0, job.at(1) != 0);
    if (program == "npu") load_epoch_data(scene);
    const std::clock_t begin = std::clock();
    const Scene::Result result = scene.run(job);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    print(result);
    std::cout << "reads";
    for (const std::size_t number : reads) {
        std::uint32_t value = 0;
        std::memcpy(&value, scene.npu(0).job(number).bytes.data(), sizeof value);
        std::cout << ' ' << value;
    }
    std::cout << "\nhost_seconds " << seconds << '\n';
    return result.finished ? 0 : 1;
}
