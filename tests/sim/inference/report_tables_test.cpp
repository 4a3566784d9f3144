// SPDX-License-Identifier: Apache-2.0
// Tables of `n6vp run MODEL` in text: each line is worked out from the JSON report of the same run.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/process.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

constexpr double kMsPerPs = 1e-9;

std::string fixed(double value, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

using Row = std::vector<std::string>;

/// The rows below the line that begins so, up to an empty line; the first cell is as wide as given.
std::vector<Row> table(const std::string& text, const std::string& title, std::size_t width) {
    std::istringstream in(text);
    std::string line;
    while (std::getline(in, line) && !line.starts_with(title)) {
    }
    std::vector<Row> rows;
    while (std::getline(in, line) && !line.empty()) {
        Row& row = rows.emplace_back();
        std::string first = line.substr(0, width);
        first.erase(first.find_last_not_of(' ') + 1);
        row.push_back(first);
        std::istringstream cells(line.substr(std::min(width, line.size())));
        for (std::string cell; cells >> cell;) row.push_back(cell);
    }
    return rows;
}

void check_rows(const std::vector<Row>& found, const std::vector<Row>& wanted) {
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        CHECK(found[i] == wanted[i]);
    }
}

/// Phases of one name are shown once, with their mean; those of the install with their parts.
std::vector<Row> phase_rows(const Json& document) {
    std::vector<Row> rows;
    const auto add = [&rows](const std::string& name, std::uint64_t time, std::uint64_t cycles) {
        rows.push_back(
            {name, fixed(static_cast<double>(time) * kMsPerPs, 3), std::to_string(cycles)});
    };
    const auto duration = [](const Json& phase) {
        return phase["end_ps"].get<std::uint64_t>() - phase["start_ps"].get<std::uint64_t>();
    };
    const Json& first = document["start_up"];
    if (!first.is_null()) add("start-up", duration(first), first["cycles"]);
    struct Sum {
        std::uint64_t count = 0, time = 0, cycles = 0;
    };
    std::map<std::string, Sum> sums;
    std::vector<std::string> order;
    for (const Json& phase : document["phases"]) {
        if (phase["depth"] != 1) continue;
        Sum& sum = sums[phase["name"]];
        if (sum.count++ == 0) order.push_back(phase["name"]);
        sum.time += duration(phase);
        sum.cycles += phase["cycles"].get<std::uint64_t>();
    }
    for (const std::string& name : order) {
        const Sum& sum = sums[name];
        add(sum.count > 1 ? name + ", mean of " + std::to_string(sum.count) : name,
            sum.time / sum.count, sum.cycles / sum.count);
        if (name != "install") continue;
        for (const Json& part : document["model"]["install"])
            add("  " + part["name"].get<std::string>(), part["time_ps"], part["cycles"]);
    }
    return rows;
}

std::vector<Row> memory_rows(const Json& model) {
    std::vector<Row> rows;
    for (const Json& use : model["memory"]) {
        const double used = use["used"], room = use["room"];
        rows.push_back({use["name"], use["address"], use["used"].dump(), use["room"].dump(),
                        fixed(100 * used / room, 1)});
    }
    return rows;
}

double first_ms_per_cycle(const Json& document) {
    for (const Json& phase : document["phases"]) {
        if (phase["name"] == "inference")
            return (phase["end_ps"].get<double>() - phase["start_ps"].get<double>()) * kMsPerPs /
                   phase["cycles"].get<double>();
    }
    return 0;
}

std::vector<Row> node_rows(const Json& document) {
    const double ms = first_ms_per_cycle(document);
    double all = 0, sum = 0;
    std::uint64_t parts[3] = {};
    const char* const keys[] = {"pre_cycles", "core_cycles", "post_cycles"};
    for (const Json& node : document["model"]["nodes"]) {
        for (std::size_t i = 0; i < 3; ++i) parts[i] += node[keys[i]].get<std::uint64_t>();
    }
    for (const std::uint64_t part : parts) all += static_cast<double>(part);
    std::vector<Row> rows;
    for (const Json& node : document["model"]["nodes"]) {
        std::uint64_t cycles = 0;
        for (const char* const key : keys) cycles += node[key].get<std::uint64_t>();
        sum += static_cast<double>(cycles);
        const int from = node["first_epoch"], to = node["last_epoch"];
        Row row = {
            std::string(5 - std::to_string(rows.size()).size(), ' ') + std::to_string(rows.size()),
            from < 0 ? "-" : std::to_string(from),
            node["type"],
            fixed(static_cast<double>(cycles) * ms, 3),
            fixed(100 * static_cast<double>(cycles) / all, 1),
            fixed(100 * sum / all, 1),
            std::to_string(cycles),
            "["};
        for (const char* const key : keys) row.push_back(node[key].dump());
        row.emplace_back("]");
        if (from < 0) {
            row.insert(row.end(), {"inserted", std::to_string(-from)});
        } else if (to <= from) {
            row.insert(row.end(), {"epoch", std::to_string(from)});
        } else {
            row.insert(row.end(), {"epochs", std::to_string(from), "to", std::to_string(to)});
        }
        rows.push_back(row);
    }
    rows.push_back({"total", fixed(all * ms, 3), fixed(all, 0), "[", std::to_string(parts[0]),
                    std::to_string(parts[1]), std::to_string(parts[2]), "]"});
    return rows;
}

std::vector<Row> traffic_rows(const Json& model) {
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> places;
    for (const Json& epoch : model["epochs"]) {
        for (const Json& one : epoch["traffic"]) {
            auto& [read, written] = places[one["place"]];
            read += one["bytes_read"].get<std::uint64_t>();
            written += one["bytes_written"].get<std::uint64_t>();
        }
    }
    std::vector<Row> rows;
    rows.reserve(places.size());
    for (const auto& [name, bytes] : places)
        rows.push_back({name, std::to_string(bytes.first), std::to_string(bytes.second)});
    return rows;
}

void check_inferences(const std::string& text, const Json& document) {
    const double ms = first_ms_per_cycle(document);
    std::size_t number = 0;
    double least = 0, most = 0;
    for (const Json& one : document["model"]["inferences"]) {
        const double cycles = one["cycles"];
        least = number == 0 ? cycles : std::min(least, cycles);
        most = std::max(most, cycles);
        const std::string line = "inference " + std::to_string(++number) + ": " +
                                 fixed(cycles * ms, 3) + " ms, " + fixed(cycles, 0) +
                                 " cycles, outputs " + one["output_crc"].get<std::string>() + "\n";
        CAPTURE(line);
        CHECK((text.find(line) != std::string::npos) == (number <= 10));
    }
    const std::string all = "all " + std::to_string(number) + " of them: " + fixed(least * ms, 3) +
                            " to " + fixed(most * ms, 3) + " ms\n";
    CHECK((text.find(all) != std::string::npos) == (number > 10));
    CHECK((text.find("; all outputs identical\n") != std::string::npos) == (number > 1));
    const Json& bound = document["model"]["bound"];
    REQUIRE_FALSE(bound.empty());
    const std::string first = "time of the first one: " + bound[0]["cause"].get<std::string>() +
                              " " + fixed(100 * bound[0]["share"].get<double>(), 0) + " %";
    CHECK(text.find(first) != std::string::npos);
    double shares = 0;
    for (const Json& part : bound) shares += part["share"].get<double>();
    CHECK(shares == doctest::Approx(1));
}

void check_model(const std::string& model, const std::string& mode, unsigned repeat) {
    const auto run = [&](const std::vector<std::string>& options) {
        std::vector<std::string> words = {
            N6VP_BINARY, "run", model, "--repeat", std::to_string(repeat), "--mode", mode};
        words.insert(words.end(), options.begin(), options.end());
        const Outcome outcome = run_process(words);
        INFO(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        return outcome.out;
    };
    const Json document = Json::parse(run({"--json"}));
    const std::string text = run({});
    CAPTURE(text);
    const Json& data = document["model"];
    CHECK(data["mode"] == mode);
    check_rows(table(text, "memory  ", 20), memory_rows(data));
    check_rows(table(text, "phase  ", 24), phase_rows(document));
    check_rows(table(text, " c_id  m_id", 5), node_rows(document));
    std::vector<Row> traffic = table(text, "NPU and pool ", 20);
    std::sort(traffic.begin(), traffic.end());
    check_rows(traffic, traffic_rows(data));
    check_inferences(text, document);
}

}  // namespace

TEST_CASE("tables of a run: a sample with one blob, twice and eleven times") {
    check_model(N6VP_SAMPLES "/ec_reloc/3.0/network_rel.bin", "xip", 2);
    check_model(N6VP_SAMPLES "/ec_reloc/3.0/network_rel.bin", "copy", 11);
}

TEST_CASE("tables of a run: ten inferences are shown one by one, one needs no comparison") {
    check_model(N6VP_SAMPLES "/ec_reloc/3.0/network_rel.bin", "copy", 10);
    check_model(N6VP_SAMPLES "/ec_reloc/3.0/network_rel.bin", "xip", 1);
}

TEST_CASE("tables of a run: blocks that the core starts") {
    const ScratchFolder folder;
    const Outcome made =
        run_process({N6VP_BINARY, "generate", (N6VP_NETWORKS "/kws_ref_model.tflite"), "--no-ec",
                     "-o", folder.file("model")});
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    check_model(folder.file("model/network_rel.bin"), "xip", 1);
}
