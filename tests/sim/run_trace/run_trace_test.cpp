// SPDX-License-Identifier: Apache-2.0
// `n6vp run --trace`: what a program's use of the NPU looks like in every format.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/support/workdir.h"
#include "tests/traces/format/protobuf_reader.h"

using namespace n6vp::test;

namespace {

constexpr std::uint32_t kNpu = 0x580E0000, kSwitch = kNpu + 0x4000, kEngine0 = kNpu + 0x5000,
                        kEngine1 = kNpu + 0x6000;
constexpr std::uint32_t kFrom = 0x34210000, kTo = 0x34200000, kBytes = 4096;
constexpr std::uint32_t kBlobMagic = 0xCA057A7A;
constexpr std::uint32_t kInput = 0x00080105, kOutput = 0x0008010D;  ///< CTRL with EN, bytes, RAW

Thumb& engine(Thumb& program, std::uint32_t base, std::uint32_t control, std::uint32_t address) {
    program.write(base + 8, address).write(base + 0xC, kBytes).write(base + 0x24, 0x24);
    return program.write(base + 0x30, 6).write(base + 0x34, 1).write(base, control);
}

/// Clocks of all units, and the link from engine 1 to engine 0.
Thumb awake() {
    Thumb program;
    program.write(kNpu, 1).write(kNpu + 8, 0xFFFFFFFF).write(kNpu + 0xC, 0xFFFFFFFF);
    return program.write(kNpu + 0x10, 0x07FFFFFF).write(kSwitch, 1).write(kSwitch + 8, 3);
}

/// Phase 3 with one epoch, in which engine 1 reads 4096 bytes and engine 0 writes them.
Thumb copying(std::uint32_t epochs = 1) {
    Thumb program = awake();
    program.write(kMailbox + 0x14, 3);
    for (std::uint32_t i = 0; i < epochs; ++i) {
        program.write(kEngine0, 2).write(kEngine1, 2);
        engine(program, kEngine0, kOutput, kTo);
        engine(program, kEngine1, kInput, kFrom);
        // As long as the output engine runs: CTRL is negative.
        program.set(1, kEngine0);
        const std::size_t again = program.code().size();
        program.load(0, 1).raw({0x0FC0}).repeat(again);  // LSRS r0, r0, #31
    }
    return program.write(kMailbox + 0x18, 3).write(kExit, 0).raw({0xE7FE});
}

constexpr std::uint32_t kElements = 32 * 1024;

/// Copies 32 lines of 1024 bytes that lie 8 bytes apart: each takes a beat of its own.
Thumb copying_apart() {
    constexpr std::uint32_t kLines = 32, kPixels = kElements / kLines, kApart = 8;
    constexpr std::uint32_t kRaster = ~0x100u;  // CTRL without RAW
    Thumb program = awake();
    for (const auto& [base, control, address] :
         {std::tuple{kEngine0, kOutput, kTo}, {kEngine1, kInput, kTo + 0x30000}}) {
        program.write(base + 0x10, kApart << 16 | 1).write(base + 0x14, kApart * kPixels);
        program.write(base + 8, address).write(base + 0xC, kLines << 16 | kPixels);
        program.write(base + 0x24, 0x24).write(base + 0x30, 6).write(base + 0x34, 1);
        program.write(base, control & kRaster);
    }
    program.set(1, kEngine0);
    const std::size_t again = program.code().size();
    program.load(0, 1).raw({0x0FC0}).repeat(again);  // LSRS r0, r0, #31
    return program.write(kExit, 0).raw({0xE7FE});
}

/// An epoch of the same copy in a blob.
void add_epoch(EcAssembler& blob, std::uint32_t label) {
    const auto engine = [&blob](std::uint32_t ip, std::uint32_t control, std::uint32_t address) {
        blob.write(ip, 0, 2).write(ip, 8, address).write(ip, 0xC, kBytes).write(ip, 0x24, 0x24);
        blob.write(ip, 0x30, 6).write(ip, 0x34, 1).write(ip, 0, control);
    };
    blob.label(label);
    engine(5, kOutput, kTo);
    engine(6, kInput, kFrom);
    blob.poll(5, 0, 31);  // CTRL.RUNNING of the output engine
}

/// Epochs 5 and 7 in a blob, 6 without work; afterwards 20 us pass.
Thumb running_blob() {
    constexpr std::uint32_t kController = kNpu + 0x1E000, kBlob = 0x34100000;
    EcAssembler blob;
    add_epoch(blob, 5);
    blob.label(6);
    add_epoch(blob, 7);
    blob.irq();
    Words words{kBlobMagic, blob.size()};
    words.insert(words.end(), blob.words().begin(), blob.words().end());
    Thumb program = awake();
    for (std::size_t i = 0; i < words.size(); ++i) {
        program.write(kBlob + static_cast<std::uint32_t>(4 * i), words[i]);
    }
    program.write(kController + 8, kBlob).write(kController, 1);
    program.set(1, kController);
    const std::size_t again = program.code().size();
    program.load(0, 1).raw({0x0FC0}).repeat(again);
    program.set(0, 16'000);
    const std::size_t idle = program.code().size();
    program.subtract(0, 1).repeat(idle);
    return program.write(kExit, 0).raw({0xE7FE});
}

std::string bytes_of(const Workdir& room, const std::string& name) {
    std::ifstream stream(room.folder.file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string traced(const Workdir& room, const std::string& name,
                   const std::vector<std::string>& options = {}, const Thumb& program = copying()) {
    std::vector<std::string> words{"--quiet", "--trace", room.folder.file(name)};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = room.run(program, words);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    return bytes_of(room, name);
}

/// A counter's values times how many ns it had them.
double area(const PerfettoReader& trace, const std::string& track) {
    double sum = 0, value = 0;
    std::uint64_t since = 0;
    for (const auto& event : trace.events) {
        if (trace.tracks.at(event.track).name != track) continue;
        sum += value * static_cast<double>(event.time - since);
        value = event.value;
        since = event.time;
    }
    return sum;
}

Json page_data(const std::string& page) {
    const std::string from = "<script type=\"application/json\" id=\"data\">";
    const std::size_t start = page.find(from) + from.size();
    return Json::parse(page.substr(start, page.find("</script>", start) - start));
}

Json memory_of(const Json& data, const std::string& name) {
    for (const Json& memory : data["memories"]) {
        if (memory["name"] == name) return memory;
    }
    return {};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

}  // namespace

TEST_CASE("run --trace: an epoch, its engines and its phase in Perfetto's format") {
    const Workdir room;
    const std::string file = traced(room, "t.pftrace");
    const PerfettoReader trace(file);
    CHECK(trace.complaints.empty());
    const auto on = [&](const std::string& track) {
        std::vector<PerfettoReader::Event> found;
        for (const auto& event : trace.events) {
            if (trace.tracks.at(event.track).name == track) found.push_back(event);
        }
        return found;
    };
    for (const char* const track : {"epoch", "STRENG0", "STRENG1"}) {
        CAPTURE(track);
        REQUIRE(on(track).size() == 2);
    }
    CHECK(on("STRENG2").empty());
    CHECK(on("STRENG0")[0].name == "write");
    CHECK(on("STRENG1")[0].name == "read");
    CHECK(on("STRENG1")[0].details.at("bytes").number == kBytes);
    CHECK(on("STRENG1")[0].details.at("memory").bytes == "AXISRAM3");
    CHECK(on("STRENG1")[0].details.at("object").bytes == "chip.npu.streng1");
    const auto epoch = on("epoch");
    CHECK(epoch[0].time <= on("STRENG1")[0].time);
    CHECK(epoch[1].time == on("STRENG0")[1].time);
    CHECK(epoch[0].details.at("engines").bytes == "1 > 0");
    // One word a cycle, 1 ns each, and what it takes to begin.
    CHECK(epoch[1].time - epoch[0].time >= kBytes);
    CHECK(epoch[1].time - epoch[0].time < kBytes + 2000);
    const auto phases = on("phase");
    REQUIRE(phases.size() == 4);
    CHECK(phases[1].name == "phase 3");
    CHECK(phases[1].time < epoch[0].time);
    CHECK(phases[2].time > epoch[1].time);
}

TEST_CASE("run --trace: counters add up to what was moved, and to the time that took") {
    const Workdir room;
    const std::string file = traced(room, "t.pftrace");
    const PerfettoReader trace(file);
    // MB/s times ns are thousandths of a byte. Engines 0 and 1 share a port.
    CHECK(area(trace, "NPU port 0") == doctest::Approx(1000.0 * 2 * kBytes));
    CHECK(area(trace, "NPU port 1") == 0);
    // 8 bytes a cycle of 900 MHz, once read and once written; percents.
    const double time = kBytes / 8.0 / 0.9;
    CHECK(area(trace, "AXISRAM3 reading") == doctest::Approx(100 * time).epsilon(0.001));
    CHECK(area(trace, "AXISRAM3 writing") == doctest::Approx(100 * time).epsilon(0.001));
}

TEST_CASE("run --trace: counters of a run with traffic in more than 4096 us add up, too") {
    const Workdir room;
    // A burst of 64 bytes in every microsecond.
    const Outcome outcome =
        room.run(endless(),
                 {"--quiet", "--max-time", "5500us", "--max-quiet", "0s", "--trace",
                  room.folder.file("t.pftrace"), "--report", room.folder.file("r.json"), "--master",
                  "ltdc:64MB/s:read@0x34100000", "--master", "dcmipp:64MB/s:write@0x34100000"});
    REQUIRE(outcome.exit_code == 5);
    const std::string file = bytes_of(room, "t.pftrace");
    const PerfettoReader trace(file);
    const Json masters = room.report()["masters"];
    REQUIRE(masters.size() == 2);
    for (const Json& master : masters) {
        CAPTURE(master);
        const double bytes = master["bytes"];
        CHECK(bytes > 64 * 5400);
        CHECK(area(trace, master["name"]) == doctest::Approx(1000 * bytes).epsilon(0.001));
        // 8 bytes a cycle of 400 MHz; percents.
        const bool reads = master["access"] == "read";
        CHECK(area(trace, reads ? "AXISRAM2 reading" : "AXISRAM2 writing") ==
              doctest::Approx(100 * bytes / 8 / 0.4).epsilon(0.001));
    }
}

TEST_CASE("run --trace: exceptions and sleep of the core") {
    const Workdir room;
    Thumb program;
    program.raw({0xE000, 0x4770});  // over a handler that returns
    program.write(kBase + 4 * 15, (kBase + Thumb::kVectors + 2) | 1);
    // SysTick in 8000 cycles of the core's clock, 800 MHz.
    program.write(0xE000E014, 7999).write(0xE000E018, 0).write(0xE000E010, 7);
    program.raw({0xBF30}).write(0xE000E010, 0).write(kExit, 0).raw({0xE7FE});
    const std::string file = traced(room, "t.pftrace", {}, program);
    const PerfettoReader trace(file);
    CHECK(trace.complaints.empty());
    std::uint64_t asleep = 0, exception = 0, woken = 0;
    for (const auto& event : trace.events) {
        const std::string& track = trace.tracks.at(event.track).name;
        if (track == "asleep") (event.type == 1 ? asleep : woken) = event.time;
        if (track != "exception" || event.type != 1) continue;
        CHECK(event.name == "SysTick");
        CHECK(event.details.at("number").number == 15);
        CHECK(exception == 0);
        exception = event.time;
    }
    REQUIRE(asleep != 0);
    CHECK(woken - asleep > 9000);
    CHECK(woken - asleep <= 10'000);
    CHECK(exception >= woken);
    CHECK(exception < woken + 100);
}

TEST_CASE("run --trace: the trace changes nothing, and two runs give the same bytes") {
    const Workdir room;
    const Outcome plain = room.run(copying(), {"--report", room.folder.file("r.json"), "--quiet"});
    CHECK(plain.exit_code == 0);
    const Json before = room.report();
    for (const char* const name : {"t.json", "t.pftrace", "t.vcd", "t.csv", "t.txt"}) {
        CAPTURE(name);
        const std::string once =
            traced(room, name, {"--report", room.folder.file("r.json"), "--trace-limit", "1M"});
        CHECK(!once.empty());
        CHECK(room.report()["hash"] == before["hash"]);
        CHECK(room.report()["time_ps"] == before["time_ps"]);
        CHECK(traced(room, name, {"--trace-limit", "1M"}) == once);
    }
}

TEST_CASE("run --trace: epochs as CSV") {
    const Workdir room;
    const std::vector<std::string> lines = lines_of(traced(room, "t.csv", {}, copying(3)));
    REQUIRE(lines.size() == 4);
    CHECK(lines[0].starts_with("index,epoch,started_by,ended,phase,start_ps,end_ps"));
    CHECK(has(lines[0], ",AXISRAM3 read,AXISRAM3 written"));
    CHECK(lines[1].starts_with("0,,core,1,,"));
    CHECK(lines[3].starts_with("2,,core,1,,"));
    CHECK(has(lines[1], ",1 > 0,"));
    CHECK(has(lines[1], ",4096,4096"));
}

TEST_CASE("run --trace: epochs inside a blob") {
    const Workdir room;
    const std::string file = traced(room, "t.pftrace", {}, running_blob());
    const PerfettoReader trace(file);
    CHECK(trace.complaints.empty());
    std::vector<PerfettoReader::Event> epochs;
    for (const auto& event : trace.events) {
        if (trace.tracks.at(event.track).name == "epoch") epochs.push_back(event);
    }
    REQUIRE(epochs.size() == 4);
    CHECK(epochs[0].name == "epoch 5");
    CHECK(epochs[2].name == "epoch 7");
    CHECK(epochs[0].details.at("engines").bytes == "1 > 0");
    for (const std::size_t begin : {0u, 2u}) {
        const std::uint64_t length = epochs[begin + 1].time - epochs[begin].time;
        CHECK(length > kBytes);
        CHECK(length < kBytes + 3000);  // 20 us pass behind the last one
    }
    const Json filtered =
        Json::parse(traced(room, "t.json", {"--trace-filter", "epoch=7"}, running_blob()));
    unsigned begun = 0;
    for (const Json& event : filtered["traceEvents"]) {
        if (event["ph"] == "M") continue;
        CHECK(event["ts"].get<double>() >= static_cast<double>(epochs[2].time) * 1e-3);
        if (event["ph"] == "B" && event["name"] == "epoch 7") ++begun;
    }
    CHECK(begun == 1);
}

TEST_CASE("run --trace: Chrome's format and a filter of tracks") {
    const Workdir room;
    const Json all = Json::parse(traced(room, "t.json"));
    const Json some = Json::parse(traced(room, "u.json", {"--trace-filter", "track=engine"}));
    const auto count = [](const Json& trace, const char* category) {
        return std::count_if(trace["traceEvents"].begin(), trace["traceEvents"].end(),
                             [category](const Json& event) {
                                 return event.contains("cat") && event["cat"] == category;
                             });
    };
    CHECK(count(all, "engine") == 2);
    CHECK(count(all, "phase") == 2);
    CHECK(count(some, "engine") == 2);
    CHECK(count(some, "phase") == 0);
}

TEST_CASE("run --trace: a filter of what is none did not say what there is") {
    const Workdir room;
    const auto said = [&](const Thumb& program, const std::string& filter) {
        const std::string trace = room.folder.file("t.json");
        return room.run(program, {"--quiet", "--trace", trace, "--trace-filter", filter}).err;
    };
    CHECK(has(said(running_blob(), "epoch=99"),
              "epoch=99-99: the run had no such epoch\n      its epochs: 5 to 7\n"));
    // The program's own phase has no name.
    CHECK(has(said(copying(), "phase=install"),
              "the run had no such phase\n      its phases: run\n"));
    CHECK(
        has(said(copying(), "phase=runs"), "the run had no such phase\n      did you mean run?\n"));
}

TEST_CASE("run --trace: a filter of time, and of a phase that is none") {
    const Workdir room;
    const auto times = [](const Json& trace) {  // us
        std::vector<double> list;
        for (const Json& event : trace["traceEvents"]) {
            if (event["ph"] != "M") list.push_back(event["ts"].get<double>());
        }
        return list;
    };
    const std::vector<double> all = times(Json::parse(traced(room, "t.json")));
    REQUIRE(all.size() > 1);
    const auto half = static_cast<unsigned>(500 * (*std::min_element(all.begin(), all.end()) +
                                                   *std::max_element(all.begin(), all.end())));
    const std::vector<double> first = times(Json::parse(
        traced(room, "t.json", {"--trace-filter", "time=0ms-" + std::to_string(half) + "ns"})));
    REQUIRE_FALSE(first.empty());
    CHECK(first.size() < all.size());
    for (const double time : first) CHECK(time <= 1e-3 * half);
    const Outcome outcome = room.run(copying(), {"--quiet", "--trace", room.folder.file("t.json"),
                                                 "--trace-filter", "phase=in\x1b[31mstall"});
    CHECK(outcome.exit_code == 0);
    CHECK(has(outcome.err, "the run had no such phase\n      its phases: "));
    CHECK(!has(outcome.err, "\x1b"));
    const Json none = Json::parse(bytes_of(room, "t.json"));
    CHECK_FALSE(none["traceEvents"].empty());  // names of tracks
    CHECK(times(none).empty());
}

TEST_CASE("run --trace: the waveform has the engines as wires") {
    const Workdir room;
    const std::string text = traced(room, "t.vcd");
    CHECK(has(text, "$timescale 1 ps $end"));
    CHECK(has(text, "STRENG0 $end"));
    const std::vector<std::string> lines = lines_of(text);
    const auto wire = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
        return line.ends_with(" STRENG0 $end");
    });
    REQUIRE(wire != lines.end());
    std::istringstream words(*wire);
    std::string word, code;
    words >> word >> word >> word >> code;
    CHECK(std::count(lines.begin(), lines.end(), "1" + code) == 1);
    CHECK(std::count(lines.begin(), lines.end(), "0" + code) == 2);
}

TEST_CASE("run --trace: instructions with time, up to a limit") {
    const Workdir room;
    const std::vector<std::string> lines = lines_of(traced(room, "t.txt"));
    REQUIRE(lines.size() > 10);
    CHECK(has(lines[0], " us"));
    CHECK(has(lines[1], "34000040: f240 0100  movw r1, #0"));
    const Outcome cut = room.run(
        copying(60), {"--quiet", "--trace", room.folder.file("c.txt"), "--trace-limit", "64K"});
    CHECK(cut.exit_code == 0);
    const std::string text = bytes_of(room, "c.txt");
    CHECK(text.size() <= 65'536);
    CHECK(has(text, "trace cut off: limit reached"));
    CHECK(has(cut.err, "c.txt: cut off"));
}

TEST_CASE("run --report: a page, which is the same for the same run") {
    const Workdir room;
    const auto page = [&] {
        const Outcome outcome =
            room.run(copying(), {"--quiet", "--report", room.folder.file("p.html")});
        CHECK(outcome.exit_code == 0);
        return bytes_of(room, "p.html");
    };
    const std::string text = page();
    const Json data = page_data(text);
    CHECK(data["title"] == "program.elf");
    REQUIRE(data["epochs"].size() == 1);
    CHECK(data["epochs"][0]["read"] == kBytes);
    CHECK(data["epochs"][0]["engines"] == "1 > 0");
    CHECK(data["phases"].size() == 3);
    CHECK(data["lanes"].size() == 2);
    const Json bank = memory_of(data, "AXISRAM3");
    CHECK(bank["read"] == kBytes);
    CHECK(bank["written"] == kBytes);
    CHECK(page() == text);
}

TEST_CASE("run --report: a bank that reads and writes at once has no more than all of the time") {
    const Workdir room;
    const Outcome outcome =
        room.run(copying_apart(), {"--quiet", "--report", room.folder.file("p.html")});
    REQUIRE(outcome.exit_code == 0);
    const Json data = page_data(bytes_of(room, "p.html"));
    const Json bank = memory_of(data, "AXISRAM3");
    const double end = data["end"], reading = bank["reading"], writing = bank["writing"];
    // Cycles of 900 MHz for the beat of a strided access.
    CHECK(reading * end == doctest::Approx(kElements * 1.27 / 0.9).epsilon(0.001));
    CHECK(writing * end == doctest::Approx(kElements * 1.05 / 0.9).epsilon(0.001));
    CHECK(reading + writing > 1);
    CHECK(reading <= 1);
    CHECK(writing <= 1);
    unsigned shares = 0;
    for (const Json& curve : data["curves"]) {
        if (curve["unit"] != "%") continue;
        CAPTURE(curve["name"].get<std::string>());
        ++shares;
        CHECK(curve["most"] <= 100);
    }
    CHECK(shares >= 2);
}

TEST_CASE("run --trace-functions: where the core is") {
    const Workdir room;
    const Json trace = Json::parse(traced(room, "t.json", {"--trace-functions"}));
    unsigned functions = 0;
    for (const Json& event : trace["traceEvents"]) {
        if (!event.contains("cat") || event["cat"] != "function") continue;
        ++functions;
        // The program has no symbols.
        CHECK(event["name"] == "code in FLEXMEM");
    }
    CHECK(functions == 1);
}

TEST_CASE("run --trace: what cannot be is told before the run") {
    const Workdir room;
    const auto refused = [&](const std::vector<std::string>& options) {
        std::vector<std::string> words{"--quiet"};
        words.insert(words.end(), options.begin(), options.end());
        const Outcome outcome = room.run(exiting(0), words);
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    const std::string file = room.folder.file("t.json");
    CHECK(has(refused({"--trace", room.folder.file("t.xyz")}), ".pftrace"));
    CHECK(has(refused({"--trace-functions"}), "without a trace"));
    CHECK(has(refused({"--trace-limit", "1M"}), "without a trace"));
    for (const char* const limit : {"63K", "x", "1T", "-1M", "99999999999999999999"}) {
        CAPTURE(limit);
        CHECK(has(refused({"--trace", file, "--trace-limit", limit}), "at least 64K"));
    }
    for (const char* const filter : {"time=", "time=5", "time=2ms-1ms", "time=-", "epoch=x",
                                     "epoch=3-1", "track=nothing", "phase=", "epoch", "x=1"}) {
        CAPTURE(filter);
        CHECK(has(refused({"--trace", file, "--trace-filter", filter}), "--trace-filter '"));
    }
    CHECK(has(refused({"--trace", room.folder.file("t.txt"), "--trace-filter", "phase=x"}),
              "only the filter time="));
    CHECK(has(refused({"--trace", file, "--report", file}), "would overwrite"));
    CHECK(has(refused({"--trace", room.folder.file("no/such/t.json")}), "no/such"));
}
