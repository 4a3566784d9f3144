// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/generate/tflite_builder.h"

#include <algorithm>

namespace n6vp::test {

namespace {

void put(std::vector<std::uint8_t>& out, std::size_t at, const void* value, std::size_t bytes) {
    std::memcpy(out.data() + at, value, bytes);
}

std::size_t grow(std::vector<std::uint8_t>& out, std::size_t bytes) {
    out.resize((out.size() + 3) / 4 * 4);
    const std::size_t at = out.size();
    out.resize(at + bytes);
    return at;
}

/// Lets the offset at `from` lead to `to`.
void point(std::vector<std::uint8_t>& out, std::size_t from, std::size_t to) {
    const auto offset = static_cast<std::uint32_t>(to - from);
    put(out, from, &offset, sizeof offset);
}

}  // namespace

std::size_t FlatObject::append(std::vector<std::uint8_t>& out) const {
    // Every field has a place of its own of four or eight bytes behind the vtable's offset.
    std::map<unsigned, std::uint16_t> places;
    std::uint16_t table_bytes = 4;
    unsigned fields = 0;
    const auto place = [&](unsigned field, std::size_t bytes) {
        places[field] = table_bytes;
        table_bytes = static_cast<std::uint16_t>(table_bytes + (bytes > 4 ? 8 : 4));
        fields = std::max(fields, field + 1);
    };
    for (const auto& [field, bytes] : scalars_) place(field, bytes.size());
    for (const auto& [field, vector] : vectors_) place(field, 4);
    for (const auto& [field, value] : single_) place(field, 4);
    for (const auto& [field, list] : many_) place(field, 4);

    const auto vtable_bytes = static_cast<std::uint16_t>(4 + 2 * fields);
    const std::size_t vtable = grow(out, vtable_bytes);
    put(out, vtable, &vtable_bytes, 2);
    put(out, vtable + 2, &table_bytes, 2);
    for (const auto& [field, offset] : places)
        put(out, vtable + 4 + std::size_t{2} * field, &offset, 2);
    const std::size_t table = grow(out, table_bytes);
    const auto back = static_cast<std::int32_t>(table - vtable);
    put(out, table, &back, sizeof back);
    for (const auto& [field, bytes] : scalars_) {
        put(out, table + places[field], bytes.data(), bytes.size());
    }
    for (const auto& [field, vector] : vectors_) {
        const std::size_t at = grow(out, 4 + vector.bytes.size());
        put(out, at, &vector.count, 4);
        if (!vector.bytes.empty()) put(out, at + 4, vector.bytes.data(), vector.bytes.size());
        point(out, table + places[field], at);
    }
    for (const auto& [field, value] : single_) {
        point(out, table + places[field], value.front().append(out));
    }
    for (const auto& [field, list] : many_) {
        const std::size_t at = grow(out, 4 + 4 * list.size());
        const auto count = static_cast<std::uint32_t>(list.size());
        put(out, at, &count, 4);
        point(out, table + places[field], at);
        for (std::size_t i = 0; i < list.size(); ++i)
            point(out, at + 4 + 4 * i, list[i].append(out));
    }
    return table;
}

std::vector<std::uint8_t> FlatObject::file(const std::string& identifier) const {
    std::vector<std::uint8_t> out(8);
    put(out, 4, identifier.data(), std::min<std::size_t>(4, identifier.size()));
    const std::size_t root = append(out);
    point(out, 0, root);
    return out;
}

FlatObject FileNetwork::model() const {
    std::vector<FlatObject> buffers = {FlatObject{}};
    std::vector<FlatObject> tables;
    for (const FileTensor& tensor : tensors) {
        std::uint32_t buffer = 0;
        if (!tensor.data.empty()) {
            buffer = static_cast<std::uint32_t>(buffers.size());
            buffers.push_back(FlatObject{}.numbers(0, tensor.data));
        }
        FlatObject quantisation;
        if (!tensor.scale.empty()) {
            quantisation.numbers(2, tensor.scale).numbers(3, tensor.zero_point);
            quantisation.number(6, tensor.axis);
        }
        tables.push_back(FlatObject{}
                             .numbers(0, tensor.shape)
                             .number(1, tensor.type)
                             .number(2, buffer)
                             .text(3, tensor.name)
                             .table(4, quantisation));
    }
    std::vector<FlatObject> codes;
    std::vector<FlatObject> nodes;
    for (const FileOperator& op : operators) {
        FlatObject code;
        code.number(0, static_cast<std::int8_t>(std::min(op.code, 127))).number(3, op.code);
        if (!op.custom.empty()) code.text(1, op.custom);
        nodes.push_back(FlatObject{}
                            .number(0, static_cast<std::uint32_t>(codes.size()))
                            .numbers(1, op.inputs)
                            .numbers(2, op.outputs)
                            .table(4, op.options));
        codes.push_back(code);
    }
    FlatObject subgraph;
    subgraph.tables(0, tables).numbers(1, inputs).numbers(2, outputs).tables(3, nodes);
    return FlatObject{}
        .number(0, std::uint32_t{3})
        .tables(1, codes)
        .tables(2, {subgraph})
        .text(3, "test")
        .tables(4, buffers);
}

std::vector<std::uint8_t> int8_data(const std::vector<int>& values) {
    std::vector<std::uint8_t> data;
    data.reserve(values.size());
    for (const int value : values) data.push_back(static_cast<std::uint8_t>(value));
    return data;
}

std::vector<std::uint8_t> int32_data(const std::vector<std::int32_t>& values) {
    std::vector<std::uint8_t> data(values.size() * 4);
    std::memcpy(data.data(), values.data(), data.size());
    return data;
}

FileNetwork small_convolution() {
    std::vector<int> weights(std::size_t{3} * 3 * 3 * 2);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<int>(i * 7 % 31) - 15;
    FileNetwork network;
    network.tensors = {
        {.shape = {1, 4, 4, 2}, .scale = {0.5F}, .zero_point = {3}, .name = "in"},
        {.shape = {3, 3, 3, 2},
         .scale = {0.25F, 0.5F, 0.125F},
         .zero_point = {0, 0, 0},
         .data = int8_data(weights),
         .name = "weights"},
        {.shape = {3},
         .type = 2,
         .scale = {0.125F, 0.25F, 0.0625F},
         .zero_point = {0, 0, 0},
         .data = int32_data({10, -20, 30}),
         .name = "bias"},
        {.shape = {1, 4, 4, 3}, .scale = {2.0F}, .zero_point = {-128}, .name = "out"},
    };
    FlatObject options;  // SAME, strides 1, RELU
    options.number(0, std::int8_t{0}).number(1, std::int32_t{1}).number(2, std::int32_t{1});
    options.number(3, std::int8_t{1});
    network.operators = {{3, {0, 1, 2}, {3}, options, ""}};
    network.inputs = {0};
    network.outputs = {3};
    return network;
}

}  // namespace n6vp::test
