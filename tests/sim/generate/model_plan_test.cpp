// SPDX-License-Identifier: Apache-2.0
// What lowering makes of a network as a whole: names, lifetimes and places of its tensors, memory
// that does not suffice, and the epochs of the core.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/generate/operators/lower_graph.h"
#include "sim/host/errors.h"
#include "tests/sim/generate/graph_builder.h"

using namespace n6vp::sim::generate;
using namespace n6vp::test;

namespace {

LoweringOptions pools(std::vector<PlacedPool> list) {
    LoweringOptions options;
    options.activations = std::move(list);
    return options;
}

LoweringOptions chip() {
    return pools(default_activation_pools());
}

/// Negated, of another shape, negated again: two epochs of the core.
Graph there_and_back() {
    GraphBuilder b;
    const TensorId in = b.input({1, 100}, 0.5F, 3), turned = b.activation({1, 100}, 0.5F, -4);
    const TensorId square = b.activation({10, 10}, 0.5F, -4);
    const TensorId out = b.activation({10, 10}, 0.5F, 6);
    b.node(Neg{}, {in}, turned);
    b.node(Reshape{}, {turned}, square);
    b.node(Neg{}, {square}, out);
    b.graph.name = "back";
    return b.graph;
}

std::string refusal(const Graph& graph, const LoweringOptions& options) {
    try {
        static_cast<void>(lower_graph(graph, options));
    } catch (const n6vp::sim::UserError& error) {
        return error.what();
    }
    return "";
}

std::string plan_name(const std::string& name) {
    Graph graph = there_and_back();
    graph.name = name;
    return lower_graph(graph, chip()).name;
}

}  // namespace

TEST_CASE("model plan: a name is an identifier of 40 characters") {
    CHECK(plan_name("Net_a9z0Z") == "Net_a9z0Z");
    CHECK(plan_name("a-b c.d") == "a_b_c_d");
    CHECK(plan_name("9net") == "n_9net");
    CHECK(plan_name("0") == "n_0");
    CHECK(plan_name("_x") == "_x");
    CHECK(plan_name("") == "n_");
    CHECK(plan_name("`{@[/:") == "______");
    CHECK(plan_name(std::string(50, 'k')) == std::string(40, 'k'));
}

TEST_CASE("model plan: tensors with what they are, where, and how long") {
    const ModelPlan plan = lower_graph(there_and_back(), chip());
    REQUIRE(plan.epochs.size() == 2);
    REQUIRE(plan.inputs.size() == 1);
    const PlacedTensor& in = plan.inputs[0];
    CHECK(in.name == "t0");
    CHECK(in.shape == std::vector<std::uint32_t>{1, 100});
    CHECK(in.type == ElementType::Int8);
    CHECK(in.bytes == 100);
    CHECK(in.scale == 0.5F);
    CHECK(in.zero_point == 3);
    CHECK(in.pool == "npuRAM5");
    CHECK(in.at.base == Base::Absolute);
    // An input stays for the next inference; the end is one behind the three layers.
    CHECK(in.first_epoch == 0);
    CHECK(in.last_epoch == 4);
    REQUIRE(plan.internals.size() == 2);
    CHECK(plan.internals[0].name == "t1");
    CHECK(plan.internals[0].zero_point == -4);
    CHECK(plan.internals[1].name == "t2");
    CHECK(plan.internals[1].shape == std::vector<std::uint32_t>{10, 10});
    for (const PlacedTensor& between : plan.internals) {
        CHECK(between.first_epoch == 1);
        CHECK(between.last_epoch == 2);
        CHECK(between.at.offset == plan.internals[0].at.offset);
    }
    REQUIRE(plan.outputs.size() == 1);
    CHECK(plan.outputs[0].name == "t3");
    CHECK(plan.outputs[0].first_epoch == 2);
    CHECK(plan.outputs[0].last_epoch == 4);
    CHECK_FALSE(plan.user_inputs);
    CHECK_FALSE(plan.user_outputs);
    // Three tensors of 100 bytes, of which all live in the second epoch: 128 each.
    REQUIRE(plan.activations.size() == 1);
    CHECK(plan.activations[0].name == "npuRAM5");
    CHECK(plan.activations[0].address == 0x342E0000);
    CHECK(plan.activations[0].bytes == 3 * 128);
    // Loaders want parameters.
    CHECK(plan.weights.size() == 8);
    CHECK(plan.weights_in_place);
    CHECK(plan.weights_pool == "flash");
}

TEST_CASE("model plan: pools of the chip are the npuRAM banks of 448 KiB") {
    const std::vector<PlacedPool> banks = default_activation_pools();
    REQUIRE(banks.size() == 3);
    const char* const names[] = {"npuRAM5", "npuRAM4", "npuRAM3"};
    for (std::uint32_t i = 0; i < 3; ++i) {
        CHECK(banks[i].name == names[i]);
        CHECK(banks[i].address == 0x34200000 + (2 - i) * 448 * 1024);
        CHECK(banks[i].bytes == 448 * 1024);
        CHECK_FALSE(banks[i].external);
    }
    CHECK(default_weights_pool().name == "npuRAM6");
    CHECK(default_weights_pool().address == 0x34200000 + 3 * 448 * 1024);
    CHECK(default_weights_pool().bytes == 448 * 1024);
}

TEST_CASE("model plan: memory of the user, and tensors that cannot have it") {
    LoweringOptions options = chip();
    options.user_inputs = options.user_outputs = true;
    const ModelPlan plan = lower_graph(there_and_back(), options);
    CHECK(plan.user_inputs);
    CHECK(plan.user_outputs);
    CHECK(plan.inputs[0].at.base == user_base(0));
    CHECK(plan.inputs[0].at.offset == 0);
    CHECK(plan.inputs[0].pool.empty());
    CHECK(plan.outputs[0].at.base == user_base(1));
    CHECK(plan.activations[0].bytes == 128);
    options.user_inputs = false;
    const ModelPlan outputs = lower_graph(there_and_back(), options);
    CHECK(outputs.inputs[0].at.base == Base::Absolute);
    CHECK(outputs.outputs[0].at.base == user_base(0));

    GraphBuilder b;
    const TensorId in = b.input({1, 8}, 1, 0);
    b.node(Reshape{}, {in}, b.activation({8}, 1, 0));
    options.user_inputs = true;
    CHECK(refusal(b.graph, options) ==
          "'t1' cannot have separate memory: it shares memory with another tensor, or there are "
          "too many");
    options.user_outputs = false;
    CHECK(refusal(b.graph, options) == "");
    // 200 tensors have a base.
    for (const std::size_t count : {std::size_t{200}, std::size_t{201}}) {
        GraphBuilder many;
        const TensorId first = many.input({1, 1}, 1, 0);
        for (std::size_t i = 1; i < count; ++i) many.input({1, 1}, 1, 0);
        many.node(Neg{}, {first}, many.activation({1, 1}, 1, 0));
        CAPTURE(count);
        CHECK(refusal(many.graph, options).empty() == (count == 200));
    }
}

TEST_CASE("model plan: memory that does not suffice is named with what is missing") {
    const Graph graph = there_and_back();
    const std::string start = "the activations do not fit: tensor 't";
    CHECK(refusal(graph, pools({{"a", 0x34200000, 64}, {"b", 0x34270000, 100}})) ==
          start +
              "0' needs 128 bytes from epoch 0 to 4; a has 64 of 64 bytes free in one piece, 64 "
              "too few, b has 100 of 100 bytes free in one piece, 28 too few");
    CHECK(refusal(graph, pools({{"", 0x34200000, 256}})) ==
          start +
              "3' needs 128 bytes from epoch 2 to 4; (no name) has 0 of 256 bytes free in one "
              "piece, 128 too few");
    CHECK(refusal(graph, pools({})) ==
          start +
              "0' needs 128 bytes from epoch 0 to 4; no pool is left for them besides the pool of "
              "the weights");
    // The second pool takes the third tensor; the first one that is not used is left out.
    const ModelPlan plan = lower_graph(
        graph, pools({{"none", 0x34000000, 8}, {"a", 0x34200000, 256}, {"out", 0, 4096, true}}));
    REQUIRE(plan.activations.size() == 2);
    CHECK(plan.activations[0].name == "a");
    CHECK(plan.activations[0].bytes == 256);
    CHECK(plan.activations[1].name == "out");
    CHECK(plan.activations[1].bytes == 128);
    CHECK(plan.activations[1].external);
    CHECK(plan.outputs[0].at.base == Base::External);
    CHECK(plan.outputs[0].pool == "out");
    CHECK(std::get<CoreEpoch>(plan.epochs[1]).output.base == Base::External);
}

TEST_CASE("model plan: copied weights go to a pool that holds them") {
    GraphBuilder b;
    const TensorId in = b.input({1, 1, 1, 8}, 0.5F, 0);
    const TensorId by = b.weights({8, 1, 1, 8}, {0.25F}, 0, std::vector<int>(64, 3));
    b.node(Conv2D{}, {in, by}, b.activation({1, 1, 1, 8}, 1, 0));
    LoweringOptions options = chip();
    CHECK(lower_graph(b.graph, options).weights_in_place);
    options.weights_copy = PlacedPool{"bank", 0x34350000, 4096};
    const ModelPlan copied = lower_graph(b.graph, options);
    CHECK_FALSE(copied.weights_in_place);
    CHECK(copied.weights_pool == "bank");
    CHECK(copied.weights_address == 0x34350000);
    const auto bytes = static_cast<std::uint32_t>(copied.weights.size());
    CHECK(bytes >= 64);
    options.weights_copy->bytes = bytes;
    CHECK(refusal(b.graph, options) == "");
    options.weights_copy->bytes = bytes - 1;
    CHECK(refusal(b.graph, options) == "the weights have " + std::to_string(bytes) +
                                           " bytes, pool bank has " + std::to_string(bytes - 1));
}

TEST_CASE("model plan: ends of the network have 8 bits and one scale") {
    const auto changed = [](TensorId id, const auto& change) {
        Graph graph = there_and_back();
        change(graph.tensors[id]);
        return refusal(graph, chip());
    };
    const std::string whole = " that is not quantised as a whole";
    CHECK(changed(0, [](Tensor& tensor) { tensor.type = ElementType::Int16; }) ==
          "an input 't0' of int16" + whole);
    CHECK(changed(3, [](Tensor& tensor) { tensor.quantisation = {}; }) ==
          "an output 't3' of int8" + whole);
    CHECK(changed(0, [](Tensor& tensor) {
              tensor.quantisation.scale = {1, 1};
          }) == "an input 't0' of int8" + whole);
    CHECK(changed(1, [](Tensor& tensor) {
              tensor.quantisation.scale = {1, 1};
          }) == "NEG (layer 0, 't1'): a tensor of int8 that is not quantised to int8 as a whole");
    CHECK(changed(1, [](Tensor& tensor) { tensor.type = ElementType::Uint8; }) ==
          "NEG (layer 0, 't1'): a tensor of uint8 that is not quantised to int8 as a whole");
}

TEST_CASE("model plan: a table of the core has every byte's result") {
    const ModelPlan plan = lower_graph(there_and_back(), chip());
    const auto& epoch = std::get<CoreEpoch>(plan.epochs[0]);
    CHECK(epoch.name == "NEG t1");
    CHECK(epoch.choice == "table on the core");
    CHECK(epoch.elements == 100);
    CHECK(epoch.estimated_cycles == 6 * 100);
    REQUIRE(epoch.inputs.size() == 1);
    CHECK(epoch.inputs[0].bytes == 100);
    CHECK(epoch.inputs[0].at.offset == plan.inputs[0].at.offset);
    CHECK(epoch.output.offset == plan.internals[0].at.offset);
    const auto& table = std::get<LookupWork>(epoch.work).table;
    // Stored x means x - 3, its negative is stored as 3 - x - 4.
    for (int stored = -128; stored < 128; ++stored) {
        CAPTURE(stored);
        CHECK(static_cast<std::int8_t>(table[static_cast<std::uint8_t>(stored)]) == -1 - stored);
    }
}

TEST_CASE("model plan: sums and products of the core with their factors") {
    const auto work = [](Operator op, const std::vector<std::uint32_t>& right) {
        GraphBuilder b;
        const TensorId x = b.input({1, 4, 5, 6}, 0.5F, 1), y = b.input(right, 0.25F, 2);
        b.node(std::move(op), {x, y}, b.activation({1, 4, 5, 6}, 2, -5));
        const ModelPlan plan = lower_graph(b.graph, chip());
        const auto& epoch = std::get<CoreEpoch>(plan.epochs.at(0));
        const auto& pair = std::get<PairWork>(epoch.work);
        CHECK(epoch.elements == 120);
        CHECK(pair.lengths == std::array<std::uint32_t, 4>{1, 4, 5, 6});
        CHECK(pair.x.zero_point == 1);
        CHECK(pair.y.zero_point == 2);
        CHECK(pair.zero_point == -5);
        CHECK(pair.low == -128);
        CHECK(pair.high == 127);
        return epoch;
    };
    const CoreEpoch sum = work(Add{}, {6});
    CHECK(sum.choice == "sum on the core");
    const auto& added = std::get<PairWork>(sum.work);
    CHECK(added.kind == PairKind::Sum);
    CHECK(added.x.steps == std::array<std::uint32_t, 4>{0, 30, 6, 1});
    CHECK(added.y.steps == std::array<std::uint32_t, 4>{0, 0, 0, 1});
    // By twice the larger scale: 1/2 and 1/4; then 1 / (2^20 * 2) = 2^-21 = 1/2 * 2^-20.
    CHECK(added.x.multiplier.significand == 1 << 30);
    CHECK(added.x.multiplier.exponent == 0);
    CHECK(added.y.multiplier.exponent == -1);
    CHECK(added.multiplier.significand == 1 << 30);
    CHECK(added.multiplier.exponent == -20);
    CHECK(std::get<PairWork>(work(Sub{}, {1, 4, 5, 1}).work).kind == PairKind::Difference);
    CHECK(std::get<PairWork>(work(Sub{}, {1, 4, 5, 1}).work).y.steps ==
          std::array<std::uint32_t, 4>{0, 5, 1, 0});
    const CoreEpoch product = work(Mul{}, {1, 4, 5, 6});
    CHECK(product.choice == "product on the core");
    const auto& multiplied = std::get<PairWork>(product.work);
    CHECK(multiplied.kind == PairKind::Product);
    // 1/2 * 1/4 / 2 = 1/16 = 1/2 * 2^-3
    CHECK(multiplied.multiplier.significand == 1 << 30);
    CHECK(multiplied.multiplier.exponent == -3);
}

TEST_CASE("model plan: softmax with its table of exponentials, of up to 512 classes") {
    const auto graph = [](std::uint32_t classes, float scale, std::int32_t zero) {
        GraphBuilder b;
        Softmax op;
        op.beta = 2;
        const TensorId in = b.input({3, classes}, 0.125F, 7);
        b.node(op, {in}, b.activation({3, classes}, scale, zero));
        return b.graph;
    };
    const ModelPlan plan = lower_graph(graph(512, 1.0F / 256, -128), chip());
    const auto& epoch = std::get<SoftmaxEpoch>(plan.epochs.at(0));
    CHECK(epoch.name == "SOFTMAX t1");
    CHECK(epoch.rows == 3);
    CHECK(epoch.elements == 512);
    CHECK(epoch.input.offset == plan.inputs[0].at.offset);
    CHECK(epoch.output.offset == plan.outputs[0].at.offset);
    for (const std::size_t steps : {0U, 1U, 4U, 255U}) {
        CAPTURE(steps);
        const double exact = std::exp(-0.25 * static_cast<double>(steps)) * 4194304;
        CHECK(std::abs(static_cast<double>(epoch.table[steps]) - exact) <= 0.5);
    }
    const std::string said =
        "SOFTMAX (layer 0, 't1'): more than 512 classes, or another output than 1/256 from -128";
    CHECK(refusal(graph(513, 1.0F / 256, -128), chip()) == said);
    CHECK(refusal(graph(512, 1.0F / 128, -128), chip()) == said);
    CHECK(refusal(graph(512, 1.0F / 256, -127), chip()) == said);
}
