// SPDX-License-Identifier: Apache-2.0
// Rows of an inference: epochs of the NPU by the blocks of the firmware, and what reports write of
// epochs, phases and tensors.
#include <doctest/doctest.h>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/inference/model_run_report.h"
#include "sim/inference/npu_epochs.h"

using namespace n6vp;
using namespace n6vp::sim;
using namespace n6vp::sim::model_run;

namespace {

// AXISRAM3 and the external flash, as memories are numbered without a model.
constexpr std::uint32_t kRam = 0x34200000, kFlash = 0x70000000;

LoggedEpoch logged(std::optional<std::uint32_t> label, models::Picoseconds start,
                   models::Picoseconds end, std::uint64_t engines) {
    LoggedEpoch epoch;
    epoch.label = label;
    epoch.start = epoch.begun = start;
    epoch.end = epoch.done = end;
    epoch.hz = 1e9;
    epoch.engines = engines;
    if (engines != 0) {
        epoch.moved = {{kRam, false, 100}, {kRam + 8, true, 20}, {kFlash, false, 3}};
        epoch.flows.list = {{Initiator::Npu0, 1, 103, 20, 5}};
        epoch.last_path[0] = end - start;
    }
    return epoch;
}

std::vector<NpuEpoch> rows_of(const std::vector<BlockTime>& blocks,
                              const std::vector<LoggedEpoch>& log) {
    return epochs_of(blocks, log, ModelMemory(), PlatformParameters{});
}

Phase phase(const char* name, unsigned depth, models::Picoseconds start, models::Picoseconds end,
            std::uint64_t cycles) {
    Phase result;
    result.name = name;
    result.depth = depth;
    result.start = start;
    result.end = end;
    result.ended = true;
    result.counted.cycles = cycles;
    return result;
}

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

}  // namespace

TEST_CASE("rows of an inference: labels of a blob part its block, what comes before is its fetch") {
    // Before the first block, of another inference: not counted.
    const std::vector<LoggedEpoch> log = {logged({}, 50, 90, 1),   logged({}, 100, 150, 2),
                                          logged(5, 200, 300, 1),  logged(6, 300, 400, 0),
                                          logged(7, 400, 480, 3),  logged({}, 500, 600, 1),
                                          logged({}, 650, 700, 1), logged({}, 1000, 1100, 1)};
    const std::vector<NpuEpoch> rows = rows_of({{100, 500}, {500, 900}, {900, 1000}}, log);
    REQUIRE(rows.size() == 6);
    struct Row {
        std::optional<std::uint32_t> label;
        std::size_t block;
        models::Picoseconds start, end, npu;
        std::uint64_t engines;
    };
    // The work before label 5 is a row of its own; a label without work lasts as long as its row.
    const Row wanted[] = {{{}, 0, 100, 200, 50, 2},  {5, 0, 200, 300, 100, 1},
                          {6, 0, 300, 400, 100, 0},  {7, 0, 400, 500, 80, 3},
                          {{}, 1, 500, 900, 150, 2}, {{}, 2, 900, 1000, 0, 0}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(i);
        CHECK(rows[i].label == wanted[i].label);
        CHECK(rows[i].block == wanted[i].block);
        CHECK(rows[i].start == wanted[i].start);
        CHECK(rows[i].end == wanted[i].end);
        CHECK(rows[i].npu_time() == wanted[i].npu);
        CHECK(rows[i].core_time() == wanted[i].end - wanted[i].start - wanted[i].npu);
        CHECK(rows[i].engines == wanted[i].engines);
        CHECK(rows[i].worked() == (wanted[i].engines != 0));
    }
    // Two logged epochs in the second block: bytes of both, by place.
    const ModelMemory memory;
    const auto& traffic = rows[4].traffic;
    REQUIRE(traffic.size() == 2);
    CHECK(traffic.at(memory.place_of(kRam)).read == 200);
    CHECK(traffic.at(memory.place_of(kRam)).written == 40);
    CHECK(traffic.at(memory.place_of(kFlash)).read == 6);
    CHECK(traffic.at(memory.place_of(kFlash)).written == 0);
    CHECK(rows[4].summary.engines().read == 206);
    CHECK(rows[2].traffic.empty());
}

TEST_CASE("rows of an inference: an epoch that begins with a block belongs to it") {
    const std::vector<LoggedEpoch> log = {logged({}, 99, 100, 1), logged({}, 100, 110, 1),
                                          logged({}, 199, 200, 1), logged({}, 200, 210, 1)};
    const std::vector<NpuEpoch> rows = rows_of({{100, 200}, {200, 300}}, log);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].engines == 2);
    CHECK(rows[1].engines == 1);
    CHECK(rows_of({}, log).empty());
    CHECK(rows_of({{0, 50}}, {}).size() == 1);
    // Of the time that engines worked, no more than the row has.
    NpuEpoch epoch;
    epoch.start = 100;
    epoch.end = 150;
    epoch.engines = 1;
    epoch.summary.time = 60;
    CHECK(epoch.npu_time() == 50);
    CHECK(epoch.core_time() == 0);
}

TEST_CASE("rows of an inference: numbers are those of labels, else of blocks") {
    std::vector<NpuEpoch> epochs(4);
    for (NpuEpoch& epoch : epochs) epoch.end = 1000;
    epochs[0].label = 12;
    epochs[0].engines = 1;
    epochs[0].summary.time = 250;
    epochs[0].summary.spent[0] = 250;
    epochs[1].block = 1;
    epochs[2].block = 2;
    epochs[3].label = 13;
    epochs[3].end = 0;
    const std::vector<Block> blocks = {{4, 6, "EC", 1, 2, 3}, {7, 7, "hybrid", 4, 5, 6}};
    const std::vector<EpochRow> rows = epoch_rows(epochs, blocks);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].epoch == &epochs[0]);
    CHECK(rows[0].block == &blocks[0]);
    CHECK(rows[0].number == 12);
    CHECK(rows[0].core_share == 0.75);
    REQUIRE_FALSE(rows[0].bound.empty());
    CHECK(std::string(rows[0].bound[0].cause) == "compute");
    CHECK(rows[1].block == &blocks[1]);
    CHECK(rows[1].number == 7);
    CHECK(rows[1].core_share == 1);
    REQUIRE(rows[1].bound.size() == 1);
    CHECK(std::string(rows[1].bound[0].cause) == "core");
    CHECK(rows[1].bound[0].share == 1);
    CHECK(rows[2].block == nullptr);  // the firmware has not reported it
    CHECK(rows[2].number == 0);
    CHECK(rows[3].number == 13);
    CHECK(rows[3].bound.empty());  // without time
    epochs[3].end = 10;
    CHECK(std::string(epoch_rows(epochs, blocks)[3].bound.at(0).cause) == "configuration");
}

TEST_CASE("rows of an inference: the table has a line for each, with dashes without work") {
    std::vector<NpuEpoch> epochs(2);
    epochs[0].label = 12;
    epochs[0].start = 1'000'000'000;
    epochs[0].end = 3'500'000'000;  // 2.5 ms
    epochs[0].engines = 2;
    EpochSummary& summary = epochs[0].summary;
    summary.time = 2'000'000'000;
    summary.spent[1] = 1'200'000'000;
    summary.spent[6] = 760'000'000;
    summary.npu_cycles = 1234.4;
    summary.waited_cycles = 77.6;
    summary.macs = 500;
    summary.mac_slots = 2000;
    summary.flows.list = {{Initiator::Npu0, 1, 4000, 300, 9},
                          {Initiator::EpochController, 1, 60, 0, 0}};
    summary.flows.read_hits = 10;
    summary.flows.write_hits = 2;
    summary.flows.read_misses = 30;
    summary.flows.write_misses = 4;
    epochs[1].end = 1'000'000'000;
    epochs[1].block = 3;
    const std::vector<Block> blocks = {{4, 6, "EC", 1, 2, 3}};
    std::ostringstream out;
    write_epochs(out, "Epochs", epoch_rows(epochs, blocks));
    const std::vector<std::string> lines = lines_of(out.str());
    REQUIRE(lines.size() >= 5);
    CHECK(lines[1] == "Epochs, one by one");
    CHECK(words_of(lines[3]) == words_of("12 0 EC 2.500 20.0 1234 25.0 4000 300 12 34 78 "
                                         "link 60 %, flash 38 %"));
    CHECK(words_of(lines[4]) == words_of("- 3 ? 1.000 100.0 - - - - - - - core 100 %"));
    // Of many rows, 200 are shown.
    std::ostringstream long_table;
    write_epochs(long_table, "Epochs", epoch_rows(std::vector<NpuEpoch>(201, epochs[1]), {}));
    CHECK(long_table.str().find("and 1 more rows") != std::string::npos);
    std::ostringstream full_table;
    write_epochs(full_table, "Epochs", epoch_rows(std::vector<NpuEpoch>(200, epochs[1]), {}));
    CHECK(full_table.str().find("more rows") == std::string::npos);

    const Json rows = epochs_json(epoch_rows(epochs, blocks), ModelMemory());
    REQUIRE(rows.size() == 2);
    const Json& row = rows[0];
    CHECK(row["epoch"] == 12);
    CHECK(row["block"] == 0);
    CHECK(row["type"] == "EC");
    CHECK(row["start_ps"] == 1'000'000'000);
    CHECK(row["end_ps"] == 3'500'000'000);
    CHECK(row["npu_ps"] == 2'000'000'000);
    CHECK(row["core_ps"] == 500'000'000);
    CHECK(row["engines"] == 2);
    CHECK(row["macs"] == 500);
    CHECK(row["mac_utilisation"] == 0.25);
    CHECK(row["bytes_read"] == 4000);
    CHECK(row["bytes_written"] == 300);
    CHECK(row["controller_bytes"] == 60);
    CHECK(row["npu_cache_hits"] == 12);
    CHECK(row["npu_cache_misses"] == 34);
    CHECK(row["bursts_waited_ps"] == 9);
    CHECK(row["bound"][0]["cause"] == "link");
    CHECK(row["bound"][0]["share"] == 0.6);
    CHECK(rows[1]["type"] == "");
    CHECK(rows[1]["epoch"] == 0);
}

TEST_CASE("parts of a phase: one level below it first, then deeper ones, each name once") {
    const std::vector<Phase> phases = {
        phase("run", 0, 0, 1000, 9),        phase("install", 1, 100, 500, 400),
        phase("copy", 2, 100, 150, 10),     phase("pool", 3, 110, 120, 3),
        phase("relocate", 2, 150, 300, 20), phase("copy", 2, 300, 310, 5),
        phase("pool", 3, 301, 305, 4),      phase("inference", 1, 500, 900, 50),
        phase("block 0", 2, 500, 600, 7)};
    const std::vector<PhasePart> parts = parts_of(phases, 1);
    REQUIRE(parts.size() == 3);
    CHECK(parts[0].name == "copy");
    CHECK(parts[0].time == 60);
    CHECK(parts[0].cycles == 15);
    CHECK(parts[1].name == "relocate");
    CHECK(parts[1].time == 150);
    CHECK(parts[1].cycles == 20);
    CHECK(parts[2].name == "pool");
    CHECK(parts[2].time == 14);
    CHECK(parts[2].cycles == 7);
    REQUIRE(parts_of(phases, 7).size() == 1);
    CHECK(parts_of(phases, 7)[0].name == "block 0");
    CHECK(parts_of(phases, 8).empty());
}

TEST_CASE("milliseconds of a core cycle are those of the first inference that counted cycles") {
    std::uint64_t cycles = 0;
    PhaseRecorder recorder({}, [&cycles](models::Picoseconds) {
        PhaseCounters counters;
        counters.cycles = cycles;
        return counters;
    });
    CHECK(ms_per_cycle(recorder) == 0);
    const auto add = [&](const char* name, models::Picoseconds start, models::Picoseconds end,
                         std::uint64_t more) {
        CHECK(recorder.begin(1, name, start) == PhaseRecorder::Error::None);
        cycles += more;
        CHECK(recorder.end(1, end) == PhaseRecorder::Error::None);
    };
    add("install", 100, 200, 50);
    CHECK(ms_per_cycle(recorder) == 0);
    add("inference", 200, 300, 0);
    CHECK(ms_per_cycle(recorder) == 0);
    add("inference", 1000, 1'000'001'000, 400'000);  // 1 ms
    CHECK(ms_per_cycle(recorder) == doctest::Approx(1.0 / 400'000));
    add("inference", 2'000'000'000, 2'000'000'100, 1);
    CHECK(ms_per_cycle(recorder) == doctest::Approx(1.0 / 400'000));
}

TEST_CASE("tensors of a report: type, quantisation, file, and what they were compared with") {
    TensorFile plain, full;
    plain.tensor.number = 2;
    plain.tensor.name = "b\033";
    plain.tensor.bytes = 12;
    plain.crc = 0x1234;
    full.tensor.name = "a";
    full.tensor.bytes = 6;
    full.tensor.type = "i2";
    full.tensor.shape = {1, 3};
    full.tensor.quantised = true;
    full.tensor.scale = 0.5F;
    full.tensor.zero = -7;
    full.crc = 0xABCDEF01;
    full.file = "a.npy";
    full.compared = Comparison{"want.npy", 3, 2, 0, 0, 0, 0, 0.25};
    const auto text_of = [](const std::vector<TensorFile>& tensors) {
        std::ostringstream out;
        write_tensors(out, "output", tensors, "not kept");
        return out.str();
    };
    CHECK(text_of({plain, full}) ==
          "output 2 b\\x1b: 12 bytes, CRC 0x00001234, not kept\n"
          "output 0 a: 6 bytes, 1x3 of i2, scale 0.5, zero point -7, CRC 0xabcdef01, a.npy\n"
          "  as in want.npy within the tolerance: 2 of 3 numbers differ, by up to 0.25\n");
    full.compared->unequal = 0;
    CHECK(text_of({full}).ends_with("a.npy\n  as in want.npy\n"));
    const auto differences_of = [](const std::vector<TensorFile>& tensors) {
        std::ostringstream out;
        write_differences(out, tensors);
        return out.str();
    };
    CHECK(differences_of({plain, full}).empty());
    full.compared = Comparison{"want.npy", 3, 2, 1, 2, 1.5, -1, 2.5};
    CHECK(text_of({full}).ends_with("a.npy\n"));
    CHECK(differences_of({plain, full}) ==
          "n6vp: output 0 a differs from want.npy: number 2 is 1.5, not -1; 1 of 3 exceed the "
          "tolerance, by up to 2.5\n");
    const Json rows = tensors_json({plain, full});
    CHECK(rows[0] == Json::parse(R"({"number": 2, "name": "b\u001b", "bytes": 12, "type": "",
        "shape": [], "crc": "0x00001234", "file": ""})"));
    CHECK(rows[1] == Json::parse(R"({"number": 0, "name": "a", "bytes": 6, "type": "i2",
        "shape": [1, 3], "crc": "0xabcdef01", "file": "a.npy", "scale": 0.5, "zero_point": -7,
        "expected": {"file": "want.npy", "holds": false, "numbers": 3, "unequal": 2, "too_far": 1,
                     "first_too_far": 2, "largest": 2.5}})"));
}

TEST_CASE("a run that ended in its inference reported CRC 0 of its output") {
    TensorFile output;
    output.tensor.name = "a";
    output.tensor.bytes = 6;
    std::ostringstream out;
    write_tensors(out, "output", {output}, "not kept (-o DIR keeps it)");
    CHECK(out.str() == "output 0 a: 6 bytes, not computed\n");
    CHECK(tensors_json({output})[0]["crc"].is_null());
}
