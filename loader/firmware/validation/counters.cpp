// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/validation/counters.h"

#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "memmap/npu/units.h"

namespace n6vp::firmware::validation {

namespace {

namespace mm = memmap::npu;
using namespace n6vp::validation;

constexpr std::uint32_t kNpu = 0x580E0000;
constexpr std::uint32_t kTrace = kNpu + mm::kDebugTrace.first_page * mm::kPageBytes;
constexpr std::uint32_t kGates =
    kNpu + mm::kClkctrl.first_page * mm::kPageBytes + mm::reg(mm::kClkctrl, "BGATES").offset;
constexpr mm::Register kEvent = mm::reg(mm::kDebugTrace, "EVENT"),
                       kCount = mm::reg(mm::kDebugTrace, "EVENT_CNT");

/// The first counter counts cycles; engines and bursts come behind it, or from it on.
constexpr std::uint32_t kCycleCounter = 0, kFirstEngine = 1;

// Numbers of signals (NRSIG 511): of links in the order of units, which begins with the engines;
// of ports in pairs, reads of 1, 2, 4, 8 beats, then writes.
constexpr std::uint32_t kSupply = 1, kInputStall = 2, kInputValid = 56, kOutputStall = 83,
                        kReadBursts = 276, kWriteBursts = 284;
enum Type : std::uint32_t { kLow, kHigh };

std::uint32_t element(const mm::Register& which, std::uint32_t index) {
    return kTrace + which.offset + index * which.stride;
}

std::uint32_t count_of(std::uint32_t counter) {
    return read_register(element(kCount, counter));
}

void start(std::uint32_t counter, std::uint32_t signal, Type type) {
    std::uint32_t event = mm::insert(0, mm::field(mm::kDebugTrace, "EVENT.SEL"), signal);
    event = mm::insert(event, mm::field(mm::kDebugTrace, "EVENT.EVENT_TYPE"), type);
    event = mm::insert(event, mm::field(mm::kDebugTrace, "EVENT.INT_DISABLE"), 1);
    write_register(element(kEvent, counter), event);
    write_register(element(kCount, counter), 0);
    write_register(element(kEvent, counter),
                   mm::insert(event, mm::field(mm::kDebugTrace, "EVENT.EN"), 1));
}

void stop(std::uint32_t counter) {
    write_register(element(kEvent, counter), 0);
}

bool is_wanted(const NpuCounters& counters, std::uint32_t engine, bool output) {
    if ((counters.what & (output ? kCountOutputs : kCountInputs)) != 0) return true;
    const std::uint32_t in_node = output ? counters.output_engines : counters.input_engines;
    const std::uint32_t group =
        kCountEngines | (output ? 0 : static_cast<std::uint32_t>(kCountValid));
    return (counters.what & group) != 0 && (in_node >> engine & 1) != 0;
}

constexpr bool kDirections[] = {false, true};

/// Calls `perform(counter, engine, output)` for every engine that is counted, as far as there are
/// counters.
template <typename Perform>
void for_each_engine(const NpuCounters& counters, Perform perform) {
    std::uint32_t counter = kFirstEngine;
    for (std::uint32_t engine = 0; engine < kStreamEngines; ++engine) {
        for (const bool output : kDirections) {
            if (counter < kCount.count && is_wanted(counters, engine, output))
                perform(counter++, engine, output);
        }
    }
}

/// Calls `perform(counter, port, write, length)` for every kind of burst.
template <typename Perform>
void for_each_burst(Perform perform) {
    std::uint32_t counter = 0;
    for (std::uint32_t port = 0; port < kPorts; ++port) {
        for (const bool read : kDirections) {
            for (std::uint32_t length = 0; length < kBurstLengths; ++length)
                perform(counter++, port, !read, length);
        }
    }
}

}  // namespace

void start_counters(const NpuCounters& counters) {
    constexpr std::uint32_t kGate = 1u << mm::kDebugTrace.first_gate;
    if (counters.what == 0) return;
    write_register(kGates, read_register(kGates) | kGate);
    write_register(kTrace, mm::kEnable.mask());
    if ((counters.what & kCountBursts) != 0) {
        for_each_burst(
            [](std::uint32_t counter, std::uint32_t port, bool write, std::uint32_t length) {
                start(counter, (write ? kWriteBursts : kReadBursts) + 2 * length + port, kHigh);
            });
    }
    const bool valid = (counters.what & kCountValid) != 0;
    for_each_engine(counters, [valid](std::uint32_t counter, std::uint32_t engine, bool output) {
        if (valid) {
            start(counter, kInputValid + engine, kHigh);
        } else {
            start(counter, (output ? kOutputStall : kInputStall) + engine, kLow);
        }
    });
    if ((counters.what & kCountNpuCache) != 0) caches::start_npu_counters();
    if ((counters.what & kCountCycles) != 0) start(kCycleCounter, kSupply, kHigh);
}

void note_node_started(NpuCounters& counters) {
    if ((counters.what & kCountCycles) != 0) counters.before = count_of(kCycleCounter);
}

void note_node_done(NpuCounters& counters) {
    if ((counters.what & kCountCycles) != 0)
        counters.core = count_of(kCycleCounter) - counters.before;
}

void stop_counters(NpuCounters& counters) {
    if (counters.what == 0) return;
    if ((counters.what & kCountCycles) != 0) {
        counters.after = count_of(kCycleCounter) - counters.before - counters.core;
        stop(kCycleCounter);
    }
    if ((counters.what & kCountNpuCache) != 0) caches::stop_npu_counters(counters.cache);
    for_each_engine(counters,
                    [&counters](std::uint32_t counter, std::uint32_t engine, bool output) {
                        stop(counter);
                        (output ? counters.outputs : counters.inputs)[engine] = count_of(counter);
                    });
    if ((counters.what & kCountBursts) == 0) return;
    for_each_burst(
        [&counters](std::uint32_t counter, std::uint32_t port, bool write, std::uint32_t length) {
            stop(counter);
            (write ? counters.writes : counters.reads)[port][length] = count_of(counter);
        });
}

}  // namespace n6vp::firmware::validation
