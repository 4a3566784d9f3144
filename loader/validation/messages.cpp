// SPDX-License-Identifier: Apache-2.0
#include "loader/validation/messages.h"

namespace n6vp::validation {

namespace {

// Numbers of the answers.
constexpr std::uint32_t kSyncAnswer = 10, kSystemAnswer = 11, kAckAnswer = 12, kLogAnswer = 13,
                        kOperatorAnswer = 16, kTensorAnswer = 17, kModelAnswer = 22;
constexpr std::uint32_t kMaxLog = 127, kMaxDimensions = 16;
constexpr std::uint32_t kBytesFormat = 0x00040440;  ///< unsigned, 8 bits
constexpr std::uint32_t kWordCounters = 1u << 16;   ///< else 64-bit numbers, low word first

float milliseconds(std::uint64_t cycles, std::uint32_t hz) {
    if (hz == 0) return 0;
    return static_cast<float>(static_cast<double>(cycles) * 1000.0 / static_cast<double>(hz));
}

void put_description(Writer& to, std::uint32_t field, const Tensor& tensor, std::uint32_t flags) {
    const std::uint32_t place = to.begin(field);
    const std::uint32_t dimensions =
        tensor.shape == nullptr || tensor.dimensions > kMaxDimensions ? 0 : tensor.dimensions;
    to.text(1, tensor.name);
    to.number(2, tensor.format);
    to.number(3, tensor.elements);
    to.number(4, dimensions);
    for (std::uint32_t i = 0; i < dimensions; ++i) to.number(5, tensor.shape[i]);
    to.real(6, tensor.scale);
    to.signed_number(7, tensor.zero_point);
    to.number(8, tensor.address);
    to.number(9, flags);
    to.end(place);
}

void put_tensors(Writer& to, std::uint32_t field, const Device& device, TensorKind kind,
                 std::uint32_t count) {
    to.number(field, count);
    const std::uint32_t flag = kind == TensorKind::Input ? kInputTensor : kOutputTensor;
    for (std::uint32_t i = 0; i < count; ++i) {
        Tensor tensor;
        if (!device.tensor(device.context, kind, i, tensor)) continue;
        put_description(to, field + 1, tensor, flag | tensor.flags);
    }
}

/// Memory of a model as one array of bytes.
void put_pool(Writer& to, std::uint32_t field, std::uint32_t bytes) {
    to.number(field, bytes != 0 ? 1 : 0);
    if (bytes == 0) return;
    Tensor pool;
    pool.format = kBytesFormat;
    pool.elements = bytes;
    pool.dimensions = 1;
    pool.shape = &bytes;
    put_description(to, field + 1, pool, kPoolTensor);
}

void put_counter(Writer& to, std::uint64_t value) {
    to.number(6, value & 0xFFFFFFFF);
    to.number(6, value >> 32);
}

/// Stack and heap are not measured.
void put_memory_use(Writer& to) {
    to.signed_number(7, -1);
    to.signed_number(8, -1);
}

}  // namespace

void put_head(Writer& to, std::uint32_t request, State state) {
    to.number(1, request);
    to.number(2, state);
}

void put_sync(Writer& to, const System& system) {
    const std::uint32_t place = to.begin(kSyncAnswer);
    to.number(1, kVersion);
    to.number(4, kObserver);
    to.number(5, system.runtime);
    to.end(place);
}

void put_system(Writer& to, const System& system) {
    const std::uint32_t place = to.begin(kSystemAnswer);
    to.number(1, system.device_id);
    to.number(2, system.core_hz);
    to.number(3, system.bus_hz);
    to.number(4, system.cache);
    to.number(5, 0);  // packets stay small
    const std::uint32_t extra[] = {0, system.npu_hz, system.nic_hz, 0};
    for (const std::uint32_t value : extra) to.number(6, value);
    to.end(place);
}

void put_ack(Writer& to, std::uint32_t parameter, Error error) {
    const std::uint32_t place = to.begin(kAckAnswer);
    to.number(1, parameter);
    to.number(2, error);
    to.end(place);
}

void put_log(Writer& to, const char* text) {
    const std::uint32_t place = to.begin(kLogAnswer);
    to.number(1, 1);
    to.text(2, text, kMaxLog);
    to.end(place);
}

void put_model(Writer& to, const Model& model, const Device& device, bool with_times) {
    const std::uint32_t place = to.begin(kModelAnswer);
    to.text(1, model.name);
    to.number(2, model.runtime);
    to.text(3, model.signature);
    to.text(4, model.built);
    to.number(5, model.runtime_version);
    to.number(6, model.tool_version);
    to.number(7, model.macs);
    to.number(8, model.nodes);
    put_tensors(to, 10, device, TensorKind::Input, model.inputs);
    put_tensors(to, 12, device, TensorKind::Output, model.outputs);
    put_pool(to, 14, model.activation_bytes);
    put_pool(to, 16, model.parameter_bytes);
    to.text(20, model.runtime_text);
    if (with_times) {
        to.real(21, model.install_ms);
        to.real(22, model.init_ms);
    }
    to.end(place);
}

std::uint32_t type_of(const Node& node, bool has_tensors) {
    constexpr std::uint32_t kEpochMask = 0x3F;
    std::uint32_t type = kInternalOperator | node.kind | (has_tensors ? 0 : kNoTensors);
    if (node.kind == kInserted)
        type |= ((0 - static_cast<std::uint32_t>(node.epoch)) & kEpochMask) << 4;
    return type;
}

const char* name_of(NodeKind kind) {
    constexpr const char* kNames[] = {"HW", "EXTRA", "SW", "HYBRID", "EC"};
    return kNames[kind];
}

void put_node(Writer& to, const Node& node, bool has_tensors, std::uint32_t core_hz) {
    const std::uint32_t place = to.begin(kOperatorAnswer);
    const auto epoch = static_cast<std::uint32_t>(node.epoch) & 0xFFFF;
    to.text(1, "");
    to.number(2, type_of(node, has_tensors));
    to.number(3, static_cast<std::uint32_t>(node.last_epoch) << 16 | epoch);
    to.real(4, milliseconds(std::uint64_t{node.before} + node.core + node.after, core_hz));
    to.number(5, kWordCounters);
    to.number(6, node.before);
    to.number(6, node.core);
    to.number(6, node.after);
    put_memory_use(to);
    to.end(place);
}

void put_inference(Writer& to, const char* name, const Cycles& cycles, bool parts,
                   std::uint32_t core_hz) {
    const std::uint32_t place = to.begin(kOperatorAnswer);
    to.text(1, name);
    to.number(2, 0);
    to.number(3, 0);
    to.real(4, milliseconds(cycles.all, core_hz));
    to.number(5, 0);
    put_counter(to, parts ? cycles.before : 0);
    put_counter(to, parts ? cycles.core : 0);
    put_counter(to, parts ? cycles.after : 0);
    put_counter(to, cycles.all);
    put_counter(to, cycles.npu);
    put_memory_use(to);
    to.end(place);
}

void put_tensor(Writer& to, const Tensor& tensor, std::uint32_t flags, std::uint32_t bytes) {
    const std::uint32_t place = to.begin(kTensorAnswer);
    put_description(to, 1, tensor, flags);
    const std::uint32_t data = to.begin(2);
    to.number(1, 0);
    to.number(2, bytes);
    to.number(3, tensor.address);
    to.tail(4, bytes);
    to.end(data, bytes);
    to.end(place, bytes);
}

}  // namespace n6vp::validation
