// SPDX-License-Identifier: Apache-2.0
// `n6vp analyze`, `supported-ops`, `generate` without a compiler and the mistakes of `validate`, as
// programs.
#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/sim/generate/tflite_builder.h"
#include "tests/support/process.h"

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

/// A writable pool of an .mpool file at a fixed address.
std::string pool(const std::string& name, const std::string& start, const std::string& bytes) {
    return R"({"fname": "a", "name": ")" + name +
           R"(", "fformat": "FORMAT_RAW", "prop": {"rights": "ACC_WRITE"}, "offset": {"value": ")" +
           start + R"(", "magnitude": "BYTES"}, "size": {"value": ")" + bytes +
           R"(", "magnitude": "BYTES"}})";
}

/// Writes an .mpool file and analyses the keyword network with it.
Outcome analyze_with(const std::string& pools, std::vector<std::string> options) {
    const ScratchFolder folder;
    const std::string file = folder.write(
        "a.mpool", R"({"params": {}, "memory": {"cacheinfo": [], "mem_file_prefix": "", )" +
                       (R"("mempools": [)" + pools) + "]}}");
    options.insert(options.begin(), {"analyze", kKws, "--mpool", file});
    return tool(options);
}

}  // namespace

TEST_CASE("analyze prints a network's needs, the same bytes every time") {
    const Outcome first = tool({"analyze", kKws});
    CHECK(first.exit_code == 0);
    CHECK(contains(first.out, "kws_ref_model: 13 layers"));
    CHECK(contains(first.out, "2656768 multiply-accumulates"));
    CHECK(tool({"analyze", kKws}).out == first.out);
    const Json document = Json::parse(tool({"analyze", kKws, "--json"}).out);
    CHECK(document.at("network_macs") == 2656768);
    CHECK(document.at("blob_bytes") > 0);
}

TEST_CASE("weights in RAM are not waited for as flash is") {
    const Json flash = Json::parse(tool({"analyze", kKws, "--json"}).out);
    const Json copied = Json::parse(tool({"analyze", kKws, "--weights", "npuRAM6", "--json"}).out);
    CHECK(copied.at("epoch_cycles") < flash.at("epoch_cycles"));
    CHECK(flash.at("epochs").at(0).at("flash_bytes") > 0);
    REQUIRE(copied.at("epochs").size() >= 11);
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
    CHECK(document.at("operators").size() == 24);
    CHECK(document.at("operators").at(0).at("name") == "ADD");
}

TEST_CASE("generate --form static: report.json says what the network is and what it needs") {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    const std::string network = folder.write("small.tflite", small_convolution().file());
    const std::vector<std::string> words = {"generate", network,  "--target", "cortex-m4",
                                            "--form",   "static", "--name",   "net",
                                            "-o",       out,      "--json"};
    const Outcome outcome = tool(words);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json report = Json::parse(read_text(out + "/report.json"));
    CHECK(Json::parse(outcome.out) == report);
    CHECK(report.at("schema") == "n6vp.generate/2");
    CHECK(report.at("network") == "small");
    CHECK(report.at("target") == "cortex-m4");
    CHECK(report.at("name") == "net");
    // 4 x 4 pixels of 3 channels, each of 3 x 3 x 2 products.
    CHECK(report.at("network_macs") == 4 * 4 * 3 * 18);
    CHECK(report.at("weights_bytes") >= 3 * 18 + 3 * 4);
    CHECK(report.at("activations_bytes") >= 4 * 4 * (2 + 3));
    CHECK_FALSE(report.contains("container"));
    REQUIRE(report.at("inputs").size() == 1);
    Json input = report.at("inputs").at(0);
    CHECK(input.at("offset").is_number_unsigned());
    input.erase("offset");
    CHECK(input == Json{{"name", "in"},
                        {"shape", {1, 4, 4, 2}},
                        {"type", "int8"},
                        {"scale", 0.5},
                        {"zero_point", 3},
                        {"bytes", 32}});
    REQUIRE(report.at("outputs").size() == 1);
    Json output = report.at("outputs").at(0);
    output.erase("offset");
    CHECK(output == Json{{"name", "out"},
                         {"shape", {1, 4, 4, 3}},
                         {"type", "int8"},
                         {"scale", 2.0},
                         {"zero_point", -128},
                         {"bytes", 48}});
    REQUIRE(report.at("layers").size() == 1);
    const Json& layer = report.at("layers").at(0);
    CHECK(layer.at("layer") == 0);
    CHECK(layer.at("operator") == "CONV_2D");
    CHECK(layer.at("kernel").is_string());
    CHECK(layer.at("choice").is_string());
    CHECK(layer.at("output_shape") == Json{1, 4, 4, 3});
    CHECK(layer.at("network_macs") == report.at("network_macs"));
    CHECK(layer.at("weights_bytes") == report.at("weights_bytes"));
    CHECK(layer.at("output_bytes") == 48);
    CHECK(layer.at("scratch_bytes").is_number_unsigned());
}

TEST_CASE("generate a second time: files take the place of the older ones, not of a folder") {
    const ScratchFolder folder;
    const std::string out = folder.file("out");
    const std::string first = folder.write("first.tflite", small_convolution().file());
    FileNetwork changed = small_convolution();
    changed.tensors[0].name = "other";
    const std::string second = folder.write("second.tflite", changed.file());
    const auto generate = [&out](const std::string& network) {
        return tool({"generate", network, "--target", "cortex-m4", "--form", "static", "-o", out});
    };
    const auto network_of = [&out] {
        return Json::parse(read_text(out + "/report.json")).at("network");
    };
    const auto entries = [&out] {
        const std::filesystem::directory_iterator all(out);
        return std::distance(begin(all), end(all));
    };
    REQUIRE(generate(first).exit_code == 0);
    const auto count = entries();
    CHECK(network_of() == "first");
    const Outcome again = generate(second);
    CAPTURE(again.err);
    CHECK(again.exit_code == 0);
    CHECK(network_of() == "second");
    CHECK(entries() == count);
    // A file that is a folder is not replaced, and no other one is.
    std::filesystem::remove(out + "/network_data.h");
    std::filesystem::create_directory(out + "/network_data.h");
    const Outcome refused = generate(first);
    CHECK(refused.exit_code == 7);
    CHECK(contains(refused.err, "network_data.h': a folder has that name"));
    CHECK(network_of() == "second");
    CHECK(entries() == count);
}

TEST_CASE("validate needs something to compare with") {
    const Outcome nothing = tool({"validate", kKws});
    CHECK(nothing.exit_code == 2);
    CHECK(contains(nothing.err, "nothing to compare with"));
    const Outcome alone = tool({"validate", kKws, "-vo", kKws});
    CHECK(alone.exit_code == 2);
    CHECK(contains(alone.err, "--valinput"));
}

TEST_CASE("pools that overlap are refused, with both names and ranges") {
    const std::string first = pool("npuRAM5", "0x342E0000", "458752");
    const Outcome overlap = analyze_with(first + ", " + pool("more", "0x3434FFC0", "4096"), {});
    CHECK(overlap.exit_code == 2);
    CHECK(contains(overlap.err,
                   "pool 'more' at 0x3434ffc0 to 0x34350fbf overlaps pool 'npuRAM5' at "
                   "0x342e0000 to 0x3434ffff"));
    // The same storage by its other address.
    const Outcome alias = analyze_with(first + ", " + pool("more", "0x242E0000", "4096"), {});
    CHECK(alias.exit_code == 2);
    CHECK(contains(alias.err, "overlaps pool 'npuRAM5'"));
    CHECK(analyze_with(first + ", " + pool("more", "0x34350000", "4096"), {}).exit_code == 0);
}

TEST_CASE("a pool without a name does not take the user's tensors for its own") {
    const std::string unnamed = pool("", "0x342E0000", "458752");
    const Outcome text = analyze_with(unnamed, {"--no-inputs-allocation"});
    CHECK(text.exit_code == 0);
    CHECK(contains(text.out, "\n(no name) "));
    const Outcome json = analyze_with(unnamed, {"--no-inputs-allocation", "--json"});
    CHECK(Json::parse(json.out).at("pools").at(0).at("bytes") <= 458752);
}

TEST_CASE("weights in the only pool: activations that do not fit say that none is left") {
    const Outcome outcome =
        analyze_with(pool("npuRAM5", "0x342E0000", "458752"), {"--weights", "npuRAM5"});
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "; no pool is left for them besides the pool of the weights\n"));
}
