// SPDX-License-Identifier: Apache-2.0
#include "tests/loader/validation/board.h"

#include <doctest/doctest.h>

#include <bit>
#include <utility>

namespace n6vp::tests {

namespace v = n6vp::validation;

std::string hex(std::string_view digits) {
    std::string bytes;
    unsigned value = 0, count = 0;
    for (const char digit : digits) {
        if (digit == ' ') continue;
        const unsigned nibble = digit <= '9' ? static_cast<unsigned>(digit - '0')
                                             : static_cast<unsigned>((digit | 0x20) - 'a') + 10;
        value = value << 4 | nibble;
        if (++count % 2 == 0) bytes.push_back(static_cast<char>(value & 0xFF));
    }
    return bytes;
}

ScriptedBoard::ScriptedBoard() = default;

ScriptedBoard& ScriptedBoard::bytes(const std::string& raw) {
    for (const char each : raw) script_.push_back(static_cast<std::uint8_t>(each));
    return *this;
}

ScriptedBoard& ScriptedBoard::packet(std::string_view digits) {
    std::string raw = hex(digits);
    raw.resize(34);
    return bytes(raw);
}

ScriptedBoard& ScriptedBoard::silence() {
    script_.push_back(-1);
    return *this;
}

ScriptedBoard& ScriptedBoard::acks(unsigned count) {
    for (unsigned i = 0; i < count; ++i) packet("0005 04 0800 1000");
    return *this;
}

bool ScriptedBoard::tensor(v::TensorKind kind, std::uint32_t index, v::Tensor& to) {
    if (index != 0 || (kind == v::TensorKind::Internal && !with_tensor)) return false;
    constexpr std::uint32_t kSigned8 = 8651840;
    to = {};
    to.format = kSigned8;
    to.elements = 1;
    to.dimensions = 4;
    to.shape = shape_.data();
    to.element_bytes = to.bytes = 1;
    to.flags = v::kInPool;
    if (kind == v::TensorKind::Input) {
        to.name = "serving_default_dense_input:0";
        to.scale = std::bit_cast<float>(0x3CC88A86U);
        to.zero_point = -128;
        to.address = 875430016;
        to.data = input.data();
        to.bytes = static_cast<std::uint32_t>(input.size());
        to.elements = input_elements;
    } else {
        to.name = "StatefulPartitionedCall:0";
        to.scale = std::bit_cast<float>(0x3C07D6CBU);
        to.zero_point = 5;
        to.address = 875429888;
        to.data = &output_;
    }
    if (kind == v::TensorKind::Internal) {
        to.name = "inside";
        to.epoch = 1;
    }
    return true;
}

bool ScriptedBoard::run(const v::Observer* observer, v::Cycles& cycles) {
    ++inferences;
    cycles = {0, 0, 0, 12386, 0};
    if (observer == nullptr) return true;
    v::Node node;
    node.epoch = 1;
    node.last_epoch = 3;
    node.flags = 0x17;
    node.kind = v::kEpochController;
    observer->begin(observer->context, node);
    node.before = 354;
    node.core = 8289;
    node.after = 401;
    counted.what = observer->counters;
    if (counted.what != 0) node.counters = &counted;
    observer->end(observer->context, node);
    cycles = {354, 8289, 401, 9788, counted.core};
    return true;
}

v::Device ScriptedBoard::device() {
    v::Device device;
    device.context = this;
    device.system = [](void*) {
        v::System system;
        system.device_id = 0x486;
        system.core_hz = 800'000'000;
        system.bus_hz = 400'000'000;
        system.npu_hz = 1'000'000'000;
        system.nic_hz = 900'000'000;
        system.cache = 0x05010C00;
        system.npu_cache = true;
        system.runtime = 131076;
        return system;
    };
    device.name = [](void* self, std::uint32_t index) -> const char* {
        if (index >= static_cast<ScriptedBoard*>(self)->models) return nullptr;
        return index == 0 ? "hello_world_int8" : "second";
    };
    device.select = [](void* self, std::uint32_t index, v::Model& model) {
        auto& board = *static_cast<ScriptedBoard*>(self);
        if (index >= board.models) return false;
        board.selected.push_back(index);
        model.name = index == 0 ? "hello_world_int8" : "second";
        model.runtime = 67240964;
        model.built = "Jun 16 2025 21:44:29";
        model.runtime_version = 167903232;
        model.tool_version = 16843008;
        model.nodes = 1;
        model.activation_bytes = 192;
        model.parameter_bytes = 306;
        model.runtime_text = "atonn-v1.1.1-14 (RELOC.GCC) 10582946";
        model.inputs = model.outputs = 1;
        return true;
    };
    device.tensor = [](void* self, v::TensorKind kind, std::uint32_t index, v::Tensor& to) {
        return static_cast<ScriptedBoard*>(self)->tensor(kind, index, to);
    };
    device.prepare_input = device.finish_input = [](void*, const v::Tensor&) {};
    device.run = [](void* self, const v::Observer* observer, v::Cycles& cycles) {
        return static_cast<ScriptedBoard*>(self)->run(observer, cycles);
    };
    return device;
}

std::string ScriptedBoard::serve() {
    v::Server::Setup setup;
    setup.line.context = this;
    setup.line.get = [](void* self, bool limited) -> std::int32_t {
        std::deque<int>& script = static_cast<ScriptedBoard*>(self)->script_;
        while (!limited && !script.empty() && script.front() < 0) script.pop_front();
        if (script.empty()) return -1;
        const int value = script.front();
        script.pop_front();
        return value;
    };
    setup.line.put = [](void* self, const std::uint8_t* from, std::uint32_t count) {
        static_cast<ScriptedBoard*>(self)->sent_.append(reinterpret_cast<const char*>(from), count);
    };
    setup.device = device();
    std::vector<std::uint8_t> buffer(buffer_bytes);
    setup.buffer = buffer.data();
    setup.buffer_bytes = static_cast<std::uint32_t>(buffer.size());
    setup.with_times = with_times;
    v::Server server(setup);
    server.serve();
    return sent_;
}

Unframed unframe(const std::string& sent) {
    Unframed result;
    std::string message, headers;
    for (std::size_t at = 0; at < sent.size();) {
        if (static_cast<std::uint8_t>(sent[at]) == 0xAA) {
            ++result.asked;
            ++at;
            continue;
        }
        REQUIRE(at + 34 <= sent.size());
        const unsigned header = static_cast<std::uint32_t>(static_cast<std::uint8_t>(sent[at]))
                                    << 8U |
                                static_cast<std::uint8_t>(sent[at + 1]);
        REQUIRE((header & 0x7FFF) <= 32);
        constexpr std::string_view kDigits = "0123456789abcdef";
        if (!headers.empty()) headers.push_back(' ');
        for (int shift = 12; shift >= 0; shift -= 4)
            headers.push_back(kDigits[header >> static_cast<unsigned>(shift) & 0xF]);
        message += sent.substr(at + 2, header & 0x7FFF);
        at += 34;
        if ((header & 0x8000) == 0) continue;
        result.messages.push_back(std::exchange(message, {}));
        result.headers.push_back(std::exchange(headers, {}));
    }
    REQUIRE(message.empty());
    return result;
}

}  // namespace n6vp::tests
