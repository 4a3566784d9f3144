// SPDX-License-Identifier: Apache-2.0
// `n6vp analyze`, `supported-ops` and the mistakes of `validate`, as programs.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/sim/generate/tflite_builder.h"
#include "tests/sim/process.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

const std::string kKws = N6VP_NETWORKS "/kws_ref_model.tflite";

Outcome tool(std::vector<std::string> words) {
    words.insert(words.begin(), N6VP_BINARY);
    return run_process(words);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("analyze prints a network's needs, the same bytes every time") {
    const Outcome first = tool({"analyze", kKws});
    CHECK(first.exit_code == 0);
    CHECK(contains(first.out, "kws_ref_model: 13 layers"));
    CHECK(contains(first.out, "2656768 multiply-accumulates"));
    CHECK(tool({"analyze", kKws}).out == first.out);
    const Json document = Json::parse(tool({"analyze", kKws, "--json"}).out);
    CHECK(document.at("macs") == 2656768);
    CHECK(document.at("blob_bytes") > 0);
}

TEST_CASE("weights in RAM are not waited for as flash is") {
    const Json flash = Json::parse(tool({"analyze", kKws, "--json"}).out);
    const Json copied = Json::parse(tool({"analyze", kKws, "--weights", "npuRAM6", "--json"}).out);
    CHECK(copied.at("epoch_cycles") < flash.at("epoch_cycles"));
    for (const Json& epoch : copied.at("epochs")) CHECK(epoch.at("flash_bytes") == 0);
    const Json core = Json::parse(tool({"analyze", kKws, "--no-ec", "--json"}).out);
    CHECK(core.at("blob_bytes") == 0);
}

TEST_CASE("a network that is refused ends with 2, one line of cause and one of remedy") {
    const ScratchFolder folder;
    FileNetwork network = small_convolution();
    network.operators[0].code = 28;
    const Outcome tanh = tool({"analyze", folder.write("n.tflite", network.file())});
    CHECK(tanh.exit_code == 2);
    CHECK(tanh.out.empty());
    CHECK(contains(tanh.err, "n.tflite': layer 0 (TANH): not supported"));
    CHECK(contains(tanh.err, "LOGISTIC"));
    const Outcome text = tool({"analyze", folder.write("text.tflite", std::string("text"))});
    CHECK(text.exit_code == 2);
    CHECK(contains(text.err, "no TFLite file"));
    CHECK(tool({"analyze", folder.file("absent.tflite")}).exit_code == 2);
}

TEST_CASE("supported-ops lists every operator with its forms") {
    const Outcome text = tool({"supported-ops"});
    CHECK(text.exit_code == 0);
    CHECK(contains(text.out, "\nDEPTHWISE_CONV_2D "));
    CHECK(contains(text.out, "core: up to 512 classes"));
    const Json document = Json::parse(tool({"supported-ops", "--json"}).out);
    CHECK(document.at("schema") == "n6vp.supported-ops/1");
    CHECK(document.at("operators").size() == 23);
    CHECK(document.at("operators").at(0).at("name") == "ADD");
}

TEST_CASE("validate needs something to compare with") {
    const Outcome nothing = tool({"validate", kKws});
    CHECK(nothing.exit_code == 2);
    CHECK(contains(nothing.err, "nothing to compare with"));
    const Outcome alone = tool({"validate", kKws, "-vo", kKws});
    CHECK(alone.exit_code == 2);
    CHECK(contains(alone.err, "--valinput"));
}
