// SPDX-License-Identifier: Apache-2.0
// `n6vp validate --layers`: tensors of a report by hand, and what a wrong layer does to its own
// figures and to those of the layers behind it.
#include "sim/generate/validate/layer_comparison.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/host/errors.h"
#include "tests/sim/generate/graph_builder.h"

using namespace n6vp::sim::generate;
using namespace n6vp::test;
using n6vp::sim::Json;

namespace {

/// Negated, of another shape, negated again; tensors t0 to t3.
Graph there_and_back() {
    GraphBuilder b;
    const TensorId in = b.input({1, 4}, 1, 0), turned = b.activation({1, 4}, 1, 0);
    const TensorId square = b.activation({2, 2}, 1, 0), out = b.activation({2, 2}, 1, 0);
    b.node(Neg{}, {in}, turned);
    b.node(Reshape{}, {turned}, square);
    b.node(Neg{}, {square}, out);
    return b.graph;
}

Json kept_tensor(const std::string& name, const std::string& address, std::uint32_t epoch) {
    return {{"name", name}, {"bytes", 4}, {"address", address}, {"first_epoch", epoch}};
}

Json report_of(const std::vector<Json>& internals) {
    return Json{{"internals", internals}};
}

std::string refusal(const Json& report) {
    const Graph graph = there_and_back();
    try {
        const LayerComparison comparison(graph, report);
    } catch (const n6vp::sim::UserError& error) {
        return error.what();
    }
    return "";
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("layer comparison: what run keeps, and the files that it becomes") {
    const Graph graph = there_and_back();
    const LayerComparison comparison(
        graph, report_of({kept_tensor("t1", "0x34200040", 1), kept_tensor("t2", "0x342e0000", 2)}));
    CHECK(comparison.run_words() ==
          Words{"--snapshot", "1:0x34200040:4", "--snapshot", "2:0x342e0000:4"});
    CHECK(comparison.files() == Words{"epoch-1-34200040.bin", "epoch-2-342e0000.bin"});
    // External RAM counts from where run puts it: behind the first megabyte of the PSRAM.
    Json outside = kept_tensor("t1", "0x00000100", 3);
    outside["external"] = true;
    CHECK(LayerComparison(graph, report_of({outside})).files() == Words{"epoch-3-90100100.bin"});
    // The user's memory, and inputs by another shape, are not kept.
    Json user = kept_tensor("t1", "0x34200040", 1);
    user["user_allocated"] = true;
    CHECK(LayerComparison(graph, report_of({user})).files().empty());
    CHECK(LayerComparison(graph, report_of({kept_tensor("t1", "0x34200040", 0)})).files().empty());
}

TEST_CASE("layer comparison: a report that is not of the network is refused") {
    const std::string start = "the report of the model: ";
    CHECK(refusal(report_of({})) == "");
    CHECK(refusal(Json::object()) == start + "it does not say where tensors are");
    CHECK(refusal(report_of({kept_tensor("other", "0x0", 1)})) ==
          start + "the network has no tensor \"other\"");
    CHECK(refusal(report_of({kept_tensor("t1", "here", 1)})) == start + "'here'");
    // In the order of the network, each once.
    CHECK(refusal(report_of({kept_tensor("t2", "0x0", 2), kept_tensor("t1", "0x0", 1)})) ==
          start + "the network has no tensor \"t1\"");
    Json larger = kept_tensor("t1", "0x0", 1);
    larger["bytes"] = 5;
    CHECK(refusal(report_of({larger})) == start + "the network has no tensor \"t1\"");
    larger.erase("bytes");
    CHECK(refusal(report_of({larger})) == start + "it does not say where tensors are");
}

TEST_CASE("layer comparison: a layer is judged by what it was given, and by the whole network") {
    const Graph graph = there_and_back();
    LayerComparison comparison(graph, report_of({kept_tensor("t1", "0x34200040", 1)}));
    // -1 -2 -3 -4 would be right, and then 1 2 3 6 of what there is, but 1 2 3 4 of the input.
    comparison.add({{1, 2, 3, 4}}, {{0xFF, 0xFE, 0xFD, 0xFA}}, {{1, 2, 3, 7}});
    const std::vector<LayerResult>& results = comparison.results();
    REQUIRE(results.size() == 2);
    CHECK(results[0].layer == "NEG t1");
    CHECK(results[0].epoch == 1);
    CHECK(results[0].own.equal == 3);
    CHECK(results[0].own.within_one == 3);
    CHECK(results[0].own.largest == 2);
    CHECK(results[0].whole.largest == 2);
    CHECK(results[1].layer == "NEG t3");
    CHECK(results[1].epoch == 0);
    CHECK(results[1].own.equal == 3);
    CHECK(results[1].own.within_one == 4);
    CHECK(results[1].own.largest == 1);
    CHECK(results[1].whole.largest == 3);
    comparison.add({{1, 2, 3, 4}}, {{0xFF, 0xFE, 0xFD, 0xFC}}, {{1, 2, 3, 4}});
    CHECK(results[0].own.elements == 8);
    CHECK(results[0].own.equal == 7);

    CHECK(unmet_layers(results, 0.875).empty());
    CHECK(unmet_layers(results, 0.9375) ==
          Words{"layer 'NEG t1': the part within 1 is 0.875, not at least 0.9375"});
    CHECK(
        layers_text(results) ==
        "\n                                                         from the model's inputs   of "
        "the whole network\n"
        "epoch layer                                    elements  equal %   in 1 %  most  equal "
        "%   in 1 %  most\n"
        "    1 NEG t1                                          8   87.500   87.500     2   87.500 "
        "  87.500     2\n"
        "  end NEG t3                                          8   87.500  100.000     1   87.500 "
        "  87.500     3\n"
        "first layer that differs: NEG t1\nfirst by more than 1: NEG t1\n");
    CHECK(
        layers_json(results) ==
        Json{{"rows",
              {{{"layer", "NEG t1"},
                {"epoch", 1},
                {"elements", 8},
                {"own", {{"equal", 0.875}, {"within_one", 0.875}, {"largest_difference", 2}}},
                {"whole", {{"equal", 0.875}, {"within_one", 0.875}, {"largest_difference", 2}}}},
               {{"layer", "NEG t3"},
                {"epoch", nullptr},
                {"elements", 8},
                {"own", {{"equal", 0.875}, {"within_one", 1.0}, {"largest_difference", 1}}},
                {"whole", {{"equal", 0.875}, {"within_one", 0.875}, {"largest_difference", 3}}}}}},
             {"first_that_differs", 0},
             {"first_beyond_one", 0}});
    CHECK(
        layers_text({}).ends_with("first layer that differs: none\nfirst by more than 1: none\n"));
    CHECK(layers_json({})["first_beyond_one"].is_null());
    CHECK(layers_json({})["rows"] == Json::array());
}

TEST_CASE("layer comparison: a name longer than its column is cut") {
    LayerResult layer;
    layer.layer = "0123456789012345678901234567890123456789x";
    layer.epoch = 12;
    layer.own.add(1, 1);
    CHECK(layers_text({layer}).find("\n   12 012345678901234567890123456789012345678         1") !=
          std::string::npos);
}

TEST_CASE("layer comparison: stored bytes of unsigned tensors, and tensors of another size") {
    GraphBuilder b;
    const TensorId in = b.input({1, 2}, 1, 0), out = b.activation({1, 2}, 1, 128);
    b.graph.tensors[out].type = ElementType::Uint8;
    b.node(Quantize{}, {in}, out);
    LayerComparison comparison(b.graph, report_of({}));
    // 127 and -1 are stored as 255 and 127.
    comparison.add({{127, 0xFF}}, {}, {{254, 128}});
    REQUIRE(comparison.results().size() == 1);
    CHECK(comparison.results()[0].own.largest == 1);
    CHECK(comparison.results()[0].own.equal == 0);
    CHECK_THROWS_AS(comparison.add({{127, 0xFF}}, {}, {{254}}), n6vp::sim::UserError);
}
