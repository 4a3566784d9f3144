// SPDX-License-Identifier: Apache-2.0
// What was measured on silicon, or follows from documents, against the same traffic on the model.
// The table is printed: fact, source, model, error. The source says whether a parameter was fitted
// to the row, or the row is predicted from documents alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>

#include "tests/shape/chip.h"
#include "tests/shape/expected.h"

using namespace n6vp;
using namespace n6vp::test;
using models::Picoseconds;

namespace {

constexpr double kNpuCyclePs = 1000;     ///< 1 GHz
constexpr double kFixedNpuCycles = 945;  ///< of an epoch; not of the memory

class Table {
  public:
    Table() {
        std::printf("\n%-58s %-34s %10s %10s %8s\n", "fact", "source", "published", "model",
                    "error");
    }
    /// `tolerance` is relative.
    void row(const std::string& fact, const char* source, double published, double model,
             double tolerance) {
        const double error = model / published - 1;
        std::printf("%-58s %-34s %10.3f %10.3f %+7.1f%%\n", fact.c_str(), source, published, model,
                    100 * error);
        CAPTURE(fact);
        CHECK(model == doctest::Approx(published).epsilon(tolerance));
    }
    /// A range instead of a value; the error is the distance to it.
    void range(const std::string& fact, const char* source, double low, double high, double model) {
        const double error = model < low ? model / low - 1 : model > high ? model / high - 1 : 0;
        std::printf("%-58s %-34s %4.2f..%4.2f %10.3f %+7.1f%%\n", fact.c_str(), source, low, high,
                    model, 100 * error);
        CAPTURE(fact);
        CHECK(model >= low);
        CHECK(model <= high);
    }
};

[[nodiscard]] const memmap::Region& region(const char* name) {
    return *memmap::region_named(name);
}

/// Elements of one byte, one per beat, 56 bytes apart, as many on their way as the memory takes.
[[nodiscard]] TrafficPlan elements(const memmap::Region& where, std::uint64_t count, bool write) {
    TrafficPlan plan;
    plan.pattern = TrafficPlan::Pattern::Strided;
    plan.mix = write ? TrafficPlan::Mix::Writes : TrafficPlan::Mix::Reads;
    plan.base = base_of(where) + (write ? 0 : 64 * 1024);
    plan.span = 64 * 1024;
    plan.element_bytes = 1;
    plan.stride = 56;
    plan.bursts = count;
    plan.outstanding = 32;
    plan.port_beat = 1111;
    plan.keep_records = false;
    return plan;
}

[[nodiscard]] TrafficPlan weights(const memmap::Region& where, std::uint32_t bytes) {
    TrafficPlan plan;
    plan.base = base_of(where);
    plan.span = bytes;
    plan.beats = 8;
    plan.bursts = bytes / 64;
    plan.outstanding = 8;
    plan.port_beat = 1111;
    plan.keep_records = false;
    return plan;
}

[[nodiscard]] double npu_cycles(const TrafficResult& result) {
    return static_cast<double>(result.end - result.begin) / kNpuCyclePs;
}

/// NPU cycles for reads at one port beside writes at the other.
double both_ways(Chip& chip, const TrafficPlan& reads, const TrafficPlan& writes) {
    chip.settle();
    chip.master(Master::Npu0).begin(reads);
    chip.master(Master::Npu1).begin(writes);
    chip.run();
    const TrafficResult& read = chip.master(Master::Npu0).result();
    const TrafficResult& written = chip.master(Master::Npu1).result();
    return static_cast<double>(std::max(read.end, written.end) -
                               std::min(read.begin, written.begin)) /
           kNpuCyclePs;
}

}  // namespace

TEST_CASE("facts: one element per beat in the NPU's RAM") {
    Chip chip;
    Table table;
    for (const char* const name : {"AXISRAM3", "AXISRAM4", "AXISRAM5", "AXISRAM6"}) {
        for (const Master master : {Master::Npu0, Master::Npu1}) {
            chip.settle();
            const std::string where = std::string(", ") + name + ", " + name_of(master);
            const double writes =
                npu_cycles(chip.run(master, elements(region(name), 20'000, true)));
            table.range("writes, NPU cycles per beat" + where, "eco8 1, 4, 5, 59, 62: fitted", 1.15,
                        1.22, writes / 20'000);
            const double reads =
                npu_cycles(chip.run(master, elements(region(name), 20'000, false)));
            table.row("reads, NPU cycles per beat" + where, "eco8 64, 21, 168: fitted", 1.41,
                      reads / 20'000, 0.02);
        }
    }
    struct Epoch {
        const char* name;
        std::uint64_t beats;
        double cycles;  ///< without the fixed part
        bool write;
    };
    for (const Epoch& epoch :
         {Epoch{"eco8 epoch 4", 19'920, 22'990, true}, Epoch{"eco8 epoch 5", 6'561, 7'644, true},
          Epoch{"eco8 epoch 59", 5'760, 6'855, true}, Epoch{"eco8 epoch 64", 7'712, 10'856, false},
          Epoch{"eco8 epoch 21", 971, 1'379, false},
          Epoch{"eco8 epoch 168", 1'290, 1'820, false}}) {
        chip.settle();
        const TrafficPlan plan = elements(region("AXISRAM3"), epoch.beats, epoch.write);
        table.row(std::string(epoch.name) + (epoch.write ? ", writes" : ", reads") +
                      ", NPU cycles without 945",
                  "profiler log: fitted", epoch.cycles, npu_cycles(chip.run(Master::Npu0, plan)),
                  0.05);
    }
    // Both ports write to one bank: the bank is the limit, not the port.
    const TrafficPlan most = elements(region("AXISRAM3"), 13'571, true);
    const TrafficPlan others = elements(region("AXISRAM3"), 6'400, true);
    table.row("eco8 epoch 1, writes of both ports, NPU cycles without 945", "profiler log: fitted",
              23'180, both_ways(chip, most, others), 0.05);
    // 8,320 writes of 14,171 accesses in 10,180 cycles.
    const double overlapped = both_ways(chip, elements(region("AXISRAM3"), 14'171 - 8'320, false),
                                        elements(region("AXISRAM3"), 8'320, true));
    table.row("eco8 epoch 62, reads beside writes, NPU cycles per access", "profiler log: fitted",
              0.72, overlapped / 14'171, 0.05);
    CHECK(overlapped / 14'171 < 1000.0 / 900);  // faster than one access per NIC cycle
}

TEST_CASE("facts: streams from the NOR flash") {
    Chip chip;
    Table table;
    table.row("NPU, 1,280,000 B of weights, MB/s", "MobileNetV2 epoch 58: predicted", 396.8,
              chip.run(Master::Npu0, weights(region("XSPI2"), 1'280'000)).mb_per_s(), 0.02);
    for (const auto& [bytes, npu_cycles_published, epoch] :
         {std::tuple{153'600u, 387'700.0, "MobileNetV2 46, 49: predicted"},
          std::tuple{307'200u, 771'823.0, "MobileNetV2 52: predicted"},
          std::tuple{92'160u, 233'120.0, "MobileNetV2 43: predicted"}}) {
        chip.settle();
        const double model =
            npu_cycles(chip.run(Master::Npu0, weights(region("XSPI2"), bytes))) + kFixedNpuCycles;
        table.row("NPU, " + std::to_string(bytes) + " B and the epoch's fixed part, NPU cycles",
                  epoch, npu_cycles_published, model, 0.02);
    }
    chip.settle();
    table.range("NPU, 4,608 B from cold and the fixed part, NPU cycles",
                "yolov5n epoch 186: predicted", 0, 13'300,
                npu_cycles(chip.run(Master::Npu0, weights(region("XSPI2"), 4'608))) + 950);
}

TEST_CASE("facts: streams from the NOR flash at 50 MHz") {
    Clocks slow;
    slow.cpu = 600;
    slow.npu = slow.nic = 800;
    slow.xspi2 = 50;
    Chip chip(slow);
    Table table;
    table.row("NPU, 1,280,000 B of weights, XSPI2 at 50 MHz, MB/s",
              "Nucleo: clock inferred from it", 99.1,
              chip.run(Master::Npu0, weights(region("XSPI2"), 1'280'000)).mb_per_s(), 0.02);
}

TEST_CASE("facts: PSRAM") {
    Chip chip;
    Table table;
    const memmap::Region& psram = region("XSPI1");
    table.row("linear reads, MB/s", "by documents, not measured", 670,
              chip.run(Master::Npu0, weights(psram, 1'024'000)).mb_per_s(), 0.10);
    for (const auto& [beats, published] : {std::pair{8u, 310.0}, std::pair{4u, 190.0}}) {
        chip.settle();
        TrafficPlan random = weights(psram, 1'024 * 1'024);
        random.pattern = TrafficPlan::Pattern::Random;
        random.beats = beats;
        random.bursts = 4'096;
        random.outstanding = 1;
        table.row("random reads of " + std::to_string(beats * 8) + " B, one at a time, MB/s",
                  "by documents, not measured", published,
                  chip.run(Master::Npu0, random).mb_per_s(), 0.05);
    }
    chip.settle();
    TrafficPlan strided = weights(psram, 1'024 * 1'024);
    strided.pattern = TrafficPlan::Pattern::Strided;
    strided.element_bytes = 8;
    strided.stride = 256;
    strided.bursts = 4'096;
    strided.outstanding = 1;
    table.row("strided reads of 8 B, one at a time, MB/s", "spilled activations, assumed", 57,
              chip.run(Master::Npu0, strided).mb_per_s(), 0.05);
}

TEST_CASE("facts: line fills of the core") {
    Chip chip;
    Table table;
    TrafficPlan fill;
    fill.base = base_of(region("AXISRAM1"));
    fill.span = 4096;
    fill.beats = 4;
    const TrafficResult& result = chip.run(Master::CoreData, fill);
    const double cpu_cycle_ns = 1.25;
    table.range("first beat from AXISRAM1, CPU cycles", "assumed, bounded by copy rates", 16, 20,
                result.first_ns() / cpu_cycle_ns);
    table.range("line of 32 B from AXISRAM1, CPU cycles", "assumed, bounded by copy rates", 22, 28,
                result.last_ns() / cpu_cycle_ns);
}
