// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/validate/validation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/generate/validate/layer_comparison.h"
#include "sim/host/errors.h"

using namespace n6vp::sim::generate;
using n6vp::sim::UserError;
namespace model_run = n6vp::sim::model_run;
using n6vp::sim::model_run::NumberRange;
using n6vp::sim::model_run::RandomNumbers;

namespace {

TensorForm int8_form(std::size_t elements, double scale, std::int64_t zero_point) {
    return {"out", "i1", {1, elements}, elements, scale, zero_point};
}

Bytes float_bytes(const std::vector<float>& values) {
    Bytes bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// A model that gives what it is given.
RunResult echo(const Tensors& inputs) {
    return {inputs, {}, 100};
}

}  // namespace

TEST_CASE("stored numbers become real ones and back, cut to their type") {
    const TensorForm form = int8_form(3, 0.5, -2);
    const Bytes bytes = {0, 0xFE, 0x7F};  // 0, -2, 127
    CHECK(real_values(form, bytes) == std::vector<double>{1, 0, 64.5});
    CHECK(stored_bytes(form, std::vector<double>{1, 0, 64.5}) == bytes);
    CHECK(stored_bytes(form, std::vector<double>{1e9, -1e9}) == Bytes{0x7F, 0x80});
    const TensorForm unsigned_form = {"out", "u1", {2}, 2, 1, 0};
    CHECK(real_values(unsigned_form, Bytes{255, 1}) == std::vector<double>{255, 1});
    CHECK(stored_bytes(unsigned_form, std::vector<double>{300, -1}) == Bytes{255, 0});
    const TensorForm real_form = {"out", "f4", {1}, 4, 1, 0};
    CHECK(real_values(real_form, float_bytes({1.5F})) == std::vector<double>{1.5});
}

TEST_CASE("an array is cut into samples, real numbers are quantised") {
    const TensorForm form = int8_form(2, 0.5, 0);
    const std::vector<Bytes> cut =
        cut_samples(form, {"i1", {3, 2}, {1, 2, 3, 4, 5, 6}}, "a").stored;
    CHECK(cut == std::vector<Bytes>{{1, 2}, {3, 4}, {5, 6}});
    CHECK(cut_samples(form, {"f4", {1, 2}, float_bytes({1, -1})}, "a").stored ==
          std::vector<Bytes>{{2, 0xFE}});
    CHECK_THROWS_AS(static_cast<void>(cut_samples(form, {"i1", {3}, {1, 2, 3}}, "a")), UserError);
    CHECK_THROWS_AS(static_cast<void>(cut_samples(form, {"i1", {0}, {}}, "a")), UserError);
    CHECK_THROWS_AS(static_cast<void>(cut_samples(form, {"i4", {1}, {1, 2, 3, 4}}, "a")),
                    UserError);
}

TEST_CASE("validate: a real reference is rounded before it is compared, so that errors vanish") {
    // Steps of 0.5 from -64: the reference -70 is stored as -64, which is what the model computes.
    const TensorForm form = int8_form(2, 0.5, 0);
    const Samples reference = cut_samples(form, {"f4", {1, 2}, float_bytes({-70, 1.125})}, "a");
    CHECK(reference.stored == std::vector<Bytes>{{0x80, 2}});
    CHECK(reference.real == std::vector<std::vector<double>>{{-70, 1.125}});
    CHECK(reference.saturated == 1);
    const ValidationResult result =
        validate({{{{0x80, 2}}, reference.stored, reference.real}}, {form}, false, echo);
    REQUIRE(result.outputs.size() == 1);
    CHECK(result.outputs[0].metrics.mae == (6 + 0.125) / 2);
    CHECK(result.outputs[0].stored.value_or(StoredDifferences{}).equal == 2);
    // Half a step beyond the last integer still rounds to it; a file of integers has no others.
    CHECK(cut_samples(form, {"f4", {1, 2}, float_bytes({63.75F, -64.25F})}, "a").saturated == 0);
    CHECK(cut_samples(form, {"f4", {1, 2}, float_bytes({63.8F, -64.3F})}, "a").saturated == 2);
    CHECK(cut_samples(form, {"i1", {1, 2}, {1, 2}}, "a").real.empty());
}

TEST_CASE("validate: a reference that is not a number counts as equal") {
    const TensorForm form = int8_form(2, 0.5, 0);
    const auto refusal = [](const TensorForm& of, const model_run::NpyArray& array) {
        try {
            static_cast<void>(cut_samples(of, array, "a.npy"));
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const float nan = std::nanf("");
    CHECK(refusal(form, {"f4", {2, 2}, float_bytes({0, 1, 2, nan})}) ==
          "a.npy has nan in sample 1, element 1");
    const TensorForm real = {"out", "f4", {2}, 8, 1, 0};
    CHECK(refusal(real, {"f4", {1, 2}, float_bytes({-HUGE_VALF, 1})}) ==
          "a.npy has -inf in sample 0, element 0");
    CHECK(refusal(real, {"f4", {1, 2}, float_bytes({3e38F, 1})}).empty());
}

TEST_CASE("random samples keep to a range of real numbers, or of stored integers") {
    const TensorForm form = int8_form(1000, 0.1, 0);
    const auto ends = [&](const NumberRange& range) {
        RandomNumbers random(7, range);
        const std::vector<double> values = real_values(form, random.make(number_form(form)));
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        return std::pair{*least, *most};
    };
    CHECK(ends({-1, 2}).first == doctest::Approx(-1));
    CHECK(ends({-1, 2}).second == doctest::Approx(2));
    CHECK(ends({-1, 2, true}).first == doctest::Approx(-0.1));
    CHECK(ends({-1, 2, true}).second == doctest::Approx(0.2));
}

TEST_CASE("samples are run and compared, outputs with their stored numbers") {
    const TensorForm form = int8_form(2, 1, 0);
    const std::vector<ValidationCase> cases = {{{{1, 9}}, {{1, 9}}}, {{{5, 2}}, {{3, 4}}}};
    const ValidationResult result = validate(cases, {form}, true, echo);
    REQUIRE(result.outputs.size() == 1);
    const OutputResult& output = result.outputs[0];
    CHECK(output.metrics.acc.value_or(-1) == 0.5);
    CHECK(output.metrics.mae == 1);
    REQUIRE(output.stored.has_value());
    CHECK(output.stored->equal == 2);
    CHECK(output.stored->largest == 2);
    CHECK(output.confusion.counts == std::vector<std::vector<std::uint64_t>>{{0, 0}, {1, 1}});
    CHECK(result.cycles == std::vector<std::uint64_t>{100, 100});
}

TEST_CASE("demands that are not met are named") {
    const TensorForm form = int8_form(2, 1, 0);
    const ValidationResult result = validate({{{{5, 2}}, {{3, 4}}}}, {form}, true, echo);
    CHECK(unmet(result, {}).empty());
    ValidationDemand demand;
    demand.most_difference = 2;
    CHECK(unmet(result, demand).empty());
    demand.most_difference = 1;
    demand.least_acc = 1;
    demand.least_within_one = 0.5;
    demand.least_cos = 0.99;
    const std::vector<std::string> lines = unmet(result, demand);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] == "'out': the largest difference is 2, not at most 1");
    CHECK(lines[2] == "'out': acc is 0, not at least 1");
    // Without a classifier there is no accuracy to judge.
    const ValidationResult plain = validate({{{{5, 2}}, {{3, 4}}}}, {form}, false, echo);
    ValidationDemand accuracy;
    accuracy.least_acc = 0;
    CHECK(unmet(plain, accuracy).size() == 1);
}

TEST_CASE("a network with other tensors than the model's is refused, with both") {
    const std::vector<TensorForm> model = {{"in", "i1", {1, 49, 10, 1}, 490, 0.5, 83}};
    const auto refusal = [&](const std::vector<TensorForm>& network) -> std::string {
        try {
            require_same_forms(model, network, "input");
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    CHECK(refusal(model) == "");
    CHECK(refusal({{"other name", "i1", {49, 10}, 490, 0.5000001, 83}}) == "");
    TensorForm unknown = model[0];
    unknown.quantised = false;
    unknown.scale = 1;
    CHECK(refusal({unknown}) == "");
    CHECK(refusal({{"in", "i1", {1, 96, 96, 3}, 27648, 0.5, 83}}) ==
          "the network is not the model's: input 0 is 1x96x96x3 of i1, 0.5 (x - 83) in the "
          "network, 1x49x10x1 of i1, 0.5 (x - 83) in the model");
    CHECK(refusal({{"in", "u1", {1, 49, 10, 1}, 490, 0.5, 83}}) != "");
    CHECK(refusal({{"in", "i1", {1, 49, 10, 1}, 490, 0.5, 84}}) != "");
    CHECK(refusal({{"in", "i1", {1, 49, 10, 1}, 490, 0.51, 83}}) != "");
    CHECK(refusal({{"in", "i1", {1, 10, 49, 1}, 490, 0.5, 83}}) != "");
    CHECK(refusal({model[0], model[0]}) ==
          "the network is not the model's: it has 2 inputs, the model 1");
}

TEST_CASE("a reference of another size is refused") {
    const TensorForm form = int8_form(2, 1, 0);
    CHECK_THROWS_AS(static_cast<void>(validate({{{{1, 2}}, {{1}}}}, {form}, false, echo)),
                    UserError);
    CHECK_THROWS_AS(static_cast<void>(validate({{{{1, 2}}, {}}}, {form}, false, echo)), UserError);
}

TEST_CASE("reports give what is not known as such") {
    const TensorForm form = int8_form(2, 1, 0);
    const ValidationResult result = validate({{{{0, 0}}, {{0, 0}}}}, {form}, false, echo);
    CHECK(validation_text(result).find("n.a.") != std::string::npos);
    const n6vp::sim::Json document = validation_json(result);
    CHECK(document.at("schema") == "n6vp.validate/1");
    CHECK(document.at("outputs").at(0).at("cos").is_null());
    CHECK(document.at("outputs").at(0).at("equal") == 1.0);
}

TEST_CASE("the first layer that differs is none that is equal") {
    std::vector<LayerResult> layers(4);
    const auto numbers = [&layers] {
        const FirstDeviations first = first_deviations(layers);
        return std::pair{first.any, first.beyond_one};
    };
    for (LayerResult& layer : layers) layer.own.add(5, 5);
    CHECK(numbers() == std::pair{std::optional<std::size_t>{}, std::optional<std::size_t>{}});
    // Of the whole network: not by itself.
    layers[0].whole.add(5, 7);
    layers[1].own.add(5, 6);
    layers[2].own.add(5, 5 + 2);
    layers[3].own.add(5, 9);
    CHECK(numbers() == std::pair{std::optional<std::size_t>{1}, std::optional<std::size_t>{2}});
}
