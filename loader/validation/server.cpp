// SPDX-License-Identifier: Apache-2.0
#include "loader/validation/server.h"

#include <cstring>

#include "loader/validation/log_text.h"

namespace n6vp::validation {

namespace {

LogText& put_node_name(LogText& to, const char* what, const Node& node) {
    to.put(what).decimal(node.index).put(":").decimal(node.index + 1).put(":");
    return to.signed_decimal(node.epoch).put(":").signed_decimal(node.last_epoch).put(":");
}

}  // namespace

void Server::serve() {
    while (!closed_) {
        Incoming request;
        if (has_pending_) {
            request = pending_;
            has_pending_ = false;
        } else {
            const Received received = channel_.receive(request, {});
            closed_ = received == Received::Closed;
            if (received != Received::Message || !request.is_request()) continue;
        }
        answer(request);
    }
}

Writer Server::start(State state) {
    Writer message(setup_.buffer, setup_.buffer_bytes);
    put_head(message, request_, state);
    return message;
}

void Server::send(const Writer& message, const std::uint8_t* tail, std::uint32_t bytes) {
    if (has_pending_ || closed_) return;
    if (!message.ok()) return ack(kFailed, 0, kGeneric);
    channel_.send(setup_.buffer, message.count(), tail, bytes);
}

void Server::ack(State state, std::uint32_t parameter, Error error) {
    Writer message = start(state);
    put_ack(message, parameter, error);
    if (message.ok()) send(message);
}

bool Server::await(bool data, const Sink& sink, Incoming& message) {
    while (!has_pending_ && !closed_) {
        const Received received = channel_.receive(message, sink);
        closed_ = received == Received::Closed;
        if (received != Received::Message) continue;
        if (message.is_request()) {
            pending_ = message;
            has_pending_ = true;
        } else if (data ? message.is_data() : message.is_ack()) {
            return true;
        }
    }
    return false;
}

bool Server::await_ack() {
    Incoming message;
    return await(false, {}, message);
}

void Server::log(const char* text) {
    if (has_pending_ || closed_) return;
    Writer message = start(kWaiting);
    put_log(message, text);
    send(message);
    static_cast<void>(await_ack());
}

void Server::log_configuration() {
    log("s:config:version:1.0");
    LogText device;
    constexpr const char* kDigits = "0123456789abcdef";
    device.put("s:config:dev_id:0x");
    char digits[4] = {};
    for (std::uint32_t i = 0; i < 3; ++i)
        digits[i] = kDigits[system_.device_id >> (8 - 4 * i) & 15];
    log(device.put(digits).text());
    const struct {
        const char* name;
        std::uint32_t hz;
    } clocks[] = {{"mcu", system_.core_hz},
                  {"noc", system_.bus_hz},
                  {"npu", system_.npu_hz},
                  {"nic", system_.nic_hz}};
    for (const auto& clock : clocks) {
        LogText text;
        log(text.put("s:config:").put(clock.name).put("_freq:").decimal(clock.hz).text());
    }
    log(system_.npu_cache ? "s:config:npu_cache:1" : "s:config:npu_cache:0");
}

void Server::answer(const Incoming& request) {
    request_ = request.values[1];
    system_ = setup_.device.system(setup_.device.context);
    Writer message = start(kIdle);
    switch (request.values[2]) {
        case kSync:
            put_sync(message, system_);
            return send(message);
        case kSystemInfo:
            put_system(message, system_);
            return send(message);
        case kNetworkInfo:
            return inform(request);
        case kNetworkRun:
            return infer(request);
        default:
            return ack(kFailed, kInvalidParameter, kInvalidParameter);
    }
}

bool Server::find(const char* name, Model& model) {
    constexpr std::uint32_t kMaxModels = 64;
    if (name[0] == '\0') return false;
    for (std::uint32_t i = 0; i < kMaxModels; ++i) {
        const char* const each = setup_.device.name(setup_.device.context, i);
        if (each == nullptr) return false;
        if (std::strcmp(each, name) == 0)
            return setup_.device.select(setup_.device.context, i, model);
    }
    return false;
}

void Server::inform(const Incoming& request) {
    Model model;
    const bool found = request.bytes != 0
                           ? find(request.name, model)
                           : setup_.device.select(setup_.device.context, request.values[3], model);
    if (!found) return ack(kFailed, kInvalidParameter, kInvalidParameter);
    log_configuration();
    Writer message = start(kIdle);
    put_model(message, model, setup_.device, setup_.with_times);
    send(message);
}

bool Server::receive_input(const Tensor& tensor, bool constant, State state) {
    constexpr std::uint32_t kMaxElement = 8;
    std::uint8_t element[kMaxElement] = {};
    const std::uint32_t wanted = constant ? tensor.element_bytes : tensor.bytes;
    if (constant && wanted > kMaxElement) {
        ack(kFailed, wanted, kInvalidSize);
        return false;
    }
    setup_.device.prepare_input(setup_.device.context, tensor);
    Incoming message;
    if (!await(true, {constant ? element : tensor.data, wanted}, message)) return false;
    if (message.bytes != wanted) {
        ack(kFailed, message.bytes, kInvalidSize);
        return false;
    }
    for (std::uint32_t i = 0; constant && i < tensor.bytes; ++i)
        tensor.data[i] = element[i % wanted];
    setup_.device.finish_input(setup_.device.context, tensor);
    ack(state, wanted, kNoError);
    return await_ack();
}

bool Server::receive_inputs(const Model& model, bool constant) {
    for (std::uint32_t i = 0; i < model.inputs; ++i) {
        Tensor tensor;
        if (!setup_.device.tensor(setup_.device.context, TensorKind::Input, i, tensor)) {
            ack(kFailed, 0, kGeneric);
            return false;
        }
        if (i == 0) ack(kWaiting, tensor.bytes, kNoError);
        if (!receive_input(tensor, constant, i + 1 == model.inputs ? kProcessing : kWaiting))
            return false;
    }
    return true;
}

void Server::begin_node(const Node& node) {
    Tensor tensor;
    internal_ = 0;
    for (std::uint32_t i = 0;
         setup_.device.tensor(setup_.device.context, TensorKind::Internal, i, tensor); ++i) {
        if (tensor.epoch == static_cast<std::uint32_t>(node.epoch)) ++internal_;
    }
    LogText text;
    put_node_name(text, "s:node:evt_pre_start:", node).hex(node.flags).put(":");
    log(text.hex(type_of(node, internal_ != 0)).put(":").put(name_of(node.kind)).text());
}

void Server::end_node(const Node& node) {
    LogText end, cycles;
    log(put_node_name(end, "s:node:evt_post_end:", node).decimal(internal_).text());
    cycles.put("s:node:mcu_cycles:").decimal(node.before).put(":").decimal(node.core);
    log(cycles.put(":").decimal(node.after).text());
    if (node.counters != nullptr) {
        const LogSink sink = {
            this, [](void* self, const char* line) { static_cast<Server*>(self)->log(line); }};
        log_counters(*node.counters, sink);
    }
    Writer message = start(kProcessing);
    put_node(message, node, internal_ != 0, system_.core_hz);
    send(message);
    Tensor tensor;
    for (std::uint32_t i = 0, left = internal_;
         left != 0 && setup_.device.tensor(setup_.device.context, TensorKind::Internal, i, tensor);
         ++i) {
        if (tensor.epoch != static_cast<std::uint32_t>(node.epoch)) continue;
        --left;
        Writer each = start(kProcessing);
        put_tensor(each, tensor, kInternalTensor | kNoData | (left == 0 ? kLastTensor : 0), 0);
        send(each);
    }
}

void Server::send_outputs(const Model& model, bool with_data) {
    for (std::uint32_t i = 0; i < model.outputs; ++i) {
        Tensor tensor;
        if (!setup_.device.tensor(setup_.device.context, TensorKind::Output, i, tensor))
            return ack(kFailed, 0, kGeneric);
        const bool last = i + 1 == model.outputs;
        const std::uint32_t bytes = with_data ? tensor.bytes : 0;
        Writer message = start(last ? kDone : kProcessing);
        put_tensor(message, tensor,
                   kOutputTensor | (last ? kLastTensor : 0) | (with_data ? 0 : kNoData), bytes);
        send(message, tensor.data, bytes);
    }
}

void Server::infer(const Incoming& request) {
    Model model;
    if (!find(request.name, model)) return ack(kFailed, kInvalidParameter, kInvalidParameter);
    const std::uint32_t mode = request.values[3];
    if (!receive_inputs(model, (mode & kConstant) != 0)) return;
    const Observer observer = {
        this, [](void* self, const Node& node) { static_cast<Server*>(self)->begin_node(node); },
        [](void* self, const Node& node) { static_cast<Server*>(self)->end_node(node); },
        counted_for(request.values[5] >> kUserOption)};
    const bool parts = (mode & kPerLayer) != 0;
    Cycles cycles;
    if (!setup_.device.run(setup_.device.context, parts ? &observer : nullptr, cycles))
        return ack(kFailed, 0, kGeneric);
    Writer message = start(kProcessing);
    put_inference(message, model.name, cycles, parts, system_.core_hz);
    send(message);
    send_outputs(model, (mode & kPerf) == 0);
}

}  // namespace n6vp::validation
