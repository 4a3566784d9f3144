// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/validation/counters.h"

/// What the protocol reports about a board, and the operations that it needs from one.
namespace n6vp::validation {

struct System {
    std::uint32_t device_id = 0;
    std::uint32_t core_hz = 0, bus_hz = 0, npu_hz = 0, nic_hz = 0;
    std::uint32_t cache = 0;  ///< series, FPU and caches
    bool npu_cache = false;
    std::uint32_t runtime = 0;  ///< runtime and compiler
};

struct Model {
    const char* name = "";
    std::uint32_t runtime = 0;  ///< runtime, interface, compiler, what is not known
    const char* signature = "";
    const char* built = "";
    std::uint32_t runtime_version = 0, tool_version = 0;  ///< major, minor, micro: a byte each
    std::uint64_t macs = 0;
    std::uint32_t nodes = 0, activation_bytes = 0, parameter_bytes = 0;
    const char* runtime_text = "";
    float install_ms = 0, init_ms = 0;
    std::uint32_t inputs = 0, outputs = 0;
};

enum class TensorKind : std::uint8_t { Input, Output, Internal };

struct Tensor {
    const char* name = "";
    std::uint32_t format = 0;  ///< the format word
    std::uint32_t elements = 0, dimensions = 0;
    const std::uint32_t* shape = nullptr;
    float scale = 0;  ///< 0: not quantised
    std::int32_t zero_point = 0;
    std::uint32_t address = 0;
    std::uint32_t flags = 0;  ///< beside those that the kind gives
    std::uint32_t epoch = 0;  ///< that produces it
    std::uint8_t* data = nullptr;
    std::uint32_t bytes = 0, element_bytes = 0;
};

enum NodeKind : std::uint32_t { kHardware, kInserted, kSoftware, kHybrid, kEpochController };

struct Node {
    std::uint32_t index = 0;
    std::int32_t epoch = 0, last_epoch = 0;
    std::uint32_t flags = 0;  ///< of the runtime's block
    NodeKind kind = kHardware;
    std::uint32_t before = 0, core = 0, after = 0;  ///< core cycles, when it has ended
    const NpuCounters* counters = nullptr;          ///< when it has ended, if the NPU counted
};

/// Core cycles of an inference.
struct Cycles {
    std::uint64_t before = 0, core = 0, after = 0, all = 0;
    std::uint64_t npu = 0;  ///< NPU cycles of the cores of all nodes, if they were counted
};

/// Called at both ends of every node, outside of what is measured.
struct Observer {
    void* context = nullptr;
    void (*begin)(void* context, const Node& node) = nullptr;
    void (*end)(void* context, const Node& node) = nullptr;
    std::uint32_t counters = 0;  ///< what the NPU is to count: of counted_for
};

/// A table of functions: see loader/memory_port.h.
struct Device {
    void* context = nullptr;
    System (*system)(void* context) = nullptr;
    /// Returns the name of a model, null if there are not so many. The current one stays.
    const char* (*name)(void* context, std::uint32_t index) = nullptr;
    /// Makes a model the current one, which may install it. Fails if there are not so many.
    bool (*select)(void* context, std::uint32_t index, Model& model) = nullptr;
    /// Describes a tensor of the current model. Fails if there are not so many.
    bool (*tensor)(void* context, TensorKind kind, std::uint32_t index, Tensor& tensor) = nullptr;
    /// Around the writes to an input.
    void (*prepare_input)(void* context, const Tensor& tensor) = nullptr;
    void (*finish_input)(void* context, const Tensor& tensor) = nullptr;
    /// One inference; outputs can be read afterwards. `observer` may be null.
    bool (*run)(void* context, const Observer* observer, Cycles& cycles) = nullptr;
};

}  // namespace n6vp::validation
