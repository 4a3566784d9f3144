// SPDX-License-Identifier: Apache-2.0
// Models of `n6vp generate`, installed on the host, on QEMU's Cortex-M55 and by the oracle. Their
// pools lie in the memory of QEMU's board, which has none where the chip has its own.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "sim/pack/pack_report.h"
#include "tests/firmware/matrix.h"
#include "tests/sim/generate/models/network_build.h"

using namespace n6vp;
using namespace n6vp::test;
using sim::generate::PlacedPool;

namespace {

constexpr std::uint32_t kBank = 448 * 1024, kPools = 0x65000000;

std::vector<PlacedPool> pools_of_board() {
    return {{"npuRAM5", kPools, kBank}, {"npuRAM4", kPools + kBank, kBank}};
}
std::vector<PlacedPool> external_ram() {
    return {{"hyperRAM", 0, 4 * kBank, true}};
}

std::uint32_t word_of(const sim::Json& text) {
    return static_cast<std::uint32_t>(std::stoul(text.get<std::string>(), nullptr, 16));
}

/// What the user of a container must know, from its report.
MatrixFile matrix_file(const std::string& name, loader::Generation generation,
                       const sim::generate::BuiltModel& model) {
    const sim::Json report =
        sim::pack::pack_report(model.linked, model.packed, {}, {}, "").at("reloc_binary_image");
    MatrixFile file;
    file.name = name;
    file.file = model.packed.file;
    file.params = model.packed.parameters;
    file.profile = loader::default_profile(generation);
    file.exec_xip = report.at("xip_size").get<std::uint32_t>();
    file.exec_copy = report.at("copy_size").get<std::uint32_t>();
    const auto rounded = [](std::uint32_t bytes) { return (bytes + 7) / 8 * 8; };
    file.ext_ram = rounded(report.at("rt_context").at("ext_ram_sz").get<std::uint32_t>());
    for (const sim::Json& pool : report.at("mempool_c_descriptors")) {
        const std::uint32_t to = word_of(pool.at("dst"));
        if (to == 0) continue;
        file.pools.push_back({GuestAddr{to}, rounded(pool.at("size").get<std::uint32_t>())});
    }
    return file;
}

void check(const char* network) {
    Matrix matrix(std::filesystem::path(N6VP_MATRIX_FOLDER) / network);
    const PlacedPool copy{"npuRAM6", kPools + 4 * kBank, kBank};
    for (const loader::Generation generation : kGenerations) {
        std::vector<NetworkWay> ways = network_ways(generation);
        ways.push_back({generation, true});
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const bool external = i + 1 == ways.size();
            const BuiltNetwork built =
                build_network(std::string(N6VP_NETWORKS) + "/" + network + ".tflite", ways[i],
                              external ? external_ram() : pools_of_board(), copy);
            const std::string name = std::string(network) + " " + ways[i].name() +
                                     (external ? ", activations outside" : "");
            matrix.add(matrix_file(name, generation, built.model), kAddressSets[0],
                       loader::Policy::Strict);
        }
    }
    // Releases x ways x {XIP, COPY} x {CLEAR, not}.
    CHECK(matrix.cases() == 4 * 7 * 4);
    const std::vector<std::string> differences = matrix.run();
    CHECK(differences.size() == 0);
    for (std::size_t i = 0; i < differences.size() && i < 10; ++i) FAIL_CHECK(differences[i]);
}

}  // namespace

TEST_CASE("anomaly detection: host == Cortex-M55 == oracle") {
    check("ad01_int8");
}
TEST_CASE("keyword spotting: host == Cortex-M55 == oracle") {
    check("kws_ref_model");
}
TEST_CASE("picture classes: host == Cortex-M55 == oracle") {
    check("pretrainedResnet_quant");
}
TEST_CASE("persons in pictures: host == Cortex-M55 == oracle") {
    check("vww_96_int8");
}
