// SPDX-License-Identifier: Apache-2.0
// Where a generated model has its memory: external RAM, the user's buffers, containers in the
// parameters; and what is said when memory does not suffice.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/sim/generate/models/file_bytes.h"
#include "tests/support/process.h"

using namespace n6vp::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

const std::string kNetworks = N6VP_NETWORKS;

std::string pool(const std::string& name, const std::string& rights, const std::string& start,
                 const std::string& bytes, bool relative) {
    return R"({"fname": ")" + name + R"(", "name": ")" + name +
           R"(", "fformat": "FORMAT_RAW", "prop": {"rights": ")" + rights +
           R"(", "throughput": "MID", "latency": "HIGH", "byteWidth": 2, "freqRatio": 5,)" +
           R"( "read_power": 0, "write_power": 0}, "offset": {"value": ")" + start +
           R"(", "magnitude": "BYTES"}, "size": {"value": ")" + bytes +
           R"(", "magnitude": "BYTES"})" + (relative ? R"(, "mode": "USEMODE_RELATIVE")" : "") +
           "}";
}
/// Those pools, and flash for the weights.
std::string with_flash(const std::string& pools) {
    return R"({"params": {}, "memory": {"cacheinfo": [], "mem_file_prefix": "", "mempools": [)" +
           pools + ", " + pool("flash", "ACC_READ", "0x71000000", "16777216", true) + "]}}";
}
/// One writable pool.
std::string mpool(const std::string& name, const std::string& start, const std::string& bytes,
                  bool relative) {
    return with_flash(pool(name, "ACC_WRITE", start, bytes, relative));
}
std::string psram() {
    return mpool("hyperRAM", "0x90000000", "16777216", true);
}

Outcome generate(const std::string& network, const std::string& folder, const Words& options) {
    Words words = {N6VP_BINARY, "generate", kNetworks + "/" + network + ".tflite", "-o", folder};
    words.insert(words.end(), options.begin(), options.end());
    return run_process(words);
}

/// What the network makes of a recorded input, without and with the caches' own contents.
std::vector<std::uint8_t> outputs(const std::string& network, const Words& options,
                                  const Words& run_options = {}) {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    const Outcome made = generate(network, out, options);
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    Words words = {N6VP_BINARY,
                   "run",
                   out + "/network_rel.bin",
                   "-i",
                   kNetworks + "/expected/" + network + "/rand1_in.npy",
                   "-o",
                   folder.file("results"),
                   "--coherence",
                   "real"};
    if (fs::exists(out + "/network_rel_params.bin")) {
        words.insert(words.end(), {"--params", out + "/network_rel_params.bin"});
    }
    words.insert(words.end(), run_options.begin(), run_options.end());
    const Outcome ran = run_process(words);
    INFO(ran.out, ran.err);
    REQUIRE(ran.exit_code == 0);
    for (const char* word : {"npu_refused", "npu_illegal", "stale", "uninitialised"}) {
        CHECK((ran.out + ran.err).find(word) == std::string::npos);
    }
    return file_bytes(folder.file("results/output_0.npy"));
}

void check_ways(const std::string& network) {
    const ScratchFolder folder;
    const std::string external = folder.write("psram.mpool", psram());
    const std::vector<std::uint8_t> first = outputs(network, {});
    REQUIRE(first.size() > 0);
    CHECK(outputs(network, {"--mpool", external}) == first);
    CHECK(outputs(network, {"--mpool", external, "--no-ec", "--no-inputs-allocation"}) == first);
    CHECK(outputs(network, {"--no-inputs-allocation", "--no-outputs-allocation"}) == first);
    CHECK(outputs(network, {"--ecblob-in-params", "--split", "--generation", "2.1",
                            "--no-outputs-allocation"}) == first);
    CHECK(outputs(network, {"--ecblob-in-params", "--weights", "npuRAM6"}, {"--mode", "copy"}) ==
          first);
    // Somewhere else in external RAM, and the second inference with blobs that are relocated.
    CHECK(outputs(network, {"--mpool", external, "--no-outputs-allocation"},
                  {"--ext", "0x90400000:1048576", "--repeat", "2"}) == first);
}

void fails(const Words& options, const std::vector<std::string>& texts) {
    const ScratchFolder folder;
    const Outcome outcome = generate("vww_96_int8", folder.file("out"), options);
    CHECK(outcome.exit_code == 2);
    CHECK_FALSE(fs::exists(folder.file("out")));
    for (const std::string& text : texts) {
        INFO(outcome.err);
        CHECK(outcome.err.find(text) != std::string::npos);
    }
}

}  // namespace

TEST_CASE("anomaly detection: where memory is changes nothing") {
    check_ways("ad01_int8");
}
TEST_CASE("keyword spotting: where memory is changes nothing") {
    check_ways("kws_ref_model");
}
TEST_CASE("picture classes: where memory is changes nothing") {
    check_ways("pretrainedResnet_quant");
}
TEST_CASE("persons in pictures: where memory is changes nothing") {
    check_ways("vww_96_int8");
}

TEST_CASE("a network that does not fit: which tensor, and what each pool lacks") {
    const ScratchFolder folder;
    // Its second layer has two pictures of 48x48: 8 and 16 channels, 18432 and 36864 bytes.
    const std::string small =
        folder.write("small.mpool", mpool("npuRAM5", "0x342E0000", "32768", false));
    fails({"--mpool", small},
          {"do not fit", "needs 36864 bytes",
           "npuRAM5 has 32768 of 32768 bytes free in one piece, 4096 too few", "--mpool"});
    fails({"--mpool", small, "--weights", "npuRAM9"}, {"no such pool"});
}

TEST_CASE("pools that a model cannot have") {
    const ScratchFolder folder;
    const std::string odd = folder.write("odd.mpool", mpool("a", "0x342E0008", "458752", false));
    fails({"--mpool", odd}, {"'a' does not start at a multiple of 64"});
    const std::string twice = folder.write("twice.mpool", mpool("flash", "0", "458752", true));
    fails({"--mpool", twice}, {"two pools have the name 'flash'"});
    fails({"--no-ec", "--ecblob-in-params"}, {"--ecblob-in-params without blobs"});
}

TEST_CASE("buffers of the user keep clear of weights at a fixed address in the PSRAM") {
    const ScratchFolder folder;
    const std::string pools = pool("npuRAM5", "ACC_WRITE", "0x342E0000", "458752", false) + ", " +
                              pool("hyperRAM", "ACC_WRITE", "0x90000000", "1048576", false);
    const std::string fixed = folder.write("fixed.mpool", with_flash(pools));
    CHECK(outputs("ad01_int8", {"--mpool", fixed, "--weights", "hyperRAM", "--no-inputs-allocation",
                                "--no-outputs-allocation"}) == outputs("ad01_int8", {}));
}

TEST_CASE("buffers of the user that no PSRAM is left for are refused") {
    const ScratchFolder folder;
    const std::string external = folder.write("psram.mpool", psram()), out = folder.file("out");
    REQUIRE(
        generate("kws_ref_model", out, {"--mpool", external, "--no-inputs-allocation"}).exit_code ==
        0);
    const Outcome ran =
        run_process({N6VP_BINARY, "run", out + "/network_rel.bin", "--ext", "0x90000000:33554432"});
    CHECK(ran.exit_code == 1);
    CHECK(ran.err.find("memory for buffers of the user does not suffice: model 1 needs ") !=
          std::string::npos);
    CHECK(ran.err.find("a smaller external RAM leaves more") != std::string::npos);
}
