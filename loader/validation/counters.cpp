// SPDX-License-Identifier: Apache-2.0
#include "loader/validation/counters.h"

#include "loader/validation/log_text.h"

namespace n6vp::validation {

namespace {

constexpr std::uint32_t kBeatBytes = 8;

void send(const LogSink& to, const LogText& line) {
    to.log(to.context, line.text());
}

/// The engine that was active longest.
class Longest {
  public:
    void look_at(const char* direction, std::uint32_t engine, std::uint32_t cycles) {
        if (cycles <= cycles_) return;
        direction_ = direction;
        engine_ = static_cast<std::int32_t>(engine);
        cycles_ = cycles;
    }
    void log(const LogSink& to) const {
        LogText line;
        line.put("s:node:streng_active:max:").put(direction_).put(":");
        send(to, line.signed_decimal(engine_).put(":").decimal(cycles_));
    }
    explicit Longest(const char* direction) : direction_(direction) {}

  private:
    const char* direction_;
    std::int32_t engine_ = -1;
    std::uint32_t cycles_ = 0;
};

/// "WHAT:i:3:CYCLES:CYCLES OF THE NODE - CYCLES"
void log_engine(const NpuCounters& counters, const char* what, const char* direction,
                std::uint32_t engine, std::uint32_t cycles, const LogSink& to) {
    LogText line;
    line.put("s:node:").put(what).put(":").put(direction).put(":").decimal(engine).put(":");
    line.decimal(cycles).put(":");
    send(to, line.signed_decimal(static_cast<std::int32_t>(counters.core - cycles)));
}

void log_direction(const NpuCounters& counters, const char* direction,
                   const std::uint32_t (&cycles)[kStreamEngines], const LogSink& to) {
    // As in the vendor's firmware: an engine with fewer is not in use.
    constexpr std::uint32_t kIdleCycles = 20;
    Longest longest(direction);
    for (std::uint32_t i = 0; i < kStreamEngines; ++i) {
        if (cycles[i] <= kIdleCycles) continue;
        longest.look_at(direction, i, cycles[i]);
        log_engine(counters, "streng_active", direction, i, cycles[i], to);
    }
    longest.log(to);
}

void log_engines_of_node(const NpuCounters& counters, const LogSink& to) {
    Longest longest("i");
    for (std::uint32_t i = 0; i < kStreamEngines; ++i) {
        if ((counters.input_engines >> i & 1) != 0) {
            longest.look_at("i", i, counters.inputs[i]);
            log_engine(counters, "streng_active", "i", i, counters.inputs[i], to);
        }
        if ((counters.output_engines >> i & 1) != 0) {
            longest.look_at("o", i, counters.outputs[i]);
            log_engine(counters, "streng_active", "o", i, counters.outputs[i], to);
        }
    }
    longest.log(to);
}

void log_valid_words(const NpuCounters& counters, const LogSink& to) {
    for (std::uint32_t i = 0; i < kStreamEngines; ++i) {
        if ((counters.input_engines >> i & 1) != 0)
            log_engine(counters, "streng_henv", "i", i, counters.inputs[i], to);
    }
}

/// Returns the bytes.
std::uint32_t log_bursts_of(std::uint32_t port, const char* direction,
                            const std::uint32_t (&bursts)[kBurstLengths], const LogSink& to) {
    LogText line;
    line.put("s:node:port").decimal(port).put(":burst:").put(direction);
    std::uint32_t beats = 0;
    for (std::uint32_t i = 0; i < kBurstLengths; ++i) {
        line.put(":").decimal(bursts[i]);
        beats += bursts[i] << i;
    }
    send(to, line);
    return beats * kBeatBytes;
}

void log_bursts(const NpuCounters& counters, const LogSink& to) {
    std::uint32_t written = 0, read = 0;
    for (std::uint32_t port = 0; port < kPorts; ++port) {
        written += log_bursts_of(port, "w", counters.writes[port], to);
        read += log_bursts_of(port, "r", counters.reads[port], to);
    }
    LogText line;
    line.put("s:node:portx:burst:rw:").decimal(read).put(":").decimal(written).put(":");
    send(to, line.decimal(read + written).put(":0"));
}

void log_cache(const NpuCounters& counters, const LogSink& to) {
    constexpr std::uint32_t kHalf = kCacheCounters / 2;
    for (std::uint32_t half = 0; half < 2; ++half) {
        LogText line;
        line.put(half == 0 ? "s:node:npu_cache:r" : "s:node:npu_cache:w");
        for (std::uint32_t i = 0; i < kHalf; ++i)
            line.put(":").decimal(counters.cache[half * kHalf + i]);
        send(to, line);
    }
}

}  // namespace

std::uint32_t counted_for(std::uint32_t options) {
    const std::uint32_t cache = options & kCountNpuCache;
    constexpr std::uint32_t kGroups[] = {kCountInputs, kCountOutputs, kCountEngines, kCountValid};
    for (const std::uint32_t group : kGroups) {
        if ((options & group) != 0) return group | kCountCycles | cache;
    }
    if ((options & kCountBursts) != 0) return kCountBursts | cache;
    return (options & kCountCycles) | cache;
}

void log_counters(const NpuCounters& counters, const LogSink& to) {
    if ((counters.what & kCountCycles) != 0) {
        LogText line;
        line.put("s:node:npu_cycles:").decimal(counters.before).put(":").decimal(counters.core);
        send(to, line.put(":").decimal(counters.after));
    }
    if ((counters.what & kCountInputs) != 0) log_direction(counters, "i", counters.inputs, to);
    if ((counters.what & kCountOutputs) != 0) log_direction(counters, "o", counters.outputs, to);
    if ((counters.what & kCountEngines) != 0) log_engines_of_node(counters, to);
    if ((counters.what & kCountValid) != 0) log_valid_words(counters, to);
    if ((counters.what & kCountBursts) != 0) log_bursts(counters, to);
    if ((counters.what & kCountNpuCache) != 0) log_cache(counters, to);
}

}  // namespace n6vp::validation
