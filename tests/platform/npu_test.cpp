// SPDX-License-Identifier: Apache-2.0
// Epochs on the NPU of the chip, started by a program on the core (target/npu.c): results, times,
// interrupts, who sees what when, missing cache maintenance.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "sim/exec/exec_statistics.h"
#include "sim/platform/set_up_check.h"
#include "tests/platform/scene.h"
#include "tests/platform/target/npu_calls.h"

using namespace n6vp;
using models::core::Coherence;
using models::core::Timing;
using models::npu::NpuEvent;
using n6vp::test::Scene;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr std::uint32_t kCopyBytes = 65536;
constexpr std::uint32_t kSide = 64, kDepth = 8, kKernel = 3;
constexpr std::uint32_t kElements = kSide * kSide * kDepth;
constexpr std::uint32_t kCores = 0x22222222, kOld = 0x11111111;  // as in target/npu.c

Bytes random_bytes(std::size_t count, std::uint32_t seed) {
    std::mt19937 engine(seed);
    Bytes bytes(count);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(engine());
    return bytes;
}

Bytes words(std::uint32_t word, std::size_t count) {
    Bytes bytes(4 * count);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(&bytes[4 * i], &word, sizeof word);
    return bytes;
}

void load(Scene& scene, std::uint32_t at, const Bytes& bytes) {
    REQUIRE(scene.platform().load(GuestAddr{at}, bytes));
}

Bytes memory(Scene& scene, std::uint32_t at, std::size_t count) {
    Bytes bytes(count);
    REQUIRE(scene.platform().fetch(GuestAddr{at}, bytes));
    return bytes;
}

/// 3x3 convolution with a border of one zero: 16-bit sums, shifted by 3 with half up, saturated.
std::vector<std::int16_t> convolved(const Bytes& input, const Bytes& kernels) {
    std::vector<std::int16_t> output;
    const auto inside = [](int at) { return at >= 0 && at < static_cast<int>(kSide); };
    for (int y = 0; y < static_cast<int>(kSide); ++y) {
        for (int x = 0; x < static_cast<int>(kSide); ++x) {
            for (std::size_t k = 0; k < kDepth; ++k) {
                std::int64_t sum = 0;
                const std::uint8_t* weight = &kernels[k * kKernel * kKernel * kDepth];
                for (int dy = -1; dy <= 1; ++dy) {
                    for (int dx = -1; dx <= 1; ++dx) {
                        for (std::size_t c = 0; c < kDepth; ++c, ++weight) {
                            const int row = y + dy, column = x + dx;
                            if (!inside(row) || !inside(column)) continue;
                            const std::size_t pixel = static_cast<std::size_t>(row) * kSide +
                                                      static_cast<std::size_t>(column);
                            sum += std::int64_t{input[pixel * kDepth + c]} *
                                   static_cast<std::int8_t>(*weight);
                        }
                    }
                }
                const std::int64_t rounded = (sum + 4) >> 3;
                output.push_back(
                    static_cast<std::int16_t>(std::clamp<std::int64_t>(rounded, -32768, 32767)));
            }
        }
    }
    return output;
}

Bytes bytes_of(const std::vector<std::int16_t>& words) {
    Bytes bytes(words.size() * 2);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

/// A scene with the epochs' data in memory.
struct Chip {
    explicit Chip(const sim::PlatformOptions& options = {})
        : input(random_bytes(kCopyBytes, 1)), kernels(random_bytes(576, 2)), scene("npu", options) {
        load(scene, NPU_INPUT, input);
        load(scene, NPU_KERNELS, kernels);
        scene.platform().npu().on_engine.listen(
            sim::kDriverPlace,
            [this](unsigned, const auto& stream, const models::npu::EngineCounters* counters,
                   models::Picoseconds at) {
                if (counters == nullptr) began = at;
                if (counters != nullptr && stream.dir) ended = counters->finished;
            });
    }
    Scene::Result run(std::uint32_t epoch, std::uint32_t by, std::uint32_t core = CORE_WAITS,
                      std::uint32_t bytes = kCopyBytes) {
        return scene.run({epoch, by, core, bytes});
    }
    [[nodiscard]] Bytes expected(std::uint32_t epoch) const {
        return epoch == EPOCH_COPY ? input : bytes_of(convolved(input, kernels));
    }

    /// From the last enable to the end of the output, at 1 GHz.
    [[nodiscard]] double npu_cycles() const { return static_cast<double>(ended - began) / 1000; }

    Bytes input, kernels;
    Scene scene;
    models::Picoseconds began = 0, ended = 0;  ///< last engine, output
};

struct EpochTime {
    std::uint32_t epoch;
    double npu_cycles;  ///< closed form of the published measurements, fixed costs left out
};
// Copy: a word a cycle and a frame's restart. Convolution: kernels, then a frame of
// 64 x 64 x 8 words, an extra pixel a line at full use, the first line and pixel, the last line.
constexpr EpochTime kTimes[] = {
    {EPOCH_COPY, kCopyBytes + 35},
    {EPOCH_CONVOLUTION, (576 + 30) + (kSide * kDepth + kDepth) + kElements + kSide* kDepth + 35},
};

Scene::Result check_epoch(Chip& chip, const EpochTime& epoch, std::uint32_t by) {
    Scene::Result result = chip.run(epoch.epoch, by);
    REQUIRE(result.finished);
    CHECK(result.cfsr == 0);
    REQUIRE(result.results.size() == 3);
    CHECK(result.results[0] == 1);
    CHECK(result.faults.empty());
    CHECK(result.in_use.empty());
    for (const NpuEvent& event : result.npu) {
        CAPTURE(event.unit);
        CAPTURE(event.text);
        CHECK(event.kind == NpuEvent::Kind::Assumption);
    }
    const Bytes expected = chip.expected(epoch.epoch);
    CHECK((memory(chip.scene, NPU_OUTPUT, expected.size()) == expected));
    return result;
}

/// NPU cycles from before the first enable to the interrupt's handler.
double seen_by_core(const Scene::Result& result) {
    constexpr double kCoreCyclesPerNpuCycle = 0.8;
    return result.results[1] / kCoreCyclesPerNpuCycle;
}

std::string parties(const Scene::Result& result) {
    std::string text;
    for (const models::core::CoherenceEvent& event : result.core) {
        const sim::CoherenceText told = sim::coherence_text(event);
        text += told.first + " / " + told.second + "\n";
    }
    return text;
}

void check_early_read(std::uint32_t by, const std::string& user) {
    Chip chip;
    std::vector<models::BufferInUse> seen;
    std::string claim;
    chip.scene.platform().events().buffer_in_use.listen(sim::kDriverPlace,
                                                        [&](const models::BufferInUse& use) {
                                                            seen.push_back(use);
                                                            claim = use.claim;
                                                        });
    const Scene::Result result = chip.run(EPOCH_COPY, by, CORE_READS_EARLY);
    REQUIRE(result.finished);
    REQUIRE(seen.size() == 1);
    CHECK(claim == user);
    CHECK(seen[0].address == NPU_OUTPUT);
    CHECK_FALSE(seen[0].write);
    CHECK(seen[0].initiator == number(sim::Initiator::CoreData));
    CHECK(seen[0].user == number(sim::Initiator::Npu1));
    CHECK(seen[0].being_written);
}

/// What silicon does if the core forgets something, and what it is told in `ideal`.
void check_maintenance(Coherence coherence, std::uint32_t forgotten, std::uint32_t wrong,
                       const std::string& told, std::uint32_t by = BY_CORE) {
    const std::uint32_t bytes = 64;
    Chip chip({.coherence = coherence});
    load(chip.scene, NPU_INPUT, words(kOld, bytes / 4));
    load(chip.scene, NPU_OUTPUT, words(0, bytes / 4));
    const Scene::Result result = chip.run(EPOCH_COPY, by, forgotten, bytes);
    REQUIRE(result.finished);
    REQUIRE(result.results.size() == 3);
    const bool ideal = coherence == Coherence::Ideal;
    CHECK(result.results[2] == (ideal ? kCores : wrong));
    const std::string seen = parties(result);
    INFO(seen);
    if (ideal) CHECK(seen.find(told) != std::string::npos);

    const Scene::Result twin = chip.run(EPOCH_COPY, by, CORE_MAINTAINS, bytes);
    REQUIRE(twin.results.size() == 3);
    CHECK(twin.results[2] == kCores);
    const std::string seen_of_twin = parties(twin);
    INFO(seen_of_twin);
    CHECK(twin.events() == 0);
}

}  // namespace

TEST_CASE("an epoch that the core programs: result, one interrupt, time") {
    Chip chip;
    for (const EpochTime& epoch : kTimes) {
        CAPTURE(epoch.epoch);
        const Scene::Result result = check_epoch(chip, epoch, BY_CORE);
        CHECK(std::abs(chip.npu_cycles() / epoch.npu_cycles - 1) < 0.02);
        // The core sees that, register writes of 50 ns each and its handler, both without caches.
        constexpr double kStart = 1500;
        CHECK(seen_by_core(result) > chip.npu_cycles());
        CHECK(seen_by_core(result) < chip.npu_cycles() + kStart);
    }
}

TEST_CASE("the line of the NPU was set up, though the program that used it took it back") {
    Chip chip;
    const auto lacks_line = [&chip] {
        const std::vector<sim::SetUpGap> gaps = sim::set_up_gaps(chip.scene.platform());
        return std::any_of(gaps.begin(), gaps.end(), [](const sim::SetUpGap& gap) {
            return gap.step == models::SetUpStep::Vectors;
        });
    };
    REQUIRE(chip.run(EPOCH_COPY, BY_CORE).finished);
    CHECK_FALSE(lacks_line());
    constexpr std::uint32_t kDisable1 = 0xE000E184, kLine53 = 1u << (53 - 32);
    models::core::Core& core = chip.scene.platform().core().core();
    models::core::CpuState& cpu = core.state();
    cpu.secure = cpu.privileged = true;
    REQUIRE(core.system().write_ppb(cpu, kDisable1, 4, core.cycles(), kLine53));
    CHECK_FALSE(lacks_line());
    chip.scene.platform().reset(models::core::Reset::PowerOn);
    CHECK(lacks_line());
}

TEST_CASE("functional: bursts of the NPU wait for nobody") {
    Chip chip({.timing = Timing::Functional});
    REQUIRE(chip.run(EPOCH_COPY, BY_CORE).finished);
    std::uint64_t moved = 0;
    for (const sim::Initiator port : {sim::Initiator::Npu0, sim::Initiator::Npu1}) {
        for (unsigned target = 0; target < chip.scene.platform().targets(); ++target) {
            const auto& flow = chip.scene.platform().bus().flow(number(port), target);
            CHECK(flow.waited == 0);
            moved += flow.bytes_read + flow.bytes_written;
        }
    }
    CHECK(moved == 2 * kCopyBytes);
}

TEST_CASE("an epoch that the epoch controller programs from a blob") {
    Chip chip;
    for (const EpochTime& epoch : kTimes) {
        CAPTURE(epoch.epoch);
        (void)check_epoch(chip, epoch, BY_BLOB);
        CHECK(std::abs(chip.npu_cycles() / epoch.npu_cycles - 1) < 0.02);
    }
}

TEST_CASE("precise: the same bytes") {
    Chip chip({.timing = Timing::Precise, .quantum = 100'000});
    for (const EpochTime& epoch : kTimes) {
        (void)check_epoch(chip, epoch, BY_BLOB);
        CHECK(std::abs(chip.npu_cycles() / epoch.npu_cycles - 1) < 0.02);
    }
}

TEST_CASE("functional: the same bytes") {
    Chip chip({.timing = Timing::Functional});
    for (const EpochTime& epoch : kTimes) (void)check_epoch(chip, epoch, BY_BLOB);
}

TEST_CASE("an epoch runs the same after a reset, to the last access") {
    Chip chip;
    chip.scene.platform().hash_transactions();
    const Scene::Result first = chip.run(EPOCH_CONVOLUTION, BY_BLOB);
    REQUIRE(first.finished);
    const Scene::Result second = chip.run(EPOCH_CONVOLUTION, BY_BLOB);
    CHECK(first.hash == second.hash);
    CHECK(first.results == second.results);
    CHECK(first.cycles == second.cycles);
}

TEST_CASE("an epoch runs the same after one that a limit and a reset cut off") {
    Chip chip;
    chip.scene.platform().hash_transactions();
    const Scene::Result whole = chip.run(EPOCH_COPY, BY_CORE);
    REQUIRE(whole.finished);
    constexpr models::Picoseconds kInTheMiddle = 40'000'000;
    const std::vector<std::uint32_t> job{EPOCH_COPY, BY_CORE, CORE_WAITS, kCopyBytes};
    CHECK_FALSE(chip.scene.run(job, kInTheMiddle).finished);
    const Scene::Result again = chip.run(EPOCH_COPY, BY_CORE);
    CHECK(again.results == whole.results);
    CHECK(again.cycles == whole.cycles);
    CHECK(again.hash == whole.hash);
}

TEST_CASE("a read of the output before the core's epoch has ended") {
    check_early_read(BY_CORE, "STRENG9");
}
TEST_CASE("a read of the output before the blob's epoch has ended") {
    check_early_read(BY_BLOB, "epoch label 7, STRENG9");
}

TEST_CASE("a core that polls registers sees the same end") {
    Chip chip;
    const Scene::Result result = chip.run(EPOCH_COPY, BY_CORE, CORE_POLLS);
    REQUIRE(result.finished);
    REQUIRE(result.results.size() == 3);
    CHECK(result.results[0] == 0);
    CHECK(seen_by_core(result) > chip.npu_cycles());
    CHECK(seen_by_core(result) < chip.npu_cycles() + 1500);
    CHECK((memory(chip.scene, NPU_OUTPUT, kCopyBytes) == chip.input));
}

TEST_CASE("the reset bit of RCC stops the NPU in the middle") {
    Chip chip;
    const Scene::Result result = chip.run(EPOCH_COPY, BY_CORE, CORE_RESETS_NPU);
    REQUIRE(result.finished);
    REQUIRE(result.results.size() == 3);
    CHECK(result.results[0] == 0);
    CHECK((result.results[1] >> 31) == 1);  // RUNNING
    CHECK(result.results[2] == 0);
    // The rest of the output is never written, and nobody claims it any more.
    chip.scene.platform().let_pass(100'000'000);
    Bytes output = memory(chip.scene, NPU_OUTPUT, kCopyBytes);
    CHECK_FALSE((output == chip.input));
    CHECK((Bytes(output.begin(), output.begin() + 1024) ==
           Bytes(chip.input.begin(), chip.input.begin() + 1024)));
}

TEST_CASE("a cacheable stream is served by the NPU cache") {
    using Monitor = models::CacheAxi::Monitor;
    constexpr std::uint32_t kBytes = 4096, kLine = 64;
    Chip chip;
    load(chip.scene, NPU_PSRAM, chip.input);
    const Scene::Result result = chip.run(EPOCH_CACHED_COPY, BY_CORE, CORE_WAITS, kBytes);
    REQUIRE(result.finished);
    CHECK((memory(chip.scene, NPU_OUTPUT, kBytes) ==
           Bytes(chip.input.begin(), chip.input.begin() + kBytes)));
    // A burst of eight beats is a line; the output is not marked cacheable.
    const models::CacheAxi::Statistics& cache = chip.scene.platform().npu_cache().statistics();
    CHECK(cache.of(Monitor::ReadAllocateMiss) == kBytes / kLine);
    CHECK(cache.of(Monitor::ReadHit) == 0);
    CHECK(cache.of(Monitor::WriteAllocateMiss) == 0);
    CHECK(cache.passed == kBytes / kLine);
}

TEST_CASE("registers of the NPU have names") {
    Chip chip;
    REQUIRE(chip.run(EPOCH_COPY, BY_CORE).finished);
    models::RegisterBlock& registers = chip.scene.platform().npu().registers();
    const auto read = [&registers](std::uint32_t offset) {
        return registers.read(offset, sc_core::sc_time_stamp().value());
    };
    CHECK(std::string(registers.name()) == "NPU");
    CHECK(std::string(read(0x8000).name) == "STRENG3.CTRL");
    CHECK(std::string(read(0x4008 + 4 * 12).name) == "STRSWITCH.DST12");
    CHECK(std::string(read(0x1E01C).name) == "EPOCHCTRL.LABEL");
    const models::RegisterBlock::Answer version = read(0x0F004);
    CHECK(std::string(version.name) == "CONVACC0.VERSION");
    CHECK(version.value == 0x00065117);
    CHECK(version.modelled);
    const models::RegisterBlock::Answer none = read(0x5FFC);
    CHECK(std::string(none.name).empty());
    CHECK_FALSE(none.modelled);
    CHECK(none.value == 0);
}

TEST_CASE("an access of the NPU that nothing answers") {
    Chip chip;
    const Scene::Result result = chip.run(EPOCH_NO_MEMORY, BY_CORE);
    REQUIRE_FALSE(result.faults.empty());
    CHECK(result.faults[0].kind == models::AccessFault::Kind::Unmapped);
    CHECK(result.faults[0].initiator == number(sim::Initiator::Npu0));
    CHECK(result.faults[0].address == NPU_NOTHING);
    const auto error = std::find_if(result.npu.begin(), result.npu.end(), [](const auto& event) {
        return event.kind == NpuEvent::Kind::BusError;
    });
    REQUIRE(error != result.npu.end());
    CHECK(error->unit == "STRENG3");
}

TEST_CASE("a blob with an unknown instruction is a fault with its place") {
    Chip chip;
    const Scene::Result result = chip.run(EPOCH_COPY, BY_BAD_BLOB);
    REQUIRE(result.finished);
    CHECK(result.results[0] == 1);  // the error interrupt
    REQUIRE_FALSE(result.npu.empty());
    const auto fault = std::find_if(result.npu.begin(), result.npu.end(), [](const auto& event) {
        return event.kind == NpuEvent::Kind::EpochFault;
    });
    REQUIRE(fault != result.npu.end());
    CHECK(fault->fault.blob == NPU_BLOB);
    CHECK(fault->fault.word == 0x1F);
    CHECK(fault->label == NPU_LABEL);
}

TEST_CASE("an epoch without a source is a deadlock that names who waits") {
    Chip chip;
    const Scene::Result result = chip.run(EPOCH_NO_SOURCE, BY_CORE);
    CHECK_FALSE(result.finished);
    const auto dead = std::find_if(result.npu.begin(), result.npu.end(), [](const auto& event) {
        return event.kind == NpuEvent::Kind::Deadlock;
    });
    REQUIRE(dead != result.npu.end());
    CHECK(dead->text.find("STRENG9") != std::string::npos);
}

TEST_CASE("ideal: the NPU reads what the core has not cleaned") {
    check_maintenance(Coherence::Ideal, CORE_FORGETS_CLEAN, kOld, "NPU port 0 / core's data cache");
}
TEST_CASE("real: the NPU reads what the core has not cleaned") {
    check_maintenance(Coherence::Real, CORE_FORGETS_CLEAN, kOld, "");
}
TEST_CASE("ideal: the core reads old output from its cache") {
    check_maintenance(Coherence::Ideal, CORE_FORGETS_INVALIDATE, 0,
                      "core's data cache / NPU port 1");
}
TEST_CASE("real: the core reads old output from its cache") {
    check_maintenance(Coherence::Real, CORE_FORGETS_INVALIDATE, 0, "");
}
TEST_CASE("ideal: the epoch controller fetches a blob that is still in the data cache") {
    check_maintenance(Coherence::Ideal, CORE_FORGETS_BLOB, 0,
                      "epoch controller / core's data cache", BY_BLOB);
}
TEST_CASE("real: the epoch controller fetches a blob that is still in the data cache") {
    check_maintenance(Coherence::Real, CORE_FORGETS_BLOB, 0, "", BY_BLOB);
}
