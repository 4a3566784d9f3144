// SPDX-License-Identifier: Apache-2.0
// Containers of the public networks in every release: rules, blobs, registers.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/sim/generate/models/file_bytes.h"
#include "tests/sim/generate/models/network_build.h"
#include "tests/sim/generate/models/register_walk.h"
#include "tests/support/process.h"

using namespace n6vp;
using namespace n6vp::test;

namespace {

/// A model in a folder of its own.
class Stored {
  public:
    explicit Stored(const BuiltNetwork& built) {
        const sim::pack::PackedContainer& packed = built.model.packed;
        file_ = folder_.write("network_rel.bin", packed.file);
        if (packed.parameters.empty()) return;
        params_ = {"--params", folder_.write("network_rel_params.bin", packed.parameters)};
    }
    [[nodiscard]] Outcome tool(const char* verb, const std::vector<std::string>& words) const {
        std::vector<std::string> line = {N6VP_BINARY, verb, file_};
        line.insert(line.end(), params_.begin(), params_.end());
        line.insert(line.end(), words.begin(), words.end());
        return run_process(line);
    }
    [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

  private:
    ScratchFolder folder_;
    std::string file_;
    std::vector<std::string> params_;
};

void check_rules(const Stored& model) {
    for (const char* mode : {"xip", "copy"}) {
        const Outcome outcome = model.tool("check", {"--mode", mode});
        INFO(mode, outcome.out, outcome.err);
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.out.find("0 errors, 0 warnings") != std::string::npos);
    }
}

/// A listing of a blob that was taken out of the finished file assembles to that blob.
void check_blobs(const Stored& model, const BuiltNetwork& built, bool controller) {
    std::size_t number = 0;
    for (const sim::generate::EpochBlock& block : built.model.blocks) {
        if (block.container.empty()) continue;
        const Outcome listing =
            model.tool("ecdump", {"--blob", std::to_string(++number), "--listing"});
        REQUIRE(listing.exit_code == 0);
        const std::string text = model.folder().write("listing.txt", listing.out);
        const std::string again = model.folder().file("again.bin");
        std::filesystem::remove(again);
        REQUIRE(run_process({N6VP_BINARY, "ecdump", "--assemble", text, "-o", again}).exit_code ==
                0);
        std::vector<std::uint8_t> bytes = file_bytes(again);
        bytes.resize(std::size_t{4} * block.blob_words);  // without padding to 8
        const auto* const all = reinterpret_cast<const std::uint8_t*>(block.container.data());
        const std::vector<std::uint8_t> container(all, all + 4 * block.container.size());
        CHECK(bytes.size() > 8);
        CHECK(std::search(container.begin(), container.end(), bytes.begin(), bytes.end()) !=
              container.end());
    }
    CHECK((number > 0) == controller);
}

void check_network(const char* network, loader::Generation generation) {
    const DocumentedRegisters documented(N6VP_REGISTERS);
    for (const NetworkWay& way : network_ways(generation)) {
        const BuiltNetwork built = build_network(
            std::string(N6VP_NETWORKS) + "/" + network + ".tflite", way,
            sim::generate::default_activation_pools(), sim::generate::default_weights_pool());
        INFO(way.name());
        const Stored model(built);
        check_rules(model);
        check_blobs(model, built, way.controller);
        const WalkResult walk = walk_registers(documented, built.plan, built.model.blocks);
        CHECK(walk.writes > 500);
        CHECK(walk.faults.size() == 0);
        if (!walk.faults.empty()) FAIL_CHECK(walk.faults.front());
    }
}

}  // namespace

TEST_CASE("anomaly detection, containers of 2.1") {
    check_network("ad01_int8", loader::Generation::Core21);
}
TEST_CASE("anomaly detection, containers of 2.2") {
    check_network("ad01_int8", loader::Generation::Core22);
}
TEST_CASE("anomaly detection, containers of 3.0") {
    check_network("ad01_int8", loader::Generation::Core30);
}
TEST_CASE("anomaly detection, containers of 4.x") {
    check_network("ad01_int8", loader::Generation::Core4x);
}
TEST_CASE("keyword spotting, containers of 2.1") {
    check_network("kws_ref_model", loader::Generation::Core21);
}
TEST_CASE("keyword spotting, containers of 2.2") {
    check_network("kws_ref_model", loader::Generation::Core22);
}
TEST_CASE("keyword spotting, containers of 3.0") {
    check_network("kws_ref_model", loader::Generation::Core30);
}
TEST_CASE("keyword spotting, containers of 4.x") {
    check_network("kws_ref_model", loader::Generation::Core4x);
}
TEST_CASE("picture classes, containers of 2.1") {
    check_network("pretrainedResnet_quant", loader::Generation::Core21);
}
TEST_CASE("picture classes, containers of 2.2") {
    check_network("pretrainedResnet_quant", loader::Generation::Core22);
}
TEST_CASE("picture classes, containers of 3.0") {
    check_network("pretrainedResnet_quant", loader::Generation::Core30);
}
TEST_CASE("picture classes, containers of 4.x") {
    check_network("pretrainedResnet_quant", loader::Generation::Core4x);
}
TEST_CASE("persons in pictures, containers of 2.1") {
    check_network("vww_96_int8", loader::Generation::Core21);
}
TEST_CASE("persons in pictures, containers of 2.2") {
    check_network("vww_96_int8", loader::Generation::Core22);
}
TEST_CASE("persons in pictures, containers of 3.0") {
    check_network("vww_96_int8", loader::Generation::Core30);
}
TEST_CASE("persons in pictures, containers of 4.x") {
    check_network("vww_96_int8", loader::Generation::Core4x);
}
