// SPDX-License-Identifier: Apache-2.0
// Cycles of rebuilt epochs against every published measurement of one: a table, a CSV file, and for
// each kind of epoch the median error and the signs. Fails if a run does, or if the median over
// validated rows is beyond what the model has to reach.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace {

using n6vp::test::Outcome;
using n6vp::test::run_process;
using Cells = std::vector<std::string>;

constexpr double kWorstMedian = 0.10;  ///< of the absolute errors of validated rows

/// Reads a file of comma-separated values with quotes; lines that start with # are comments.
std::vector<Cells> read_csv(const std::filesystem::path& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    std::vector<Cells> rows;
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line.front() == '#') continue;
        Cells cells(1);
        bool quoted = false;
        for (const char c : line) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.emplace_back();
            } else if (c != '\r') {
                cells.back() += c;
            }
        }
        rows.push_back(std::move(cells));
    }
    return rows;
}

/// A measured row, in the cycles of the NPU.
struct Row {
    std::string data, config, epoch, type, text;
    double measured = 0;  ///< 0: not given
    double cpu = 800, npu = 1000;
    std::string kind, status, note;
    double model = 0;

    [[nodiscard]] double error() const { return model / measured - 1; }
};

class Table {
  public:
    explicit Table(std::vector<Cells> rows) : rows_(std::move(rows)) {}
    [[nodiscard]] std::size_t size() const { return rows_.size() - 1; }
    [[nodiscard]] std::string at(std::size_t row, const std::string& column) const {
        const auto found = std::find(rows_[0].begin(), rows_[0].end(), column);
        const auto index = static_cast<std::size_t>(found - rows_[0].begin());
        return index < rows_[row + 1].size() ? rows_[row + 1][index] : "";
    }
    [[nodiscard]] double number(std::size_t row, const std::string& column) const {
        const std::string text = at(row, column);
        return text.empty() ? 0 : std::strtod(text.c_str(), nullptr);
    }

  private:
    std::vector<Cells> rows_;
};

std::vector<Row> read_rows(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".csv") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<Row> rows;
    for (const std::filesystem::path& path : files) {
        const Table table(read_csv(path));
        const bool counters = path.filename() == "npu_stream_counters.csv";
        for (std::size_t i = 0; i < table.size(); ++i) {
            Row row;
            row.data = path.filename().string();
            row.config = table.at(i, counters ? "model" : "config");
            row.epoch = table.at(i, "epoch");
            if (counters) {
                row.type = "HW";
                row.text = table.at(i, "ops_list");
                row.measured = table.number(i, "npu_core_cycles");
            } else {
                row.type = table.at(i, "type");
                row.text = table.at(i, "description");
                row.cpu = table.number(i, "cpu_mhz");
                row.npu = table.number(i, "npu_mhz");
                row.measured = table.number(i, "core_cycles") * row.npu / row.cpu;
            }
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

/// Returns why nothing stands beside a measurement.
/// Epochs of MobileNetV2, which are layers in the order of the network.
std::string reason_of_layer(const std::string& epoch) {
    const unsigned long number = std::stoul(epoch.substr(epoch.find('_') + 1));
    constexpr std::array<unsigned long, 13> kStreamed{35, 36, 38, 39, 41, 42, 44,
                                                      45, 47, 48, 50, 51, 53};
    if (number < 4) return "how the layer takes the picture's channels is not published";
    if (number > 53) return "lengths of the words of this copy are not published";
    if (std::ranges::find(kStreamed, number) != kStreamed.end()) {
        return "more than 512 channels: where coefficients lie and the order in which they stream "
               "are not published";
    }
    return "1x1 over a chain of two to four units: how channels were shared out is not published";
}

std::string reason(const Row& row) {
    if (row.type == "SW") return "runs on the processor";
    if (row.type == "HYBRID") return "the processor's part of an epoch";
    if (row.type == "HW-extra") return "addresses and lengths of the copy are not published";
    if (row.type == "EC" || row.epoch.find("->") != std::string::npos) {
        return "whole network: needs its compiled blob";
    }
    if (row.data == "mobilenet_v2_224.csv") return reason_of_layer(row.epoch);
    if (row.data == "yolov5n_224_partial.csv" && row.text.find("CONV") == std::string::npos) {
        return "which layers the epoch holds is not published";
    }
    if (row.data == "conv2d_32f_7x7.csv") return "how 7x7 was cut into epochs is not published";
    if (row.epoch.find("extra") != std::string::npos) {
        return "sum of copies whose addresses are not published";
    }
    if (row.config == "yolov5n_224" || row.data == "yolov5n_224_partial.csv") {
        return "four convolutions share 4,608 bytes of kernels: their shapes and chain are not "
               "published";
    }
    if (row.text.find("conv") != std::string::npos) {
        return "registers of its convolutions are not published";
    }
    return "lengths and frames of its streams are not published";
}

/// Cycles of all epochs of a file, by name.
std::map<std::string, double> run_file(const std::string& file, const Row& row) {
    std::vector<std::string> words{N6VP_BINARY, "epoch",
                                   std::string(N6VP_EPOCHS) + "/" + file + ".toml", "--json"};
    const auto set = [&](const char* clock, double mhz) {
        words.insert(words.end(), {"--set", fmt::format("clock.{}={}", clock, mhz)});
    };
    set("cpu", row.cpu);
    set("npu", row.npu);
    // Set-ups with a slower processor run without overdrive, which slows the interconnect as well.
    if (row.npu < 1000) set("nic", 800);
    const Outcome outcome = run_process(words);
    if (outcome.exit_code != 0) throw std::runtime_error(file + ": " + outcome.err);
    std::map<std::string, double> cycles;
    const nlohmann::json document = nlohmann::json::parse(outcome.out);
    for (const auto& epoch : document["epochs"]) {
        cycles[epoch["name"]] = epoch["total_cycles"];
    }
    return cycles;
}

void rebuild(std::vector<Row>& rows, const Table& map) {
    std::map<std::string, std::map<std::string, double>> runs;
    std::vector<bool> used(map.size());
    for (Row& row : rows) {
        row.status = "not rebuildable";
        row.note = reason(row);
        for (std::size_t i = 0; i < map.size(); ++i) {
            const std::string config = map.at(i, "config");
            if (map.at(i, "data") != row.data || map.at(i, "epoch") != row.epoch ||
                (!config.empty() && config != row.config)) {
                continue;
            }
            used[i] = true;
            const std::string file = map.at(i, "file");
            const std::string key = fmt::format("{} {} {}", file, row.cpu, row.npu);
            if (!runs.contains(key)) runs[key] = run_file(file, row);
            row.model = runs[key].at(map.at(i, "name"));
            row.kind = map.at(i, "kind");
            row.status = map.at(i, "status");
            row.note = map.at(i, "note");
        }
    }
    const auto idle = std::find(used.begin(), used.end(), false);
    if (idle != used.end()) {
        const auto line = static_cast<std::size_t>(idle - used.begin());
        throw std::runtime_error("rows.csv names no measured row: " + map.at(line, "data") + " " +
                                 map.at(line, "epoch"));
    }
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void write_rows(const std::vector<Row>& rows) {
    std::cout << fmt::format("{:<30}{:<26}{:<18}{:>12}{:>12}{:>8}  {}\n", "data", "set-up", "epoch",
                             "measured", "model", "error", "status");
    std::map<std::string, std::size_t> left_out;
    for (const Row& row : rows) {
        if (row.model == 0) {
            ++left_out[row.data + ": " + row.note];
            continue;
        }
        std::cout << fmt::format("{:<30}{:<26}{:<18}{:>12.0f}{:>12.0f}{:>+7.1f}%  {}{}{}\n",
                                 row.data, row.config.substr(0, 25), row.epoch, row.measured,
                                 row.model, 100 * row.error(), row.status,
                                 row.note.empty() ? "" : ": ", row.note);
    }
    std::cout << "\nnot rebuildable\n";
    for (const auto& [text, count] : left_out) std::cout << fmt::format("{:>5}  {}\n", count, text);
}

/// Returns the median of the absolute errors of validated rows.
double write_summary(const std::vector<Row>& rows) {
    std::map<std::string, std::vector<double>> errors;
    for (const Row& row : rows) {
        if (row.model == 0) continue;
        for (const std::string& group : {row.status + ", " + row.kind, row.status + ", all"}) {
            errors[group].push_back(row.error());
        }
    }
    std::cout << fmt::format("\n{:<34}{:>5}{:>18}{:>10}{:>8}{:>8}\n", "group", "rows",
                             "median |error|", "median", "above", "below");
    for (const auto& [group, values] : errors) {
        std::vector<double> absolute(values.size());
        std::transform(values.begin(), values.end(), absolute.begin(),
                       [](double value) { return std::abs(value); });
        const auto above =
            std::count_if(values.begin(), values.end(), [](double value) { return value > 0; });
        std::cout << fmt::format("{:<34}{:>5}{:>17.2f}%{:>+9.2f}%{:>8}{:>8}\n", group,
                                 values.size(), 100 * median(absolute), 100 * median(values), above,
                                 static_cast<std::ptrdiff_t>(values.size()) - above);
    }
    std::vector<double> validated = errors["validated, all"];
    for (double& value : validated) value = std::abs(value);
    return median(validated);
}

void write_file(const std::string& path, const std::vector<Row>& rows) {
    std::ofstream file(path);
    file << "data,config,epoch,kind,status,measured_npu_cycles,model_npu_cycles,error,note\n";
    for (const Row& row : rows) {
        file << fmt::format("{},\"{}\",\"{}\",{},{},{:.0f},", row.data, row.config, row.epoch,
                            row.kind, row.status, row.measured);
        if (row.model != 0) {
            file << fmt::format("{:.0f},{:.4f}", row.model, row.error());
        } else {
            file << ',';
        }
        file << fmt::format(",\"{}\"\n", row.note);
    }
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::filesystem::path here(N6VP_ACCURACY);
        std::vector<Row> rows = read_rows(here / "data");
        rebuild(rows, Table(read_csv(here / "rows.csv")));
        write_rows(rows);
        const double worst = write_summary(rows);
        if (argc > 1) write_file(argv[1], rows);
        return worst <= kWorstMedian ? 0 : 1;
    } catch (const std::exception& problem) {
        std::cerr << problem.what() << '\n';
        return 2;
    }
}
