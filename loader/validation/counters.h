// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Counters of the NPU that a client may ask for with an inference by nodes.
namespace n6vp::validation {

/// Bits 31..8 of a request's option. The NPU has 16 event counters, so that only one of the groups
/// engines, valid words and bursts can be counted in one inference.
enum CounterOption : std::uint32_t {
    kCountCycles = 1u << 0,    ///< NPU cycles
    kCountEngines = 1u << 1,   ///< engines of the node: cycles in which their link does not stall
    kCountValid = 1u << 2,     ///< input engines of the node: cycles with a valid word
    kCountBursts = 1u << 3,    ///< by length
    kCountNpuCache = 1u << 4,  ///< hits and misses
    kCountInputs = 1u << 5,    ///< as kCountEngines: every engine as an input
    kCountOutputs = 1u << 6,   ///< and as an output
};

/// Returns what is counted for a wish: the first group of inputs, outputs, engines, valid words and
/// bursts; cycles go with every group but bursts, which need all counters.
[[nodiscard]] std::uint32_t counted_for(std::uint32_t options);

inline constexpr std::uint32_t kStreamEngines = 10, kPorts = 2, kBurstLengths = 4,
                               kCacheCounters = 8;

/// What was counted for a node.
struct NpuCounters {
    std::uint32_t what = 0;                               ///< of counted_for
    std::uint32_t before = 0, core = 0, after = 0;        ///< NPU cycles
    std::uint32_t input_engines = 0, output_engines = 0;  ///< of the node, bit n: engine n
    /// Cycles, by engine and group: as inputs, or valid words of inputs, and as outputs.
    std::uint32_t inputs[kStreamEngines] = {}, outputs[kStreamEngines] = {};
    /// By port and length: 1, 2, 4, 8 beats of 8 bytes.
    std::uint32_t writes[kPorts][kBurstLengths] = {}, reads[kPorts][kBurstLengths] = {};
    /// Reads: hits, misses, allocating misses, evictions. Writes: the same, but written through.
    std::uint32_t cache[kCacheCounters] = {};
};

/// Who sends a line of a log.
struct LogSink {
    void* context = nullptr;
    void (*log)(void* context, const char* line) = nullptr;
};

/// Sends a line for each number that clients know by name, in their order.
void log_counters(const NpuCounters& counters, const LogSink& to);

}  // namespace n6vp::validation
