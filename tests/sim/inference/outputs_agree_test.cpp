// SPDX-License-Identifier: Apache-2.0
// One number has one definition: what text, JSON, CSV, page, Chrome trace and Perfetto trace say of
// the epochs of one run. Each is read back by a reader of the test's own.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/traces/format/protobuf_reader.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

/// What an output says of one epoch, by the name that the CSV has for it; what it does not say is
/// absent.
struct Epoch {
    std::map<std::string, double> numbers;
    std::string cause;  ///< largest
    double share = 0;   ///< of that cause
};

/// How far numbers may lie apart: digits that an output prints.
struct Digits {
    double absolute = 0, relative = 1e-9;
};

void check_equal(const std::string& name, double one, double other, Digits digits) {
    CAPTURE(name);
    CAPTURE(one);
    CAPTURE(other);
    CHECK(std::abs(one - other) <= digits.absolute + digits.relative * std::abs(other) + 1e-9);
}

std::string file_of(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> split(const std::string& line, char by) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, by);) cells.push_back(cell);
    return cells;
}

const std::vector<std::string> kNumbers = {
    "start_ps",        "end_ps",           "npu_cycles",    "macs",
    "mac_utilisation", "bytes_read",       "bytes_written", "controller_bytes",
    "npu_cache_hits",  "npu_cache_misses", "waited_cycles", "bursts_waited_ps"};

std::vector<Epoch> csv_epochs(const std::string& text) {
    std::istringstream in(text);
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> titles = split(line, ',');
    std::vector<Epoch> epochs;
    while (std::getline(in, line)) {
        const std::vector<std::string> cells = split(line, ',');
        REQUIRE(cells.size() == titles.size());
        std::map<std::string, std::string> row;
        for (std::size_t i = 0; i < cells.size(); ++i) row[titles[i]] = cells[i];
        Epoch& epoch = epochs.emplace_back();
        for (const std::string& name : kNumbers) epoch.numbers[name] = std::stod(row.at(name));
        epoch.cause = row.at("bound");
        epoch.share = std::stod(row.at("bound_share"));
    }
    return epochs;
}

Json page_data(const std::string& page) {
    const std::string from = "<script type=\"application/json\" id=\"data\">";
    const std::size_t start = page.find(from) + from.size();
    return Json::parse(page.substr(start, page.find("</script>", start) - start));
}

std::vector<Epoch> page_epochs(const Json& data) {
    const std::map<std::string, std::string> keys = {
        {"npu_cycles", "cycles"},     {"macs", "macs"},
        {"mac_utilisation", "use"},   {"bytes_read", "read"},
        {"bytes_written", "written"}, {"controller_bytes", "fetched"},
        {"npu_cache_hits", "hits"},   {"npu_cache_misses", "misses"},
        {"waited_cycles", "waited"}};
    std::vector<Epoch> epochs;
    for (const Json& row : data["epochs"]) {
        Epoch& epoch = epochs.emplace_back();
        for (const auto& [name, key] : keys) epoch.numbers[name] = row.at(key);
        for (const auto& [name, key] : {std::pair{"start_ps", "start"},
                                        {"end_ps", "end"},
                                        {"bursts_waited_ps", "bursts_waited"}})
            epoch.numbers[name] = 1000 * row.at(key).get<double>();
        REQUIRE(!row["bound"].empty());
        epoch.cause = row["bound"][0][0];
        epoch.share = row["bound"][0][1];
    }
    return epochs;
}

const std::map<std::string, std::string> kDetails = {
    {"npu_cycles", "NPU cycles"},       {"macs", "MAC"},
    {"mac_utilisation", "MAC use"},     {"bytes_read", "bytes read"},
    {"bytes_written", "bytes written"}, {"controller_bytes", "controller bytes"},
    {"npu_cache_hits", "cache hits"},   {"npu_cache_misses", "cache misses"},
    {"waited_cycles", "waited cycles"}};

std::vector<Epoch> chrome_epochs(const Json& trace) {
    std::vector<Epoch> epochs;
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] != "B" || !event["args"].contains("NPU cycles")) continue;
        const Json& details = event["args"];
        Epoch& epoch = epochs.emplace_back();
        for (const auto& [name, key] : kDetails) epoch.numbers[name] = details.at(key);
        epoch.numbers["start_ps"] = 1e6 * event["ts"].get<double>();
        epoch.numbers["bursts_waited_ps"] = 1000 * details.at("bursts waited ns").get<double>();
        epoch.cause = details.at("bound by");
        epoch.share = details.at("share");
    }
    return epochs;
}

std::vector<Epoch> perfetto_epochs(const std::string& file) {
    const PerfettoReader trace(file);
    CHECK(trace.complaints.empty());
    std::vector<Epoch> epochs;
    for (const auto& event : trace.events) {
        if (event.type != 1 || !event.details.contains("NPU cycles")) continue;
        const auto number = [&event](const std::string& name) {
            const Field& field = event.details.at(name);
            return field.real != 0 ? field.real : static_cast<double>(field.number);
        };
        Epoch& epoch = epochs.emplace_back();
        for (const auto& [name, key] : kDetails) epoch.numbers[name] = number(key);
        epoch.numbers["bursts_waited_ps"] = 1000 * number("bursts waited ns");
        epoch.cause = std::string(event.details.at("bound by").bytes);
        epoch.share = number("share");
    }
    return epochs;
}

/// The epochs that worked, of the first inference. Time is that of the NPU.
std::vector<Epoch> json_epochs(const Json& model) {
    std::vector<Epoch> epochs;
    for (const Json& row : model["epochs"]) {
        CHECK(row["npu_ps"].get<std::uint64_t>() + row["core_ps"].get<std::uint64_t>() ==
              row["end_ps"].get<std::uint64_t>() - row["start_ps"].get<std::uint64_t>());
        if (row["engines"] == 0) continue;
        Epoch& epoch = epochs.emplace_back();
        for (const std::string& name : kNumbers) epoch.numbers[name] = row.at(name);
        epoch.numbers["npu_ps"] = row.at("npu_ps");
        REQUIRE(!row["bound"].empty());
        epoch.cause = row["bound"][0]["cause"];
        epoch.share = row["bound"][0]["share"];
        double read = 0, written = 0;
        for (const Json& place : row["traffic"]) {
            read += place["bytes_read"].get<double>();
            written += place["bytes_written"].get<double>();
        }
        check_equal("bytes read of all places", read, epoch.numbers["bytes_read"], {});
        check_equal("bytes written to all places", written, epoch.numbers["bytes_written"], {});
    }
    return epochs;
}

/// The rows of the text report that have an epoch of the NPU.
std::vector<Epoch> text_epochs(const std::string& text) {
    std::vector<Epoch> epochs;
    std::istringstream in(text);
    bool table = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("epoch  c_id")) {
            table = true;
            continue;
        }
        if (line.starts_with("core %:") || line.starts_with("and ")) table = false;
        if (!table) continue;
        std::istringstream row(line);
        std::string number, block, type, duration, core;
        std::map<std::string, std::string> cells;
        row >> number >> block >> type >> duration >> core;
        for (const char* name : {"npu_cycles", "mac_utilisation", "bytes_read", "bytes_written",
                                 "npu_cache_hits", "npu_cache_misses", "waited_cycles"}) {
            row >> cells[name];
        }
        if (cells["npu_cycles"] == "-") continue;
        Epoch& epoch = epochs.emplace_back();
        for (const auto& [name, cell] : cells) epoch.numbers[name] = std::stod(cell);
        epoch.numbers["mac_utilisation"] /= 100;
        std::string bound;
        std::getline(row >> std::ws, bound);
        bound = bound.substr(0, bound.find(" %"));
        const std::size_t space = bound.rfind(' ');
        epoch.cause = bound.substr(0, space);
        epoch.share = std::stod(bound.substr(space)) / 100;
    }
    return epochs;
}

/// Every number that both have is the same, to the digits that `some` prints.
void compare(const std::string& output, const std::vector<Epoch>& some,
             const std::vector<Epoch>& all, const std::map<std::string, Digits>& digits,
             Digits share) {
    CAPTURE(output);
    REQUIRE(some.size() == all.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
        CAPTURE(i);
        CHECK(some[i].cause == all[i].cause);
        check_equal("share", some[i].share, all[i].share, share);
        std::size_t compared = 0;
        for (const auto& [name, value] : some[i].numbers) {
            const auto other = all[i].numbers.find(name);
            if (other == all[i].numbers.end()) continue;
            ++compared;
            const auto known = digits.find(name);
            check_equal(name, value, other->second,
                        known == digits.end() ? Digits{} : known->second);
        }
        CHECK(compared >= 7);
    }
}

double number_before(const std::string& text, const std::string& after) {
    const std::size_t end = text.find(after);
    REQUIRE(end != std::string::npos);
    const std::size_t start = text.find_last_of(" \n", end - 1) + 1;
    return std::stod(text.substr(start, end - start));
}

std::string fact(const Json& page, const char* label, const char* part) {
    for (const Json& one : page["facts"]) {
        if (one["label"] == label) return one[part];
    }
    FAIL("no fact of that name");
    return {};
}

void check_facts(const std::string& text, const Json& model, const Json& page) {
    const double rate = model["inferences_per_second"];
    check_equal("rate", number_before(text, " inferences a second"), rate, {0.005});
    check_equal("rate", number_before(fact(page, "First inference", "note"), " inferences/s"), rate,
                {0.005});
    double macs = 0;
    for (const Json& row : model["epochs"]) macs += row["macs"].get<double>();
    std::string shown = fact(page, "Multiply-accumulates", "value");
    std::erase_if(shown, [](char c) { return c < '0' || c > '9'; });
    CHECK(std::stod(shown) == macs);
}

/// The epochs of the first inference, of all epochs of the run.
std::vector<Epoch> of_first(const std::vector<Epoch>& all, const Json& model) {
    const double from = model["epochs"].front()["start_ps"], to = model["epochs"].back()["end_ps"];
    std::vector<Epoch> first;
    for (const Epoch& epoch : all) {
        const double start = epoch.numbers.at("start_ps");
        if (start >= from && start < to) first.push_back(epoch);
    }
    return first;
}

void check_model(const std::string& model) {
    const ScratchFolder folder;
    const auto run = [&](const std::vector<std::string>& options) {
        std::vector<std::string> words = {N6VP_BINARY, "run",      model, "--input",
                                          "random",    "--repeat", "2"};
        words.insert(words.end(), options.begin(), options.end());
        const Outcome outcome = run_process(words);
        INFO(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        return outcome.out;
    };
    const Json document = Json::parse(
        run({"--json", "--trace", folder.file("t.csv"), "--report", folder.file("p.html")}));
    const std::string text = run({"--trace", folder.file("t.json")});
    static_cast<void>(run({"--trace", folder.file("t.pftrace")}));
    const Json page = page_data(file_of(folder.file("p.html")));
    const std::vector<Epoch> csv = csv_epochs(file_of(folder.file("t.csv")));
    REQUIRE(!csv.empty());

    // Page and traces have all epochs of the run.
    const Digits ten_thousandth{0.5e-4 + 1e-9}, thousandth{0.5e-3 + 1e-9};
    const std::map<std::string, Digits> csv_digits = {{"npu_cycles", thousandth},
                                                      {"waited_cycles", thousandth},
                                                      {"mac_utilisation", ten_thousandth}};
    const std::map<std::string, Digits> six = {{"npu_cycles", {1e-3, 1e-5}},
                                               {"waited_cycles", {1e-3, 1e-5}},
                                               {"mac_utilisation", {1e-4, 1e-5}},
                                               {"bursts_waited_ps", {1, 1e-5}}};
    compare("page", page_epochs(page), csv, csv_digits, ten_thousandth);
    compare("Chrome trace", chrome_epochs(Json::parse(file_of(folder.file("t.json")))), csv, six,
            {1e-4});
    compare("Perfetto trace", perfetto_epochs(file_of(folder.file("t.pftrace"))), csv, csv_digits,
            ten_thousandth);

    // Text and JSON have those of the first inference, with the time of the core around them.
    const std::vector<Epoch> json = json_epochs(document["model"]);
    REQUIRE(!json.empty());
    std::vector<Epoch> first = of_first(csv, document["model"]);
    for (Epoch& epoch : first) {
        epoch.numbers["npu_ps"] = epoch.numbers["end_ps"] - epoch.numbers["start_ps"];
        epoch.numbers.erase("start_ps");
        epoch.numbers.erase("end_ps");
    }
    compare("JSON", json, first, csv_digits, ten_thousandth);
    compare("text", text_epochs(text), json,
            {{"npu_cycles", {0.5}}, {"waited_cycles", {0.5}}, {"mac_utilisation", thousandth}},
            {0.005 + 1e-9});
    check_facts(text, document["model"], page);
}

std::string generated(const ScratchFolder& folder, const std::string& network,
                      const std::vector<std::string>& options = {}) {
    std::vector<std::string> words = {N6VP_BINARY, "generate", N6VP_NETWORKS "/" + network, "-o",
                                      folder.file("model")};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = run_process(words);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return folder.file("model/network_rel.bin");
}

}  // namespace

TEST_CASE("all outputs say the same of each epoch: a sample with one blob") {
    check_model(N6VP_SAMPLES "/ec_reloc/3.0/network_rel.bin");
}

TEST_CASE("all outputs say the same of each epoch: keyword spotting") {
    const ScratchFolder folder;
    check_model(generated(folder, "kws_ref_model.tflite"));
}

TEST_CASE("all outputs say the same of each epoch: epochs that the core starts") {
    const ScratchFolder folder;
    check_model(generated(folder, "kws_ref_model.tflite", {"--no-ec"}));
}

TEST_CASE("all outputs say the same of each epoch: anomaly detection") {
    const ScratchFolder folder;
    check_model(generated(folder, "ad01_int8.tflite"));
}

TEST_CASE("all outputs say the same of each epoch: image classification") {
    const ScratchFolder folder;
    check_model(generated(folder, "pretrainedResnet_quant.tflite", {"--weights", "npuRAM6"}));
}

TEST_CASE("all outputs say the same of each epoch: visual wake words") {
    const ScratchFolder folder;
    check_model(generated(folder, "vww_96_int8.tflite"));
}
