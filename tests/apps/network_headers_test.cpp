// SPDX-License-Identifier: Apache-2.0
// Headers of static networks: what is written for a network is what the sample applications are
// compiled with.
#include <doctest/doctest.h>

#include <string>

#include "sim/generate/emit/client_headers.h"
#include "tests/support/process.h"

using namespace n6vp::sim::generate;

namespace {

std::string committed(const std::string& file) {
    return n6vp::test::read_text(std::string(N6VP_NETWORK_HEADERS) + "/" + file);
}

TEST_CASE("headers of a static network: dense, input and output in the activations") {
    ClientNetwork network;
    network.name = "dense";
    network.origin = "dense.c";
    network.inputs = {{"FLOAT", 1, 1, 16, 64}};
    network.outputs = {{"FLOAT", 1, 1, 4, 16}};
    network.activations = {112};
    network.weights = {688};
    network.nodes = 3;
    network.inputs_in_activations = network.outputs_in_activations = true;
    CHECK(client_header(network) == committed("dense.h"));
    CHECK(client_data_header(network) == committed("dense_data.h"));
}

TEST_CASE("headers of a static network: conv, signed bytes") {
    ClientNetwork network;
    network.name = "conv";
    network.origin = "conv.c";
    network.inputs = {{"S8", 10, 10, 2, 200}};
    network.outputs = {{"S8", 1, 1, 4, 4}};
    network.activations = {256};
    network.weights = {88};
    network.nodes = 2;
    CHECK(client_header(network) == committed("conv.h"));
    CHECK(client_data_header(network) == committed("conv_data.h"));
}

TEST_CASE("headers of a static network: several inputs, outputs and buffers") {
    ClientNetwork network;
    network.name = "buffers";
    network.origin = "buffers.c";
    network.inputs = network.outputs = {{"FLOAT", 1, 1, 12, 48}, {"FLOAT", 1, 1, 12, 48}};
    network.activations = {48, 64};
    network.weights = {48, 48};
    network.nodes = 4;
    CHECK(client_header(network) == committed("buffers.h"));
    CHECK(client_data_header(network) == committed("buffers_data.h"));
}

TEST_CASE("headers of a static network: names that C functions and files can have") {
    for (const char* const good : {"network", "n", "keyword_spotting_2"})
        CHECK(is_client_name(good));
    for (const char* const bad : {"", "2d", "_n", "Network", "a-b", "a b", "a/../b", "\xc3\xa4"})
        CHECK_FALSE(is_client_name(bad));
    CHECK(is_client_name(std::string(64, 'a')));
    CHECK_FALSE(is_client_name(std::string(65, 'a')));
}

TEST_CASE("headers of a static network: an origin of any text stays within its string") {
    ClientNetwork network;
    network.name = "network";
    network.origin = "a\"b\\c\n?\x01.tflite";
    CHECK(client_header(network).find("MODEL_NAME \"a_b_c___.tflite\"\n") != std::string::npos);
}

}  // namespace
