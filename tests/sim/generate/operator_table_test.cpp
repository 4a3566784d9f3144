// SPDX-License-Identifier: Apache-2.0
// What the table of operators says of each: the text of `n6vp supported-ops`, and what lowering
// asks it.
#include "sim/generate/operators/table.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "sim/generate/tflite/tflite_schema.h"

using namespace n6vp::sim::generate;

TEST_CASE("every rule says what is accepted, who computes it and what its inputs may be") {
    struct Said {
        const char *name, *forms, *generated;
        std::size_t data_inputs;
    };
    // Operators with weights have a bias besides; all that the core computes is a table, a product
    // or a probability.
    const std::vector<Said> said = {{"ADD", "int8", "NPU", 2},
                                    {"AVERAGE_POOL_2D", "int8", "NPU", 1},
                                    {"CONCATENATION", "int8 or uint8", "NPU", 64},
                                    {"CONV_2D", "int8", "NPU", 3},
                                    {"DEPTHWISE_CONV_2D", "int8", "NPU", 3},
                                    {"EXPAND_DIMS", "int8 or uint8", "no work", 1},
                                    {"FULLY_CONNECTED", "int8", "NPU", 3},
                                    {"LOGISTIC", "int8", "core", 1},
                                    {"MAX_POOL_2D", "int8", "NPU", 1},
                                    {"MEAN", "int8", "NPU", 1},
                                    {"MUL", "int8", "core", 2},
                                    {"NEG", "int8", "core", 1},
                                    {"PAD", "int8", "NPU", 1},
                                    {"PADV2", "int8", "NPU", 1},
                                    {"QUANTIZE", "int8 or uint8", "NPU", 1},
                                    {"RELU", "int8", "NPU", 1},
                                    {"RELU6", "int8", "NPU", 1},
                                    {"RELU_N1_TO_1", "int8", "NPU", 1},
                                    {"RESHAPE", "int8 or uint8", "no work", 1},
                                    {"RESIZE_BILINEAR", "int8", "", 1},
                                    {"RESIZE_NEAREST_NEIGHBOR", "int8", "NPU", 1},
                                    {"SOFTMAX", "int8", "core", 1},
                                    {"SQUEEZE", "int8 or uint8", "no work", 1},
                                    {"SUB", "int8", "NPU", 2}};
    const auto rules = operator_rules();
    REQUIRE(rules.size() == said.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
        const OperatorRule& rule = rules[i];
        CAPTURE(said[i].name);
        CHECK(std::string(rule.name) == said[i].name);
        const std::string forms = rule.forms, generated = rule.generated;
        CHECK(forms.starts_with(said[i].forms));
        CHECK(generated.starts_with(said[i].generated));
        CHECK(generated.empty() == std::string(said[i].generated).empty());
        CHECK(rule.data_inputs == said[i].data_inputs);
        const bool joins = said[i].data_inputs == 2 || said[i].data_inputs == 64;
        CHECK(rule.constants == joins);
        CHECK(rule.keeps_memory == (generated == "no work"));
        CHECK(rule.unsigned_bytes == (rule.code == 114));
    }
    CHECK(find_rule(4711) == nullptr);
    const std::string otherwise = "the operators that n6vp supported-ops lists";
    CHECK(nearest_operator(-1) == otherwise);
    CHECK(nearest_operator(41) == otherwise);
    CHECK(nearest_operator(tflite::builtin_code("DIV")) == std::string("MUL by a constant"));
    CHECK(nearest_operator(tflite::builtin_code("HARD_SWISH")) == std::string("RELU6"));
}
