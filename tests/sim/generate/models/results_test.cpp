// SPDX-License-Identifier: Apache-2.0
// What `generate` and `validate` leave behind when the disk is full, when another one writes to the
// same folder, when a signal ends them, and when network and model do not belong together.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"

using namespace n6vp::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kTool = N6VP_BINARY;
const std::string kNetworks = N6VP_NETWORKS;

Outcome tool(std::vector<std::string> words) {
    words.insert(words.begin(), kTool);
    return run_process(words);
}

Outcome shell(const std::string& script) {
    return run_process({"/bin/sh", "-c", script});
}

std::string network(const std::string& name) {
    return kNetworks + "/" + name + ".tflite";
}

/// All files of a folder by name.
std::map<std::string, std::string> files_of(const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        files[entry.path().filename().string()] =
            entry.is_directory() ? "a folder" : read_text(entry.path().string());
    }
    return files;
}

std::map<std::string, std::string> result_of(const std::string& name, const ScratchFolder& folder) {
    const std::string out = folder.file("reference_" + name);
    REQUIRE(tool({"generate", network(name), "-o", out}).exit_code == 0);
    return files_of(out);
}

/// A script that a compiler's name stands for.
std::string compiler(const ScratchFolder& folder, const std::string& before) {
    std::string file =
        folder.write("cc", "#!/bin/sh\n" + before + "\nexec arm-none-eabi-gcc \"$@\"\n");
    fs::permissions(file, fs::perms::owner_all);
    return file;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a disk that gets full while the result is written leaves the older result whole") {
    const ScratchFolder folder;
    const auto older = result_of("ad01_int8", folder);
    const std::string out = folder.file("reference_ad01_int8");
    // 95,232 bytes: room for the source that is compiled, none for the listing.
    const std::string cc = compiler(folder, "ulimit -S -f unlimited");
    const auto limited = [&](const std::string& target) {
        return shell("ulimit -S -f 186; exec " + kTool + " generate " + network("kws_ref_model") +
                     " --compiler " + cc + " -o " + target);
    };
    const Outcome full = limited(out);
    CHECK(full.exit_code == 7);
    CHECK(contains(full.err, "epochs.txt"));
    CHECK(contains(full.err, "File too large"));
    CHECK(files_of(out) == older);
    // Where there was nothing, nothing is left.
    CHECK(limited(folder.file("fresh")).exit_code == 7);
    CHECK_FALSE(fs::exists(folder.file("fresh")));
}

TEST_CASE("a place that is taken by a folder leaves the older result whole") {
    const ScratchFolder folder;
    const auto kws = result_of("kws_ref_model", folder);
    const std::string out = folder.file("reference_kws_ref_model");
    fs::remove(out + "/report.json");
    fs::create_directory(out + "/report.json");
    auto older = kws;
    older["report.json"] = "a folder";
    const Outcome refused = tool({"generate", network("ad01_int8"), "-o", out});
    CHECK(refused.exit_code == 7);
    CHECK(contains(refused.err, "report.json': a folder has that name"));
    CHECK(files_of(out) == older);
}

TEST_CASE("results of two networks into one folder at the same time do not mix") {
    const ScratchFolder folder;
    const auto kws = result_of("kws_ref_model", folder), ad = result_of("ad01_int8", folder);
    for (int round = 0; round < 3; ++round) {
        const std::string out = folder.file("both");
        std::string script;
        for (int i = 0; i < 3; ++i) {
            for (const char* name : {"kws_ref_model", "ad01_int8"}) {
                script.append(kTool).append(" generate ").append(network(name));
                script.append(" -o ").append(out).append(" >/dev/null & ");
            }
        }
        CHECK(shell(script + "wait").exit_code == 0);
        const auto files = files_of(out);
        CHECK((files == kws || files == ad));
    }
}

TEST_CASE("parameters of an older split model do not stay beside a model that has none") {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    REQUIRE(tool({"generate", network("kws_ref_model"), "--split", "-o", out}).exit_code == 0);
    CHECK(fs::exists(out + "/network_rel_params.bin"));
    REQUIRE(tool({"generate", network("kws_ref_model"), "-o", out}).exit_code == 0);
    CHECK_FALSE(fs::exists(out + "/network_rel_params.bin"));
}

TEST_CASE("generate that is interrupted leaves nothing") {
    const ScratchFolder folder;
    fs::create_directory(folder.file("tmp"));
    const std::string started = folder.file("started");
    const std::string cc = compiler(folder, "touch " + started + "; sleep 20");
    const Outcome ended = shell("TMPDIR=" + folder.file("tmp") + " " + kTool + " generate " +
                                network("kws_ref_model") + " --compiler " + cc + " -o " +
                                folder.file("out") + " & pid=$!; while [ ! -e " + started +
                                " ]; do sleep 0.1; done; kill -TERM $pid; wait $pid");
    CHECK(ended.exit_code == 130);
    CHECK(fs::is_empty(folder.file("tmp")));
    CHECK_FALSE(fs::exists(folder.file("out")));
}

TEST_CASE("validate that is interrupted reports the samples that are done") {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    REQUIRE(tool({"generate", network("ad01_int8"), "-o", out}).exit_code == 0);
    fs::create_directory(folder.file("tmp"));
    // The model is asked first, then come the samples: a few outputs are there after a while.
    const std::string outputs = folder.file("tmp") + "/n6vp-validate-*/out/output_0.npy";
    const Outcome ended = shell(
        "TMPDIR=" + folder.file("tmp") + " " + kTool + " validate " + out +
        "/network_rel.bin --tflite " + network("ad01_int8") +
        " -b 5000 --json & pid=$!; while ! ls " + outputs +
        " >/dev/null 2>&1; do sleep 0.1; done; touch " + folder.file("mark") +
        "; n=0; while [ $n -lt 3 ]; do if [ \"$(find " + folder.file("tmp") +
        " -name output_0.npy -newer " + folder.file("mark") + ")\" ]; then n=$((n+1)); touch " +
        folder.file("mark") + "; fi; sleep 0.1; done; kill -TERM $pid; wait $pid");
    CHECK(ended.exit_code == 130);
    const json document = json::parse(ended.out);
    CHECK(document.at("partial") == true);
    CHECK(document.at("samples").get<std::size_t>() >= 1);
    CHECK(document.at("outputs").at(0).at("samples") == document.at("samples"));
    CHECK(fs::is_empty(folder.file("tmp")));
}

TEST_CASE("validate went on for a minute after a signal while it computed the references") {
    const ScratchFolder folder;
    const std::string out = folder.file("out"), temporary = folder.file("tmp");
    REQUIRE(tool({"generate", network("kws_ref_model"), "-o", out}).exit_code == 0);
    fs::create_directory(temporary);
    RunningProcess running({"/usr/bin/env", "TMPDIR=" + temporary, kTool, "validate",
                            out + "/network_rel.bin", "--tflite", network("kws_ref_model"), "-b",
                            "4000"});
    // The first run, which asks for the tensors, leaves a report: then come the references.
    CHECK(RunningProcess::wait_until([&] {
        const std::string work = file_like(temporary, "n6vp-validate-");
        return !work.empty() && fs::exists(fs::path(temporary) / work / "report.json");
    }));
    CHECK(running.wait_while_it_works(0.2));
    running.signal(SIGTERM);
    const auto sent = std::chrono::steady_clock::now();
    const Outcome ended = running.wait();
    CAPTURE(ended.err);
    CHECK(std::chrono::steady_clock::now() - sent < std::chrono::seconds(30));
    CHECK(ended.exit_code == 130);
    CHECK(contains(ended.err, "interrupted before the first sample was done"));
    CHECK(fs::is_empty(temporary));
}

TEST_CASE("validate names the network, not a temporary file, if it is not the model's") {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    REQUIRE(tool({"generate", network("kws_ref_model"), "-o", out}).exit_code == 0);
    const Outcome other =
        tool({"validate", out + "/network_rel.bin", "--tflite", network("vww_96_int8"), "-b", "1"});
    CHECK(other.exit_code == 2);
    CHECK(contains(other.err, "the network is not the model's: input 0 is 1x96x96x3 of i1"));
    CHECK(contains(other.err, "1x49x10x1 of i1"));
    CHECK_FALSE(contains(other.err, "/tmp"));
}

TEST_CASE("--range meant stored integers in run and real numbers in validate") {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    REQUIRE(tool({"generate", network("kws_ref_model"), "-o", out}).exit_code == 0);
    const auto validate = [&](const std::string& range) {
        return tool({"validate", out + "/network_rel.bin", "--tflite", network("kws_ref_model"),
                     "-b", "1", "--range", range});
    };
    CHECK(contains(validate("1000:1001").err, "as real numbers it holds "));
    CHECK(contains(validate("stored:1000:1001").err, "its type holds -128 to 127"));
    // The input's scale is 0.58, its zero point 83: as real numbers 127 is 26, and 50 is outside.
    CHECK(contains(validate("50:60").err, "as real numbers it holds "));
    CHECK(validate("stored:50:60").exit_code == 0);
}

TEST_CASE("validate says why the loader refuses a model") {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    REQUIRE(tool({"generate", network("kws_ref_model"), "-o", out}).exit_code == 0);
    const std::string file = out + "/network_rel.bin";
    fs::resize_file(file, 30000);
    const Outcome refused = tool({"validate", file, "--tflite", network("kws_ref_model")});
    CHECK(refused.exit_code == 6);
    CHECK(contains(refused.err, "params-too-short: The parameters are shorter than rt_ctx says."));
    CHECK(contains(refused.err, "Transfer the whole file"));
}
