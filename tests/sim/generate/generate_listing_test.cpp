// SPDX-License-Identifier: Apache-2.0
// The text of `n6vp generate` and its list of epochs: where memory is, registers, coefficients and
// links, of a plan by hand.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/generate/emit/generate_report.h"

using namespace n6vp::sim::generate;
namespace npu = n6vp::memmap::npu;

namespace {

PlacedTensor tensor(const std::string& name, Address at) {
    PlacedTensor one;
    one.name = name;
    one.shape = {1, 2, 3, 4};
    one.at = at;
    return one;
}

}  // namespace

TEST_CASE("generate report: where memory is, in the text") {
    ModelPlan plan;
    plan.weights_pool = "octoFlash";
    plan.weights.resize(77);
    plan.inputs = {tensor("in", {Base::Weights, 0x20})};
    plan.outputs = {tensor("out", {Base::External, 0x100})};
    plan.activations = {{"npuRAM3", 0x34200000, 64, false}, {"hyperRAM", 0, 32, true}};
    const auto text = [&plan] { return generate_text(Graph{}, plan, BuiltModel{}, Prediction{}); };
    for (const char* part : {"  weights 77 bytes in octoFlash (in place)\n",
                             "  activations 64 bytes in npuRAM3 at 0x34200000\n",
                             ("  activations 32 bytes in hyperRAM at external RAM of the "
                              "installation\n"),
                             "  input in 1x2x3x4 at weights+0x00000020\n",
                             "  output out 1x2x3x4 at external+0x00000100\n"}) {
        CAPTURE(part);
        CHECK(text().find(part) != std::string::npos);
    }
    plan.weights_in_place = false;
    plan.weights_address = 0x34350000;
    CHECK(text().find("(copied to 0x34350000)\n") != std::string::npos);
}

TEST_CASE("generate report: a list of an epoch's registers, coefficients and links") {
    const npu::Unit engine{&npu::kStreng, 3}, arith{&npu::kArith, 2};
    NpuEpoch epoch;
    epoch.name = "CONV_2D a";
    epoch.choice = "deep";
    epoch.units.emplace_back(engine);
    epoch.units[0].set("CTRL.DIR", 1).set_address("ADDR", {Base::Weights, 0x20});
    epoch.units[0].set_word("LIMIT", 12);
    epoch.units.emplace_back(arith);
    for (const std::uint32_t entry : {0U, 1U, 7U}) epoch.units[1].set_coefficient(entry, 1, 2);
    epoch.link(engine, {&npu::kConvacc, 1}, 1);
    epoch.link(arith, engine);
    ModelPlan plan;
    plan.epochs = {epoch};
    // Destinations by their numbers: engines come before the ports of convolution units.
    CHECK(epoch_listing(plan, BuiltModel{}) ==
          "epoch 1: CONV_2D a\n  deep\n  STRENG3: CTRL=0x8 ADDR=weights+0x20 LIMIT=0xc\n"
          "  ARITH2: CTRL=0x8000000 and 3 coefficients\n  ARITH2 -> STRENG3\n"
          "  STRENG3 -> CONVACC1.kernels\n");
}
