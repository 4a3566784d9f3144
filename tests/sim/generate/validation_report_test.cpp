// SPDX-License-Identifier: Apache-2.0
// What `n6vp validate` prints and judges, of results by hand, and the types that it compares.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "sim/generate/validate/validation.h"
#include "sim/host/errors.h"

using namespace n6vp::sim::generate;
using n6vp::sim::Json;
using n6vp::sim::UserError;

namespace {

/// Two of five samples of a classifier.
ValidationResult two_of_five() {
    ValidationResult result;
    result.wanted = 5;
    result.done = 2;
    result.cycles = {200, 100, 300};
    OutputResult output;
    output.form = {"out\x1b", "i1", {1, 3}, 3, 0.5, -2};
    output.metrics.samples = 2;
    output.metrics.elements = 6;
    output.metrics.acc = 0.5;
    output.metrics.rmse = 1.25;
    output.metrics.mae = 0.625;
    output.metrics.mean = -0.25;
    output.metrics.std = 0.125;
    output.metrics.nse = 0.75;
    output.metrics.cos = 1;
    output.stored.emplace();
    for (const int computed : {5, 5, 5, 6, 4, 9}) output.stored->add(5, computed);
    output.confusion.counts = {{1, 0}, {12, 3}};
    result.outputs = {output};
    return result;
}

/// One output of real numbers.
ValidationResult real_output() {
    ValidationResult result;
    result.wanted = result.done = 1;
    OutputResult output;
    output.form = {"real", "f4", {1, 2}, 8, 1, 0, false};
    output.metrics.cos = 0.5;
    result.outputs = {output};
    return result;
}

std::string refusal_of_type(const std::string& type) {
    const TensorForm form = {"x", type, {1}, 8, 1, 0};
    try {
        static_cast<void>(form.elements());
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

template <class Float>
Bytes bytes_of(const std::vector<Float>& values) {
    Bytes bytes(values.size() * sizeof(Float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

}  // namespace

TEST_CASE("validate report: the text, line by line") {
    CHECK(
        validation_text(two_of_five()) ==
        "partial: interrupted after 2 of 5 samples\n"
        "output               samples       acc      rmse       mae       l2r      mean       std "
        "      nse       cos\n"
        "out\\x1b                    2  0.500000  1.250000  0.625000      n.a. -0.250000  "
        "0.125000  0.750000  1.000000\n"
        "\n'out\\x1b' as stored: 50.00 % equal, 83.33 % within 1, largest difference 4\n"
        "\nclass of the reference (lines) and of the model (columns)\n"
        "          0    1\n"
        "     0    1    .\n"
        "     1   12    3\n"
        "\ninference: 100 to 300 core cycles\n");
    ValidationResult whole = two_of_five();
    whole.done = 5;
    whole.cycles.clear();
    whole.outputs[0].form.name = "0123456789012345678901234";
    whole.outputs[0].confusion.counts.clear();
    const std::string text = validation_text(whole);
    CHECK(text.starts_with("output  "));
    CHECK(text.find("\n0123456789012345678        2  0.5") != std::string::npos);
    CHECK(text.ends_with("largest difference 4\n"));
}

TEST_CASE("validate report: a matrix of more than 20 classes is in the document only") {
    for (const std::size_t classes : {std::size_t{20}, std::size_t{21}}) {
        ValidationResult result = two_of_five();
        result.outputs[0].confusion.counts.assign(classes, std::vector<std::uint64_t>(classes, 1));
        CAPTURE(classes);
        CHECK((validation_text(result).find("class of the reference") != std::string::npos) ==
              (classes == 20));
        CHECK(validation_json(result)["outputs"][0]["confusion"].size() == classes);
    }
}

TEST_CASE("validate report: the document") {
    const Json json = validation_json(two_of_five());
    CHECK(json["samples"] == 2);
    CHECK(json["partial"] == true);
    CHECK(json["cycles"] == Json::array({200, 100, 300}));
    CHECK(json["outputs"] == Json::array({{{"name", "out\x1b"},
                                           {"type", "i1"},
                                           {"shape", {1, 3}},
                                           {"samples", 2},
                                           {"elements", 6},
                                           {"acc", 0.5},
                                           {"rmse", 1.25},
                                           {"mae", 0.625},
                                           {"l2r", nullptr},
                                           {"mean", -0.25},
                                           {"std", 0.125},
                                           {"nse", 0.75},
                                           {"cos", 1.0},
                                           {"equal", 0.5},
                                           {"within_one", 5.0 / 6},
                                           {"largest_difference", 4},
                                           {"confusion", {{1, 0}, {12, 3}}}}}));
    const Json real = validation_json(real_output());
    CHECK(real["partial"] == false);
    for (const char* key : {"equal", "within_one", "largest_difference", "confusion"})
        CHECK_FALSE(real["outputs"][0].contains(key));
    CHECK(real["outputs"][0]["acc"].is_null());
}

TEST_CASE("validate: a demand is met by what is as good as it") {
    ValidationDemand demand;
    demand.most_difference = 4;
    demand.least_within_one = 5.0 / 6;
    demand.least_acc = 0.5;
    demand.least_cos = 1;
    CHECK(unmet(two_of_five(), demand).empty());
    demand.most_difference = 3;
    demand.least_within_one = 0.875;
    demand.least_acc = 0.75;
    demand.least_cos = 1.5;
    CHECK(unmet(two_of_five(), demand) ==
          std::vector<std::string>{"'out\\x1b': the largest difference is 4, not at most 3",
                                   "'out\\x1b': the part within 1 is 0.833333, not at least 0.875",
                                   "'out\\x1b': acc is 0.5, not at least 0.75",
                                   "'out\\x1b': cos is 1, not at least 1.5"});
    // Real numbers have no stored differences.
    CHECK(unmet(real_output(), demand) ==
          std::vector<std::string>{"'real': the largest difference is not known, not at most 3",
                                   "'real': the part within 1 is not known, not at least 0.875",
                                   "'real': acc is not known, not at least 0.75",
                                   "'real': cos is 0.5, not at least 1.5"});
}

TEST_CASE("validate: types, their sizes and what has no other form") {
    CHECK(TensorForm{"x", "i1", {6}, 8, 1, 0}.elements() == 8);
    CHECK(TensorForm{"x", "u1", {6}, 8, 1, 0}.elements() == 8);
    CHECK(TensorForm{"x", "f4", {6}, 8, 1, 0}.elements() == 2);
    CHECK(TensorForm{"x", "f8", {6}, 8, 1, 0}.elements() == 1);
    CHECK(refusal_of_type("i2") == "a tensor of type i2");
    CHECK(refusal_of_type("") == "a tensor of type ");
    const TensorForm real = {"x", "f4", {2}, 8, 1, 0};
    CHECK(stored_bytes(real, std::vector<double>{1.5, -0.25}) == bytes_of<float>({1.5F, -0.25F}));
    const TensorForm wide = {"x", "f8", {2}, 16, 1, 0};
    CHECK(real_values(wide, bytes_of<double>({1.1, -2})) == std::vector<double>{1.1, -2});
    // Halves go away from zero; what is no number becomes the lowest.
    const TensorForm form = {"x", "i1", {5}, 5, 0.5, 10};
    CHECK(stored_bytes(form, std::vector<double>{0.25, -0.25, 0.24, 58.5, 58.6, 59, std::nan(""),
                                                 -69, -69.3}) ==
          Bytes{11, 9, 10, 127, 127, 127, 0x80, 0x80, 0x80});
    const TensorForm positive = {"x", "u1", {2}, 2, 1, 0};
    CHECK(stored_bytes(positive, std::vector<double>{255, 254.4, 1, std::nan("")}) ==
          Bytes{255, 254, 1, 0});
    CHECK(cut_samples(form, {"f8", {1, 5}, bytes_of<double>({0, 0.5, 1, 1.5, -0.5})}, "a").stored ==
          std::vector<Bytes>{{10, 11, 12, 13, 9}});
}

TEST_CASE("validate: the form of a tensor of the network") {
    Tensor tensor;
    tensor.name = "t";
    tensor.shape = {1, 3, 2};
    tensor.quantisation.scale = {0.25F};
    tensor.quantisation.zero_point = {-7};
    const TensorForm form = form_of(tensor);
    CHECK(form.name == "t");
    CHECK(form.type == "i1");
    CHECK(form.shape == std::vector<std::uint64_t>{1, 3, 2});
    CHECK(form.bytes == 6);
    CHECK(form.scale == 0.25);
    CHECK(form.zero_point == -7);
    CHECK(form.quantised);
    tensor.type = ElementType::Uint8;
    CHECK(form_of(tensor).type == "u1");
    const auto number = number_form(form);
    CHECK(number.bytes == 6);
    CHECK(number.scale == 0.25);
    CHECK(number.zero_point == -7);
}

TEST_CASE("validate: scales of printed reports differ in the sixth place at most") {
    const auto same = [](double scale) {
        const TensorForm model = {"in", "i1", {1, 4}, 4, scale, 0};
        try {
            require_same_forms({model}, {{"in", "i1", {4, 1}, 4, 1.0, 0}}, "output");
        } catch (const UserError&) {
            return false;
        }
        return true;
    };
    CHECK(same(1 + 0.9e-5));
    CHECK(same(1 - 0.9e-5));
    CHECK_FALSE(same(1 + 1.1e-5));
    CHECK_FALSE(same(1 - 1.1e-5));
}

TEST_CASE("validate: another number of outputs or references is an error, cycles may be missing") {
    const TensorForm form = {"out", "i1", {1, 2}, 2, 1, 0};
    const auto run = [](const Tensors& inputs) { return RunResult{inputs, {}, std::nullopt}; };
    const ValidationResult result = validate({{{{1, 9}}, {{1, 9}}}}, {form}, false, run);
    CHECK(result.cycles.empty());
    CHECK(result.wanted == 1);
    CHECK(result.done == 1);
    CHECK(result.outputs[0].confusion.counts.empty());
    const auto error = [&](const ValidationCase& one) {
        try {
            static_cast<void>(validate({one}, {form}, false, run));
        } catch (const UserError& fault) {
            return std::string(fault.what());
        }
        return std::string();
    };
    CHECK(error({{{1, 9}, {2, 2}}, {{1, 9}}}) == "2 outputs and 1 references for 1 outputs");
    CHECK(error({{{1, 9}}, {{1, 9}, {1, 9}}}) == "1 outputs and 2 references for 1 outputs");
    CHECK(error({{{1, 9, 4}}, {{1, 9}}}) == "output 'out' has 3 bytes, its reference 2, not 2");
    // No case at all is a result without samples.
    CHECK(validate({}, {form}, false, run).outputs[0].metrics.samples == 0);
}
