// SPDX-License-Identifier: Apache-2.0
// Memory and registers around an epoch controller, and words of its instructions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "models/npu/control/epoch_controller.h"

namespace n6vp::test {

inline constexpr std::uint32_t kBlobMagic = 0xCA057A7A;
inline constexpr std::uint32_t kBlobAt = 0x34000100;
/// Of the NPU's clock.
inline constexpr models::Picoseconds kCycle = 1000;

struct BenchWrite {
    std::uint32_t address = 0, value = 0;
    models::Picoseconds at = 0;

    friend bool operator==(const BenchWrite&, const BenchWrite&) = default;
};

/// Plain registers, memory with a fixed latency.
class EpochBench : public models::npu::EpochControllerBus {
  public:
    Fetched fetch(std::uint32_t address, models::Picoseconds at) override {
        fetches.push_back(address);
        fetched_at.push_back(at);
        return {address != bad_address, {memory[address], memory[address + 4]}, at + latency};
    }
    Value read_register(std::uint32_t ip, std::uint32_t offset, models::Picoseconds at) override {
        if (ip >= 32) return {false, 0};
        read_at.push_back(at);
        return {true, registers[ip * 0x1000 + offset], changes};
    }
    bool write_register(std::uint32_t ip, std::uint32_t offset, std::uint32_t value,
                        models::Picoseconds at) override {
        if (ip >= 32) return false;
        writes.push_back({ip * 0x1000 + offset, value, at});
        registers[ip * 0x1000 + offset] = value;
        if (after_write) after_write(ip * 0x1000 + offset, value, at);
        return ip * 0x1000 + offset != refused;
    }

    /// Stores words from `address` on.
    void store(std::uint32_t address, const std::vector<std::uint32_t>& words) {
        for (const std::uint32_t word : words) {
            memory[address] = word;
            address += 4;
        }
    }

    std::map<std::uint32_t, std::uint32_t> memory, registers;
    std::vector<std::uint32_t> fetches;
    std::vector<models::Picoseconds> fetched_at, read_at;
    bool changes = false;  ///< registers change by themselves
    std::vector<BenchWrite> writes;
    models::Picoseconds latency = 10 * kCycle;
    std::uint32_t bad_address = 1;  ///< of a fetch that fails; odd: none
    std::uint32_t refused = 1;      ///< register that takes no writes; odd: none
    std::function<void(std::uint32_t address, std::uint32_t value, models::Picoseconds at)>
        after_write;
};

/// A controller on a bench, with what it reported.
struct EpochRun {
    explicit EpochRun(models::npu::EpochControllerParameters parameters = {})
        : controller(parameters, bench) {
        controller.on_fault = [this](const models::npu::EpochFault& fault) {
            faults.push_back(fault);
        };
        controller.on_irq = [this](models::Picoseconds at) { irqs.push_back(at); };
        controller.on_label = [this](std::uint32_t label, models::Picoseconds) {
            labels.push_back(label);
        };
        controller.on_assumption = [this](const models::npu::Limit& limit, std::uint64_t) {
            assumptions.push_back(limit);
        };
    }

    /// Puts a blob of these instructions at kBlobAt and starts it.
    void start(const std::vector<std::uint32_t>& instructions, bool single_step = false) {
        std::vector<std::uint32_t> blob = {kBlobMagic,
                                           static_cast<std::uint32_t>(instructions.size())};
        blob.insert(blob.end(), instructions.begin(), instructions.end());
        bench.store(kBlobAt, blob);
        begin(single_step);
    }
    void begin(bool single_step = false) {
        controller.start({kBlobAt, single_step, false, kCycle, began});
    }

    /// Acts until nothing is due; returns the time of the last act, in cycles since the start.
    models::Picoseconds finish(std::uint64_t limit = 1'000'000) {
        models::Picoseconds last = began;
        for (; limit > 0 && controller.due() != models::kNever; --limit) {
            last = controller.due();
            controller.act();
        }
        return (last - began) / kCycle;
    }

    EpochBench bench;
    models::npu::EpochController controller;
    models::Picoseconds began = 7000;
    std::vector<models::npu::EpochFault> faults;
    std::vector<models::Picoseconds> irqs;
    std::vector<std::uint32_t> labels;
    std::vector<models::npu::Limit> assumptions;
};

}  // namespace n6vp::test
