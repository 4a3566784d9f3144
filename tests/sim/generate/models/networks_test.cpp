// SPDX-License-Identifier: Apache-2.0
// The public networks of scenarios/models/tflite through `n6vp generate`, `n6vp check` and the
// simulated chip, against the outputs of the TFLite interpreter.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/process.h"

using namespace n6vp::test;
namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::int8_t>;

Bytes read_all(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What follows the head of a .npy file of format 1.
Bytes npy(const fs::path& path) {
    const Bytes file = read_all(path);
    REQUIRE(file.size() > 10);
    const std::size_t head =
        static_cast<std::uint8_t>(file[8]) + std::size_t{256} * static_cast<std::uint8_t>(file[9]);
    return {file.begin() + static_cast<std::ptrdiff_t>(10 + head), file.end()};
}

const fs::path kNetworks = N6VP_NETWORKS;
const std::array<const char*, 9> kCases = {"max",   "min",   "ramp",   "rand1", "rand2",
                                           "rand3", "rand4", "smooth", "zero"};

/// A generated model in a folder of its own.
class Generated {
  public:
    Generated(const std::string& network, const std::vector<std::string>& options)
        : network_(network) {
        std::vector<std::string> words = {N6VP_BINARY, "generate",
                                          (kNetworks / (network + ".tflite")).string(), "-o",
                                          folder_.file("out")};
        words.insert(words.end(), options.begin(), options.end());
        const Outcome outcome = run_process(words);
        INFO(outcome.err);
        REQUIRE(outcome.exit_code == 0);
    }

    [[nodiscard]] std::string file() const { return folder_.file("out/network_rel.bin"); }

    [[nodiscard]] Bytes run(const std::string& name, int mode) const {
        const fs::path folder = folder_.file("run");
        fs::remove_all(folder);
        fs::create_directories(folder);
        const Bytes input = npy(expected(name + "_in.npy"));
        std::ofstream(folder / "input_0.bin", std::ios::binary)
            .write(reinterpret_cast<const char*>(input.data()),
                   static_cast<std::streamsize>(input.size()));
        const Outcome outcome = run_process(
            {N6VP_BINARY, "run", "--boot", "reset", "--max-time", "2s", "--quiet", "--elf",
             N6VP_CHIP_FIRMWARE, "--image", "0x71000000=" + file(), "--files", folder.string(),
             "--arguments", "infer files mode=" + std::to_string(mode)});
        INFO(outcome.out, outcome.err);
        REQUIRE(outcome.exit_code == 0);
        return read_all(folder / "output_0.bin");
    }

    [[nodiscard]] fs::path expected(const std::string& file) const {
        return kNetworks / "expected" / network_ / file;
    }

  private:
    std::string network_;
    ScratchFolder folder_;
};

struct Totals {
    std::size_t elements = 0, equal = 0, within_one = 0;
    int largest = 0;
    std::size_t same_class = 0;
};

std::size_t class_of(const Bytes& output) {
    return static_cast<std::size_t>(std::max_element(output.begin(), output.end()) -
                                    output.begin());
}

Totals run_all(const std::string& network) {
    const Generated model(network, {});
    Totals totals;
    for (const char* name : kCases) {
        const Bytes got = model.run(name, 1);
        const Bytes wanted = npy(model.expected(std::string(name) + "_out0.npy"));
        REQUIRE(got.size() == wanted.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            const int difference = std::abs(got[i] - wanted[i]);
            totals.equal += difference == 0 ? 1 : 0;
            totals.within_one += difference <= 1 ? 1 : 0;
            totals.largest = std::max(totals.largest, difference);
        }
        totals.elements += got.size();
        totals.same_class += wanted[class_of(got)] == wanted[class_of(wanted)] ? 1 : 0;
    }
    MESSAGE(network << ": equal " << totals.equal << ", within 1 " << totals.within_one << " of "
                    << totals.elements << ", largest " << totals.largest << ", same class "
                    << totals.same_class << " of 9");
    return totals;
}

/// Every way to place and program a network gives the bytes of the first one.
void check_ways(const std::string& network) {
    const Bytes first = Generated(network, {}).run("rand1", 1);
    REQUIRE_FALSE(first.empty());
    const std::vector<std::vector<std::string>> ways = {
        {}, {"--weights", "npuRAM6"}, {"--no-ec"}, {"--no-ec", "--weights", "npuRAM6"}};
    for (const auto& options : ways) {
        const Generated model(network, options);
        for (const int mode : {1, 2}) CHECK(model.run("rand1", mode) == first);
    }
}

/// Containers of every release are clean, and blobs can be listed.
void check_containers(const std::string& network) {
    for (const char* generation : {"2.1", "2.2", "3.0", "4.x"}) {
        for (const char* way : {"--json", "--no-ec"}) {
            const Generated model(network, {"--generation", generation, way});
            const Outcome check = run_process({N6VP_BINARY, "check", model.file()});
            INFO(check.out);
            CHECK(check.exit_code == 0);
            CHECK(check.out.find("0 warnings") != std::string::npos);
        }
        const Generated model(network, {"--generation", generation});
        CHECK(run_process({N6VP_BINARY, "ecdump", model.file()}).exit_code == 0);
    }
}

}  // namespace

// Layers are exact; what is left comes of the softmax, and of sums once in 2^20 elements.
TEST_CASE("anomaly detection: outputs") {
    const Totals totals = run_all("ad01_int8");
    CHECK(totals.equal == totals.elements);
}
TEST_CASE("keyword spotting: outputs") {
    const Totals totals = run_all("kws_ref_model");
    CHECK(totals.same_class == 9);
    CHECK(totals.within_one == totals.elements);
}
TEST_CASE("picture classes: outputs") {
    const Totals totals = run_all("pretrainedResnet_quant");
    CHECK(totals.same_class == 9);
    CHECK(totals.within_one * 100 >= totals.elements * 98);
    CHECK(totals.largest <= 2);
}
TEST_CASE("persons in pictures: outputs") {
    const Totals totals = run_all("vww_96_int8");
    CHECK(totals.same_class == 9);
    CHECK(totals.within_one == totals.elements);
}

TEST_CASE("anomaly detection: ways to place and program") {
    check_ways("ad01_int8");
}
TEST_CASE("keyword spotting: ways to place and program") {
    check_ways("kws_ref_model");
}
TEST_CASE("picture classes: ways to place and program") {
    check_ways("pretrainedResnet_quant");
}
TEST_CASE("persons in pictures: ways to place and program") {
    check_ways("vww_96_int8");
}

TEST_CASE("containers of every release pass the check") {
    check_containers("kws_ref_model");
}

TEST_CASE("generate: mistakes are one error each, and nothing is written") {
    const ScratchFolder folder;
    const std::string network = (kNetworks / "kws_ref_model.tflite").string();
    const auto fails = [&](std::vector<std::string> words, const std::string& text) {
        words.insert(words.begin(), {N6VP_BINARY, "generate"});
        const Outcome outcome = run_process(words);
        INFO(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.err.find(text) != std::string::npos);
        CHECK_FALSE(fs::exists(folder.file("out")));
    };
    const std::string out = folder.file("out");
    fails({network, "-o", out, "--compiler", "no-such-compiler"}, "cannot be started");
    fails({network, "-o", out, "--weights", "npuRAM9"}, "no such pool");
    fails({folder.file("missing.tflite"), "-o", out}, "missing.tflite");
    fails({folder.write("text.tflite", std::vector<std::uint8_t>(100, 'x')), "-o", out}, "tflite");
}

TEST_CASE("generate: a model is for secure firmware unless --nonsecure says otherwise") {
    constexpr std::size_t kFlags = 4;  // the header's second word: 20 is SECURE
    for (const bool secure : {true, false}) {
        CAPTURE(secure);
        std::vector<std::string> options;
        if (!secure) options.emplace_back("--nonsecure");
        const Bytes file = read_all(Generated("ad01_int8", options).file());
        REQUIRE(file.size() > kFlags + 4);
        CHECK((static_cast<std::uint8_t>(file[kFlags + 2]) >> 4 & 1) == (secure ? 1 : 0));
    }
}

TEST_CASE("generate: two runs write the same bytes") {
    const Generated first("kws_ref_model", {}), second("kws_ref_model", {});
    CHECK_FALSE(read_all(first.file()).empty());
    CHECK(read_all(first.file()) == read_all(second.file()));
}
