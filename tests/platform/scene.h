// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/platform/platform.h"
#include "tests/models/traffic/traffic_generator.h"

namespace n6vp::test {

/// The platform with a program of `target/`, and test masters at the ports of the NPU's side. The
/// program asks for the masters' traffic by calls (`target/calls.h`), so that it comes at a known
/// place between two of its instructions.
class Scene {
  public:
    /// `program`: name of a binary that the build made. Fails with std::runtime_error if it cannot
    /// be read.
    explicit Scene(const std::string& program, const sim::PlatformOptions& options = {},
                   models::MailboxService* mailbox = nullptr,
                   const sim::PlatformParameters& parameters = {});
    ~Scene();
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    struct Result {
        bool finished = false;  ///< the program came to its end
        std::vector<std::uint32_t> results;
        std::uint32_t exit = 0;  ///< what it ended with
        std::uint32_t cfsr = 0;  ///< of an exception nobody expected
        std::uint64_t cycles = 0, instructions = 0, hash = 0;
        models::Picoseconds time = 0;
        // Events, in the order of their coming.
        std::vector<models::core::CoherenceEvent> core;
        std::vector<models::NpuCacheEvent> npu_cache;
        std::vector<models::AccessFault> faults;
        std::vector<models::BufferInUse> in_use;
        std::vector<models::npu::NpuEvent> npu;
        [[nodiscard]] std::size_t events() const { return core.size() + npu_cache.size(); }
    };
    /// Runs the program from power-on.
    Result run(const std::vector<std::uint32_t>& job, models::Picoseconds limit = 100'000'000'000);

    [[nodiscard]] sim::Platform& platform() { return platform_; }
    [[nodiscard]] TrafficGenerator& npu(unsigned port) { return *masters_[port]; }
    /// At HOST_START with its argument, from the core's process.
    std::function<void(std::uint32_t)> on_start;

  private:
    bool answer(models::core::Core& core);
    [[nodiscard]] std::uint32_t call(std::uint32_t number, std::uint32_t argument);
    [[nodiscard]] std::uint32_t read(unsigned port, std::uint32_t address, bool cached);
    [[nodiscard]] std::uint32_t write(std::uint32_t address, bool by_loader);
    void listen();

    sim::Platform platform_;
    std::vector<std::unique_ptr<TrafficGenerator>> masters_;
    std::vector<std::uint32_t> job_;
    std::uint32_t value_ = 0, bytes_ = 0;
    bool ran_ = false;
    Result result_;
};

}  // namespace n6vp::test
