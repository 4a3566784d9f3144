// SPDX-License-Identifier: Apache-2.0
// Every option of `n6vp run` that goes with a model, with a model; run_model_test.cpp has inputs,
// outputs, repetition and clocks.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

const std::string kModel = N6VP_SAMPLES "/user_io/3.0/network_rel.bin";
const std::string kSymbols = N6VP_SAMPLES "/user_io/3.0/model.elf";
const std::string kWithExternalRam = N6VP_SAMPLES "/ext_ram/3.0/network_rel.bin";

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

struct Workdir {
    ScratchFolder folder;
    [[nodiscard]] Outcome run(const std::vector<std::string>& options,
                              const std::string& model = kModel) const {
        std::vector<std::string> words{N6VP_BINARY, "run", model};
        words.insert(words.end(), options.begin(), options.end());
        return run_process(words);
    }
    [[nodiscard]] Json json(std::vector<std::string> options,
                            const std::string& model = kModel) const {
        options.emplace_back("--json");
        const Outcome outcome = run(options, model);
        INFO(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        return Json::parse(outcome.out);
    }
};

/// Simulated time of the longest phase of that name.
double phase_ps(const Json& document, const std::string& name) {
    double longest = 0;
    for (const Json& phase : document["phases"]) {
        if (phase["name"] != name) continue;
        longest =
            std::max(longest, phase["end_ps"].get<double>() - phase["start_ps"].get<double>());
    }
    return longest;
}

}  // namespace

TEST_CASE("run a model: --exec-ram and --ext-ram are where it is installed") {
    const Workdir room;
    const Json document = room.json({"--mode", "copy", "--exec-ram", "0x34080000:64K"});
    std::vector<std::string> places;
    for (const Json& use : document["model"]["memory"]) {
        places.push_back(use["address"]);
        if (use["address"] == "0x34080000") CHECK(use["room"] == 65536);
    }
    CHECK(std::count(places.begin(), places.end(), "0x34080000") == 1);
    // This sample computes nothing, so its run ends with an error after the install at that place.
    const Outcome external = room.run({"--ext-ram", "0x91000000:65536"}, kWithExternalRam);
    CHECK(external.exit_code == 2);
    CHECK(has(external.err, "the model has no outputs"));
    // Too small, and not there at all: refused before the run.
    CHECK(room.run({"--mode", "copy", "--exec-ram", "0x34080000:64"}).exit_code == 6);
    CHECK(room.run({"--ext-ram", "0:0"}, kWithExternalRam).exit_code == 6);
}

TEST_CASE("run a model: --params and the addresses of both files") {
    const Workdir room;
    const std::string folder = N6VP_SAMPLES "/split/3.0/";
    const std::vector<std::string> params = {"--params", folder + "network_rel_params.bin"};
    const std::string model = folder + "network_rel.bin";
    const Json usual = room.json(params, model);
    std::vector<std::string> moved = params;
    moved.insert(moved.end(), {"--at", "0x70200000", "--params-at", "0x72000000"});
    const Json other = room.json(moved, model);
    CHECK(usual["model"]["inferences"][0]["output_crc"] ==
          other["model"]["inferences"][0]["output_crc"]);
    CHECK(room.run({}, model).exit_code == 6);
}

TEST_CASE("run a model: --clear clears") {
    const Workdir room;
    const std::string model = N6VP_SAMPLES "/pools/3.0/network_rel.bin";
    const Json cleared = room.json({"--clear"}, model), left = room.json({}, model);
    CHECK(cleared["model"]["clear"] == true);
    CHECK(left["model"]["clear"] == false);
    CHECK(phase_ps(cleared, "install") > phase_ps(left, "install"));
}

TEST_CASE("run a model: --timing, --coherence, --params-file and --strict reach the chip") {
    const Workdir room;
    const std::vector<std::string> random = {"--input", "random", "--seed", "3"};
    const auto with = [&](std::vector<std::string> options) {
        options.insert(options.end(), random.begin(), random.end());
        return room.json(options);
    };
    const Json usual = with({});
    const Json& crc = usual["model"]["outputs"][0]["crc"];
    for (const char* timing : {"functional", "precise"}) {
        const Json document = with({"--timing", timing});
        CHECK(document["timing"] == timing);
        CHECK(document["model"]["outputs"][0]["crc"] == crc);
    }
    CHECK(phase_ps(with({"--timing", "functional"}), "inference") < phase_ps(usual, "inference"));
    const Json real = with({"--coherence", "real", "--strict"});
    CHECK(real["coherence_mode"] == "real");
    CHECK(real["model"]["outputs"][0]["crc"] == crc);
    // Flash that takes 20 us to begin.
    const std::string file =
        room.folder.write("p.toml", std::string("nor.read_dummy_clocks = 4000\n"));
    const Json slow = with({"--params-file", file});
    CHECK(phase_ps(slow, "install") > 1.5 * phase_ps(usual, "install"));
    CHECK(slow["model"]["outputs"][0]["crc"] == crc);
}

TEST_CASE("run a model: --uart takes the log of the install, the report stays where it was") {
    const Workdir room;
    const std::string file = room.folder.file("uart.txt");
    const Outcome outcome = room.run({"--arguments", "log", "--uart", "file:" + file});
    CHECK(outcome.exit_code == 0);
    const std::string log = read_text(file);
    CHECK(has(log, "user_io"));
    CHECK_FALSE(has(outcome.out, log.substr(0, log.find('\n'))));
    CHECK(has(outcome.out, "Inference time per node"));
    CHECK(room.run({"--uart", "nowhere"}).exit_code == 2);
}

TEST_CASE("run a model: --report, --trace, --dump and --quiet") {
    const Workdir room;
    const Outcome outcome = room.run({"--quiet", "--report", room.folder.file("r.html"), "--trace",
                                      room.folder.file("t.json"), "--dump",
                                      room.folder.file("state"), "--symbols", kSymbols});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == "");
    CHECK(outcome.err == "");
    CHECK(has(read_text(room.folder.file("r.html")), "<!doctype html>"));
    CHECK(Json::parse(read_text(room.folder.file("t.json")))["traceEvents"].size() > 10);
    const Json state = Json::parse(read_text(room.folder.file("state/state.json")));
    CHECK(state["models"].size() == 1);
}

TEST_CASE("run a model: no output goes over an input, or what an output must be") {
    const Workdir room;
    const std::string text(320, '\1');
    for (const char* option : {"-i", "--expect"}) {
        CAPTURE(option);
        const std::string file = room.folder.write("x.json", text);
        const Outcome outcome = room.run({option, file, "--trace", file});
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, "the trace would overwrite an input"));
        CHECK(read_text(file) == text);
    }
}

TEST_CASE("run a model: limits end the run, --print-config runs nothing") {
    const Workdir room;
    const Outcome limited = room.run({"--max-time", "100us", "--quiet"});
    CHECK(limited.exit_code == 5);
    CHECK(has(limited.err, "limit reached"));
    const Outcome shown = room.run(
        {"--print-config", "--timing", "precise", "-o", room.folder.file("out"), "--mode", "copy"});
    CHECK(shown.exit_code == 0);
    CHECK(has(shown.out, "precise"));
    CHECK(has(shown.out, "--timing"));
    CHECK(has(shown.out, "n6vp_firmware_chip.elf"));
    CHECK(has(shown.out, kModel));
    CHECK_FALSE(std::filesystem::exists(room.folder.file("out")));
    const std::string file = room.folder.write("file", std::string("x"));
    const Outcome refused = room.run({"-o", file + "/out"});
    CHECK(refused.exit_code == 2);
    CHECK(has(refused.err, "is not a folder"));
}

TEST_CASE("run a model: a snapshot that is not to be had leaves the results") {
    const Workdir room;
    const std::string out = room.folder.file("out"), report = room.folder.file("r.json");
    const auto run = [&](const std::string& snapshot) {
        return room.run({"-o", out, "--snapshot", snapshot, "--snapshot", "1:0x34060000:64",
                         "--report", report, "--json"});
    };
    for (const char* snapshot : {"99:0x34060000:64", "1:0x34500000:64"}) {
        CAPTURE(snapshot);
        const Outcome outcome = run(snapshot);
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, "n6vp: --snapshot: "));
        CHECK(Json::parse(outcome.out)["model"]["inferences"].size() == 1);
        CHECK(read_text(report) == outcome.out);
        CHECK(read_text(out + "/output_0.npy").size() == 128 + 40);
        CHECK(read_text(out + "/epoch-1-34060000.bin").size() == 64);
        std::filesystem::remove_all(out);
        std::filesystem::remove(report);
    }
    CHECK(run("1:0x34060040:64").exit_code == 0);
}
