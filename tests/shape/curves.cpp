// SPDX-License-Identifier: Apache-2.0
// Draws latency and bandwidth of the fabric: against burst length, stride and offered load, for
// every memory, as CSV and SVG.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/shape/chart.h"
#include "tests/shape/chip.h"

using namespace n6vp;
using namespace n6vp::test;
using models::Picoseconds;

namespace {

/// One measured point.
struct Point {
    std::string curve, masters, region;
    double x = 0;
    const char* unit = "";
    double first_ns = 0, last_ns = 0, waited_ns = 0, mb_per_s = 0;
};

constexpr const char* kRegions[] = {"FLEXMEM",  "AXISRAM1", "AXISRAM2", "AXISRAM3",
                                    "AXISRAM4", "AXISRAM5", "AXISRAM6", "CACHEAXIRAM",
                                    "VENCRAM",  "XSPI2",    "XSPI1"};
constexpr Master kMeasured[] = {Master::CoreData, Master::Npu0};
constexpr std::uint64_t kBursts = 2000;

/// A master's port moves a beat per cycle of its clock: the core's with the NOC, the NPU's with the
/// NIC.
[[nodiscard]] Picoseconds port_beat(Master master) {
    return master == Master::CoreData ? 2500 : 1111;
}

[[nodiscard]] TrafficPlan plan_for(Master master, const memmap::Region& region) {
    TrafficPlan plan;
    plan.base = base_of(region);
    plan.span = 64 * 1024;
    plan.bursts = kBursts;
    plan.port_beat = port_beat(master);
    plan.keep_records = false;
    return plan;
}

[[nodiscard]] Point point_of(const char* curve, Master master, const memmap::Region& region,
                             double x, const char* unit, const TrafficResult& result) {
    return {curve,
            name_of(master),
            region.name,
            x,
            unit,
            result.first_ns(),
            result.last_ns(),
            result.waited_ns(),
            result.mb_per_s()};
}

/// One burst at a time shows latency, 16 on their way show bandwidth.
void against_burst_length(Chip& chip, std::vector<Point>& points) {
    for (const Master master : kMeasured) {
        for (const char* const name : kRegions) {
            const memmap::Region& region = *memmap::region_named(name);
            for (const unsigned outstanding : {1u, 16u}) {
                for (const std::uint32_t beats : {1u, 2u, 4u, 8u}) {
                    TrafficPlan plan = plan_for(master, region);
                    plan.beats = beats;
                    plan.outstanding = outstanding;
                    chip.settle();
                    points.push_back(point_of(outstanding == 1 ? "burst_alone" : "burst_many",
                                              master, region, beats, "beats of 8 B",
                                              chip.run(master, plan)));
                }
            }
        }
    }
}

void against_stride(Chip& chip, std::vector<Point>& points) {
    for (const Master master : kMeasured) {
        for (const char* const name : kRegions) {
            const memmap::Region& region = *memmap::region_named(name);
            for (std::uint32_t stride = 8; stride <= 4096; stride *= 2) {
                TrafficPlan plan = plan_for(master, region);
                plan.pattern = TrafficPlan::Pattern::Strided;
                plan.stride = stride;
                plan.outstanding = 4;
                chip.settle();
                points.push_back(
                    point_of("stride", master, region, stride, "B", chip.run(master, plan)));
            }
        }
    }
}

constexpr Master kTogether[] = {Master::Npu0, Master::Npu1, Master::CoreData};

/// Means over all bursts; the rate until the first master has ended, while all of them ask.
[[nodiscard]] Point together(Chip& chip, const char* region, double load) {
    Point point{"load", "NPU port 0 + NPU port 1 + core data", region, load, "MB/s"};
    Picoseconds begin = ~Picoseconds{0}, end = ~Picoseconds{0};
    for (const Master master : kTogether) {
        const TrafficResult& result = chip.master(master).result();
        point.first_ns += result.first_ns() / std::size(kTogether);
        point.last_ns += result.last_ns() / std::size(kTogether);
        point.waited_ns += result.waited_ns() / std::size(kTogether);
        begin = std::min(begin, result.begin);
        end = std::min(end, result.end);
    }
    double bytes = 0;
    for (const Master master : kTogether) {
        for (const BurstRecord& burst : chip.master(master).result().records)
            bytes += burst.last <= end ? burst.bytes : 0;
    }
    point.mb_per_s = bytes * 1e6 / static_cast<double>(end - begin);
    return point;
}

/// Both NPU ports and the core at one memory, with bursts of 64 B at random times.
void against_load(Chip& chip, std::vector<Point>& points) {
    for (const char* const name : kRegions) {
        const memmap::Region& region = *memmap::region_named(name);
        for (const unsigned load : {100u, 200u, 400u, 800u, 1600u, 3200u, 6400u, 12800u}) {
            chip.settle();
            for (const Master master : kTogether) {
                TrafficPlan plan = plan_for(master, region);
                plan.base += static_cast<std::uint32_t>(master) * 16 * 1024;
                plan.span = 16 * 1024;
                plan.outstanding = 4;
                plan.keep_records = true;
                // Each asks for 64 B per gap; a load in MB/s is one in B per us.
                plan.gap = Picoseconds{64'000'000} * std::size(kTogether) / load;
                plan.seed = static_cast<std::uint64_t>(master) + 1;
                chip.master(master).begin(plan);
            }
            chip.run();
            points.push_back(together(chip, name, load));
        }
    }
}

void write_csv(std::ostream& out, const std::vector<Point>& points) {
    out << "curve,masters,region,x,x_unit,first_beat_ns,last_beat_ns,waited_ns,mb_per_s\n";
    for (const Point& point : points) {
        char numbers[160];
        std::snprintf(numbers, sizeof numbers, "%.10g,%s,%.3f,%.3f,%.3f,%.3f", point.x, point.unit,
                      point.first_ns, point.last_ns, point.waited_ns, point.mb_per_s);
        out << point.curve << ',' << point.masters << ',' << point.region << ',' << numbers << '\n';
    }
}

struct Picture {
    const char* curve;
    const char* file;
    const char* title;
    const char* x_label;
    bool latency;
};
constexpr Picture kPictures[] = {
    {"burst_alone", "latency_burst", "latency to the last beat, one burst at a time",
     "beats of 8 B per burst", true},
    {"burst_many", "bandwidth_burst", "linear bandwidth, 16 bursts on their way",
     "beats of 8 B per burst", false},
    {"stride", "bandwidth_stride", "one element of 8 B per beat, 4 on their way", "stride, B",
     false},
    {"stride", "latency_stride", "latency of one element of 8 B, 4 on their way", "stride, B",
     true},
    {"load", "latency_load", "latency of 64 B, three masters at random times", "offered load, MB/s",
     true},
    {"load", "bandwidth_load", "bandwidth, three masters at random times", "offered load, MB/s",
     false},
};

/// Memories that measure the same share a line.
void add(Chart& chart, Series series) {
    if (series.points.empty()) return;
    for (Series& other : chart.series) {
        if (other.points != series.points) continue;
        other.names.push_back(series.names.front());
        return;
    }
    chart.series.push_back(std::move(series));
}

/// One chart per picture and group of masters.
[[nodiscard]] bool write_pictures(const std::filesystem::path& folder,
                                  const std::vector<Point>& points) {
    for (const Picture& picture : kPictures) {
        for (const char* const masters :
             {"core data", "NPU port 0", "NPU port 0 + NPU port 1 + core data"}) {
            Chart chart{std::string(masters) + ": " + picture.title,
                        picture.x_label,
                        picture.latency ? "ns" : "MB/s",
                        true,
                        true,
                        {}};
            for (const char* const region : kRegions) {
                Series series{{region}, {}};
                for (const Point& point : points) {
                    if (point.curve != picture.curve || point.masters != masters) continue;
                    if (point.region != region) continue;
                    series.points.emplace_back(point.x,
                                               picture.latency ? point.last_ns : point.mb_per_s);
                }
                add(chart, std::move(series));
            }
            if (chart.series.empty()) continue;
            std::string name = picture.file;
            if (masters == std::string("core data")) name += "_core";
            if (masters == std::string("NPU port 0")) name += "_npu";
            std::ofstream out(folder / (name + ".svg"));
            draw(out, chart);
            if (!out) return false;
        }
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2 || argv[1][0] == '-') {
        std::fprintf(stderr, "usage: curves FOLDER\nwrites curves.csv and SVG charts there\n");
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    Chip chip;
    std::vector<Point> points;
    against_burst_length(chip, points);
    against_stride(chip, points);
    against_load(chip, points);
    std::ofstream csv(folder / "curves.csv");
    write_csv(csv, points);
    csv.close();
    if (!csv || !write_pictures(folder, points)) {
        std::fprintf(stderr, "cannot write to %s\n", folder.c_str());
        return 2;
    }
    std::printf("%zu points: %s\n", points.size(), (folder / "curves.csv").c_str());
    return 0;
}
